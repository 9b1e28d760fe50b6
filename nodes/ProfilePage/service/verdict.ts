import type { FailureData } from '../shared/failure';

/** What a failed attempt means for its request, and what it shows of the service. */
export interface Verdict {
	/** What another attempt uses up; undefined if there must be none. */
	readonly budget?: 'tokens' | 'rejections' | 'retries';
	readonly service?: 'answers' | 'fails' | 'is busy';
}

/** What failures mean. */
export const VERDICTS = {
	/** The token was rejected, and another one may help. */
	token: { budget: 'tokens' },
	/** The request was rejected for good, such as with a 404. */
	answer: { service: 'answers' },
	/** Anything else that does not pass soon: a 500, no token, or the execution was stopped. */
	final: {},
	/** A transient failure, such as a 502, a timeout, or a broken connection. */
	transient: { budget: 'retries', service: 'fails' },
	/** A 503 while no other has failed since the last answer. It may be of this request alone: others go on, and it is repeated among them. */
	alone: { budget: 'rejections', service: 'fails' },
	/** A 429, a 503, or a transient failure with `Retry-After` (RFC 6585, section 4; RFC 9110, section 10.2.3). */
	busy: { budget: 'rejections', service: 'is busy' },
} as const satisfies Record<string, Verdict>;

/**
 * Returns what a failure of an attempt means.
 *
 * @param gateSaw what the gate has seen of the service since its last answer; undefined without a gate
 */
export function verdictOn({ passes, response }: FailureData, gateSaw?: 'failing' | 'answering'): Verdict {
	const { status, retryAfter } = response ?? {};
	if (passes === 'with another token') return VERDICTS.token;
	if (passes !== 'soon') return status !== undefined && status < 500 ? VERDICTS.answer : VERDICTS.final;
	const isBusy = status === 429 || status === 503 || retryAfter !== undefined;
	if (!gateSaw || !isBusy) return VERDICTS.transient;
	const isAlone = gateSaw === 'answering' && status === 503 && retryAfter === undefined;
	return isAlone ? VERDICTS.alone : VERDICTS.busy;
}
