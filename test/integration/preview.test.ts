import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS } from '../support/pages';

const OLD = 'https://example.com/old';
const PREVIEW = 'This is a preview: nothing was changed. To make the change, turn off Preview.';

const harness = useHarness({ links: [{ title: 'Old', link: OLD }] });

const order = () => harness.sandbox.account.order(HOME);
const links = () => harness.sandbox.account.links.all;

/** Runs the node as a preview, and checks that it changes nothing. */
async function preview(parameters: INodeParameters, items: IDataObject[] = [{}]) {
	const before = JSON.stringify([order(), links()]);
	const { recorder } = harness.sandbox;
	recorder.reset();
	const result = await harness.runNode({ ...parameters, preview: true }, { credential: LIST_PATHS, items });
	expect(recorder.calls.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual([]);
	expect(JSON.stringify([order(), links()])).toBe(before);
	return { ...result, json: result.items.map(({ json }) => json), hints: result.hints.map(({ message }) => message) };
}

const onBlocks = (operation: string, parameters: INodeParameters): INodeParameters => ({
	resource: 'blocks',
	operation,
	pageId: HOME,
	...parameters,
});

const create = (parameters: INodeParameters): INodeParameters => ({
	resource: 'links',
	operation: 'create',
	title: 'New',
	url: 'https://example.com/new',
	...parameters,
});

describe('A preview', () => {
	test('of a given order returns the blocks in their new order, and sends nothing', async () => {
		const ids = order().toReversed();
		const { json, hints } = await preview(onBlocks('reorder', { blockIds: ids }));
		expect(json).toEqual(ids.map((id, position) => ({ preview: true, id, position, page_id: HOME })));
		expect(hints).toEqual([PREVIEW]);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test('of moved blocks reads the order, and returns the blocks with their names', async () => {
		const [a, b, c, d] = order();
		const { json, hints } = await preview(onBlocks('move', { blocksToMove: [c!] }));
		expect(json.map(({ id }) => id)).toEqual([c, a, b, d]);
		expect(json[0]).toMatchObject({ preview: true, title: expect.any(String) as string, position: 0 });
		expect(hints).toEqual([PREVIEW, expect.stringContaining('On top of page ')]);
	});

	test('of a new link says what would be created', async () => {
		const { json } = await preview(create({}));
		expect(json).toEqual([
			{
				preview: true,
				action: 'would be created',
				link_id: 'preview-1',
				title: 'New',
				url: 'https://example.com/new',
			},
		]);
	});

	const A = 'https://example.com/a';
	const named = (url: string, ...titles: string[]) => titles.map((title) => ({ url, title }));
	test.each<[ifExists: string, actions: string[], items: Array<{ url: string; title: string }>]>([
		[
			'skip',
			['would be skipped', 'would be created', 'would be skipped'],
			[...named(OLD, 'New'), ...named(A, 'New', 'New')],
		],
		[
			'update',
			['would be updated', 'would be created', 'would be unchanged'],
			[...named(OLD, 'New'), ...named(A, 'New', 'New')],
		],
		[
			'update',
			['would be created', 'would be updated', 'would be unchanged', 'would be updated'],
			named(A, 'One', 'Two', 'Two', 'One'),
		],
		['update', ['would be updated', 'would be updated', 'would be unchanged'], named(OLD, 'New', 'Old', 'Old')],
	])('of links that may exist says what a real run would do (%s: %j)', async (ifExists, actions, items) => {
		const { json } = await preview(create({ url: '={{ $json.url }}', title: '={{ $json.title }}', ifExists }), items);
		expect(json.map(({ action }) => action)).toEqual(actions);
		for (const [index, { title, url, link_id: id }] of json.entries()) {
			if (actions[index] !== 'would be skipped') expect(title).toBe(items[index]!.title);
			expect(id).toEqual(url === OLD ? 1 : expect.stringMatching(/^preview-\d$/));
		}
	});

	test('leaves nothing behind that a real run would take for done', async () => {
		const parameters = create({ ifExists: 'skip' });
		await preview(parameters);
		const { items } = await harness.runNode(parameters, { credential: LIST_PATHS });
		expect(items.map(({ json }) => json.action)).toEqual(['created']);
	});

	test('of an update and a deletion says which link it would change', async () => {
		const [link] = links();
		const change = { resource: 'links', linkId: String(link!.link_id) };
		const update = await preview({ ...change, operation: 'update', updateFields: { title: 'Newer' } });
		expect(update.json).toEqual([
			{ preview: true, link_id: link!.link_id, action: 'would be updated', title: 'Newer' },
		]);
		const deletion = await preview({ ...change, operation: 'delete' });
		expect(deletion.json).toEqual([{ preview: true, link_id: link!.link_id, action: 'would be deleted' }]);
	});

	test('changes nothing if an expression asks for it for some of the items alone', async () => {
		const items = [{ p: false }, { p: true }];
		const before = JSON.stringify(links());
		const result = await harness.runNode(create({ preview: '={{ $json.p }}' }), { items });
		// Some versions of n8n do not evaluate it: then the node refuses the text.
		const actions = result.items.map(({ json }) => json.action);
		expect([[], ['would be created', 'would be created']]).toContainEqual(actions);
		expect(JSON.stringify(links())).toBe(before);
	});

	test('begins anew with Retry On Fail: it still knows that it would create the link of an earlier item', async () => {
		harness.sandbox.faults.add({ path: '/list', fault: statusFault(500), times: 1 });
		const options = { batchSize: 1, maxRetries: 0 };
		const parameters = create({ ifExists: '={{ $json.ifExists }}', preview: true, options });
		const items = [{ ifExists: 'create' }, { ifExists: 'skip' }];
		const result = await harness.runNode(parameters, { items, settings: { retryOnFail: true, maxTries: 2 } });
		expect(result.items.map(({ json }) => json.action)).toEqual(['would be created', 'would be skipped']);
	});

	test('that fails does not warn of changes that another run would repeat', async () => {
		const parameters = onBlocks('move', { arrangement: 'reverse', pageId: '={{ $json.page }}' });
		const options = { batchSize: 1 };
		const { error } = await preview({ ...parameters, options }, [{ page: HOME }, { page: 'PAGE_none' }]);
		expect(error?.message).toMatch(/was not read: .* – item 1 of 2 failed$/);
		expect(error?.description).not.toContain('Running the workflow again repeats');
	});
});
