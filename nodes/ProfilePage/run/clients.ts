import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/apps/app';
import { pathsOf, readCommonCredential, readSharedCredential } from '../n8n/credential';
import { settleAsync } from '../n8n/errors';
import type { Call } from '../resources/operation';
import type { SendOptions } from '../resources/options';
import { Client } from '../service/client';
import { done, type Ended, STOPPED } from '../service/failure';
import { Scheduler } from '../service/scheduler';
import { CallQueue } from './callQueue';

/** An account, with what says when its calls, and their requests, may start. */
interface ScheduledAccount {
	readonly account: CredentialAccount;
	readonly calls: CallQueue;
	readonly scheduler: Scheduler;
	/** Aborts when nothing more may start. */
	readonly signal: AbortSignal;
}

/** The clients of a run: one for all items, unless expressions in the credential give several accounts. */
export class Clients {
	readonly #context: IExecuteFunctions;
	readonly #options: SendOptions;
	/** Aborts when a failure ends the node. Requests in flight are allowed to finish. */
	readonly #ending = new AbortController();
	readonly #accounts = new Map<string, ScheduledAccount>();
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
		const { account, calls, scheduler, signal } = this.#accountOf(credential.result);
		// The paths of lists may come from expressions, too.
		const client = new Client(account, { ...this.#options, paths: pathsOf(credential.result), scheduler, signal });
		await calls.add(call.key, async () => await work(scheduler.refusal() ?? done(client)));
	}

	/** Starts no more requests. Those in flight end. */
	stop(): void {
		this.#ending.abort();
	}

	async #credentialOf({ itemIndexes }: Call): Promise<Ended<Credential>> {
		const shared = await this.#shared;
		if (shared.outcome === 'done' && shared.result) return done(shared.result);
		// If it cannot be read, each item reports its own error.
		const read = this.#reading.then(async () => {
			if (this.#ending.signal.aborted || this.#cancelSignal?.aborted) return STOPPED;
			return await settleAsync(async () => await readCommonCredential(this.#context, itemIndexes));
		});
		this.#reading = read;
		return await read;
	}

	get #cancelSignal(): AbortSignal | undefined {
		return this.#context.getExecutionCancelSignal();
	}

	#accountOf(credential: Credential): ScheduledAccount {
		const known = this.#accounts.get(credential.binding) ?? this.#createAccount(credential);
		this.#accounts.set(credential.binding, known);
		return known;
	}

	#createAccount(credential: Credential): ScheduledAccount {
		const cancelSignal = this.#cancelSignal;
		const signal = AbortSignal.any([this.#ending.signal, ...(cancelSignal ? [cancelSignal] : [])]);
		const options = { ...this.#options, signal, cancelSignal };
		const account = new CredentialAccount(this.#context, credential, options);
		return { account, calls: new CallQueue(options.batchSize), scheduler: new Scheduler(options), signal };
	}
}
