import { Failure, type FailureData, isChange } from '../shared/failure';
import {
	addFailure,
	decide,
	type Decision,
	type History,
	type Judgement,
	type Limits,
	UNKNOWN_SERVICE,
	UNTRIED,
} from './policy';
import type { ServiceRequest } from './request';
import { pause } from './waiting';
import { asksToWaitUntil, RUN_AGAIN_AFTER_THAT, sentence } from './words';

/** Says what a failure of a request means, by what is known of the service, and notes it. */
export type Judge = (failure: FailureData, before: History, now: number, jitter: number) => Judgement;

export interface RetryOptions extends Omit<Limits, 'idempotent'> {
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly signal?: AbortSignal;
}

/**
 * Attempts something until it succeeds, as far as it may be repeated. This is the only loop that does so.
 *
 * @param attempt is told whether it is a retry
 * @param request what is attempted; without it, it may be repeated
 * @param judge by default, a failure says nothing of other requests
 * @throws Failure of the last attempt, with what became of all of them; any other error as it is
 */
export async function retrying<T>(
	attempt: (isRetry: boolean) => Promise<T>,
	options: RetryOptions,
	request?: ServiceRequest,
	judge: Judge = judgeAlone,
): Promise<T> {
	const limits = { ...options, idempotent: request === undefined || request.repeat === 'always' };
	for (let history = UNTRIED; ;) {
		try {
			return await attempt(history !== UNTRIED);
		} catch (error) {
			if (!(error instanceof Failure)) throw error as Error;
			const now = Date.now();
			const jitter = Math.random() / 2;
			const judgement = judge(error.data, history, now, jitter);
			history = addFailure(history, error.data, judgement, limits, now);
			const decision = decide(error.data, judgement, history, limits, now, jitter);
			if (decision.wait === undefined || options.signal?.aborted) throw givenUp(error.data, history, decision, request);
			if (decision.wait > 0) await pause(decision.wait, options.signal);
		}
	}
}

const judgeAlone: Judge = ({ passes }) => ({
	meaning: passes === 'with another token' ? 'token' : 'own',
	service: UNKNOWN_SERVICE,
});

function givenUp(
	last: FailureData,
	{ attempts, outcome }: History,
	decision: Decision,
	request?: ServiceRequest,
): Failure {
	// What only reads has changed nothing, unless the execution was stopped meanwhile.
	const changedNothing = request && !isChange(request) && last.kind !== 'stopped';
	const tooLong = decision.wait === undefined && decision.tooLong;
	const data: FailureData = {
		...last,
		outcome: changedNothing ? 'not applied' : outcome,
		...(attempts > 1 && { attempts }),
		...(tooLong && { advice: `${sentence(asksToWaitUntil(Date.now() + tooLong))} ${RUN_AGAIN_AFTER_THAT}` }),
	};
	return new Failure(data, request);
}
