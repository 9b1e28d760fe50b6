import type { ServiceRequest } from './request';

/**
 * What became of a request, from the most harmless to the worst: it was not sent, certainly not applied, may have been
 * applied, or was confirmed. The worst of its attempts counts, unless one of them succeeded.
 */
export type Outcome = 'not sent' | 'rejected' | 'unknown' | 'done';

/** Why something was not done. It is data: `words.ts` puts it into words where n8n takes it. */
export interface Failure {
	readonly outcome: Exclude<Outcome, 'done'>;
	/** What failed: a field of the node or the credential, the token, the request; or the execution was stopped before. */
	readonly kind: 'field' | 'token' | 'request' | 'stopped';
	/** What went wrong, as the end of a sentence: "the service rejected the order". */
	readonly problem: string;
	/** What the user can do about this problem, in full sentences. What follows from the other properties is not in it. */
	readonly advice?: string;
	/** Whether it may go away by itself: soon enough for a retry, or later. */
	readonly passes?: 'soon' | 'later';
	/** The HTTP status of the response. */
	readonly status?: number;
	/** A code of RFC 6749, section 5.2, such as invalid_grant, or of the connection, such as ETIMEDOUT. */
	readonly code?: string;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
	/** When the service accepts requests again, if a request cannot wait for it, in milliseconds since 1970. */
	readonly waitUntil?: number;
	/** The service's own words, without secrets. */
	readonly said?: string;
	/** How often it was tried, if that is known. */
	readonly attempts?: number;
	/** The request that failed. */
	readonly request?: ServiceRequest;
	/** The change that it is about, if another request failed, such as a list that is read first; or that an earlier try may have made. */
	readonly change?: ServiceRequest;
	/** The error of n8n that says the same, to be shown as it is. */
	readonly cause?: Error;
}

/** Something that was done. */
export interface Done<T> {
	readonly outcome: 'done';
	readonly result: T;
	/** Whether the response itself shows the change, such as the ID of a new link. It counts only if `status` does not decide. */
	readonly isConfirmed?: boolean;
}

/** How something ended: with a result, or a failure. */
export type Ended<T> = Done<T> | Failure;

export function done<T>(result: T, isConfirmed?: boolean): Done<T> {
	return { outcome: 'done', result, isConfirmed };
}

/** Returns what a result becomes; a failure stays as it is. */
export function mapDone<T, R>(ended: Ended<T>, change: (result: T) => R): Ended<R> {
	return ended.outcome === 'done' ? { ...ended, result: change(ended.result) } : ended;
}

/** Returns a failure of a request whose response arrived; without another outcome, that is unknown. */
export function requestFailure(problem: string, advice?: string, others: Partial<Failure> = {}): Failure {
	return { outcome: 'unknown', kind: 'request', problem, advice, ...others };
}

/** The execution was canceled, or the node ended because of another request. */
export const STOPPED: Failure = { outcome: 'not sent', kind: 'stopped', problem: 'The execution was canceled' };

/** Whether nothing was, or can have been, done. */
export function changedNothing(outcome: Outcome): boolean {
	return outcome === 'not sent' || outcome === 'rejected';
}

const OUTCOMES = ['not sent', 'rejected', 'unknown'] as const;

/** Returns the outcome of something that failed twice. */
export function worst(one: Failure['outcome'], other: Failure['outcome']): Failure['outcome'] {
	return OUTCOMES.indexOf(one) > OUTCOMES.indexOf(other) ? one : other;
}

/** Thrown by the readers of fields, and by credentials. Its message is the problem. */
export class Failed extends Error {
	constructor(readonly failure: Failure) {
		super(failure.problem);
	}
}

/** Returns the error for a field of the node or the credential, by its name in the editor, that cannot be used. */
export function invalid(field: string, problem: string, advice?: string): Failed {
	return new Failed({ outcome: 'not sent', kind: 'field', problem: `${field}: ${problem}`, advice });
}
