import { readText } from '../../fields/readers';
import { ValidationError } from '../../shared/errors';

/** More than servers accept. */
const MAX_LENGTH = 8000;

const ADVICE = 'Enter the part after the Base URL, such as /oauth/v1/me.';

/** A segment that changes the directory, also with a parameter of its own, which some servers remove. */
const DOT_SEGMENT = /^\s*\.\.?\s*(?:;|$)/;

/** A path of the service, and its query. */
export interface ServicePath {
	readonly pathname: string;
	/** Without the question mark. */
	readonly search: string;
}

/**
 * Reads the path of a request, which gets the access token. It can lead neither to another host nor out of the Base
 * URL, however often a server decodes it.
 *
 * @returns the path with its leading slash and the query, both percent-encoded
 * @throws ValidationError if it is empty, or could leave the service
 */
export function readServicePath(value: unknown, field: string): ServicePath {
	const text = readText(value, field, ADVICE);
	const [path = ''] = text.split('?', 1);
	const problem = findProblem(text, path);
	if (problem) throw new ValidationError(field, problem, ADVICE);
	const { pathname, search } = new URL(`https://host${text.startsWith('/') ? '' : '/'}${text}`);
	return { pathname, search: search.slice(1) };
}

function findProblem(text: string, path: string): string | undefined {
	if (text.length > MAX_LENGTH) return `the path is longer than ${MAX_LENGTH} characters`;
	const decoded = decodeFully(path);
	const problems: Array<[isFound: boolean, problem: string]> = [
		[/[\p{Cc}]/u.test(text + decoded), 'the path contains a control character'],
		[/^[a-z][a-z\d+.-]*:|^\/\//i.test(decoded), 'the path starts with the address of a host'],
		[decoded.includes('\\'), 'the path contains a backslash'],
		[text.includes('#'), 'the path contains "#"'],
		[decoded.split('/').some((part) => DOT_SEGMENT.test(part)), 'the path contains "." or ".."'],
	];
	return problems.find(([isFound]) => isFound)?.[1];
}

/** Decodes until nothing changes. Byte by byte, which finds all ASCII characters and never fails. */
function decodeFully(text: string): string {
	let decoded = text;
	let previous: string;
	do {
		previous = decoded;
		decoded = previous.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(Number.parseInt(hex, 16)),
		);
	} while (decoded !== previous);
	return decoded;
}
