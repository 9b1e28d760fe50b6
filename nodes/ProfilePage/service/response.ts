import type { IDataObject } from 'n8n-workflow';

import { Failure, isChange, type Outcome, requestFailure } from '../shared/failure';
import { asObject, asText, hasContent, isBlank, isObject, trimmed } from '../shared/values';
import { statusFailure, toFailedResponse, unreadable } from './reasons';
import { isSuccess, type ServiceRequest, type ServiceResponse } from './request';

/**
 * Reads a response (docs/api.md, section 2.1): returns what its request reads from the envelope, the JSON object with `status` and the payload.
 *
 * @throws Failure if the service did not confirm success
 */
export function readResponse<T>(response: ServiceResponse, request: ServiceRequest<T>): T {
	if (!isSuccess(response)) throw statusFailure(response, request);
	try {
		const envelope = toEnvelope(response, request);
		const outcome = findOutcome(envelope, request);
		if (outcome === 'not applied') throw requestFailure('the service reported a failure', request.advice, { outcome });
		if (outcome === 'unknown') throw requestFailure('the response does not confirm success');
		return request.read(envelope);
	} catch (error) {
		// Any other error of a reader must not hide that the request was sent.
		const failure = error instanceof Failure ? error : unreadable('the response cannot be read');
		throw failure.with({ response: toFailedResponse(response) });
	}
}

/** Returns what became of a request if a 2xx response does not confirm success; undefined if it does. */
function findOutcome(envelope: IDataObject, request: ServiceRequest): Outcome | undefined {
	const { status, success, errors, error, data } = envelope;
	if (isFailedStatus(status ?? success)) return 'not applied';
	if (request.confirms?.(envelope)) return undefined;
	const isSuccessful = SUCCESS_STATUSES.includes(inLowerCase(status));
	const hasErrors = [errors, error, asObject(data).error].some(hasContent);
	if (isChange(request)) {
		const isConfirmed = !hasErrors && (isSuccessful || request.isUndocumented);
		return isConfirmed ? undefined : 'unknown';
	}
	// What only reads has changed nothing: its data counts, unless the response says otherwise.
	if (isSuccessful) return undefined;
	if (hasErrors) return 'not applied';
	return request.isUndocumented || status === undefined ? undefined : 'unknown';
}

const FAILED_STATUSES: readonly unknown[] = [false, 0, '0', 'false', 'error', 'fail', 'failed', 'failure'];

/** The values by which services report a success: true, as documented, or the same in words. */
const SUCCESS_STATUSES: readonly unknown[] = [true, 1, '1', 'true', 'ok', 'success'];

/** Whether a `status` in a response reports a failure; a text may be in any case. */
export function isFailedStatus(status: unknown): boolean {
	return FAILED_STATUSES.includes(inLowerCase(status));
}

function inLowerCase(status: unknown): unknown {
	return typeof status === 'string' ? trimmed(status).toLowerCase() : status;
}

/** Text that was meant to be a JSON object or list, or is a web page. */
const MARKUP_OR_JSON = /^\s*[[{<]/;

/** Returns the JSON object in the body; if the response is undocumented, it may be a list, a plain value, or empty too. */
function toEnvelope({ body }: ServiceResponse, request: ServiceRequest): IDataObject {
	if (isObject(body)) return body;
	if (request.isUndocumented) {
		if (isBlank(body)) return {};
		if (Array.isArray(body)) return { data: body };
		if (typeof body !== 'string' || !MARKUP_OR_JSON.test(body)) return { value: body as IDataObject };
	}
	if (isBlank(body)) throw requestFailure('the response is empty');
	throw noObject(body, request.ifNotFound);
}

/** Returns the failure for a body that is not a JSON object. */
export function noObject(body: unknown, advice?: string): Failure {
	const isMarkup = /^\s*</.test(asText(body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return unreadable(`the service responded with ${found}`, advice);
}
