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

/** A credential with a token. */
type SignedIn = Required<Credential>;

/** The account behind a credential of n8n, for one try. Its requests share a token, or the reason why there is none. */
class CredentialAccount implements Account {
	readonly id: string;
	readonly #context: NodeContext;
	readonly #options: SendOptions;
	/** As it was read or renewed last. */
	#credential: Credential;
	/** The renewal of the token, with its retries. One that has failed stays: no request of this try gets a token. */
	#renewal?: Promise<SignedIn>;

	constructor(context: NodeContext, credential: Credential, options: SendOptions) {
		this.id = credential.id;
		this.#context = context;
		this.#options = options;
		this.#credential = credential;
	}

	async exchange(request: ServiceRequest): Promise<ServiceResponse> {
		for (let resent = 0; ; resent += 1) {
			const credential = await this.#signIn();
			const { token } = credential;
			const response = await this.#send(request, credential);
			const isRejected = rejectsToken(response);
			if (!isRejected && isSuccess(response)) token.isNew = false;
			if (!isRejected || token.isNew || resent === MAX_RESENT) return response;
			// It has ended. Of ten requests that were rejected with it, the first one renews it, and all are sent again.
			token.endsAt = 0;
		}
	}

	/** Returns the credential with a token that has not ended. Throws Failure if there is none, or nothing more may be sent. */
	async #signIn(): Promise<SignedIn> {
		const { stopSignal } = this.#options;
		if (stopSignal?.aborted) throw stopped();
		const { token } = this.#credential;
		if (token && token.endsAt > Date.now()) return { ...this.#credential, token };
		const renewal = (this.#renewal ??= this.#renew());
		return await unlessAborted(stopSignal, async () => await renewal);
	}

	async #renew(): Promise<SignedIn> {
		const { timeout, maxRetries, maxWait, stopSignal } = this.#options;
		const attempt = async () =>
			await withTimeout(timeout, undefined, timedOut, async () => await sharedRenewal(this.#context, this.#credential));
		try {
			const { token, ...credential } = await retrying(attempt, { maxRetries, maxWait, stopSignal });
			if (!token || credential.id !== this.id) {
				throw tokenFailure('the credential was changed meanwhile', 'Run the workflow again.');
			}
			this.#renewal = undefined;
			return (this.#credential = { ...credential, token });
		} catch (error) {
			throw asTokenFailure(toFailure(error));
		}
	}

	async #send(request: ServiceRequest, { app, baseUrl, data, token }: SignedIn): Promise<ServiceResponse> {
		const { timeout, cancelSignal } = this.#options;
		const httpRequest = toHttpRequest(baseUrl, request);
		const response = await withTimeout(timeout, cancelSignal, timedOut, async (signal) => {
			return await requestByN8n(this.#context, app.credentialType, { ...token.data }, httpRequest, signal);
		});
		return received(response, data);
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
