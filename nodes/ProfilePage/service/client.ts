import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { type Credential, type NodeContext, REQUEST_OPTIONS, requestByN8n } from '../auth/app';
import { serviceUrl } from '../auth/baseUrl';
import { Tokens, type WaitOptions } from '../auth/tokens';
import { Attempts } from '../http/attempts';
import { connectionError } from '../http/failures';
import { type PaceOptions, Pacer } from '../http/pacer';
import { ExecutionCanceled, type History, ServiceError } from '../shared/errors';
import { pause, TimedOut, withTimeout } from '../shared/waiting';
import type { ServiceRequest } from './request';
import { readResponse } from './response';
import { inWords } from './words';

const RAISE_TIMEOUT = 'If it happens often, raise Timeout (ms) in the options of the node.';

/** Users can set `batchSize` and the other options in the node. */
export interface ClientOptions extends WaitOptions, PaceOptions {}

/** Sends requests to the service with the credential of one app: gets tokens, keeps the pace, and retries. */
export class ServiceClient {
	/** What tells the clients of an execution apart. */
	readonly binding: string;
	readonly pacer: Pacer;
	readonly #context: NodeContext;
	readonly #options: ClientOptions;
	readonly #tokens: Tokens;
	/** All tokens sent, and what they were granted for. No message may repeat them. */
	readonly #secrets = new Set<string>();

	constructor(context: NodeContext, credential: Credential, options: ClientOptions) {
		this.binding = credential.binding;
		this.pacer = new Pacer(options);
		this.#context = context;
		this.#options = options;
		this.#tokens = new Tokens(context, credential, options);
	}

	/**
	 * Sends a request until it succeeds, as far as it may be retried.
	 *
	 * @param read reads a success envelope; it may throw a ServiceError about it
	 * @param history what has become of the request in earlier tries of the node
	 * @returns what `read` returns
	 * @throws ServiceError in the words of the request, or ExecutionCanceled; both have the history of all attempts
	 */
	async send<T extends object>(
		request: ServiceRequest,
		read: (envelope: IDataObject) => T,
		history?: History,
	): Promise<T> {
		const { idempotent } = request;
		const attempts = new Attempts({
			...this.#options,
			idempotent,
			history,
			pacer: this.pacer,
			inWords: (error) => inWords(request, error, this),
		});
		for (;;) {
			let response: IN8nHttpFullResponse | undefined;
			try {
				response = await this.#exchange(request, attempts);
				const result = readResponse(response, request, read);
				this.pacer.leave(true);
				return result;
			} catch (error) {
				// Slows down, if the service asks for it, before another request may take the place.
				const waiting = attempts.next(error);
				// The node may end because of the last failure, before another request may take the place.
				if (response && attempts.isOver) void pause(0).then(() => this.pacer.leave(false));
				else if (response) this.pacer.leave(false);
				const final = await waiting;
				if (final) throw final as Error;
			}
		}
	}

	/**
	 * Sends a request when it may start. If the service rejects the token, sends it again with another one. With the
	 * response, the request keeps its place in the pacer.
	 */
	async #exchange(request: ServiceRequest, attempts: Attempts): Promise<IN8nHttpFullResponse> {
		const mustFinish = attempts.history === 'may be applied';
		for (let tokensTried = 1; ; tokensTried += 1) {
			// A request that waits for a token takes no place in the pacer.
			await this.#tokens.get();
			await this.pacer.enter(attempts.count > 0 || tokensTried > 1, mustFinish);
			try {
				// While the request waited, the token may have become due, and the pacer may have been stopped.
				const credential = await this.#tokens.get();
				const refusal = this.pacer.refusal(mustFinish);
				if (refusal) throw refusal;
				for (const secret of credential.secrets) this.#secrets.add(secret);
				const response = await this.#sendWith(credential, request);
				if (response.statusCode !== 401) credential.hasNewToken = false;
				else if (this.#tokens.reject(credential, tokensTried)) {
					this.pacer.leave(false);
					continue;
				}
				return response;
			} catch (error) {
				this.pacer.leave(false);
				throw error as Error;
			}
		}
	}

	/** Returns the response, whatever its status. */
	async #sendWith({ app, data }: Credential, request: ServiceRequest): Promise<IN8nHttpFullResponse> {
		const { timeout, signal } = this.#options;
		const httpRequest = toHttpRequest(request, data.baseUrl);
		// The token was chosen already: the credential must not find it due.
		const chosen = { ...data, accessTokenRenewAt: '' };
		const send = async (abortSignal: AbortSignal) =>
			await requestByN8n(this.#context, app, chosen, httpRequest, abortSignal);
		try {
			return await withTimeout(timeout, signal, send);
		} catch (error) {
			throw error instanceof ExecutionCanceled ? error : this.#explain(error);
		}
	}

	#explain(error: unknown): ServiceError {
		const explained = error instanceof ServiceError ? error : connectionError(error);
		if (!(error instanceof TimedOut && this.hasOptions)) return explained;
		const { message, advice, details } = explained;
		return new ServiceError(message, `${advice} ${RAISE_TIMEOUT}`, details);
	}

	get hasOptions(): boolean {
		return this.#options.batchSize !== undefined;
	}

	get secrets(): string[] {
		return [...this.#secrets];
	}
}

function toHttpRequest(request: ServiceRequest, baseUrl: unknown): IHttpRequestOptions {
	const { method, path, form, json } = request;
	const body = form ? new URLSearchParams(form).toString() : json;
	const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
	return {
		...REQUEST_OPTIONS,
		method,
		url: serviceUrl(baseUrl, path),
		headers: { ...REQUEST_OPTIONS.headers, ...(body && { 'Content-Type': contentType }) },
		...(body && { body }),
	};
}
