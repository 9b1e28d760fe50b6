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
	readonly documentedBy: 'contract' | 'public documentation';
	/** Whether it may be performed twice without harm. If not, it is sent again only if it was not applied. */
	readonly isIdempotent: boolean;
	/** What did not happen if this fails, to begin a message with: "The profile was not read". */
	readonly failure: string;
	/**
	 * For a request that changes something: how a message begins where the outcome is unknown, because no
	 * answer tells whether the request was performed: "It is not known whether the link was created".
	 */
	readonly unknownOutcome?: string;
	/** What to do if the service refuses what was sent. */
	readonly badRequestAdvice: string;
	/** Looks for what the operation needs in a success envelope; says what is missing, if it is. */
	readonly findMissing?: (envelope: IDataObject) => string | undefined;
	/** Whether an answer that says nothing of success or failure shows that the change was made. */
	readonly isConfirmedBy?: (envelope: IDataObject) => boolean;
}

/** What the messages about a request depend on. */
export type Wording = Pick<ServiceRequest, 'failure'> &
	Partial<Pick<ServiceRequest, 'unknownOutcome' | 'isIdempotent'>>;

/** What to do where trying again could do harm, in place of trying again later. */
const LOOK_FIRST = 'Look at your profile, and try again only if it did not succeed.';

const TRY_LATER = / Try again later\.$/;

/**
 * Puts a failure of a request in words.
 *
 * @param problem what happened, and what to do
 * @param isNotApplied whether the request certainly had no effect
 */
export function describeFailure(
	{ failure, unknownOutcome, isIdempotent }: Wording,
	problem: string,
	isNotApplied = false,
): string {
	if (!unknownOutcome || isNotApplied) return `${failure}: ${problem}`;
	return isIdempotent
		? `${unknownOutcome}: ${problem}`
		: `${unknownOutcome}: ${problem.replace(TRY_LATER, '')} ${LOOK_FIRST}`;
}
