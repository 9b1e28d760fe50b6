import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Item, itemsOf } from '../fields/item';
import { openClient } from '../n8n/account';
import type { Credential } from '../n8n/app';
import { loadCommonCredential } from '../n8n/credential';
import { toErrorItem } from '../n8n/errors';
import type { Inputs, Planner } from '../resources/operation';
import { type NodeOptions, readOptions } from '../resources/options';
import { Session } from '../resources/session';
import { Client } from '../service/client';
import { type Failure, toFailure } from '../shared/failure';
import { type Entry, isFinal } from './ledger';
import { performAll, type Planned } from './perform';
import { planCalls } from './plan';
import { asPreview, PreviewClient } from './preview';
import { itemIndexOf, showHints } from './report';
import { Try } from './try';

/**
 * Runs an operation on all input items. Everything is read before a change is sent, so that an invalid item stops
 * the node before it has changed anything.
 *
 * With Retry On Fail, n8n runs it again for the same items. What succeeded is not sent again, nor is a change that
 * may have been made and may not be repeated: its output or its error is returned once more.
 *
 * @returns the output in the order of the input; with Continue on Fail, an error item for each call that failed
 * @throws NodeOperationError for invalid parameters, NodeApiError for a request that failed; each has the index of
 *   its item, and reports what became of the others
 */
export async function runOperation(context: IExecuteFunctions, planner: Planner): Promise<INodeExecutionData[]> {
	const thisTry = new Try(context);
	// What failed in an earlier try and is not sent again ends this one, too.
	for (const entry of thisTry.ledger.entries.filter(isFinal)) thisTry.endIfFailed(entry);
	if (!thisTry.stopSignal.aborted) await performLeft(thisTry, planner);
	thisTry.throwIfEnded();
	showHints(context, thisTry.ledger);
	return thisTry.ledger.entries.flatMap(toOutput);
}

/** Plans the calls for the items that are left, and performs them. */
async function performLeft(thisTry: Try, planner: Planner): Promise<void> {
	const plan = await planLeft(thisTry, planner).catch((error: unknown) => failLeft(thisTry, toFailure(error)));
	if (!plan) return;
	const { planned, session, concurrency } = plan;
	await performAll(planned, session, concurrency, thisTry.stopSignal, (ended) => thisTry.add(ended));
}

/** Returns the calls for the items that are left. Throws Failure or an error of n8n, such as for an invalid credential or option. */
async function planLeft(thisTry: Try, planner: Planner) {
	const { context, ledger } = thisTry;
	const credential = await loadCommonCredential(context);
	const items = itemsOf(context);
	if (!areSome(items)) return undefined;
	const options = readOptions(items);
	const { isPreview, concurrency } = options;
	const session = openSession(thisTry, credential, options);
	// A preview begins anew in each try: this one does not know what an earlier one would have changed.
	const left = items.filter(({ index }) => isPreview || ledger.isLeft(index));
	const planned: Planned[] = [];
	for (const entry of await planCalls(left, planner, session)) {
		const { call } = entry;
		if (call) planned.push({ ...entry, call: isPreview ? asPreview(call) : call });
		else thisTry.add(entry);
	}
	return { planned, session, concurrency };
}

function areSome(items: readonly Item[]): items is Inputs {
	return items.length > 0;
}

function openSession({ context, stopSignal }: Try, credential: Credential, options: NodeOptions): Session {
	const { isPreview, ...sendOptions } = options;
	const cancelSignal = context.getExecutionCancelSignal();
	const ClientType = isPreview ? PreviewClient : Client;
	const client = openClient(context, credential, { ...sendOptions, stopSignal, cancelSignal }, ClientType);
	return new Session(client, credential, isPreview);
}

function failLeft(thisTry: Try, failure: Failure): void {
	const { context, ledger } = thisTry;
	for (const index of context.getInputData().keys()) {
		if (ledger.isLeft(index)) thisTry.add({ indexes: [index], failure });
	}
}

function toOutput(entry: Entry): INodeExecutionData[] {
	const { result, failure } = entry;
	if (failure) return [toErrorItem(failure, itemIndexOf(entry))];
	return result?.items.map(withoutErrorField) ?? [];
}

/** n8n treats an item with a field `error`, or `$error` and `$json`, as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json || '$error' in item.json)) return item;
	const { error, $error = null, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error ?? $error } };
}
