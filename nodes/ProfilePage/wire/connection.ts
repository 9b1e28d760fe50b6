import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readCredential, type ServiceCredential, withData } from '../authentication';
import { NoTokenError } from '../explainedErrors';
import { cancelSignal, type ServiceContext } from '../serviceContext';
import { orStopped } from '../waiting';
import type { Answer } from './envelope';
import { refreshByN8n, sendByN8n } from './n8nRequest';
import type { ServiceRequest } from './serviceRequest';

/**
 * The requests that are to bring their credential a new token, by the credential's ID; each resolves
 * to why there is none, if so.
 */
const renewals = new Map<string, Promise<NoTokenError | undefined>>();

/**
 * What an execution, or the loading of a list, has with the service: its credential, read once, and the
 * access token.
 *
 * A request that costs a token goes alone: the first one, in this process, that has none or whose token
 * was refused. The others wait, and go with the token that it brings. So many requests in parallel cost
 * one grant, whichever version of n8n makes it.
 */
export class Connection {
	#credential?: ServiceCredential;
	#reading?: Promise<ServiceCredential>;
	/** A token that was refused although it was new: another would be refused as well. */
	#refusedAnew?: string;
	/** Why there will be no token. */
	#lost?: NoTokenError;

	/** @param timeout how long an answer may take, in milliseconds */
	constructor(
		private readonly context: ServiceContext,
		private readonly timeout: number,
	) {}

	/** What must not be repeated in any message. */
	get secrets(): readonly string[] {
		return this.#credential?.secrets ?? [];
	}

	/**
	 * Sends a request with the access token, which n8n gets or renews when it must.
	 *
	 * @returns the answer, whatever its status
	 * @throws FieldError if the credential can't be used, before anything is sent
	 * @throws NoTokenError if no token came, ServiceError if no answer came
	 * @throws ExecutionStopped if the execution was stopped
	 */
	async send(request: ServiceRequest): Promise<Answer> {
		if (this.#lost) throw this.#lost;
		const credential = await this.#settledCredential();
		if (!credential.accessToken) return await this.#sendWithNewToken(request, credential);
		const answer = await this.#attempt(request, credential);
		const isInVain = credential.accessToken === this.#refusedAnew;
		if (answer.status !== 401 || isInVain) return answer;
		return await this.#sendWithNewToken(request, credential);
	}

	/** The credential, once nobody is about to renew its token: the old one would be refused. */
	async #settledCredential(): Promise<ServiceCredential> {
		const credential = this.#credential ?? (await this.#read());
		const renewal = renewals.get(credential.id);
		if (!renewal || !credential.accessToken) return credential;
		await orStopped(renewal, cancelSignal(this.context));
		return this.#credential ?? credential;
	}

	/**
	 * @param refused the credential whose token the service refused, or that has none
	 * @param waits how often this request has waited for others to bring a new one
	 */
	async #sendWithNewToken(
		request: ServiceRequest,
		refused: ServiceCredential,
		waits = 0,
	): Promise<Answer> {
		const renewal = renewals.get(refused.id);
		if (!renewal) return await this.#lead(request, refused);

		const noToken = await orStopped(renewal, cancelSignal(this.context));
		const current = await this.#readUnlessNewer(refused);
		const isRenewed = current.accessToken !== refused.accessToken;
		// One of those that have waited tries again, where that may help; then all believe it.
		const isWorthATry = waits === 0 && noToken?.details.isPassing !== false;
		if (!isRenewed && isWorthATry) {
			return await this.#sendWithNewToken(request, refused, waits + 1);
		}
		if (!isRenewed && noToken) throw this.#noteLoss(noToken);
		return await this.#attempt(request, current);
	}

	/** Sends the request that the others wait for. */
	async #lead(request: ServiceRequest, refused: ServiceCredential): Promise<Answer> {
		const sending = this.#renew(request, refused);
		const outcome = sending.then(
			() => undefined,
			(error: unknown) => (error instanceof NoTokenError ? error : undefined),
		);
		renewals.set(refused.id, outcome);
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
		const answer = await this.#attempt(request, await this.#renewToken(stored));
		if (answer.status === 401) this.#refusedAnew = this.#credential?.accessToken;
		return answer;
	}

	/** @returns the credential with a new token; or without one, for which n8n then gets one */
	async #renewToken(stored: ServiceCredential): Promise<ServiceCredential> {
		if (!stored.isPublicApp) return withData(stored, { ...stored.data, accessToken: '' });
		try {
			await refreshByN8n(this.context, stored.type, this.timeout);
		} catch (error) {
			throw this.#noteLoss(error);
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
		const data = { ...credential.data };
		try {
			const ofRequest = { type: credential.type, data };
			return await sendByN8n(this.context, ofRequest, request, this.timeout);
		} catch (error) {
			throw this.#noteLoss(error);
		} finally {
			this.#adopt(credential, data);
		}
	}

	/** Takes over the token that n8n has put into the credential of a request. */
	#adopt(before: ServiceCredential, data: ICredentialDataDecryptedObject): void {
		const after = withData(before, data);
		if (after.accessToken !== before.accessToken) this.#credential = after;
	}

	/** Keeps in mind that no token can be had, so that the other requests need not ask in vain. */
	#noteLoss<T>(error: T): T {
		if (!(error instanceof NoTokenError)) return error;
		const { answerStatus = 0, isPassing } = error.details;
		if (!isPassing && answerStatus < 500) this.#lost = error;
		return error;
	}
}
