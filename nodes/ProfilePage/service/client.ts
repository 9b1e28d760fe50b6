import type { Account } from './account';
import { readChallenge } from './challenge';
import type { Ended, Failure } from './failure';
import { quoteSafely } from './quotes';
import { isChange, type ServiceRequest, type ServiceResponse } from './request';
import { type Parse, readResponse } from './response';
import { persist, type RetryOptions } from './retry';
import type { Scheduler } from './scheduler';

/** Sends the requests of an account, and again after some failures. */
export class Client {
	readonly account: Account;
	readonly #options: RetryOptions;
	readonly #scheduler?: Scheduler;

	/** @param scheduler says when each request may start; without it, they start at once */
	constructor(account: Account, options: RetryOptions, scheduler?: Scheduler) {
		this.account = account;
		this.#options = options;
		this.#scheduler = scheduler;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be retried, and returns what `parse` returns for the envelope.
	 * Its failure names the request.
	 */
	async request<T>(request: ServiceRequest, parse: Parse<T>): Promise<Ended<T>> {
		const scheduler = this.#scheduler;
		const send = async () => this.#read(await this.account.send(request), request, parse);
		const attempt = async (isRetry: boolean) => await (scheduler?.run(isRetry, send) ?? send());
		const ended = await persist(attempt, { ...this.#options, idempotent: request.idempotent, scheduler });
		return ended.outcome === 'done' ? ended : { ...ended, request };
	}

	#read<T>(response: Ended<ServiceResponse>, request: ServiceRequest, parse: Parse<T>): Ended<T> {
		if (response.outcome !== 'done') return this.#withWords(response, request);
		const ended = readResponse(response.result, request, parse);
		return ended.outcome === 'done' ? ended : this.#withWords(ended, request, response.result);
	}

	/** Adds what the service said. A request that changes nothing has no unknown outcome. */
	#withWords(failure: Failure, request: ServiceRequest, response?: ServiceResponse): Failure {
		const { secrets } = this.account;
		const { description } = readChallenge(response?.headers ?? {});
		const said = quoteSafely(response?.body, secrets) ?? quoteSafely(description, secrets);
		const isHarmless = failure.outcome === 'unknown' && !isChange(request);
		return { ...failure, ...(isHarmless && { outcome: 'rejected' }), ...(said && { said }) };
	}
}
