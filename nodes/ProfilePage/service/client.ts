import { toFailure } from './failure';
import type { Gate } from './gate';
import { isChange, type ServiceRequest, type ServiceResponse } from './request';
import { type Parse, readResponse } from './response';
import { type SendOptions, withRetries } from './retry';

/** The account that requests are sent for. It gets tokens, and has requests signed and sent. */
export interface Account {
	/** What identifies the account. */
	readonly id: string;
	/** What no message may repeat. */
	readonly secrets: ReadonlySet<string>;
	/** Sends a request with an access token, and returns the response, whatever its status. Throws Failure if there is none. */
	send(request: ServiceRequest): Promise<ServiceResponse>;
}

/** How requests are sent, and whether those that change something are not. */
export type ClientOptions = SendOptions & { readonly isPreview?: boolean };

/** Sends the requests of an account, and again after some failures. */
export class Client {
	readonly account: Account;
	/** Whether it sends nothing that changes something. */
	readonly isPreview: boolean;
	readonly #options: SendOptions;
	readonly #gate?: Gate;

	/** @param gate says when each request may start; without it, they start at once */
	constructor(account: Account, options: ClientOptions, gate?: Gate) {
		this.account = account;
		this.isPreview = options.isPreview === true;
		this.#options = options;
		this.#gate = gate;
	}

	/** About how many concurrent requests the service accepts; undefined if it has not asked to slow down. */
	get concurrencyLimit(): number | undefined {
		return this.#gate?.concurrencyLimit;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be repeated, and returns what `parse` returns for the envelope.
	 *
	 * @throws Failure that says what the request was for
	 */
	async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<T> {
		if (this.isPreview && isChange(request)) return parse(request.preview ?? {});
		const send = async () => await this.#send(request, parse);
		const attempt = async (isRetry: boolean) => await (this.#gate?.pass(isRetry, send) ?? send());
		try {
			return await withRetries(attempt, this.#options, request.idempotent);
		} catch (error) {
			throw toFailure(error).of(request);
		}
	}

	async #send<T>(request: ServiceRequest, parse: Parse<T>): Promise<T> {
		const response = await this.account.send(request);
		return readResponse(response, request, parse, this.account.secrets);
	}
}
