import { Attempts, type RetryOptions } from '../http/attempts';
import { ExecutionCanceled, noToken, type Problem, ServiceError } from '../shared/errors';
import { SingleFlight, TimedOut, withTimeout } from '../shared/waiting';
import { type Credential, isDue, type NodeContext } from './app';
import { readCredential, toCredential } from './credential';
import { TOKEN_TIMEOUT } from './tokenFailures';

/** With how many tokens an attempt is sent before its rejection is final. */
const MAX_TOKENS = 3;

/** How long a failure that may go away by itself counts for all requests, after its retries. */
const FAILURE_LASTS_MS = 2000;

/** The problem of an execution whose credential is now for another service or app. */
export const CREDENTIAL_CHANGED: Problem = {
	problem: 'the Base URL or the Client ID in the credential was changed while the workflow was running',
	advice: 'Check what was done before, and run the workflow again for the rest.',
};

/** How an execution waits for tokens and responses. */
export interface WaitOptions extends Pick<RetryOptions, 'maxRetries' | 'maxWait' | 'signal'> {
	/** For one response, in milliseconds. */
	readonly timeout: number;
}

/** By app, so that concurrent executions share a token request, and wait until n8n has stored the token. */
const renewals = new SingleFlight<Credential>();

/** The access tokens of an execution for one app. Its requests share a token, or the reason why there is none. */
export class Tokens {
	readonly #context: NodeContext;
	readonly #options: WaitOptions;
	/** The credential when the execution began. */
	readonly #initial: Credential;
	/** The credential with the token to send; undefined if that was rejected. */
	#current?: Credential;
	/** The token that was rejected last; n8n may still store it. */
	#rejected?: string;
	#pending?: Promise<Credential>;
	/** Why there is no token, and until when this counts, in milliseconds since 1970. */
	#failure?: { readonly error: ServiceError; readonly until: number };

	constructor(context: NodeContext, credential: Credential, options: WaitOptions) {
		this.#context = context;
		this.#options = options;
		this.#initial = credential;
		this.#current = credential;
	}

	/**
	 * Returns the credential with a token that should be accepted.
	 *
	 * @throws ServiceError if there is none, then also for later requests; ExecutionCanceled
	 */
	async get(): Promise<Credential> {
		if (this.#failure && Date.now() < this.#failure.until) throw this.#failure.error;
		if (this.#current?.token && !isDue(this.#current.token)) return this.#current;
		return await (this.#pending ??= this.#obtain());
	}

	/**
	 * Notes that the service rejected the token of a credential, and returns whether it may accept another one.
	 *
	 * @param tokensTried with how many tokens the attempt was sent so far
	 */
	reject(credential: Credential, tokensTried: number): boolean {
		if (tokensTried >= MAX_TOKENS) return false;
		// Another request has replaced it already.
		if (this.#current !== credential) return true;
		// Another one would be rejected too.
		if (credential.hasNewToken) return false;
		this.#rejected = credential.token?.value;
		this.#current = undefined;
		return true;
	}

	async #obtain(): Promise<Credential> {
		const { timeout, signal } = this.#options;
		const attempts = new Attempts(this.#options);
		for (;;) {
			try {
				this.#current = await withTimeout(timeout, signal, this.#renew);
				this.#pending = undefined;
				return this.#current;
			} catch (error) {
				// The renewal goes on: others may wait for it too.
				const timedOut = noToken(TOKEN_TIMEOUT, { isTransient: true, isCounted: true });
				const { final, wait } = attempts.fail(error instanceof TimedOut ? timedOut : error);
				if (final) throw this.#remember(final) as Error;
				await wait;
			}
		}
	}

	/** Returns the error of a renewal that was retried already: other requests fail fast. */
	#remember(error: unknown): unknown {
		this.#pending = undefined;
		if (error instanceof ExecutionCanceled) return new ExecutionCanceled();
		// An error of n8n, or of a credential that can no longer be used, does not say that the request was not sent.
		if (!(error instanceof ServiceError)) {
			const { message: problem, advice = 'Check the credential.' } = error as Error & Partial<Problem>;
			return noToken({ problem, advice });
		}
		const { isTransient, retryAfter = 0 } = error.details;
		const until = isTransient ? Date.now() + Math.max(FAILURE_LASTS_MS, retryAfter) : Infinity;
		this.#failure = { error: error.with({ isTransient: false, isCounted: true }), until };
		return this.#failure.error;
	}

	readonly #renew = async (): Promise<Credential> => {
		const { identity, binding } = this.#initial;
		const credential = await renewals.run(identity + binding, this.#readOrRenew);
		// The execution that started the renewal may not have known that this token was rejected here.
		const isRejected = credential.token?.value === this.#rejected;
		return isRejected ? await renewals.run(identity + binding, this.#readOrRenew) : credential;
	};

	readonly #readOrRenew = async (): Promise<Credential> => {
		const stored = await readCredential(this.#context, this.#initial.itemIndex);
		// Half of the items would change one account, and half another.
		if (stored.identity !== this.#initial.identity) throw noToken(CREDENTIAL_CHANGED);
		// Another execution, or another process of n8n, may have stored a token meanwhile.
		if (stored.token && stored.token.value !== this.#rejected && !isDue(stored.token)) return stored;
		const data = await stored.app.renew(this.#context, stored, this.#rejected);
		const renewed = { ...toCredential({ ...stored, data }), hasNewToken: true };
		const { token } = renewed;
		// A token that is due when it arrives is used until it is rejected.
		return token && isDue(token) ? { ...renewed, token: { ...token, renewAt: Infinity } } : renewed;
	};
}
