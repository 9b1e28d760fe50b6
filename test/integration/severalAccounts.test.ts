import { statusFault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS, pageSeed } from '../support/pages';
import { useRealPauses } from '../support/pauses';

useRealPauses();
const harness = useHarness({ links: [] });

const CREATE = {
	resource: 'links',
	operation: 'create',
	title: '={{ $json.title }}',
	url: '=https://example.com/{{ $json.title }}',
};

const titles = ({ account }: Sandbox) => account.links.all.map(({ title }) => title);

describe('A node whose items have several accounts', () => {
	let other: Sandbox;
	beforeEach(async () => {
		const { clientId, clientSecret } = harness.sandbox;
		other = await harness.startSandbox({ clientId, clientSecret, links: [] });
	});

	/** Runs the node for one item of the first account, and then some of the other. */
	async function run(parameters: object, count: number, settings = {}) {
		const [first, ...others] = ['a', 'b', 'c'].slice(0, count + 1).map((title) => ({ title }));
		const items = [
			{ ...first, url: harness.sandbox.baseUrl },
			...others.map((item) => ({ ...item, url: other.baseUrl })),
		];
		return await harness.runNode({ ...parameters }, { items, credential: { baseUrl: '={{ $json.url }}' }, settings });
	}

	test('leaves out no item with Retry On Fail, if one account fails while the list of the other is waited for', async () => {
		harness.sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1, latency: 300 });
		other.faults.add({ path: '/lnk/list', fault: statusFault(503, 'busy', { 'retry-after': '3' }), times: 1 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const { items } = await run({ ...CREATE, ifExists: 'skip' }, 2, settings);
		expect(items.map(({ json }) => json.action)).toEqual(['created', 'created', 'created']);
		expect(titles(other)).toEqual(['c', 'b']);
	});

	// If the node waited for the token, this would take more than the time limit of a test.
	test('ends although the other account waits for its token, and sends nothing for it', async () => {
		harness.sandbox.faults.add({ path: '/add', fault: statusFault(400) });
		other.faults.add({ path: '/oauth/token', fault: 'hang' });
		const { error } = await run(CREATE, 1);
		expect(error?.message).toMatch(/^The link "a" was not created: .* – item 0 of 2 failed; 1 was not sent$/);
		expect(other.recorder.calls).toEqual([]);
	});
});

describe('A credential that cannot be used for an item', () => {
	const credential = { baseUrl: '={{ Date.now() > ($json.until ?? Infinity) ? "" : $json.url }}' };
	const blocks = (...pages: string[]) =>
		pages.map((page, index) => ({ page, id: `${index}`, url: index === 1 ? 'ftp://x' : harness.sandbox.baseUrl }));
	const reorder = { resource: 'blocks', operation: 'reorder', pageId: '={{ $json.page }}', blockOrder: 'inputItems' };

	test.each([
		['of the order of a page', ['P', 'P', 'P']],
		['of another page', ['P', 'Q', 'P']],
	])('is reported on that item %s', async (_what, pages) => {
		await harness.restart({ pages: [pageSeed('P', ['0', '2'])] });
		const settings = { onError: 'continueRegularOutput' } as const;
		const { items } = await harness.runNode(reorder, { items: blocks(...pages), credential, settings });
		const failed = items.filter(({ json }) => json.error);
		expect(failed).toMatchObject([
			{ json: { error: expect.stringMatching(/^Base URL: .* https:/) as unknown }, pairedItem: { item: 1 } },
		]);
	});

	test('is not blamed for an invalid option', async () => {
		const options = { timeout: -1 };
		const { error } = await harness.runNode({ ...reorder, options }, { items: blocks('P', 'P', 'Q'), credential });
		expect(error).toMatchObject({ message: expect.stringContaining('Timeout') as unknown, context: { itemIndex: 0 } });
	});

	test('keeps no other item from being sent with Retry On Fail, if that item has succeeded', async () => {
		harness.sandbox.faults.add({ path: '/add', times: 1 });
		harness.sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1 });
		const { baseUrl: url } = harness.sandbox;
		const items = ['a', 'b', 'c'].map((title) => ({ title, url, ...(title === 'a' && { until: Date.now() + 600 }) }));
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 700 };
		const { items: output } = await harness.runNode(CREATE, { items, credential, settings });
		expect(output.map(({ json }) => json.title)).toEqual(['a', 'b', 'c']);
		expect(titles(harness.sandbox)).toEqual(['c', 'b', 'a']);
	});
});

test('An item with another client secret is not sent with the token of the right one', async () => {
	const { clientSecret } = harness.sandbox;
	const items = [clientSecret, 'wrong'].map((secret) => ({ title: 'a', secret }));
	const credential = { clientSecret: '={{ $json.secret }}' };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items: output } = await harness.runNode(CREATE, { items, credential, settings });
	expect(output[1]!.json.error).toContain('No access token: the service rejected the Client ID or the Client Secret');
	expect(titles(harness.sandbox)).toEqual(['a']);
});

describe('Items of one account whose paths of lists differ', () => {
	const credential = { blocksPath: '={{ $json.path }}' };
	const items = [LIST_PATHS.blocksPath, `${LIST_PATHS.blocksPath}?x=1`].map((path, index) => ({
		path,
		title: `${index}`,
	}));
	beforeEach(() => (harness.sandbox.faults.latency = 50));

	test('follow one another on a page', async () => {
		const [first, second, ...others] = harness.sandbox.account.order(HOME);
		const rotate = { resource: 'blocks', operation: 'reorder', blockOrder: 'current', currentArrangement: 'rotate' };
		await harness.runNode({ ...rotate, pageId: HOME }, { items, credential });
		expect(harness.sandbox.account.order(HOME)).toEqual([...others, first, second]);
	});

	test('find the links that the others have created', async () => {
		const create = { ...CREATE, url: 'https://example.com/', ifExists: 'skip' };
		const { items: output } = await harness.runNode(create, { items, credential });
		expect(output.map(({ json }) => json.action)).toEqual(['created', 'skipped']);
	});
});
