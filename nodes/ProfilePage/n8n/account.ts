import { Cached } from '../service/cached';
import { type Account, Client, type ClientOptions } from '../service/client';
import { timedOut } from '../service/connection';
import { isSuccess, type ServiceRequest, type ServiceResponse } from '../service/request';
import { retrying } from '../service/retrying';
import { rejectedToken, rejectsToken, tokenTimedOut } from '../service/token';
import { withTimeout } from '../service/waiting';
import { Failure, toFailure, tokenFailure } from '../shared/failure';
import { type Credential, secretsOf, type Token } from './app';
import type { NodeContext } from './context';
import { loadCredential } from './credential';
import { requestByN8n, toHttpRequest } from './transport';

export type AccountOptions = ClientOptions & {
	/** How long the service may take for a whole response, in milliseconds. */
	readonly timeout: number;
	/** Aborts when the execution is canceled, and aborts requests in flight. */
	readonly cancelSignal?: AbortSignal;
};

/** Opens a client of the account behind a credential. */
export function openClient(context: NodeContext, credential: Credential, options: AccountOptions): Client {
	return new Client(new CredentialAccount(context, credential, options), options);
}

/** How long a failure that may go away by itself counts for all requests, at least. */
const FAILED_RENEWAL_LASTS_MS = 2000;

/** By account and the token to replace: concurrent executions share a renewal, which ends when n8n has stored the token. */
const sharedRenewals = new Cached<Credential>();

/** The account behind a credential of n8n, for one try. Its requests share a token, or the reason why there is none. */
class CredentialAccount implements Account {
	readonly id: string;
	readonly secrets: Set<string>;
	readonly #context: NodeContext;
	readonly #options: AccountOptions;
	readonly #stored?: Token;
	/** With the latest token, even if that was rejected. */
	#credential: Credential;
	/** The token for the next request; undefined if it has to be renewed. */
	#token?: Token;
	readonly #renewal = new Cached<Token>(renewalLifetime);

	constructor(context: NodeContext, credential: Credential, options: AccountOptions) {
		this.id = credential.id;
		this.secrets = secretsOf(credential.data);
		this.#context = context;
		this.#options = options;
		this.#credential = credential;
		this.#stored = credential.token;
		this.#token = credential.token;
	}

	async ensureToken(): Promise<void> {
		if (!this.#token) await this.#renew();
	}

	async exchange(request: ServiceRequest): Promise<ServiceResponse> {
		const token = this.#token;
		// While the request waited for its turn, another one was rejected.
		if (!token) throw rejectedToken();
		const response = await this.#sendWith(token, request);
		if (isSuccess(response)) token.isNew = false;
		if (await this.#replaceIfRejected(token, response)) throw rejectedToken();
		return response;
	}

	async #sendWith({ data }: Token, request: ServiceRequest): Promise<ServiceResponse> {
		const { timeout, cancelSignal } = this.#options;
		const { app, baseUrl } = this.#credential;
		const httpRequest = toHttpRequest(baseUrl, request);
		return await withTimeout(timeout, cancelSignal, timedOut, async (signal) => {
			return await requestByN8n(this.#context, app.credentialType, { ...data }, httpRequest, signal);
		});
	}

	/** Sees to it that the next request has another token, if a response rejects the one it was sent with. Returns whether it has. */
	async #replaceIfRejected(token: Token, response: ServiceResponse): Promise<boolean> {
		const rejection = rejectsToken(response);
		if (rejection === false) return false;
		if (token !== this.#token) return true;
		if (token.isNew) return false;
		// A 403 may mean that a token has ended that was stored before. If it cannot be renewed, it stays in use.
		if (rejection === 'maybe') return token === this.#stored && (await this.#canRenew());
		this.#token = undefined;
		return true;
	}

	async #canRenew(): Promise<boolean> {
		try {
			await this.#renew();
			return true;
		} catch {
			return false;
		}
	}

	/** Gets another token, and uses it from now on. Throws Failure if there is none. */
	async #renew(): Promise<Token> {
		const { timeout, maxRetries, maxWait, signal } = this.#options;
		const { id, data, token: last } = this.#credential;
		// Executions whose credential has another secret do not share its token.
		const key = JSON.stringify([id, data.clientSecret, last?.value]);
		const share = async () => await sharedRenewals.get(async () => await loadOrRenew(this.#context, last), key);
		// A renewal that takes too long goes on: others may wait for it too.
		const attempt = async () => await withTimeout(timeout, signal, tokenTimedOut, share);
		return await this.#renewal.get(async () => {
			try {
				return this.#use(await retrying(attempt, { maxRetries, maxWait, signal }));
			} catch (error) {
				throw toFinal(toFailure(error));
			}
		});
	}

	/** Uses a credential from now on. Throws Failure if it has no token, or is of another account. */
	#use(credential: Credential): Token {
		for (const secret of secretsOf(credential.data)) this.secrets.add(secret);
		const { id, token } = credential;
		if (!token || id !== this.id) throw tokenFailure('the credential was changed meanwhile', 'Run the workflow again.');
		this.#credential = credential;
		this.#token = token;
		return token;
	}
}

/** Reads the credential again, which may have another token by now, and renews its token if it does not. */
async function loadOrRenew(context: NodeContext, last?: Token): Promise<Credential> {
	const stored = await loadCredential(context);
	// Another execution, or another process of n8n, may have stored a token meanwhile.
	if (stored.token && stored.token.value !== last?.value) return stored;
	const data = await stored.app.renew(context, stored);
	const token = stored.app.readToken(data);
	return { ...stored, data, token: token && { ...token, isNew: true } };
}

/**
 * Returns how long a renewal is remembered, in milliseconds. After a success, the account has the token. One that took
 * long would take each request as long again.
 */
function renewalLifetime(took: number, error?: unknown): number {
	if (!(error instanceof Failure)) return 0;
	const { passes, response } = error.data;
	return passes ? Math.max(FAILED_RENEWAL_LASTS_MS, took, response?.retryAfter ?? 0) : Infinity;
}

/** Returns the failure of a renewal for the requests that wait for it: they were not sent, and do not try it again. */
function toFinal({ data }: Failure): Failure {
	const { kind, passes, problem, advice = 'Check the credential.' } = data;
	if (kind === 'node') return tokenFailure(problem, advice);
	return new Failure({ ...data, outcome: 'not applied', ...(passes && { passes: 'later' }) });
}
