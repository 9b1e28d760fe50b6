/**
 * Parses an address. Not `URL.canParse`: after some thousand calls, that of Node.js 20 and 22 takes every
 * address with letters such as "ü" for none.
 *
 * @param base the address that a relative one starts from
 * @returns undefined if the text is no address
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
