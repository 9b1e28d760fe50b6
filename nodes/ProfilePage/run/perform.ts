import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import type { Call, CallResult } from '../resources/operation';
import type { NodeOptions } from '../resources/options';
import { Client } from '../service/client';
import { type Ended, Failed, failureOf, requestFailure, STOPPED } from '../service/failure';
import { Scheduler } from '../service/scheduler';
import type { Ledger } from './ledger';
import type { ReadyCall } from './readyCall';

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
	calls: readonly ReadyCall[],
	options: NodeOptions,
	ledger: Ledger,
): Promise<Call | undefined> {
	let failed: Call | undefined;
	const nodeEnds = new AbortController();
	const cancelSignal = context.getExecutionCancelSignal();
	const signal = AbortSignal.any([nodeEnds.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	const performOfAccount = async ([first, ...others]: CallsOfAccount) => {
		const clientOptions = { ...options, signal, cancelSignal };
		const account = new CredentialAccount(context, first.credential, clientOptions);
		const client = new Client(account, clientOptions, new Scheduler(clientOptions));
		await workInOrder([first, ...others], options.batchSize, async (call) => {
			const ended = signal.aborted ? STOPPED : await perform(call, client);
			ledger.add(call, ended);
			if (ended.outcome === 'done' || context.continueOnFail()) return;
			failed ??= call;
			// Before this worker takes another call.
			nodeEnds.abort();
		});
	};
	await Promise.all(byAccount(calls).map(performOfAccount));
	return failed;
}

type CallsOfAccount = [ReadyCall, ...ReadyCall[]];

/** Groups calls by their bindings: an item without the secret of an app must not be sent with its token. */
function byAccount(calls: readonly ReadyCall[]): CallsOfAccount[] {
	const groups = new Map<string, CallsOfAccount>();
	for (const call of calls) {
		const group = groups.get(call.credential.binding);
		if (group) group.push(call);
		else groups.set(call.credential.binding, [call]);
	}
	return [...groups.values()];
}

/**
 * Works on calls in their order, some at a time. Calls with the same key never overlap: one whose key is in use lets
 * others pass.
 *
 * @param concurrency on how many calls at a time
 */
export async function workInOrder<C extends Pick<Call, 'key'>>(
	calls: readonly C[],
	concurrency: number,
	work: (call: C) => Promise<void>,
): Promise<void> {
	// The last one is next: it takes long to remove the first element of a long array.
	const waiting = calls.toReversed();
	const keysInUse = new Set<string>();
	const takeNext = () => {
		const next = waiting.findLastIndex(({ key }) => key === undefined || !keysInUse.has(key));
		return next < 0 ? undefined : waiting.splice(next, 1)[0];
	};
	/** Ends if all keys of the calls that wait are in use: the workers that use them take these calls. */
	const startWorker = async (first: C) => {
		for (let call: C | undefined = first; call; call = takeNext()) {
			const { key } = call;
			if (key !== undefined) keysInUse.add(key);
			await work(call);
			if (key !== undefined) keysInUse.delete(key);
		}
	};
	const workers: Array<Promise<void>> = [];
	while (workers.length < concurrency) {
		const first = takeNext();
		if (!first) break;
		workers.push(startWorker(first));
	}
	await Promise.all(workers);
}

/** Performs a call. An error of n8n, or of this node, becomes a failure: other calls may be in flight. */
async function perform(call: Call, client: Client): Promise<Ended<CallResult>> {
	try {
		return await call.perform(client);
	} catch (error) {
		const { purpose } = call;
		if (error instanceof Failed) return { ...error.failure, purpose };
		const { problem, advice } = failureOf(error);
		return requestFailure(problem, advice, { purpose });
	}
}
