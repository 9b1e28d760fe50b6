import { type Account, Client } from '../service/client';
import { Gate } from '../service/gate';
import { timedOut } from '../service/reasons';
import { isSuccess, type ServiceRequest, type ServiceResponse } from '../service/request';
import { retrying, type RetryOptions } from '../service/retrying';
import { asTokenFailure, rejectsToken } from '../service/token';
import { unlessAborted, withTimeout } from '../service/waiting';
import { stopped, toFailure, tokenFailure } from '../shared/failure';
import { getOrCreate } from '../shared/values';
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

/** Opens a client for the account of a credential. Several requests at once need `concurrency`, the maximum of them. */
export function openClient(
	context: NodeContext,
	credential: Credential,
	{ concurrency, ...options }: SendOptions & { concurrency?: number },
	ClientType = Client,
): Client {
	const gate = concurrency === undefined ? undefined : new Gate({ concurrency, stopSignal: options.stopSignal });
	return new ClientType(new CredentialAccount(context, credential, options), { ...options, gate });
}

/** How often a request is sent again with another token. */
const MAX_RESENT = 2;

/** The account behind a credential of n8n, for one try. Its requests share a token, or the reason why there is none. */
class CredentialAccount implements Account {
	readonly id: string;
	readonly #context: NodeContext;
	readonly #options: SendOptions;
	/** As it was read or renewed last: its token may have been rejected since. */
	#credential: Credential;
	/** The token for the next request; undefined if it has to be renewed. */
	#token?: Token;
	/** The renewal of the token, with its retries. One that has failed stays: no request of this try gets a token. */
	#renewal?: Promise<Token>;

	constructor(context: NodeContext, credential: Credential, options: SendOptions) {
		this.id = credential.id;
		this.#context = context;
		this.#options = options;
		this.#credential = credential;
		this.#token = credential.token;
	}

	async exchange(request: ServiceRequest): Promise<ServiceResponse> {
		for (let resent = 0; ; resent += 1) {
			const token = await this.#getToken();
			const response = await this.#sendWith(token, request);
			if (!rejectsToken(response)) {
				if (isSuccess(response)) token.isNew = false;
				return response;
			}
			// If two requests are rejected with the same token, the first one drops it, and the other uses the new one.
			const isCurrent = token === this.#token;
			if (resent === MAX_RESENT || (isCurrent && token.isNew)) return response;
			if (isCurrent) this.#token = undefined;
		}
	}

	/** Returns the token for a request. Throws Failure if there is none, or nothing more may be sent. */
	async #getToken(): Promise<Token> {
		const { stopSignal } = this.#options;
		if (stopSignal?.aborted) throw stopped();
		if (this.#token && this.#token.endsAt > Date.now()) return this.#token;
		const renewal = (this.#renewal ??= this.#renew());
		return await unlessAborted(stopSignal, async () => await renewal);
	}

	async #renew(): Promise<Token> {
		const { timeout, maxRetries, maxWait, stopSignal } = this.#options;
		const attempt = async () =>
			await withTimeout(timeout, undefined, timedOut, async () => await sharedRenewal(this.#context, this.#credential));
		try {
			const credential = await retrying(attempt, { maxRetries, maxWait, stopSignal });
			const { id, token } = credential;
			if (!token || id !== this.id) {
				throw tokenFailure('the credential was changed meanwhile', 'Run the workflow again.');
			}
			this.#credential = credential;
			this.#token = token;
			this.#renewal = undefined;
			return token;
		} catch (error) {
			throw asTokenFailure(toFailure(error));
		}
	}

	async #sendWith({ data }: Token, request: ServiceRequest): Promise<ServiceResponse> {
		const { timeout, cancelSignal } = this.#options;
		// Read before the request is sent: the response may repeat the token of then, which no message may contain.
		const { app, baseUrl, data: stored } = this.#credential;
		const httpRequest = toHttpRequest(baseUrl, request);
		const response = await withTimeout(timeout, cancelSignal, timedOut, async (signal) => {
			return await requestByN8n(this.#context, app.credentialType, { ...data }, httpRequest, signal);
		});
		return received(response, stored);
	}
}

/** The renewals in progress, by account and the token to replace. */
const renewalsInProgress = new Map<string, Promise<Credential>>();

/**
 * Returns the credential with another token. All requests of this process that need one share a renewal in progress, also
 * those that start after another one has timed out: a refresh token must not be sent twice.
 */
async function sharedRenewal(context: NodeContext, { id, data, token }: Credential): Promise<Credential> {
	// Executions whose credential has another secret do not share its token.
	const key = digestOf(id, data.clientSecret, token?.value);
	const renew = async () => await loadOrRenew(context, token).finally(() => renewalsInProgress.delete(key));
	return await getOrCreate(renewalsInProgress, key, renew);
}

/** Reads the credential again. Renews its token, unless another execution or process of n8n has stored one meanwhile. */
async function loadOrRenew(context: NodeContext, last?: Token): Promise<Credential> {
	const stored = await loadCredential(context);
	if (stored.token && stored.token.value !== last?.value) return stored;
	const data = await stored.app.renew(context, stored);
	const token = stored.app.readToken(data);
	return { ...stored, data, token: token && { ...token, isNew: true } };
}
