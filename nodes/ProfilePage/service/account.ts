import type { Ended } from './failure';
import type { Secrets } from './quotes';
import type { ServiceRequest, ServiceResponse } from './request';

/** Where the lists of pages and blocks are, as entered in the credential: unchecked, as the contract does not show it. */
export interface ListPaths extends Readonly<Record<'pagesPath' | 'blocksPath', unknown>> {
	/** Without a slash at its end. */
	readonly baseUrl: string;
}

/** An access token, for the account that it was made by. */
export interface AccessToken {
	readonly value: string;
}

/** The account that requests are sent for: it gets tokens, and signs and sends requests. */
export interface Account {
	/** What identifies the account. */
	readonly id: string;
	/** What no message may repeat. */
	readonly secrets: Secrets;
	/**
	 * Returns a token that the service should accept, or why there is none. The requests of the account share it. It is one
	 * that the service has rejected only if another one would be rejected too.
	 */
	token(): Promise<Ended<AccessToken>>;
	/** Sends a request with a token, and returns the response, whatever its status. */
	exchange(request: ServiceRequest, token: AccessToken): Promise<Ended<ServiceResponse>>;
}
