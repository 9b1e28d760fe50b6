import { ExecutionBaseError } from 'n8n-workflow';

/** What went wrong, as the end of a sentence, and what to do about it, in full sentences. */
export interface Problem {
	readonly problem: string;
	readonly advice: string;
}

/** From the most harmless to the worst. */
const HISTORIES = ['not sent', 'rejected', 'may be applied'] as const;

/**
 * What has become of a request so far: it was not sent, all its attempts were certainly not applied, or one of them
 * may have been applied.
 */
export type History = (typeof HISTORIES)[number];

/** Returns the history of a request that had both. */
export function worseOf(one: History, other: History): History {
	return HISTORIES.indexOf(one) > HISTORIES.indexOf(other) ? one : other;
}

/** What is known of a failure besides its words. */
export interface FailureDetails {
	readonly status?: number;
	/** What has become of the request; 'may be applied' if left out. */
	readonly history?: History;
	/** Whether the request may be performed twice without harm. */
	readonly idempotent?: boolean;
	/** Whether the failure may go away by itself. */
	readonly isTransient?: boolean;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
	/** The body of the response, parsed if it was JSON. */
	readonly body?: unknown;
	/** Whether the number of attempts is not added to the advice: it is there already, or several requests shared them. */
	readonly isCounted?: boolean;
	/** Whether the message is a whole sentence, and not only what was wrong with a request. */
	readonly isSentence?: boolean;
}

/** An error for users: `message` says what happened, `advice` what to do. Neither contains a secret. */
export abstract class ExplainedError extends ExecutionBaseError {
	/** Message and advice, for places that show a single text. */
	readonly text: string;

	constructor(
		message: string,
		readonly advice = '',
		readonly details: FailureDetails = {},
	) {
		super(message);
		this.text = advice ? `${message}. ${advice}` : message;
		// All that remains of an error thrown by a credential: n8n wraps it in one of its own.
		this.context = { explained: { message, advice, details } };
	}
}

/** A field of the node or the credential, by its name in the editor, cannot be used. Nothing was sent. */
export class ValidationError extends ExplainedError {
	constructor(field: string, problem: string, advice?: string) {
		super(`${field}: ${problem}`, advice, { history: 'not sent' });
	}
}

/** The service did not respond, or its response is not a success. */
export class ServiceError extends ExplainedError {
	/** Returns the same error with more details. */
	with(details: FailureDetails): ServiceError {
		return new ServiceError(this.message, this.advice, { ...this.details, ...details });
	}
}

/** What a failed token request says of the request that needed the token. */
export const NOT_SENT = 'The request itself was not sent.';

/** Returns the error for a request that was not sent because there is no access token for it. */
export function noToken({ problem, advice }: Problem, details?: FailureDetails): ServiceError {
	const unsent = { history: 'not sent', isSentence: true } as const;
	return new ServiceError(`No access token: ${problem}`, advice, { ...details, ...unsent });
}

/** The execution was canceled, or the node ended because of another request. */
export class ExecutionCanceled extends Error {
	/** @param isInFlight whether the request, or whatever else was running, had begun and not ended */
	constructor(
		readonly history: History = 'not sent',
		readonly isInFlight = false,
	) {
		super('The execution was canceled');
	}
}

/** Returns what has become of a request that ended with this error. */
export function historyOf(error: unknown): History {
	if (error instanceof ExecutionCanceled) return error.history;
	const history = error instanceof ExplainedError ? error.details.history : undefined;
	return history ?? 'may be applied';
}

/** Does the work of a credential. An error gets its whole text as message, as n8n shows nothing else of it. */
export async function inOneText<T>(work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof ExplainedError ? Object.assign(error, { message: error.text }) : (error as Error);
	}
}
