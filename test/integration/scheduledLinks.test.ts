import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { processedData } from '../../runner';
import { type Fault, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';

const ADD = '/oauth/v1/lnk/add';
const [MINUTE, HOUR] = [60_000, 3_600_000];
const [A, B] = ['https://example.com/a', 'https://example.com/b'] as const;

const SCHEDULED = 'A link with the same URL is scheduled already.';
const CREATE_ANYWAY = 'To create it anyway, such as after it was deleted, set If Link Exists to Create Another.';
const OTHER_TIME = 'It was scheduled for another time, which was not changed.';
const UNKNOWN = 'The link "New" was not created: it is unknown whether another run has scheduled it';

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

/** Lets time pass. After three minutes, the process remembers no link, as after a restart. */
const pass = (milliseconds = 3 * MINUTE) => (ahead += milliseconds);
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
		// The process remembers it for two minutes, and n8n for good.
		for (const time of [0, MINUTE, HOUR]) {
			pass(time);
			const { items, hints } = await create([item], { ifExists });
			expect(items[0]!.json).toEqual({ action: 'skipped', title: 'New', link: A });
			expect(hints).toEqual([`${SCHEDULED} ${CREATE_ANYWAY}`]);
		}
		pass(HOUR);
		expect((await create([item], { ifExists })).actions).toEqual([action]);
		expect(links()).toHaveLength(1);
	});

	test('of two accounts is created for each, also at the same moment', async () => {
		const other = harness.newAccount();
		const createForBoth = async () =>
			await Promise.all(
				[create([inAnHour()]), create([inAnHour()], {}, other)].map(async (each) => (await each).actions),
			);
		expect(await createForBoth()).toEqual([['created'], ['created']]);
		pass();
		expect(await createForBoth()).toEqual([['skipped'], ['skipped']]);
		expect(links()).toHaveLength(2);
	});

	test('keeps its time, and a hint says so if the item has another one', async () => {
		const from = inTime(HOUR);
		await create([{ url: A, from }]);
		pass();
		const { actions, hints } = await create([{ url: A, from: inTime(2 * HOUR) }]);
		expect(actions).toEqual(['skipped']);
		expect(hints).toEqual([`${SCHEDULED} ${OTHER_TIME} ${CREATE_ANYWAY}`]);
		// The same time, written in another way.
		const again = await create([{ url: A, from: from.replace('Z', '+00:00') }]);
		expect(again.hints).toEqual([`${SCHEDULED} ${CREATE_ANYWAY}`]);
	});

	test('can be scheduled again once an item of its URL has no date, or the list has contained it', async () => {
		await create([inAnHour()]);
		pass();
		expect((await create([{ url: A }])).actions).toEqual(['created']);
		pass();
		// Found in the list.
		expect((await create([inAnHour()])).actions).toEqual(['skipped']);
		for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
		pass();
		expect((await create([inAnHour()])).actions).toEqual(['created']);
	});

	test.each<[string, RunNodeOptions, string]>([
		['known to a node that was renamed', { settings: { name: 'Renamed' } }, 'skipped'],
		['not known to another node', { settings: { id: 'another' } }, 'created'],
		['not known to another workflow', { workflowId: 'another' }, 'created'],
	])('is %s', async (_what, options, action) => {
		await create([inAnHour()]);
		pass();
		const { run } = await create([inAnHour()], {}, options);
		const tasks = Object.values(run.data.resultData.runData).at(-1);
		expect(tasks![0]!.data!.main![0]![0]!.json.action).toBe(action);
	});

	test('is not asked for, and not remembered, by a preview', async () => {
		expect((await create([inAnHour()], { preview: true })).actions).toEqual(['would_create']);
		pass();
		expect((await create([inAnHour()])).actions).toEqual(['created']);
	});
});

describe('An earlier run whose creation', () => {
	test('may have been made lets later runs create no link, and say why', async () => {
		failNext('lost');
		expect((await create([inAnHour()])).actions).toEqual(['failed']);
		for (let run = 0; run < 2; run += 1) {
			pass();
			const { error } = await create([inAnHour()], {}, { settings: {} });
			expect(error).toMatchObject({ message: UNKNOWN, description: `Look at your profile. ${CREATE_ANYWAY}` });
		}
		expect(links()).toHaveLength(1);
	});

	test('was rejected lets a later run create it', async () => {
		failNext(statusFault(400));
		expect((await create([inAnHour()])).actions).toEqual(['failed']);
		pass();
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
			expect(hints.filter((each) => each === hint)).toHaveLength(1);
			pass();
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

	test('that fails after a creation does not hide it: later runs say that its outcome is unknown', async () => {
		harness.sandbox.account.links.once('change', () => (processedData.failure = new Error('database is locked')));
		expect((await create([inAnHour()])).actions).toEqual(['created']);
		processedData.failure = undefined;
		pass();
		expect((await create([inAnHour()], {}, { settings: {} })).error!.message).toBe(UNKNOWN);
	});

	test('is asked once a run, if at all, for links that are not scheduled', async () => {
		const asked = (['getProcessedDataCount', 'checkProcessedAndRecord', 'removeProcessed'] as const).map((name) =>
			jest.spyOn(processedData, name),
		);
		const calls = () => asked.map(({ mock }) => mock.calls.length);
		const items = [A, B].map((url) => ({ url }));
		await create(items);
		expect(calls()).toEqual([0, 0, 0]);
		pass();
		expect((await create(items)).actions).toEqual(['skipped', 'skipped']);
		expect(calls()).toEqual([1, 0, 0]);
	});
});

const faults = {
	rejected: statusFault(400),
	failed: statusFault(500),
	lost: 'lost',
	reset: 'reset',
} as const satisfies Record<string, Fault>;

/** Whether a list need not have contained a link when it was created. */
const wasPending = ({ schedule_from: from, created_at: at }: { schedule_from?: string; created_at: string }) =>
	Date.parse(from ?? '') > Date.parse(at) - 10 * MINUTE;

interface Step {
	does: 'run' | 'pass' | 'delete';
	ifExists: string;
	items: Array<{ url: string; minutes: number | undefined }>;
	fault: keyof typeof faults | undefined;
	hasMemory: boolean;
	/** How much time passes. */
	minutes: number;
	/** What is deleted on the dashboard. */
	url: string;
}

const url = fc.constantFrom(A, B);
const item = fc.record({ url, minutes: fc.constantFrom(undefined, -20, -5, 2, 30, 60) });
const faultNames = Object.keys(faults) as Array<keyof typeof faults>;
const steps = fc.array(
	fc.record<Step>({
		does: fc.constantFrom('run', 'run', 'run', 'run', 'pass', 'pass', 'delete'),
		ifExists: fc.constantFrom('skip', 'update'),
		items: fc.array(item, { minLength: 1, maxLength: 4 }),
		fault: fc.option(fc.constantFrom(...faultNames), { nil: undefined }),
		hasMemory: fc.integer({ min: 0, max: 7 }).map((number) => number > 0),
		minutes: fc.constantFrom(3, 12, 45, 90),
		url,
	}),
	{ minLength: 3, maxLength: 12 },
);

test('No link is created twice, and none is missing without a word, whatever runs, fails, passes, or is deleted', async () => {
	await fc.assert(
		fc.asyncProperty(steps, async (given) => {
			await harness.restart({ links: [] });
			account = harness.newAccount();
			const { links: profile } = harness.sandbox.account;
			const wasDeleted = new Set<string>();
			const isUncertain = new Set<string>();
			for (const step of given) {
				if (step.does === 'pass') pass(step.minutes * MINUTE);
				else if (step.does === 'delete') {
					for (const { link_id: id, link } of profile.all) if (link === step.url) profile.delete(id);
					wasDeleted.add(step.url);
					// The process must not know that it was there.
					pass();
				} else await run(step);
			}

			async function run({ items, ifExists, fault, hasMemory }: Step) {
				harness.sandbox.faults.clear();
				if (fault) failNext(faults[fault]);
				if (!hasMemory) processedData.failure = new Error('database is locked');
				const input = items.map((item) => ({
					url: item.url,
					...(item.minutes !== undefined && { from: inTime(item.minutes * MINUTE) }),
				}));
				const outcome = await create(input, { ifExists });
				processedData.failure = undefined;
				for (const [index, { json }] of outcome.items.entries()) {
					const [address, error] = [input[index]!.url, json.error as string | undefined];
					const isThere = profile.all.some(({ link }) => link === address);
					if (error?.startsWith('It is unknown')) isUncertain.add(address);
					else if (error?.startsWith(UNKNOWN)) expect([...isUncertain]).toContain(address);
					else if (error) expect(error).toMatch(/was not created/);
					else if (!isThere) {
						expect([json.action, wasDeleted.has(address)]).toEqual(['skipped', true]);
						expect(outcome.hints.join()).toContain(SCHEDULED);
					}
				}
				for (const address of [A, B]) {
					const ofAddress = profile.all.filter(({ link }) => link === address);
					const dated = ofAddress.filter((each) => wasPending(each));
					// One without a date is created though another one is scheduled.
					expect([dated.length, ofAddress.length - dated.length].every((count) => count <= 1)).toBe(true);
				}
			}
		}),
		{ numRuns: Number(process.env.RUNS ?? 30) },
	);
}, 300_000);
