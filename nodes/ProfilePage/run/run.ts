import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { itemsOf } from '../fields/item';
import { openClient } from '../n8n/account';
import { loadCommonCredential } from '../n8n/credential';
import { toErrorItem } from '../n8n/errors';
import type { Planner } from '../resources/operation';
import { readOptions } from '../resources/options';
import { Session } from '../resources/session';
import { Failure, toFailure } from '../shared/failure';
import type { Entry } from './ledger';
import { performAll } from './perform';
import { areSome, planTasks, type Task } from './plan';
import { asPreview } from './preview';
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
	if (!thisTry.stopSignal.aborted) await sendLeft(thisTry, planner);
	thisTry.throwIfEnded();
	showHints(context, thisTry.ledger);
	return thisTry.ledger.entries.flatMap(toOutput);
}

/** Plans the calls for the items that are left, and sends them. */
async function sendLeft(thisTry: Try, planner: Planner): Promise<void> {
	const plan = await planLeft(thisTry, planner).catch((error: unknown) => failLeft(thisTry, toFailure(error)));
	if (!plan) return;
	const { tasks, session, batchSize } = plan;
	await performAll(tasks, session, batchSize, thisTry.stopSignal, (task, ending) => {
		thisTry.add({ ...task, ...(ending instanceof Failure ? { failure: ending } : { result: ending }) });
	});
}

interface Plan {
	readonly tasks: readonly Task[];
	readonly session: Session;
	readonly batchSize: number;
}

/**
 * Returns the calls for the items that are left; undefined if none is.
 *
 * @throws Failure, or an error of n8n, if no call can be sent, such as for an invalid credential or option
 */
async function planLeft(thisTry: Try, planner: Planner): Promise<Plan | undefined> {
	const { context, ledger, stopSignal } = thisTry;
	const credential = await loadCommonCredential(context);
	const items = itemsOf(context, credential);
	if (!areSome(items)) return undefined;
	const options = readOptions(items);
	// A preview begins anew in each try: this one does not know what an earlier one would have changed.
	const left = items.filter(({ index }) => options.isPreview || ledger.isLeft(index));
	if (!areSome(left)) return undefined;
	const cancelSignal = context.getExecutionCancelSignal();
	const client = openClient(context, credential, { ...options, stopSignal, cancelSignal });
	const session = new Session(client, credential);
	await planner.prepare?.(left, session);
	const tasks = planTasks(left, planner, session, (entry) => thisTry.add(entry));
	return { tasks: options.isPreview ? tasks.map(asPreview) : tasks, session, batchSize: options.batchSize };
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
