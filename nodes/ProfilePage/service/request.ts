import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Explanations } from '../http/failures';

/** Turns the envelope of a 2xx response into a result. */
export type Read<T> = (envelope: IDataObject) => T;

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
	/** What statuses mean for it in particular; `body` explains what to do about a body that is not JSON. */
	readonly statuses?: Explanations & { readonly body?: string };
	/** What it is about, such as `The link "My video"`. */
	readonly subject: string;
	/** What happens to that, such as "was created". */
	readonly effect: `${'was' | 'were'} ${string}`;
	/** What to do if the service rejects it. */
	readonly advice: string;
}
