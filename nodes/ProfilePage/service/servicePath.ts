import { parseUrl } from '../shared/values';

/** Longer paths take long to decode. Queries may be longer. */
const MAX_LENGTH = 2000;

/** How often a path may be encoded, as each time takes a while to decode. */
const MAX_ENCODINGS = 5;

/** As the documentation of a service shows it. */
export const METHOD = /^(?:DELETE|GET|PATCH|POST|PUT)\s/i;

/** A segment that changes the directory, also before what some servers remove. */
const DOT_SEGMENT = /^\s*\.\.?\s*(?:[;?#]|$)/;

/**
 * Whether an address is that of the Base URL or below it, however often a server decodes its path.
 *
 * @param baseUrl without a slash at its end
 */
export function isWithin(baseUrl: string, { origin, pathname, search }: URL): boolean {
	const path = pathAfter(baseUrl, `${origin}${pathname}${search}`);
	// No path leaves a whole host.
	const isWholeHost = parseUrl(baseUrl)?.pathname === '/';
	return path !== undefined && (isWholeHost || findProblem(path, true) === undefined);
}

/** Returns the path and query of an address after the Base URL; undefined if it does not start with it. */
export function pathAfter(baseUrl: string, address: string): string | undefined {
	const [, start = '', rest = ''] = /^\s*(https?:\/\/[^/?#\\@]*)(.*)/is.exec(address) ?? [];
	const { origin, pathname } = new URL(baseUrl);
	const basePath = pathname === '/' ? '' : pathname;
	const path = rest.slice(basePath.length);
	const isSame = parseUrl(start)?.origin === origin && rest.startsWith(basePath);
	return isSame && /^(?:[/?]|\s*$)/.test(path) ? `/${path.replace(/^\//, '')}` : undefined;
}

const IS_ADDRESS = 'the path starts with the address of a host';

/**
 * Returns why a path could lead to another host, or out of the Base URL; undefined if it cannot.
 *
 * @param isRooted whether the first slash was entered: only without it, what follows may be a scheme
 */
export function findProblem(text: string, isRooted: boolean): string | undefined {
	const [path = ''] = text.split('?', 1);
	if (path.length > MAX_LENGTH) return `the path is longer than ${MAX_LENGTH} characters`;
	const decoded = readLeniently(path);
	if (decoded === undefined) return 'the path is percent-encoded too often';
	const problems: Array<[isFound: boolean, problem: string]> = [
		[METHOD.test(text.slice(1)), 'the path starts with a method'],
		[hasControl(text + decoded), 'the path contains a control character'],
		[decoded.startsWith('//'), IS_ADDRESS],
		[decoded.includes('\\'), 'the path contains a backslash'],
		// Some servers read it as a character, such as a dot.
		[/%u[\da-f]{4}/i.test(decoded), 'the path contains "%u"'],
		[text.includes('#'), 'the path contains "#"'],
		[decoded.split('/').some((part) => DOT_SEGMENT.test(part)), 'the path contains "." or ".."'],
		[!isRooted && /^\/[a-z][a-z\d+.-]*:/i.test(decoded), IS_ADDRESS],
	];
	return problems.find(([isFound]) => isFound)?.[1];
}

/** Bytes above 0x7F are part of other characters, so only ASCII is checked. */
function hasControl(text: string): boolean {
	return Array.from(text).some((character) => character < ' ' || character === '\x7F');
}

/** ASCII characters in more bytes than UTF-8 allows, which some servers accept (RFC 3629, section 10). */
const OVERLONG = /(?:[\xC0\xC1]|\xE0[\x80\x81]|\xF0\x80[\x80\x81])[\x80-\xBF]/g;

/**
 * Returns a path as the most lenient server reads it: also with overlong characters, and those that NFKC makes ASCII.
 * Returns undefined if it is encoded too often, or becomes too long by that.
 */
function readLeniently(path: string): string | undefined {
	let read = path;
	for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings += 1) {
		const before = read;
		const bytes = percentDecode(Buffer.from(read).toString('latin1'));
		const ascii = bytes.replace(OVERLONG, (character) => {
			const [high = 0, low = 0] = Buffer.from(character.slice(-2), 'latin1');
			return String.fromCharCode(((high & 1) << 6) | (low & 0x3f));
		});
		read = Buffer.from(ascii, 'latin1').toString().normalize('NFKC');
		if (read === before) return read;
		if (read.length > MAX_LENGTH) return undefined;
	}
	return undefined;
}

/** Percent-decodes a path until nothing changes, as far as one may be encoded. */
export function decodeFully(path: string): string {
	let decoded = path;
	for (let encodings = 0; encodings < MAX_ENCODINGS; encodings += 1) decoded = percentDecode(decoded);
	return decoded;
}

/** Byte by byte, which finds all ASCII characters and never fails. */
function percentDecode(text: string): string {
	return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
