import type { IDataObject } from 'n8n-workflow';

import { asText, isBlank, isObject } from '../shared/values';
import { done, type Ended, Failed, type Failure, requestFailure, unreadable } from './failure';
import { readOutcome } from './outcome';
import { type Explanation, isChange, type ServiceRequest, type ServiceResponse } from './request';
import { explanationsFor, readRetryHints, statusFailure } from './status';

/** Turns the envelope of a success, the JSON object with `status` and the payload, into a result. Throws Failed if it lacks that. */
export type Parse<T> = (envelope: IDataObject) => T;

/**
 * Reads a response (docs/api.md, section 2.1). One without `status` is a success if nothing in it says otherwise; for
 * a change, it must also show that the change was made.
 *
 * @param parse turns the envelope of a success into a result
 */
export function settleResponse<T>(
	{ statusCode: status, headers, body }: ServiceResponse,
	request: ServiceRequest,
	parse: Parse<T>,
): Ended<T> {
	if (status < 200 || status > 299) return statusFailure(status, headers, explanationsFor(request, headers));
	const ended = settleSuccess(body, request, parse);
	return ended.outcome === 'done' ? ended : { ...ended, ...readRetryHints(status, headers) };
}

function settleSuccess<T>(body: unknown, request: ServiceRequest, parse: Parse<T>): Ended<T> {
	const envelope = toEnvelope(body, request);
	if (!envelope) return bodyFailure(body, request);
	try {
		// Whether the response reports a failure matters more than what it lacks.
		return findFailure(envelope, request) ?? done(parse(envelope));
	} catch (error) {
		// Any other error of the parser must not hide that the request was sent.
		const failed = error instanceof Failed ? error : unreadable('the response cannot be read');
		return failed.failure;
	}
}

function findFailure(envelope: IDataObject, request: ServiceRequest): Failure | undefined {
	const outcome = readOutcome(envelope, request);
	if (outcome === 'done') return undefined;
	const { status } = envelope;
	// A text, or a number of many digits, is not quoted: it might repeat a secret.
	const isQuotable = status === null || status === false || (typeof status === 'number' && Math.abs(status) < 1000);
	const quote = isQuotable ? ` (status: ${JSON.stringify(status)})` : '';
	if (outcome === 'not applied') {
		return requestFailure(`the service reported a failure${quote}`, request.advice, { outcome });
	}
	return unclear(`the response does not confirm success${quote}`, request);
}

/** Text that was meant to be a JSON object or list, or is a web page. */
const MARKUP_OR_JSON = /^\s*[[{<]/;

/**
 * Returns the JSON object in the body; undefined if there is none. If the response is undocumented, it may be a list, a
 * plain value, or empty too.
 */
function toEnvelope(body: unknown, { isUndocumented }: ServiceRequest): IDataObject | undefined {
	if (isObject(body)) return body;
	if (!isUndocumented) return undefined;
	if (isBlank(body)) return {};
	if (Array.isArray(body)) return { data: body };
	return typeof body === 'string' && MARKUP_OR_JSON.test(body) ? undefined : { value: body as IDataObject };
}

function bodyFailure(body: unknown, request: ServiceRequest): Failure {
	if (isBlank(body)) return unclear('the response is empty', request);
	return requestFailure(...unexpectedBody(body, request.adviceIfNotJson));
}

/** Returns the failure for a response from which it is not clear what happened. */
function unclear(problem: string, request: ServiceRequest): Failure {
	if (!isChange(request)) return requestFailure(problem, undefined, { passes: 'later' });
	return requestFailure(problem, request.idempotent ? 'Look at your profile to see the result.' : undefined);
}

/** Explains a response that is not a JSON object. */
export function unexpectedBody(body: unknown, advice = 'Check the Base URL in the credential.'): Explanation {
	const isMarkup = /^\s*</.test(asText(body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return [`the service responded with ${found}`, advice];
}
