import type { ServiceRequest, ServiceResponse } from './request';
import { readResponse } from './response';
import { retrying, type RetryOptions } from './retrying';

/** The account that requests are sent for. It gets tokens, and has requests signed and sent. */
export interface Account {
	readonly id: string;
	/**
	 * Sends a request with an access token, and returns the response, whatever its status. A token that has ended is renewed.
	 *
	 * @throws Failure if there is no token, or no response
	 */
	exchange(request: ServiceRequest): Promise<ServiceResponse>;
}

/** Sends the requests of an account, and reads the responses. */
export class Client {
	readonly account: Account;
	readonly #options: RetryOptions;

	constructor(account: Account, options: RetryOptions) {
		this.account = account;
		this.#options = options;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be repeated, and returns what it reads from the response.
	 *
	 * @throws Failure that says what the request was for
	 */
	async request<T>(request: ServiceRequest<T>): Promise<T> {
		const attempt = async () => readResponse(await this.account.exchange(request), request);
		return await retrying(attempt, this.#options, request);
	}
}
