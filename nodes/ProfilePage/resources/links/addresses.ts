import { parseUrl } from '../../shared/values';

/** Longer addresses take long to parse, and are compared as they are. */
const MAX_LENGTH = 2000;

/** What a parser rejects takes it long, so a text without a scheme is not parsed. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, and the percent-encoding of letters, digits, "-", ".", "_" and "~" make no difference.
 */
export function normalizeAddress(address: string): string {
	if (address.length > MAX_LENGTH) return address;
	const href = parse(address.trim())?.href ?? address;
	return href.replace(/%[\da-f]{2}/gi, (encoded) => {
		const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
	});
}

/** Parameters that say where a visitor comes from. */
const TRACKING = /^(?:utm_[^=]*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid)(?:=|$)/i;

/**
 * Returns the same text for addresses that differ only by a slash at the end of the path, the fragment, or tracking
 * parameters.
 *
 * @param normalized by {@link normalizeAddress}
 */
export function normalizeLoosely(normalized: string): string {
	const url = parse(normalized);
	if (!url) return normalized;
	const parameters = url.search.slice(1).split('&');
	url.search = parameters.filter((parameter) => !TRACKING.test(parameter)).join('&');
	url.pathname = url.pathname.replace(/\/$/, '');
	url.hash = '';
	return url.href;
}

function parse(address: string): URL | undefined {
	return address.length <= MAX_LENGTH && HAS_SCHEME.test(address) ? parseUrl(address) : undefined;
}
