import { isChange, type ServiceRequest, type ServiceResponse } from './request';
import { type Parse, readResponse } from './response';
import type { Sender } from './sender';

/** The account that requests are sent for. It gets tokens, and has requests signed and sent. */
export interface Account {
	readonly id: string;
	/** What no message may repeat. */
	readonly secrets: ReadonlySet<string>;
	/** Sends a request with an access token, and returns the response, whatever its status. Throws Failure if there is none. */
	exchange(request: ServiceRequest): Promise<ServiceResponse>;
}

/** Sends the requests of an account, and reads the responses. */
export class Client {
	readonly account: Account;
	/** Whether it sends nothing that changes something, and answers with what it would send. */
	readonly isPreview: boolean;
	readonly #sender: Sender;

	constructor(account: Account, sender: Sender, isPreview = false) {
		this.account = account;
		this.isPreview = isPreview;
		this.#sender = sender;
	}

	/** About how many concurrent requests the service accepts; undefined if it has not asked to slow down. */
	get concurrencyLimit(): number | undefined {
		return this.#sender.concurrencyLimit;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be repeated, and returns what `parse` returns for the envelope.
	 *
	 * @throws Failure that says what the request was for
	 */
	async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<T> {
		if (this.isPreview && isChange(request)) return parse({ data: Object.fromEntries(request.form ?? []) });
		const attempt = async () => {
			const response = await this.account.exchange(request);
			return readResponse(response, request, parse, this.account.secrets);
		};
		return await this.#sender.send(attempt, request);
	}
}
