import type { Harness } from './harness';
import { measureReading } from './measure';
import { httpRead, httpReorder, type MakeNode, sendRead, sendReorder } from './nodes';
import { type Section, spread, table } from './report';
import { inN8n, takeTurns, type Variant, type Workload } from './rounds';

/** A node that reads one page per item. */
const reading = (name: string, makeNode: MakeNode): Variant => ({
	name,
	run: async (harness, pageIds) => await measureReading(harness, await makeNode(harness), pageIds, pageIds.length),
});

const HTTP_REQUEST = "n8n's HTTP Request node";

/** The last variant of each method is the HTTP Request node. */
const METHODS: ReadonlyArray<readonly [name: string, variants: readonly Variant[]]> = [
	[
		'GET',
		[
			reading('Send Request, batch 50', sendRead(50)),
			reading('Send Request, batch 10 (default)', sendRead(10)),
			reading(HTTP_REQUEST, httpRead),
		],
	],
	[
		'POST, all to the same path',
		[inN8n('Send Request, batch 10 (default)', sendReorder(10)), inN8n(HTTP_REQUEST, httpReorder)],
	],
];

/** Compares Send Request with the HTTP Request node. */
export async function measureSendRequest(harness: Harness, workload: Workload): Promise<Section> {
	const { pages, latency } = workload;
	const measured = [];
	for (const [method, variants] of METHODS) {
		const runs = await takeTurns(harness, variants, workload);
		const spreads = [...runs].map(([{ name }, measurements]) => ({
			name,
			mostInFlight: spread(measurements, (run) => run.mostInFlight).text,
			...spread(measurements, ({ time }) => time),
		}));
		const http = spreads.at(-1)?.median ?? NaN;
		measured.push({
			method,
			variants: spreads.map((each) => ({ ...each, ratio: each.median / http })),
		});
	}
	const rows = measured.flatMap(({ method, variants }) =>
		variants.map(({ name, text, ratio, mostInFlight }) => [`${method}: ${name}`, text, ratio.toFixed(2), mostInFlight]),
	);
	return {
		title: `${pages} requests, latency ${latency} ms, no token yet`,
		table: await table(['Variant', 'Time in ms', 'vs. HTTP', 'In flight'], rows),
		chart: {
			file: 'send-request',
			title: 'Time of Send Request, relative to the HTTP Request node (shorter is better)',
			groups: measured.map(({ method, variants }) => ({
				name: method,
				bars: variants.map(({ name, ratio }) => ({
					name,
					value: ratio,
					label: ratio.toFixed(2),
					isOurs: name !== HTTP_REQUEST,
				})),
			})),
		},
	};
}
