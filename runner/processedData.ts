import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/**
 * Stands in for the table in which n8n keeps what nodes have processed, such as Remove Duplicates: a row for each node of
 * a workflow, with digests. As in n8n, to read a row and to write it are two steps, so that what is done at once is lost,
 * and two first rows clash.
 */
class ProcessedData implements IDataDeduplicator {
	readonly #rows = new Map<string, readonly string[]>();
	/** What reading a row throws; undefined if it works. */
	failure?: Error;

	clear(): void {
		this.#rows.clear();
		this.failure = undefined;
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries = Infinity }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		assert.ok(context.workflow.id);
		const key = keyOf(scope, context);
		const row = await this.#read(key);
		const known = new Set(row);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) output[known.has(digestOf(item)) ? 'processed' : 'new'].push(item);
		await nextTurn();
		if (!row && this.#rows.has(key)) throw new Error('UNIQUE constraint failed: processed_data.workflowId');
		const all = [...known, ...output.new.map(digestOf)];
		this.#rows.set(key, all.slice(Math.max(0, all.length - maxEntries)));
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		assert.ok(context.workflow.id);
		const key = keyOf(scope, context);
		const row = await this.#read(key);
		await nextTurn();
		const removed = new Set(items.map(digestOf));
		if (row)
			this.#rows.set(
				key,
				row.filter((digest) => !removed.has(digest)),
			);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData): Promise<void> {
		await nextTurn();
		this.#rows.delete(keyOf(scope, context));
	}

	async getProcessedDataCount(scope: DeduplicationScope, context: ICheckProcessedContextData): Promise<number> {
		return (await this.#read(keyOf(scope, context)))?.length ?? 0;
	}

	async #read(key: string): Promise<readonly string[] | undefined> {
		await nextTurn();
		if (this.failure) throw this.failure;
		return this.#rows.get(key);
	}
}

function keyOf(scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData): string {
	return JSON.stringify([workflow.id, scope === 'node' ? node?.id : '']);
}

function digestOf(item: DeduplicationItemTypes): string {
	return createHash('md5').update(String(item)).digest('base64');
}

/** What the nodes of this process have processed. */
export const processedData = new ProcessedData();

void DataDeduplicationService.init(processedData);
