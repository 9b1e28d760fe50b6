import { serviceUrl } from '../service/baseUrl';
import type { ClientOptions } from '../service/client';
import { persist, RetryPolicy } from '../service/retry';
import {
	type Account,
	done,
	type Ended,
	type Explanation,
	type Failure,
	type ListPaths,
	type ServiceRequest,
	type ServiceResponse,
} from '../service/types';
import { Cached, SingleFlight, withTimeout } from '../service/waiting';
import { type Credential, isDue, type StoredToken } from './app';
import { type NodeContext } from './context';
import { readCredential, toCredential } from './credential';
import { noToken, TOKEN_TIMED_OUT } from './tokenEndpoint';
import { ended, requestByN8n, toHttpRequest } from './transport';

/** How long a failure that may go away by itself counts for all requests, after its retries. */
const FAILURE_LASTS_MS = 2000;

/** The credential is now for another service or app. */
const CREDENTIAL_CHANGED: Explanation = [
	'the Base URL or the Client ID in the credential was changed while the workflow was running',
	'Check what was done before, and run the workflow again for the rest.',
];

/** Several requests wait for one renewal, so no number of attempts is said. */
const STILL_WAITING: Failure = { ...TOKEN_TIMED_OUT, attempts: 0 };

/**
 * By account, binding, and rejected token, so that concurrent executions share a token request, and wait until n8n has
 * stored the token.
 */
const renewals = new SingleFlight<Ended<Credential>>();

/** The account behind a credential of n8n, for one execution. Its requests share a token, or the reason why there is none. */
export class CredentialAccount implements Account {
	readonly id: string;
	readonly secrets = new Set<string>();
	readonly paths: ListPaths;
	readonly #context: NodeContext;
	readonly #options: ClientOptions;
	/** As it was read last. */
	#credential: Credential;
	readonly #renewal = new Cached<Ended<StoredToken>>(lifetimeOf);

	constructor(context: NodeContext, credential: Credential, options: ClientOptions) {
		const { baseUrl, pagesPath, blocksPath } = credential.data;
		this.id = credential.id;
		this.paths = { baseUrl: serviceUrl(baseUrl, ''), pagesPath, blocksPath };
		this.#context = context;
		this.#credential = credential;
		this.#options = options;
	}

	/** Failures that are not expected to go away count for all later requests, others for a while. */
	async token(rejected?: string): Promise<Ended<StoredToken>> {
		const { token } = this.#credential;
		// A service may grant the same token again: that it rejected the token before is no reason to ask once more.
		const isRejected = token?.value === rejected && !token?.isNew;
		if (!token || isDue(token) || isRejected) {
			return await this.#renewal.get(async () => await this.#renew(rejected));
		}
		for (const secret of this.#credential.secrets) this.secrets.add(secret);
		return done(token);
	}

	async exchange(request: ServiceRequest, { data }: StoredToken, signal: AbortSignal): Promise<Ended<ServiceResponse>> {
		const httpRequest = toHttpRequest(data.baseUrl, request);
		return await requestByN8n(this.#context, this.#credential.app.credentialType, { ...data }, httpRequest, signal);
	}

	async #renew(rejected?: string): Promise<Ended<StoredToken>> {
		const { timeout, signal } = this.#options;
		const { id, binding } = this.#credential;
		const key = JSON.stringify([id, binding, rejected]);
		const share = async () => await renewals.run(key, async () => await this.#readOrRenew(rejected));
		// A renewal that takes too long goes on: others may wait for it too.
		const attempt = async () => await withTimeout(timeout, signal, STILL_WAITING, share);
		const renewed = await persist(attempt, new RetryPolicy({ ...this.#options, scheduler: undefined }));
		if (renewed.outcome !== 'done') return asTokenFailure(renewed);
		this.#credential = renewed.result;
		return await this.token(rejected);
	}

	async #readOrRenew(rejected?: string): Promise<Ended<Credential>> {
		const read = await ended(async () => await readCredential(this.#context, this.#credential.itemIndex));
		if (read.outcome !== 'done') return noToken([read.problem, read.advice ?? 'Check the credential.']);
		const stored = read.result;
		// Half of the items would change one account, and half another.
		if (stored.id !== this.id) return noToken(CREDENTIAL_CHANGED);
		// Another execution, or another process of n8n, may have stored a token meanwhile.
		if (stored.token && stored.token.value !== rejected && !isDue(stored.token)) return read;
		const renewal = await stored.app.renew(this.#context, stored, rejected);
		if (renewal.outcome !== 'done') return renewal;
		const renewed = toCredential({ ...stored, data: renewal.result });
		if (renewed.token) {
			renewed.token.isNew = true;
			// A token that is due when it arrives is used until it is rejected.
			if (isDue(renewed.token)) renewed.token.renewAt = Infinity;
		}
		return done(renewed);
	}
}

/** How long a renewal counts: after a success, the credential has the token. */
function lifetimeOf(renewal: Ended<StoredToken>): number {
	if (renewal.outcome === 'done') return 0;
	return renewal.passes ? Math.max(FAILURE_LASTS_MS, renewal.retryAfter ?? 0) : Infinity;
}

/** Returns the failure of a renewal as requests get it, which do not retry it. */
function asTokenFailure(failure: Failure): Failure {
	return { ...failure, outcome: 'not sent', ...(failure.passes && { passes: 'later' }) };
}
