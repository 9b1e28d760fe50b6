import { isExpired, readCredential, type ServiceCredential, withData } from '../authentication';
import { ExecutionStopped, NoTokenError, ServiceError, TimeLimitReached } from '../errors';
import { cancelSignal, type ServiceContext } from '../serviceContext';
import { withTimeout } from '../waiting';
import { grantByN8n } from './n8nRequest';
import { explainUnchangedToken, refreshByN8n } from './refresh';
import { withRetries } from './retries';
import { SingleFlight } from './singleFlight';
import { NO_TOKEN_IN_TIME } from './tokenEndpoint';

/** With how many tokens a request is sent before its refusal is believed. */
const MAX_TOKENS = 3;

/** How an execution waits for tokens and answers. */
export interface WaitOptions {
	/** How long the service may take for an answer, in milliseconds. */
	readonly timeout: number;
	/** How often to try again after a transient failure. */
	readonly maxRetries: number;
}

/** A credential with an access token, and what is known of the token. */
interface Token {
	readonly credential: ServiceCredential;
	/** Whether it was granted just now, and not found in n8n's store. */
	readonly isNew: boolean;
	/** Whether the service has accepted it before. */
	isProven?: boolean;
	/** Whether its refusal is believed, so that another grant would not help. */
	isRefusedForGood?: boolean;
	/** Whether it had expired when it arrived, because its lifetime is shorter than getting it takes. */
	hasArrivedExpired?: boolean;
}

/** The grants in progress in this process, by the app that they are for. */
const renewals = new SingleFlight<Token>();

/**
 * The access tokens of an execution. Its requests share a token; where there is none, they share one
 * grant, its retries and its outcome. Executions that need a token for the same app at the same time
 * share the grant too.
 */
export class TokenSource {
	#token?: Token;
	/** The token that was refused last; n8n may still store it. */
	#refused?: string;
	#obtaining?: Promise<ServiceCredential>;
	#failure?: NoTokenError;

	/** @param itemIndex the item that the credential was read for */
	constructor(
		private readonly context: ServiceContext,
		private readonly credential: ServiceCredential,
		private readonly itemIndex: number,
		private readonly options: WaitOptions,
	) {
		if (credential.accessToken) this.#token = { credential, isNew: false };
	}

	/**
	 * @returns the credential with an access token that is usable as far as is known
	 * @throws NoTokenError if there is none, then and ever after
	 * @throws FieldError if the credential was changed and can't be used any more
	 * @throws ExecutionStopped if the execution was stopped
	 */
	async get(): Promise<ServiceCredential> {
		if (this.#failure) throw this.#failure;
		if (this.#token && isFresh(this.#token)) return this.#token.credential;
		this.#obtaining ??= this.#obtain().finally(() => (this.#obtaining = undefined));
		return await this.#obtaining;
	}

	/** Notes that the service accepted the token. */
	accept(credential: ServiceCredential): void {
		if (this.#token?.credential === credential) this.#token.isProven = true;
	}

	/**
	 * Notes that the service refused the token.
	 *
	 * @param attempt with how many tokens the request was sent so far
	 * @returns whether there may be a token that it accepts
	 */
	refuse(credential: ServiceCredential, attempt: number): boolean {
		const token = this.#token;
		if (token?.credential !== credential || !isFresh(token)) return attempt < MAX_TOKENS;
		if (attempt >= MAX_TOKENS || (token.isNew && !token.isProven)) token.isRefusedForGood = true;
		if (token.isRefusedForGood) return false;
		this.#refused = credential.accessToken;
		this.#token = undefined;
		return true;
	}

	async #obtain(): Promise<ServiceCredential> {
		const signal = cancelSignal(this.context);
		try {
			const { maxRetries } = this.options;
			this.#token = await withRetries(async () => await this.#renewInTime(), {
				maxRetries,
				signal,
			});
			this.#token.hasArrivedExpired = isExpired(this.#token.credential);
			return this.#token.credential;
		} catch (error) {
			throw this.#remember(error);
		}
	}

	/** Keeps a failure of the grant for the requests to come. It has been retried already. */
	#remember(error: unknown): unknown {
		if (error instanceof ExecutionStopped) return new ExecutionStopped(true);
		if (!(error instanceof ServiceError)) return error;
		const { message, details } = error;
		this.#failure = new NoTokenError(message, { ...details, isTransient: false });
		return this.#failure;
	}

	/** The grant goes on where this gives up waiting: others may wait for it too. */
	async #renewInTime(): Promise<Token> {
		const signal = cancelSignal(this.context);
		try {
			return await withTimeout(this.options.timeout, signal, async () => await this.#renew());
		} catch (error) {
			throw error instanceof TimeLimitReached
				? new NoTokenError(NO_TOKEN_IN_TIME, { isTransient: true, isShared: true })
				: error;
		}
	}

	async #renew(): Promise<Token> {
		const { type, id, app } = this.credential;
		const key = JSON.stringify([type, id, app]);
		const renewOnce = async () => await renewals.run(key, async () => await this.#readOrGrant());
		const token = await renewOnce();
		// The execution that started that grant may not have known that this token is refused.
		return token.credential.accessToken === this.#refused ? await renewOnce() : token;
	}

	/** Another execution, or another process of n8n, may have stored a token meanwhile. */
	async #readOrGrant(): Promise<Token> {
		const stored = await readCredential(this.context, this.itemIndex);
		const { accessToken } = stored;
		const isUsable = accessToken && accessToken !== this.#refused && !isExpired(stored);
		return isUsable
			? { credential: stored, isNew: false }
			: { credential: await this.#grant(stored), isNew: true };
	}

	async #grant(stored: ServiceCredential): Promise<ServiceCredential> {
		if (!stored.isPublicApp) return withData(stored, await grantByN8n(this.context, stored));
		await refreshByN8n(this.context, stored);
		const renewed = await readCredential(this.context, this.itemIndex);
		if (renewed.accessToken === this.#refused) throw explainUnchangedToken();
		return renewed;
	}
}

/** Whether a token is worth sending. One that is always late is sent until it is refused. */
function isFresh({ credential, hasArrivedExpired }: Token): boolean {
	return hasArrivedExpired === true || !isExpired(credential);
}
