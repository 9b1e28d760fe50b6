import { parseUrl } from '../shared/values';

/** NFKC takes long for long texts. Queries may be longer. */
const MAX_LENGTH = 2000;

/** As the documentation of a service shows it. */
export const METHOD = /^(?:DELETE|GET|PATCH|POST|PUT)\s/i;

/** The segment "." or "..", also with what some servers remove from it: whitespace, and all that follows ";". */
const DOT_SEGMENT = /^\s*\.\.?\s*(?:[;?#]|$)/;

/**
 * Whether an address is that of the Base URL or below it, as any server reads it.
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

/** Some servers decode it again, or read "%u002e" as a dot. */
const ENCODED = /%(?:[\da-f]{2}|u[\da-f]{4})/i;

/**
 * Returns why a path could lead to another host, or out of the Base URL; undefined if it cannot.
 *
 * @param isRooted whether the first slash was entered: only without it, what follows may be a method or a scheme
 */
export function findProblem(text: string, isRooted: boolean): string | undefined {
	const [path = ''] = text.split('?', 1);
	if (path.length > MAX_LENGTH) return `the path is longer than ${MAX_LENGTH} characters`;
	const decoded = decode(path);
	const problems: Array<[isFound: boolean, problem: string]> = [
		[!isRooted && METHOD.test(text.slice(1)), 'the path starts with a method'],
		[decoded === '', 'the path contains a "%" that encodes no character: as text, write it as "%25"'],
		[ENCODED.test(decoded), 'the path is percent-encoded twice'],
		[hasControl(text + decoded), 'the path contains a control character'],
		[decoded.startsWith('//'), IS_ADDRESS],
		[decoded.includes('\\'), 'the path contains a backslash'],
		[text.includes('#'), 'the path contains "#"'],
		[decoded.split('/').some((part) => DOT_SEGMENT.test(part)), 'the path contains "." or ".."'],
		[!isRooted && /^\/[a-z][a-z\d+.-]*:/i.test(decoded), IS_ADDRESS],
	];
	return problems.find(([isFound]) => isFound)?.[1];
}

/**
 * Returns a path decoded, with the ASCII characters that some servers read for others, such as "." for "．"; an empty
 * text if it is not percent-encoded UTF-8.
 */
function decode(path: string): string {
	try {
		return decodeURIComponent(path).normalize('NFKC');
	} catch {
		return '';
	}
}

function hasControl(text: string): boolean {
	return Array.from(text).some((character) => character < ' ' || character === '\x7F');
}
