import type { INodeParameters } from 'n8n-workflow';

import { useHarness } from '../support/harness';
import { HOME, SHOP } from '../support/pages';
import { REORDER_EACH_ITEM } from '../support/parameters';

const harness = useHarness();

const order = (pageId: string) => harness.sandbox.account.order(pageId);

const reorder = (parameters: INodeParameters) => ({
	resource: 'blocks',
	operation: 'reorder',
	...parameters,
});

/** The form fields of each request, in order. */
const forms = () => harness.sandbox.recorder.calls.map(({ body }) => [...new URLSearchParams(body).entries()]);

const placements = (ids: readonly string[]) => JSON.stringify(ids.map((id, position) => ({ id, position })));

describe('Reorder Blocks with Block IDs Below', () => {
	test('sends the page and the blocks with positions from 0 in a form', async () => {
		const ids = order(HOME).reverse();
		await harness.runNode(reorder({ pageId: HOME, blockIds: ids }));
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

	test('returns each block as the service sent it, with the ID of the page last, in that order, paired with the input item', async () => {
		const ids = order(HOME).reverse();
		const { items } = await harness.runNode(reorder({ pageId: HOME, blockIds: ids }));
		const { blocks } = harness.sandbox.account.page(HOME)!;
		expect(items.map(({ json }) => json)).toEqual(blocks.map((block) => ({ ...block, page_id: HOME })));
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map(() => ({ item: 0 })));
	});
});

describe('Reorder Blocks with Block IDs From a Value', () => {
	test.each([
		['a list of blocks', (ids: string[]) => ids.map((id) => ({ id, type: 'X', position: 9 }))],
		['a column of a spreadsheet', (ids: string[]) => [...ids, ''].join('\r\n')],
	])('accepts %s from an expression', async (_name, give) => {
		const ids = order(SHOP).reverse();
		const { error } = await harness.runNode(reorder({ pageId: SHOP, blockIds: '={{ $json.ids }}' }), {
			items: [{ ids: give(ids) }],
		});
		expect(error).toBeUndefined();
		expect(order(SHOP)).toEqual(ids);
	});

	test('sends one request for each input item, in their order, and pairs the blocks with it', async () => {
		const [home, shop] = [order(HOME).reverse(), order(SHOP).reverse()];
		const { items } = await harness.runNode(REORDER_EACH_ITEM, {
			items: [
				{ page: SHOP, ids: shop },
				{ page: HOME, ids: home },
			],
		});
		expect(forms().map(([page]) => page![1])).toEqual([SHOP, HOME]);
		expect(items.map(({ json }) => json.id)).toEqual([...shop, ...home]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			...shop.map(() => ({ item: 0 })),
			...home.map(() => ({ item: 1 })),
		]);
		expect(harness.sandbox.recorder.grants).toBe(1);
	});
});

describe('Reorder Blocks with From Input Items', () => {
	const fromItems = (parameters: INodeParameters = {}) =>
		reorder({ pageId: '={{ $json.page }}', blockOrder: 'inputItems', ...parameters });

	test('treats each item as a block, and sends one request for each page, whose blocks are paired with their items', async () => {
		const [home, shop] = [order(HOME).reverse(), order(SHOP).reverse()];
		// The items of the two pages alternate, beginning with the shop page.
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
		for (const { json, pairedItem } of outcome.items) {
			expect(items[(pairedItem as { item: number }).item]!.id).toBe(json.id);
		}
	});

	test('pairs a block without an item with the first item of its page', async () => {
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

	test.each([
		['a path into a list', 'blocks[0].id', (id: string) => ({ blocks: [{ id }] })],
		['a name with a dot', 'block.id', (id: string) => ({ 'block.id': id, block: { id: 'x' } })],
		['a name from an expression', '={{ "key" }} ', (id: string) => ({ key: id })],
	])('accepts %s as Block ID Field', async (_name, blockIdField, toItem) => {
		const ids = order(HOME).reverse();
		const { error } = await harness.runNode(fromItems({ blockIdField }), {
			items: ids.map((id) => ({ page: HOME, ...toItem(id) })),
		});
		expect(error).toBeUndefined();
		expect(order(HOME)).toEqual(ids);
	});

	test('makes the editor insert a path instead of an expression when a column is dragged onto Block ID Field', () => {
		const { description } = harness.loaded.nodeTypes.getByNameAndVersion('n8n-nodes-profile-page.profilePage', 1);
		const field = description.properties.find(({ name }) => name === 'blockIdField');
		expect(field).toMatchObject({ requiresDataPath: 'single' });
	});

	test('rejects an empty Block ID Field', async () => {
		const { error } = await harness.runNode(fromItems({ blockIdField: ' ' }), { items: [{ page: HOME, id: 'a' }] });
		const advice = 'Enter the name of the field that contains the block ID.';
		harness.expectRefused(error, 'Block ID Field: the value is empty', advice);
	});

	test('shortens a long path, block ID or page ID in a message', async () => {
		const [long, cut] = ['x'.repeat(500), `${'x'.repeat(100)}…`];
		const missing = await harness.runNode(fromItems({ blockIdField: long }), {
			items: [{ page: HOME }],
		});
		harness.expectRefused(
			missing.error,
			`Block ID Field: item 0 has no field "${cut}"`,
			'Enter the name of the field that contains the block ID, such as id, not the ID itself.',
		);
		const twice = await harness.runNode(fromItems(), {
			items: [
				{ page: long, id: long },
				{ page: long, id: long },
			],
		});
		expect(twice.error).toMatchObject({
			message: `Block ID Field: block "${cut}" occurs twice on its page, in items 0 and 1`,
			description: 'Include each block of a page in one input item.',
		});
	});

	test('rejects only the page of an invalid item, with an error item paired with the invalid one', async () => {
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
				json: {
					error: 'Block ID Field: "id" of item 4 is empty. Every input item needs a block ID.',
				},
				pairedItem: { item: 4 },
			},
			{
				json: { error: 'Page: the value is empty. Choose a page, or enter its name or its ID.' },
				pairedItem: { item: 5 },
			},
		]);
		expect(outcome.items.slice(2).map(({ json }) => json.id)).toEqual(shop);
		expect(order(HOME)).not.toEqual(home);
	});
});

test.each([
	['blocks', '__CUSTOM_API_CALL__', 'Operation: "__CUSTOM_API_CALL__" is not supported for the resource "blocks"'],
	['me', 'reorder', 'Operation: "reorder" is not supported for the resource "me"'],
	['me', ['getInfo'], 'Operation: "" is not supported for the resource "me"'],
	// n8n 2.40 returns the expression instead of undefined.
	[
		'me',
		'={{ $json.missing }}',
		expect.stringMatching(/^Operation: "({{.+}})?" is not supported for the resource "me"$/) as string,
	],
])(
	'the error for the resource %p with the operation %p recommends API: Send Request',
	async (resource, operation, message) => {
		const { error } = await harness.runNode({ resource, ...(operation && { operation }) });
		expect(error).toMatchObject({
			message,
			description:
				'Choose one from the list. To call another endpoint of the service, set Resource to API and Operation to Send Request.',
		});
		expect(harness.sandbox.recorder.requests).toEqual([]);
	},
);

describe('Reorder Blocks rejects before anything is sent', () => {
	const LIST_BLOCKS = 'List every block on the page, from top to bottom, or use the operation Move Blocks.';
	const ENTER_PAGE = 'Choose a page, or enter its name or its ID.';
	const ENTER_ID =
		'Enter the ID of a block, without other text, or remove the entry. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.';
	const NO_ID = 'An ID contains no spaces, commas, or quotation marks. Every input item needs a block ID.';

	test.each([
		['an empty page ID', { pageId: ' ', blockIds: ['a'] }, 'Page: the value is empty', ENTER_PAGE],
		['an empty list of block IDs', { pageId: HOME, blockIds: [] }, 'Block IDs: the list is empty', LIST_BLOCKS],
		[
			'an input item whose ID contains a space',
			{ pageId: HOME, blockOrder: 'inputItems', blockIdField: 'block' },
			'Block ID Field: "block" of item 0 is not an ID: "a b"',
			NO_ID,
		],
		['an empty block ID', { pageId: HOME, blockIds: ['a', ''] }, 'Block IDs: entry 2 is empty', ENTER_ID],
	])('%s', async (_name, parameters, message, advice) => {
		const { error } = await harness.runNode(reorder(parameters), { items: [{ block: 'a b' }] });
		harness.expectRefused(error, message, advice);
	});
});

test('Reorder Blocks ignores the arrangement of a workflow that another version has saved, and shows no hint', async () => {
	const ids = order(HOME).reverse();
	const { hints } = await harness.runNode(reorder({ pageId: HOME, blockIds: ids, arrangement: 'rotate' }));
	expect(order(HOME)).toEqual(ids);
	expect(hints).toEqual([]);
});

test('Reorder Blocks points out From Input Items if each item has a single block', async () => {
	const items = order(HOME).map((id) => ({ id }));
	const { error } = await harness.runNode(reorder({ pageId: HOME, blockIds: '={{ $json.id }}' }), { items });
	expect(error!.description).toContain(
		'List every block on the page, each exactly once, and check the Page. Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.',
	);
});

describe('Reorder Blocks with Continue on Fail', () => {
	const items = () => [
		{ page: HOME, ids: order(HOME).slice(1) },
		{ page: SHOP, ids: order(SHOP).reverse() },
		{ page: SHOP, ids: [] },
	];

	const errors = [
		{
			json: {
				error: `The blocks of page "${HOME}" were not reordered: the service rejected the request (400). List every block on the page, each exactly once, and check the Page. The service said: "Block 65f1c0a2b3d4e1.10481516 is missing."`,
			},
			pairedItem: { item: 0 },
		},
		{
			json: {
				error:
					'Block IDs: the list is empty. List every block on the page, from top to bottom, or use the operation Move Blocks.',
			},
			pairedItem: { item: 2 },
		},
	];

	test('sends the error items to the error output, with the fields of their input items', async () => {
		const input = items();
		const outcome = await harness.runNode(REORDER_EACH_ITEM, {
			items: input,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outcome.items).toHaveLength(order(SHOP).length);
		expect(outcome.errorItems).toEqual([
			{ ...errors[0], json: { ...input[0], ...errors[0]!.json } },
			{ ...errors[1], json: { ...input[2], ...errors[1]!.json } },
		]);
	});
});
