import type { IDataObject } from 'n8n-workflow';

import { asList, isObject } from '../shared/values';

/**
 * Returns what an envelope contains: its `data`, if that is an object; or else the only object beside `status` and
 * `errors`, as in `{ status, info: { … } }`; or else all of it.
 */
export function readPayload(envelope: IDataObject): IDataObject {
	if (isObject(envelope.data)) return envelope.data;
	const [payload, ...others] = contentsOf(envelope);
	return 'status' in envelope && isObject(payload) && others.length === 0 ? payload : envelope;
}

/** Returns the list that a response contains; undefined if it contains none, or more than a list. */
export function listIn(envelope: IDataObject): unknown[] | undefined {
	return asList(envelope.data) ?? findList(readPayload(envelope));
}

/** Returns the only list, if everything beside it is a total, a flag, or empty. An object with an ID is no list. */
function findList(payload: IDataObject): unknown[] | undefined {
	if (payload.id !== undefined) return undefined;
	const entries = asList(payload);
	if (entries) return entries;
	const values = contentsOf(payload).map((value) => asList(value) ?? value);
	const contents = values.filter(isContent);
	const [list, ...others] = contents.length > 0 ? contents : values.filter(Array.isArray);
	return Array.isArray(list) && others.length === 0 ? list : undefined;
}

/** Whether a value is a text or has entries. Totals and flags do not count. */
function isContent(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function contentsOf(fields: IDataObject): unknown[] {
	const names = Object.keys(fields).filter((name) => name !== 'status' && name !== 'errors');
	return names.map((name) => fields[name]);
}
