import { WorkflowExecute } from 'n8n-core';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeConnections,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { describePlainNode, runWorkflow } from '../../runner';
import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { NODE, oneNodeWorkflow, profilePageNode, useHarness } from '../support/harness';
import { withNodes } from '../support/n8nNodes';
import { pageSeed } from '../support/pages';
import { GET_INFO } from '../support/parameters';

/** n8n treats a wait of 0 as one second. */
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

const harness = useHarness({ links: [] });
afterEach(() => jest.useRealTimers());

const createdTitles = () => harness.sandbox.account.links.all.map(({ title }) => title).reverse();

const sentTitles = () => harness.sandbox.recorder.forms.map(({ title }) => title);

/** Adds faults to the requests that create links, one after another. */
function failCreates(...faults: Array<Fault | undefined>): void {
	for (const fault of faults) harness.sandbox.faults.add({ path: '/add', fault, times: 1 });
}

const run = async (onError: INode['onError'], parameters = create, items: IDataObject[] = links) =>
	await harness.runNode(parameters, { items, settings: { ...RETRY, onError } });

/** A condition in an expression: whether an item is read in a later try, once the date has moved on at the first request. */
const isLater = `Date.now() > ${Date.now() + 20 * 60_000}`;
const moveOn = () => {
	advanceDate(30 * 60_000);
	return true;
};

describe('With Retry On Fail, a link', () => {
	test('that an earlier try created is not created again', async () => {
		failCreates(undefined, undefined, statusFault(400));
		const { items, error } = await run('stopWorkflow');
		expect(error).toBeUndefined();
		expect(createdTitles()).toEqual(TITLES);
		expect(sentTitles()).toEqual(['a', 'b', 'c', 'c', 'd']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(items.every(({ json }) => json.link_id)).toBe(true);
	});

	test.each<[string, Fault, string]>([
		['the response is lost', 'lost', ''],
		[
			'the response says both',
			jsonResponse({ success: true, errors: ['The image was not found'], link: { id: 77 } }),
			' The service said: "The image was not found".',
		],
	])('whose creation has an unknown outcome, as %s, is not sent again', async (_what, fault, said) => {
		failCreates(undefined, fault);
		const { error } = await run('stopWorkflow');
		expect(error?.message).toMatch(
			/^It is unknown whether the link "b" was created: .* – item 1 of 4 failed; 2 were not processed$/,
		);
		expect(error?.description).toBe(
			`Look at your profile, and try again only if the change is missing.${said} Items are counted from 0. Running the workflow again repeats the items that succeeded.`,
		);
		expect(sentTitles()).toEqual(['a', 'b']);
	});
});

describe('With Retry On Fail, Reorder Blocks', () => {
	const pages = Array.from({ length: 12 }, (_, index) => `PAGE_${index}`);

	beforeEach(async () => {
		await harness.restart({ pages: pages.map((id) => pageSeed(id, ['a', 'b'])) });
	});

	const reorder = {
		resource: 'blocks',
		operation: 'reorder',
		pageId: '={{ $json.page }}',
		blockIds: ['b', 'a'],
		options: { maxRetries: 0 },
	};

	test('sends again only the pages that failed', async () => {
		for (const page of ['PAGE_0', 'PAGE_7', 'PAGE_8']) {
			harness.sandbox.faults.add({ page, fault: statusFault(503), times: 1 });
		}
		const input = pages.map((page) => ({ page }));
		const { items } = await run('continueRegularOutput', reorder, input);
		expect(items.filter(({ json }) => json.error)).toEqual([]);
		expect(items).toHaveLength(24);
		expect(harness.sandbox.recorder.calls).toHaveLength(15);
	});

	test('keeps the warnings of an earlier try', async () => {
		const unexpected = jsonResponse({ status: true, data: { blocks: [{ id: 'x' }] } });
		harness.sandbox.faults.add({ page: 'PAGE_1', fault: unexpected, times: 1 });
		harness.sandbox.faults.add({ page: 'PAGE_0', fault: statusFault(503), times: 1 });
		const input = [{ page: 'PAGE_0' }, { page: 'PAGE_1' }];
		const { hints } = await run('continueRegularOutput', reorder, input);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('The service accepted the order of page "PAGE_1"'),
		]);
		expect(harness.sandbox.recorder.calls).toHaveLength(3);
	});
});

describe('A link that was deleted without a response', () => {
	const remove = (options: INodeParameters) => ({
		resource: 'links',
		operation: 'delete',
		linkId: { __rl: true, mode: 'id', value: '1' },
		options,
	});

	beforeEach(async () => {
		await harness.restart({ links: [{ title: 'a', link: 'https://example.com' }] });
	});

	test.each([
		['a retry of the request', { maxRetries: 1 }, {}],
		['Retry On Fail', { maxRetries: 0 }, RETRY],
	])('has an unknown outcome if %s then reports a failure', async (_name, options, settings) => {
		harness.sandbox.faults.add({ path: '/delete', fault: 'lost', times: 1 });
		const failure = jsonResponse({ status: false, errors: ['There is no link 1.'] });
		harness.sandbox.faults.add({ path: '/delete', fault: failure });
		const { error } = await harness.runNode(remove(options), { settings });
		expect(harness.sandbox.account.links.all).toEqual([]);
		expect(error?.message).toMatch(/^It is unknown whether link 1 was deleted: /);
	});
});

test.each(ON_ERROR)(
	'With Retry On Fail, a change that an earlier try may have made is reported if the list of links cannot be read afterwards (%s)',
	async (onError) => {
		const { account, faults } = harness.sandbox;
		const url = 'https://example.com/a';
		account.links.add({ title: 'old', link: url });
		faults.add({ path: '/list', times: 1 });
		faults.add({ path: '/list', fault: statusFault(500) });
		faults.add({ path: '/edit', fault: 'lost' });
		const update = { ...create, url, title: 'new', ifExists: 'update' };
		const { error, items, errorItems } = await run(onError, update, [{}]);
		expect(createdTitles()).toEqual(['new']);
		const text = error ? `${error.message}. ${error.description}` : [...items, ...errorItems][0]!.json.error;
		expect(text).toMatch(/^It is unknown whether link \d+ was updated: /);
	},
);

test('With Retry On Fail, an update of unknown outcome is not sent again by Create', async () => {
	const { account, faults } = harness.sandbox;
	const url = 'https://example.com/a';
	account.links.add({ title: 'old', link: url });
	faults.add({ path: '/edit', fault: 'lost' });
	const { error } = await run('stopWorkflow', { ...create, url, title: 'new', ifExists: 'update' }, [{}]);
	expect(error?.message).toMatch(/^It is unknown whether link \d+ was updated: /);
	expect(error?.description).toContain('Look at your profile');
	const updates = harness.sandbox.recorder.forms.filter(({ link_id }) => link_id !== undefined);
	expect(updates).toHaveLength(1);
});

describe('With Retry On Fail, an item that is invalid in a later try', () => {
	const reorder = { resource: 'blocks', operation: 'reorder', pageId: '={{ $json.page }}' };
	const ORDER = { blockIds: ['b', 'a'], options: { maxRetries: 0 } };
	const fromItems = { ...reorder, blockOrder: 'inputItems' };
	const INVALID_LATER = { options: { maxRetries: 0, timeout: `={{ ${isLater} ? 0 : 30000 }}` } };
	beforeEach(async () => await harness.restart({ pages: ['P', 'Q'].map((page) => pageSeed(page, ['a', 'b'])) }));

	const field = { blockIds: `={{ ${isLater} ? [] : ["b", "a"] }}` };
	test.each(ON_ERROR)('is reported as what may have been done in the earlier one (%s)', async (onError) => {
		harness.sandbox.faults.add({ path: '/sort', fault: 'lost', times: 1, when: moveOn });
		const { error, items, errorItems } = await run(onError, { ...reorder, ...ORDER, ...field }, [{ page: 'P' }]);
		const text = error ? `${error.message}. ${error.description}` : [...items, ...errorItems][0]!.json.error;
		expect(text).toMatch(
			/^It is unknown whether the blocks of page "P" were reordered: Block IDs: the list is empty.* Look at your profile, /,
		);
		expect(harness.sandbox.account.order('P')).toEqual(['b', 'a']);
	});

	test('by an option is reported so too, if several items share an order', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: 'lost', when: moveOn });
		const input = ['b', 'a'].map((id) => ({ page: 'P', id }));
		const { error } = await run('stopWorkflow', { ...fromItems, ...INVALID_LATER }, input);
		expect(error?.message).toMatch(/^It is unknown whether the blocks of page "P" were reordered: Timeout \(ms\): /);
		expect(error?.description).toContain('Unknown outcome: item 1.');
	});

	describe('does not hide what the earlier one has done for other items', () => {
		const input = ['P', 'Q'].flatMap((page) => ['b', 'a'].map((id) => ({ page, id })));
		beforeEach(() =>
			harness.sandbox.faults.add({ page: 'Q', fault: statusFault(400), times: 1, latency: 200, when: moveOn }),
		);

		test('by an option', async () => {
			const { error } = await run('stopWorkflow', { ...fromItems, ...INVALID_LATER }, input);
			expect(error?.message).toMatch(/^Timeout \(ms\): /);
			expect(harness.sandbox.account.order('P')).toEqual(['b', 'a']);
		});

		test('by another page: items that are done stay done', async () => {
			const pageId = `={{ ${isLater} && $itemIndex > 0 ? "Q" : $json.page }}`;
			const { items } = await run('stopWorkflow', { ...fromItems, pageId }, input);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
			expect(['P', 'Q'].map((page) => harness.sandbox.account.order(page))).toEqual([
				['b', 'a'],
				['b', 'a'],
			]);
			expect(harness.sandbox.recorder.calls).toHaveLength(3);
		});
	});

	test('by an option does not take back what the earlier one has created, if the node continues on fail', async () => {
		failCreates(statusFault(400));
		harness.sandbox.faults.add({ path: '/add', times: 1, when: moveOn });
		const { items } = await run('continueRegularOutput', { ...create, ...INVALID_LATER }, links.slice(0, 2));
		expect(items.map(({ json }) => json.title ?? json.error)).toEqual([
			expect.stringMatching(/^Timeout \(ms\): /),
			'b',
		]);
		expect(sentTitles()).toEqual(['a', 'b']);
	});

	test('of which the earlier one was stopped in a wait is said to be unknown for the reason of before', async () => {
		const busy = statusFault(503, 'Busy.', { 'retry-after': '1' });
		harness.sandbox.faults.add({ page: 'P', fault: busy, times: 1 });
		harness.sandbox.faults.add({ page: 'P', fault: statusFault(403) });
		harness.sandbox.faults.add({ page: 'Q', fault: statusFault(400), latency: 300, times: 1 });
		const input = [{ page: 'P' }, { page: 'Q' }];
		const { error } = await run('stopWorkflow', { ...reorder, ...ORDER, options: { maxRetries: 3 } }, input);
		expect(error?.message).toBe(
			'It is unknown whether the blocks of page "P" were reordered: the service denied access (403) – item 0 of 2 failed',
		);
	});

	test('does not hide from the report what may have been done for others', async () => {
		harness.sandbox.faults.add({ page: 'Q', fault: statusFault(400), latency: 100 });
		harness.sandbox.faults.add({ page: 'P', fault: 'lost', when: moveOn });
		const pageId = `={{ ${isLater} ? "" : $json.page }}`;
		const { error } = await run('stopWorkflow', { ...reorder, ...ORDER, pageId }, [{ page: 'Q' }, { page: 'P' }]);
		expect(error?.message).toBe('Page: the value is empty – 2 of 2 items failed');
		expect(error?.description).toContain('Unknown outcome: item 1.');
	});
});

describe('A tool of an AI agent with Retry On Fail', () => {
	// n8n gives each try of a tool new items, so the node cannot find what an earlier try has done.
	const settings: Partial<INode> = { ...RETRY, type: 'n8n-nodes-profile-page.profilePageTool' };

	test('returns an error with an unknown outcome as its output, so that n8n does not try again', async () => {
		failCreates(undefined, 'lost');
		const { items, error } = await harness.runNode(create, { items: links, settings });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.title ?? json.error)).toEqual([
			'a',
			expect.stringMatching(/^It is unknown whether the link "b" was created: /),
		]);
		expect(sentTitles()).toEqual(['a', 'b']);
	});

	test.each([
		['that was certainly not applied', create, { path: '/add', fault: statusFault(400) }],
		['of a request that is idempotent', GET_INFO, { path: '/me', fault: 'lost' as const }],
	])('throws an error %s', async (_which, parameters, rule) => {
		harness.sandbox.faults.add(rule);
		const { error } = await harness.runNode(
			{ ...parameters, options: { maxRetries: 0 } },
			{ items: [{ title: 'a' }], settings },
		);
		expect(error).toBeDefined();
		expect(harness.sandbox.recorder.calls).toHaveLength(3);
	});
});

/** A node that starts a loop: it returns the very items of its first input twice, and then ends the loop. */
const loop: INodeType = {
	description: describePlainNode('loop'),
	execute() {
		const state = this.getContext('node') as { outputs?: INodeExecutionData[][] };
		state.outputs ??= [this.getInputData(), this.getInputData()];
		return Promise.resolve([state.outputs.pop() ?? []]);
	},
};

const to = (...nodes: string[]): INodeConnections => ({
	main: [nodes.map((node) => ({ node, type: 'main', index: 0 }))],
});

test.each<[how: string, connections: IConnections]>([
	['two branches lead the same items into the node', { Start: to(NODE, 'Other'), Other: to(NODE) }],
	['one node leads the same items into two', { Start: to(NODE, 'Second') }],
	['a loop repeats the same items', { Start: to('Loop'), Loop: to(NODE), [NODE]: to('Loop') }],
])(
	'With Retry On Fail, a run never uses the results of another one, even if %s, and if these are pinned',
	async (_how, connections) => {
		const { store, reference } = harness.newAccount();
		const settings = { ...RETRY, credentials: { profilePageApi: reference } };
		const { nodes } = oneNodeWorkflow(profilePageNode(create, settings));
		const plain = (name: string, type: string) => ({ ...nodes[0]!, id: name, name, type: `n8n-nodes-base.${type}` });
		const second = profilePageNode(create, { ...settings, id: 'second', name: 'Second' });
		nodes.push(plain('Other', 'noOp'), plain('Loop', 'loop'), second);
		const input = links.slice(0, 2).map((json) => ({ json }));
		for (let execution = 0; execution < 2; execution += 1) {
			failCreates(undefined, statusFault(400), undefined, undefined, statusFault(400), undefined);
			await runWorkflow(withNodes(harness.loaded, { loop }), store, { nodes, connections }, { input });
		}
		expect(sentTitles()).toEqual(Array.from({ length: 4 }, () => ['a', 'b', 'b']).flat());
	},
);

test('With Retry On Fail and Execute Once, a creation of unknown outcome is not sent again', async () => {
	failCreates('lost');
	const { error } = await harness.runNode(create, { items: links, settings: { ...RETRY, executeOnce: true } });
	expect(error?.message).toMatch(/^It is unknown whether the link "a" was created: /);
	expect(sentTitles()).toEqual(['a']);
});

test('with Retry On Fail, a link is created once even if n8n fails after the node has returned it', async () => {
	const n8n = WorkflowExecute.prototype as unknown as { assignPairedItems: (output: unknown) => unknown };
	const original = n8n.assignPairedItems;
	let hasFailed = false;
	const spy = jest.spyOn(n8n, 'assignPairedItems').mockImplementation(function (this: unknown, ...values) {
		const isOfNode = JSON.stringify(values[0]).includes('"action":"created"');
		if (hasFailed || !isOfNode) return original.apply(this, values);
		hasFailed = true;
		throw new Error('n8n failed');
	});
	const { items } = await harness.runNode({ ...create, title: 'a' }, { settings: RETRY });
	spy.mockRestore();
	expect([hasFailed, items.length, sentTitles()]).toEqual([true, 1, ['a']]);
});

test.each([
	[{ error: null }, { service_error: null }],
	[
		{ $json: {}, $error: 'oops' },
		{ $json: {}, service_error: 'oops' },
	],
])(
	'A response with the fields of an error, %j, is returned with all its data, and not retried',
	async (data, shown) => {
		harness.sandbox.faults.add({
			path: '/me',
			fault: jsonResponse({ status: true, info: { username: '@me', ...data } }),
		});
		const { items } = await run('continueErrorOutput', GET_INFO, [{}]);
		expect(items.map(({ json }) => json)).toEqual([{ username: '@me', ...shown }]);
		expect(harness.sandbox.recorder.calls).toHaveLength(1);
	},
);
