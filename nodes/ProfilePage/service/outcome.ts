import type { IDataObject } from 'n8n-workflow';

import { hasContent } from '../shared/values';
import type { Outcome } from './failure';
import { isChange, type ServiceRequest } from './request';

/** Reads what a 2xx response says became of its request. */
export function readOutcome(envelope: IDataObject, request: ServiceRequest): Outcome {
	const { status, success } = envelope;
	if (isFailedStatus(status)) return 'not applied';
	// `status` of a documented response decides alone.
	const isDecided = 'status' in envelope && !request.isUndocumented;
	if (isDecided) return status === true ? 'done' : 'unknown';
	// Without it, the fields that other services use count.
	if (request.isUndocumented ? isFailedStatus(success) : success === false) return 'not applied';
	const isConfirmed = request.confirms?.(envelope) === true;
	if (reportsErrors(envelope)) {
		// A change that is shown beside errors, or is said to have succeeded, may have been made.
		return isChange(request) && (isConfirmed || success === true) ? 'unknown' : 'not applied';
	}
	if (request.isUndocumented || success === true) return 'done';
	// If these fields are missing too, a change must be shown.
	const isSuccess = !('success' in envelope) && (isConfirmed || !isChange(request));
	return isSuccess ? 'done' : 'unknown';
}

/** The values of `status` in a response by which services report a failure. */
export const FAILED_STATUSES: readonly unknown[] = [false, 0, 'false', 'error', 'fail', 'failed', 'failure'];

/** Whether a `status` in a response reports a failure; a text may be in any case. */
export function isFailedStatus(status: unknown): boolean {
	const value = typeof status === 'string' ? status.trim().toLowerCase() : status;
	return FAILED_STATUSES.includes(value);
}

/** Whether a response contains errors, whatever else it says. */
function reportsErrors({ errors, error }: IDataObject): boolean {
	return hasContent(errors) || hasContent(error);
}
