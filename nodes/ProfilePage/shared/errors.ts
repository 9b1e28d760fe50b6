import { ExecutionBaseError } from 'n8n-workflow';

import { asObject, asText, isObject } from './values';

/** What went wrong, as the end of a sentence, and what to do about it, in full sentences. */
export interface Problem {
	readonly problem: string;
	readonly advice: string;
	/** Whether the request certainly had no effect. */
	readonly isNotApplied?: boolean;
}

export function isProblem(value: object): value is Problem {
	return 'problem' in value;
}

/** What is known of a failure besides its words. */
export interface FailureDetails {
	readonly status?: number;
	/** Whether the request certainly had no effect. */
	readonly isNotApplied?: boolean;
	/** Whether the failure may go away by itself. */
	readonly isTransient?: boolean;
	/** Whether several attempts waited for one request, so that counting them would mislead. */
	readonly isShared?: boolean;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
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
		super(`${field}: ${problem}`, advice);
	}
}

/** The service did not respond, or its response is not a success. */
export class ServiceError extends ExplainedError {}

/** There is no access token, so the request that needed it was not sent. */
export class NoTokenError extends ServiceError {
	constructor({ problem, advice }: Problem, details?: FailureDetails) {
		super(`No access token: ${problem}`, advice, { ...details, isNotApplied: true });
	}
}

/** Runs code of a credential. Its errors get their whole text as message, as n8n shows nothing else of them. */
export async function inOneText<T>(work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof ExplainedError ? Object.assign(error, { message: error.text }) : error;
	}
}

/** Returns the error of a credential that n8n wrapped; undefined for any other error. */
export function unwrapCredentialError(error: unknown): ServiceError | undefined {
	const { explained } = asObject(asObject(error).context);
	if (!isObject(explained)) return undefined;
	const { message, advice, details } = explained;
	// Written by the constructor above.
	const known = details as FailureDetails;
	return new ServiceError(asText(message), asText(advice), { ...known, isNotApplied: true });
}
