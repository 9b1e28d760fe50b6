import type { INodeParameters } from 'n8n-workflow';

import { Harness } from '../support/harness';

const HOME = 'PAGE_home_65f1c0a2b3d4e';
const SHOP = 'PAGE_shop_65f1c0c7d8e9f';

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const order = (pageId: string) => harness.sandbox.account.order(pageId);

const reorder = (parameters: INodeParameters) => ({
	resource: 'blocks',
	operation: 'reorder',
	...parameters,
});

/** The fields that the service got, of each reorder. */
const forms = () =>
	harness.sandbox.recorder.calls.map(({ body }) => [...new URLSearchParams(body).entries()]);

const placements = (ids: readonly string[]) =>
	JSON.stringify(ids.map((id, position) => ({ id, position })));

describe('Define Below', () => {
	test('sends page and order as a form, and changes the page', async () => {
		const ids = order(HOME).reverse();
		await harness.runNode(reorder({ pageId: HOME, blockOrder: 'list', blockIds: ids }));
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'POST', url: '/oauth/v1/page/blocks/sort' });
		expect(call!.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(forms()).toEqual([
			[
				['page_id', HOME],
				['blocks', placements(ids)],
			],
		]);
		expect(order(HOME)).toEqual(ids);
	});

	test('is what the node does if Block Order was never touched', async () => {
		const ids = order(HOME).reverse();
		await harness.runNode(reorder({ pageId: HOME, blockIds: ids }));
		expect(order(HOME)).toEqual(ids);
	});

	test('puts out each block as the service sent it, in its order, paired with the input', async () => {
		const ids = order(HOME).reverse();
		const { items } = await harness.runNode(reorder({ pageId: HOME, blockIds: ids }));
		expect(items.map(({ json }) => json)).toEqual(harness.sandbox.account.page(HOME)!.blocks);
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map(() => ({ item: 0 })));
	});

	test('passes on what else the service sends, in the order in which it sends it', async () => {
		const blocks = [
			{ id: 'b', type: 'BLOCK_NEW', position: 1, color: 'red' },
			{ id: 'a', type: 'BLOCK_TITLE', position: 0, nested: { deep: [1] } },
		];
		harness.sandbox.faults.add({
			path: '/sort',
			fault: { status: 200, body: JSON.stringify({ status: true, data: { blocks } }) },
		});
		const { items } = await harness.runNode(reorder({ pageId: HOME, blockIds: ['a', 'b'] }));
		expect(items.map(({ json }) => json)).toEqual(blocks);
	});

	test('takes entries that are expressions', async () => {
		const ids = order(HOME).reverse();
		await harness.runNode(
			reorder({
				pageId: '={{ $json.page }}',
				blockIds: ids.map((_, index) => `={{ $json.ids[${index}] }}`),
			}),
			{ items: [{ page: HOME, ids }] },
		);
		expect(order(HOME)).toEqual(ids);
	});
});

describe('From a Value', () => {
	test.each([
		['a list of IDs', (ids: string[]) => ids],
		['a list of blocks', (ids: string[]) => ids.map((id) => ({ id, type: 'X', position: 9 }))],
		['a JSON array', (ids: string[]) => JSON.stringify(ids)],
		['a text with commas', (ids: string[]) => ids.join(', ')],
		['a text with new lines', (ids: string[]) => ids.join('\n')],
	])('takes %s from an expression', async (_what, give) => {
		const ids = order(SHOP).reverse();
		const { error } = await harness.runNode(
			reorder({ pageId: SHOP, blockOrder: 'value', blockIdsValue: '={{ $json.ids }}' }),
			{ items: [{ ids: give(ids) }] },
		);
		expect(error).toBeUndefined();
		expect(order(SHOP)).toEqual(ids);
	});

	test('takes the blocks that an earlier answer brought', async () => {
		const ids = order(SHOP).reverse();
		const blocks = ids.map((id) => ({ id }));
		await harness.runNode(
			reorder({
				pageId: SHOP,
				blockOrder: 'value',
				blockIdsValue: '={{ $json.blocks.toReversed() }}',
			}),
			{ items: [{ blocks }] },
		);
		expect(order(SHOP)).toEqual([...ids].reverse());
	});

	test('makes one request for each input item, in their order, each paired', async () => {
		const [home, shop] = [order(HOME).reverse(), order(SHOP).reverse()];
		const { items } = await harness.runNode(
			reorder({
				pageId: '={{ $json.page }}',
				blockOrder: 'value',
				blockIdsValue: '={{ $json.ids }}',
			}),
			{
				items: [
					{ page: SHOP, ids: shop },
					{ page: HOME, ids: home },
				],
			},
		);
		expect(forms().map(([page]) => page![1])).toEqual([SHOP, HOME]);
		expect(items.map(({ json }) => json.id)).toEqual([...shop, ...home]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			...shop.map(() => ({ item: 0 })),
			...home.map(() => ({ item: 1 })),
		]);
		expect(harness.sandbox.recorder.grants).toBe(1);
	});
});

describe('From Input Items', () => {
	const fromItems = (parameters: INodeParameters = {}) =>
		reorder({ pageId: '={{ $json.page }}', blockOrder: 'inputItems', ...parameters });

	test('takes each item as a block and sends one request for a page', async () => {
		const [home, shop] = [order(HOME).reverse(), order(SHOP).reverse()];
		// The items of the two pages come in turn, those of the shop page first.
		const items = shop.flatMap((id, index) => [
			{ page: SHOP, id },
			...(home[index] ? [{ page: HOME, id: home[index] }] : []),
		]);
		const outcome = await harness.runNode(fromItems(), { items });
		expect(forms()).toEqual([
			[
				['page_id', SHOP],
				['blocks', placements(shop)],
			],
			[
				['page_id', HOME],
				['blocks', placements(home)],
			],
		]);
		expect(outcome.items.map(({ json }) => json.id)).toEqual([...shop, ...home]);
	});

	test('pairs each block with the item that carried it', async () => {
		const home = order(HOME);
		const items = [home[2], home[0], home[3], home[1]].map((id) => ({ page: HOME, id: id! }));
		const outcome = await harness.runNode(fromItems(), { items });
		for (const { json, pairedItem } of outcome.items) {
			expect(items[(pairedItem as { item: number }).item]!.id).toBe(json.id);
		}
	});

	test('pairs a block that no item carried with the first item of its page', async () => {
		harness.sandbox.faults.add({
			path: '/sort',
			fault: { status: 200, body: '{"status":true,"data":{"blocks":[{"id":"b"},{"id":7}]}}' },
		});
		const items = [
			{ page: HOME, id: 'a' },
			{ page: HOME, id: 7 },
		];
		const outcome = await harness.runNode(fromItems(), { items });
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('reads the block ID from the field that is named, also inside another', async () => {
		const ids = order(HOME).reverse();
		await harness.runNode(fromItems({ blockIdField: 'block.key' }), {
			items: ids.map((key) => ({ page: HOME, block: { key } })),
		});
		expect(order(HOME)).toEqual(ids);
	});

	test.each([
		[
			'a name with a space, in quotation marks',
			"['block id']",
			(id: string) => ({ 'block id': id }),
		],
		['a name with a space', 'block id', (id: string) => ({ 'block id': id })],
		['a field inside another', 'block.id', (id: string) => ({ block: { id } })],
		[
			'a name with a space inside another field',
			"block['the id']",
			(id: string) => ({ block: { 'the id': id } }),
		],
		['an entry of a list', 'blocks[0].id', (id: string) => ({ blocks: [{ id }] })],
		['a name between white space', ' key\n', (id: string) => ({ key: id })],
		['a name from an expression', '={{ "key" }} ', (id: string) => ({ key: id })],
		['a name that is a number', '={{ 7 }}', (id: string) => ({ '7': id })],
	])('Block ID Field may be %s', async (_what, blockIdField, toItem) => {
		const ids = order(HOME).reverse();
		const { error } = await harness.runNode(fromItems({ blockIdField }), {
			items: ids.map((id) => ({ page: HOME, ...toItem(id) })),
		});
		expect(error).toBeUndefined();
		expect(order(HOME)).toEqual(ids);
	});

	test('the editor inserts a path, not an expression, when a column is dragged onto Block ID Field', () => {
		const { description } = harness.loaded.nodeTypes.getByNameAndVersion(
			'n8n-nodes-profile-page.profilePage',
			1,
		);
		const field = description.properties.find(({ name }) => name === 'blockIdField');
		expect(field).toMatchObject({ requiresDataPath: 'single' });
	});

	const ENTER_NAME = 'Enter the name of the field that holds the block ID.';

	test.each([
		['nothing', '={{ $json.missing }}', `it is empty. ${ENTER_NAME}`],
		['null', '={{ null }}', `it is empty. ${ENTER_NAME}`],
		['white space', ' ', `it is empty. ${ENTER_NAME}`],
		['a list', '={{ ["id"] }}', `it is a list, not a text. ${ENTER_NAME}`],
		['an object', '={{ $json }}', `it is an object, not a text. ${ENTER_NAME}`],
		['a boolean', '={{ true }}', `it is a boolean, not a text. ${ENTER_NAME}`],
		['a number with a fraction too long', '={{ 1/3 }}', 'it is the number 0.3333333333333333'],
	])(
		'Block ID Field refuses %s with an error that names it',
		async (_what, blockIdField, words) => {
			const { error } = await harness.runNode(fromItems({ blockIdField }), {
				items: [{ page: HOME, id: 'a' }],
			});
			harness.expectRefused(error, expect.stringContaining(`Block ID Field: ${words}`));
		},
	);

	test('a long path, block ID or page ID is shortened in a message', async () => {
		const [long, cut] = ['x'.repeat(500), `${'x'.repeat(100)}…`];
		const missing = await harness.runNode(fromItems({ blockIdField: long }), {
			items: [{ page: HOME }],
		});
		harness.expectRefused(
			missing.error,
			expect.stringContaining(`Block ID Field: item 0 has no field "${cut}".`),
		);
		const twice = await harness.runNode(fromItems(), {
			items: [
				{ page: long, id: long },
				{ page: long, id: long },
			],
		});
		expect(twice.error!.message).toContain(
			`Block ID Field: block "${cut}" comes twice for page "${cut}", with items 0 and 1.`,
		);
	});

	test('lets a bad item fail its own page only, with an error item paired with the bad one', async () => {
		const [home, shop] = [order(HOME).reverse(), order(SHOP).reverse()];
		const items = [
			...home.map((id) => ({ page: HOME, id })),
			{ page: HOME, id: '' },
			{ page: '', id: 'x' },
			...shop.map((id) => ({ page: SHOP, id })),
		];
		const outcome = await harness.runNode(fromItems(), {
			items,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(outcome.items.slice(0, 2)).toEqual([
			{
				json: { error: expect.stringContaining('"id" of item 4 is empty') as string },
				pairedItem: { item: 4 },
			},
			{
				json: { error: 'Page ID: it is empty. Enter the ID of the page.' },
				pairedItem: { item: 5 },
			},
		]);
		expect(outcome.items.slice(2).map(({ json }) => json.id)).toEqual(shop);
		expect(order(HOME)).not.toEqual(home);
	});
});

test.each([
	['blocks', '__CUSTOM_API_CALL__'],
	['__CUSTOM_API_CALL__', undefined],
	['me', 'reorder'],
])('the resource %p with the operation %p is told where to go', async (resource, operation) => {
	const { error } = await harness.runNode({ resource, ...(operation && { operation }) });
	expect(error!.message).toContain('use the HTTP Request node with the credential of this node');
	expect(harness.sandbox.recorder.requests).toEqual([]);
});

describe('bad input stops the node before anything is sent', () => {
	test.each([
		['an empty page ID', { pageId: ' ', blockIds: ['a'] }, 'Page ID: it is empty.'],
		[
			'a page ID that is no text',
			{ pageId: '={{ [1] }}', blockIds: ['a'] },
			'Page ID: it is a list',
		],
		['an empty order', { pageId: HOME, blockIds: [] }, 'Block IDs: there is none.'],
		['an order never filled in', { pageId: HOME }, 'Block IDs: there is none.'],
		['an ID given twice', { pageId: HOME, blockIds: ['a', 'b', 'a'] }, 'block "a" is listed twice'],
		['an empty ID', { pageId: HOME, blockIds: ['a', ''] }, 'entry 2 is empty.'],
		[
			'an ID that is no text',
			{ pageId: HOME, blockIds: ['={{ true }}'] },
			'is a boolean, not a text',
		],
		[
			'a list inside a list, in From a Value',
			{ pageId: HOME, blockOrder: 'value', blockIdsValue: '[["a", "b"]]' },
			'Block IDs: entry 1 is a list of its own. Give one flat list of block IDs; in an expression, .flat() makes one of nested lists.',
		],
		[
			'a list as an entry of Define Below',
			{ pageId: HOME, blockIds: ['={{ ["a", "b"] }}'] },
			'Block IDs: entry 1 is a list of its own. Set Block Order to From a Value, and give the one list there.',
		],
		[
			'a long ID twice, which is shortened',
			{ pageId: HOME, blockIds: ['x'.repeat(500), 'x'.repeat(500)] },
			`block "${'x'.repeat(100)}…" is listed twice`,
		],
		[
			'broken JSON',
			{ pageId: HOME, blockOrder: 'value', blockIdsValue: '["a"' },
			'begins like JSON',
		],
		[
			'objects made text',
			{ pageId: HOME, blockOrder: 'value', blockIdsValue: '= {{ [{}] }}' },
			'begins like JSON',
		],
		[
			'a broken expression',
			{ pageId: '={{ $json.a.b.c }}', blockIds: ['a'] },
			'Page ID: it is empty.',
		],
	])('%s', async (_what, parameters, message) => {
		const { error } = await harness.runNode(reorder(parameters));
		harness.expectRefused(error, expect.stringContaining(message));
	});

	test('in a later item, which the error names', async () => {
		const { error, items } = await harness.runNode(
			reorder({ pageId: '={{ $json.page }}', blockIds: order(HOME) }),
			{ items: [{ page: HOME }, { page: '' }] },
		);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(items).toEqual([]);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test('with the IDs named even if n8n knows a word in them', async () => {
		const { error } = await harness.runNode(
			reorder({ pageId: HOME, blockIds: ['preexisting', 'preexisting'] }),
		);
		expect(error!.message).toContain('block "preexisting" is listed twice');
	});
});

describe('with Continue on Fail', () => {
	const parameters = reorder({
		pageId: '={{ $json.page }}',
		blockOrder: 'value',
		blockIdsValue: '={{ $json.ids }}',
	});

	const items = () => [
		{ page: HOME, ids: order(HOME).slice(1) },
		{ page: SHOP, ids: order(SHOP).reverse() },
		{ page: SHOP, ids: [] },
	];

	const errors = [
		{
			json: {
				error: `The blocks of page "${HOME}" were not reordered: the service refused the request (HTTP 400). List every block that is on the page now, each exactly once, and check the Page ID. The service said: "Block 65f1c0a2b3d4e1.10481516 is missing."`,
			},
			pairedItem: { item: 0 },
		},
		{
			json: {
				error: 'Block IDs: there is none. List every block of the page, the top one first.',
			},
			pairedItem: { item: 2 },
		},
	];

	test('each request that fails gives one error item, in its place', async () => {
		const shop = order(SHOP).reverse();
		const outcome = await harness.runNode(parameters, {
			items: items(),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(outcome.error).toBeUndefined();
		expect(outcome.items[0]).toEqual(errors[0]);
		expect(outcome.items.slice(1, 8).map(({ json }) => json.id)).toEqual(shop);
		expect(outcome.items[8]).toEqual(errors[1]);
		expect(outcome.items).toHaveLength(9);
	});

	test('the error output gets those items, with the fields of their input', async () => {
		const input = items();
		const outcome = await harness.runNode(parameters, {
			items: input,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outcome.items).toHaveLength(7);
		expect(outcome.errorItems).toEqual([
			{ ...errors[0], json: { ...input[0], ...errors[0]!.json } },
			{ ...errors[1], json: { ...input[2], ...errors[1]!.json } },
		]);
	});
});
