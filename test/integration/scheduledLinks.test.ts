import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { processedData } from '../../runner';
import { type Fault, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';

const ADD = '/oauth/v1/lnk/add';
const [MINUTE, HOUR] = [60_000, 3_600_000];
const [A, B] = ['https://example.com/a', 'https://example.com/b'] as const;

const SCHEDULED =
	'This node has already scheduled a link with the same URL, or has tried to, so nothing was created. If the service does not have it, set If Link Exists to Create Another.';

const harness = useHarness({ links: [] });

let account: Pick<RunNodeOptions, 'store' | 'reference'>;
let ahead: number;
beforeEach(() => {
	account = harness.newAccount();
	ahead = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
});
afterEach(() => jest.restoreAllMocks());

/** Lets time pass. */
const pass = (milliseconds: number) => (ahead += milliseconds);
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A link that is public in an hour. */
const inAnHour = () => ({ url: A, from: inTime(HOUR) });

async function create(
	items: ReadonlyArray<{ url: string; from?: string }>,
	more: INodeParameters = {},
	options: RunNodeOptions = {},
) {
	const parameters: INodeParameters = {
		resource: 'links',
		operation: 'create',
		title: 'New',
		url: '={{ $json.url }}',
		ifExists: 'skip',
		additionalFields: { scheduleFrom: "={{ $json.from ?? '' }}" },
		options: { maxRetries: 0 },
		...more,
	};
	const outcome = await harness.runNode(parameters, {
		...account,
		items: items.map((item) => ({ ...item })),
		settings: { onError: 'continueRegularOutput', ...options.settings },
		...options,
	});
	const actions = outcome.items.map(({ json }: { json: IDataObject }) => json.action ?? 'failed');
	return { ...outcome, actions, hints: outcome.hints.map(({ message }) => message) };
}

const links = () => harness.sandbox.account.links.all;
const failNext = (fault: Fault) => harness.sandbox.faults.add({ path: ADD, fault, times: 1 });

describe('A scheduled link', () => {
	test.each([
		['skip', 'skipped'],
		['update', 'unchanged'],
	])('is created once, and skipped by later runs until it is public and listed (%s)', async (ifExists, action) => {
		const item = { url: A, from: inTime(2 * HOUR) };
		expect(await create([item], { ifExists })).toMatchObject({ actions: ['created'], hints: [] });
		for (const time of [0, MINUTE, HOUR]) {
			pass(time);
			const { items, hints } = await create([item], { ifExists });
			expect(items[0]!.json).toEqual({ action: 'skipped', url: A });
			expect(hints).toEqual([SCHEDULED]);
		}
		pass(HOUR);
		expect((await create([item], { ifExists })).actions).toEqual([action]);
		expect(links()).toHaveLength(1);
	});

	test('is skipped by a later item of the same run, whatever its date', async () => {
		const items = [inAnHour(), inAnHour(), { url: A, from: inTime(2 * HOUR) }, { url: A }];
		const { actions, hints } = await create(items);
		expect(actions).toEqual(['created', 'skipped', 'skipped', 'skipped']);
		expect(hints).toEqual([SCHEDULED]);
	});

	test('of two accounts is created for each', async () => {
		const other = harness.newAccount();
		for (const action of ['created', 'skipped']) {
			expect((await create([inAnHour()])).actions).toEqual([action]);
			expect((await create([inAnHour()], {}, other)).actions).toEqual([action]);
		}
		expect(links()).toHaveLength(2);
	});

	test('is skipped by a later run whose item has another date', async () => {
		await create([inAnHour()]);
		const { actions, hints } = await create([{ url: A, from: inTime(2 * HOUR) }]);
		expect([actions, hints]).toEqual([['skipped'], [SCHEDULED]]);
	});

	test('can be scheduled again once the list has contained it, and it was deleted', async () => {
		await create([inAnHour()]);
		pass(HOUR);
		// Found in the list.
		expect(await create([inAnHour()])).toMatchObject({ actions: ['skipped'], hints: [] });
		for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
		expect((await create([inAnHour()])).actions).toEqual(['created']);
	});

	test('does not keep an item without a date from creating a link', async () => {
		await create([inAnHour()]);
		expect((await create([{ url: A }])).actions).toEqual(['created']);
	});

	test.each<[string, RunNodeOptions, string]>([
		['known to a node that was renamed', { settings: { name: 'Renamed' } }, 'skipped'],
		['not known to another node', { settings: { id: 'another' } }, 'created'],
		['not known to another workflow', { workflowId: 'another' }, 'created'],
	])('is %s', async (_what, options, action) => {
		await create([inAnHour()]);
		const { run } = await create([inAnHour()], {}, options);
		const tasks = Object.values(run.data.resultData.runData).at(-1);
		expect(tasks![0]!.data!.main![0]![0]!.json.action).toBe(action);
	});

	test('is not asked for, and not remembered, by a preview', async () => {
		expect((await create([inAnHour()], { preview: true })).actions).toEqual(['would be created']);
		expect((await create([inAnHour()])).actions).toEqual(['created']);
	});
});

describe('An earlier run whose creation', () => {
	test('may have been made lets later runs create no link, and say why', async () => {
		failNext('lost');
		expect((await create([inAnHour()])).actions).toEqual(['failed']);
		for (let run = 0; run < 2; run += 1) {
			expect(await create([inAnHour()])).toMatchObject({ actions: ['skipped'], hints: [SCHEDULED] });
		}
		expect(links()).toHaveLength(1);
	});

	test('was rejected lets a later run create it', async () => {
		failNext(statusFault(400));
		expect((await create([inAnHour()])).actions).toEqual(['failed']);
		expect((await create([inAnHour()])).actions).toEqual(['created']);
	});
});

describe('The memory of n8n', () => {
	test('is missing for a workflow that is not saved: a hint says so in each run that creates a link', async () => {
		const hint =
			'n8n cannot remember that the link is scheduled, so each run creates it again until it is public. Save the workflow.';
		for (let run = 0; run < 2; run += 1) {
			const { actions, hints } = await create([inAnHour()], {}, { workflowId: '' });
			expect(actions).toEqual(['created']);
			expect(hints).toEqual([hint]);
		}
	});

	test('that fails lets no link be created, and the sentence says why', async () => {
		processedData.failure = new Error('database is locked');
		const { error } = await create([inAnHour()], {}, { settings: {} });
		expect(error).toMatchObject({
			message:
				'The link "New" was not created: n8n could not look up what it remembers of the node: database is locked',
			description: 'Check the database of n8n.',
		});
		expect(links()).toEqual([]);
	});

	test('that fails after a rejection does not hide it: later runs create no link, and say why', async () => {
		const { sandbox } = harness;
		const breakMemory = () => {
			processedData.failure = new Error('database is locked');
			return true;
		};
		sandbox.faults.add({ path: ADD, fault: statusFault(400), times: 1, when: breakMemory });
		const { items } = await create([inAnHour()]);
		expect(items[0]!.json.error).toMatch(/^The link "New" was not created: the service rejected the request/);
		processedData.failure = undefined;
		expect(await create([inAnHour()])).toMatchObject({ actions: ['skipped'], hints: [SCHEDULED] });
	});

	test('is not asked for links without a date', async () => {
		const asked = (['checkProcessedAndRecord', 'removeProcessed'] as const).map((name) =>
			jest.spyOn(processedData, name),
		);
		const items = [A, B].map((url) => ({ url }));
		expect((await create(items)).actions).toEqual(['created', 'created']);
		expect((await create(items)).actions).toEqual(['skipped', 'skipped']);
		for (const each of asked) expect(each).not.toHaveBeenCalled();
	});
});
