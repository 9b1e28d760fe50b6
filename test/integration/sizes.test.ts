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
});
