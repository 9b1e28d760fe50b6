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

describe('Reorder Blocks with Block IDs', () => {
	test('sends the page and the blocks with positions from 0 in a form, and returns each block as the service sent it', async () => {
		const ids = order(HOME).reverse();
		const { items } = await harness.runNode(reorder({ pageId: HOME, blockIds: ids.join('\n') }));
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'POST', url: '/oauth/v1/page/blocks/sort' });
		expect(call!.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(forms()).toEqual([
			[
				['page_id', HOME],
				['blocks', placements(ids)],
			],
		]);
		const { blocks } = harness.sandbox.account.page(HOME)!;
		expect(items).toEqual(blocks.map((block) => ({ json: { ...block, page_id: HOME }, pairedItem: { item: 0 } })));
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});

	test.each<[string, (ids: string[]) => unknown]>([
		['a list of IDs', (ids) => ids],
		['a list of blocks, as Get Many returns them', (ids) => ids.map((id) => ({ id, type: 'X', position: 9 }))],
		['a JSON array, as AI models write it', (ids) => JSON.stringify(ids)],
		['a column of a spreadsheet', (ids) => [...ids, ''].join('\r\n')],
		['IDs between commas', (ids) => ids.join(', ')],
	])('accepts %s from an expression', async (_name, give) => {
		const ids = order(SHOP).reverse();
		const items = [{ page: SHOP, ids: give(ids) as string[] }];
		const { error } = await harness.runNode(REORDER_EACH_ITEM, { items });
		expect(error).toBeUndefined();
		expect(order(SHOP)).toEqual(ids);
	});

	test('accepts lines that each contain an expression', async () => {
		const ids = order(HOME).reverse();
		const blockIds = `=${ids.map((_, index) => `{{ $json.ids[${index}] }}`).join('\n')}`;
		await harness.runNode(reorder({ pageId: HOME, blockIds }), { items: [{ ids }] });
		expect(order(HOME)).toEqual(ids);
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
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			...shop.map((id) => [id, { item: 0 }]),
			...home.map((id) => [id, { item: 1 }]),
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

	test('accepts another field of the items as Block ID', async () => {
		const ids = order(HOME).reverse();
		const items = ids.map((id) => ({ page: HOME, id: 'x', block: { id } }));
		const { error } = await harness.runNode(fromItems({ blockId: '={{ $json.block.id }}' }), { items });
		expect(error).toBeUndefined();
		expect(order(HOME)).toEqual(ids);
	});

	test('refuses a block that occurs twice, whose ID the message shortens', async () => {
		const long = 'x'.repeat(500);
		const item = { page: long, id: long };
		const { error } = await harness.runNode(fromItems(), { items: [item, item] });
		const problem = `Block ID: block "${'x'.repeat(100)}…" is listed twice, in items 0 and 1`;
		harness.expectRefused(error, problem, 'List each block once.');
	});

	test('rejects only the page of an invalid item, with an error item paired with the invalid one', async () => {
		const [home, shop] = [order(HOME).reverse(), order(SHOP).reverse()];
		const items = [
			...home.map((id) => ({ page: HOME, id })),
			{ page: HOME, id: '' },
			{ page: '', id: 'x' },
			...shop.map((id) => ({ page: SHOP, id })),
		];
		const outcome = await harness.runNode(fromItems(), { items, settings: { onError: 'continueRegularOutput' } });
		expect(outcome.items.slice(0, 2)).toEqual([
			{ json: { error: 'Block ID: the value is empty. Every input item needs a block ID.' }, pairedItem: { item: 4 } },
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
	test.each([
		[
			'an empty page ID',
			{ pageId: ' ', blockIds: 'a' },
			'Page: the value is empty',
			'Choose a page, or enter its name or its ID.',
		],
		[
			'an empty list of block IDs',
			{ pageId: HOME, blockIds: ' ' },
			'Block IDs: the list is empty',
			'List every block on the page, from top to bottom, or use the operation Move Blocks.',
		],
		[
			'a name of a block',
			{ pageId: HOME, blockIds: 'a\nTour dates' },
			'Block IDs: entry 2 is not an ID: "Tour dates"',
			'An ID contains no spaces, commas, or quotation marks. Enter IDs of blocks without other text, one on each line. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.',
		],
		[
			'a block that is listed twice',
			{ pageId: HOME, blockIds: 'a,b,a' },
			'Block IDs: block "a" is listed twice',
			'List each block once.',
		],
		[
			'an input item whose ID contains a space',
			{ pageId: HOME, blockOrder: 'inputItems', blockId: '={{ $json.block }}' },
			'Block ID: the value is not an ID: "a b"',
			'An ID contains no spaces, commas, or quotation marks. Every input item needs a block ID.',
		],
	])('%s', async (_name, parameters, message, advice) => {
		const { error } = await harness.runNode(reorder(parameters), { items: [{ block: 'a b' }] });
		harness.expectRefused(error, message, advice);
	});
});

describe('What the service rejects', () => {
	const CHECK =
		'List every block on the page, each exactly once, and check the Page: to enter its name, set Page to Name.';

	test.each([
		[
			'a single block of each item',
			{ blockIds: '={{ $json.id }}' },
			'Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.',
		],
		['items of several pages', { blockOrder: 'inputItems' }, 'Items form one order only if they have the same page.'],
	])('has advice for %s, and for the name of a page in place of its ID', async (_what, fields, advice) => {
		const items = order(HOME).map((id) => ({ id }));
		const pageId = { __rl: true, mode: 'id', value: 'Home' };
		const { error } = await harness.runNode(reorder({ pageId, ...fields }), { items });
		expect(error!.description).toContain(`${CHECK} ${advice} The service said:`);
	});

	test('goes to the error output, with the fields of its input item, while the other items are sent', async () => {
		const items = [
			{ page: HOME, ids: order(HOME).slice(1) },
			{ page: SHOP, ids: order(SHOP).reverse() },
			{ page: SHOP, ids: [] },
		];
		const outcome = await harness.runNode(REORDER_EACH_ITEM, { items, settings: { onError: 'continueErrorOutput' } });
		expect(outcome.items).toHaveLength(order(SHOP).length);
		const errors = [
			`The blocks of page "${HOME}" were not reordered: the service rejected the request (400). ${CHECK} The service said: "Block 65f1c0a2b3d4e1.10481516 is missing."`,
			'Block IDs: the list is empty. List every block on the page, from top to bottom, or use the operation Move Blocks.',
		];
		expect(outcome.errorItems).toEqual([
			{ json: { ...items[0], error: errors[0] }, pairedItem: { item: 0 } },
			{ json: { ...items[2], error: errors[1] }, pairedItem: { item: 2 } },
		]);
	});
});
