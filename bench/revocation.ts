import { ItemWorkflow } from './execution';
import { itemPerPage, turnRound } from './measure';
import { httpRequest, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import type { Seen } from './service';
import type { Harness } from './harness';
import { table } from './table';

const KINDS: ReadonlyArray<readonly [name: string, makeNode: MakeNode]> = [
	['This node, batch 50', reorderByValue(50)],
	["n8n's HTTP Request node", httpRequest],
];

/**
 * Makes the tokens invalid between two executions of the same workflow.
 *
 * @returns a table of what the second execution cost
 */
export async function revokeBetween(
	harness: Harness,
	pages: number,
	latency: number,
): Promise<string> {
	await harness.service.call('setLatency', latency);
	const rows: string[][] = [];
	for (const [name, makeNode] of KINDS) {
		const { time, seen } = await runTwice(harness, makeNode, smallPages(pages));
		rows.push([name, String(time), String(seen.grants), String(seen.requests)]);
	}
	return table(['Kind', 'Time in ms', 'Grants', 'Requests'], rows);
}

async function runTwice(
	harness: Harness,
	makeNode: MakeNode,
	pageIds: readonly string[],
): Promise<{ time: number; seen: Seen }> {
	const workflow = await ItemWorkflow.create(harness.n8n, await makeNode(harness));
	let executionId = '';
	const run = async () =>
		await turnRound(harness, pageIds, async (orders) => {
			executionId = await workflow.run(itemPerPage(orders));
		});
	await run();
	await harness.service.call('revokeTokens', undefined);
	const seen = await run();
	const time = await workflow.nodeTime(executionId);
	await workflow.end();
	return { time, seen };
}
