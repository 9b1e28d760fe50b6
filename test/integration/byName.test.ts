import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { jsonResponse, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS, SHOP } from '../support/pages';
import { waitUntil } from '../support/waitUntil';

const harness = useHarness();

const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const order = (pageId: string) => harness.sandbox.account.order(pageId);
const titles = (pageId: string) => {
	const { blockTitles } = harness.sandbox.account.page(pageId)!;
	return order(pageId).map((id) => blockTitles.get(id));
};

const blocks = (operation: string, parameters: INodeParameters): INodeParameters => ({
	resource: 'blocks',
	operation,
	pageId: byName('={{ $json.page }}'),
	...parameters,
});
const moving = (parameters: INodeParameters = {}) =>
	blocks('move', { blocksToMove: '={{ $json.blocks }}', ...parameters });

const run = async (parameters: INodeParameters, items: IDataObject[], settings: Partial<INode> = {}) =>
	await harness.runNode(parameters, { items, settings, credential: LIST_PATHS });

/** The lists that were read, and the orders that were sent. */
const calls = () => harness.sandbox.recorder.calls.map(({ url }) => url.replace(/\?.*/, '').replace(/.*\//, ''));

test.each<[string, unknown]>([
	['an expression', 'Tour dates'],
	['a list', ['tour DATES']],
	['what a model writes', 'Tour dates\n'],
	['a spreadsheet that writes it another way', ' ＴＯＵＲ dates'],
])('Blocks to Move takes a name from %s, and costs no request more than an ID', async (_what, value) => {
	await run(moving(), [{ page: HOME, blocks: value as string }]);
	expect(titles(HOME)).toEqual(['Tour dates', 'New single', 'Follow the band', 'Listen on']);
	expect(calls()).toEqual(['pages', 'blocks', 'sort']);
});

test('Blocks that share a name, also behind entities of HTML, are refused with their positions and IDs', async () => {
	const data = ['Don&#039;t', 'Posters', 'Don’t'].map((title, id) => ({ id: `b${id}`, title }));
	harness.sandbox.faults.add({ path: '/blocks', fault: jsonResponse({ status: true, data }) });
	const { error } = await run(moving(), [{ page: HOME, blocks: 'don´t' }]);
	expect(error).toMatchObject({
		message: `Blocks to Move: 2 blocks of page "${HOME}" are called "don´t": "b0" ("Don't", position 0), "b2" ("Don’t", position 2)`,
		description: 'Enter one of these IDs in place of the name.',
	});
	expect(calls()).toEqual(['pages', 'blocks']);
});

describe('A page by name', () => {
	test('is looked up once a run, for all items', async () => {
		const items = [
			{ page: 'Home', blocks: 'Tour dates' },
			{ page: 'shop', blocks: 'Gift cards' },
			{ page: 'Home', blocks: 'Listen on' },
		];
		const { hints } = await run(moving({ options: { batchSize: 1 } }), items);
		expect([...titles(HOME).slice(0, 2), titles(SHOP)[0]]).toEqual(['Tour dates', 'Listen on', 'Gift cards']);
		expect(calls()).toEqual(['pages', 'blocks', 'sort', 'blocks', 'sort']);
		expect(hints.map(({ message }) => message)).toContain('On top of page "shop": "Gift cards".');
	});

	test('groups the input items that have it, whatever they call it', async () => {
		const ids = order(HOME).toReversed();
		const { items } = await run(
			blocks('reorder', { blockOrder: 'inputItems' }),
			ids.map((id, index) => ({ id, page: index % 2 ? 'Home' : 'home' })),
		);
		expect(order(HOME)).toEqual(ids);
		expect(items).toHaveLength(ids.length);
		expect(calls()).toEqual(['pages', 'sort']);
	});

	test.each(['id', 'list'])('costs no request if it is an ID (mode %s)', async (mode) => {
		await run(moving({ pageId: { __rl: true, mode, value: HOME } }), [{ blocks: 'Tour dates' }]);
		expect(calls()).toEqual(['blocks', 'sort']);
	});

	test('that is unknown fails only its own items if they continue, and says which pages there are', async () => {
		const items = [
			{ page: 'Hom', blocks: 'Tour dates' },
			{ page: HOME, blocks: 'Tour dates' },
			{ page: null, blocks: 'Tour dates' },
		];
		const { items: output } = await run(moving(), items, { onError: 'continueRegularOutput' });
		expect(calls()).toEqual(['pages', 'blocks', 'sort']);
		const errors = output.flatMap(({ json }) => (json.error as string | undefined) ?? []);
		expect(errors).toEqual([
			'Page: no page of the profile is called "Hom". It has: "Home", "Shop". Use one of these names.',
			expect.stringContaining('Page: the expression returns no value'),
		]);
		expect(titles(HOME)[0]).toBe('Tour dates');
	});

	test('of which a cancellation ends the look-up leaves all items unprocessed', async () => {
		harness.sandbox.faults.add({ path: '/pages', fault: 'hang' });
		const controller = new AbortController();
		const options = { items: [{ page: 'Home' }, { page: 'Shop' }], credential: LIST_PATHS, signal: controller.signal };
		const running = harness.runNode(moving({ blocksToMove: 'Tour dates' }), options);
		await waitUntil(() => calls().length === 1);
		controller.abort();
		expect((await running).error!.message).toBe(
			'The execution was canceled – 0 of 2 items succeeded; 2 were not processed',
		);
	});

	test('is not looked up if the list cannot be read, and the message says why', async () => {
		harness.sandbox.faults.add({ path: '/pages', fault: statusFault(403) });
		const items = [{ page: 'Home', blocks: 'Tour dates' }];
		const { error } = await run(moving(), items);
		expect(error!.message).toMatch(/^The list of pages was not read: the service denied access/);
		const pages = [HOME, 'Home', 'Shop'].map((page) => ({ page, blocks: 'Tour dates' }));
		const continued = await run(moving(), pages, { onError: 'continueRegularOutput' });
		expect(continued.items.map(({ json }) => json.error).filter(Boolean)).toHaveLength(3);
		expect(calls()).toEqual(['pages', 'pages']);
		harness.sandbox.recorder.reset();
		const without = await harness.runNode(moving(), { items });
		expect(without.error!.message).toBe('Pages Path: the credential does not contain it');
		expect(calls()).toEqual([]);
	});

	test('is looked up by each try', async () => {
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const options = { options: { maxRetries: 0 } };
		harness.sandbox.faults.add({ path: '/pages', fault: statusFault(503), times: 1 });
		harness.sandbox.faults.add({ path: '/sort', fault: statusFault(400), times: 1 });
		await run(moving(options), [{ page: 'Home', blocks: 'Tour dates' }], retry);
		expect(titles(HOME)[0]).toBe('Tour dates');
		expect(calls()).toEqual(['pages', 'pages', 'blocks', 'sort', 'pages', 'blocks', 'sort']);
	});

	test('shows its blocks in the editor', async () => {
		const load = async (pageId: INodeParameters | string) =>
			await harness.loadList('blocks', undefined, {
				credential: LIST_PATHS,
				settings: { parameters: { resource: 'blocks', operation: 'move', pageId } },
			});
		expect((await load(byName('home'))).map(({ value }) => value)).toEqual(order(HOME));
		await expect(load(byName('Hom'))).rejects.toThrow(
			'Page: no page of the profile is called "Hom". It has: "Home", "Shop". Use one of these names.',
		);
		harness.sandbox.recorder.reset();
		await load({ __rl: true, mode: 'id', value: HOME });
		expect(calls()).toEqual(['blocks']);
	});
});

describe('The hint of Move Blocks', () => {
	test.each<[string, INodeParameters, string]>([
		['a move that changed nothing', { blocksToMove: ['New single'] }, 'The order of PAGE did not change.'],
		['a whole turn', { arrangement: 'rotate', rotateBy: 4 }, 'The order of PAGE did not change.'],
		[
			'a rotation of no blocks',
			{ arrangement: 'rotate', blocksToKeep: '={{ $json.all }}' },
			'The order of PAGE did not change.',
		],
		['a preview', { arrangement: 'rotate', preview: true }, 'On top of PAGE: "Follow the band".'],
	])('says what became of %s', async (_what, parameters, message) => {
		const { hints } = await run({ ...blocks('move', parameters), pageId: HOME }, [{ all: order(HOME) }]);
		expect(hints.at(-1)!.message).toBe(message.replace('PAGE', `page "${HOME}"`));
	});
});
