import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from './serviceRequest';

/** An answer of the service, as n8n's request helper hands it over. */
export interface Answer {
	readonly status: number;
	/** Parsed if it was JSON, else the text. */
	readonly body: unknown;
	/** With lower-case names. */
	readonly headers: Readonly<Record<string, unknown>>;
}

/** What the explanation of an answer depends on. */
type Question = Pick<ServiceRequest, 'badRequestAdvice' | 'basis' | 'doubt'>;

/** What to do where the service has nothing at the address of a request. */
const ADDRESS_ADVICE: Record<ServiceRequest['basis'], string> = {
	contract: 'Check the Base URL in the credential.',
	'public documentation':
		'Check the Base URL in the credential. If it is right, your service has this operation at another address: the one used here is known from the public documentation of a service with this API.',
};

/**
 * What keeps an answer from being success (the contract, section 2: an object whose `status` is
 * true; section 7 shows no more than the statuses 400 and 401).
 *
 * @param request what was asked, for the advice
 * @returns the end of a sentence that says what happened, and what to do; undefined for success
 */
export function findProblem(
	{ status, body }: Pick<Answer, 'status' | 'body'>,
	request: Question,
): string | undefined {
	if (status < 200 || status > 299) return explainStatus(status, request);
	if (isEmpty(body)) return 'the answer of the service was empty. Try again later.';
	if (!isObject(body)) return explainForeignBody(body);
	if (body.status === false) {
		return `the service reported a failure (status: false). ${request.badRequestAdvice}`;
	}
	return undefined;
}

function explainStatus(status: number, { badRequestAdvice, basis, doubt }: Question): string {
	if (status >= 300 && status < 400) {
		return `the service answered with a redirect (HTTP ${status}), which is not followed, so that the access token goes nowhere else. Check the Base URL in the credential.`;
	}
	const known: Record<number, string> = {
		400: `the service refused the request (HTTP 400). ${badRequestAdvice}`,
		401: 'the service refused the access token, and a new one too (HTTP 401). Check that the app still has access to the account, and that the credential is that of the right app.',
		403: 'the service does not allow it (HTTP 403). Check what the app may do in the settings of the service.',
		404: `the service has nothing at this address (HTTP 404). ${ADDRESS_ADVICE[basis]}`,
		429: 'the service has had too many requests (HTTP 429). Wait a while, then run the workflow less often, or lower Items per Batch in the options of the node.',
	};
	if (known[status]) return known[status];
	const moreTries = doubt ? '' : ', or raise Max Retries in the options of the node';
	return status >= 500
		? `the service failed (HTTP ${status}). Try again later${moreTries}.`
		: `the service refused the request (HTTP ${status}). Check the Base URL in the credential and the fields of the node.`;
}

/** Whether an answer that is not success makes certain that the service did not do what it was asked to. */
export function isRefused({ status, body }: Pick<Answer, 'status' | 'body'>): boolean {
	const saysNo = isObject(body) && body.status === false;
	return status < 300 ? saysNo : status < 500;
}

function explainForeignBody(body: unknown): string {
	const isMarkup = typeof body === 'string' && /^\s*</.test(body);
	return isMarkup
		? 'the service answered with a web page instead of data. Check the Base URL in the credential.'
		: 'the service answered with something other than a JSON object. Check the Base URL in the credential.';
}

function isEmpty(body: unknown): boolean {
	return body === undefined || body === null || body === '';
}

/** Whether a value is an object with fields: not null, not a list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns a list of objects, as it is; undefined if the value is anything else */
export function asObjects(value: unknown): IDataObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** @returns a text, or a number as one; an empty text if the value is anything else */
export function asText(value: unknown): string {
	return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}

/**
 * What an envelope carries: its `data`, or the one other object that stands beside `status`.
 *
 * @returns the payload; the whole envelope where it is not clear which part that is
 */
export function readPayload(envelope: IDataObject): IDataObject {
	if (isObject(envelope.data)) return envelope.data;
	const objects = Object.values(envelope).filter(isObject);
	return objects.length === 1 && objects[0] && 'status' in envelope ? objects[0] : envelope;
}
