import { Cached } from '../service/cached';
import { type Account, Client, type ClientOptions } from '../service/client';
import { TIMED_OUT } from '../service/connection';
import { Failure, toFailure, tokenFailure } from '../service/failure';
import { type Batching, Gate } from '../service/gate';
import type { ServiceRequest, ServiceResponse } from '../service/request';
import { type SendOptions, withRetries } from '../service/retry';
import { rejectsToken, TOKEN_TIMED_OUT } from '../service/token';
import { withTimeout } from '../service/waiting';
import { type Credential, secretsOf, type SignedWith } from './app';
import type { NodeContext } from './context';
import { loadCredential } from './credential';
import { requestByN8n, toHttpRequest } from './transport';

/** Opens a client of the account behind a credential. Without batching, requests start at once. */
export function openClient(
	context: NodeContext,
	credential: Credential,
	options: ClientOptions & Partial<Batching>,
): Client {
	const { batchSize, batchInterval = 0, signal } = options;
	const gate = batchSize === undefined ? undefined : new Gate({ batchSize, batchInterval, signal });
	return new Client(new CredentialAccount(context, credential, options), options, gate);
}

/** How long a failure that may go away by itself counts for all requests, after its retries. */
const FAILED_RENEWAL_LASTS_MS = 2000;

/** With how many tokens a request is sent before their rejection is final. */
const MAX_TOKENS = 3;

/** By account and the token to replace: concurrent executions share a token request, and wait until n8n has stored the token. */
const sharedRenewals = new Cached<Renewal>();

/** A credential with another token: a new one, or one that another execution has stored. */
interface Renewal {
	readonly credential: Credential;
	readonly isNew: boolean;
}

/** An access token, and what is known of it. */
interface Token extends SignedWith {
	/**
	 * After which responses it is replaced. One that was stored before may have ended, which even a 403 may mean. If a new
	 * one is rejected before the service has accepted it, so is any other.
	 */
	replacedAfter: '401 or 403' | '401' | 'none';
}

/** The account behind a credential of n8n, for one try. Its requests share a token, or the reason why there is none. */
class CredentialAccount implements Account {
	readonly id: string;
	readonly secrets: Set<string>;
	readonly #context: NodeContext;
	readonly #options: SendOptions;
	#credential: Credential;
	/** The token for the next request; undefined if it has to be renewed. */
	#token?: Token;
	/** The token that was answered with 403, while it is renewed: it is used again if there is no other. */
	#doubted?: Token;
	readonly #renewal = new Cached<Token>(renewalLifetime);

	constructor(context: NodeContext, credential: Credential, options: SendOptions) {
		this.id = credential.id;
		this.secrets = secretsOf(credential.data);
		this.#context = context;
		this.#credential = credential;
		this.#options = options;
		this.#token = credential.token && { ...credential.token, replacedAfter: '401 or 403' };
	}

	/** Sends a request, and once more with another token if the service rejects the first: a rejected request did nothing. */
	async send(request: ServiceRequest): Promise<ServiceResponse> {
		for (let tokens = 1; ; tokens += 1) {
			const token = this.#token ?? (await this.#renewal.get(async () => await this.#renew()));
			const response = await this.#exchange(request, token);
			const rejection = rejectsToken(response);
			if (rejection === false && token.replacedAfter === 'none') token.replacedAfter = '401';
			if (rejection === false || tokens === MAX_TOKENS || !this.#giveUp(token, rejection)) return response;
		}
	}

	async #exchange(request: ServiceRequest, { data }: Token): Promise<ServiceResponse> {
		const { timeout, cancelSignal } = this.#options;
		const { app, baseUrl } = this.#credential;
		const httpRequest = toHttpRequest(baseUrl, request);
		return await withTimeout(timeout, cancelSignal, TIMED_OUT, async (signal) => {
			return await requestByN8n(this.#context, app.credentialType, { ...data }, httpRequest, signal);
		});
	}

	/** Uses a token that was rejected no more, if another one may help. Returns whether it may. */
	#giveUp(token: Token, rejection: true | 'maybe'): boolean {
		const isReplaced = token !== this.#token;
		if (isReplaced) return true;
		const isDoubted = rejection === 'maybe' && token.replacedAfter === '401 or 403';
		if (!isDoubted && (rejection === 'maybe' || token.replacedAfter === 'none')) return false;
		this.#doubted = isDoubted ? token : undefined;
		this.#token = undefined;
		return true;
	}

	/** Renews the token, also after failures that may go away by themselves. */
	async #renew(): Promise<Token> {
		const { timeout, signal } = this.#options;
		const { id, data, token: rejected } = this.#credential;
		// Executions whose credential has another secret do not share its token.
		const key = JSON.stringify([id, data.clientSecret, rejected?.value]);
		const share = async () => await sharedRenewals.get(async () => await this.#loadOrRenew(rejected?.value), key);
		// A renewal that takes too long goes on: others may wait for it too.
		const attempt = async () => await withTimeout(timeout, signal, TOKEN_TIMED_OUT, share);
		try {
			const { credential, isNew } = await withRetries(attempt, this.#options);
			return this.#use(credential, isNew ? 'none' : '401');
		} catch (error) {
			const failure = toFailure(error);
			const token = this.#doubted;
			if (!token || failure.data.kind === 'stopped') throw asTokenFailure(failure);
			// The 403 is final now.
			token.replacedAfter = '401';
			this.#token = token;
			return token;
		}
	}

	/** Uses the token of a credential from now on. Throws Failure if it has none, or is of another account. */
	#use(credential: Credential, replacedAfter: Token['replacedAfter']): Token {
		for (const secret of secretsOf(credential.data)) this.secrets.add(secret);
		const { id, token } = credential;
		if (!token || id !== this.id) throw CREDENTIAL_CHANGED;
		this.#credential = credential;
		this.#token = { ...token, replacedAfter };
		return this.#token;
	}

	/** Reads the credential again, which may have another token by now, and renews its token if it has none. */
	async #loadOrRenew(rejected?: string): Promise<Renewal> {
		const stored = await loadCredential(this.#context);
		// Another execution, or another process of n8n, may have stored a token meanwhile.
		if (stored.token && stored.token.value !== rejected) return { credential: stored, isNew: false };
		const data = await stored.app.renew(this.#context, stored);
		return { credential: { ...stored, data, token: stored.app.readToken(data) }, isNew: true };
	}
}

const CREDENTIAL_CHANGED = tokenFailure('the credential was changed meanwhile', 'Run the workflow again.');

/** How long a renewal is remembered, in milliseconds. After a success, the account has the token. */
function renewalLifetime(failure?: Failure): number {
	if (!failure) return 0;
	const { passes, response } = failure.data;
	return passes ? Math.max(FAILED_RENEWAL_LASTS_MS, response?.retryAfter ?? 0) : Infinity;
}

/** Returns the failure of a renewal for the requests that wait for it: they were not sent, and do not try it again. */
function asTokenFailure(failure: Failure): Failure {
	const { kind, passes, problem, advice = 'Check the credential.' } = failure.data;
	if (kind === 'field') return tokenFailure(problem, advice);
	return failure.with({ outcome: 'not applied', ...(passes && { passes: 'later' }) });
}
