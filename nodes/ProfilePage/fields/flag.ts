import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { asObject } from '../shared/values';
import { readBoolean } from './readers';

/** Returns an option that is off until users add it and turn it on. */
export function flagField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
): INodeProperties {
	return { ...field, type: 'boolean', default: false };
}

/** Returns a reader of an option for the first item, which applies to all. It throws ValidationError if it is invalid. */
export function flagReader(
	context: IExecuteFunctions,
	{ name, displayName }: INodeProperties,
): () => boolean {
	let flag: boolean | undefined;
	const read = () => asObject(context.getNodeParameter('options', 0, {}))[name] ?? false;
	return () => (flag ??= readBoolean(read(), displayName));
}
