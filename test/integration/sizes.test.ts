import { Harness } from '../support/harness';

const blockIds = (count: number) => Array.from({ length: count }, (_, index) => `block.${index}`);

const seed = (id: string, blocks: number) => ({
	id,
	blocks: blockIds(blocks).map((blockId) => ({ id: blockId, type: 'BLOCK_TITLE' })),
});

test('5,000 pages in one execution, with one grant', async () => {
	const pages = Array.from({ length: 5000 }, (_, index) => seed(`PAGE_${index}`, 2));
	const harness = await Harness.open({ pages });
	const { error, items } = await harness.runNode(
		{
			resource: 'blocks',
			operation: 'reorder',
			pageId: '={{ $json.page }}',
			blockIds: blockIds(2).reverse(),
			options: { batching: { batch: { batchSize: 50 } } },
		},
		{ items: pages.map(({ id }) => ({ page: id })) },
	);
	const orders = new Set(pages.map(({ id }) => harness.sandbox.account.order(id).join()));
	await harness.close();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(10_000);
	expect(orders).toEqual(new Set(['block.1,block.0']));
	expect(harness.sandbox.recorder.grants).toBe(1);
	expect(harness.sandbox.recorder.calls).toHaveLength(5000);
}, 120_000);

test.each([
	['value', (ids: string[]) => [{ ids }]],
	['inputItems', (ids: string[]) => ids.map((id) => ({ id }))],
] as const)(
	'a page of 10,000 blocks, with the Block Order %p',
	async (blockOrder, toItems) => {
		const harness = await Harness.open({ pages: [seed('PAGE_big', 10_000)] });
		const ids = blockIds(10_000).reverse();
		const { error, items } = await harness.runNode(
			{
				resource: 'blocks',
				operation: 'reorder',
				pageId: 'PAGE_big',
				blockOrder,
				blockIdsValue: '={{ $json.ids }}',
			},
			{ items: toItems(ids) },
		);
		const order = harness.sandbox.account.order('PAGE_big');
		await harness.close();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		expect(order).toEqual(ids);
	},
	60_000,
);
