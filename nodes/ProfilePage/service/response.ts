import type { IDataObject } from 'n8n-workflow';

import { Failure, isChange, type Outcome, requestFailure } from '../shared/failure';
import { asObject, hasContent, isBlank, isObject, trimmed } from '../shared/values';
import { noObject, statusFailure, toFailedResponse, unreadable } from './reasons';
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

/** Returns what a 2xx response says of its request. What only reads has changed nothing, so its data counts unless the response says otherwise. */
function findOutcome(envelope: IDataObject, request: ServiceRequest): Outcome | 'confirmed' {
	const { status, success, errors, error, data } = envelope;
	const isOk = SUCCESS_STATUSES.includes(inLowerCase(status));
	const onlyReads = !isChange(request);
	if (isFailedStatus(status ?? success)) return 'not applied';
	if (request.confirms?.(envelope)) return 'confirmed';
	if (isOk && onlyReads) return 'confirmed';
	if ([errors, error, asObject(data).error].some(hasContent)) return onlyReads ? 'not applied' : 'unknown';
	if (isOk || request.isUndocumented) return 'confirmed';
	return onlyReads && status === undefined ? 'confirmed' : 'unknown';
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

/** What a text that was meant to be a JSON object or list, or is a web page, starts with. */
const NO_PLAIN_TEXT = /^\s*[[{<]/;

/** Returns the JSON object in the body; if the response is undocumented, it may be a list, a plain value, or empty too. */
function toEnvelope({ body }: ServiceResponse, request: ServiceRequest): IDataObject {
	if (isObject(body)) return body;
	if (request.isUndocumented) {
		if (isBlank(body)) return {};
		if (Array.isArray(body)) return { data: body };
		if (typeof body !== 'string' || !NO_PLAIN_TEXT.test(body)) return { value: body as IDataObject };
	}
	if (isBlank(body)) throw requestFailure('the response is empty');
	throw noObject(body, request.ifNotFound);
}
