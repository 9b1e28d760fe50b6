import type { Ended, Failure } from './failure';
import { quoteSafely, type Secrets } from './quotes';
import { isChange, type ServiceRequest, type ServiceResponse } from './request';
import { type Parse, settleResponse } from './response';
import { type SendOptions, withRetries } from './retry';
import type { Scheduler } from './scheduler';
import { readChallenge } from './status';

/** An access token of an {@link Account}. */
export interface AccessToken {
	readonly value: string;
}

/** The account that requests are sent for: it gets tokens, and signs and sends requests. */
export interface Account {
	/** What identifies the account. */
	readonly id: string;
	/** What no message may repeat. */
	readonly secrets: Secrets;
	/** Returns the token for the next request, or why there is none. It is the same for all requests until it is rejected. */
	token(): Promise<Ended<AccessToken>>;
	/** Notes that the service rejected a token. Returns whether the next one is another: not if this one was new, as another would not help. */
	reject(token: AccessToken): boolean;
	/** Sends a request with a token, and returns the response, whatever its status. */
	exchange(request: ServiceRequest, token: AccessToken): Promise<Ended<ServiceResponse>>;
}

/** With how many tokens a request is sent before their rejection is final. */
const MAX_TOKENS = 3;

/** Sends the requests of an account, and again after some failures. */
export class Client {
	readonly account: Account;
	readonly #options: SendOptions;
	readonly #scheduler?: Scheduler;

	/** @param scheduler says when each request may start; without it, they start at once */
	constructor(account: Account, options: SendOptions, scheduler?: Scheduler) {
		this.account = account;
		this.#options = options;
		this.#scheduler = scheduler;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be retried, and returns what `parse` returns for the envelope.
	 * Its failure says what the request was for.
	 */
	async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<Ended<T>> {
		const attempt = async (isRetry: boolean) => await this.#attempt(request, parse, isRetry);
		const ended = await withRetries(attempt, this.#options, request.idempotent, this.#scheduler);
		return ended.outcome === 'done' ? ended : { ...ended, purpose: request };
	}

	/** Sends a request when it may start, and again with another token if the service rejects the first. */
	async #attempt<T>(request: ServiceRequest, parse: Parse<T>, isRetry: boolean): Promise<Ended<T>> {
		const { account } = this;
		for (let tokensTried = 1; ; tokensTried += 1) {
			// Before the request is scheduled, so that no request waits for a token while it counts as in flight.
			const token = await account.token();
			if (token.outcome !== 'done') return token;
			const send = async () => this.#read(await account.exchange(request, token.result), request, parse);
			const ended = await (this.#scheduler?.schedule(isRetry || tokensTried > 1, send) ?? send());
			const isRejected = ended.outcome !== 'done' && ended.status === 401;
			const mayUseAnother = isRejected && account.reject(token.result) && tokensTried < MAX_TOKENS;
			if (!mayUseAnother) return ended;
		}
	}

	#read<T>(response: Ended<ServiceResponse>, request: ServiceRequest, parse: Parse<T>): Ended<T> {
		if (response.outcome !== 'done') return this.#complete(response, request);
		const ended = settleResponse(response.result, request, parse);
		return ended.outcome === 'done' ? ended : this.#complete(ended, request, response.result);
	}

	/** Adds what is known of the response and the request: what the service said; and that a request that changes nothing is not applied. */
	#complete(failure: Failure, request: ServiceRequest, response?: ServiceResponse): Failure {
		const { secrets } = this.account;
		const { description } = readChallenge(response?.headers ?? {});
		const said = quoteSafely(response?.body, secrets) ?? quoteSafely(description, secrets);
		const changedNothing = failure.outcome === 'unknown' && failure.kind !== 'stopped' && !isChange(request);
		return { ...failure, ...(changedNothing && { outcome: 'not applied' }), ...(said && { said }) };
	}
}
