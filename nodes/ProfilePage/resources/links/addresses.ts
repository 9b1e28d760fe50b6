import { decodeEntities, parseUrl, trimmed } from '../../shared/values';

/** Characters that may separate parts of an address: `a%2Fb` is one part of a path, `a/b` are two. */
const DELIMITERS = '%#&+,/:;=?';

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, needless percent-encoding, and entities of HTML make no difference.
 */
export function normalizeAddress(address: string): string {
	const text = decodeEntities(trimmed(address));
	return (parseUrl(text)?.href ?? text).replace(/%[\da-f]{2}/gi, (escape) => {
		const character = String.fromCharCode(Number(`0x${escape.slice(1)}`));
		const isNeedless = /[!-~]/.test(character) && !DELIMITERS.includes(character);
		return isNeedless ? character : escape.toUpperCase();
	});
}
