import type { Harness } from './harness';
import { expectChanged, measureNode } from './measure';
import { httpReorder, type MakeNode, reorderByValue, retried } from './nodes';
import type { Section } from './report';
import { inN8n, takeTurns, type Variant, type Workload } from './rounds';

type Choose = (pageIds: readonly string[]) => readonly string[];

/** As in a short outage. */
const lastTenth: Choose = (pageIds) => pageIds.slice(-Math.ceil(pageIds.length / 10));

/** As if the service could not always be reached. */
const everyTenth: Choose = (pageIds) => pageIds.filter((_, index) => index % 10 === 9);

const variants = {
	none: inN8n('No failures', reorderByValue()),
	alone: failing('Every tenth', everyTenth, reorderByValue()),
	retried: failing('Last tenth, Retry On Fail', lastTenth, retried(reorderByValue())),
	http: failing('HTTP Request, Retry On Fail', lastTenth, retried(httpReorder)),
};

/** Measures nodes when a tenth of the requests fail once with status 503. */
export async function measureRetries(harness: Harness, workload: Workload): Promise<Section> {
	const of = `of ${workload.pages} pages fails once with 503`;
	const results = await takeTurns(harness, variants, workload);
	const last = `The last tenth ${of}, Retry On Fail`;
	return {
		title: `A tenth ${of}, latency ${workload.latency} ms`,
		table: await results.table('none'),
		targets: [
			{ name: `${last}: against no failures`, value: results.ratio('retried', 'none'), limit: 2 },
			{ name: `Every tenth ${of}: against no failures`, value: results.ratio('alone', 'none'), limit: 3 },
		],
		duels: [{ name: last, ours: results.time('retried'), http: results.time('http') }],
	};
}

/** A node whose requests for some pages fail once. */
function failing(name: string, choose: Choose, makeNode: MakeNode): Variant {
	return {
		name,
		run: async (harness, pageIds) => {
			await harness.service.failOnce(choose(pageIds));
			const measurement = await measureNode(harness, await makeNode(harness), pageIds);
			expectChanged(measurement);
			return measurement;
		},
	};
}
