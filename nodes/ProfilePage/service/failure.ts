import { findInvisible } from '../shared/values';
import { isChange, type Purpose } from './request';

/** What became of a request that failed: it was certainly not applied, as it was not sent or was rejected; or nobody knows. */
export type Outcome = 'not applied' | 'unknown';

/** What is known of a failure. It is worded once, where n8n takes it (`words.ts`). */
export interface FailureData {
	readonly outcome: Outcome;
	/** What failed: a field of the node or the credential; the token; the request; or the execution was stopped before. */
	readonly kind: 'field' | 'token' | 'request' | 'stopped';
	/** What went wrong, as the end of a sentence: "the service rejected the order". */
	readonly problem: string;
	/** What the user can do about this problem, in full sentences. What follows from the other properties is not in it. */
	readonly advice?: string;
	/** Whether it may go away by itself: soon enough for a retry, or later. */
	readonly passes?: 'soon' | 'later';
	readonly response?: FailedResponse;
	readonly isTimeout?: boolean;
	/** How often it was attempted, if there was more than one attempt. */
	readonly attempts?: number;
	/** What the request that failed was for. */
	readonly purpose?: Purpose;
	/** What the user wanted: the same, unless a list had to be read first, or an earlier try sent the change. */
	readonly wanted?: Purpose;
	/** What it means for the next attempt of the request, if a gate has seen it. */
	readonly nextAttempt?: NextAttempt;
	/** The index of the input item at fault, if it is not the first of its call. */
	readonly itemIndex?: number;
	/** The error of n8n that was thrown, to be shown as it is. */
	readonly cause?: Error;
}

/** What a response says of a failure. */
interface FailedResponse {
	/** The HTTP status; undefined if n8n does not say it. */
	readonly status?: number;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
	/** The service's own words, without secrets. */
	readonly said?: string;
}

/** What the failure of a request means for its next attempt. */
export interface NextAttempt {
	/** Whether the gate holds it back, with all other requests. Otherwise, the request waits on its own. */
	readonly isHeldBack: boolean;
	/** Whether it does not use up Max Retries. */
	readonly isFree: boolean;
}

/** Thrown by everything that cannot be done. */
export class Failure extends Error {
	constructor(readonly data: FailureData) {
		super(data.problem);
	}

	/** Returns the failure with other data. */
	with(more: Partial<FailureData>): Failure {
		return new Failure({ ...this.data, ...more });
	}

	/** Returns the failure of a request. What only reads has changed nothing, unless the execution was stopped meanwhile. */
	of(purpose: Purpose): Failure {
		const changedNothing = !isChange(purpose) && this.data.kind !== 'stopped';
		const { outcome, wanted = purpose } = this.data;
		return this.with({ purpose, wanted, outcome: changedNothing ? 'not applied' : outcome });
	}
}

/** Does work. If it fails, throws Failure with more data. */
export async function failingWith<T>(more: Partial<FailureData>, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw toFailure(error).with(more);
	}
}

/** The execution was canceled, or the node ended because of another request. Only a cancellation is shown. */
export const STOPPED = new Failure({ outcome: 'not applied', kind: 'stopped', problem: 'the execution was canceled' });

/** Returns the failure for a field of the node or the credential, by its name in the editor, that cannot be used. */
export function invalid(field: string, problem: string, advice?: string): Failure {
	return new Failure({ outcome: 'not applied', kind: 'field', problem: `${field}: ${problem}`, advice });
}

/** Throws Failure if a text that must be exact, such as an ID, contains an invisible character. `what` is what of the field it is. */
export function checkVisible(text: string, field: string, what = 'the value'): void {
	const found = findInvisible(text);
	if (found)
		throw invalid(field, `${what} contains an invisible character (${found})`, 'Remove it, or type the value.');
}

/** Returns the failure of a request that was sent. Its outcome is unknown, unless `more` has another one. */
export function requestFailure(problem: string, advice?: string, more: Partial<FailureData> = {}): Failure {
	return new Failure({ outcome: 'unknown', kind: 'request', problem, advice, ...more });
}

/** Returns the failure of a request that was not sent because there is no access token for it. */
export function tokenFailure(problem: string, advice?: string, more: Partial<FailureData> = {}): Failure {
	return new Failure({ ...more, outcome: 'not applied', kind: 'token', problem, advice });
}

/** Returns the failure for a success of the service that lacks what is read from it. */
export function unreadable(problem: string, advice = 'Check the Base URL in the credential.'): Failure {
	return requestFailure(problem, advice);
}

/** Returns what was thrown, if it is a failure; for any other error, which is one of n8n's, a failure that shows it. */
export function toFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	return new Failure({ outcome: 'not applied', kind: 'field', problem: cause.message, cause });
}
