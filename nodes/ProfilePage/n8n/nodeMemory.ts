import type { DeduplicationHelperFunctions, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { locked } from '../service/lock';
import { Failure, requestFailure, toFailure } from '../shared/failure';
import { asObject, quotable } from '../shared/values';

/** n8n keeps digests of the texts, and no more than so many: three of each link that is scheduled. The oldest go. */
const NEWEST: ICheckProcessedOptions = { mode: 'entries', maxEntries: 3000 };

/** The tries in which n8n was found to remember nothing of the node: it is not asked again for each item. */
const withoutTexts = new WeakSet<IExecuteFunctions>();

/**
 * Adds texts to those that n8n remembers of a node in its database, by the IDs of workflow and node, as for Remove
 * Duplicates. Returns those that it remembered before; undefined if it cannot remember any. Throws Failure if that fails.
 */
export async function remember(context: IExecuteFunctions, texts: string[]): Promise<string[] | undefined> {
	withoutTexts.delete(context);
	const result = await use(context, async (helpers) => {
		return await helpers.checkProcessedAndRecord?.(texts, 'node', NEWEST);
	});
	return result?.processed.map(String);
}

/** Removes texts from those that n8n remembers of a node. Throws Failure if that fails. */
export async function forget(context: IExecuteFunctions, texts: string[]): Promise<void> {
	if (texts.length === 0 || withoutTexts.has(context)) return;
	await use(context, async (helpers) => {
		if (await helpers.getProcessedDataCount?.('node', NEWEST)) await helpers.removeProcessed?.(texts, 'node', NEWEST);
		else withoutTexts.add(context);
	});
}

/** @param work gets functions that an older n8n may not have */
async function use<T>(
	context: IExecuteFunctions,
	work: (helpers: Partial<DeduplicationHelperFunctions>) => Promise<T>,
): Promise<T | undefined> {
	try {
		// n8n reads and writes all texts of a node: of two uses at once, one would be lost.
		const node = `memory ${context.getWorkflow().id} ${context.getNode().id}`;
		return await locked(node, async () => await work(context.helpers), context.getExecutionCancelSignal());
	} catch (error) {
		if (error instanceof Failure) throw error as Error;
		// n8n asserts that the workflow has an ID, which it has once it is saved.
		if (asObject(error).code === 'ERR_ASSERTION') return undefined;
		const problem = `n8n could not look up what it remembers of the node: ${quotable(toFailure(error).data.problem)}`;
		throw requestFailure(problem, 'Check the database of n8n.', { outcome: 'not applied' });
	}
}
