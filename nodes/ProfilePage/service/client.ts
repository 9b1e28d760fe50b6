import { readChallenge } from './challenge';
import { TIMED_OUT } from './explain';
import { readExplanation } from './quotes';
import { readResponse } from './response';
import { persist, type RetryOptions, RetryPolicy } from './retry';
import {
	type Account,
	type Ended,
	type Failure,
	isChange,
	type Read,
	type ServiceRequest,
	type ServiceResponse,
	type Token,
} from './types';
import { withTimeout } from './waiting';

/** With how many tokens an attempt is sent before its rejection is final. */
const MAX_TOKENS = 3;

export interface ClientOptions extends RetryOptions {
	/** For one response, in milliseconds. */
	readonly timeout: number;
}

/** Sends the requests of an account: with a token, when the scheduler lets them start, and again after some failures. */
export class Client {
	readonly account: Account;
	readonly #options: ClientOptions;

	constructor(account: Account, options: ClientOptions) {
		this.account = account;
		this.#options = options;
	}

	/**
	 * Sends a request until it succeeds, as far as it may be retried, and returns what `read` returns for the envelope.
	 * Its failure names the request.
	 */
	async send<T extends object>(request: ServiceRequest, read: Read<T>): Promise<Ended<T>> {
		const policy = new RetryPolicy(this.#options, request.idempotent);
		const ended = await persist(async (isRetry) => await this.#attempt(request, read, isRetry), policy);
		return ended.outcome === 'done' ? ended : { ...ended, request };
	}

	/** Sends a request when it may start. If the service rejects the token, sends it again with another one. */
	async #attempt<T extends object>(request: ServiceRequest, read: Read<T>, isRetry: boolean): Promise<Ended<T>> {
		const { scheduler } = this.#options;
		let rejected: string | undefined;
		for (let tokensTried = 1; ; tokensTried += 1) {
			// A request that waits for a token keeps no other from starting.
			const first = await this.account.token(rejected);
			if (first.outcome !== 'done') return first;
			await scheduler?.enter(isRetry || tokensTried > 1);
			let isSuccess = false;
			try {
				// While the request waited, the token may have become due.
				const current = await this.account.token(rejected);
				if (current.outcome !== 'done') return current;
				const token = current.result;
				const response = scheduler?.refusal() ?? (await this.#exchange(request, token));
				if (response.outcome !== 'done') return this.#explain(response, request);
				const isRejected = response.result.statusCode === 401;
				if (isRejected && !token.isNew && tokensTried < MAX_TOKENS) {
					rejected = token.value;
					continue;
				}
				// Another token than one that is new would be rejected too.
				token.isNew &&= isRejected;
				const ended = readResponse(response.result, request, read);
				isSuccess = ended.outcome === 'done';
				return ended.outcome === 'done' ? ended : this.#explain(ended, request, response.result);
			} finally {
				void scheduler?.leave(isSuccess);
			}
		}
	}

	async #exchange(request: ServiceRequest, token: Token): Promise<Ended<ServiceResponse>> {
		const { timeout, signal } = this.#options;
		return await withTimeout(
			timeout,
			signal,
			TIMED_OUT,
			async (abort) => await this.account.exchange(request, token, abort),
		);
	}

	/** Adds what the service said. A request that changes nothing has no unknown outcome. */
	#explain(failure: Failure, request: ServiceRequest, response?: ServiceResponse): Failure {
		const { secrets } = this.account;
		const { description } = readChallenge(response?.headers ?? {});
		const said = readExplanation(response?.body, secrets) ?? readExplanation(description, secrets);
		const isUnknown = failure.outcome === 'unknown' && isChange(request);
		const outcome = failure.outcome === 'unknown' && !isUnknown ? 'rejected' : failure.outcome;
		return { ...failure, outcome, ...(said && { said }) };
	}
}
