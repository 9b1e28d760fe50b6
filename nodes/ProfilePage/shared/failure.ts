import type { IHttpRequestMethods } from 'n8n-workflow';

import { findInvisible } from './values';

/** What a request or a call is for: how messages name it, and when it may be repeated. */
export interface Purpose {
	/** `GET` if it changes nothing. */
	readonly method: IHttpRequestMethods;
	/** What it is about, in the middle of a sentence, such as `the link "My video"`. */
	readonly subject: string;
	/** What is done to it, such as "was", "created". */
	readonly effect: readonly ['was' | 'were', string];
	readonly repeat: Repeat;
}

/** When it may be repeated after a failure: a request by the loop that sends it, a call by a later try. */
type Repeat = 'always' | 'ifNotApplied';

/** Whether it changes something, so that it must be known whether it was applied. */
export function isChange({ method }: Purpose): boolean {
	return method !== 'GET';
}

/** What became of a request that failed: it was certainly not applied, as it was not sent or was rejected; or nobody knows. */
export type Outcome = 'not applied' | 'unknown';

/** What is known of a failure. It is noted where it is known, and worded once, where n8n takes it (`n8n/words.ts`). */
export interface FailureData {
	/** What failed: the node itself, such as at a field, before it sent anything; the token; the request; or nothing, as the execution was stopped. */
	readonly kind: 'node' | 'token' | 'request' | 'stopped';
	readonly outcome: Outcome;
	/** Whether it may go away by itself, soon enough for a retry. */
	readonly isTransient?: boolean;
	/** What went wrong, as the end of a sentence: "the service failed (500)". */
	readonly problem: string;
	/** What the user can do about this problem, in full sentences. What follows from the other properties is not in it. */
	readonly advice?: string;
	/** What else helps if it happens often. */
	readonly ifOften?: string;
	readonly response?: FailedResponse;
	/** How often the request was sent; once by default. 0 if it was refused before. */
	readonly attempts?: number;
	/** What was to be done for the items. */
	readonly call?: Purpose;
	/** What the request was for that failed, once its attempts have ended. From then on, the outcome of what only reads is known. */
	readonly request?: Purpose;
	/** The index of the input item at fault, if it is not the first of its call. */
	readonly itemIndex?: number;
	/** The error of n8n that was thrown, to be shown as it is. */
	readonly cause?: Error;
}

/** What a response says of a failure. */
interface FailedResponse {
	readonly status: number;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
	/** The service's own words, without secrets. */
	readonly said?: string;
}

/** Thrown by everything that cannot be done. */
export class Failure extends Error {
	constructor(readonly data: FailureData) {
		super(data.problem);
	}

	/** Returns the same failure, with what is known of it besides. */
	with(changes: Partial<FailureData>): Failure {
		return new Failure({ ...this.data, ...changes });
	}
}

/** Whether a request or a call that failed may be repeated: it has changed nothing, or does no harm if it is done twice. */
export function mayBeRepeated(outcome: Outcome, purpose?: Purpose): boolean {
	return outcome === 'not applied' || purpose?.repeat === 'always';
}

/**
 * Returns the failure of what was not done because the execution was canceled, or the node ended because of another
 * request. Only a cancellation is shown.
 *
 * @param outcome unknown if a request was in flight
 */
export function stopped(outcome: Outcome = 'not applied'): Failure {
	const attempts = outcome === 'unknown' ? 1 : 0;
	return new Failure({ outcome, kind: 'stopped', problem: 'the execution was canceled', attempts });
}

/** Whether something was stopped before its change was sent: it is as if it had not begun. */
export function wasStoppedInTime({ data: { kind, outcome } }: Failure): boolean {
	return kind === 'stopped' && outcome === 'not applied';
}

/** Returns the failure of the node itself, which has sent nothing for it. */
export function nodeFailure(problem: string, advice?: string): Failure {
	return new Failure({ outcome: 'not applied', kind: 'node', problem, advice });
}

/** Returns the failure for a field of the node or the credential, by its name in the editor, that cannot be used. */
export function invalid(displayName: string, problem: string, advice?: string): Failure {
	return nodeFailure(`${displayName}: ${problem}`, advice);
}

/** Throws Failure if a text that must be exact, such as an ID, contains an invisible character. `part` is what of the field is read, such as "entry 2". */
export function checkVisible(text: string, displayName: string, part = 'the value'): void {
	const found = findInvisible(text);
	if (found)
		throw invalid(displayName, `${part} contains an invisible character (${found})`, 'Remove it, or type the value.');
}

/** Returns the failure of a request. Its outcome is unknown, unless `more` says that it was not applied. */
export function requestFailure(problem: string, advice?: string, more: Partial<FailureData> = {}): Failure {
	return new Failure({ outcome: 'unknown', kind: 'request', problem, advice, ...more });
}

/** Returns the failure of a request that was not sent because there is no access token for it. */
export function tokenFailure(problem: string, advice?: string, more: Partial<FailureData> = {}): Failure {
	return new Failure({ ...more, outcome: 'not applied', kind: 'token', problem, advice });
}

/** Returns what was thrown, if it is a failure; for any other error, which is one of n8n's, a failure that shows it. */
export function toFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	return nodeFailure(cause.message).with({ cause });
}
