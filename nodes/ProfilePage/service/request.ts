import type { IDataObject } from 'n8n-workflow';

import type { Purpose, Repeat } from '../shared/failure';

export interface ServiceRequest extends Purpose {
	readonly repeat: Exclude<Repeat, 'afterLooking'>;
	/** As documented, with its leading slash. It may have a query. */
	readonly path: string;
	/** A body with fields. Lists and objects are sent as JSON. */
	readonly form?: ReadonlyArray<readonly [name: string, value: string | readonly IDataObject[]]>;
	readonly json?: string;
	/** Whether its response is not documented. Then any response is a success that does not say otherwise. */
	readonly isUndocumented?: boolean;
	/** Whether a response shows the change, such as by the ID of a new link. */
	readonly confirms?: (envelope: IDataObject) => boolean;
	/** What to do if the service rejects it. */
	readonly advice: string;
	/** What to do if the service has nothing at this path, which is not in the contract. */
	readonly ifNotFound?: string;
}

/** A response of the service. The names of its headers are in lower case; the body is parsed if it was JSON. */
export interface ServiceResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
	/** The service's own words in it, without secrets. */
	readonly said?: string;
	/** The path of the Base URL that it was sent to; empty if that is a host alone. */
	readonly basePath?: string;
}

export function isSuccess({ statusCode }: ServiceResponse): boolean {
	return statusCode >= 200 && statusCode <= 299;
}
