import type { IDataObject } from 'n8n-workflow';

import { hasContent } from '../shared/values';
import { isChange, type ServiceRequest } from './request';

/** What a response says of the request: that it succeeded, that it was not applied, or neither. */
type Verdict = 'succeeded' | 'failed' | 'unclear';

/** Reads whether a 2xx response reports success. */
export function readVerdict(envelope: IDataObject, request: ServiceRequest): Verdict {
	const { status, success } = envelope;
	if (isFailedStatus(status)) return 'failed';
	// `status` of a documented response decides alone.
	const isDecided = 'status' in envelope && !request.isUndocumented;
	if (isDecided) return status === true ? 'succeeded' : 'unclear';
	// Without it, the fields that other services use count.
	if (request.isUndocumented ? isFailedStatus(success) : success === false) return 'failed';
	const isConfirmed = request.confirms?.(envelope) === true;
	if (reportsErrors(envelope)) {
		// A change that is shown beside errors, or is said to have succeeded, may have been made.
		return isChange(request) && (isConfirmed || success === true) ? 'unclear' : 'failed';
	}
	if (request.isUndocumented || success === true) return 'succeeded';
	// If these fields are missing too, a change must be shown.
	const isSuccess = !('success' in envelope) && (isConfirmed || !isChange(request));
	return isSuccess ? 'succeeded' : 'unclear';
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
