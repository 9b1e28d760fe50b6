import { Cached } from '../service/cached';
import type { Account } from '../service/client';
import { TIMED_OUT } from '../service/connection';
import { done, type Ended, type Failure, settle, settleAsync } from '../service/failure';
import { Secrets } from '../service/quotes';
import type { ServiceRequest, ServiceResponse } from '../service/request';
import { type SendOptions, withRetries } from '../service/retry';
import { TOKEN_TIMED_OUT, tokenFailure } from '../service/tokenEndpoint';
import { withTimeout } from '../service/waiting';
import { type Credential, isDue, type StoredToken } from './apps/app';
import { type NodeContext } from './context';
import { loadCredential, toCredential } from './credential';
import { requestByN8n, toHttpRequest } from './transport';

/** How long a failure that may go away by itself counts for all requests, after its retries. */
const FAILED_RENEWAL_LASTS_MS = 2000;

/** The credential is now for another service or app. */
const CREDENTIAL_CHANGED = tokenFailure(
	'the Base URL or the Client ID in the credential was changed while the workflow was running',
	'Check what was done before, and run the workflow again for the rest.',
);

/** The time is over while the shared renewal goes on. To wait for it again is not another attempt, so no number is shown. */
const STILL_WAITING: Failure = { ...TOKEN_TIMED_OUT, attempts: 0 };

/** A credential with a token. */
type UsableCredential = Credential & { readonly token: StoredToken };

/**
 * By account, binding, and the token to replace: concurrent executions share a token request, and wait until n8n has
 * stored the token.
 */
const sharedRenewals = new Cached<Ended<UsableCredential>>();

/** The account behind a credential of n8n, for one execution. Its requests share a token, or the reason why there is none. */
export class CredentialAccount implements Account {
	readonly id: string;
	readonly secrets: Secrets;
	readonly #context: NodeContext;
	readonly #options: SendOptions;
	/** As it was read last. */
	#credential: Credential;
	/** The token that the service rejected last. It is not sent again. */
	#rejected?: StoredToken;
	readonly #renewal = new Cached<Ended<StoredToken>>(renewalLifetime);

	constructor(context: NodeContext, credential: Credential, options: SendOptions) {
		this.id = credential.id;
		this.secrets = new Secrets(credential.secrets);
		this.#context = context;
		this.#credential = credential;
		this.#options = options;
	}

	/** A failed renewal counts for all later requests; for a while, if it may go away by itself. */
	async token(): Promise<Ended<StoredToken>> {
		const token = this.#usableToken;
		return token ? done(token) : await this.#renewal.get(async () => await this.#renew());
	}

	/** The token, unless it has to be renewed. */
	get #usableToken(): StoredToken | undefined {
		const { token } = this.#credential;
		return token && token !== this.#rejected && !isDue(token) ? token : undefined;
	}

	async exchange(request: ServiceRequest, token: StoredToken): Promise<Ended<ServiceResponse>> {
		const { timeout, cancelSignal } = this.#options;
		const { credentialType } = this.#credential.app;
		const httpRequest = toHttpRequest(token.data.baseUrl, request);
		const response = await withTimeout(timeout, cancelSignal, TIMED_OUT, async (abort) => {
			return await requestByN8n(this.#context, credentialType, { ...token.data }, httpRequest, abort);
		});
		if (response.outcome === 'done' && response.result.statusCode !== 401) token.isAccepted = true;
		return response;
	}

	reject(token: StoredToken): boolean {
		if (token.isAccepted) this.#rejected = token;
		return token !== this.#usableToken;
	}

	/** Renews the token, also after failures that may go away by themselves. */
	async #renew(): Promise<Ended<StoredToken>> {
		const { timeout, signal } = this.#options;
		const { id, binding, token } = this.#credential;
		const key = JSON.stringify([id, binding, token?.value]);
		const share = async () => await sharedRenewals.get(async () => await this.#loadOrRenew(this.#rejected?.value), key);
		// A renewal that takes too long goes on: others may wait for it too.
		const attempt = async () => await withTimeout(timeout, signal, STILL_WAITING, share);
		const renewed = await withRetries(attempt, this.#options);
		if (renewed.outcome !== 'done') return asTokenFailure(renewed);
		// Another execution may have made it, for an item of its own.
		this.#credential = { ...renewed.result, itemIndex: this.#credential.itemIndex };
		for (const secret of renewed.result.secrets) this.secrets.add(secret);
		return done(renewed.result.token);
	}

	/** Reads the credential again, which may have another token by now, and renews its token if it has none. */
	async #loadOrRenew(rejected?: string): Promise<Ended<UsableCredential>> {
		const read = await loadCredential(this.#context, this.#credential.itemIndex);
		if (read.outcome !== 'done') return asUnusableCredential(read);
		const stored = read.result;
		// Otherwise, the items would change two accounts.
		if (stored.id !== this.id) return CREDENTIAL_CHANGED;
		const { token } = stored;
		// Another execution, or another process of n8n, may have stored a token meanwhile.
		const isOther = token && token.value !== rejected && !isDue(token);
		return isOther ? done({ ...stored, token }) : await renewStored(this.#context, stored, rejected);
	}
}

/** Makes n8n store another token, and returns the credential with it. */
async function renewStored(
	context: NodeContext,
	stored: Credential,
	rejected?: string,
): Promise<Ended<UsableCredential>> {
	const renewal = await settleAsync(async () => await stored.app.renew(context, stored, rejected));
	if (renewal.outcome !== 'done') return renewal;
	const renewed = settle(() => toCredential({ ...stored, data: renewal.result }));
	if (renewed.outcome !== 'done') return asUnusableCredential(renewed);
	const { token } = renewed.result;
	// The credential was edited meanwhile, so that the token is for another app.
	if (!token) return CREDENTIAL_CHANGED;
	// The service may issue tokens that are due at once. Such a token is used until it is rejected.
	const renewAt = isDue(token) ? Infinity : token.renewAt;
	return done({ ...renewed.result, token: { ...token, isAccepted: false, renewAt } });
}

/** Returns the failure of a renewal because the credential cannot be read or used. */
function asUnusableCredential({ problem, advice = 'Check the credential.' }: Failure): Failure {
	return tokenFailure(problem, advice);
}

/** How long a renewal is remembered, in milliseconds. After a success, the credential has the token. */
function renewalLifetime(renewal: Ended<StoredToken>): number {
	if (renewal.outcome === 'done') return 0;
	return renewal.passes ? Math.max(FAILED_RENEWAL_LASTS_MS, renewal.retryAfter ?? 0) : Infinity;
}

/** Returns the failure of a renewal for the requests that wait for it: they were not sent, and do not try it again. */
function asTokenFailure(failure: Failure): Failure {
	return { ...failure, outcome: 'not applied', ...(failure.passes && { passes: 'later' }) };
}
