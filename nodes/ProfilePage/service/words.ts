import { isTransientStatus } from '../http/failures';
import { historyOf, ServiceError } from '../shared/errors';
import { uncapitalize } from '../shared/values';
import { quoteService } from './quotes';
import type { ServiceRequest } from './request';
import { isChange } from './response';

const NOT_SENT = 'The request itself was not sent. ';
const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

/** What is known of who sent a request. */
export interface Sender {
	/** Whether users can set how requests are sent, in the options of the node. */
	readonly hasOptions: boolean;
	/** What no message may repeat. */
	readonly secrets: readonly string[];
}

/**
 * Returns a failure in the words of its request, with those of the service. A change that may have been applied has an
 * unknown outcome.
 */
export function inWords(request: ServiceRequest, error: ServiceError, sender?: Sender): ServiceError {
	const { subject, effect, idempotent } = request;
	const { message, details } = error;
	const { body, ...others } = details;
	const isUnknown = isChange(request) && historyOf(error) === 'may be applied';
	const notDone = `${subject} ${effect.replace(' ', ' not ')}: ${message}`;
	const problem = details.isSentence ? uncapitalize(message) : message;
	const unknown = `It is unknown whether ${uncapitalize(subject)} ${effect}: ${problem}`;
	const known = details.isSentence ? message : notDone;
	const advice = adviseOn(request, error, sender?.hasOptions);
	const sentAdvice = isUnknown ? advice.replace(NOT_SENT, '') : advice;
	const lookFirst = `${sentAdvice.replace(/ ?Try again later\./, '')} ${LOOK_FIRST}`.trim();
	const text = isUnknown && !idempotent ? lookFirst : sentAdvice;
	return new ServiceError(isUnknown ? unknown : known, quoteService(text, body, sender?.secrets ?? []), {
		...others,
		idempotent,
		isSentence: true,
	});
}

/** Adds the options of the node that help, to the end of the advice. */
function adviseOn(
	{ idempotent }: ServiceRequest,
	{ advice, details: { status = 0, isSentence } }: ServiceError,
	hasOptions = false,
): string {
	if (!hasOptions || isSentence) return advice;
	if (status === 429) {
		return advice.replace(/\.$/, ', or set Items per Batch and Batch Interval in the options of the node.');
	}
	const isRetried = idempotent && isTransientStatus(status);
	return isRetried ? advice.replace(/\.$/, ', or raise Max Retries in the options of the node.') : advice;
}
