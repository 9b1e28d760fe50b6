import type { ServiceCredential } from '../authentication';
import type { ServiceContext } from '../serviceContext';
import type { Answer } from './envelope';
import { sendByN8n } from './n8nRequest';
import type { ServiceRequest } from './serviceRequest';
import { TokenSource, type WaitOptions } from './tokenSource';

/** The status by which the service refuses an access token (the contract, section 7). */
const UNAUTHORIZED = 401;

/** Sends the requests of an execution, or of a list that is loaded, for one account. */
export class ServiceClient {
	readonly #tokens: TokenSource;
	readonly #secrets = new Set<string>();

	/**
	 * @param credential the credential as it is stored now
	 * @param itemIndex the item that it was read for
	 */
	constructor(
		private readonly context: ServiceContext,
		credential: ServiceCredential,
		private readonly options: WaitOptions,
		itemIndex = 0,
	) {
		this.#tokens = new TokenSource(context, credential, itemIndex, options);
	}

	/** What must not be repeated in any message: every token that was sent, and what they came from. */
	get secrets(): readonly string[] {
		return [...this.#secrets];
	}

	/**
	 * Sends a request with an access token. If the service refuses the token, it is sent again with
	 * another one.
	 *
	 * @returns the answer, whatever its status
	 * @throws NoTokenError if no token came, ServiceError if no answer came
	 * @throws ExecutionStopped if the execution was stopped
	 */
	async send(request: ServiceRequest): Promise<Answer> {
		for (let attempt = 1; ; attempt += 1) {
			const credential = await this.#tokens.get();
			for (const secret of credential.secrets) this.#secrets.add(secret);
			const answer = await sendByN8n(this.context, credential, request, this.options.timeout);
			if (answer.status !== UNAUTHORIZED) {
				this.#tokens.accept(credential);
				return answer;
			}
			if (!this.#tokens.refuse(credential, attempt)) return answer;
		}
	}
}
