import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';

import {
	CredentialStore,
	describePlainNode,
	type LoadedPackage,
	loadPackage,
	PollingTrigger,
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
function triggerOf(...polls: Poll[]): PollingTrigger {
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
	return new PollingTrigger({ ...loaded, nodeTypes }, new CredentialStore(loaded), node);
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
		expect(data.resultData.runData.Node?.[0]?.data?.main).toEqual([
			[expect.objectContaining({ json: { a: 1 } })],
		]);
		expect(trigger.stored).toEqual({ polls: 1 });
		expect(trigger.executions).toEqual([]);
	});
});
