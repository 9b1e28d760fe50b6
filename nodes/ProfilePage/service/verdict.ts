import type { FailedResponse, FailureData } from '../shared/failure';

/** What a failed attempt means for its request, and what it shows of the service. */
export interface Verdict {
	/** What another attempt uses up; undefined if there must be none. */
	readonly budget?: 'tokens' | 'rejections' | 'retries';
	/** How long the request itself waits before it, in milliseconds: by default as the service asks, or longer each time. */
	readonly wait?: number;
	readonly service?: 'answers' | 'fails' | 'is busy';
}

/** What failures mean. A wait of 0 leaves it to the gate when the next attempt starts. */
export const VERDICTS = {
	/** The token was rejected, and another one may help. */
	token: { budget: 'tokens', wait: 0 },
	/** The request was rejected for good, such as with a 404. */
	answer: { service: 'answers' },
	/** Anything else that does not pass soon: a 500, no token, or the execution was stopped. */
	final: {},
	/** A transient failure, such as a 502, a timeout, or a broken connection. */
	transient: { budget: 'retries', service: 'fails' },
	/** A 503 while no other has failed since the last answer. It may be of this request alone: others go on, and it is repeated among them. */
	alone: { budget: 'rejections', wait: 0, service: 'fails' },
	/** A 429, a 503, or a transient failure with `Retry-After` (RFC 6585, section 4; RFC 9110, section 10.2.3). */
	busy: { budget: 'rejections', wait: 0, service: 'is busy' },
} as const satisfies Record<string, Verdict>;

/**
 * Returns what a failure of an attempt means.
 *
 * @param serviceWas whether another attempt has failed since its last answer; without it, nothing but the request waits
 */
export function verdictOn({ kind, passes, response }: FailureData, serviceWas?: 'failing' | 'answering'): Verdict {
	const { status, retryAfter }: Partial<FailedResponse> = response ?? {};
	if (passes === 'with another token') return VERDICTS.token;
	// A renewal of the token was repeated already. What was stopped says nothing of the service.
	if (serviceWas && kind !== 'request') return VERDICTS.final;
	if (passes !== 'soon') return status !== undefined && status < 500 ? VERDICTS.answer : VERDICTS.final;
	const isBusy = status === 429 || status === 503 || retryAfter !== undefined;
	if (!serviceWas || !isBusy) return VERDICTS.transient;
	const isAlone = serviceWas === 'answering' && status === 503 && retryAfter === undefined;
	return isAlone ? VERDICTS.alone : VERDICTS.busy;
}
