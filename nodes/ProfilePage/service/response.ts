import type { IDataObject } from 'n8n-workflow';

import { Failure, isChange, type Outcome, requestFailure } from '../shared/failure';
import { asObject, asText, hasContent, isBlank, isObject, trimmed } from '../shared/values';
import {
	CHECK_BASE_URL,
	CHECK_PERMISSIONS,
	type Reason,
	statusFailure,
	toFailedResponse,
	unreadable,
	withPathAdvice,
} from './reasons';
import { isSuccess, type ServiceRequest, type ServiceResponse } from './request';

/** Turns the envelope of a success, the JSON object with `status` and the payload, into a result. Throws Failure if it lacks that. */
export type Parse<T> = (envelope: IDataObject) => T;

/**
 * Reads a response (docs/api.md, section 2.1), and returns what `parse` returns for its envelope.
 *
 * @throws Failure if the service did not confirm success
 */
export function readResponse<T>(response: ServiceResponse, request: ServiceRequest, parse: Parse<T>): T {
	if (!isSuccess(response)) throw statusFailure(response, request.advice, rowsFor(request));
	try {
		return parse(confirmed(response, request));
	} catch (error) {
		// Any other error of the parser must not hide that the request was sent.
		const failure = error instanceof Failure ? error : unreadable('the response cannot be read');
		throw failure.with({ response: toFailedResponse(response) });
	}
}

/** Returns what the statuses mean by which services respond to unknown paths, if the path is not in the contract. */
function rowsFor({ ifNotFound }: ServiceRequest): Reason[] {
	if (ifNotFound === undefined) return [];
	const nothing = 'has nothing at this path';
	const advice = `${ifNotFound} ${CHECK_PERMISSIONS}`;
	const row = { outcome: 'not applied', advice, isOfPath: true } as const;
	return [
		{ ...row, on: /^3\d\d$/, outcome: 'unknown', problem: `the service responded with a redirect, or ${nothing}` },
		{ ...row, on: /^403$/, problem: `the service denied access, or ${nothing}` },
		{ ...row, on: /^404$/, problem: `the service ${nothing}` },
	];
}

function confirmed(response: ServiceResponse, request: ServiceRequest): IDataObject {
	const envelope = toEnvelope(response, request);
	const outcome = findOutcome(envelope, request);
	if (outcome === undefined) return envelope;
	const { status } = envelope;
	// A text, or a number of many digits, is not quoted: it might repeat a secret.
	const isQuotable = status === null || status === false || (typeof status === 'number' && Math.abs(status) < 1000);
	const quote = isQuotable ? ` (status: ${JSON.stringify(status)})` : '';
	if (outcome === 'unknown') throw requestFailure(`the response does not confirm success${quote}`);
	throw requestFailure(`the service reported a failure${quote}`, request.advice, { outcome });
}

/** Returns what became of a request if a 2xx response does not confirm success; undefined if it does. */
function findOutcome(envelope: IDataObject, request: ServiceRequest): Outcome | undefined {
	const { status, success, errors, error } = envelope;
	if (isFailedStatus(status)) return 'not applied';
	const isShown = request.confirms?.(envelope) === true;
	// `status` of a documented response decides alone, unless a change is answered with an error in place of its data.
	if ('status' in envelope && !request.isUndocumented) {
		const isError = isChange(request) && !isShown && hasContent(asObject(envelope.data).error);
		return SUCCESS_STATUSES.includes(inLowerCase(status)) && !isError ? undefined : 'unknown';
	}
	if (isFailedStatus(success)) return 'not applied';
	if (hasContent(errors) || hasContent(error)) {
		// A change that is shown beside errors may have been made.
		return isChange(request) && (isShown || success === true) ? 'unknown' : 'not applied';
	}
	return request.isUndocumented || isShown || !isChange(request) ? undefined : 'unknown';
}

export const FAILED_STATUSES: readonly unknown[] = [false, 0, '0', 'false', 'error', 'fail', 'failed', 'failure'];

/** The values by which they report a success: true, as documented, or the same in words. */
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
function toEnvelope(response: ServiceResponse, request: ServiceRequest): IDataObject {
	const { body } = response;
	if (isObject(body)) return body;
	if (request.isUndocumented) {
		if (isBlank(body)) return {};
		if (Array.isArray(body)) return { data: body };
		if (typeof body !== 'string' || !MARKUP_OR_JSON.test(body)) return { value: body as IDataObject };
	}
	if (isBlank(body)) throw requestFailure('the response is empty');
	throw noObject(response, request.ifNotFound);
}

/** Returns the failure for a body that is not a JSON object. */
export function noObject(response: ServiceResponse, advice: string = CHECK_BASE_URL): Failure {
	const isMarkup = /^\s*</.test(asText(response.body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return unreadable(`the service responded with ${found}`, withPathAdvice(response, advice));
}
