import { Stage, orderOnService } from '../support/setup';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(async () => await stage.close());

test('reorders', async () => {
	const [page] = stage.sandbox.account.pages;
	const ids = orderOnService(stage.sandbox, page!.id).reverse();
	const { items } = await stage.runNode({
		resource: 'blocks',
		operation: 'reorder',
		pageId: page!.id,
		blockIds: ids,
	});
	expect(items.map(({ json }) => json.id)).toEqual(ids);
});
