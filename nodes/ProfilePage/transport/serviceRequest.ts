import type { IHttpRequestMethods } from 'n8n-workflow';

import { type FailureDetails, type Problem, ServiceError } from '../shared/errors';
import { uncapitalize } from '../shared/values';

/** One call of the service's API, and the words for messages about it. */
export interface ServiceRequest {
	readonly method: IHttpRequestMethods;
	/** As documented, with its leading slash. It may have a query. */
	readonly path: string;
	/** A body with fields. */
	readonly form?: Readonly<Record<string, string>> | ReadonlyArray<[string, string]>;
	/** A body in JSON. */
	readonly json?: string;
	/** The source of these facts: docs/api.md, where clients count as public documentation, or the user of the node. */
	readonly documentedBy: 'contract' | 'public documentation' | 'user';
	/** Whether it may be performed twice without harm. If not, it is resent only if it was not applied. */
	readonly idempotent: boolean;
	/** Whether an earlier attempt may have been applied, which a rejection now does not undo. */
	readonly mayBeApplied?: boolean;
	/** Whether users can set how it is sent, in the options of the node. */
	readonly hasOptions?: boolean;
	/** What it is about, such as `The link "My video"`. */
	readonly subject: string;
	/** What happens to that, such as "was created". */
	readonly outcome: `${'was' | 'were'} ${string}`;
	/** What to do if the service rejects it. */
	readonly advice: string;
}

/** Whether a request changes something, so that its outcome matters if there is no response. */
export function isChange({ method }: Pick<ServiceRequest, 'method'>): boolean {
	return method !== 'GET';
}

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

/** Returns the error for a request that failed. Unless it was certainly not applied, its outcome is unknown. */
export function toServiceError(
	request: ServiceRequest,
	{ problem, advice }: Problem,
	details: FailureDetails,
): ServiceError {
	const { subject, outcome, idempotent, mayBeApplied } = request;
	const isUnknown = isChange(request) && (!details.isNotApplied || mayBeApplied);
	if (!isUnknown) {
		const message = `${subject} ${outcome.replace(' ', ' not ')}: ${problem}`;
		return new ServiceError(message, advice, details);
	}
	const what = `It is unknown whether ${uncapitalize(subject)} ${outcome}`;
	const message = `${what}: ${problem}`;
	if (idempotent) return new ServiceError(message, advice, details);
	const lookFirst = `${advice.replace(/ ?Try again later\./, '')} ${LOOK_FIRST}`.trim();
	return new ServiceError(message, lookFirst, details);
}
