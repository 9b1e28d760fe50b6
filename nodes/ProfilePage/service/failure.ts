import type { Purpose } from './request';

/**
 * What became of a request: it was certainly not applied, because it was not sent, was rejected, or changes nothing; it
 * may have been applied; or the service confirmed it.
 */
export type Outcome = 'not applied' | 'unknown' | 'done';

/** Why something was not done. It is data: `words.ts` puts it into words where n8n takes it. */
export interface Failure {
	readonly outcome: Exclude<Outcome, 'done'>;
	/** What failed: a field of the node or the credential, or n8n; the token; the request; or the execution was stopped before. */
	readonly kind: 'field' | 'token' | 'request' | 'stopped';
	/** What went wrong, as the end of a sentence: "the service rejected the order". */
	readonly problem: string;
	/** What the user can do about this problem, in full sentences. What follows from the other properties is not in it. */
	readonly advice?: string;
	/** Whether it may go away by itself: soon enough for a retry, or later. */
	readonly passes?: 'soon' | 'later';
	/** The HTTP status of the response. */
	readonly status?: number;
	/** A code of RFC 6749, section 5.2, such as invalid_grant, or of the connection, such as ECONNRESET. ETIMEDOUT is also that of a time limit. */
	readonly code?: string;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
	/** When the service accepts requests again, if a request cannot wait for it, in milliseconds since 1970. */
	readonly waitUntil?: number;
	/** The service's own words, without secrets. */
	readonly said?: string;
	/** How often it was attempted, if that is known. 0 if it is not to be shown, as nothing was sent in the last attempt. */
	readonly attempts?: number;
	/** What the request that failed was for. */
	readonly purpose?: Purpose;
	/**
	 * What the user wanted, if it is not what the request that failed was for: a list had to be read first, or the change
	 * was sent in an earlier try already.
	 */
	readonly wanted?: Purpose;
	/** The error of n8n that was thrown, to be shown as it is. */
	readonly cause?: Error;
}

/** Something that was done. */
export interface Done<T> {
	readonly outcome: 'done';
	readonly result: T;
}

/** How something ended: with a result, or a failure. */
export type Ended<T> = Done<T> | Failure;

export function done<T>(result: T): Done<T> {
	return { outcome: 'done', result };
}

/** Returns a result. Throws a failure as Failed. */
export function resultOf<T>(ended: Ended<T>): T {
	if (ended.outcome === 'done') return ended.result;
	throw new Failed(ended);
}

/** Returns what a result becomes; a failure stays as it is. */
export function mapDone<T, R>(ended: Ended<T>, convert: (result: T) => R): Ended<R> {
	return ended.outcome === 'done' ? done(convert(ended.result)) : ended;
}

/** Returns what the user wanted when a request failed; undefined if that is not known. */
export function wantedOf({ purpose, wanted = purpose }: Failure): Purpose | undefined {
	return wanted;
}

/** Returns the failure of a request that was sent. Its outcome is unknown, unless `others` has another one. */
export function requestFailure(problem: string, advice?: string, others: Partial<Failure> = {}): Failure {
	return { outcome: 'unknown', kind: 'request', problem, advice, ...others };
}

/** The execution was canceled, or the node ended because of another request. Only a cancellation is shown. */
export const STOPPED: Failure = { outcome: 'not applied', kind: 'stopped', problem: 'the execution was canceled' };

/** Thrown by the readers of fields and of responses, and by credentials. Its message is the problem. */
export class Failed extends Error {
	constructor(readonly failure: Failure) {
		super(failure.problem);
	}
}

/** Returns the error for a success of the service that lacks what is read from it. */
export function unreadable(problem: string, advice = 'Check the Base URL in the credential.'): Failed {
	return new Failed(requestFailure(problem, advice));
}

/** Returns the error for a field of the node or the credential, by its name in the editor, that cannot be used. */
export function invalid(field: string, problem: string, advice?: string): Failed {
	return new Failed({ outcome: 'not applied', kind: 'field', problem: `${field}: ${problem}`, advice });
}

/** Returns the failure that was thrown; for any other error, which is one of n8n's, such as of an expression, a failure that shows it. */
export function failureOf(error: unknown): Failure {
	if (error instanceof Failed) return error.failure;
	const cause = error instanceof Error ? error : new Error(String(error));
	return { outcome: 'not applied', kind: 'field', problem: cause.message, cause };
}

/** Returns what `work` returns, or what it throws as a failure. */
export function settle<T>(work: () => T): Ended<T> {
	try {
		return done(work());
	} catch (error) {
		return failureOf(error);
	}
}

/** Returns how work ended that takes time, also if it throws. */
export async function settleAsync<T>(work: () => Promise<Ended<T>>): Promise<Ended<T>> {
	try {
		return await work();
	} catch (error) {
		return failureOf(error);
	}
}
