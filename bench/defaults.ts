import type { Harness, Harnesses } from './harness';
import { measureReading } from './measure';
import { type MakeNode, reorderByValue, sendRead } from './nodes';
import { type Section, spread, table } from './report';
import { failingOnce } from './retry';
import { inN8n, type Runs, takeTurns, type Variant, type Workload } from './rounds';

const DEFAULT = inN8n('default', reorderByValue(50));
const TEN = inN8n('batch 10', reorderByValue(10));

const FAILING = failingOnce('default, a tenth fails once with 503', reorderByValue(50));
const RETRIED = failingOnce('default, a tenth fails once with 503, Retry On Fail', reorderByValue(50), true);

const reading = (name: string, makeNode: MakeNode): Variant => ({
	name,
	run: async (harness, pageIds) => await measureReading(harness, await makeNode(harness), pageIds, pageIds.length),
});
const READ = reading('default, GET with Send Request', sendRead(50));
const READ_TEN = reading('batch 10, GET with Send Request', sendRead(10));

/** A variant, what it is compared with, and the most that the ratio of their times may be. */
type Target = readonly [variant: Variant, other: Variant, limit: number];

/** Measures what somebody gets who changes no option. */
export async function measureDefaults({ http, tls }: Harnesses, workload: Workload) {
	const few = { ...workload, rounds: workload.rounds * 2 };
	const measured = [
		...(await compare(http, workload, [
			[DEFAULT, TEN, 0.5],
			[FAILING, DEFAULT, 3],
			[RETRIED, DEFAULT, 2],
			[READ, READ_TEN, 0.5],
		])),
		...(await compare(tls, workload, [[DEFAULT, TEN, 0.75]])),
		...(await compare(http, { ...few, pages: 30 }, [[DEFAULT, TEN, 0.85]])),
		...(await compare(http, { ...few, pages: 3 }, [[DEFAULT, TEN, 1.05]])),
		...(await compare(http, { ...workload, latency: 0 }, [[DEFAULT, TEN, 1.05]])),
	];
	const section: Section = {
		title: 'With the defaults',
		table: await table(
			['Workload', 'Variant', 'Compared with', 'Time in ms', 'Ratio', 'At most', 'Met'],
			measured.map(({ cells, ratio, limit }) => [
				...cells,
				ratio.toFixed(2),
				limit.toFixed(2),
				ratio <= limit ? 'yes' : 'no',
			]),
		),
	};
	return { section, areMet: measured.every(({ ratio, limit }) => ratio <= limit) };
}

async function compare(harness: Harness, workload: Workload, targets: readonly Target[]) {
	const variants = [...new Set(targets.flatMap(([variant, other]) => [variant, other]))];
	const runs: Runs<Variant> = await takeTurns(harness, variants, workload);
	const times = (variant: Variant) => spread(runs.get(variant) ?? [], ({ time }) => time);
	const protocol = harness.address.certificate ? 'TLS' : 'http';
	const name = `${workload.pages} pages, ${protocol}, ${workload.latency} ms`;
	return targets.map(([variant, other, limit]) => ({
		cells: [name, variant.name, other.name, times(variant).text],
		ratio: times(variant).median / times(other).median,
		limit,
	}));
}
