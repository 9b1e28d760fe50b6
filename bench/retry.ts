import type { Harness } from './harness';
import { measureRetriedNode } from './measure';
import { httpReorder, type MakeNode, reorderByValue, retried } from './nodes';
import { type Section, spread, table } from './report';
import { type Runs, takeTurns, type Variant, type Workload } from './rounds';

/** The last pages fail, as if the service had a short outage. */
const FAILING_FRACTION = 0.1;

/** Sends no request again by itself: only Retry On Fail does. */
const NO_RETRIES = { maxRetries: 0 };

const ours = new Set([
	retriedVariant('This node, batch 50', reorderByValue(50)),
	retriedVariant('This node, batch 50, Max Retries 0', reorderByValue(50, undefined, NO_RETRIES)),
	retriedVariant('This node, batch 10 (default)', reorderByValue(10)),
]);
const http = retriedVariant("n8n's HTTP Request node", httpReorder);

/** Measures nodes with Retry On Fail, when a tenth of the requests fail once with status 503. */
export async function measureRetries(harness: Harness, workload: Workload): Promise<Section> {
	const runs = await takeTurns(harness, [...ours, http], workload);
	const { pages, latency } = workload;
	const title = `${pages} pages of 10 blocks, latency ${latency} ms, a tenth fails once, Retry On Fail`;
	return { title, table: await toTable(runs), chart: toChart(runs, pages) };
}

function retriedVariant(name: string, makeNode: MakeNode): Variant {
	return {
		name,
		run: async (harness, pageIds) => {
			await harness.service.failOnce(pageIds.slice(-Math.ceil(pageIds.length * FAILING_FRACTION)));
			return await measureRetriedNode(harness, await retried(makeNode)(harness), pageIds);
		},
	};
}

async function toTable(runs: Runs<Variant>): Promise<string> {
	const httpTime = timeOf(runs, http);
	const rows = [...runs].map(([variant, measurements]) => [
		variant.name,
		spread(measurements, ({ time }) => time).text,
		(timeOf(runs, variant) / httpTime).toFixed(2),
		spread(measurements, ({ requests }) => requests).text,
	]);
	return await table(['Variant', 'Time in ms', 'vs. HTTP', 'Sent'], rows);
}

function toChart(runs: Runs<Variant>, pages: number): Section['chart'] {
	const barsOf = (valueOf: (variant: Variant) => number, unit: string) =>
		[...runs.keys()].map((variant) => ({
			name: variant.name,
			value: valueOf(variant) / valueOf(http),
			label: `${valueOf(variant).toFixed(0)} ${unit}`.trim(),
			isOurs: ours.has(variant),
		}));
	return {
		file: 'retry',
		title: 'With Retry On Fail, when a tenth of the requests fail once (shorter is better)',
		groups: [
			{ name: `Requests for ${pages} pages`, bars: barsOf((each) => sentBy(runs, each), '') },
			{ name: 'Time', bars: barsOf((each) => timeOf(runs, each), 'ms') },
		],
	};
}

const timeOf = (runs: Runs<Variant>, variant: Variant) => spread(runs.get(variant) ?? [], ({ time }) => time).median;

const sentBy = (runs: Runs<Variant>, variant: Variant) =>
	spread(runs.get(variant) ?? [], ({ requests }) => requests).median;
