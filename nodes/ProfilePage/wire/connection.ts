import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { readCredential, type ServiceCredential, withData } from '../authentication';
import { ExecutionStopped, ServiceError, unwrapExplained } from '../explainedErrors';
import { orStopped } from '../waiting';
import { serviceUrl } from './baseUrl';
import { describeConnectionFailure, isPassingFailure } from './connectionFailure';
import { type Answer, findProblem } from './envelope';
import { describeAnswer } from './passing';
import type { ServiceRequest } from './serviceRequest';

/** The requests that are to bring their credential a new token, by the credential's ID. */
const renewals = new Map<string, Promise<unknown>>();

/**
 * What an execution has with the service: its credential, read once, and the access token.
 *
 * A request that may cost a token goes alone: the first one of the execution; and the first one, in
 * this process, that has no token or whose token was refused. The others wait, and go with the token
 * that it brings. So many requests in parallel cost one grant, whichever version of n8n makes it.
 */
export class Connection {
	#credential?: ServiceCredential;
	#reading?: Promise<ServiceCredential>;
	/** Resolved when the first request has come back. */
	#first?: Promise<unknown>;
	/** A token that was refused although it was new: another would be refused as well. */
	#refusedAnew?: string;
	/** Why there will be no token. */
	#lost?: ServiceError;

	/** @param timeout how long an answer may take, in milliseconds */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly timeout: number,
	) {}

	/** Tells when the execution is stopped. */
	get #stop(): AbortSignal | undefined {
		return this.context.getExecutionCancelSignal();
	}

	/** What must not be repeated in any message. */
	get secrets(): readonly string[] {
		return this.#credential?.secrets ?? [];
	}

	/**
	 * Sends a request with the access token, which n8n gets or renews when it must.
	 *
	 * @returns the answer, whatever its status
	 * @throws FieldError if the credential can't be used, before anything is sent
	 * @throws ServiceError if no token or no answer came
	 * @throws ExecutionStopped if the execution was stopped
	 */
	async send(request: ServiceRequest): Promise<Answer> {
		if (this.#first) await this.#first;
		const sending = this.#sendWithToken(request);
		this.#first ??= sending.then(ignore, ignore);
		return await sending;
	}

	async #sendWithToken(request: ServiceRequest): Promise<Answer> {
		const credential = this.#credential ?? (await this.#read());
		if (!credential.accessToken) return await this.#sendWithNewToken(request, credential);
		const answer = await this.#attempt(request, credential);
		const isInVain = credential.accessToken === this.#refusedAnew;
		if (answer.status !== 401 || isInVain) return answer;
		return await this.#sendWithNewToken(request, credential);
	}

	/** @param refused the credential whose token the service refused, or that has none */
	async #sendWithNewToken(request: ServiceRequest, refused: ServiceCredential): Promise<Answer> {
		const renewal = renewals.get(refused.id);
		if (renewal) {
			await orStopped(renewal, this.#stop);
			// If it brought none, this request tries on its own, and fails with a message of its own.
			return await this.#attempt(request, await this.#readUnlessNewer(refused));
		}
		const sending = this.#renew(request, refused);
		renewals.set(refused.id, sending.then(ignore, ignore));
		try {
			return await sending;
		} finally {
			renewals.delete(refused.id);
		}
	}

	async #renew(request: ServiceRequest, refused: ServiceCredential): Promise<Answer> {
		// Another execution or another process of n8n may have renewed it.
		const stored = await this.#readUnlessNewer(refused);
		if (stored.accessToken !== refused.accessToken) {
			const answer = await this.#attempt(request, stored);
			if (answer.status !== 401) return answer;
		}
		const answer = await this.#attempt(request, await this.#renewToken(request, stored));
		if (answer.status === 401) this.#refusedAnew = this.#credential?.accessToken;
		return answer;
	}

	/** @returns the credential with a new token; or without one, for which n8n then gets one */
	async #renewToken(
		{ failure }: ServiceRequest,
		stored: ServiceCredential,
	): Promise<ServiceCredential> {
		if (!stored.isPublicApp) {
			this.#credential = withData(stored, { ...stored.data, accessToken: '' });
			return this.#credential;
		}
		try {
			await this.context.helpers.refreshOAuth2Token.call(this.context, stored.type);
		} catch (error) {
			throw this.#noteLoss(explainRefresh(error, failure));
		}
		return await this.#read();
	}

	/** Reads the credential again, unless the one at hand has another token than the refused one. */
	async #readUnlessNewer(refused: ServiceCredential): Promise<ServiceCredential> {
		const current = this.#credential;
		return current && current.accessToken !== refused.accessToken ? current : await this.#read();
	}

	async #read(): Promise<ServiceCredential> {
		this.#reading ??= readCredential(this.context).finally(() => (this.#reading = undefined));
		this.#credential = await this.#reading;
		return this.#credential;
	}

	async #attempt(request: ServiceRequest, credential: ServiceCredential): Promise<Answer> {
		if (this.#lost) throw this.#lost;
		const httpRequest = toHttpRequest(request, credential.data.baseUrl);
		if (this.#stop?.aborted) throw new ExecutionStopped();
		const timeLimit = AbortSignal.timeout(this.timeout);
		const signal = this.#stop ? AbortSignal.any([this.#stop, timeLimit]) : timeLimit;
		// n8n puts a new token into what it is given, so no two requests share it.
		const data = { ...credential.data };
		try {
			const context = this.#contextWith(data, signal);
			const { statusCode, headers, body } = (await orStopped(
				context.helpers.httpRequestWithAuthentication.call(context, credential.type, httpRequest),
				signal,
			)) as IN8nHttpFullResponse;
			return { status: statusCode, headers, body };
		} catch (error) {
			throw this.#explain(timeLimit.aborted ? { code: 'ETIMEDOUT' } : error, request);
		} finally {
			this.#adopt(credential, data);
		}
	}

	/**
	 * The context of the node, but for what n8n's request helper asks it: the credential, which it would
	 * read for each request, and the signal that ends a request.
	 */
	#contextWith(data: ICredentialDataDecryptedObject, signal: AbortSignal): IExecuteFunctions {
		return Object.create(this.context, {
			getCredentials: { value: async () => await Promise.resolve(data) },
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
	}

	/** Takes over the token that n8n has put into the credential of a request. */
	#adopt(before: ServiceCredential, data: ICredentialDataDecryptedObject): void {
		const after = withData(before, data);
		const isNew = after.accessToken !== before.accessToken;
		if (isNew && this.#credential?.accessToken === before.accessToken) this.#credential = after;
	}

	#explain(error: unknown, { failure }: ServiceRequest): ServiceError | ExecutionStopped {
		if (this.#stop?.aborted) return new ExecutionStopped();
		const explained = unwrapExplained(error);
		if (explained) return this.#noteLoss(explained);
		return new ServiceError(`${failure}: the service ${describeConnectionFailure(error)}`, {
			isPassing: isPassingFailure(error),
		});
	}

	/** Keeps in mind that no token can be had, so that the other requests need not ask in vain. */
	#noteLoss(error: ServiceError): ServiceError {
		const { answerStatus = 0, isPassing } = error.details;
		if (!isPassing && answerStatus < 500) this.#lost = error;
		return error;
	}
}

function ignore(): void {
	// Whoever has caused it is told.
}

function toHttpRequest(request: ServiceRequest, baseUrl: unknown): IHttpRequestOptions {
	const { method, path, form } = request;
	return {
		method,
		url: serviceUrl(baseUrl, path),
		headers: {
			Accept: 'application/json',
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		...(form && { body: new URLSearchParams(form).toString() }),
		returnFullResponse: true,
		// So that what is thrown is never an answer.
		ignoreHttpStatusErrors: true,
		// The private app's credential says so too; for a public app n8n would follow, with the token.
		disableFollowRedirect: true,
	};
}

/** n8n refreshes the token of a public app with a client of its own, which throws errors of its own. */
function explainRefresh(error: unknown, failure: string): ServiceError {
	const { response } = error as { response?: { status: number; headers: Record<string, unknown> } };
	if (!response) {
		return new ServiceError(`${failure}: the service ${describeConnectionFailure(error)}`, {
			isPassing: isPassingFailure(error),
		});
	}
	const { status, headers } = response;
	const problem = findProblem({ status, body: undefined }, 'Check the credential.');
	return new ServiceError(`${failure}: ${problem}`, describeAnswer(status, headers));
}
