import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/apps/app';
import type { Call, CallResult } from '../resources/operation';
import type { SendOptions } from '../resources/options';
import { Client } from '../service/client';
import { type Ended, Failed, failureOf, requestFailure, STOPPED } from '../service/failure';
import { Scheduler } from '../service/scheduler';
import { getOrCreate } from '../shared/values';
import { CallQueue } from './callQueue';

/** The client of an account, with the calls that wait for it. */
interface QueuedClient {
	readonly client: Client;
	readonly calls: CallQueue;
}

/** The clients of a run: one for all items, unless expressions in the credential give several accounts. */
export class Clients {
	readonly #context: IExecuteFunctions;
	readonly #options: SendOptions;
	/** By the service and the app. */
	readonly #clients = new Map<string, QueuedClient>();
	/** Aborts when a failure ends the node. Requests in flight are allowed to finish. */
	readonly #ending = new AbortController();
	/** Aborts when nothing more may be sent. */
	readonly #signal: AbortSignal;

	constructor(context: IExecuteFunctions, options: SendOptions) {
		this.#context = context;
		this.#options = options;
		const cancelSignal = context.getExecutionCancelSignal();
		this.#signal = AbortSignal.any([this.#ending.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	}

	/**
	 * Performs a call with the client of its account, when it has a place among the calls of that. If it fails, no other
	 * request starts, unless the node continues on fail.
	 */
	async perform(call: Call, credential: Credential): Promise<Ended<CallResult>> {
		const create = () => this.#createClient(credential);
		const { client, calls } = getOrCreate(this.#clients, credential.binding, create);
		return await calls.add(call.key, async () => {
			if (this.#signal.aborted) return STOPPED;
			const ended = await performSafely(call, client);
			// Before the next call gets the place.
			if (ended.outcome !== 'done' && !this.#context.continueOnFail()) this.#ending.abort();
			return ended;
		});
	}

	#createClient(credential: Credential): QueuedClient {
		const cancelSignal = this.#context.getExecutionCancelSignal();
		const options = { ...this.#options, signal: this.#signal, cancelSignal };
		const account = new CredentialAccount(this.#context, credential, options);
		const scheduler = new Scheduler(options);
		return { client: new Client(account, { ...options, scheduler }), calls: new CallQueue(options.batchSize) };
	}
}

/** Performs a call. An error of n8n, or of this node, becomes a failure: other calls may be in flight. */
async function performSafely(call: Call, client: Client): Promise<Ended<CallResult>> {
	try {
		return await call.perform(client);
	} catch (error) {
		const { purpose } = call;
		if (error instanceof Failed) return { ...error.failure, purpose };
		const { problem, advice } = failureOf(error);
		return requestFailure(problem, advice, { purpose });
	}
}
