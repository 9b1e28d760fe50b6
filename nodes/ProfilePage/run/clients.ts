import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/app';
import { readCommonCredential, readSharedCredential } from '../n8n/credential';
import { settleAsync } from '../n8n/errors';
import type { Call } from '../resources/operation';
import type { SendOptions } from '../resources/options';
import { Client } from '../service/client';
import { done, type Ended } from '../service/failure';
import { Scheduler } from '../service/scheduler';

/** The clients of a run, one for each account: the same for all items, unless expressions in the credential give several. */
export class Clients {
	readonly #context: IExecuteFunctions;
	readonly #options: SendOptions & { readonly signal?: AbortSignal };
	readonly #accounts = new Map<string, { readonly scheduler: Scheduler; readonly clients: Map<string, Client> }>();
	readonly #shared: Promise<Ended<Credential | undefined>>;
	/** The credential that was read last. They are read one by one, in the order of the items. */
	#reading: Promise<unknown> = Promise.resolve();
	/** Aborts when a failure ends the node: nothing more may start, but requests in flight end. */
	readonly #ending = new AbortController();

	constructor(context: IExecuteFunctions, options: SendOptions & { readonly signal?: AbortSignal }) {
		this.#context = context;
		this.#options = options;
		this.#shared = settleAsync(async () => await readSharedCredential(context));
	}

	/** Does the work of a call when it may start, with the client of its account, or the failure why there is none. */
	async withClient(call: Call, work: (client: Ended<Client>) => Promise<void>): Promise<void> {
		const credential = await this.#credentialOf(call);
		if (credential.outcome !== 'done') {
			await work(credential);
			return;
		}
		const { client, scheduler } = this.#clientOf(credential.result);
		await scheduler.runCall(call.key, async (refusal) => await work(refusal ?? done(client)));
	}

	/** Starts no more requests. Those in flight end. */
	stop(): void {
		this.#ending.abort();
	}

	async #credentialOf({ itemIndexes }: Call): Promise<Ended<Credential>> {
		const shared = await this.#shared;
		if (shared.outcome === 'done' && shared.result) return done(shared.result);
		// If it cannot be read, each item reports its own error.
		const read = this.#reading.then(
			async () => await settleAsync(async () => await readCommonCredential(this.#context, itemIndexes)),
		);
		this.#reading = read;
		return await read;
	}

	#clientOf(credential: Credential) {
		const { scheduler, clients } = this.#accounts.get(credential.binding) ?? this.#addAccount(credential.binding);
		const { pagesPath, blocksPath } = credential.data;
		// The paths of an account may come from expressions too.
		const key = JSON.stringify([pagesPath, blocksPath]);
		let client = clients.get(key);
		client ??= new Client(new CredentialAccount(this.#context, credential, this.#options), {
			...this.#options,
			scheduler,
		});
		clients.set(key, client);
		return { client, scheduler };
	}

	#addAccount(binding: string) {
		const { signal } = this.#options;
		const ending = AbortSignal.any([this.#ending.signal, ...(signal ? [signal] : [])]);
		const account = {
			scheduler: new Scheduler({ ...this.#options, signal: ending }),
			clients: new Map<string, Client>(),
		};
		this.#accounts.set(binding, account);
		return account;
	}
}
