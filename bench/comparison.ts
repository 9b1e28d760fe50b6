import type { Harness } from './harness';
import { type Measurement, measureBareClient, measureReading } from './measure';
import { baseline, EVALUATED, httpReorder, reorderByValue } from './nodes';
import { type Section, spread, table } from './report';
import { inN8n, type Runs, takeTurns, type Variant, type Workload } from './rounds';

const bareClient = (concurrency: number): Variant => ({
	name: `Bare client, ${concurrency} at once`,
	run: async (harness, pageIds) => await measureBareClient(harness, concurrency, pageIds),
});

/** The variants, by what they are in charts, targets and differences. */
const variants = {
	batch10: inN8n('This node, batch 10 (default)', reorderByValue(10)),
	batch50: inN8n('This node, batch 50', reorderByValue(50)),
	evaluated: inN8n('This node, 50, n8n evaluates', reorderByValue(50, EVALUATED)),
	httpRequest: inN8n("n8n's HTTP Request node", httpReorder),
	sequential: inN8n('This node, sequential', reorderByValue(1)),
	bare10: bareClient(10),
	bare50: bareClient(50),
	parameters: {
		name: 'In n8n: parameters only',
		run: async (harness, pageIds) => await measureReading(harness, await baseline('none', 1)(harness), pageIds, 0),
	},
	bareInN8n: inN8n('In n8n: client, 50 at once', baseline('bareClient', 50)),
	helper10: inN8n('In n8n: helper, 10 at once', baseline('helper', 10)),
	helper50: inN8n('In n8n: helper, 50 at once', baseline('helper', 50)),
	helperInTurns50: inN8n('In n8n: helper, 50, in turns', baseline('helperInTurns', 50)),
} satisfies Record<string, Variant>;

export type VariantKey = keyof typeof variants;

/** The bare client that sends as many requests at once. */
const bareOf = new Map<Variant, Variant>([
	[variants.batch10, variants.bare10],
	[variants.helper10, variants.bare10],
	[variants.batch50, variants.bare50],
	[variants.evaluated, variants.bare50],
	[variants.httpRequest, variants.bare50],
	[variants.bareInN8n, variants.bare50],
	[variants.helper50, variants.bare50],
	[variants.helperInTurns50, variants.bare50],
]);

/** The times of all variants with the same workload. */
export interface Comparison {
	/** Such as "TLS, latency 25 ms". */
	readonly name: string;
	readonly section: Section;
	readonly nameOf: (variant: VariantKey) => string;
	/** The median, in milliseconds per page. */
	readonly perPage: (variant: VariantKey) => number;
	/** The median divided by that of another variant; the HTTP Request node by default. */
	readonly ratio: (variant: VariantKey, other?: VariantKey) => number;
}

/** Measures all variants. */
export async function compare(harness: Harness, workload: Workload): Promise<Comparison> {
	const { pages, latency } = workload;
	const runs: Runs<Variant> = await takeTurns(harness, Object.values(variants), workload);
	const medianOf = (variant: Variant) => spread(runs.get(variant) ?? [], ({ time }) => time).median;
	const perPage = (key: VariantKey) => medianOf(variants[key]) / pages;
	const name = `${harness.address.certificate ? 'TLS' : 'plain http'}, latency ${latency} ms`;
	return {
		name,
		section: {
			title: `${pages} pages of 10 blocks, ${name}, no token yet`,
			table: await toTable(runs, medianOf),
		},
		nameOf: (key) => variants[key].name,
		perPage,
		ratio: (key, other = 'httpRequest') => perPage(key) / perPage(other),
	};
}

async function toTable(runs: Runs<Variant>, medianOf: (variant: Variant) => number): Promise<string> {
	const http = medianOf(variants.httpRequest);
	const sequential = medianOf(variants.sequential);
	const rows = [...runs].map(([variant, measurements]) => {
		const { median, text } = spread(measurements, ({ time }) => time);
		const bare = bareOf.get(variant);
		const column = (valueOf: (run: Measurement) => number) => spread(measurements, valueOf).text;
		return [
			variant.name,
			text,
			(median / http).toFixed(2),
			(median / sequential).toFixed(2),
			bare ? (median / medianOf(bare)).toFixed(2) : '–',
			column(({ grants }) => grants),
			column(({ requests }) => requests),
			column(({ mostInFlight }) => mostInFlight),
		];
	});
	const ratios = ['vs. HTTP', 'vs. seq.', 'vs. bare'];
	const head = ['Variant', 'Time in ms', ...ratios, 'Grants', 'Sent', 'In flight'];
	return await table(head, rows);
}

/** Returns where the time of this node goes, per page. */
export async function breakDown(comparisons: readonly Comparison[]): Promise<Section> {
	const parts: ReadonlyArray<readonly [string, (comparison: Comparison) => number]> = [
		["n8n's request helper", ({ perPage }) => perPage('helper50')],
		['plus this node and its token', ({ perPage }) => perPage('batch50') - perPage('helper50')],
		['total', ({ perPage }) => perPage('batch50')],
		['n8n evaluates two expressions instead', ({ perPage }) => perPage('evaluated') - perPage('batch50')],
		['a client with keep-alive instead', ({ perPage }) => perPage('bareInN8n')],
	];
	const rows = parts.map(([name, valueOf]) => [
		name,
		...comparisons.map((comparison) => valueOf(comparison).toFixed(2)),
	]);
	return {
		title: 'Where the time goes: milliseconds per page of 10 blocks, batch 50',
		table: await table(['Part', ...comparisons.map(({ name }) => name)], rows),
	};
}
