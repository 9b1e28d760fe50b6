import { setTimeout as wait } from 'node:timers/promises';

import { until } from '../test/n8n/support/processes';
import { isFinished, type StoredExecution } from '../test/n8n/support/rest';
import { chain, type Node, noOperation, profilePageTrigger, scheduleTrigger } from '../test/n8n/support/workflows';
import type { Harness } from './harness';
import { addPrivateApp, httpListLinks } from './nodes';
import { type Section, spread, table } from './report';

/** n8n starts both triggers at whole seconds, so that a start time shows the delay. */
const INTERVAL_S = 1;

/** More than the trigger remembers, together with the initial links. */
const FILLING_POLLS = 12;
const LINKS_PER_FILLING_POLL = 45;

/** Receives what a poll has read. */
const NEXT = 'Next';

interface Variant {
	readonly name: string;
	readonly makeNodes: (harness: Harness) => Promise<Node[]>;
}

const VARIANTS: readonly Variant[] = [
	{
		name: 'Profile Page Trigger',
		makeNodes: async (harness) => [profilePageTrigger(await addPrivateApp(harness), INTERVAL_S)],
	},
	{
		name: 'Schedule Trigger and HTTP Request',
		makeNodes: async (harness) => [scheduleTrigger(INTERVAL_S), await httpListLinks(harness)],
	},
	{
		name: 'Schedule Trigger alone',
		makeNodes: async () => await Promise.resolve([scheduleTrigger(INTERVAL_S)]),
	},
];

/** Measures the time from the poll time until the links arrive at the next node. */
export async function measurePolls(
	harness: Harness,
	{ latency, polls }: { latency: number; polls: number },
): Promise<Section> {
	await harness.service.setLatency(latency);
	const measured = [];
	for (const { makeNodes, ...variant } of VARIANTS) {
		const delays = await delaysOf(harness, await makeNodes(harness), polls);
		measured.push({ ...variant, ...spread(delays, (delay) => delay) });
	}
	return {
		title: `A poll of 50 links, latency ${latency} ms`,
		table: await table(
			['Variant', 'Time in ms'],
			measured.map(({ name, text }) => [name, text]),
		),
	};
}

/** Returns the delays of the last polls, each of which finds one new link. */
async function delaysOf(harness: Harness, nodes: Node[], polls: number): Promise<number[]> {
	const { rest } = harness.n8n;
	const workflow = await rest.createWorkflow(chain('Polls', ...nodes, noOperation(NEXT)));
	await rest.activate(workflow);
	for (let poll = 0; poll < FILLING_POLLS + polls; poll += 1) {
		await nextHalfSecond();
		await harness.service.addLinks(poll < FILLING_POLLS ? LINKS_PER_FILLING_POLL : 1);
	}
	await nextHalfSecond();
	await rest.deactivate(workflow.id);
	const finished = async () => (await rest.executions(workflow.id)).every(isFinished);
	await until('all polls have finished', finished);
	const executions = await rest.executions(workflow.id);
	return await Promise.all(executions.slice(0, polls).map(delayOf));

	async function delayOf({ id, status }: StoredExecution): Promise<number> {
		const { runData } = (await rest.executionData(id)).resultData;
		const [run] = runData[NEXT] ?? [];
		if (status !== 'success' || !run) throw new Error(`Execution ${id} ended as ${status}`);
		return run.startTime % (INTERVAL_S * 1000);
	}
}

/** Waits for a moment between two polls. */
async function nextHalfSecond(): Promise<void> {
	await wait(1000 - ((Date.now() + 500) % 1000));
}
