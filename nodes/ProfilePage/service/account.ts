import type { Ended } from './failure';
import type { ServiceRequest, ServiceResponse } from './request';

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
	 * Sends a request with a token, and again with another one if the service rejects that. Returns the response, whatever
	 * its status, or why there is none.
	 */
	send(request: ServiceRequest): Promise<Ended<ServiceResponse>>;
}
