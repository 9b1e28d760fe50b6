import { ItemWorkflow } from './execution';
import type { Harness } from './harness';
import { itemPerPage, type Measurement, reversePages } from './measure';
import { httpReorder, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import { type Section, table } from './report';
import type { Workload } from './rounds';

const VARIANTS: ReadonlyArray<readonly [name: string, makeNode: MakeNode]> = [
	['This node, batch 50', reorderByValue(50)],
	["n8n's HTTP Request node", httpReorder],
];

/**
 * Revokes the tokens between two executions of the same workflow.
 *
 * @returns the second executions
 */
export async function measureRevocation(
	harness: Harness,
	{ pages, latency }: Omit<Workload, 'rounds'>,
): Promise<Section> {
	await harness.service.setLatency(latency);
	const rows: string[][] = [];
	for (const [name, makeNode] of VARIANTS) {
		const { time, grants, requests } = await runTwice(harness, makeNode, smallPages(pages));
		rows.push([name, String(time), String(grants), String(requests)]);
	}
	return {
		title: `${pages} pages of 10 blocks, latency ${latency} ms, revoked token`,
		table: await table(['Variant', 'Time in ms', 'Grants', 'Requests'], rows),
	};
}

async function runTwice(harness: Harness, makeNode: MakeNode, pageIds: readonly string[]): Promise<Measurement> {
	const workflow = await ItemWorkflow.create(harness.n8n, await makeNode(harness));
	let executionId = '';
	const run = async () =>
		await reversePages(harness, pageIds, async (orders) => {
			executionId = await workflow.run(itemPerPage(orders));
		});
	await run();
	await harness.service.revokeTokens();
	const received = await run();
	const time = await workflow.nodeTime(executionId);
	await workflow.deactivate();
	return { ...received, time };
}
