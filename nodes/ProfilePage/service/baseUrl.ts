import { parseUrl } from '../shared/values';
import { type Failed, invalid } from './failure';

/** The hosts of this machine (RFC 8252, sections 7.3 and 8.3). */
const LOOPBACK = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;
const LOOPBACK_HOST = new RegExp(`^${LOOPBACK}$`);

/**
 * Returns the URL of a path of the service. Secrets and tokens are sent there, so it must be `https:`; only a service
 * on this machine may use `http:` (RFC 6749, section 3.2). The Base URL may have a path of its own.
 *
 * @throws Failed, which never repeats the Base URL, as that may contain a password
 */
export function serviceUrl(baseUrl: unknown, path: string): string {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
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
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
}

function invalidBaseUrl(problem: string, advice: string): Failed {
	return invalid('Base URL', problem, advice);
}

/**
 * The same rules as a pattern, for where {@link serviceUrl} cannot be called. It rejects paths with dot segments, which
 * only a parser resolves correctly.
 */
export const VALID_BASE_URL = new RegExp(
	String.raw`^(?:https:\/\/[^\s\/?#@\\]+|http:\/\/${LOOPBACK}(?::\d+)?)(?:\/(?!\.|%2e)[^\s\/?#\\]*)*$`,
	'i',
);
