import type { ServiceRequest } from '../service/request';

const ifNotFound =
	'Check the Base URL in the credential. If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.';

/**
 * Returns a request to a path that is not in the contract, but known from Lnk.Bio (docs/api.md, section 4). It is a POST
 * if it has a form.
 */
export function lnkBioRequest<T>(request: Omit<ServiceRequest<T>, 'method' | 'ifNotFound'>): ServiceRequest<T> {
	return { method: request.form ? 'POST' : 'GET', ifNotFound, ...request };
}
