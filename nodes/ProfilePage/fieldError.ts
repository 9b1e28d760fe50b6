/**
 * A field, of the node or of its credential, whose value can't be used. The message names the
 * field, says what is wrong with it and what to do. Thrown before anything is sent.
 */
export class FieldError extends Error {
	/**
	 * @param field the field's name as the editor shows it
	 * @param problem what is wrong, and what to do
	 */
	constructor(field: string, problem: string) {
		super(`${field}: ${problem}`);
		this.name = 'FieldError';
	}
}
