import type { IDataObject } from 'n8n-workflow';

import { hasContent } from '../shared/values';
import { isChange, type ServiceRequest } from './request';

/** What a response says of the request: that it succeeded, that it was not applied, or neither. */
type Verdict = 'succeeded' | 'failed' | 'unclear';

/** Conditions, and what they mean. The first that applies counts. */
type Rules = ReadonlyArray<readonly [applies: boolean, verdict: Verdict]>;

/** Reads whether a 2xx response reports success. */
export function readVerdict(envelope: IDataObject, request: ServiceRequest): Verdict {
	const { status, success } = envelope;
	const hasErrors = reportsErrors(envelope);
	// `status` of a documented response decides alone. That is the usual case, in which nothing else is looked at.
	const isDecided = 'status' in envelope && !request.isUndocumented;
	const isConfirmed = !isDecided && request.confirms?.(envelope) === true;
	// A change that is shown beside errors, or is said to have succeeded, may have been made.
	const ifErrors = isChange(request) && (isConfirmed || success === true) ? 'unclear' : 'failed';
	const documented: Rules = [
		// `status` decides alone.
		[status === true, 'succeeded'],
		[isFailedStatus(status), 'failed'],
		['status' in envelope, 'unclear'],
		// Without it, the fields that other services use count.
		[success === false, 'failed'],
		[hasErrors, ifErrors],
		[success === true, 'succeeded'],
		['success' in envelope, 'unclear'],
		// Without those too, a change must be shown.
		[isChange(request) && !isConfirmed, 'unclear'],
	];
	const undocumented: Rules = [
		[isFailedStatus(status) || isFailedStatus(success), 'failed'],
		[hasErrors, ifErrors],
	];
	const rules = request.isUndocumented ? undocumented : documented;
	return rules.find(([applies]) => applies)?.[1] ?? 'succeeded';
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
