/**
 * What the service answered, or that it did not answer, where that is not success. The message is
 * for whoever drew the workflow: it says what happened and what to do, and holds no secret.
 */
export class ServiceError extends Error {
	/** The HTTP status of the answer; undefined where none came. */
	readonly answerStatus: number | undefined;

	/**
	 * @param message what happened and what to do
	 * @param answerStatus the HTTP status. The field is not called `status` or `code`: n8n would
	 *   read those and put its own words in place of the message.
	 */
	constructor(message: string, answerStatus?: number) {
		super(message);
		this.name = 'ServiceError';
		this.answerStatus = answerStatus;
	}
}
