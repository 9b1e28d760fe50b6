import type { IDataObject, IHttpRequestMethods, INodeListSearchItems } from 'n8n-workflow';

/**
 * What became of a request, from the most harmless to the worst: it was not sent, certainly not applied, may have been
 * applied, or was confirmed. The worst of its attempts counts, unless one of them succeeded.
 */
export type Outcome = 'not sent' | 'rejected' | 'unknown' | 'done';

/** Why something was not done. It is data: `words.ts` puts it into words where n8n takes it. */
export interface Failure {
	readonly outcome: Exclude<Outcome, 'done'>;
	/** What failed: a field of the node or the credential, the token, the request; or the execution was stopped before. */
	readonly kind: 'field' | 'token' | 'request' | 'stopped';
	/** What went wrong, as the end of a sentence: "the service rejected the order". */
	readonly problem: string;
	/** What the user can do about this problem, in full sentences. What follows from the other properties is not in it. */
	readonly advice?: string;
	/** Whether it may go away by itself: soon enough for a retry, or later. */
	readonly passes?: 'soon' | 'later';
	/** The HTTP status of the response. */
	readonly status?: number;
	/** A code of RFC 6749, section 5.2, such as invalid_grant, or of the connection, such as ETIMEDOUT. */
	readonly code?: string;
	/** How long the service asks to wait before a retry, in milliseconds. */
	readonly retryAfter?: number;
	/** When the service accepts requests again, if a request cannot wait for it, in milliseconds since 1970. */
	readonly waitUntil?: number;
	/** The service's own words, without secrets. */
	readonly said?: string;
	/** How often it was tried, if that is known. */
	readonly attempts?: number;
	/** The request that it is about. */
	readonly request?: ServiceRequest;
	/** The request that was not sent because of this one, such as a creation that looks at the list first. */
	readonly prevented?: ServiceRequest;
	/** The request of an earlier try of the node that may have been applied, though this one was not. */
	readonly earlier?: ServiceRequest;
	/** The error of n8n that says the same, to be shown as it is. */
	readonly cause?: Error;
}

/** Something that was done. */
export interface Done<T> {
	readonly outcome: 'done';
	readonly result: T;
	/** Whether the response itself shows the change, such as the ID of a new link. It counts only if `status` does not decide. */
	readonly isConfirmed?: boolean;
}

/** How something ended: with a result, or a failure. */
export type Ended<T> = Done<T> | Failure;

export function done<T>(result: T, isConfirmed?: boolean): Done<T> {
	return { outcome: 'done', result, isConfirmed };
}

/** Returns what a result becomes; a failure stays as it is. */
export function mapDone<T, R>(ended: Ended<T>, change: (result: T) => R): Ended<R> {
	return ended.outcome === 'done' ? { ...ended, result: change(ended.result) } : ended;
}

/** Returns a failure of a request whose response arrived; without another outcome, that is unknown. */
export function failed(problem: string, advice?: string, others: Partial<Failure> = {}): Failure {
	return { outcome: 'unknown', kind: 'request', problem, advice, ...others };
}

/** The execution was canceled, or the node ended because of another request. */
export const STOPPED: Failure = { outcome: 'not sent', kind: 'stopped', problem: 'The execution was canceled' };

const OUTCOMES = ['not sent', 'rejected', 'unknown'] as const;

/** Returns the outcome of something that was tried twice, both times in vain. */
export function worst(one: Failure['outcome'], other: Failure['outcome']): Failure['outcome'] {
	return OUTCOMES.indexOf(one) > OUTCOMES.indexOf(other) ? one : other;
}

/** Thrown by the readers of fields, and by credentials. Its message is the whole text. */
export class Failed extends Error {
	constructor(
		readonly failure: Failure,
		text = failure.problem,
	) {
		super(text);
	}
}

/** Returns the error for a field of the node or the credential, by its name in the editor, that cannot be used. */
export function invalid(field: string, problem: string, advice?: string): Failed {
	return new Failed({ outcome: 'not sent', kind: 'field', problem: `${field}: ${problem}`, advice });
}

/** What happened, and what to do about it. */
export type Explanation = readonly [problem: string, advice?: string];

/** Explanations by HTTP status, such as 404, or range, such as "4xx". */
export type StatusExplanations = Readonly<Record<number | string, Explanation>>;

/** Turns the envelope of a 2xx response, the JSON object with `status` and the payload, into a result. */
export type Read<T> = (envelope: IDataObject) => Ended<T>;

/** A request to the service, and the words for messages about it. */
export interface ServiceRequest {
	readonly method: IHttpRequestMethods;
	/** As documented, with its leading slash. It may have a query. */
	readonly path: string;
	/** A body with fields. */
	readonly form?: Readonly<Record<string, string>> | ReadonlyArray<[string, string]>;
	/** A body in JSON. */
	readonly json?: string;
	/** Whether it may be performed twice without harm. If not, it is resent only if it was not applied. */
	readonly idempotent: boolean;
	/** Given if the response is unknown: then any that does not say otherwise is a success, not only one that says so. */
	readonly success?: 'unless denied';
	/** What statuses mean for it in particular; `body` explains a body that is not JSON. */
	readonly statuses?: StatusExplanations;
	/** What it is about, in the middle of a sentence, such as `the link "My video"`. */
	readonly subject: string;
	/** What happens to that. */
	readonly effect: readonly ['was' | 'were', string];
	/** What to do if the service rejects it. */
	readonly advice: string;
}

/** Whether a request changes something, so that it must be known whether it was performed. */
export function isChange({ method }: Pick<ServiceRequest, 'method'>): boolean {
	return method !== 'GET';
}

/** A response of the service. The names of its headers are in lower case; the body is parsed if it was JSON. */
export interface ServiceResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
}

/** An access token that the service should accept. */
export interface Token {
	readonly value: string;
	/** Whether it was granted just now, and the service has not accepted it yet. */
	isNew: boolean;
}

/** Where the lists of pages and blocks are, as entered in the credential: unchecked, as the contract does not show it. */
export interface ListPaths extends Readonly<Record<'pagesPath' | 'blocksPath', unknown>> {
	/** Without a slash at its end. */
	readonly baseUrl: string;
}

/** The account that requests are sent for: it gets tokens, and signs and sends requests. */
export interface Account {
	/** What identifies the account. */
	readonly id: string;
	/** What no message may repeat. */
	readonly secrets: ReadonlySet<string>;
	readonly paths: ListPaths;
	/**
	 * Returns a token that should be accepted, for all requests the same, or why there is none.
	 *
	 * @param rejected the token that the service rejected, of which another one is returned
	 */
	token(rejected?: string): Promise<Ended<Token>>;
	/** Sends a request with a token, and returns the response, whatever its status. */
	exchange(request: ServiceRequest, token: Token, signal: AbortSignal): Promise<Ended<ServiceResponse>>;
}

/** A list that the editor loads from the service. */
export interface ChoiceList {
	/** Its request; or how to make it of the paths in the credential, and the fields of the node, which may throw Failed. */
	readonly request: ServiceRequest | ((paths: ListPaths, field: (name: string) => unknown) => ServiceRequest);
	/** Reads a success envelope. */
	readonly read: Read<INodeListSearchItems[]>;
}
