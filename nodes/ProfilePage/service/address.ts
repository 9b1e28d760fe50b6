import { checkVisible, invalid } from '../shared/failure';
import { asText, decodePercent, INVISIBLE, parseUrl, quotable, trimmed } from '../shared/values';

/** The hosts of this machine (RFC 8252, sections 7.3 and 8.3). */
const LOOPBACK = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;

/**
 * Secrets and tokens are sent to the Base URL, so it must be `https:`; only a service on this machine may use `http:` (RFC
 * 6749, section 3.2). It may have a path, without dot segments: only a parser resolves these correctly, and n8n has none in
 * the expressions of the credential.
 */
export const VALID_BASE_URL = new RegExp(
	String.raw`^(?:https:\/\/[^\s${INVISIBLE}\/?#@\\]+|http:\/\/${LOOPBACK}(?::\d+)?)(?:\/(?!\.|%2e)[^\s${INVISIBLE}\/?#\\]*)*$`,
	'iu',
);

const BASE_URL_ADVICE =
	'Enter the address of the service, such as https://lnk.bio, without user name, password, ? and #. Only a service on this machine (localhost) may use http://.';

/**
 * Returns a Base URL without a slash at its end.
 *
 * @throws Failure, which never repeats the Base URL, as that may contain a password
 */
export function readBaseUrl(baseUrl: unknown): string {
	const text = trimmed(asText(baseUrl));
	checkVisible(text, 'Base URL', 'the address');
	const url = VALID_BASE_URL.test(text) ? parseUrl(text) : undefined;
	if (!url) throw invalid('Base URL', 'the value is not a web address that starts with https://', BASE_URL_ADVICE);
	if (/\/oauth(?:\/|$)/i.test(url.pathname)) {
		throw invalid('Base URL', 'the address contains the path of an endpoint', 'Remove /oauth, and what follows it.');
	}
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** Whether a URL is the Base URL or below it. `baseUrl` has no slash at its end. */
export function isWithin(baseUrl: string, { origin, pathname }: URL): boolean {
	const base = new URL(`${baseUrl}/`);
	// A server may decode a path before it resolves "..", and merge slashes.
	const leadsUp = /[/\\]\s*(?:(?:\.|%2e)\s*){2}(?:[/\\]|$)/i.test(decodePercent(pathname));
	return origin === base.origin && `${pathname}/`.startsWith(base.pathname) && !leadsUp;
}

export const PATH_ADVICE = 'Enter the part after the Base URL, such as /oauth/v1/me.';

/**
 * Reads the path of a request, which gets the access token, so it must not lead out of the Base URL.
 *
 * @param entered a path with or without its leading slash, or a full address that starts with the Base URL
 * @param displayName of the field, as the editor shows it
 * @param baseUrl without a slash at its end
 * @returns the path with its leading slash, and the query without the question mark, both percent-encoded
 * @throws Failure if it leads to another address, or has a fragment
 */
export function readPath(entered: string, displayName: string, baseUrl: string): Pick<URL, 'pathname' | 'search'> {
	checkVisible(entered, displayName, 'the path');
	// The URL parser drops line breaks and tabs: "1\n2" would be sent as "12".
	if (/\p{Cc}/u.test(entered))
		throw invalid(displayName, 'the path contains a line break, or another control character', PATH_ADVICE);
	const isAddress = /^https?:\/\//i.test(entered);
	const address = isAddress ? entered : `${baseUrl}/${entered.replace(/^\//, '')}`;
	const url = parseUrl(address);
	if (!url || !isWithin(baseUrl, url)) {
		const problem = `the request would not go to the Base URL of the credential, ${quotable(baseUrl)}`;
		throw invalid(displayName, problem, PATH_ADVICE);
	}
	if (url.hash !== '') throw invalid(displayName, 'the path contains "#"', PATH_ADVICE);
	const pathname = url.pathname.slice(new URL(`${baseUrl}/`).pathname.length - 1) || '/';
	return { pathname, search: url.search.slice(1) };
}
