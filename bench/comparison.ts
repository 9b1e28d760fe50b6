import type { Harness } from './harness';
import { measureBareClient, type Measurement, measureNode, measureReading } from './measure';
import { baseline, EVALUATED, httpRequest, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import { spread, table } from './report';

/** A way to send the orders. */
interface Variant {
	readonly name: string;
	readonly run: (harness: Harness, pageIds: readonly string[]) => Promise<Measurement>;
	/** The bare client to compare it with. */
	readonly bareClient?: Variant;
}

export interface ComparisonOptions {
	readonly pages: number;
	/** In milliseconds. */
	readonly latency: number;
	/** Number of measurements of each variant. */
	readonly rounds: number;
}

const bareClient = (concurrency: number): Variant => ({
	name: `Bare client, ${concurrency} at once`,
	run: async (harness, pageIds) => await measureBareClient(harness, concurrency, pageIds),
});

const inN8n = (name: string, makeNode: MakeNode, comparedWith?: Variant): Variant => ({
	name,
	bareClient: comparedWith,
	run: async (harness, pageIds) => await measureNode(harness, await makeNode(harness), pageIds),
});

const BARE_10 = bareClient(10);
const BARE_50 = bareClient(50);
const HTTP_REQUEST = inN8n("n8n's HTTP Request node", httpRequest, BARE_50);
const SEQUENTIAL = inN8n('This node, sequential', reorderByValue(1));

const VARIANTS: readonly Variant[] = [
	inN8n('This node, batch 10 (default)', reorderByValue(10), BARE_10),
	inN8n('This node, batch 50', reorderByValue(50), BARE_50),
	inN8n('This node, batch 50, n8n evaluates', reorderByValue(50, EVALUATED), BARE_50),
	HTTP_REQUEST,
	SEQUENTIAL,
	BARE_10,
	BARE_50,
	{
		name: 'In n8n: parameters only',
		run: async (harness, pageIds) =>
			await measureReading(harness, await baseline('none', 1)(harness), pageIds),
	},
	inN8n('In n8n: bare client, 50 at once', baseline('bareClient', 50), BARE_50),
	inN8n("In n8n: n8n's helper, 50 at once", baseline('helper', 50), BARE_50),
];

/** The warm-up round uses a third of the pages. */
const WARM_UP_FRACTION = 1 / 3;

/**
 * Measures all variants, round by round.
 *
 * @returns a table of the times and of what the service received
 */
export async function compare(harness: Harness, options: ComparisonOptions): Promise<string> {
	const pageIds = smallPages(options.pages);
	const warmUp = smallPages(Math.ceil(options.pages * WARM_UP_FRACTION));
	await harness.service.setLatency(options.latency);
	const runs = new Map<Variant, Measurement[]>(VARIANTS.map((variant) => [variant, []]));
	for (let round = 0; round <= options.rounds; round += 1) {
		// In alternating order, so that a variant does not always affect the same successor.
		for (const variant of round % 2 === 0 ? VARIANTS : VARIANTS.toReversed()) {
			const measurement = await variant.run(harness, round === 0 ? warmUp : pageIds);
			if (round > 0) runs.get(variant)?.push(measurement);
		}
	}
	return await toTable(runs);
}

async function toTable(runs: ReadonlyMap<Variant, readonly Measurement[]>): Promise<string> {
	const medianOf = (variant: Variant) => spread(runs.get(variant) ?? [], ({ time }) => time).median;
	const rows = [...runs].map(([variant, measurements]) => {
		const { median, text } = spread(measurements, ({ time }) => time);
		const ratioTo = (other?: Variant) => (other ? (median / medianOf(other)).toFixed(2) : '–');
		return [
			variant.name,
			text,
			ratioTo(HTTP_REQUEST),
			ratioTo(SEQUENTIAL),
			ratioTo(variant.bareClient),
			spread(measurements, ({ grants }) => grants).text,
			spread(measurements, ({ requests }) => requests).text,
			spread(measurements, ({ mostInFlight }) => mostInFlight).text,
		];
	});
	return await table(
		['Variant', 'Time in ms', 'vs. HTTP', 'vs. seq.', 'vs. bare', 'Grants', 'Sent', 'In flight'],
		rows,
	);
}
