import type { IExecuteFunctions } from 'n8n-workflow';

import { readCredential, readFirstCredential, type ServiceCredential } from '../authentication';
import { FieldError } from '../errors';
import type { Call } from '../operation';
import { ServiceClient } from '../transport/serviceClient';
import type { WaitOptions } from '../transport/tokenSource';

/**
 * The accounts that an execution acts for: one, unless the fields of the credential have expressions
 * that give others for some items.
 */
export class Accounts {
	readonly #clients = new Map<string, ServiceClient>();
	#first?: ReturnType<typeof readFirstCredential>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: WaitOptions,
	) {}

	/**
	 * @returns the client for the account of a call
	 * @throws FieldError if the credential can't be used, or its items ask for different accounts
	 */
	async clientFor({ itemIndexes }: Pick<Call, 'itemIndexes'>): Promise<ServiceClient> {
		this.#first ??= readFirstCredential(this.context);
		const first = await this.#first.catch(() => undefined);
		if (first && !first.isPerItem) return this.#open(first.credential, 0);

		const [itemIndex, ...others] = itemIndexes;
		const credential = await readCredential(this.context, itemIndex);
		for (const other of others) {
			const { app } = await readCredential(this.context, other);
			if (app !== credential.app) {
				throw new FieldError(
					'Credential',
					`its expressions give different accounts for items ${itemIndex} and ${other}, which are sent in one request. Let them give the same account.`,
				);
			}
		}
		return this.#open(credential, itemIndex);
	}

	#open(credential: ServiceCredential, itemIndex: number): ServiceClient {
		const open = this.#clients.get(credential.app);
		if (open) return open;
		const client = new ServiceClient(this.context, credential, this.options, itemIndex);
		this.#clients.set(credential.app, client);
		return client;
	}
}
