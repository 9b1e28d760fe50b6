import type { INode, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';

import {
	CredentialStore,
	describePlainNode,
	type LoadedPackage,
	loadPackage,
	PollingTrigger,
	type PollingWay,
	stopEngine,
} from '../../runner';

const node: INode = { id: 'node', name: 'Node', type: 'test.poller', typeVersion: 1, position: [0, 0], parameters: {} };
const ITEMS = [{ json: { a: 1 } }];
const WAYS: PollingWay[] = ['legacy', 'scheduler', 'cursors'];

let loaded: LoadedPackage;
beforeAll(async () => (loaded = await loadPackage()));
afterAll(stopEngine);

/** Returns a trigger that counts its polls in its static data, and then does this. */
function triggerIn(way: PollingWay, poll: (context: IPollFunctions) => INodeExecutionData[][] | null) {
	const type: INodeType = {
		description: describePlainNode('poller', { group: ['trigger'], inputs: [], polling: true }),
		async poll() {
			const staticData = this.getWorkflowStaticData('node');
			const count = ((staticData.polls ?? 0) as number) + 1;
			staticData.polls = count;
			return await Promise.resolve(poll(this));
		},
	};
	const nodeTypes = { ...loaded.nodeTypes, getByName: () => type, getByNameAndVersion: () => type };
	return new PollingTrigger({ ...loaded, nodeTypes }, new CredentialStore(loaded), node, way);
}

test.each(WAYS)(
	'Polled in the way "%s", a trigger whose first poll fails stores nothing, and is inactive',
	async (way) => {
		const trigger = triggerIn(way, () => {
			throw new Error('Failed');
		});
		await expect(trigger.activate('activate')).rejects.toThrow('Failed');
		expect([trigger.errors, trigger.stored]).toEqual([[], {}]);
		await expect(trigger.poll()).rejects.toThrow('The workflow is not active');
	},
);

test.each([
	['legacy', [1, 1, 3]],
	['scheduler', [1, 1, 2]],
	['cursors', [undefined, 1, 2]],
] as const)('The state of a trigger is stored as n8n does when it polls in the way "%s"', async (way, expected) => {
	let polls = 0;
	const trigger = triggerIn(way, () => ((polls += 1) === 3 ? [ITEMS] : null));
	await trigger.activate('activate');
	const stored = [trigger.stored.polls];
	for (let poll = 0; poll < 2; poll += 1) {
		await trigger.poll();
		stored.push(trigger.stored.polls);
	}
	expect(stored).toEqual(expected);
});

test('The state of a trigger becomes a cursor when these are turned on, and stays one', async () => {
	const trigger = triggerIn('legacy', () => [ITEMS]);
	await trigger.activate('activate');
	await trigger.restart('cursors');
	await trigger.poll();
	expect(trigger.stored).toEqual({ polls: 3 });
	await trigger.restart('scheduler');
	await trigger.poll();
	await trigger.restart('legacy');
	expect(trigger.stored).toEqual({ polls: 5 });
});

test('The scheduler makes a context for each poll, with a budget, and does not poll when n8n starts', async () => {
	const contexts: Array<IPollFunctions & { getPollBudgetMs?(): number }> = [];
	const trigger = triggerIn('scheduler', (context) => (contexts.push(context), null));
	await trigger.activate('activate');
	await trigger.restart();
	await trigger.poll();
	await trigger.poll();
	expect(new Set(contexts).size).toBe(3);
	expect(contexts.map((context) => context.getActivationMode())).toEqual(['activate', 'update', 'update']);
	expect(contexts[1]!.getPollBudgetMs?.()).toBe(36_000);
});
