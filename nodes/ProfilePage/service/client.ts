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
	async send<T>(request: ServiceRequest, read: Read<T>): Promise<Ended<T>> {
		const policy = new RetryPolicy(this.#options, request.idempotent);
		const ended = await persist(async (isRetry) => await this.#attempt(request, read, isRetry), policy);
		return ended.outcome === 'done' ? ended : { ...ended, request };
	}

	/** Sends a request when it may start. If the service rejects the token, sends it again with another one. */
	async #attempt<T>(request: ServiceRequest, read: Read<T>, isRetry: boolean): Promise<Ended<T>> {
		const { scheduler } = this.#options;
		let rejected: string | undefined;
		for (let tokensTried = 1; ; tokensTried += 1) {
			// A request that waits for a token keeps no other from starting.
			const first = await this.account.token(rejected);
			if (first.outcome !== 'done') return first;
			let token = first.result;
			const send = async () => {
				// While the request waited, the token may have become due.
				const current = await this.account.token(rejected);
				if (current.outcome !== 'done') return current;
				token = current.result;
				return await this.#exchange(request, token, read);
			};
			const ended = await (scheduler ? scheduler.request(isRetry || tokensTried > 1, send) : send());
			const isRejected = ended.outcome !== 'done' && ended.kind === 'request' && ended.status === 401;
			if (!isRejected || token.isNew || tokensTried === MAX_TOKENS) return ended;
			rejected = token.value;
		}
	}

	async #exchange<T>(request: ServiceRequest, token: Token, read: Read<T>): Promise<Ended<T>> {
		const { timeout, signal } = this.#options;
		const response = await withTimeout(
			timeout,
			signal,
			TIMED_OUT,
			async (abort) => await this.account.exchange(request, token, abort),
		);
		if (response.outcome !== 'done') return this.#explain(response, request);
		// One that is rejected stays new: any other token would be rejected too.
		if (response.result.statusCode !== 401) token.isNew = false;
		const ended = readResponse(response.result, request, read);
		return ended.outcome === 'done' ? ended : this.#explain(ended, request, response.result);
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
