import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { explainStatus, explainUnexpectedBody, isFailedStatus, readRetryHints } from '../http/failures';
import { ServiceError } from '../shared/errors';
import { hasContent, isBlank, isObject } from '../shared/values';
import type { Read, ServiceRequest } from './request';

/**
 * Reads a response (docs/api.md, section 2.1). One without `status` is a success if nothing in it says otherwise; for
 * a change, it must also show that the change was made.
 *
 * @param read turns a success envelope into a result, whose `isConfirmed` says that it shows the change
 * @throws ServiceError if it is not a success
 */
export function readResponse<T extends object>(
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	request: ServiceRequest,
	read: Read<T>,
): T {
	try {
		if (status < 200 || status > 299) throw explainCallStatus(status, request);
		return readSuccess(toEnvelope(body, request), request, read);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error as Error;
		throw error.with({ ...readRetryHints(status, headers), body });
	}
}

function readSuccess<T extends object>(envelope: IDataObject, request: ServiceRequest, read: Read<T>): T {
	let result: T;
	try {
		result = read(envelope);
	} catch (error) {
		// Whether the response reports a failure matters more.
		checkSuccess(envelope, request, false);
		throw error as Error;
	}
	checkSuccess(envelope, request, 'isConfirmed' in result && result.isConfirmed === true);
	return result;
}

function checkSuccess(envelope: IDataObject, request: ServiceRequest, showsChange: boolean): void {
	const verdict = readVerdict(envelope, request, showsChange);
	if (verdict === 'succeeded') return;
	const { status } = envelope;
	// A text is not quoted: it might repeat a secret.
	const isQuotable = status === null || status === false || typeof status === 'number';
	const quote = isQuotable ? ` (status: ${JSON.stringify(status)})` : '';
	if (verdict === 'failed') {
		throw new ServiceError(`the service reported a failure${quote}`, request.advice, { history: 'rejected' });
	}
	throw new ServiceError(`the response does not confirm success${quote}`, adviseIfUnclear(request));
}

/** Text that was meant to be a JSON object or list, or is a web page. */
const NO_TEXT = /^\s*[[{<]/;

/** Returns the JSON object in the body. If the response is unknown, it may be a list, a plain value, or empty too. */
function toEnvelope(body: unknown, request: ServiceRequest): IDataObject {
	if (isObject(body)) return body;
	const isEmpty = isBlank(body);
	if (request.success === 'unless denied') {
		if (isEmpty) return {};
		if (Array.isArray(body)) return { data: body };
		if (typeof body !== 'string' || !NO_TEXT.test(body)) return { value: body as IDataObject };
	}
	if (isEmpty) throw new ServiceError('the response is empty', adviseIfUnclear(request));
	const { problem, advice } = explainUnexpectedBody(body, request.statuses?.body);
	throw new ServiceError(problem, advice);
}

type Verdict = 'succeeded' | 'failed' | 'unclear';

/** Reads `status` alone if there is one, else the usual other fields. */
function readVerdict(envelope: IDataObject, request: ServiceRequest, showsChange: boolean): Verdict {
	const { status, success } = envelope;
	const isStrict = request.success !== 'unless denied';
	if (isStrict && status === true) return 'succeeded';
	if (isFailedStatus(status)) return 'failed';
	if (isStrict && 'status' in envelope) return 'unclear';
	if (isStrict ? success === false : isFailedStatus(success)) return 'failed';
	if (reportsErrors(envelope)) return showsChange && isChange(request) ? 'unclear' : 'failed';
	if (success === true || !isStrict) return 'succeeded';
	return 'success' in envelope || (isChange(request) && !showsChange) ? 'unclear' : 'succeeded';
}

/** Whether a response contains errors, whatever else it says. */
export function reportsErrors({ errors, error }: IDataObject): boolean {
	return hasContent(errors) || hasContent(error);
}

/** Whether a request changes something, so that it must be known whether it was performed. */
export function isChange({ method }: Pick<ServiceRequest, 'method'>): boolean {
	return method !== 'GET';
}

/** Requests that are not idempotent have advice of their own. */
function adviseIfUnclear(request: ServiceRequest): string {
	if (!request.idempotent) return '';
	return isChange(request) ? 'Look at your profile to see the result.' : 'Try again later.';
}

export const NOT_FOUND =
	'the service has nothing at this address. Check the Base URL in the credential. If anything follows the host in it, such as /myband, remove that, unless your service needs it.';

function explainCallStatus(status: number, { advice, statuses }: ServiceRequest): ServiceError {
	const { problem, advice: whatToDo } = explainStatus(status, {
		400: `the service rejected the request. ${advice}`,
		401: 'the service rejected a new access token. Check that the app still has access to the account, and that the credential is for the right app.',
		403: 'the service denied access. Check the permissions of the app in the settings of the service, and the Base URL in the credential.',
		404: NOT_FOUND,
		429: 'the service is rate-limiting requests. Wait a while, then run the workflow less often.',
		'4xx': 'the service rejected the request. Check the Base URL in the credential and the fields of the node.',
		...statuses,
	});
	// Web applications redirect after success, and after 408 and 499 the server may still be working.
	const isRejected = status >= 400 && status < 500 && status !== 408 && status !== 499;
	return new ServiceError(problem, whatToDo, isRejected ? { history: 'rejected' } : {});
}

/**
 * Returns the `data` of an envelope; of one with a `status`, the only field beside it and `errors` if that is an object; or
 * else everything.
 */
export function readPayload(envelope: IDataObject): IDataObject {
	if (isObject(envelope.data)) return envelope.data;
	const [payload, ...others] = contentsOf(envelope);
	return 'status' in envelope && isObject(payload) && others.length === 0 ? payload : envelope;
}

/** Returns the values beside `status` and `errors`. */
export function contentsOf(fields: IDataObject): unknown[] {
	const names = Object.keys(fields).filter((name) => name !== 'status' && name !== 'errors');
	return names.map((name) => fields[name]);
}
