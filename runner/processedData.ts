import assert from 'node:assert/strict';
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
 * a workflow. As in n8n, to read a row and to write it are two steps, so that what is done at once is lost, and two
 * first rows clash.
 */
class ProcessedData implements IDataDeduplicator {
	readonly #rows = new Map<string, readonly DeduplicationItemTypes[]>();
	/** What reading a row throws; undefined if it works. */
	failure?: Error;

	clear(): void {
		this.#rows.clear();
		this.failure = undefined;
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries = Infinity }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		assert.ok(context.workflow.id);
		const { key, row } = await this.#read(context);
		const known = new Set(row);
		const isKnown = (item: DeduplicationItemTypes) => known.has(item);
		const added = items.filter((item) => !isKnown(item));
		await nextTurn();
		if (!row && this.#rows.has(key)) throw new Error('UNIQUE constraint failed: processed_data.workflowId');
		const all = [...known, ...added];
		this.#rows.set(key, all.slice(Math.max(0, all.length - maxEntries)));
		return { new: added, processed: items.filter(isKnown) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		assert.ok(context.workflow.id);
		const { key, row } = await this.#read(context);
		await nextTurn();
		const left = row?.filter((item) => !items.includes(item));
		if (left) this.#rows.set(key, left);
	}

	/** The interface requires it. */
	async clearAllProcessedItems(): Promise<void> {
		await Promise.reject(new Error('No node clears them'));
	}

	async getProcessedDataCount(_scope: DeduplicationScope, context: ICheckProcessedContextData): Promise<number> {
		return (await this.#read(context)).row?.length ?? 0;
	}

	async #read({ node, workflow }: ICheckProcessedContextData) {
		await nextTurn();
		if (this.failure) throw this.failure;
		const key = JSON.stringify([workflow.id, node?.id]);
		return { key, row: this.#rows.get(key) };
	}
}

/** What the nodes of this process have processed. */
export const processedData = new ProcessedData();

void DataDeduplicationService.init(processedData);
