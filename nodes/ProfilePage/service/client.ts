import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { type Credential, type NodeContext, REQUEST_OPTIONS, requestByN8n } from '../auth/app';
import { serviceUrl } from '../auth/baseUrl';
import { Tokens, type WaitOptions } from '../auth/tokens';
import { Attempts } from '../http/attempts';
import { connectionError } from '../http/failures';
import { type PaceOptions, Pacer } from '../http/pacer';
import { ExecutionCanceled, type History, ServiceError } from '../shared/errors';
import { TimedOut, withTimeout } from '../shared/waiting';
import type { Read, ServiceRequest } from './request';
import { readResponse } from './response';
import { inWords, type Sender } from './words';

const RAISE_TIMEOUT = 'If it happens often, raise Timeout (ms) in the options of the node.';

export interface ClientOptions extends WaitOptions, PaceOptions {}

/** Sends requests to the service with the credential of one app: gets tokens, keeps the pace, and retries. */
export class ServiceClient implements Sender {
	/** What identifies the credential and its app. */
	readonly identity: string;
	readonly pacer: Pacer;
	readonly #context: NodeContext;
	readonly #options: ClientOptions;
	readonly #tokens: Tokens;
	/** All tokens sent, with the client secret and the refresh token behind them. */
	readonly secrets = new Set<string>();
	readonly hasOptions: boolean;

	constructor(context: NodeContext, credential: Credential, options: ClientOptions) {
		this.identity = credential.identity;
		this.pacer = new Pacer(options);
		// Only the node has options, and they include the batch size.
		this.hasOptions = options.batchSize !== undefined;
		this.#context = context;
		this.#options = options;
		this.#tokens = new Tokens(context, credential, options);
	}

	/**
	 * Sends a request until it succeeds, as far as it may be retried, and returns what `read` returns for the envelope.
	 *
	 * @param history what has become of the request in earlier tries of the node
	 * @throws ServiceError in the words of the request, or ExecutionCanceled; both have the history of all attempts
	 */
	async send<T extends object>(request: ServiceRequest, read: Read<T>, history?: History): Promise<T> {
		const { idempotent } = request;
		const attempts = new Attempts({
			...this.#options,
			idempotent,
			history,
			// A list or a poll sends one request: there is nothing to pace.
			pacer: this.hasOptions ? this.pacer : undefined,
			inWords: (error) => inWords(request, error, this),
		});
		for (;;) {
			try {
				return await this.#attempt(request, read, attempts);
			} catch (error) {
				const { final, wait } = attempts.fail(error);
				if (final) throw final as Error;
				await wait;
			}
		}
	}

	/** Sends a request when it may start. If the service rejects the token, sends it again with another one. */
	async #attempt<T extends object>(request: ServiceRequest, read: Read<T>, attempts: Attempts): Promise<T> {
		const mustFinish = attempts.history === 'may be applied';
		for (let tokensTried = 1; ; tokensTried += 1) {
			// A request that waits for a token takes no place in the pacer.
			await this.#tokens.get();
			await this.pacer.enter(attempts.count > 0 || tokensTried > 1, mustFinish);
			let isSuccess = false;
			try {
				// While the request waited, the token may have become due, and the pacer may have been stopped.
				const credential = await this.#tokens.get();
				const refusal = this.pacer.refusal(mustFinish);
				if (refusal) throw refusal;
				for (const secret of credential.secrets) this.secrets.add(secret);
				const response = await this.#sendWith(credential, request);
				if (response.statusCode === 401 && this.#tokens.reject(credential, tokensTried)) continue;
				if (response.statusCode !== 401) credential.hasNewToken = false;
				const result = readResponse(response, request, read);
				isSuccess = true;
				return result;
			} finally {
				void this.pacer.leave(isSuccess);
			}
		}
	}

	/** Returns the response, whatever its status. */
	async #sendWith({ app, data }: Credential, request: ServiceRequest): Promise<IN8nHttpFullResponse> {
		const { method, path, form, json } = request;
		const body = form ? new URLSearchParams(form).toString() : json;
		const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
		const httpRequest = {
			...REQUEST_OPTIONS,
			method,
			url: serviceUrl(data.baseUrl, path),
			headers: { ...REQUEST_OPTIONS.headers, ...(body && { 'Content-Type': contentType }) },
			...(body && { body }),
		};
		const { timeout, signal } = this.#options;
		// The token was chosen already: without a time, the credential does not find it due.
		const chosen = { ...data, accessTokenRenewAt: '' };
		const send = async (abortSignal: AbortSignal) =>
			await requestByN8n(this.#context, app, chosen, httpRequest, abortSignal);
		try {
			return await withTimeout(timeout, signal, send);
		} catch (error) {
			if (error instanceof ExecutionCanceled || error instanceof ServiceError) throw error as Error;
			const { message, advice, details } = connectionError(error);
			const isRaisable = error instanceof TimedOut && this.hasOptions;
			const explained = new ServiceError(message, isRaisable ? `${advice} ${RAISE_TIMEOUT}` : advice, details);
			throw explained;
		}
	}
}
