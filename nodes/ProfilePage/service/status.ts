import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values';
import { type Failure, requestFailure } from './failure';
import type { Explanation, ServiceRequest, StatusExplanations } from './request';

/** What the statuses of a response mean, or a range of them, whatever was requested. */
const STATUSES: StatusExplanations = {
	'3xx': ['the service responded with a redirect', 'Check the Base URL in the credential.'],
	407: ['the proxy between n8n and the service requires a password', 'Check the proxy settings of your n8n.'],
	429: ['the service is rate-limiting requests'],
	'4xx': ['the service rejected the request', 'Check the Base URL in the credential.'],
	// A proxy responds to the request to connect as if it were the service.
	502: ['the service, or a proxy on the way to it, failed'],
	504: ['the service, or a proxy on the way to it, failed'],
	'5xx': ['the service failed'],
};

/** What to do besides if nothing is found at the Base URL. */
export const WITHOUT_PREFIX =
	'If anything follows the host in it, such as /myband, remove that, unless your service needs it.';

export const NOT_FOUND: Explanation = [
	'the service has nothing at this address',
	`Check the Base URL in the credential. ${WITHOUT_PREFIX}`,
];

/** The access token is valid, but not for this request (RFC 6750, section 3.1). */
const MISSING_SCOPE: Explanation = [
	'the access token lacks a scope for this request',
	'Public app: add the scope to Scope in the credential, and connect the account again. Private app: check its permissions in the settings of the service.',
];

/** What statuses mean if the request was sent with an access token. */
const WITH_TOKEN: StatusExplanations = {
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
};

/** Returns what statuses mean for a request that was sent with an access token. */
export function explanationsFor({ advice, statuses }: ServiceRequest, headers: IDataObject): StatusExplanations {
	const lacksScope = readChallenge(headers).error === 'insufficient_scope';
	const ofToken: StatusExplanations = lacksScope ? { 401: MISSING_SCOPE, 403: MISSING_SCOPE } : {};
	return { ...WITH_TOKEN, 400: ['the service rejected the request', advice], ...statuses, ...ofToken };
}

/** The statuses of a service that is busy or restarting (RFC 6585, section 4; RFC 9110, section 15.6). */
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Returns the failure in a response whose status is no success. `specific` is what statuses mean for this request. */
export function statusFailure(status: number, headers: IDataObject, specific: StatusExplanations): Failure {
	const explanations = { ...STATUSES, ...specific };
	const range = status >= 500 ? '5xx' : status >= 300 && status < 400 ? '3xx' : '4xx';
	const [problem = '', advice] = explanations[status] ?? explanations[range] ?? [];
	// Web applications redirect after success, and after 408 and 499 the server may still be working.
	const isRejected = status >= 400 && status < 500 && status !== 408 && status !== 499;
	return requestFailure(`${problem} (${status})`, advice, {
		outcome: isRejected ? 'not applied' : 'unknown',
		...readRetryHints(status, headers),
	});
}

/** Returns what a response says of a retry. The names of its headers are in lower case. */
export function readRetryHints(status: number, headers: IDataObject): Partial<Failure> {
	const retryAfter = findRetryAfter(headers['retry-after']);
	const isTransient = TRANSIENT_STATUSES.includes(status);
	const passes = isTransient ? 'soon' : status >= 500 ? 'later' : undefined;
	return { status, retryAfter, ...(passes && { passes }) };
}

/** Returns the milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). Neither 0 nor a past date counts. */
function findRetryAfter(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	// Date.parse also accepts texts such as "-5"; dates of HTTP begin with the name of a day.
	const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
	const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - Date.now();
	return wait > 0 ? wait : undefined;
}

/** Why a service rejects an access token, as it says in the header of its response. */
interface Challenge {
	/** A code, such as insufficient_scope. */
	readonly error?: string;
	readonly description?: string;
}

/** A proxy may send longer headers. */
const MAX_CHALLENGE_LENGTH = 4000;

/** A parameter. It takes linear time, as headers may be long. */
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
