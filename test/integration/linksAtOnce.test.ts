import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { waitUntil } from '../support/waitUntil';

const [LIST, ADD] = ['/oauth/v1/lnk/list', '/oauth/v1/lnk/add'];
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };
const URLS = ['a', 'b', 'c'].map((name) => `https://example.com/${name}`);

const harness = useHarness({ links: [] });

/** The credential that all executions of a test use. */
let account: Pick<RunNodeOptions, 'store' | 'reference'>;
beforeEach(() => (account = harness.newAccount()));
afterEach(() => jest.restoreAllMocks());

async function create(
	ifExists: string,
	urls: readonly string[] = URLS,
	options: RunNodeOptions = {},
	more: INodeParameters = {},
) {
	const parameters: INodeParameters = {
		resource: 'links',
		operation: 'create',
		title: 'New',
		url: '={{ $json.url }}',
		ifExists,
		...more,
	};
	const outcome = await harness.runNode(parameters, {
		...account,
		items: urls.map((url) => ({ url })),
		settings: CONTINUE,
		...options,
	});
	return { ...outcome, actions: outcome.items.map(({ json }: { json: IDataObject }) => json.action ?? 'failed') };
}

const published = () => harness.sandbox.account.links.all.map(({ link }) => link).toReversed();
const callsTo = (url: string) => harness.sandbox.recorder.calls.filter((call) => call.url === url);
const fail = (path: string, fault: Fault, times?: number) => harness.sandbox.faults.add({ path, fault, times });
/** Makes the service list these links, whatever there is. */
const listAlways = (...data: IDataObject[]) => fail(LIST, jsonResponse({ status: true, data }));

describe('Two executions at the same moment', () => {
	test.each([
		['skip', 'skipped'],
		['update', 'unchanged'],
	])('create each link once (%s)', async (ifExists, action) => {
		harness.sandbox.faults.latency = 10;
		const outcomes = await Promise.all([create(ifExists), create(ifExists)]);
		expect(published()).toEqual(URLS);
		const all = outcomes.flatMap(({ actions }) => actions);
		expect(all.toSorted()).toEqual([...Array<string>(3).fill('created'), ...Array<string>(3).fill(action)].toSorted());
		expect(callsTo(LIST)).toHaveLength(2);
	});

	test('create each link once, though the service lists none of them yet', async () => {
		listAlways();
		await Promise.all([create('skip'), create('update'), create('skip')]);
		expect(published()).toEqual(URLS);
	});
});

test('Create Another in two executions creates their links one by one', async () => {
	harness.sandbox.faults.latency = 10;
	await Promise.all([create('create'), create('create')]);
	expect(published().toSorted()).toEqual([...URLS, ...URLS].toSorted());
	expect(harness.sandbox.recorder.mostInFlight).toBe(1);
});

describe('A link that another execution has created', () => {
	test.each([
		['skip', 'skipped'],
		['update', 'unchanged'],
	])('counts for two minutes, though the service does not list it yet (%s)', async (ifExists, action) => {
		listAlways();
		const first = await create('create', URLS.slice(0, 1));
		const second = await create(ifExists, URLS.slice(0, 1));
		expect(second.actions).toEqual([action]);
		expect(second.items[0]!.json.link_id).toBe(first.items[0]!.json.link_id);
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + 120_000);
		expect((await create(ifExists, URLS.slice(0, 1))).actions).toEqual(['created']);
	});

	test('is created again after another one has deleted it', async () => {
		const [url] = URLS;
		await create('skip', [url!]);
		const deletion = { resource: 'links', operation: 'delete', linkId: { mode: 'id', value: '1' } };
		expect((await harness.runNode(deletion, account)).error).toBeUndefined();
		expect((await create('skip', [url!])).actions).toEqual(['created']);
		expect(published()).toEqual([url]);
	});
});

describe('An execution whose creation takes long', () => {
	/** Starts an execution whose first creation does not end by itself. */
	async function startSlow() {
		fail(ADD, 'hang', 1);
		const controller = new AbortController();
		const ended = create('skip', URLS.slice(0, 1), { signal: controller.signal });
		await waitUntil(() => callsTo(ADD).length === 1);
		const cancel = async () => {
			controller.abort();
			expect((await ended).run.status).toBe('canceled');
		};
		return { cancel };
	}

	test('lets an execution that waits for it be canceled, which then has sent nothing', async () => {
		const slow = await startSlow();
		const sent = harness.sandbox.recorder.calls.length;
		const controller = new AbortController();
		const waiting = create('skip', URLS, { signal: controller.signal });
		const third = create('skip', URLS);
		setTimeout(() => controller.abort(), 50);
		const { run, error } = await waiting;
		expect(run.status).toBe('canceled');
		expect(error!.message).toBe('The execution was canceled – 0 of 3 items succeeded; 3 were not processed');
		expect(harness.sandbox.recorder.calls).toHaveLength(sent);
		await slow.cancel();
		expect((await third).actions).toEqual(['created', 'created', 'created']);
		expect(published()).toEqual(URLS);
	});

	test('does not hold up another account, nor a preview', async () => {
		const slow = await startSlow();
		const parameters = { preview: true };
		expect((await create('skip', URLS, {}, parameters)).actions).toEqual(URLS.map(() => 'would_create'));
		account = harness.newAccount();
		expect((await create('skip')).actions).toEqual(['created', 'created', 'created']);
		await slow.cancel();
	});

	test('lets Create Another wait, as it may create the same link', async () => {
		const slow = await startSlow();
		const another = create('create');
		await wait(100);
		expect(published()).toEqual([]);
		await slow.cancel();
		expect((await another).actions).toEqual(['created', 'created', 'created']);
	});
});
