import { ExecutionBaseError } from 'n8n-workflow';

/** What is known of a failure of the service, besides the words for it. */
export interface FailureDetails {
	/** The HTTP status of the answer; left out where none came. */
	readonly answerStatus?: number;
	/** Whether the request certainly had no effect at the service. */
	readonly isNotApplied?: boolean;
	/** Whether the failure may go away by itself, so that the request is worth a retry. */
	readonly isTransient?: boolean;
	/** Whether several attempts were one request that was waited for, so that counting them misleads. */
	readonly isShared?: boolean;
	/** How long the service asks to wait before that, in milliseconds. */
	readonly retryAfter?: number;
}

/**
 * An error whose message is for whoever drew the workflow: it says what happened and what to do, and
 * holds no secret.
 *
 * n8n wraps whatever a credential throws into an error of its own, in which it may change the
 * message. It keeps the `context` of errors of this class, so the explanation stands there too.
 */
abstract class ExplainedError extends ExecutionBaseError {
	constructor(message: string, details: FailureDetails = {}) {
		super(message);
		this.context = { explanation: message, details };
	}
}

/**
 * A field, of the node or of its credential, whose value can't be used. The message names the
 * field, says what is wrong with it and what to do. Thrown before anything is sent.
 */
export class FieldError extends ExplainedError {
	/**
	 * @param field the field's name as the editor shows it
	 * @param problem what is wrong, and what to do
	 */
	constructor(field: string, problem: string) {
		super(`${field}: ${problem}`);
	}
}

/** What the service answered, or that it did not answer, where that is not success. */
export class ServiceError extends ExplainedError {
	/**
	 * @param message what happened, and what to do
	 * @param details not fields of their own called `status` or `code`: n8n would read those and put
	 *   its own words in place of the message
	 */
	constructor(
		message: string,
		readonly details: FailureDetails = {},
	) {
		super(message, details);
	}
}

/** Why there is no access token. The request that needed it was not sent. */
export class NoTokenError extends ServiceError {
	constructor(message: string, details?: FailureDetails) {
		super(message, { ...details, isNotApplied: true });
	}
}

/** Thrown where the execution was stopped while a request was under way, or about to go out. */
export class ExecutionStopped extends Error {
	/** @param isNotSent whether the request was still waiting for an access token */
	constructor(readonly isNotSent = false) {
		super('The execution was canceled.');
	}
}

/** Thrown where work took longer than it may. */
export class TimeLimitReached extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * @returns what a credential has thrown, which n8n has wrapped; undefined if it wrapped anything else
 */
export function unwrapExplained(error: unknown): NoTokenError | undefined {
	const { context } = (error ?? {}) as { context?: Record<string, unknown> };
	if (typeof context?.explanation !== 'string') return undefined;
	return new NoTokenError(context.explanation, context.details as FailureDetails | undefined);
}
