import type { IDataObject, INode, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';

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

/** What a poll returns or throws. */
type Poll = (
	context: IPollFunctions,
	staticData: IDataObject,
) => INodeExecutionData[][] | null | Promise<INodeExecutionData[][] | null>;

let loaded: LoadedPackage;
beforeAll(async () => (loaded = await loadPackage()));
afterAll(stopEngine);

/** Returns a trigger whose polls do this, one after another; the last is repeated. */
function triggerIn(way: PollingWay, ...polls: Poll[]): PollingTrigger {
	let count = 0;
	const type: INodeType = {
		description: describePlainNode('poller', { group: ['trigger'], inputs: [], polling: true }),
		async poll() {
			const poll = polls[Math.min(count, polls.length - 1)]!;
			count += 1;
			return await poll(this, this.getWorkflowStaticData('node'));
		},
	};
	const nodeTypes = { ...loaded.nodeTypes, getByName: () => type, getByNameAndVersion: () => type };
	return new PollingTrigger({ ...loaded, nodeTypes }, new CredentialStore(loaded), node, way);
}

const ITEMS = [{ json: { a: 1 } }];
const nothing: Poll = () => null;
const emit: Poll = () => [ITEMS];
const fail: Poll = () => {
	throw new Error('Failed');
};

/** Counts the polls in the static data. */
const count = (result: INodeExecutionData[][] | null): Poll => {
	return (_context, staticData) => {
		staticData.polls = ((staticData.polls ?? 0) as number) + 1;
		return result;
	};
};

/** What newer versions of n8n add to the context. */
type NewerContext = IPollFunctions & {
	getPollBudgetMs?(): number;
	__commitCursor(): Promise<void>;
};

describe('PollingTrigger', () => {
	test('throws what the first poll throws, stores nothing, and leaves the workflow inactive', async () => {
		for (const way of ['legacy', 'scheduler', 'cursors'] as const) {
			const trigger = triggerIn(way, (context, staticData) => {
				staticData.polls = 1;
				return fail(context, staticData);
			});
			await expect(trigger.activate('activate')).rejects.toThrow('Failed');
			expect([trigger.errors, trigger.stored]).toEqual([[], {}]);
			await expect(trigger.poll()).rejects.toThrow('The workflow is not active');
		}
	});

	test('discards what a poll returns or throws if the workflow was activated again meanwhile', async () => {
		for (const outcome of [emit, fail]) {
			let finish: () => void = () => undefined;
			const slow: Poll = async (...args) => {
				await new Promise<void>((resolve) => (finish = resolve));
				return await outcome(...args);
			};
			const trigger = triggerIn('legacy', nothing, slow, nothing);
			await trigger.activate('activate');
			const polling = trigger.poll();
			await trigger.activate('update');
			finish();
			await polling;
			expect([trigger.executions, trigger.errors]).toEqual([[], []]);
		}
	});
});

describe('The static data of a PollingTrigger', () => {
	test.each([
		['legacy', [1, 1, 3]],
		['scheduler', [1, 1, 2]],
		['cursors', [undefined, 1, 2]],
	] as const)('is stored as n8n does when it polls in the way "%s"', async (way, expected) => {
		const trigger = triggerIn(way, count(null), count(null), count([ITEMS]));
		await trigger.activate('activate');
		const stored = [trigger.stored.polls];
		for (let poll = 0; poll < 2; poll += 1) {
			await trigger.poll();
			stored.push(trigger.stored.polls);
		}
		expect(stored).toEqual(expected);
	});

	test('becomes a cursor when these are turned on, and stays one', async () => {
		const trigger = triggerIn('legacy', count([ITEMS]));
		await trigger.activate('activate');
		await trigger.restart('cursors');
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 3 });
		await trigger.restart('scheduler');
		await trigger.poll();
		await trigger.restart('legacy');
		expect(trigger.stored).toEqual({ polls: 5 });
	});
});

describe.each(['scheduler', 'cursors'] as const)("n8n's scheduler (%s)", (way) => {
	test('makes a context for each poll, with a budget and the mode "update"', async () => {
		const contexts = new Set<NewerContext>();
		const trigger = triggerIn(way, (context) => (contexts.add(context as NewerContext), null));
		await trigger.activate('activate');
		await trigger.poll();
		await trigger.poll();
		const [first, ...later] = [...contexts].map((context) => [
			context.getActivationMode(),
			context.getPollBudgetMs?.() ?? 300_000,
		]);
		expect(first).toEqual(['activate', 300_000]);
		expect(later).toEqual([
			['update', 36_000],
			['update', 36_000],
		]);
	});

	test('does not poll when n8n starts, but at the next poll time, until a deactivation', async () => {
		const trigger = triggerIn(way, nothing, emit);
		await trigger.activate('activate');
		await trigger.restart();
		expect(trigger.executions).toEqual([]);
		await trigger.poll();
		expect(trigger.executions).toEqual([ITEMS]);
		trigger.deactivate();
		await expect(trigger.poll()).rejects.toThrow('The workflow is not active');
	});
});
