import { historyOf, NOT_SENT, ServiceError } from '../shared/errors';
import { uncapitalize } from '../shared/values';
import { quoteService } from './quotes';
import type { ServiceRequest } from './request';
import { isChange } from './response';

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

/** What is known of who sent a request. */
export interface Sender {
	/** Whether users can set how requests are sent, in the options of the node. */
	readonly hasOptions: boolean;
	/** What no message may repeat. */
	readonly secrets: Iterable<string>;
}

/**
 * Returns a failure in the words of its request, with those of the service. A change that may have been applied has an
 * unknown outcome.
 */
export function inWords(request: ServiceRequest, error: ServiceError, sender?: Sender): ServiceError {
	const { subject, effect, idempotent } = request;
	const { body, isSentence, ...details } = error.details;
	const advice = adviseOn(request, error, sender?.hasOptions);
	const worded = (message: string, text: string) => {
		const quoted = quoteService(text, body, [...(sender?.secrets ?? [])]);
		return new ServiceError(message, quoted, { ...details, idempotent, isSentence: true });
	};
	if (!isChange(request) || historyOf(error) !== 'may be applied') {
		return worded(isSentence ? error.message : `${subject} ${effect.replace(' ', ' not ')}: ${error.message}`, advice);
	}
	const problem = isSentence ? uncapitalize(error.message) : error.message;
	const unknown = `It is unknown whether ${uncapitalize(subject)} ${effect}: ${problem}`;
	const general = advice.replace(`${NOT_SENT} `, '');
	const lookFirst = `${general.replace(/ ?Try again later\./, '')} ${LOOK_FIRST}`.trim();
	return worded(unknown, idempotent ? general : lookFirst);
}

/** Adds the options of the node that help, to the end of the advice. */
function adviseOn({ idempotent }: ServiceRequest, { advice, details }: ServiceError, hasOptions = false): string {
	const { status, isTransient, isSentence } = details;
	if (!hasOptions || isSentence || !status || !isTransient) return advice;
	if (status === 429) {
		return advice.replace(/\.$/, ', or set Items per Batch and Batch Interval in the options of the node.');
	}
	return idempotent ? advice.replace(/\.$/, ', or raise Max Retries in the options of the node.') : advice;
}
