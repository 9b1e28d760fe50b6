import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { itemsOf } from '../fields/item';
import { CredentialAccount } from '../n8n/account';
import type { Credential } from '../n8n/app';
import { isTool } from '../n8n/context';
import { loadCommonCredential } from '../n8n/credential';
import { toErrorItem, toNodeError } from '../n8n/errors';
import type { Operation } from '../resources/operation';
import { type NodeOptions, readOptions } from '../resources/options';
import { Client, PreviewClient } from '../service/client';
import { Gate } from '../service/gate';
import { Failure, stopped, toFailure } from '../shared/failure';
import { isUncertain, Ledger, ledgerOf } from './ledger';
import { performAll } from './perform';
import { isValid, planTasks, type Task } from './plan';
import { asPreview } from './preview';
import { reportRun, showHints, type Try } from './report';

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
export async function runOperation(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	if (context.getInputData().length === 0) return [];
	const { tasks, ready } = await planRun(context, operation);
	// A preview begins anew in each try: this one does not know what an earlier one would have changed.
	const ledger = ready?.options.isPreview ? new Ledger() : ledgerOf(context);
	const thisTry = { context, tasks, ledger };
	const failed = noteUnsendable(thisTry) ?? (ready && (await sendLeft(thisTry, ready)));
	if (context.getExecutionCancelSignal()?.aborted) throw toError(thisTry, stopped());
	const ending = failed && ledger.get(failed);
	if (ending instanceof Failure && !mustNotBeRetried(context, ending)) throw toError(thisTry, ending, failed);
	return output(thisTry);
}

interface Ready {
	readonly client: Client;
	readonly options: NodeOptions;
	/** Aborts when the node ends, after which nothing more may be sent. */
	readonly nodeEnds: AbortController;
	readonly stopSignal: AbortSignal;
}

/** Reads all items, the credential, and the options, which apply to all of them: without these, all items are invalid. */
async function planRun(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<{ tasks: readonly Task[]; ready?: Ready }> {
	try {
		const credential = await loadCommonCredential(context);
		const [first, ...others] = itemsOf(context, credential);
		if (!first) return { tasks: [] };
		const items = [first, ...others] as const;
		const ready = open(context, credential, readOptions(items));
		const planner = 'prepare' in operation ? await operation.prepare(items, ready.client) : operation;
		const planned = ready.options.isPreview ? asPreview(planner) : planner;
		return { tasks: planTasks(items, planned), ready };
	} catch (error) {
		const failure = toFailure(error);
		return { tasks: context.getInputData().map((_, index) => ({ indexes: [index], call: failure })) };
	}
}

function open(context: IExecuteFunctions, credential: Credential, options: NodeOptions): Ready {
	const nodeEnds = new AbortController();
	const cancelSignal = context.getExecutionCancelSignal();
	const stopSignal = AbortSignal.any([nodeEnds.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	const gate = new Gate({ ...options, stopSignal });
	const clientOptions = { ...options, stopSignal, cancelSignal, gate };
	const account = new CredentialAccount(context, credential, clientOptions);
	const client = new (options.isPreview ? PreviewClient : Client)(account, clientOptions);
	return { client, options, nodeEnds, stopSignal };
}

/**
 * Notes why some items cannot be sent, unless an earlier try has sent them. Returns the first call that ends the node
 * before anything is sent: an invalid one, or one that failed in an earlier try and is not sent again.
 */
function noteUnsendable({ context, tasks, ledger }: Try): Task | undefined {
	const endsNode = (each: Task) => !context.continueOnFail() && ledger.get(each) instanceof Failure;
	for (const each of tasks) {
		if (!(each.call instanceof Failure)) continue;
		if (ledger.isLeft(each)) ledger.add(each, each.call);
		if (endsNode(each)) return each;
	}
	return tasks.find((each) => isValid(each) && !ledger.isLeft(each) && endsNode(each));
}

/** Sends the calls that are left. Returns the first that failed, if it ends the node. */
async function sendLeft(
	{ context, tasks, ledger }: Try,
	{ client, options, nodeEnds, stopSignal }: Ready,
): Promise<Task | undefined> {
	let failed: Task | undefined;
	const left = tasks.filter(isValid).filter((each) => ledger.isLeft(each));
	await performAll(left, client, options.batchSize, stopSignal, (each, ending) => {
		ledger.add(each, ending);
		if (!(ending instanceof Failure) || context.continueOnFail()) return;
		failed ??= each;
		// Before another call starts. Requests in flight are allowed to finish.
		nodeEnds.abort();
	});
	return failed;
}

/** The next try of an AI tool looks like another call of the tool, and would send a change again that may have been made. */
function mustNotBeRetried(context: IExecuteFunctions, ending: Failure): boolean {
	return isTool(context) && isUncertain(ending);
}

function toError(thisTry: Try, failure: Failure, failed?: Task): Error {
	// The editor adds the index of the item to the message. For a single item, it is noise.
	const { context } = thisTry;
	const isOneOfSeveral = context.getInputData().length > 1;
	const itemIndex = isOneOfSeveral ? (failed ? indexOf(failed, failure) : 0) : undefined;
	const report = reportRun(thisTry, failed);
	return toNodeError(context.getNode(), failure, { itemIndex, hasOptions: true, ...report });
}

function indexOf({ indexes: [first = 0] }: Task, { data }: Failure): number {
	return data.itemIndex ?? first;
}

function output(thisTry: Try): INodeExecutionData[] {
	const { tasks, ledger } = thisTry;
	showHints(thisTry);
	return tasks.flatMap((each) => {
		const ending = ledger.get(each);
		if (!ending) return [];
		if (ending instanceof Failure) return [toErrorItem(ending, indexOf(each, ending))];
		return ending.items.map(withoutErrorField);
	});
}

/** n8n treats an item with a field `error`, or `$error` and `$json`, as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json || '$error' in item.json)) return item;
	const { error, $error = null, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error ?? $error } };
}
