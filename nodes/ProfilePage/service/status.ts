import type { IDataObject } from 'n8n-workflow';

import { asList, asText, joined, trimmed } from '../shared/values';
import { type FailedResponse, type Failure, requestFailure } from './failure';
import { quoteSafely } from './quotes';
import type { ServiceRequest, ServiceResponse } from './request';

/** What statuses mean, and what to do: the first row that matches counts. */
export type Meanings = ReadonlyArray<readonly [statuses: RegExp, problem: string, advice?: string]>;

const ANY: Meanings = [
	[/^3/, 'the service responded with a redirect', 'Check the Base URL in the credential.'],
	[/^407$/, 'the proxy between n8n and the service requires a password', 'Check the proxy settings of your n8n.'],
	[/^429$/, 'the service is rate-limiting requests'],
	[/^4/, 'the service rejected the request', 'Check the Base URL in the credential and the fields of the node.'],
	[/^(?:52[1356]|530)$/, 'the CDN in front of the service could not connect to it'],
	// A proxy responds to the request to connect as if it were the service.
	[/^(?:50[24]|52\d|59[89])$/, 'the service, or a proxy on the way to it, failed'],
	[/^5/, 'the service failed'],
];

const UNKNOWN: Meanings[number] = [/^/, 'the service sent an unknown status'];

/** What to do besides if nothing is found at the Base URL. */
export const WITHOUT_PREFIX =
	'If anything follows the host in it, such as /myband, remove that, unless your service needs it.';

/** Returns what statuses mean for a request that was sent with an access token. */
export function meaningsFor({ advice, ifNotFound }: ServiceRequest): Meanings {
	const all = joined(' ', ifNotFound, CHECK_PERMISSIONS);
	const ofPath: Meanings = [
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

const WITH_TOKEN: Meanings = [
	[
		/^(401|498)$/,
		'the service rejected a new access token',
		'Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.',
	],
	[/^403$/, 'the service denied access', `${CHECK_PERMISSIONS} Check the Base URL in the credential.`],
	[/^404$/, 'the service has nothing at this address', `Check the Base URL in the credential. ${WITHOUT_PREFIX}`],
];

/**
 * Returns the failure in a response whose status is no success.
 *
 * @param specific what statuses mean for this request
 * @param secrets what its message may not repeat
 */
export function statusFailure(response: ServiceResponse, specific: Meanings, secrets: ReadonlySet<string>): Failure {
	const { statusCode: status, body } = response;
	const [, problem, advice] = [...specific, ...ANY].find(([statuses]) => statuses.test(String(status))) ?? UNKNOWN;
	const [what, toDo] =
		BLOCKING_STATUSES.includes(status) && typeof body !== 'object'
			? [BLOCKED, joined(' ', UNBLOCK, advice)]
			: [problem, advice];
	return requestFailure(`${what} (${status})`, toDo, {
		outcome: isRejection(status) || UNREACHED_STATUSES.includes(status) ? 'not applied' : 'unknown',
		passes: TRANSIENT.test(String(status)) ? 'soon' : status >= 500 ? 'later' : undefined,
		response: readFailed(response, secrets),
	});
}

/** The statuses of firewalls, which then send a web page or nothing instead of JSON. */
const BLOCKING_STATUSES: readonly number[] = [403, 405, 406];

const BLOCKED = 'the service, or a CDN or firewall in front of it, denied access';
export const UNBLOCK =
	'If the response came from a CDN or firewall, it may block the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.';

/** Whether a status says that nothing was done. After 408 and 499 the service may still be working; web applications redirect after success. */
export function isRejection(status: number): boolean {
	return status >= 400 && status < 500 && status !== 408 && status !== 499;
}

/** The statuses of a CDN that had no connection to the service (Cloudflare, errors 521 to 530). */
const UNREACHED_STATUSES: readonly number[] = [521, 523, 525, 526, 530];

/** A service that is busy or restarting (RFC 6585, section 4; RFC 9110, section 15.6), or what a CDN says of one. */
const TRANSIENT = /^(?:429|50[234]|52\d|530|59[89])$/;

/** Returns what a response says of a failure, besides what happened. */
export function readFailed(
	{ statusCode: status, headers, body }: ServiceResponse,
	secrets: ReadonlySet<string>,
): FailedResponse {
	const said = quoteSafely(body, secrets) ?? quoteSafely(readChallenge(headers).description, secrets);
	return { status, retryAfter: findRetryAfter(headers['retry-after']), said };
}

/** A duration in hours, minutes, seconds, and milliseconds, such as "1m30s" or "2 seconds". */
const DURATION =
	/^(?:([\d.]+) ?h(?:ours?)?,? ?)?(?:(?:and )?([\d.]+) ?m(?:in(?:ute)?s?)?,? ?)?(?:(?:and )?([\d.]+) ?s(?:ec(?:ond)?s?)?)?(?:([\d.]+) ?ms)?\.?$/i;
const UNITS_MS = [3_600_000, 60_000, 1000, 1];

/** The first numbers that are times since 1970, in seconds and in milliseconds. */
const [FIRST_TIME_S, FIRST_TIME_MS] = [1e9, 1e12];

/**
 * Returns the wait in a `Retry-After` header, in milliseconds, of whole seconds: seconds, or a date (RFC 9110, section
 * 10.2.3), or what else services write, such as "1.5", "2 seconds", "1m30s", "2, 2" or a Unix time. Anything else does not
 * count, nor does 0 or a past date.
 */
function findRetryAfter(value: unknown): number | undefined {
	const text = trimmed(asText(asList(value)?.[0] ?? value)).replace(/^"(.*)"$/, '$1');
	const wait = readSeconds(text) ?? readDuration(text) ?? readDate(text) - Date.now();
	return wait > 0 ? Math.ceil(wait / 1000) * 1000 : undefined;
}

function readSeconds(text: string): number | undefined {
	const [, digits] = /^\+?(\d+(?:\.\d*)?)(?:[,;].*)?$/.exec(text) ?? [];
	if (digits === undefined) return undefined;
	const number = Number(digits);
	if (number < FIRST_TIME_S) return number * 1000;
	return (number < FIRST_TIME_MS ? number * 1000 : number) - Date.now();
}

function readDuration(text: string): number | undefined {
	const parts = text === '' ? undefined : DURATION.exec(text)?.slice(1);
	return parts?.reduce((sum, digits, index) => sum + Number(digits || 0) * (UNITS_MS[index] ?? 0), 0);
}

/** Reads a date, which is in UTC unless it says otherwise. Date.parse also accepts texts such as "-5". */
function readDate(text: string): number {
	if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|\d{4}-|\d{1,2} [A-Z][a-z]{2} \d{4} )/.test(text)) return Number.NaN;
	const hasTimeZone = /[A-Z]$|[+-]\d{2}:?\d{2}$/i.test(text);
	return Date.parse(hasTimeZone ? text : `${text}Z`);
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
