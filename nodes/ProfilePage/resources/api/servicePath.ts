import { readText, shorten } from '../../fields/readers';
import { invalid } from '../../service/failure';
import { parseUrl } from '../../shared/values';

/** Longer paths take long to decode. Queries may be longer. */
const MAX_LENGTH = 2000;

const ADVICE = 'Enter the part after the Base URL, such as /oauth/v1/me.';

/** As the documentation of a service shows it. */
const METHOD = /^(?:DELETE|GET|PATCH|POST|PUT)\s/i;

const CHOOSE_METHOD = 'Choose it in Method, and enter only the path, such as /oauth/v1/me.';

/** A segment that changes the directory, also before what some servers remove. */
const DOT_SEGMENT = /^\s*\.\.?\s*(?:[;?#]|$)/;

/** Whether the full address of an endpoint was entered. */
export function isAddress(value: unknown): value is string {
	return typeof value === 'string' && /^\s*https?:\/\//i.test(value);
}

/**
 * Reads the path of a request, which gets the access token. It can lead neither to another host nor out of the Base
 * URL, however often a server decodes it.
 *
 * @param baseUrl without a slash at its end, if a full address may start with it
 * @returns the path with its leading slash, and the query without the question mark, both percent-encoded
 * @throws Failed if it is empty, or could leave the service
 */
export function readServicePath(value: unknown, field: string, baseUrl?: string): Pick<URL, 'pathname' | 'search'> {
	const isWithin = isAddress(value) && baseUrl !== undefined;
	const entered = readText(isWithin ? removeAddress(value, field, baseUrl) : value, field, ADVICE);
	const isRooted = entered.startsWith('/');
	const text = isRooted ? entered : `/${entered}`;
	const problem = findProblem(text, isRooted);
	if (problem) throw invalid(field, problem, METHOD.test(entered) ? CHOOSE_METHOD : ADVICE);
	const { pathname, search } = new URL(`https://host${text}`);
	return { pathname, search: search.slice(1) };
}

/** Returns the part of an address after that of the service. */
function removeAddress(address: string, field: string, baseUrl: string): string {
	const [, entered = '', rest = ''] = /^\s*(https?:\/\/[^/?#\\@]*)(.*)/is.exec(address) ?? [];
	const { origin, pathname } = new URL(baseUrl);
	const basePath = pathname === '/' ? '' : pathname;
	const path = rest.slice(basePath.length);
	const isSame = parseUrl(entered)?.origin === origin && rest.startsWith(basePath);
	if (isSame && /^(?:[/?]|\s*$)/.test(path)) return `/${path.replace(/^\//, '')}`;
	const problem = `the address does not start with the Base URL of the credential, ${shorten(baseUrl)}`;
	throw invalid(field, problem, ADVICE);
}

const IS_ADDRESS = 'the path starts with the address of a host';

/** @param isRooted whether the first slash was entered: only without it, what follows may be a scheme */
function findProblem(text: string, isRooted: boolean): string | undefined {
	const [path = ''] = text.split('?', 1);
	if (path.length > MAX_LENGTH) return `the path is longer than ${MAX_LENGTH} characters`;
	const decoded = readLeniently(path);
	const problems: Array<[isFound: boolean, problem: string]> = [
		[METHOD.test(text.slice(1)), 'the path starts with a method'],
		[hasControl(text + decoded), 'the path contains a control character'],
		[decoded.startsWith('//'), IS_ADDRESS],
		[decoded.includes('\\'), 'the path contains a backslash'],
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

/** Returns a path as the most lenient server reads it: also with overlong characters, and those that NFKC makes ASCII. */
function readLeniently(path: string): string {
	const bytes = decodeFully(Buffer.from(path).toString('latin1'));
	const ascii = bytes.replace(OVERLONG, (character) => {
		const [high = 0, low = 0] = Buffer.from(character.slice(-2), 'latin1');
		return String.fromCharCode(((high & 1) << 6) | (low & 0x3f));
	});
	const read = Buffer.from(ascii, 'latin1').toString().normalize('NFKC');
	return read === path ? path : readLeniently(read);
}

/** Percent-decodes until nothing changes. Byte by byte, which finds all ASCII characters and never fails. */
export function decodeFully(text: string): string {
	const decoded = text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return decoded === text ? text : decodeFully(decoded);
}
