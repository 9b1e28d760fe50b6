import type { IDataObject } from 'n8n-workflow';

import { type FailedResponse, type Failure, requestFailure } from '../shared/failure';
import { asText, joined, parseUrl, quotable, trimmed } from '../shared/values';
import { quoteSafely, repeatsSecret } from './quotes';
import type { ServiceRequest, ServiceResponse } from './request';

/** What statuses mean in words, and what to do: the first row that matches counts. */
export type Explanations = ReadonlyArray<readonly [statuses: RegExp, problem: string, advice?: string]>;

const ANY: Explanations = [
	[/^3/, 'the service responded with a redirect', 'Check the Base URL in the credential.'],
	[/^407$/, 'the proxy between n8n and the service requires a password', 'Check the proxy settings of your n8n.'],
	[/^429$/, 'the service is rate-limiting requests'],
	[/^(?:408|425|499)$/, 'the service, or a proxy on the way to it, gave up the request'],
	[/^4/, 'the service rejected the request', 'Check the Base URL in the credential and the fields of the node.'],
	[/^(?:52[1356]|530)$/, 'the CDN in front of the service could not connect to it'],
	// A proxy responds to the request to connect as if it were the service.
	[/^(?:50[24]|52\d|59[89])$/, 'the service, or a proxy on the way to it, failed'],
	[/^5/, 'the service failed'],
];

const UNKNOWN: Explanations[number] = [/^/, 'the service sent an unknown status'];

/** What to do besides if nothing is found at the Base URL. */
export const WITHOUT_PREFIX =
	'If anything follows the host in it, such as /myband, remove that, unless your service needs it.';

/** Returns what statuses mean for a request that was sent with an access token. */
export function explanationsFor({ advice, ifNotFound }: ServiceRequest): Explanations {
	const all = joined(' ', ifNotFound, CHECK_PERMISSIONS);
	const ofPath: Explanations = [
		// Some services respond to unknown paths with 403 or a redirect.
		[/^3/, 'the service responded with a redirect, or has nothing at this path', all],
		[/^403$/, 'the service denied access, or has nothing at this path', all],
		[/^404$/, 'the service has nothing at this path', all],
	];
	return [
		...(ifNotFound === undefined ? [] : ofPath),
		[/^400$/, 'the service rejected the request', advice],
		...WITH_TOKEN,
	];
}

const CHECK_PERMISSIONS = 'Check the permissions of the app in the settings of the service.';

export const CHECK_ACCESS =
	'Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.';

const WITH_TOKEN: Explanations = [
	[/^(401|498)$/, 'the service rejected a new access token', CHECK_ACCESS],
	[/^403$/, 'the service denied access', `${CHECK_PERMISSIONS} Check the Base URL in the credential.`],
	[/^404$/, 'the service has nothing at this address', `Check the Base URL in the credential. ${WITHOUT_PREFIX}`],
];

/**
 * Returns the failure in a response whose status is no success.
 *
 * @param path of the request
 * @param specific what statuses mean for this request
 * @param secrets what its message may not repeat
 */
export function statusFailure(
	response: ServiceResponse,
	path: string,
	specific: Explanations,
	secrets: ReadonlySet<string>,
): Failure {
	const { statusCode: status, body } = response;
	const [, problem, advice] = [...specific, ...ANY].find(([statuses]) => statuses.test(String(status))) ?? UNKNOWN;
	const [what, toDo] =
		BLOCKING_STATUSES.includes(status) && typeof body !== 'object'
			? [BLOCKED, joined(' ', UNBLOCK, advice)]
			: [problem, advice];
	const { target, isBaseUrl } = findRedirect(response, path);
	const where = target && !repeatsSecret(target, secrets) ? ` to ${quotable(target)}` : '';
	return requestFailure(`${what} (${status})${where}`, where && isBaseUrl ? USE_BASE_URL : toDo, {
		outcome: isRejection(status) || UNREACHED_STATUSES.includes(status) ? 'not applied' : 'unknown',
		passes: TRANSIENT.test(String(status)) ? 'soon' : status >= 500 ? 'later' : undefined,
		response: toFailedResponse(response, secrets),
	});
}

const USE_BASE_URL = 'If that is your service, use it as Base URL in the credential.';

/**
 * Returns where a redirect leads, without user name and query: the Base URL that it asks for, if that is all that changes.
 * Empty if it does not say.
 */
function findRedirect({ statusCode, headers }: ServiceResponse, path: string): { target: string; isBaseUrl?: boolean } {
	const location = statusCode < 400 ? asText(headers.location) : '';
	const url = parseUrl(location.replace(/^\/\//, 'https://'));
	if (!url) return { target: /^\/[^?#]*/.exec(location)?.[0] ?? '' };
	if (!/^https?:$/.test(url.protocol)) return { target: '' };
	const target = `${url.origin}${url.pathname}`;
	const [pathname = ''] = path.split('?', 1);
	const isBaseUrl = target.endsWith(pathname);
	return { target: isBaseUrl ? target.slice(0, -pathname.length) : target, isBaseUrl };
}

/** The statuses of firewalls, which then send a web page or nothing instead of JSON. */
const BLOCKING_STATUSES: readonly number[] = [403, 405, 406];

const BLOCKED = 'the service, or a CDN or firewall in front of it, denied access';
export const UNBLOCK =
	'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.';

/** Whether a status says that nothing was done. After 408 and 499 the service may still be working; web applications redirect after success. */
export function isRejection(status: number): boolean {
	return status >= 400 && status < 500 && status !== 408 && status !== 499;
}

/** The statuses of a CDN that had no connection to the service (Cloudflare, errors 521 to 530). */
const UNREACHED_STATUSES: readonly number[] = [521, 523, 525, 526, 530];

/** A service that is busy or restarting (RFC 6585, section 4; RFC 9110, section 15.6), or what a CDN says of one. */
const TRANSIENT = /^(?:408|425|429|499|50[234]|52\d|530|59[89])$/;

/** Returns what a response says of a failure, besides what happened. */
export function toFailedResponse(
	{ statusCode: status, headers, body }: ServiceResponse,
	secrets: ReadonlySet<string>,
): FailedResponse {
	const said = quoteSafely(body, secrets) ?? quoteSafely(readChallenge(headers).description, secrets);
	return { status, retryAfter: findRetryAfter(headers['retry-after']), said };
}

const SECONDS = /^(\d{1,9}(?:\.\d+)?) ?(?:(ms|[smh])(?:ecs?|econds?|ins?|inutes?|ours?)?\.?)?$/i;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** An HTTP date. Of its three formats, one has no zone. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun).* (?:GMT|\d{4})$/;

/**
 * Returns the wait in a `Retry-After` header, in milliseconds, of whole seconds: seconds, or a date (RFC 9110, section
 * 10.2.3), or a number with a unit, such as "2 min". Anything else does not count, nor does 0 or a past date.
 */
function findRetryAfter(value: unknown): number | undefined {
	const text = trimmed(asText(value));
	const [, digits, unit = 's'] = SECONDS.exec(text) ?? [];
	const date = HTTP_DATE.test(text) ? Date.parse(text.replace(/\d$/, '$& GMT')) : Number.NaN;
	const wait = digits ? Number(digits) * (UNITS_MS[unit.toLowerCase()] ?? 0) : date - Date.now();
	return wait > 0 ? Math.ceil(wait / 1000) * 1000 : undefined;
}

interface Challenge {
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
