import { type Harness, restartN8n } from './harness';
import { itemPerBlock, itemPerPage, expectChanged, type Measurement, measureNode, type ToItems } from './measure';
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

const SERIES: readonly Series[] = [
	{
		name: 'One page, its order from a value, latency 0 ms',
		unit: 'block',
		makeNode: reorderByValue(),
		toItems: itemPerPage,
		pages: (size) => [largePage(size)],
		sizes: [10, 100, 1000, 10_000],
	},
	{
		name: 'One page, its order from input items, latency 0 ms',
		unit: 'block',
		makeNode: reorderByItems,
		toItems: itemPerBlock,
		pages: (size) => [largePage(size)],
		sizes: [10, 100, 1000, 10_000],
	},
	{
		name: 'Pages of 10 blocks, latency 0 ms',
		unit: 'page',
		makeNode: reorderByValue(),
		toItems: itemPerPage,
		pages: smallPages,
		sizes: [10, 100, 1000, 5000],
	},
];

/** Time and memory grow no faster than the size. */
const LINEAR = 1.1;

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
		yield await runSeries(harness, series, rounds, limit);
	}
}

async function runSeries(harness: Harness, series: Series, rounds: number, limit: number): Promise<Section> {
	// Free memory left by a previous series would hide the growth.
	await restartN8n(harness);
	const sizes = series.sizes.filter((size) => size <= limit);
	for (let time = 0; time < WARM_UPS; time += 1) await runOnce(harness, series, 100);
	const rows: string[][] = [];
	const costs: Array<{ time: number; memory: number }> = [];
	for (const size of sizes) {
		const runs: Measurement[] = [];
		while (runs.length < rounds && (runs.at(-1)?.time ?? 0) < LONG_MS) {
			runs.push(await runOnce(harness, series, size));
		}
		const { median, text } = spread(runs, ({ time }) => time);
		const growth = Math.max(...runs.map(({ memoryGrowth }) => memoryGrowth));
		costs.push({ time: median / size, memory: growth / size });
		rows.push([String(size), text, (median / size).toFixed(2), growth.toFixed(0)]);
	}
	const head = [`${series.unit}s`, 'Time in ms (min–max)', `ms per ${series.unit}`, 'Memory in MiB'];
	const [smaller, larger] = costs.slice(-2);
	const [fewer, more] = sizes.slice(-2);
	const targets = (['time', 'memory'] as const).map((cost) => ({
		name: `${series.name}: ${cost} per ${series.unit} at ${more}, against ${fewer}`,
		value: (larger?.[cost] ?? NaN) / (smaller?.[cost] ?? NaN),
		limit: LINEAR,
	}));
	return { title: series.name, table: await table(head, rows), targets };
}

async function runOnce(harness: Harness, { makeNode, pages, toItems }: Series, size: number): Promise<Measurement> {
	const measurement = await measureNode(harness, await makeNode(harness), pages(size), { toItems });
	expectChanged(measurement);
	return measurement;
}
