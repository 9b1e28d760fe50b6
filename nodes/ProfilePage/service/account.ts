import type { Ended, Failure } from './failure';
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
	 * Gets a token if there is none that the service should accept, or returns why there is none. The requests of the
	 * account share it.
	 */
	prepare(): Promise<Failure | undefined>;
	/** Sends a request with the token, and returns the response, whatever its status. */
	exchange(request: ServiceRequest): Promise<Ended<ServiceResponse>>;
}
