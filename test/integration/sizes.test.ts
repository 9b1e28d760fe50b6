import { useHarness } from '../support/harness';
import { pageSeed } from '../support/pages';
import { batching } from '../support/parameters';

const harness = useHarness();

const blockIds = (count: number) => Array.from({ length: count }, (_, index) => `block.${index}`);

describe('Reorder Blocks for large inputs', () => {
	test('reorders 5,000 pages in one execution with one token', async () => {
		const pages = Array.from({ length: 5000 }, (_, index) => pageSeed(`PAGE_${index}`, blockIds(2)));
		await harness.restart({ pages });
		const { error, items } = await harness.runNode(
			{
				resource: 'blocks',
				operation: 'reorder',
				pageId: '={{ $json.page }}',
				blockIds: blockIds(2).reverse(),
				options: batching(50),
			},
			{ items: pages.map(({ id }) => ({ page: id })) },
		);
		const orders = new Set(pages.map(({ id }) => harness.sandbox.account.order(id).join()));
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
		'reorders a page of 10,000 blocks with Block Order %p',
		async (blockOrder, toItems) => {
			await harness.restart({ pages: [pageSeed('PAGE_big', blockIds(10_000))] });
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
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.id)).toEqual(ids);
			expect(order).toEqual(ids);
		},
		60_000,
	);
});
