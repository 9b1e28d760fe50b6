import { parseUrl } from '../../shared/values';

/** Longer addresses take long to parse, and are compared as they are. */
const MAX_LENGTH = 8000;

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, and the percent-encoding of letters, digits, "-", ".", "_" and "~" make no difference.
 */
export function normalizeAddress(address: string): string {
	if (address.length > MAX_LENGTH) return address;
	const href = parseUrl(address.trim())?.href ?? address;
	return href.replace(/%[\da-f]{2}/gi, (encoded) => {
		const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
	});
}

/** Parameters that say where a visitor comes from. */
const TRACKING = /^(?:utm_[^=]*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid)(?:=|$)/i;

/** The same, but a slash at the end of the path, the fragment, and tracking parameters make no difference either. */
export function normalizeLoosely(address: string): string {
	const normalized = normalizeAddress(address);
	const url = normalized.length > MAX_LENGTH ? undefined : parseUrl(normalized);
	if (!url) return normalized;
	const parameters = url.search.slice(1).split('&');
	url.search = parameters.filter((parameter) => !TRACKING.test(parameter)).join('&');
	url.pathname = url.pathname.replace(/\/$/, '');
	url.hash = '';
	return url.href;
}
