import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/apps/app';
import { readCommonCredential, readSharedCredential } from '../n8n/credential';
import { settleAsync } from '../n8n/errors';
import type { Call } from '../resources/operation';
import type { SendOptions } from '../resources/options';
import { Client } from '../service/client';
import { done, type Ended } from '../service/failure';
import { Scheduler } from '../service/scheduler';
import { CallQueue } from './callQueue';

/** The client of an account, and what says when its calls, and their requests, may start. */
interface ScheduledClient {
	readonly client: Client;
	readonly calls: CallQueue;
	readonly scheduler: Scheduler;
}

/** The clients of a run: one for all items, unless expressions in the credential give several accounts. */
export class Clients {
	readonly #context: IExecuteFunctions;
	readonly #options: SendOptions;
	/** Aborts when a failure ends the node. Requests in flight are allowed to finish. */
	readonly #ending = new AbortController();
	readonly #clients = new Map<string, ScheduledClient>();
	readonly #shared: Promise<Ended<Credential | undefined>>;
	/** The credential that was read last. They are read one by one, in the order of the items. */
	#reading: Promise<unknown> = Promise.resolve();

	constructor(context: IExecuteFunctions, options: SendOptions) {
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
		const { client, calls, scheduler } = this.#clientOf(credential.result);
		await calls.run(call.key, async () => await work(scheduler.refusal() ?? done(client)));
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

	#clientOf(credential: Credential): ScheduledClient {
		const { pagesPath, blocksPath } = credential.data;
		// The paths of lists may come from expressions too.
		const key = JSON.stringify([credential.binding, pagesPath, blocksPath]);
		const known = this.#clients.get(key) ?? this.#createClient(credential);
		this.#clients.set(key, known);
		return known;
	}

	#createClient(credential: Credential): ScheduledClient {
		// A cancellation aborts requests in flight, too.
		const canceled = this.#context.getExecutionCancelSignal();
		const signal = AbortSignal.any([this.#ending.signal, ...(canceled ? [canceled] : [])]);
		const account = new CredentialAccount(this.#context, credential, { ...this.#options, signal: canceled });
		const scheduler = new Scheduler({ ...this.#options, signal });
		const client = new Client(account, { ...this.#options, signal }, scheduler);
		return { client, calls: new CallQueue(this.#options.batchSize), scheduler };
	}
}
