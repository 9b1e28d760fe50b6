import type { IDataObject } from 'n8n-workflow';

import { asText, isBlank, isObject } from '../shared/values';
import { readRetryHints, statusFailure, unexpectedBody, WITHOUT_PREFIX } from './explain';
import { type Ended, type Failure, requestFailure } from './failure';
import { type Explanation, isChange, type ServiceRequest, type ServiceResponse } from './request';
import { readVerdict } from './verdict';

/** Turns the envelope of a 2xx response, the JSON object with `status` and the payload, into a result. */
export type Parse<T> = (envelope: IDataObject) => Ended<T>;

export const NOT_FOUND: Explanation = [
	'the service has nothing at this address',
	`Check the Base URL in the credential. ${WITHOUT_PREFIX}`,
];

/**
 * Reads a response (docs/api.md, section 2.1). One without `status` is a success if nothing in it says otherwise; for
 * a change, it must also show that the change was made.
 *
 * @param parse turns the envelope of a success into a result
 */
export function readResponse<T>(
	{ statusCode: status, headers, body }: ServiceResponse,
	request: ServiceRequest,
	parse: Parse<T>,
): Ended<T> {
	if (status < 200 || status > 299) return statusFailure(status, headers, explanationsFor(request, headers));
	const ended = readSuccess(body, request, parse);
	return ended.outcome === 'done' ? ended : { ...ended, ...readRetryHints(status, headers) };
}

/** Why a service rejects an access token, as it says in the header of its response. */
interface Challenge {
	/** A code, such as insufficient_scope. */
	readonly error?: string;
	readonly description?: string;
}

/** A proxy may send longer headers. */
const MAX_CHALLENGE_LENGTH = 4000;

/** A parameter. Each character is looked at a fixed number of times. */
const PARAMETER = /(?<![\w-])(error|error_description)=(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** Reads the Bearer challenge of a response (RFC 6750, section 3). The names of the headers are in lower case. */
export function readChallenge(headers: IDataObject): Challenge {
	const header = asText(headers['www-authenticate']).slice(0, MAX_CHALLENGE_LENGTH);
	if (!/^bearer\s|,\s?bearer\s/i.test(header)) return {};
	const found = [...header.matchAll(PARAMETER)].map(([, name = '', quoted, token]) => {
		const value = quoted?.replace(/\\(.)/g, '$1') ?? token;
		return [name.toLowerCase(), value] as const;
	});
	const parameters = new Map(found);
	return { error: parameters.get('error'), description: parameters.get('error_description') };
}

/** The access token is valid, but not for this request (RFC 6750, section 3.1). */
const MISSING_SCOPE: Explanation = [
	'the access token lacks a scope for this request',
	'Public app: add the scope to Scope in the credential, and connect the account again. Private app: check its permissions in the settings of the service.',
];

function explanationsFor({ advice, statuses }: ServiceRequest, headers: IDataObject) {
	const lacksScope = readChallenge(headers).error === 'insufficient_scope';
	return {
		400: ['the service rejected the request', advice],
		401: [
			'the service rejected a new access token',
			'Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.',
		],
		403: [
			'the service denied access',
			'Check the permissions of the app in the settings of the service, and the Base URL in the credential.',
		],
		404: NOT_FOUND,
		'4xx': ['the service rejected the request', 'Check the Base URL in the credential and the fields of the node.'],
		...statuses,
		...(lacksScope && { 401: MISSING_SCOPE, 403: MISSING_SCOPE }),
	} satisfies ServiceRequest['statuses'];
}

function readSuccess<T>(body: unknown, request: ServiceRequest, parse: Parse<T>): Ended<T> {
	const envelope = toEnvelope(body, request);
	if (!envelope) return bodyFailure(body, request);
	try {
		// Whether the response reports a failure matters more than what it lacks.
		return findFailure(envelope, request) ?? parse(envelope);
	} catch {
		// An error of the parser must not hide that the request was sent.
		return requestFailure('the response cannot be read', 'Check the Base URL in the credential.');
	}
}

function findFailure(envelope: IDataObject, request: ServiceRequest): Failure | undefined {
	const verdict = readVerdict(envelope, request);
	if (verdict === 'succeeded') return undefined;
	const { status } = envelope;
	// A text, or a number of many digits, is not quoted: it might repeat a secret.
	const isQuotable = status === null || status === false || (typeof status === 'number' && Math.abs(status) < 1000);
	const quote = isQuotable ? ` (status: ${JSON.stringify(status)})` : '';
	if (verdict === 'failed') {
		return requestFailure(`the service reported a failure${quote}`, request.advice, { outcome: 'not applied' });
	}
	return unclear(`the response does not confirm success${quote}`, request);
}

/** Text that was meant to be a JSON object or list, or is a web page. */
const MARKUP_OR_JSON = /^\s*[[{<]/;

/**
 * Returns the JSON object in the body; undefined if there is none. If the response is unknown, it may be a list, a plain
 * value, or empty too.
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
