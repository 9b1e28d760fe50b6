import type { DeduplicationHelperFunctions, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { requestFailure } from '../service/failure';
import { asObject, quotable } from '../shared/values';

/** How n8n keeps the texts: as digests, and no more than so many. The oldest go. */
const OPTIONS: ICheckProcessedOptions = { mode: 'entries', maxEntries: 3000 };

/** An older n8n may not have them. */
type Helpers = Partial<DeduplicationHelperFunctions>;

/** n8n reads and writes all texts of a node: two executions that do that at once would lose some. */
let lastUse: Promise<unknown> = Promise.resolve();

/** Tries that have found their node without any text. */
const withoutTexts = new WeakSet<IExecuteFunctions>();

/**
 * Adds texts to those that n8n remembers of a node: in its database, for all executions, by the IDs of workflow and node,
 * as for its node Remove Duplicates. Returns those that it remembered before; undefined if it cannot remember any, as the
 * workflow is not saved. Throws Failure if it cannot tell.
 */
export async function remember(context: IExecuteFunctions, texts: readonly string[]): Promise<string[] | undefined> {
	withoutTexts.delete(context);
	const { helpers }: { helpers: Helpers } = context;
	const result = await use(async () => await helpers.checkProcessedAndRecord?.([...texts], 'node', OPTIONS));
	return result?.processed.map(String);
}

/** Removes texts from those that n8n remembers of a node. Throws Failure if it cannot. */
export async function forget(context: IExecuteFunctions, texts: readonly string[]): Promise<void> {
	// Most nodes have none, and are asked once for all items.
	if (texts.length === 0 || withoutTexts.has(context)) return;
	const { helpers }: { helpers: Helpers } = context;
	await use(async () => {
		if (await helpers.getProcessedDataCount?.('node', OPTIONS)) {
			await helpers.removeProcessed?.([...texts], 'node', OPTIONS);
		} else withoutTexts.add(context);
	});
}

async function use<T>(work: () => Promise<T>): Promise<T | undefined> {
	const used = lastUse.then(work);
	lastUse = used.catch(() => undefined);
	try {
		return await used;
	} catch (error) {
		// It asserts that the workflow has an ID, which it has once it is saved.
		if (asObject(error).code === 'ERR_ASSERTION') return undefined;
		const { message } = error instanceof Error ? error : new Error(String(error));
		const problem = `n8n could not look up what it remembers of the node: ${quotable(message)}`;
		throw requestFailure(problem, 'Check the database of n8n.', { outcome: 'not applied' });
	}
}
