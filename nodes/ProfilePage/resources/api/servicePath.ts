import { readText, shorten } from '../../fields/readers';
import { invalid } from '../../service/failure';
import { findProblem, METHOD, pathAfter } from '../../service/servicePath';

const ADVICE = 'Enter the part after the Base URL, such as /oauth/v1/me.';

const CHOOSE_METHOD = 'Choose it in Method, and enter only the path, such as /oauth/v1/me.';

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

/** Returns the part of an address after the Base URL. */
function removeAddress(address: string, field: string, baseUrl: string): string {
	const path = pathAfter(baseUrl, address);
	if (path !== undefined) return path;
	const problem = `the address does not start with the Base URL of the credential, ${shorten(baseUrl)}`;
	throw invalid(field, problem, ADVICE);
}
