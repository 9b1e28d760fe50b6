import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** One call of the service's API. */
export interface ServiceRequest {
	readonly method: IHttpRequestMethods;
	/** As the documentation gives it, with its leading slash. */
	readonly path: string;
	/** The fields of the query. */
	readonly query?: Readonly<Record<string, string>>;
	/** The fields of a form-encoded body. */
	readonly form?: Readonly<Record<string, string>>;
	/**
	 * What is known of the call: it stands in the service's contract, or in the public documentation of
	 * a service with the same API. The service at hand may then differ.
	 */
	readonly basis: 'contract' | 'public documentation';
	/** What did not happen if this fails, to begin a message with: "The profile was not read". */
	readonly failure: string;
	/**
	 * For a request that must not be carried out twice, such as a create, and for no other: what to begin
	 * the message with where it may have been carried out, though no answer says so: "It is not known
	 * whether the link was created". It is sent again only where it certainly was not carried out.
	 */
	readonly doubt?: string;
	/** What to do if the service refuses what was sent. */
	readonly badRequestAdvice: string;
	/** Looks for what the operation needs in a success envelope; says what is missing, if it is. */
	readonly findMissing?: (envelope: IDataObject) => string | undefined;
}

const LOOK_FIRST = 'Before you try again, look whether it was done after all.';

/**
 * Puts a failure of a request in words.
 *
 * @param problem what happened, and what to do
 * @param isNotDone whether the request certainly was not carried out
 */
export function describeFailure(
	{ failure, doubt }: Pick<ServiceRequest, 'failure' | 'doubt'>,
	problem: string,
	isNotDone = false,
): string {
	return doubt && !isNotDone ? `${doubt}: ${problem} ${LOOK_FIRST}` : `${failure}: ${problem}`;
}
