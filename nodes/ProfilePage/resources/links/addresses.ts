import { decodeEntities, decodePercent, parseUrl, trimmed } from '../../shared/values';

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, percent-encoding, and entities of HTML make no difference.
 */
export function normalizeAddress(address: string): string {
	const text = decodeEntities(trimmed(address));
	return decodePercent(parseUrl(text)?.href ?? text);
}
