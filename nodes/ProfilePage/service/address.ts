import { checkVisible, type Failure, invalid } from '../shared/failure';
import { INVISIBLE, parseUrl, quotable, trimmed } from '../shared/values';

/** The hosts of this machine (RFC 8252, sections 7.3 and 8.3). */
const LOOPBACK = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;
const LOOPBACK_HOST = new RegExp(`^${LOOPBACK}$`);

/**
 * Returns a Base URL without a slash at its end. Secrets and tokens are sent there, so it must be `https:`; only a service
 * on this machine may use `http:` (RFC 6749, section 3.2). It may have a path.
 *
 * @throws Failure, which never repeats the Base URL, as that may contain a password
 */
export function readBaseUrl(baseUrl: unknown): string {
	const text = trimmed(typeof baseUrl === 'string' ? baseUrl : '');
	checkVisible(text, 'Base URL', 'the address');
	if (text === '') throw invalidBaseUrl('the value is empty', 'Enter the address of the service in the credential.');
	const url = parseUrl(text);
	if (!url) throw invalidBaseUrl('the value is not a web address', 'Enter the full address, starting with https://.');
	// The parser does not tell an empty query from none.
	if (/[?#]/.test(text))
		throw invalidBaseUrl('the address contains "?" or "#"', 'Remove everything from the ? or # on.');
	const isLoopback = url.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname);
	if (url.protocol !== 'https:' && !isLoopback) {
		const advice =
			'Use https://, so that secrets and tokens are sent encrypted. Only a service on this machine (localhost) may use http://.';
		throw invalidBaseUrl('the address does not start with https://', advice);
	}
	if (url.username || url.password) {
		throw invalidBaseUrl('the address contains a user name or password', 'Enter them as Client ID and Client Secret.');
	}
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

function invalidBaseUrl(problem: string, advice: string): Failure {
	return invalid('Base URL', problem, advice);
}

/**
 * The same rules as a pattern, for where {@link readBaseUrl} cannot be called. It rejects paths with dot segments, which
 * only a parser resolves correctly.
 */
export const VALID_BASE_URL = new RegExp(
	String.raw`^(?:https:\/\/[^\s${INVISIBLE}\/?#@\\]+|http:\/\/${LOOPBACK}(?::\d+)?)(?:\/(?!\.|%2e)[^\s${INVISIBLE}\/?#\\]*)*$`,
	'iu',
);

/** Returns the path of a Base URL without a slash at its end; empty if that is a host alone. */
export function basePathOf(baseUrl: string): string {
	return baseUrl.slice(new URL(baseUrl).origin.length);
}

/** Whether a URL is the Base URL or below it. `baseUrl` has no slash at its end. */
export function isWithin(baseUrl: string, { origin, pathname }: URL): boolean {
	const base = new URL(`${baseUrl}/`);
	return origin === base.origin && `${pathname}/`.startsWith(base.pathname);
}

export const PATH_ADVICE = 'Enter the part after the Base URL, such as /oauth/v1/me.';

/** Why a path could lead to another host or out of the Base URL, or is none. What is not a path or its query comes first. */
const PROBLEMS: ReadonlyArray<readonly [pattern: RegExp, problem: string, advice?: string]> = [
	[
		/^(?:DELETE|GET|PATCH|POST|PUT)\s/i,
		'the path starts with a method',
		'Choose it in Method, and enter only the path, such as /oauth/v1/me.',
	],
	[/\p{Cc}|^[^?]*%(?:[01][\da-f]|7f)/iu, 'the path contains a control character'],
	[/^(?:\/\/|\/?%2f|[a-z][a-z\d+.-]*:)/i, 'the path starts with the address of a host'],
	[/^[^?]*(?:\\|%5c)/i, 'the path contains a backslash'],
	[/#/, 'the path contains "#"'],
	[/^(?:[^?]*(?:\/|%2f))?(?:\.|%2e){1,2}(?:[/?]|%2f| *$)/i, 'the path contains "." or ".."'],
];

/**
 * Reads the path of a request, which gets the access token: it leads neither to another host nor out of the Base URL.
 *
 * @param entered a path with or without its leading slash, or a full address that starts with the Base URL
 * @param displayName of the field, as the editor shows it
 * @param baseUrl without a slash at its end
 * @returns the path with its leading slash, and the query without the question mark, both percent-encoded
 * @throws Failure if it could leave the service
 */
export function readPath(entered: string, displayName: string, baseUrl: string): Pick<URL, 'pathname' | 'search'> {
	const text = /^https?:\/\//i.test(entered) ? pathAfter(baseUrl, entered, displayName) : entered;
	checkVisible(text, displayName, 'the path');
	const found = PROBLEMS.find(([pattern]) => pattern.test(text));
	if (found) {
		const [, problem, advice = PATH_ADVICE] = found;
		throw invalid(displayName, problem, advice);
	}
	const { pathname, search } = new URL(`https://host${text.startsWith('/') ? text : `/${text}`}`);
	return { pathname, search: search.slice(1) };
}

function pathAfter(baseUrl: string, address: string, displayName: string): string {
	const [, start = '', rest = ''] = /^(https?:\/\/[^/?#\\@]*)(.*)/is.exec(address) ?? [];
	const { origin } = new URL(baseUrl);
	const basePath = basePathOf(baseUrl);
	const path = rest.slice(basePath.length);
	const isSame = parseUrl(start)?.origin === origin && rest.startsWith(basePath);
	if (isSame && /^(?:[/?]|$)/.test(path)) return path.startsWith('/') ? path : `/${path}`;
	const problem = `the address does not start with the Base URL of the credential, ${quotable(baseUrl)}`;
	throw invalid(displayName, problem, PATH_ADVICE);
}
