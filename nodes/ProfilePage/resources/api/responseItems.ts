import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values';

/** Returns what a response contains: an item for each entry of its list, or one item. */
export function toItems(envelope: IDataObject): IDataObject[] {
	const payload = payloadOf(envelope);
	const list = Array.isArray(envelope.data) ? envelope.data : findList(payload);
	const entries: unknown[] = list ?? [payload];
	return entries.map((entry) => (isObject(entry) ? entry : { value: entry as IDataObject }));
}

/** Returns `data`, or the one field beside `status` and `errors` if it is an object, or else everything. */
function payloadOf(envelope: IDataObject): IDataObject {
	if (isObject(envelope.data)) return envelope.data;
	const [payload, ...others] = valuesOf(envelope);
	return 'status' in envelope && isObject(payload) && others.length === 0 ? payload : envelope;
}

/** Returns the only list, if everything beside it is a total, a flag, or empty. An object with an ID is no list. */
function findList(payload: IDataObject): unknown[] | undefined {
	if (payload.id !== undefined) return undefined;
	const values = valuesOf(payload);
	const [content, ...others] = values.filter(isContent);
	if (content !== undefined)
		return Array.isArray(content) && others.length === 0 ? content : undefined;
	const [empty, ...more] = values.filter(Array.isArray);
	return more.length === 0 ? empty : undefined;
}

function valuesOf(fields: IDataObject): unknown[] {
	const names = Object.keys(fields).filter((name) => name !== 'status' && name !== 'errors');
	return names.map((name) => fields[name]);
}

function isContent(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
