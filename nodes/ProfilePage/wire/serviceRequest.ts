import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** One call of the service's API. Sent twice, it must do no harm. */
export interface ServiceRequest {
	readonly method: IHttpRequestMethods;
	/** As the contract gives it, with its leading slash. */
	readonly path: string;
	/** The fields of a form-encoded body. */
	readonly form?: Readonly<Record<string, string>>;
	/** What did not happen if this fails, to begin a message with: "The profile was not read". */
	readonly failure: string;
	/** What to do if the service refuses what was sent. */
	readonly badRequestAdvice: string;
	/** Looks for what the operation needs in a success envelope; says what is missing, if it is. */
	readonly findMissing?: (envelope: IDataObject) => string | undefined;
}
