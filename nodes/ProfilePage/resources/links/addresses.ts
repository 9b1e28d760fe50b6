import { parseUrl, trimmed, withoutEntities } from '../../shared/values';

/** Longer addresses take long to parse, and are compared as they are. */
const MAX_LENGTH = 2000;

/** What a parser rejects takes it long, so a text without a scheme is not parsed. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Returns an address as services accept it that check it with PHP. One in ASCII is unchanged. */
export function toAscii(address: string): string {
	return /[^!-~]/.test(address) ? (parseUrl(address)?.href ?? address) : address;
}

/** An address as it is compared: each is the same text for equivalent addresses. */
export interface Address {
	readonly exact: string;
	/** With Match URLs Loosely. */
	readonly loose: string;
}

export function toAddress(text: string): Address {
	const exact = normalizeAddress(text);
	return { exact, loose: normalizeLoosely(exact) };
}

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, the percent-encoding of letters, digits, and characters that only some encode, as those of
 * "Song_(album)", and entities of HTML make no difference.
 */
function normalizeAddress(address: string): string {
	if (address.length > MAX_LENGTH) return address;
	const text = withoutEntities(trimmed(address));
	const href = parse(text)?.href ?? text;
	return href.replace(/%[\da-f]{2}/gi, (encoded) => {
		const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
		return /[\w.~!'()*-]/.test(character) ? character : encoded.toUpperCase();
	});
}

/** Parameters that say where a visitor comes from or who shared a link, and never what it shows. */
const TRACKING =
	/^(?:utm_[^=]*|fbclid|gclid|gbraid|wbraid|dclid|msclkid|twclid|ttclid|yclid|igsh|igshid|mc_cid|mc_eid|mibextid|ref_src|_hsenc|_hsmi)(?:=|$)/i;

/** On some hosts, there is one more. */
const SHARED = /^si(?:=|$)/;
const SHARED_ON = /(?:^|\.)(?:youtube\.com|youtu\.be|spotify\.com|soundcloud\.com)$/;

/**
 * Returns the same text for addresses that differ only by http and https, a slash at the end of the path, the fragment, or
 * tracking parameters.
 *
 * @param normalized by {@link normalizeAddress}
 */
function normalizeLoosely(normalized: string): string {
	const url = parse(normalized);
	if (!url) return normalized;
	const isShared = SHARED_ON.test(url.hostname);
	const isKept = (parameter: string) => !TRACKING.test(parameter) && !(isShared && SHARED.test(parameter));
	url.search = url.search.slice(1).split('&').filter(isKept).join('&');
	url.pathname = url.pathname.replace(/\/$/, '');
	url.hash = '';
	return url.href.replace(/^http:/, 'https:');
}

function parse(address: string): URL | undefined {
	return address.length <= MAX_LENGTH && HAS_SCHEME.test(address) ? parseUrl(address) : undefined;
}
