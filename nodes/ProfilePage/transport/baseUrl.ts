import { FieldError } from '../errors';
import { parseUrl } from '../parseUrl';

const FIELD = 'Base URL';

/** Hosts that a request never leaves this machine for (RFC 8252, sections 7.3 and 8.3). */
const LOOPBACK = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;
const LOOPBACK_HOST = new RegExp(`^${LOOPBACK}$`);

/**
 * The address of one of the service's paths, from the Base URL that a credential holds.
 *
 * The secret and the tokens travel to this address, so it must be `https:`; `http:` is accepted on
 * loopback only (RFC 6749, section 3.2; RFC 8252, section 8.3).
 *
 * @param baseUrl the credential's Base URL, with or without trailing slashes or a path prefix
 * @param path the path as the service's contract gives it, with its leading slash
 * @returns the absolute address
 * @throws FieldError if the Base URL is not one that may be used. Its text is not repeated in the
 *   message: it may hold a password.
 */
export function serviceUrl(baseUrl: unknown, path: string): string {
	const url = parse(baseUrl);
	if (
		url.protocol !== 'https:' &&
		!(url.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname))
	) {
		throw new FieldError(
			FIELD,
			'it must start with https://, so that the secret and the tokens travel encrypted. Only a service on this machine (localhost) may use http://.',
		);
	}
	if (url.username || url.password) {
		throw new FieldError(
			FIELD,
			'it must not hold a user name or password. Enter them as Client ID and Client Secret.',
		);
	}
	return `${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`;
}

function parse(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (!text) {
		throw new FieldError(FIELD, 'it is empty. Enter the address of the service in the credential.');
	}
	const url = parseUrl(text);
	if (!url) {
		throw new FieldError(
			FIELD,
			'it is not a web address. Enter the whole address of the service, beginning with https://.',
		);
	}
	// Searched for in the text: the parser does not tell "no query" from an empty one.
	if (/[?#]/.test(text)) {
		throw new FieldError(
			FIELD,
			'it must not hold a "?" or "#" part. Enter the address of the service alone.',
		);
	}
	return url;
}

/**
 * The same rules as a pattern, for where n8n evaluates an expression and runs no code of ours. It takes
 * no path with dots to resolve, which only a parser does right.
 */
const USABLE_BASE_URL = new RegExp(
	String.raw`^(?:https:\/\/[^\s\/?#@\\]+|http:\/\/${LOOPBACK}(?::\d+)?)(?:\/(?!\.|%2e)[^\s\/?#\\]*)*$`,
	'i',
);

/**
 * What stands in place of an address that must not be used. n8n refuses the unknown scheme before it
 * sends anything, and names it in its message.
 */
const REFUSED = 'The-Base-URL-must-begin-with-https-and-hold-no-user-name-or-query:';

/**
 * The same as {@link serviceUrl} for a field of a credential whose requests n8n makes: an expression
 * that n8n resolves to the address, or to an address of no known scheme if the Base URL is not one
 * that may be used.
 *
 * @param path the path as the service's contract gives it, with its leading slash
 */
export function serviceUrlExpression(path: string): string {
	const baseUrl = '$self["baseUrl"].trim()';
	return `={{ ${USABLE_BASE_URL}.test(${baseUrl}) ? ${baseUrl}.replace(/\\/+$/, "") + "${path}" : "${REFUSED}" }}`;
}
