import type { IDataObject } from 'n8n-workflow';

import type { Purpose } from '../shared/failure';

/** A request, and how its response is read. */
export interface ServiceRequest<T = unknown> extends Purpose {
	/** As documented, with its leading slash. It may have a query. */
	readonly path: string;
	/** A body with fields. Lists and objects are sent as JSON. */
	readonly form?: ReadonlyArray<readonly [name: string, value: string | readonly IDataObject[]]>;
	readonly json?: string;
	/** Whether its response is not documented. Then any response is a success that does not say otherwise. */
	readonly isUndocumented?: boolean;
	/** Whether a response shows the change, such as by the ID of a new link. Then it is a success, unless its status says otherwise. */
	readonly confirms?: (envelope: IDataObject) => boolean;
	/** Returns what a success contains, from its envelope. Throws Failure if it lacks that. */
	readonly read: (envelope: IDataObject) => T;
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
}

export function isSuccess({ statusCode }: ServiceResponse): boolean {
	return statusCode >= 200 && statusCode <= 299;
}
