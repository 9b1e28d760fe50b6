import { ExecutionBaseError } from 'n8n-workflow';

/**
 * An error whose message is for whoever drew the workflow: it says what happened and what to do, and
 * holds no secret.
 *
 * n8n wraps whatever a credential throws into an error of its own, in which it may change the
 * message. It keeps the `context` of errors of this class, so the explanation stands there too.
 */
abstract class ExplainedError extends ExecutionBaseError {
	constructor(message: string, answerStatus?: number) {
		super(message);
		this.context = { explanation: message, answerStatus };
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
	/** The HTTP status of the answer; undefined where none came. */
	readonly answerStatus: number | undefined;

	/**
	 * @param message what happened, and what to do
	 * @param answerStatus the HTTP status. The field is not called `status` or `code`: n8n would
	 *   read those and put its own words in place of the message.
	 */
	constructor(message: string, answerStatus?: number) {
		super(message, answerStatus);
		this.answerStatus = answerStatus;
	}
}

/** @returns the explained error that n8n has wrapped; undefined if it wrapped another */
export function unwrapExplained(error: unknown): ServiceError | undefined {
	const { context } = (error ?? {}) as { context?: Record<string, unknown> };
	if (typeof context?.explanation !== 'string') return undefined;
	return new ServiceError(context.explanation, context.answerStatus as number | undefined);
}
