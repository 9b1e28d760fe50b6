import { Attempts } from '../http/attempts';
import { ExecutionCanceled, noToken, type Problem, ServiceError } from '../shared/errors';
import { SingleFlight, TimedOut, withTimeout } from '../shared/waiting';
import { isDue, type NodeContext } from './app';
import { type Credential, readCredential, toCredential } from './credential';
import { tokenTimedOut } from './tokenFailures';

/** With how many tokens a request is sent before its rejection is final. */
const MAX_TOKENS = 3;

/** How long a failure that may go away by itself counts for all requests, after its retries. */
const FAILURE_LASTS_MS = 2000;

/** The problem of an execution whose credential is now for another service or app. */
export const CREDENTIAL_CHANGED: Problem = {
	problem: 'the Base URL or the Client ID in the credential was changed while the workflow was running',
	advice: 'Check what was done before, and run the workflow again for the rest.',
};

/** How an execution waits for tokens and responses. */
export interface WaitOptions {
	/** For one response, in milliseconds. */
	readonly timeout: number;
	readonly maxRetries: number;
	/** For all waits before retries of one request, in milliseconds; 90 seconds if left out. */
	readonly maxWait?: number;
	/** Cancels the execution. */
	readonly signal?: AbortSignal;
}

/** A credential with an access token, and what the executions that share it know of the token. */
export interface SharedToken {
	readonly credential: Credential;
	/** Until when it is sent, in milliseconds since 1970. If it was due when it arrived, until it is rejected. */
	readonly usableUntil: number;
	/** Whether it was granted just now, not found in n8n's store. */
	readonly isNew: boolean;
	isAccepted?: boolean;
}

/** By app, so that concurrent executions share a token request, and wait until n8n has stored the token. */
const renewals = new SingleFlight<SharedToken>();

/** The access tokens of an execution for one app. Its requests share a token, or the reason why there is none. */
export class Tokens {
	readonly #context: NodeContext;
	readonly #credential: Credential;
	readonly #options: WaitOptions;
	#token?: SharedToken;
	/** The token that was rejected last; n8n may still store it. */
	#rejected?: string;
	#pending?: Promise<SharedToken>;
	#failure?: unknown;
	/** When a failure is forgotten, in milliseconds since 1970. */
	#forgetAt = Infinity;

	constructor(context: NodeContext, credential: Credential, options: WaitOptions) {
		this.#context = context;
		this.#credential = credential;
		this.#options = options;
		if (credential.token) {
			this.#token = { credential, usableUntil: credential.token.renewAt, isNew: false };
		}
	}

	/**
	 * Returns the credential with a token that should be accepted.
	 *
	 * @throws ServiceError if there is none, then also for later requests; ExecutionCanceled; ValidationError if the
	 *   credential was changed and cannot be used any more
	 */
	async get(): Promise<SharedToken> {
		if (Date.now() >= this.#forgetAt) this.#failure = undefined;
		if (this.#failure) throw this.#failure as Error;
		if (this.#token && Date.now() < this.#token.usableUntil) return this.#token;
		return await (this.#pending ??= this.#obtain());
	}

	/**
	 * Notes that the service rejected a token, and returns whether it may accept another one.
	 *
	 * @param tokensTried with how many tokens the request was sent so far
	 */
	reject(token: SharedToken, tokensTried: number): boolean {
		if (tokensTried >= MAX_TOKENS) return false;
		if (this.#token !== token) return true;
		// Another one would be rejected too.
		if (token.isNew && !token.isAccepted) return false;
		this.#rejected = token.credential.token?.value;
		this.#token = undefined;
		return true;
	}

	async #obtain(): Promise<SharedToken> {
		const { timeout, signal } = this.#options;
		const attempts = new Attempts(this.#options);
		for (;;) {
			try {
				this.#token = await withTimeout(timeout, signal, async () => await this.#renew());
				this.#pending = undefined;
				return this.#token;
			} catch (error) {
				// The renewal goes on: others may wait for it too.
				const reason = error instanceof TimedOut ? tokenTimedOut({ isShared: true }) : error;
				const final = await attempts.next(reason);
				if (final) throw this.#remember(final) as Error;
			}
		}
	}

	/** It was retried already: other requests fail fast. */
	#remember(error: unknown): unknown {
		this.#pending = undefined;
		if (error instanceof ExecutionCanceled) return new ExecutionCanceled();
		if (!(error instanceof ServiceError)) return error;
		const { isTransient, retryAfter = 0 } = error.details;
		const lasts = Math.max(FAILURE_LASTS_MS, retryAfter);
		this.#forgetAt = isTransient ? Date.now() + lasts : Infinity;
		return (this.#failure = error.with({ isTransient: false, isFinal: true }));
	}

	/** The execution that started the renewal may not have known that the token was rejected here. */
	async #renew(): Promise<SharedToken> {
		const { identity, binding } = this.#credential;
		for (let times = 1; ; times += 1) {
			const token = await renewals.run(identity + binding, async () => await this.#readOrRenew());
			const isRejected = token.credential.token?.value === this.#rejected;
			if (!isRejected || times === 2) return token;
		}
	}

	/** Another execution, or another process of n8n, may have stored a token meanwhile. */
	async #readOrRenew(): Promise<SharedToken> {
		const [context, rejected] = [this.#context, this.#rejected];
		const stored = await readCredential(context, this.#credential.itemIndex);
		// Half of the items would change one account, and half another.
		if (stored.identity !== this.#credential.identity) throw noToken(CREDENTIAL_CHANGED);
		const { app, data, itemIndex, token } = stored;
		const isUsable = token !== undefined && token.value !== rejected && !isDue(token);
		if (isUsable) return { credential: stored, usableUntil: token.renewAt, isNew: false };
		const renewed = await app.renew(context, { data, itemIndex, rejected });
		const credential = toCredential({ ...stored, data: renewed });
		const { renewAt = Infinity } = credential.token ?? {};
		return { credential, usableUntil: Date.now() < renewAt ? renewAt : Infinity, isNew: true };
	}
}
