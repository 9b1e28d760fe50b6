import { readId } from '../fields/readers';
import type { ServiceRequest } from '../service/request';
import { invalid } from '../shared/failure';
import { asText, isId, quotable } from '../shared/values';

const ifNotFound =
	'Check the Base URL in the credential. If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.';

/**
 * Returns a request to a path that is not in the contract, but known from Lnk.Bio (docs/api.md, section 4). It is a POST
 * if it has a form.
 */
export function lnkBioRequest<T>(request: Omit<ServiceRequest<T>, 'method' | 'ifNotFound'>): ServiceRequest<T> {
	return { method: request.form ? 'POST' : 'GET', ifNotFound, ...request };
}

/** IDs are numbers. Those of other services may have letters, but a text without a digit is a name. */
const ID = /^(?=\D*\d)[\w.-]+$/;

/** Reads the ID of a link or a group. Throws Failure if it cannot be one: the service confirms that it deleted anything. */
export function readLnkBioId(value: unknown, displayName: string, advice: string): string {
	const id = readId(value, displayName, advice);
	if (ID.test(id) && isId(id)) return id;
	throw invalid(displayName, `the value is not an ID: "${quotable(id)}"`, advice);
}

/** Returns an ID as the service lists it: a number, if all its digits fit in one. */
export function toId<T>(id: T): T | number {
	return /^[1-9]\d{0,14}$/.test(asText(id)) ? Number(id) : id;
}
