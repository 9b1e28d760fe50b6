import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { jsonResponse, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS, SHOP } from '../support/pages';

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

describe('Blocks to Move', () => {
	test.each<[string, unknown]>([
		['an expression', 'Tour dates'],
		['a list of an ID and a name', ['tour DATES']],
		['what a model writes', 'Tour dates\n'],
		['a spreadsheet that writes it another way', ' ＴＯＵＲ dates'],
	])('takes a name from %s, and costs no request more than an ID', async (_what, value) => {
		await run(moving(), [{ page: HOME, blocks: value as string }]);
		expect(titles(HOME)).toEqual(['Tour dates', 'New single', 'Follow the band', 'Listen on']);
		expect(calls()).toEqual(['pages', 'blocks', 'sort']);
	});

	test('that share a name are refused with their positions and IDs, and nothing is sent', async () => {
		const data = ['a', 'b', 'c'].map((id) => ({ id, title: id === 'b' ? 'Posters' : 'Vinyl' }));
		harness.sandbox.faults.add({ path: '/blocks', fault: jsonResponse({ status: true, data }) });
		const { error } = await run(moving(), [{ page: HOME, blocks: 'Vinyl' }]);
		expect(error).toMatchObject({
			message: `Blocks to Move: 2 blocks of page "${HOME}" are called "Vinyl": "a" ("Vinyl", position 0), "c" ("Vinyl", position 2)`,
			description: 'Enter one of these IDs in place of the name.',
		});
		expect(calls()).toEqual(['pages', 'blocks']);
	});
});

describe('A page by name', () => {
	const reorder = (parameters: INodeParameters = {}) => blocks('reorder', { blockOrder: 'inputItems', ...parameters });

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

	test('groups the input items that have it', async () => {
		const ids = order(HOME).toReversed();
		const items = ids.map((id) => ({ id, page: 'Home' }));
		const { items: output } = await run(reorder(), items);
		expect(order(HOME)).toEqual(ids);
		expect(output).toHaveLength(ids.length);
		expect(calls()).toEqual(['pages', 'sort']);
	});

	test('is one page, whatever items call it', async () => {
		const reversed = order(HOME).toReversed();
		const { error } = await run(
			reorder(),
			reversed.map((id, index) => ({ id, page: index % 2 ? 'Home' : 'home' })),
		);
		expect(error).toBeUndefined();
		expect(order(HOME)).toEqual(reversed);
	});

	test('is read for Get Many', async () => {
		const { items } = await run(blocks('getAll', {}), [{ page: 'Shop' }]);
		expect(items.map(({ json }) => json.id)).toEqual(order(SHOP));
	});

	test.each(['id', 'list'])('costs no request if it is an ID (mode %s)', async (mode) => {
		await run(moving({ pageId: { __rl: true, mode, value: HOME } }), [{ blocks: 'Tour dates' }]);
		expect(calls()).toEqual(['blocks', 'sort']);
	});

	test('that is unknown says which pages there are, and nothing else is sent', async () => {
		const { error } = await run(moving(), [{ page: 'Hom', blocks: 'Vinyl' }]);
		expect(error).toMatchObject({
			message: 'Page: no page of the profile is called "Hom". It has: "Home", "Shop"',
		});
		expect(calls()).toEqual(['pages']);
	});

	test('fails only its own items if they continue', async () => {
		const items = [
			{ page: 'Hom', blocks: 'Tour dates' },
			{ page: HOME, blocks: 'Tour dates' },
			{ page: null, blocks: 'Tour dates' },
		];
		const { items: output } = await run(moving(), items, { onError: 'continueRegularOutput' });
		const errors = output.flatMap(({ json }) => (json.error as string | undefined) ?? []);
		expect(errors).toEqual([
			'Page: no page of the profile is called "Hom". It has: "Home", "Shop". Use one of these names.',
			expect.stringContaining('Page: the expression returns no value'),
		]);
		expect(titles(HOME)[0]).toBe('Tour dates');
	});

	test('is not looked up if the list cannot be read, and the message says why', async () => {
		harness.sandbox.faults.add({ path: '/pages', fault: statusFault(403) });
		const items = [{ page: 'Home', blocks: 'Tour dates' }];
		const { error } = await run(moving(), items);
		expect(error!.message).toMatch(/^The list of pages was not read: the service denied access/);
		const before = titles(HOME);
		const pages = [HOME, 'Home', 'Shop'].map((page) => ({ page, blocks: 'Tour dates' }));
		const continued = await run(moving(), pages, { onError: 'continueRegularOutput' });
		expect(continued.items.map(({ json }) => json.error).filter(Boolean)).toHaveLength(3);
		expect(titles(HOME)).toEqual(before);
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
	const hintsOf = async (parameters: INodeParameters) => {
		const { hints } = await run({ ...parameters, pageId: HOME }, [{}]);
		return hints.map(({ message }) => message).filter((message) => !message.startsWith('This is a preview'));
	};

	test.each<[string, INodeParameters]>([
		['a move', { blocksToMove: ['New single'] }],
		['a rotation', { arrangement: 'rotate', rotateBy: 4 }],
		['a rotation of no blocks', { arrangement: 'rotate', blocksToKeep: '={{ $json.all }}' }],
	])('says that %s changed nothing', async (_what, parameters) => {
		const all = order(HOME);
		const { hints } = await run({ ...blocks('move', parameters), pageId: HOME }, [{ all }]);
		expect(hints.map(({ message }) => message)).toEqual([`The order of page "${HOME}" did not change.`]);
	});

	test('says which block would be on top in a preview', async () => {
		expect(await hintsOf(blocks('move', { arrangement: 'rotate', preview: true }))).toEqual([
			`On top of page "${HOME}": "Follow the band".`,
		]);
	});
});
