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

const node: INode = {
	id: 'node',
	name: 'Node',
	type: 'test.poller',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What a poll returns or throws. */
type Poll = (
	context: IPollFunctions,
	staticData: IDataObject,
) => INodeExecutionData[][] | null | Promise<INodeExecutionData[][] | null>;

let loaded: LoadedPackage;
beforeAll(async () => (loaded = await loadPackage()));
afterAll(stopEngine);

/** Returns a trigger whose polls do this, one after another; the last is repeated. */
const triggerOf = (...polls: Poll[]) => triggerIn('legacy', ...polls);

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

describe('PollingTrigger.activate', () => {
	test('polls once, and starts an execution with what is returned', async () => {
		const trigger = triggerOf(emit, fail);
		await trigger.activate('activate');
		expect(trigger.executions).toEqual([ITEMS]);
	});

	test('passes the mode of the activation to its polls, in one context', async () => {
		const contexts: IPollFunctions[] = [];
		const trigger = triggerOf((context) => (contexts.push(context), null));
		await trigger.activate('init');
		await trigger.poll();
		await trigger.activate('update');
		const modes = contexts.map((context) => [context.getActivationMode(), context.getMode()]);
		expect(modes).toEqual([
			['init', 'trigger'],
			['init', 'trigger'],
			['update', 'trigger'],
		]);
		expect(new Set(contexts).size).toBe(2);
	});

	test('throws what the poll throws, stores nothing, and leaves the workflow inactive', async () => {
		const trigger = triggerOf((context, staticData) => {
			staticData.polls = 1;
			return fail(context, staticData);
		});
		await expect(trigger.activate('activate')).rejects.toThrow('Failed');
		expect(trigger.errors).toEqual([]);
		expect(trigger.stored).toEqual({});
		await expect(trigger.poll()).rejects.toThrow('The workflow is not active');
	});

	test('uses a node that replaces the first one', async () => {
		const trigger = triggerOf((context) => [[{ json: { notes: context.getNode().notes } }]]);
		trigger.node = { ...node, notes: 'Replaced' };
		await trigger.activate('update');
		expect(trigger.executions).toEqual([[{ json: { notes: 'Replaced' } }]]);
	});
});

describe('PollingTrigger.poll', () => {
	test('records an error that a poll throws, and keeps polling', async () => {
		const trigger = triggerOf(nothing, fail, emit);
		await trigger.activate('activate');
		expect(await trigger.poll()).toBe(false);
		expect(await trigger.poll()).toBe(true);
		expect(trigger.errors).toMatchObject([{ message: 'Failed' }]);
		expect(trigger.executions).toEqual([ITEMS]);
	});

	test('records an error that the node reports with __emitError', async () => {
		const trigger = triggerOf((context) => (context.__emitError(new Error('Reported')), null));
		await trigger.activate('init');
		expect(trigger.errors).toMatchObject([{ message: 'Reported' }]);
	});

	test.each([
		['items', emit],
		['an error', fail],
	])('discards %s if the workflow was activated again meanwhile', async (_name, outcome) => {
		let finish: () => void = () => undefined;
		const slow: Poll = async (...args) => {
			await new Promise<void>((resolve) => (finish = resolve));
			return await outcome(...args);
		};
		const trigger = triggerOf(nothing, slow, nothing);
		await trigger.activate('activate');
		const polling = trigger.poll();
		await trigger.activate('update');
		finish();
		await polling;
		expect([trigger.executions, trigger.errors]).toEqual([[], []]);
	});
});

describe('The static data of a PollingTrigger', () => {
	test('is stored after an activation, and after a poll that starts an execution', async () => {
		const trigger = triggerOf(count(null), count(null), count([ITEMS]));
		await trigger.activate('activate');
		expect(trigger.stored).toEqual({ polls: 1 });
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 1 });
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 3 });
	});

	test('is read by the next activation as it was stored', async () => {
		const trigger = triggerOf(count(null));
		await trigger.activate('activate');
		await trigger.poll();
		await trigger.activate('init');
		expect(trigger.stored).toEqual({ polls: 2 });
	});

	test('is stored as JSON', async () => {
		const trigger = triggerOf((_context, staticData) => {
			Object.assign(staticData, { date: new Date(0), none: undefined });
			return null;
		});
		await trigger.activate('activate');
		expect(trigger.stored).toStrictEqual({ date: '1970-01-01T00:00:00.000Z' });
	});

	test('is stored when the trigger is tested in the editor', async () => {
		const trigger = triggerOf(count([ITEMS]));
		const { data } = await trigger.test();
		expect(data.resultData.runData.Node?.[0]?.data?.main).toEqual([[expect.objectContaining({ json: { a: 1 } })]]);
		expect(trigger.stored).toEqual({ polls: 1 });
		expect(trigger.executions).toEqual([]);
	});
});

/** What newer versions of n8n add to the context. */
type NewerContext = IPollFunctions & {
	getPollBudgetMs?(): number;
	__commitCursor(): Promise<void>;
};

describe.each(['scheduler', 'cursors'] as const)("n8n's scheduler (%s)", (way) => {
	test('makes a context for each poll, with a budget and the mode "update"', async () => {
		const contexts = new Set<NewerContext>();
		const trigger = triggerIn(way, (context) => (contexts.add(context as NewerContext), null));
		await trigger.activate('activate');
		await trigger.poll();
		await trigger.poll();
		const modes = [...contexts].map((context) => context.getActivationMode());
		expect(modes).toEqual(['activate', 'update', 'update']);
		const [activation, ...later] = [...contexts].map((context) => context.getPollBudgetMs?.());
		expect(activation ?? 300_000).toBe(300_000);
		expect(later).toEqual([36_000, 36_000]);
	});

	test('does not poll when n8n starts, but at the next poll time', async () => {
		const trigger = triggerIn(way, nothing, emit);
		await trigger.activate('activate');
		await trigger.restart();
		expect(trigger.executions).toEqual([]);
		await trigger.poll();
		expect(trigger.executions).toEqual([ITEMS]);
	});

	test('polls no more if the activation fails, or after a deactivation', async () => {
		const trigger = triggerIn(way, fail, nothing);
		await expect(trigger.activate('activate')).rejects.toThrow('Failed');
		await expect(trigger.poll()).rejects.toThrow('The workflow is not active');
		await trigger.activate('activate');
		trigger.deactivate();
		await expect(trigger.poll()).rejects.toThrow('The workflow is not active');
	});

	test('adds a failed execution if a poll fails', async () => {
		const trigger = triggerIn(way, nothing, fail);
		await trigger.activate('activate');
		expect(await trigger.poll()).toBe(false);
		expect(trigger.errors).toMatchObject([{ message: 'Failed' }]);
	});

	test('discards what a poll returns if the workflow was deactivated meanwhile', async () => {
		let finish: () => void = () => undefined;
		const slow: Poll = async (_context, staticData) => {
			await new Promise<void>((resolve) => (finish = resolve));
			staticData.polls = 2;
			return [ITEMS];
		};
		const trigger = triggerIn(way, nothing, slow);
		await trigger.activate('activate');
		const polling = trigger.poll();
		trigger.deactivate();
		finish();
		await polling;
		expect(trigger.executions).toEqual([]);
		expect(trigger.stored).toEqual({});
	});

	test('starts a poll with what was stored when it was prepared', async () => {
		const seen: unknown[] = [];
		const trigger = triggerIn(way, (_context, staticData) => {
			seen.push(staticData.polls);
			staticData.polls = seen.length;
			return [ITEMS];
		});
		await trigger.activate('activate');
		const later = trigger.preparePoll();
		await trigger.poll();
		await later();
		await trigger.poll();
		expect(seen).toEqual([undefined, 1, 1, 3]);
	});
});

describe('The static data of a PollingTrigger that the scheduler polls', () => {
	test('is stored after an activation, and after a poll that starts an execution', async () => {
		const trigger = triggerIn('scheduler', count(null), count(null), count([ITEMS]));
		await trigger.activate('activate');
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 1 });
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 2 });
	});

	test('is stored as a durable cursor after each poll, but not after an activation that finds nothing', async () => {
		const trigger = triggerIn('cursors', count(null), count(null), count([ITEMS]));
		await trigger.activate('activate');
		expect(trigger.stored).toEqual({});
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 1 });
		await trigger.poll();
		expect(trigger.stored).toEqual({ polls: 2 });
	});

	test('is stored as a durable cursor when the node commits it', async () => {
		const trigger = triggerIn('cursors', async (context, staticData) => {
			staticData.polls = 1;
			await (context as NewerContext).__commitCursor();
			return null;
		});
		await trigger.activate('activate');
		expect(trigger.stored).toEqual({ polls: 1 });
	});

	test('becomes a durable cursor when these are turned on, and stays one', async () => {
		const trigger = triggerOf(count([ITEMS]));
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
