import { setTimeout as wait } from 'node:timers/promises';

import fc from 'fast-check';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../../runner';
import { type Fault, jsonAnswer, statusFault } from '../../sandbox/faults';
import { oneNodeWorkflow, profilePageNode, Harness } from '../support/harness';

/** n8n takes 0 for a second. */
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const create: INodeParameters = {
	resource: 'links',
	operation: 'create',
	title: '={{ $json.title }}',
	url: '=https://example.com/{{ $json.title }}',
	options: { maxRetries: 0 },
};

const TITLES = ['a', 'b', 'c', 'd'];
const links = TITLES.map((title) => ({ title }));

let harness: Harness;
beforeEach(async () => (harness = await Harness.open({ links: [] })));
afterEach(async () => await harness.close());

const createdTitles = () => harness.sandbox.account.links.all.map(({ title }) => title).reverse();

const sentTitles = () => harness.sandbox.recorder.forms.map(({ title }) => title);

/** Strikes the calls that create links, one after another. */
function strike(...faults: Array<Fault | undefined>): void {
	for (const fault of faults) harness.sandbox.faults.add({ path: '/add', fault, times: 1 });
}

const run = async (onError: INode['onError'], parameters = create, items: IDataObject[] = links) =>
	await harness.runNode(parameters, { items, settings: { ...RETRY, onError } });

describe('with Retry On Fail, a link', () => {
	test('that was created by an earlier try is not created again', async () => {
		strike(undefined, undefined, statusFault(400));
		const { items, error } = await run('stopWorkflow');
		expect(error).toBeUndefined();
		expect(createdTitles()).toEqual(TITLES);
		expect(sentTitles()).toEqual(['a', 'b', 'c', 'c', 'd']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(items.every(({ json }) => json.id)).toBe(true);
	});

	test.each(['lost', 'cut'] as const)(
		'of which no answer tells whether it was created (%s) is not sent again',
		async (fault) => {
			strike(undefined, fault);
			const { error } = await run('stopWorkflow');
			expect(error?.message).toContain('It is not known whether the link "b" was created');
			expect(error?.message).toContain('Done: item 0; failed: item 1; not sent: items 2–3');
			expect(sentTitles()).toEqual(['a', 'b']);
		},
	);

	test('of which that is not known keeps its error, and those after it are created', async () => {
		strike('lost', undefined, statusFault(400));
		const { items } = await run('continueRegularOutput');
		expect(createdTitles()).toEqual(['a', 'b', 'd', 'c']);
		expect(sentTitles()).toEqual(['a', 'b', 'c', 'd', 'c']);
		expect(items.map(({ json }) => Boolean(json.error))).toEqual([true, false, false, false]);
	});

	test('is never created twice, whatever fails and however errors are handled', async () => {
		const fault = fc.constantFrom<Array<Fault | undefined>>(
			undefined,
			undefined,
			statusFault(400),
			statusFault(500),
			statusFault(429),
			jsonAnswer({}),
			jsonAnswer({ status: true, data: { id: 1, error: null } }),
			'lost',
			'cut',
			'reset',
		);
		const faults = fc.array(fault, { minLength: 4, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(faults, fc.constantFrom(...ON_ERROR), async (struck, onError) => {
				await harness.close();
				harness = await Harness.open({ links: [] });
				strike(...struck);
				await run(onError);
				const created = createdTitles();
				expect(created).toEqual([...new Set(created)]);
			}),
			{ numRuns: 60 },
		);
	}, 60_000);
});

describe('with Retry On Fail, pages', () => {
	const pages = Array.from({ length: 30 }, (_, index) => `PAGE_${index}`);
	const reorder = {
		resource: 'blocks',
		operation: 'reorder',
		pageId: '={{ $json.page }}',
		blockIds: ['b', 'a'],
		options: { maxRetries: 0 },
	};

	test('that were done are not sent again, and those that failed are', async () => {
		await harness.close();
		const blocks = ['a', 'b'].map((id) => ({ id, type: 'BLOCK_TITLE' }));
		harness = await Harness.open({ pages: pages.map((id) => ({ id, blocks })) });
		for (const page of ['PAGE_0', 'PAGE_7', 'PAGE_8']) {
			harness.sandbox.faults.add({ page, fault: statusFault(503), times: 1 });
		}
		const { items } = await run(
			'continueRegularOutput',
			reorder,
			pages.map((page) => ({ page })),
		);
		expect(items.filter(({ json }) => json.error)).toEqual([]);
		expect(items).toHaveLength(60);
		expect(harness.sandbox.recorder.calls).toHaveLength(33);
	});

	test('keep the warnings about what an earlier try did', async () => {
		await harness.close();
		const blocks = ['a', 'b'].map((id) => ({ id, type: 'BLOCK_TITLE' }));
		harness = await Harness.open({ pages: pages.map((id) => ({ id, blocks })) });
		const odd = jsonAnswer({ status: true, data: { blocks: [{ id: 'x' }] } });
		harness.sandbox.faults.add({ page: 'PAGE_1', fault: odd, times: 1 });
		harness.sandbox.faults.add({ page: 'PAGE_0', fault: statusFault(503), times: 1 });
		const input = [{ page: 'PAGE_0' }, { page: 'PAGE_1' }];
		const { hints } = await run('continueRegularOutput', reorder, input);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('The service accepted the order of page "PAGE_1"'),
		]);
		expect(harness.sandbox.recorder.calls).toHaveLength(3);
	});
});

describe('a link that is gone, though no answer said so', () => {
	const remove = (options: INodeParameters) => ({
		resource: 'links',
		operation: 'delete',
		linkId: { __rl: true, mode: 'id', value: '1' },
		options,
	});

	beforeEach(async () => {
		await harness.close();
		harness = await Harness.open({ links: [{ title: 'a', link: 'https://example.com' }] });
	});

	test.each([
		['by a retry of the request', { maxRetries: 1 }, {}],
		['by Retry On Fail', { maxRetries: 0 }, RETRY],
	])(
		'is not said to be there where %s the service reports a failure',
		async (_what, options, settings) => {
			harness.sandbox.faults.add({ path: '/delete', fault: 'lost', times: 1 });
			const { error } = await harness.runNode(remove(options), { settings });
			expect(harness.sandbox.account.links.all).toEqual([]);
			expect(error?.message).toMatch(/^It is not known whether link 1 was deleted: /);
		},
	);
});

test('an execution that is stopped while items wait for a token says that they were not sent', async () => {
	harness.sandbox.faults.add({ path: '/token', latency: 2000 });
	const controller = new AbortController();
	const running = harness.runNode(create, { items: links, signal: controller.signal });
	while (harness.sandbox.recorder.grants === 0) await wait(5);
	controller.abort();
	expect((await running).error?.message).toContain('Not sent: items 0–3 (of 4');
});

describe('what an earlier try did is not taken for', () => {
	test('what another execution did with the same items', async () => {
		const input = links.map((json) => ({ json }));
		const store = harness.newStore();
		const node = profilePageNode(create, {
			...RETRY,
			credentials: { profilePageApi: harness.addCredential(store) },
		});
		for (const fault of [statusFault(400), undefined]) {
			strike(undefined, fault, fault, fault);
			await runWorkflow(harness.loaded, store, oneNodeWorkflow(node), { input });
			harness.sandbox.faults.clear();
		}
		expect(createdTitles()).toEqual(['a', ...TITLES]);
	});

	test('what another node does with the same items', async () => {
		const store = harness.newStore();
		const credentials = { profilePageApi: harness.addCredential(store) };
		const file = oneNodeWorkflow(profilePageNode(create, { ...RETRY, credentials }));
		const other = { ...file.nodes[1]!, id: 'other', name: 'Other' };
		file.nodes.push(other);
		file.connections.Start!.main![0]!.push({ node: 'Other', type: 'main', index: 0 });
		strike(
			undefined,
			statusFault(400),
			undefined,
			undefined,
			undefined,
			undefined,
			statusFault(400),
		);
		const input = links.map((json) => ({ json }));
		await runWorkflow(harness.loaded, store, file, { input });
		expect(createdTitles().toSorted()).toEqual([...TITLES, ...TITLES].toSorted());
	});

	test('the same items that a loop passes to the node again', async () => {
		const store = harness.newStore();
		const credentials = { profilePageApi: harness.addCredential(store) };
		const file = oneNodeWorkflow(profilePageNode(create, { ...RETRY, credentials }));
		// The start node passes its items to the node twice.
		file.connections.Start!.main![0]!.push({ ...file.connections.Start!.main![0]![0]! });
		strike(undefined, statusFault(400));
		const input = links.map((json) => ({ json }));
		await runWorkflow(harness.loaded, store, file, { input });
		expect(createdTitles()).toEqual([...TITLES, ...TITLES]);
	});

	test('what is to be done without Retry On Fail', async () => {
		strike(undefined, statusFault(400));
		const { error } = await harness.runNode(create, { items: links });
		expect(error).toBeDefined();
		expect(sentTitles()).toEqual(['a', 'b']);
	});
});

test('with Retry On Fail and Execute Once, the one link is created once', async () => {
	strike('lost');
	await harness.runNode(create, { items: links, settings: { ...RETRY, executeOnce: true } });
	expect(createdTitles()).toEqual(['a']);
});

test('with Retry On Fail, a link stays created although its fields are read anew', async () => {
	strike(undefined, statusFault(400));
	const title = '={{ $json.title + Math.random() }}';
	const { error } = await run('stopWorkflow', { ...create, title });
	expect(error).toBeUndefined();
	expect(harness.sandbox.account.links.all).toHaveLength(4);
});

test.each([null, 'oops', false])(
	'an answer whose data has an "error" (%p) is passed on under another name, and not repeated',
	async (error) => {
		const fault = jsonAnswer({ status: true, info: { username: '@me', error } });
		harness.sandbox.faults.add({ path: '/me', fault });
		const { items } = await run('continueErrorOutput', { resource: 'me', operation: 'getInfo' }, [
			{},
		]);
		expect(items.map(({ json }) => json)).toEqual([{ username: '@me', service_error: error }]);
		expect(harness.sandbox.recorder.calls).toHaveLength(1);
	},
);
