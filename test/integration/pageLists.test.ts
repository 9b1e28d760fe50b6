import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse, statusFault } from '../../sandbox/faults';
import { seededPages } from '../../sandbox/seed';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS, SHOP } from '../support/pages';

const harness = useHarness();

const getPages = (parameters: INodeParameters = {}) => ({ resource: 'pages', operation: 'getAll', ...parameters });
const getBlocks = (parameters: INodeParameters = {}) => ({
	resource: 'blocks',
	operation: 'getAll',
	pageId: '={{ $json.page }}',
	...parameters,
});

const urls = () => harness.sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

const [home, shop] = seededPages;

describe('Pages: Get Many', () => {
	test('returns the pages as the service sends them', async () => {
		const { items } = await harness.runNode(getPages(), { credential: LIST_PATHS });
		expect(items).toEqual([
			{ json: { page_id: HOME, title: 'Home' }, pairedItem: { item: 0 } },
			{ json: { page_id: SHOP, title: 'Shop' }, pairedItem: { item: 0 } },
		]);
		expect(urls()).toEqual([`GET ${LIST_PATHS.pagesPath}`]);
	});

	test('returns up to 50 unless Limit or Return All says otherwise', async () => {
		const data = Array.from({ length: 60 }, (_, index) => ({ id: index + 1 }));
		harness.sandbox.faults.add({ path: '/pages', fault: jsonResponse({ status: true, data }) });
		const count = async (parameters: INodeParameters) =>
			(await harness.runNode(getPages(parameters), { credential: LIST_PATHS })).items.length;
		expect([await count({}), await count({ limit: 7 }), await count({ returnAll: true })]).toEqual([50, 7, 60]);
	});

	test.each([
		['GET  oauth/v1/sandbox/pages', `GET ${LIST_PATHS.pagesPath}`],
		['/oauth/v1/sandbox/pages?a=b', `GET ${LIST_PATHS.pagesPath}?a=b`],
	])('accepts the path %j', async (pagesPath, url) => {
		const { error } = await harness.runNode(getPages(), { credential: { pagesPath } });
		expect([urls(), error]).toEqual([[url], undefined]);
	});

	test('sends nothing without a path, and says where to find it', async () => {
		const { error } = await harness.runNode(getPages());
		harness.expectRefused(
			error,
			'Pages Path: the credential does not contain it',
			'Find "List all pages" in the API documentation of your service, and enter its path as Pages Path in the credential. Reorder Blocks, with Page set to By ID, works without it.',
		);
	});

	test.each([
		[403, /^Check Pages Path in the credential: it must be the path of .* Check the permissions of the app/],
		[404, /^Check Pages Path in the credential: it must be the path of "List all pages"/],
	])('points to the field of the path first after status %i', async (status, advice) => {
		harness.sandbox.faults.add({ path: '/pages', fault: statusFault(status) });
		const { error } = await harness.runNode(getPages(), { credential: LIST_PATHS });
		expect(error!.message).toMatch(/^The list of pages was not read: the service .*nothing at this path/);
		expect(error!.description).toMatch(advice);
	});
});

describe('Blocks: Get Many', () => {
	test('returns the blocks of the page of each item from top to bottom, the ID and the name first', async () => {
		const items = [{ page: HOME }, { page: SHOP }];
		const output = await harness.runNode(getBlocks(), { items, credential: LIST_PATHS });
		const titles = [home, shop].flatMap((page) => page!.blocks.map(({ title }) => title));
		expect(output.items.map(({ json }) => json.title)).toEqual(titles);
		expect(output.items.map(({ json }) => Object.keys(json).slice(0, 2))).toEqual(titles.map(() => ['id', 'title']));
		expect(output.items.map(({ pairedItem }) => pairedItem)).toEqual([
			...home!.blocks.map(() => ({ item: 0 })),
			...shop!.blocks.map(() => ({ item: 1 })),
		]);
	});

	test('finds the list by its name, whatever is beside it', async () => {
		const blocks = [{ id: 'a' }, { id: 'b' }];
		for (const body of [
			{ status: true, data: { page_id: HOME, id: 5, blocks } },
			{ status: true, blocks, theme: { links: [1] } },
			{ status: true, data: { blocks: { 0: blocks[0], 2: blocks[1] }, tags: ['x'] } },
		]) {
			harness.sandbox.faults.add({ path: '/blocks', fault: jsonResponse(body), times: 1 });
			const { items } = await harness.runNode(getBlocks({ pageId: HOME }), { credential: LIST_PATHS });
			expect(items.map(({ json }) => json)).toEqual(blocks);
		}
	});

	const PATH =
		'heck Blocks Path in the credential: it must be the path of "List blocks in a page" in the API documentation of your service.';

	test.each([
		[400, `Check the Page. If it is right, c${PATH}`],
		[404, `C${PATH} If it is right, check the Page. Check the permissions of the app in the settings of the service.`],
	])('suspects the likeliest first after status %i', async (status, advice) => {
		harness.sandbox.faults.add({ path: '/blocks', fault: statusFault(status) });
		const { error } = await harness.runNode(getBlocks(), { items: [{ page: HOME }], credential: LIST_PATHS });
		expect(error!.description).toContain(advice);
	});

	test('inserts the ID of the page into the path', async () => {
		const credential = { blocksPath: '/oauth/v1/sandbox/{page_id}/blocks?page={page_id}' };
		await harness.runNode(getBlocks({ pageId: 'PAGE a/b' }), { credential });
		expect(urls()).toEqual(['GET /oauth/v1/sandbox/PAGE%20a%2Fb/blocks?page=PAGE%20a%2Fb']);
	});
});

describe('The list of pages in the editor', () => {
	const load = async (filter: string, credential: Record<string, string> = LIST_PATHS) =>
		await harness.loadList('pages', filter, { credential });

	test('shows the pages by name, and can be searched', async () => {
		const choices = [
			{ name: 'Home', value: HOME },
			{ name: 'Shop', value: SHOP },
		];
		expect(await load('')).toEqual(choices);
		expect(await load('sho')).toEqual(choices.slice(1));
	});

	test('says what helps if there is no path', async () => {
		await expect(load('', {})).rejects.toThrow(
			'Pages Path: the credential does not contain it. Find "List all pages" in the API documentation of your service, and enter its path as Pages Path in the credential. Reorder Blocks, with Page set to By ID, works without it.',
		);
	});
});

describe('The list of blocks in the editor', () => {
	const load = async (pageId: INodeParameters | string) =>
		await harness.loadList('blocks', undefined, {
			credential: LIST_PATHS,
			settings: { parameters: { resource: 'blocks', operation: 'move', pageId } },
		});

	const choices = home!.blocks.map(({ id, title }) => ({ name: title, value: id }));

	test.each([
		['from the list', { __rl: true, mode: 'list', value: HOME }],
		['as text, as older workflows contain it', HOME],
	])('shows the blocks of the page that is chosen %s', async (_how, pageId) => {
		expect(await load(pageId)).toEqual(choices);
	});

	test('asks for a page first', async () => {
		await expect(load({ __rl: true, mode: 'list', value: '' })).rejects.toThrow(
			'Page: no page is known yet. Choose one. If it comes from an expression, run the nodes before this one first.',
		);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});
