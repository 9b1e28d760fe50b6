import type { Account } from './account';
import { readChallenge } from './challenge';
import type { Ended, Failure } from './failure';
import { readExplanation } from './quotes';
import { isChange, type ServiceRequest, type ServiceResponse } from './request';
import { type Parse, readResponse } from './response';
import { persist, type RetryOptions } from './retry';

/** With how many tokens an attempt is sent before its rejection is final. */
const MAX_TOKENS = 3;

/** Sends the requests of an account when the scheduler lets them start, and again after some failures. */
export class Client {
	readonly account: Account;
	readonly #options: RetryOptions;

	constructor(account: Account, options: RetryOptions) {
		this.account = account;
		this.#options = options;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be retried, and returns what `parse` returns for the envelope.
	 * Its failure names the request.
	 */
	async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<Ended<T>> {
		const attempt = async (isRetry: boolean) => await this.#attempt(request, parse, isRetry);
		const ended = await persist(attempt, this.#options, request.idempotent);
		return ended.outcome === 'done' ? ended : { ...ended, request };
	}

	/** Sends a request when it may start. If the service rejects the token, sends it again with another one. */
	async #attempt<T>(request: ServiceRequest, parse: Parse<T>, isRetry: boolean): Promise<Ended<T>> {
		const { scheduler } = this.#options;
		for (let tokensTried = 1; ; tokensTried += 1) {
			// A request that waits for a token keeps no other from starting.
			const failure = await this.account.prepare();
			if (failure) return failure;
			const token = { mayBeReplaced: false };
			const exchange = async () => {
				const response = await this.account.exchange(request);
				token.mayBeReplaced = response.outcome === 'done' && response.result.mayReplaceToken === true;
				return this.#read(response, request, parse);
			};
			const ended = await (scheduler ? scheduler.runRequest(isRetry || tokensTried > 1, exchange) : exchange());
			if (!token.mayBeReplaced || tokensTried === MAX_TOKENS) return ended;
		}
	}

	#read<T>(response: Ended<ServiceResponse>, request: ServiceRequest, parse: Parse<T>): Ended<T> {
		if (response.outcome !== 'done') return this.#explain(response, request);
		const ended = readResponse(response.result, request, parse);
		return ended.outcome === 'done' ? ended : this.#explain(ended, request, response.result);
	}

	/** Adds what the service said. A request that changes nothing has no unknown outcome. */
	#explain(failure: Failure, request: ServiceRequest, response?: ServiceResponse): Failure {
		const { secrets } = this.account;
		const { description } = readChallenge(response?.headers ?? {});
		const said = readExplanation(response?.body, secrets) ?? readExplanation(description, secrets);
		const isHarmless = failure.outcome === 'unknown' && !isChange(request);
		return { ...failure, ...(isHarmless && { outcome: 'rejected' }), ...(said && { said }) };
	}
}
