import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/apps/app';
import { type ListPaths, pathsOf, readCommonCredential, readSharedCredential } from '../n8n/credential';
import type { Call } from '../resources/operation';
import type { SendOptions } from '../resources/options';
import { Client } from '../service/client';
import { done, type Ended, STOPPED } from '../service/failure';
import { Scheduler } from '../service/scheduler';
import { getOrCreate } from '../shared/values';
import { CallQueue } from './callQueue';

/** A client, with what says when its calls, and their requests, may start. */
interface ScheduledClient {
	readonly client: Client;
	readonly calls: CallQueue;
	readonly scheduler: Scheduler;
}

/** What a call reaches the service with: the client of its account, and where the lists are, perhaps by an expression. */
export interface Access {
	readonly client: Client;
	readonly paths: ListPaths;
}

/** The clients of a run: one for all items, unless expressions in the credential give several accounts. */
export class Clients {
	readonly #context: IExecuteFunctions;
	readonly #options: SendOptions;
	/** Aborts when a failure ends the node. Requests in flight are allowed to finish. */
	readonly #ending = new AbortController();
	/** By the service and the app. */
	readonly #clients = new Map<string, ScheduledClient>();
	/** The credential of all items, if they have the same one. */
	readonly #shared: Promise<Ended<Credential> | undefined>;
	/** The credential that was read last. They are read one by one, in the order of the items. */
	#reading: Promise<unknown> = Promise.resolve();

	constructor(context: IExecuteFunctions, options: SendOptions) {
		this.#context = context;
		this.#options = options;
		this.#shared = readSharedCredential(context);
	}

	/** Does the work of a call when it may start, with access to the service, or the failure why there is none. */
	async withAccess(call: Call, work: (access: Ended<Access>) => Promise<void>): Promise<void> {
		const credential = await this.#credentialOf(call);
		if (credential.outcome !== 'done') {
			await work(credential);
			return;
		}
		const paths = pathsOf(credential.result);
		const create = () => this.#createClient(credential.result);
		const { client, calls, scheduler } = getOrCreate(this.#clients, credential.result.binding, create);
		await calls.add(call.key, async () => await work(scheduler.refusal() ?? done({ client, paths })));
	}

	/** Starts no more requests. Those in flight end. */
	stop(): void {
		this.#ending.abort();
	}

	async #credentialOf({ itemIndexes }: Call): Promise<Ended<Credential>> {
		const shared = await this.#shared;
		if (shared?.outcome === 'done') return shared;
		// If it cannot be read, each item reports its own error.
		const read = this.#reading.then(async () => {
			if (this.#ending.signal.aborted || this.#cancelSignal?.aborted) return STOPPED;
			return await readCommonCredential(this.#context, itemIndexes);
		});
		this.#reading = read;
		return await read;
	}

	get #cancelSignal(): AbortSignal | undefined {
		return this.#context.getExecutionCancelSignal();
	}

	#createClient(credential: Credential): ScheduledClient {
		const cancelSignal = this.#cancelSignal;
		const signal = AbortSignal.any([this.#ending.signal, ...(cancelSignal ? [cancelSignal] : [])]);
		const options = { ...this.#options, signal, cancelSignal };
		const account = new CredentialAccount(this.#context, credential, options);
		const scheduler = new Scheduler(options);
		return {
			client: new Client(account, { ...options, scheduler }),
			calls: new CallQueue(options.batchSize),
			scheduler,
		};
	}
}
