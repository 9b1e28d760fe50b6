import { type Measured, measureBareClient, measureNode, measureReading } from './measure';
import { EVALUATED, baseline, httpRequest, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import { spread } from './statistics';
import type { Harness } from './harness';
import { table } from './table';

/** A way to do the job. */
interface Kind {
	readonly name: string;
	readonly run: (harness: Harness, pageIds: readonly string[]) => Promise<Measured>;
	/** The bare client that it is compared with. */
	readonly bare?: Kind;
}

export interface ComparisonOptions {
	readonly pages: number;
	/** In milliseconds. */
	readonly latency: number;
	/** How often each kind is measured. */
	readonly rounds: number;
}

const bareClient = (concurrency: number): Kind => ({
	name: `Bare client, ${concurrency} at once`,
	run: async (harness, pageIds) => await measureBareClient(harness, concurrency, pageIds),
});

const inN8n = (name: string, makeNode: MakeNode, bare?: Kind): Kind => ({
	name,
	bare,
	run: async (harness, pageIds) => await measureNode(harness, await makeNode(harness), pageIds),
});

const BARE_10 = bareClient(10);
const BARE_50 = bareClient(50);
const HTTP_REQUEST = inN8n("n8n's HTTP Request node", httpRequest, BARE_50);
const ONE_BY_ONE = inN8n('This node, one after another', reorderByValue(1));

const KINDS: readonly Kind[] = [
	inN8n('This node, batch 10 (default)', reorderByValue(10), BARE_10),
	inN8n('This node, batch 50', reorderByValue(50), BARE_50),
	inN8n('This node, batch 50, n8n evaluates', reorderByValue(50, EVALUATED), BARE_50),
	HTTP_REQUEST,
	ONE_BY_ONE,
	BARE_10,
	BARE_50,
	{
		name: 'In n8n: parameters only',
		run: async (harness, pageIds) =>
			await measureReading(harness, await baseline('none', 1)(harness), pageIds),
	},
	inN8n('In n8n: parameters and a bare client, 50 at once', baseline('bareClient', 50), BARE_50),
	inN8n("In n8n: parameters and n8n's helper, 50 at once", baseline('helper', 50), BARE_50),
];

/** Which part of the job is done in every way before it is measured. */
const WARM_UP_PART = 3;

/**
 * Does the same job in every way, round by round.
 *
 * @returns a table of what each took, and what the service saw
 */
export async function compare(harness: Harness, options: ComparisonOptions): Promise<string> {
	const pageIds = smallPages(options.pages);
	const warmUp = smallPages(Math.ceil(options.pages / WARM_UP_PART));
	await harness.service.call('setLatency', options.latency);
	const runs = new Map<Kind, Measured[]>(KINDS.map((kind) => [kind, []]));
	for (let round = 0; round <= options.rounds; round += 1) {
		// To and fro, so that what a kind leaves behind does not always strike the same other kind.
		for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
			const measured = await kind.run(harness, round === 0 ? warmUp : pageIds);
			if (round > 0) runs.get(kind)?.push(measured);
		}
	}
	return toTable(runs);
}

function toTable(runs: ReadonlyMap<Kind, readonly Measured[]>): string {
	const medianOf = (kind: Kind) => spread(runs.get(kind) ?? [], ({ time }) => time).median;
	const rows = [...runs].map(([kind, measured]) => {
		const { median, text } = spread(measured, ({ time }) => time);
		const ratioTo = (other?: Kind) => (other ? (median / medianOf(other)).toFixed(2) : '–');
		return [
			kind.name,
			text,
			ratioTo(HTTP_REQUEST),
			ratioTo(ONE_BY_ONE),
			ratioTo(kind.bare),
			spread(measured, ({ grants }) => grants).text,
			spread(measured, ({ requests }) => requests).text,
			spread(measured, ({ mostInFlight }) => mostInFlight).text,
		];
	});
	return table(
		[
			'Kind',
			'Time in ms (min–max)',
			'to HTTP Request',
			'to one by one',
			'to the bare client',
			'Grants',
			'Requests',
			'Most in flight',
		],
		rows,
	);
}
