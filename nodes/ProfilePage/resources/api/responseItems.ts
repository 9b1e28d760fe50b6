import type { IDataObject } from 'n8n-workflow';

import { contentsOf, readPayload } from '../../service/response';
import { isObject } from '../../shared/values';

/** Returns what a response contains: an item for each entry of its list, or one item. */
export function toItems(envelope: IDataObject): IDataObject[] {
	const payload = readPayload(envelope);
	const list = Array.isArray(envelope.data) ? envelope.data : findList(payload);
	const entries: unknown[] = list ?? [payload];
	return entries.map((entry) => (isObject(entry) ? entry : { value: entry as IDataObject }));
}

/** Returns the only list, if everything beside it is a total, a flag, or empty. An object with an ID is no list. */
function findList(payload: IDataObject): unknown[] | undefined {
	if (payload.id !== undefined) return undefined;
	const values = contentsOf(payload);
	const [content, ...others] = values.filter(isContent);
	if (content !== undefined) {
		return Array.isArray(content) && others.length === 0 ? content : undefined;
	}
	const [empty, ...more] = values.filter(Array.isArray);
	return more.length === 0 ? empty : undefined;
}

/** A total or a flag is none. */
function isContent(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
