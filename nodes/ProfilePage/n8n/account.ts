import { Cached } from '../service/cached';
import type { Account } from '../service/client';
import { rejectedToken, timedOut } from '../service/reasons';
import { isSuccess, type ServiceRequest, type ServiceResponse } from '../service/request';
import { retrying, type RetryOptions } from '../service/retrying';
import { asTokenFailure, rejectsToken } from '../service/token';
import { unlessAborted, withTimeout } from '../service/waiting';
import { Failure, stopped, toFailure, tokenFailure } from '../shared/failure';
import { type Credential, digestOf, received, type Token } from './app';
import type { NodeContext } from './context';
import { loadCredential } from './credential';
import { requestByN8n, toHttpRequest } from './transport';

/** How requests are sent. */
interface SendOptions extends RetryOptions {
	/** How long the service may take for a whole response, in milliseconds. */
	readonly timeout: number;
	/** Aborts when the execution is canceled, and aborts requests in flight. */
	readonly cancelSignal?: AbortSignal;
}

/** The account behind a credential of n8n, for one try. Its requests share a token, or the reason why there is none. */
export class CredentialAccount implements Account {
	readonly id: string;
	readonly #context: NodeContext;
	readonly #options: SendOptions;
	/** With the latest token, even if that was rejected. */
	#credential: Credential;
	/** The token for the next request; undefined if it has to be renewed. */
	#token?: Token;
	/** Why no request of this try gets a token. */
	#refusal?: Failure;

	constructor(context: NodeContext, credential: Credential, options: SendOptions) {
		this.id = credential.id;
		this.#context = context;
		this.#options = options;
		this.#credential = credential;
		this.#token = credential.token;
	}

	async ensureToken(): Promise<void> {
		if (this.#token) return;
		if (this.#refusal) throw this.#refusal;
		const share = async () => await shareRenewal(this.#context, this.#credential, this.#options);
		try {
			this.#use(await unlessAborted(this.#options.stopSignal, stopped, share));
		} catch (error) {
			const failure = asTokenFailure(toFailure(error));
			const { kind, passes } = failure.data;
			if (kind === 'token' && passes === undefined) this.#refusal = failure;
			throw failure;
		}
	}

	/** Uses a credential from now on. Throws Failure if it has no token, or is of another account. */
	#use(credential: Credential): void {
		const { id, token } = credential;
		if (!token || id !== this.id) throw tokenFailure('the credential was changed meanwhile', 'Run the workflow again.');
		this.#credential = credential;
		this.#token = token;
	}

	async exchange(request: ServiceRequest): Promise<ServiceResponse> {
		const token = this.#token;
		// While the request waited for its turn, another one was rejected.
		if (!token) throw rejectedToken();
		const response = await this.#sendWith(token, request);
		if (!rejectsToken(response)) {
			if (isSuccess(response)) token.isNew = false;
			return response;
		}
		const isLatest = token === this.#token;
		if (isLatest && token.isNew) return response;
		if (isLatest) this.#token = undefined;
		throw rejectedToken();
	}

	async #sendWith({ data }: Token, request: ServiceRequest): Promise<ServiceResponse> {
		const { timeout, cancelSignal } = this.#options;
		// Another request may replace the token meanwhile, and the response may repeat the one that was sent.
		const { app, baseUrl, data: stored } = this.#credential;
		const httpRequest = toHttpRequest(baseUrl, request);
		const response = await withTimeout(timeout, cancelSignal, timedOut, async (signal) => {
			return await requestByN8n(this.#context, app.credentialType, { ...data }, httpRequest, signal);
		});
		return received(response, stored);
	}
}

/** How long a failure that may pass counts for all requests, at least. */
const FAILED_RENEWAL_LASTS_MS = 2000;

/** One that took too long may still go on: the service would get a refresh token twice. */
const LATE_RENEWAL_LASTS_MS = 60_000;

/** By account and the token to replace. After a success, n8n has stored the token. */
const sharedRenewals = new Cached<Credential>((took, error) => {
	if (!(error instanceof Failure) || error.data.passes === undefined) return 0;
	const { topic, response } = error.data;
	const least = topic === 'timeout' ? LATE_RENEWAL_LASTS_MS : FAILED_RENEWAL_LASTS_MS;
	return Math.max(least, took, response?.retryAfter ?? 0);
});

/** Returns the credential with another token. All requests of this process that need one share the renewal, or its failure. */
async function shareRenewal(
	context: NodeContext,
	{ id, data, token }: Credential,
	{ timeout, maxRetries, maxWait }: SendOptions,
): Promise<Credential> {
	// Executions whose credential has another secret do not share its token.
	const key = digestOf(id, data.clientSecret, token?.value);
	return await sharedRenewals.get(key, async () => {
		let renewing: Promise<Credential> | undefined;
		const attempt = async () => {
			// One that takes too long goes on: the next attempt waits for it, instead of sending a refresh token again.
			const current = (renewing ??= loadOrRenew(context, token).finally(() => (renewing = undefined)));
			return await withTimeout(timeout, undefined, timedOut, async () => await current);
		};
		return await retrying(attempt, { maxRetries, maxWait });
	});
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
