import { ItemWorkflow } from './execution';
import type { Harness } from './harness';
import { expectChanged, type Measurement, measureWorkflow } from './measure';
import { httpReorder, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import { type Section, table } from './report';
import type { Workload } from './rounds';

/** Measures the second of two executions of the same workflow. Between them, the tokens are revoked. */
export async function measureRevocation(harness: Harness, { pages, latency }: Workload): Promise<Section> {
	await harness.service.setLatency(latency);
	const ours = await runTwice(harness, reorderByValue(), smallPages(pages));
	const http = await runTwice(harness, httpReorder, smallPages(pages));
	const title = `${pages} pages, latency ${latency} ms, revoked token`;
	const row = (name: string, { time, grants, requests }: Measurement) => [
		name,
		...[time, grants, requests].map(String),
	];
	return {
		title,
		table: await table(
			['Variant', 'Time in ms', 'Grants', 'Requests'],
			[row('This node', ours), row("n8n's HTTP Request node", http)],
		),
		// The first ten requests are rejected, and perhaps one more before there is a new token.
		targets: [{ name: `${title}: requests`, value: ours.requests, limit: pages + 11 }],
	};
}

async function runTwice(harness: Harness, makeNode: MakeNode, pageIds: readonly string[]): Promise<Measurement> {
	const workflow = await ItemWorkflow.create(harness.n8n, await makeNode(harness));
	await measureWorkflow(harness, workflow, pageIds);
	await harness.service.revokeTokens();
	const second = await measureWorkflow(harness, workflow, pageIds);
	await workflow.deactivate();
	expectChanged(second);
	return second;
}
