import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** What a request or a call is for, in the words of messages about it. */
export interface Purpose {
	/** `GET` if it changes nothing. */
	readonly method: IHttpRequestMethods;
	/** What it is about, in the middle of a sentence, such as `the link "My video"`. */
	readonly subject: string;
	/** What the request does to it, such as "was", "created". */
	readonly effect: readonly ['was' | 'were', string];
}

export interface ServiceRequest extends Purpose {
	/** Whether it may be sent twice without harm. If not, it is sent again only if it was not applied. */
	readonly idempotent: boolean;
	/** As documented, with its leading slash. It may have a query. */
	readonly path: string;
	/** A body with fields. Lists and objects are sent as JSON. */
	readonly form?: ReadonlyArray<readonly [name: string, value: string | readonly IDataObject[]]>;
	readonly json?: string;
	/** Whether its response is not documented. Then any response is a success that does not say otherwise. */
	readonly isUndocumented?: boolean;
	/** Whether a response without `status` shows the change, such as by the ID of a new link. */
	readonly confirms?: (envelope: IDataObject) => boolean;
	/** What to do if the service rejects it. */
	readonly advice: string;
	/** The envelope that a preview reads in place of a response; by default, an empty one. */
	readonly preview?: IDataObject;
	/** What to do if the service has nothing at this path, which is not in the contract. */
	readonly ifNotFound?: string;
}

/** Whether a request changes something, so that it must be known whether it was applied. */
export function isChange({ method }: Pick<Purpose, 'method'>): boolean {
	return method !== 'GET';
}

/** A response of the service. The names of its headers are in lower case; the body is parsed if it was JSON. */
export interface ServiceResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
}

export function isSuccess({ statusCode }: Pick<ServiceResponse, 'statusCode'>): boolean {
	return statusCode >= 200 && statusCode <= 299;
}
