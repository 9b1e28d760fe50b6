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
type Question = Pick<
	ServiceRequest,
	'badRequestAdvice' | 'documentedBy' | 'isIdempotent' | 'unknownOutcome' | 'isConfirmedBy'
>;

/** What to do where the service has nothing at the address of a request. */
const ADDRESS_ADVICE: Record<ServiceRequest['documentedBy'], string> = {
	contract: 'Check the Base URL in the credential.',
	'public documentation':
		'Check the Base URL in the credential. If it is right, your service has this operation at another address: the one used here is known from the public documentation of a service with this API.',
};

/**
 * What keeps an answer from being success (the contract, section 2: an object whose `status` is
 * true; section 7 shows no more than the statuses 400 and 401). An answer without `status` will do if
 * nothing in it says otherwise; for a change, it must show that the change was made.
 *
 * @param request what was asked, for the advice
 * @returns the end of a sentence that says what happened, and what to do; undefined for success
 */
export function findProblem(
	{ status, body }: Pick<Answer, 'status' | 'body'>,
	request: Question,
): string | undefined {
	if (status < 200 || status > 299) return explainStatus(status, request);
	if (isEmpty(body)) return `the answer of the service was empty.${adviseOnSilence(request)}`;
	if (!isObject(body)) return explainForeignBody(body);
	const verdict = readVerdict(body, request);
	if (verdict === 'failed') {
		return `the service reported a failure${quoteStatus(body)}. ${request.badRequestAdvice}`;
	}
	if (verdict === 'unclear' && needsMore(body, request)) {
		return `the answer of the service does not say that it succeeded${quoteStatus(body)}.${adviseOnSilence(request)}`;
	}
	return undefined;
}

/** The values of `status` by which services say that a request failed. */
export const FAILED_STATUSES: readonly unknown[] = [false, 0, 'false', 'error', 'fail', 'failed'];

/**
 * What an answer says of its success: `status` alone if there is one, else the usual other fields. Only
 * `true` is success; what is neither success nor failure, such as "ok", is unclear.
 */
function readVerdict(
	body: IDataObject,
	{ isConfirmedBy }: Question,
): 'succeeded' | 'failed' | 'unclear' {
	if ('status' in body) {
		if (body.status === true) return 'succeeded';
		return FAILED_STATUSES.includes(body.status) ? 'failed' : 'unclear';
	}
	if (body.success === false) return 'failed';
	if (isFilled(body.errors) || isFilled(body.error)) {
		return isConfirmedBy?.(body) ? 'unclear' : 'failed';
	}
	return body.success === true ? 'succeeded' : 'unclear';
}

/** Whether a field that tells of errors tells of any. */
function isFilled(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.values(value).some((entry) => Boolean(entry))
		: Boolean(value);
}

/** Whether an answer that is unclear is too little to be taken for success. */
function needsMore(body: IDataObject, { unknownOutcome, isConfirmedBy }: Question): boolean {
	if (['status', 'success'].some((name) => name in body)) return true;
	if (isFilled(body.errors) || isFilled(body.error)) return true;
	return unknownOutcome !== undefined && !isConfirmedBy?.(body);
}

/** What to do where an answer says nothing. A request that is not idempotent has its own advice. */
function adviseOnSilence({ unknownOutcome, isIdempotent }: Question): string {
	if (!isIdempotent) return '';
	return unknownOutcome ? ' Look at your profile to see the result.' : ' Try again later.';
}

/** A text is not quoted here: it might repeat a secret. */
function quoteStatus({ status }: IDataObject): string {
	const isShort = status === null || typeof status === 'boolean' || typeof status === 'number';
	return isShort ? ` (status: ${String(status)})` : '';
}

function explainStatus(
	status: number,
	{ badRequestAdvice, documentedBy, isIdempotent }: Question,
): string {
	if (status >= 300 && status < 400) {
		return `the service answered with a redirect (HTTP ${status}), which is not followed, so that the access token goes nowhere else. Check the Base URL in the credential.`;
	}
	const known: Record<number, string> = {
		400: `the service refused the request (HTTP 400). ${badRequestAdvice}`,
		401: 'the service refused a new access token (HTTP 401). Check that the app still has access to the account, and that the credential is that of the right app.',
		403: 'the service does not allow it (HTTP 403). Check what the app may do in the settings of the service, and the Base URL in the credential.',
		404: `the service has nothing at this address (HTTP 404). ${ADDRESS_ADVICE[documentedBy]}`,
		407: 'the proxy between n8n and the service asks for a password (HTTP 407). Check the proxy settings of your n8n.',
		429: 'the service is rate-limiting requests (HTTP 429). Wait a while, then run the workflow less often, or lower Items per Batch in the options of the node.',
	};
	if (known[status]) return known[status];
	const moreTries = !isIdempotent ? '' : ', or raise Max Retries in the options of the node';
	return status >= 500
		? `the service failed (HTTP ${status}). Try again later${moreTries}.`
		: `the service refused the request (HTTP ${status}). Check the Base URL in the credential and the fields of the node.`;
}

/** Of the statuses from 400 to 499, those that come from a server which may be at work on the request. */
const TIMEOUT_STATUSES: readonly number[] = [408, 499];

/**
 * Whether an answer other than success makes certain that the request was not applied. A redirect does
 * not: it is also how web applications answer once they have performed a request.
 */
export function isRefused(
	{ status, body }: Pick<Answer, 'status' | 'body'>,
	request: Question,
): boolean {
	if (status < 300) return isObject(body) && readVerdict(body, request) === 'failed';
	return status >= 400 && status < 500 && !TIMEOUT_STATUSES.includes(status);
}

/** What an answer is that is no JSON object, and what to do. */
export function explainForeignBody(body: unknown): string {
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
