import { publicApp } from '../oauth/publicApp';
import { tokenTimedOut } from '../oauth/tokenEndpoint';
import { NoTokenError, type Problem, ServiceError } from '../shared/errors';
import { ExecutionCanceled, SingleFlight, TimedOut, withTimeout } from '../shared/waiting';
import { cancelSignal, readCredential, type ServiceContext, ServiceCredential } from './credential';
import { grantByN8n } from './n8nRequest';
import { CONNECT_AGAIN, refreshByN8n } from './refresh';
import { withRetries } from './retries';

/** With how many tokens a request is sent before its rejection is final. */
const MAX_TOKENS = 3;

/** The problem of an execution whose credential is now for another service or app. */
export const CREDENTIAL_CHANGED: Problem = {
	problem:
		'the Base URL or the Client ID in the credential was changed while the workflow was running',
	advice: 'Check what was done before, and run the workflow again for the rest.',
};

/** How an execution waits for tokens and responses. */
export interface WaitOptions {
	/** For one response, in milliseconds. */
	readonly timeout: number;
	readonly maxRetries: number;
}

/** A credential with an access token, and what the executions that share it know of the token. */
interface Token {
	readonly credential: ServiceCredential;
	/** Whether it was granted just now, not found in n8n's store. */
	readonly isNew: boolean;
	/** Whether it had expired when it arrived, and is sent until it is rejected. */
	arrivedExpired?: boolean;
	isAccepted?: boolean;
	/** Whether another token would not help. */
	isRejectionFinal?: boolean;
}

const renewals = new SingleFlight<Token>();

/**
 * The access tokens of an execution. Its requests share one token, one token request with its retries, and the result
 * of that. Concurrent executions with the same credential share the token request too (docs/architecture.md).
 */
export class TokenSource {
	readonly #context: ServiceContext;
	readonly #credential: ServiceCredential;
	readonly #options: WaitOptions;
	#token?: Token;
	/** The token that was rejected last; n8n may still store it. */
	#rejected?: string;
	#pending?: Promise<ServiceCredential>;
	#failure?: ServiceError;

	constructor(context: ServiceContext, credential: ServiceCredential, options: WaitOptions) {
		this.#context = context;
		this.#credential = credential;
		this.#options = options;
		if (credential.accessToken) this.#token = { credential, isNew: false };
	}

	/**
	 * Returns the credential with a token that should be accepted.
	 *
	 * @throws ServiceError if there is none, then also for all later requests; ExecutionCanceled; ValidationError if the
	 *   credential was changed and cannot be used any more
	 */
	async get(): Promise<ServiceCredential> {
		if (this.#failure) throw this.#failure;
		if (this.#token && isFresh(this.#token)) return this.#token.credential;
		this.#pending ??= this.#obtain().finally(() => (this.#pending = undefined));
		return await this.#pending;
	}

	accept(credential: ServiceCredential): void {
		if (this.#token?.credential === credential) this.#token.isAccepted = true;
	}

	/**
	 * Notes that the service rejected the token, and returns whether it may accept another one.
	 *
	 * @param tokensTried with how many tokens the request was sent so far
	 */
	reject(credential: ServiceCredential, tokensTried: number): boolean {
		const token = this.#token;
		if (token?.credential !== credential || !isFresh(token)) return tokensTried < MAX_TOKENS;
		const isFinal = tokensTried >= MAX_TOKENS || (token.isNew && !token.isAccepted);
		if (isFinal) token.isRejectionFinal = true;
		if (token.isRejectionFinal) return false;
		this.#rejected = credential.accessToken;
		this.#token = undefined;
		return true;
	}

	async #obtain(): Promise<ServiceCredential> {
		const { maxRetries } = this.#options;
		const signal = cancelSignal(this.#context);
		try {
			const token = await withRetries(async () => await this.#renewInTime(signal), {
				maxRetries,
				signal,
			});
			// Not a copy: executions that share a token share what is known of it.
			token.arrivedExpired = token.credential.isExpired;
			this.#token = token;
			return token.credential;
		} catch (error) {
			// It was retried already: later requests fail fast.
			if (error instanceof ServiceError) this.#failure = asFinal(error);
			const isCanceled = error instanceof ExecutionCanceled;
			throw isCanceled ? new ExecutionCanceled(true) : (this.#failure ?? error);
		}
	}

	/** Stops waiting after the time limit. The renewal goes on: others may wait for it too. */
	async #renewInTime(signal?: AbortSignal): Promise<Token> {
		try {
			return await withTimeout(this.#options.timeout, signal, async () => await this.#renew());
		} catch (error) {
			throw error instanceof TimedOut ? tokenTimedOut({ isShared: true }) : error;
		}
	}

	async #renew(): Promise<Token> {
		const { app, id, account } = this.#credential;
		const key = JSON.stringify([app.credentialType, id, account]);
		const renew = async () => await renewals.run(key, async () => await this.#readOrGrant());
		const token = await renew();
		// The execution that started the renewal may not have known that this token was rejected.
		return token.credential.accessToken === this.#rejected ? await renew() : token;
	}

	/** Another execution, or another process of n8n, may have stored a token meanwhile. */
	async #readOrGrant(): Promise<Token> {
		const stored = await readCredential(this.#context, this.#credential.itemIndex);
		// Half of the items would change one account, and half another.
		if (stored.source !== this.#credential.source) throw new NoTokenError(CREDENTIAL_CHANGED);
		const { accessToken, isExpired } = stored;
		return accessToken && accessToken !== this.#rejected && !isExpired
			? { credential: stored, isNew: false }
			: { credential: await this.#grant(stored), isNew: true };
	}

	async #grant(stored: ServiceCredential): Promise<ServiceCredential> {
		const { app, id, itemIndex } = stored;
		if (app !== publicApp) {
			const data = await grantByN8n(this.#context, stored);
			return new ServiceCredential(app, id, data, itemIndex);
		}
		await refreshByN8n(this.#context, stored);
		const renewed = await readCredential(this.#context, itemIndex);
		if (renewed.accessToken !== this.#rejected) return renewed;
		// n8n accepts any JSON object as new tokens, and keeps the old one.
		const problem = 'the response contains none';
		throw new NoTokenError({ problem, advice: CONNECT_AGAIN });
	}
}

function isFresh({ credential, arrivedExpired }: Token): boolean {
	return arrivedExpired === true || !credential.isExpired;
}

function asFinal({ message, advice, details }: ServiceError): ServiceError {
	return new ServiceError(message, advice, { ...details, isTransient: false, isNotApplied: true });
}
