import { type Harness, restartN8n } from './harness';
import { itemPerBlock, itemPerPage, measureNode, type NodeMeasurement, type ToItems } from './measure';
import { type MakeNode, reorderByItems, reorderByValue } from './nodes';
import { largePage, smallPages } from './pages';
import { type Section, spread, table } from './report';

/** A workload in growing sizes. */
interface Series {
	readonly name: string;
	readonly unit: 'block' | 'page';
	readonly makeNode: MakeNode;
	readonly toItems: ToItems;
	readonly pages: (size: number) => string[];
	readonly sizes: readonly number[];
}

const BATCH_SIZE = 10;

const SERIES: readonly Series[] = [
	{
		name: 'One page at batch 10, its order from a value, latency 0 ms',
		unit: 'block',
		makeNode: reorderByValue(BATCH_SIZE),
		toItems: itemPerPage,
		pages: (size) => [largePage(size)],
		sizes: [10, 100, 1000, 10_000],
	},
	{
		name: 'One page at batch 10, its order from input items, latency 0 ms',
		unit: 'block',
		makeNode: reorderByItems(BATCH_SIZE),
		toItems: itemPerBlock,
		pages: (size) => [largePage(size)],
		sizes: [10, 100, 1000, 10_000],
	},
	{
		name: 'Pages of 10 blocks at batch 10, latency 0 ms',
		unit: 'page',
		makeNode: reorderByValue(BATCH_SIZE),
		toItems: itemPerPage,
		pages: smallPages,
		sizes: [10, 100, 1000, 5000],
	},
];

/** Runs before the first measurement, so that n8n's code is compiled. */
const WARM_UPS = 2;

/** Runs that take longer are not repeated: they vary little. */
const LONG_MS = 3000;

/**
 * Measures this node with growing workloads, without latency.
 *
 * @param limit skips larger sizes
 * @returns the results of each series
 */
export async function* measureScaling(
	harness: Harness,
	{ rounds, limit }: { rounds: number; limit: number },
): AsyncGenerator<Section> {
	await harness.service.setLatency(0);
	for (const series of SERIES) {
		yield { title: series.name, table: await runSeries(harness, series, rounds, limit) };
	}
}

async function runSeries(harness: Harness, series: Series, rounds: number, limit: number): Promise<string> {
	// Free memory left by a previous series would hide the growth.
	await restartN8n(harness);
	const sizes = series.sizes.filter((size) => size <= limit);
	for (let time = 0; time < WARM_UPS; time += 1) await runOnce(harness, series, 100);
	const rows: string[][] = [];
	for (const size of sizes) {
		const runs: NodeMeasurement[] = [];
		while (runs.length < rounds && (runs.at(-1)?.time ?? 0) < LONG_MS) {
			runs.push(await runOnce(harness, series, size));
		}
		const { median, text } = spread(runs, ({ time }) => time);
		const growth = Math.max(...runs.map(({ memoryGrowth }) => memoryGrowth));
		rows.push([String(size), text, (median / size).toFixed(2), growth.toFixed(0)]);
	}
	const head = [`${series.unit}s`, 'Time in ms (min–max)', `ms per ${series.unit}`, 'Memory in MiB'];
	return await table(head, rows);
}

async function runOnce(harness: Harness, { makeNode, pages, toItems }: Series, size: number): Promise<NodeMeasurement> {
	return await measureNode(harness, await makeNode(harness), pages(size), { toItems });
}
