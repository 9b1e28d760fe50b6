import type { IDataObject } from 'n8n-workflow';

import { isProblem, type Problem, ServiceError } from '../shared/errors';
import { readRetryHints } from '../shared/failures';
import type { ServiceContext, ServiceCredential } from './credential';
import { sendByN8n } from './n8nRequest';
import { readResponse, type ServiceResponse } from './response';
import { type ServiceRequest, toServiceError } from './serviceRequest';
import { quoteService } from './serviceWords';
import { TokenSource, type WaitOptions } from './tokenSource';

/** Sends the requests of an execution, or of a list that is loaded, for one account. */
export class ServiceClient {
	/** What tells accounts apart. */
	readonly account: string;
	readonly #context: ServiceContext;
	readonly #options: WaitOptions;
	readonly #tokens: TokenSource;
	/** All tokens sent, and what they were granted for. */
	readonly #secrets = new Set<string>();

	constructor(context: ServiceContext, credential: ServiceCredential, options: WaitOptions) {
		this.account = credential.account;
		this.#context = context;
		this.#options = options;
		this.#tokens = new TokenSource(context, credential, options);
	}

	/** Returns what `read` makes of the response. Throws ServiceError if that is not a success, or ExecutionCanceled. */
	async call<T extends object>(
		request: ServiceRequest,
		read: (envelope: IDataObject) => T | Problem,
	): Promise<T> {
		const response = await this.#send(request);
		const result = readResponse(response, request, read);
		if (!isProblem(result)) return result;
		const hints = readRetryHints(response.status, response.headers);
		const isNotApplied = result.isNotApplied ?? false;
		const error = toServiceError(request, result, { ...hints, isNotApplied });
		const advice = quoteService(error.advice, response.body, [...this.#secrets]);
		throw new ServiceError(error.message, advice, error.details);
	}

	/** Sends a request. If the service rejects the token, sends it again with another one. */
	async #send(request: ServiceRequest): Promise<ServiceResponse> {
		for (let tokensTried = 1; ; tokensTried += 1) {
			const credential = await this.#tokens.get();
			for (const secret of credential.secrets) this.#secrets.add(secret);
			const response = await sendByN8n(this.#context, credential, request, this.#options.timeout);
			if (response.status !== 401) {
				this.#tokens.accept(credential);
				return response;
			}
			if (!this.#tokens.reject(credential, tokensTried)) return response;
		}
	}
}
