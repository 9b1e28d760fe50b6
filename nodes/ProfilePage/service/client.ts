import { isChange } from '../shared/failure';
import type { ServiceRequest, ServiceResponse } from './request';
import { type Parse, readResponse } from './response';
import { retrying, type RetryOptions } from './retrying';

/** The account that requests are sent for. It gets tokens, and has requests signed and sent. */
export interface Account {
	readonly id: string;
	/** Gets an access token, unless there is one. Throws Failure if it cannot. */
	ensureToken(): Promise<void>;
	/**
	 * Sends a request with the access token, and returns the response, whatever its status.
	 *
	 * @throws Failure if there is none, or if it rejects the token, and another one may help
	 */
	exchange(request: ServiceRequest): Promise<ServiceResponse>;
}

/** Sends the requests of an account, and reads the responses. */
export class Client {
	readonly account: Account;
	readonly isPreview: boolean = false;
	readonly #options: RetryOptions;

	constructor(account: Account, options: RetryOptions) {
		this.account = account;
		this.#options = options;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be repeated, and returns what `parse` returns for the envelope.
	 *
	 * @throws Failure that says what the request was for
	 */
	async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<T> {
		const { account } = this;
		const { gate } = this.#options;
		const send = async () => readResponse(await account.exchange(request), request, parse);
		const ensureToken = async () => await account.ensureToken();
		const attempt = async (retry: number) => {
			if (gate) return await gate.enter(retry, ensureToken, send);
			await ensureToken();
			return await send();
		};
		return await retrying(attempt, this.#options, request);
	}
}

/** Sends no change: `parse` gets the fields of its form as if the service returned them, with an ID that no service has: a negative one. */
export class PreviewClient extends Client {
	override readonly isPreview = true;
	#lastId = 0;

	override async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<T> {
		if (!isChange(request)) return await super.request(request, parse);
		this.#lastId -= 1;
		return parse({ data: { ...Object.fromEntries(request.form ?? []), id: this.#lastId } });
	}
}
