import type { DeduplicationHelperFunctions, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { locked } from '../service/lock';
import { requestFailure, toFailure } from '../shared/failure';
import { asObject, quotable } from '../shared/values';

/** n8n keeps digests of the texts, and no more than so many: the oldest go. */
const NEWEST: ICheckProcessedOptions = { mode: 'entries', maxEntries: 1000 };

/** An older n8n has none of these functions. */
type Helpers = Partial<DeduplicationHelperFunctions>;

/**
 * Adds a text to those that n8n remembers of a node in its database, by the IDs of workflow and node, as for Remove
 * Duplicates.
 *
 * @returns 'known' if n8n remembered it before, 'noted' if it does from now on, 'not noted' if it cannot remember any
 * @throws Failure if the database fails
 */
export async function remember(context: IExecuteFunctions, text: string): Promise<'known' | 'noted' | 'not noted'> {
	try {
		const result = await use(
			context,
			async (helpers) => await helpers.checkProcessedAndRecord?.([text], 'node', NEWEST),
		);
		if (!result) return 'not noted';
		return result.processed.length > 0 ? 'known' : 'noted';
	} catch (error) {
		// n8n asserts that the workflow has an ID, which it has once it is saved.
		if (asObject(error).code === 'ERR_ASSERTION') return 'not noted';
		const problem = `n8n could not look up what it remembers of the node: ${quotable(toFailure(error).data.problem)}`;
		throw requestFailure(problem, 'Check the database of n8n.', { outcome: 'not applied' });
	}
}

/** Removes a text from those that n8n remembers of a node. If that fails, n8n still remembers it. */
export async function forget(context: IExecuteFunctions, text: string): Promise<void> {
	await use(context, async (helpers) => await helpers.removeProcessed?.([text], 'node', NEWEST)).catch(() => undefined);
}

/** n8n reads and writes all texts of a node: of two uses at once, one would be lost. */
async function use<T>(context: IExecuteFunctions, work: (helpers: Helpers) => Promise<T>): Promise<T> {
	const node = `memory ${context.getWorkflow().id} ${context.getNode().id}`;
	return await locked(node, async () => await work(context.helpers), context.getExecutionCancelSignal());
}
