import type { Harness } from './harness';
import type { Measurement } from './measure';
import { reorderByValue, reverseCurrentOrder } from './nodes';
import { type Section, spread, table } from './report';
import { inN8n, takeTurns, type Variant, type Workload } from './rounds';

/** Of a given order's time: each page is read besides. */
const LIMIT = 2.1;

const PAIRS = [10, 50].map((batchSize) => ({
	given: inN8n(`Given order, batch ${batchSize}`, reorderByValue(batchSize)),
	current: inN8n(`Blocks by Name, batch ${batchSize}`, reverseCurrentOrder(batchSize), 2),
}));

/** Compares a page's current order, which is read first, with a given one. */
export async function measureCurrentOrder(harness: Harness, workload: Workload) {
	const variants = PAIRS.flatMap(({ given, current }) => [given, current]);
	const runs = await takeTurns(harness, variants, workload);
	const measured = (variant: Variant, valueOf: (run: Measurement) => number) =>
		spread(runs.get(variant) ?? [], valueOf);
	const medianOf = (variant: Variant) => measured(variant, ({ time }) => time).median;
	const pairs = PAIRS.map((pair) => ({ ...pair, ratio: medianOf(pair.current) / medianOf(pair.given) }));
	const rowOf = (variant: Variant, ratio: number) => [
		variant.name,
		measured(variant, ({ time }) => time).text,
		ratio.toFixed(2),
		measured(variant, ({ requests }) => requests).text,
		measured(variant, ({ mostInFlight }) => mostInFlight).text,
	];
	const rows = pairs.flatMap(({ given, current, ratio }) => [rowOf(given, 1), rowOf(current, ratio)]);
	const section: Section = {
		title: `${workload.pages} pages by Blocks by Name, latency ${workload.latency} ms, no token yet`,
		table: await table(['Variant', 'Time in ms', 'vs. given', 'Sent', 'In flight'], rows),
	};
	return { section, areMet: pairs.every(({ ratio }) => ratio <= LIMIT) };
}
