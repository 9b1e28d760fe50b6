import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../service/request';
import { NOT_FOUND } from '../service/status';
import { asObjects } from '../shared/values';

const [problem, advice = ''] = NOT_FOUND;

const statuses = {
	404: [
		problem,
		`${advice} If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.`,
	],
} as const;

/**
 * Returns a request to a path that is not in the contract, but known from Lnk.Bio (docs/api.md, section 4). It is a POST
 * if it has a form.
 */
export function lnkBioRequest(request: Omit<ServiceRequest, 'method' | 'statuses'>): ServiceRequest {
	return { method: request.form ? 'POST' : 'GET', statuses, ...request };
}

/** How many entries of a list are read: many times what the service lists. More would block n8n. */
const MAX_READ = 5000;

/** Returns the first objects of a list; undefined if it is no list of objects. */
export function firstObjects(value: unknown): IDataObject[] | undefined {
	return asObjects(value)?.slice(0, MAX_READ);
}
