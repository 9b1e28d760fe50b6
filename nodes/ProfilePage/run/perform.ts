import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/apps/app';
import type { Call, CallResult } from '../resources/operation';
import type { NodeOptions } from '../resources/options';
import { Client } from '../service/client';
import { type Ended, Failed, failureOf, requestFailure, STOPPED } from '../service/failure';
import type { SendOptions } from '../service/retry';
import { type Batching, Scheduler } from '../service/scheduler';
import { getOrCreate } from '../shared/values';
import type { Ledger } from './ledger';
import { workInOrder } from './workInOrder';

/**
 * Performs calls, each with the client of its account: one for all, unless expressions in the credential give several
 * accounts. Once a call fails, nothing more is sent, unless the node continues on fail. Requests in flight are allowed to
 * finish.
 *
 * @param ledger notes how each call ended
 * @returns the call that ends the node, which is the first that failed; undefined if there is none
 */
export async function performAll(
	context: IExecuteFunctions,
	calls: readonly Call[],
	options: NodeOptions,
	ledger: Ledger,
): Promise<Call | undefined> {
	let failed: Call | undefined;
	const nodeEnds = new AbortController();
	const cancelSignal = context.getExecutionCancelSignal();
	const signal = AbortSignal.any([nodeEnds.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	const performEach = async ({ client, calls: itsCalls }: AccountCalls) => {
		await workInOrder(itsCalls, options.batchSize, async (call) => {
			const ended = signal.aborted ? STOPPED : await settleCall(call, client);
			ledger.add(call, ended);
			if (ended.outcome === 'done' || context.continueOnFail()) return;
			failed ??= call;
			// Before this worker takes another call.
			nodeEnds.abort();
		});
	};
	await Promise.all(byAccount(context, calls, { ...options, signal, cancelSignal }).map(performEach));
	return failed;
}

/** The calls of an account, and its client. */
interface AccountCalls {
	readonly client: Client;
	readonly calls: Call[];
}

/** Groups calls by their bindings: an item without the secret of an app must not be sent with its token. */
function byAccount(
	context: IExecuteFunctions,
	calls: readonly Call[],
	options: SendOptions & Batching,
): AccountCalls[] {
	const accounts = new Map<string, AccountCalls>();
	for (const call of calls) {
		const create = () => ({ client: createClient(context, call.credential, options), calls: [] });
		getOrCreate(accounts, call.credential.binding, create).calls.push(call);
	}
	return [...accounts.values()];
}

function createClient(context: IExecuteFunctions, credential: Credential, options: SendOptions & Batching): Client {
	const account = new CredentialAccount(context, credential, options);
	return new Client(account, options, new Scheduler(options));
}

/** Performs a call, and returns how it ended. An error of n8n, or of this node, becomes a failure: other calls may be in flight. */
async function settleCall(call: Call, client: Client): Promise<Ended<CallResult>> {
	try {
		return await call.perform(client);
	} catch (error) {
		const { purpose } = call;
		if (error instanceof Failed) return { ...error.failure, purpose };
		const { problem, advice } = failureOf(error);
		return requestFailure(problem, advice, { purpose });
	}
}
