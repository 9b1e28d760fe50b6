/** What the node reads: the profile, groups, pages, and blocks, and the lists of the editor. Links have files of their own. */
import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse, statusFault } from '../../sandbox/faults';
import { seededGroups, seededPages } from '../../sandbox/seed';
import { type RunNodeOptions, TRIGGER, useHarness } from '../support/harness';
import { HOME, LIST_PATHS, SHOP } from '../support/pages';
import { GET_INFO } from '../support/parameters';

const harness = useHarness();

const LIST_OF = { me: '/me', groups: '/group/list', links: '/lnk/list', pages: '/pages', blocks: '/blocks' } as const;

/** Makes the service respond to requests for a list with this body. */
const respond = (list: keyof typeof LIST_OF, body: object, times?: number) =>
	harness.sandbox.faults.add({ path: LIST_OF[list], fault: jsonResponse({ status: true, ...body }), times });

const urls = () => harness.sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

/** Runs an operation with a credential that has the paths of the lists, and returns the data of the items too. */
async function run(parameters: INodeParameters, options?: RunNodeOptions) {
	const outcome = await harness.runNode(parameters, { credential: LIST_PATHS, ...options });
	return { ...outcome, data: outcome.items.map(({ json }) => json) };
}

const load = async (list: string, filter?: string, options?: RunNodeOptions) =>
	await harness.loadList(list, filter, { credential: LIST_PATHS, ...options });

describe('Get Info', () => {
	test('sends a GET request with the bearer token and no body', async () => {
		await run(GET_INFO);
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/me', body: '' });
		expect(call!.headers.authorization).toMatch(/^Bearer \S+$/);
		expect(call!.headers.accept).toBe('application/json');
		expect(call!.headers).not.toHaveProperty('content-type');
	});

	test('returns one item for each input item, paired with it', async () => {
		const { items } = await run(GET_INFO, { items: [{ a: 1 }, { b: 2 }] });
		const json = { username: '@sandbox', url: 'https://example.com/sandbox', profile_pic: null };
		expect(items).toEqual([0, 1].map((item) => ({ json, pairedItem: { item } })));
	});

	test.each([
		['the data of the response', { data: { name: 'x' }, meta: {} }, { name: 'x' }],
		['the only object other than status', { errors: [], info: { name: 'x' } }, { name: 'x' }],
		['the whole response if there is no such object', { name: 'x' }, { status: true, name: 'x' }],
	])('returns %s', async (_name, body, json) => {
		respond('me', body);
		expect((await run(GET_INFO)).data).toEqual([json]);
	});

	test('fails if the response has status false', async () => {
		respond('me', { status: false, errors: ['Account is closed'] });
		expect((await run(GET_INFO)).error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '200',
			message: 'The profile info was not read: the service reported a failure',
			description: 'Check that the app has access to the account. The service said: "Account is closed".',
		});
	});
});

const getAll = (resource: string, fields: INodeParameters = {}) => ({ resource, operation: 'getAll', ...fields });
const manyGroups = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ group_id: index, group_name: `Group ${index}` }));

describe('Groups: Get Many', () => {
	test('returns one item for each group, paired with its input item', async () => {
		const { items } = await run(getAll('groups'), { items: [{ a: 1 }, { b: 2 }] });
		expect(items).toEqual([0, 1].flatMap((item) => seededGroups.map((json) => ({ json, pairedItem: { item } }))));
	});

	test.each([{ groups: [] }, []])('returns no items if there are no groups (%j)', async (info) => {
		respond('groups', { errors: [], info });
		const { data, error } = await run(getAll('groups'));
		expect([data, error]).toEqual([[], undefined]);
	});

	test('reads groups with id and name in data', async () => {
		respond('groups', { errors: [], data: [{ id: 7, name: 'Press', color: 'red' }], info: [] });
		const { data } = await run(getAll('groups'));
		expect(data.map(Object.entries)).toEqual([Object.entries({ group_id: 7, group_name: 'Press', color: 'red' })]);
	});

	test.each<[string, INodeParameters, number]>([
		['50 groups by default', {}, 50],
		['as many groups as Limit says', { limit: 2 }, 2],
		['all groups if Return All is the text TRUE', { returnAll: '={{ " TRUE " }}', limit: 2 }, 60],
	])('returns %s', async (_name, fields, count) => {
		respond('groups', { errors: [], info: { groups: manyGroups(60) } });
		expect((await run(getAll('groups', fields))).data).toEqual(manyGroups(count));
	});

	test.each([
		['no info', { errors: [] }],
		['info without groups', { info: { total: 0 } }],
		['a group that is not an object', { info: { groups: [1] } }],
	])('fails if the response has %s', async (_name, body) => {
		respond('groups', body);
		expect((await run(getAll('groups'))).error).toMatchObject({
			message: 'The groups were not read: the response contains no list of groups',
			description: 'Check the Base URL in the credential.',
		});
	});
});

const NO_PAGES_PATH =
	'Find "List all pages" in the API documentation of your service, and enter its path as Pages Path in the credential. Reorder Blocks, with Page set to By ID, works without it.';

describe('Pages: Get Many', () => {
	test('returns the pages as the service sends them', async () => {
		const { items } = await run(getAll('pages'));
		expect(items).toEqual([
			{ json: { page_id: HOME, title: 'Home' }, pairedItem: { item: 0 } },
			{ json: { page_id: SHOP, title: 'Shop' }, pairedItem: { item: 0 } },
		]);
		expect(urls()).toEqual([`GET ${LIST_PATHS.pagesPath}`]);
	});

	test.each([
		['GET  oauth/v1/sandbox/pages', `GET ${LIST_PATHS.pagesPath}`],
		['/oauth/v1/sandbox/pages?a=b', `GET ${LIST_PATHS.pagesPath}?a=b`],
	])('accepts the path %j', async (pagesPath, url) => {
		const { error } = await run(getAll('pages'), { credential: { pagesPath } });
		expect([urls(), error]).toEqual([[url], undefined]);
	});

	test('sends nothing without a path, and says where to find it', async () => {
		const { error } = await run(getAll('pages'), { credential: {} });
		harness.expectRefused(error, 'Pages Path: the credential does not contain it', NO_PAGES_PATH);
	});

	test('points to the field of the path first if the service denies access to it', async () => {
		harness.sandbox.faults.add({ path: '/pages', fault: statusFault(403) });
		const { error } = await run(getAll('pages'));
		expect(error!.message).toBe('The list of pages was not read: the service denied access (403)');
		expect(error!.description).toMatch(
			/^Check Pages Path in the credential: it must be the path of .* Check the permissions of the app/,
		);
	});
});

const [home, shop] = seededPages;

/** The node as the editor sends it to load a list, with this page. */
const ofPage = (pageId: INodeParameters | string): RunNodeOptions => ({
	settings: { parameters: { resource: 'blocks', operation: 'move', pageId } },
});

describe('Blocks: Get Many', () => {
	const BLOCKS = [{ id: 'a' }, { id: 'b' }];
	const getBlocks = (pageId: string) => getAll('blocks', { pageId });

	test('returns the blocks of the page of each item from top to bottom, the ID and the name first', async () => {
		const { items, data } = await run(getBlocks('={{ $json.page }}'), { items: [{ page: HOME }, { page: SHOP }] });
		const titles = [home, shop].flatMap((page) => page!.blocks.map(({ title }) => title));
		expect(data.map(({ title }) => title)).toEqual(titles);
		expect(data.map((json) => Object.keys(json).slice(0, 2))).toEqual(titles.map(() => ['id', 'title']));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			...home!.blocks.map(() => ({ item: 0 })),
			...shop!.blocks.map(() => ({ item: 1 })),
		]);
	});

	test('finds the list by its name, whatever is beside it', async () => {
		for (const body of [
			{ data: { page_id: HOME, id: 5, blocks: BLOCKS } },
			{ blocks: BLOCKS, theme: { links: [1] } },
			{ data: { blocks: { 0: BLOCKS[0], 2: BLOCKS[1] }, tags: ['x'] } },
		]) {
			respond('blocks', body, 1);
			expect((await run(getBlocks(HOME))).data).toEqual(BLOCKS);
		}
	});

	test.each<[string, object]>([
		['more blocks', { data: BLOCKS, total: 3 }],
		['more blocks as text, in its data', { data: { blocks: BLOCKS, total_count: '3' } }],
		['more pages', { data: BLOCKS, meta: { current_page: 1, last_page: 2 } }],
		['a next part', { data: BLOCKS, links: { next: 'https://example.com/?page=2' } }],
		['a next part as an object', { data: BLOCKS, _links: { next: { href: '/?page=2' } } }],
		['a cursor beside the list', { blocks: BLOCKS, nextCursor: 'b' }],
		['a flag', { data: BLOCKS, pagination: { has_more: true } }],
	])('refuses a response that says by %s that it is only a part of the list', async (_what, body) => {
		respond('blocks', body);
		expect((await run(getBlocks(HOME))).error).toMatchObject({
			message: 'The list of blocks was not read: the response contains only a part of the blocks',
			description:
				'Find out from the API documentation of your service how to get all blocks in one response, such as with per_page=100, and add that to Blocks Path in the credential.',
		});
	});

	test.each<[string, object]>([
		['totals', { data: BLOCKS, total: 2, count: 2, meta: { total: '2', last_page: 1, per_page: 50 } }],
		['no next part', { data: BLOCKS, links: { first: '/?page=1', next: null }, has_more: false, next_page: '' }],
		['totals of something else', { data: { blocks: BLOCKS, stats: { total: 1200 } } }],
	])('accepts a whole list with %s', async (_what, body) => {
		respond('blocks', body);
		expect((await run(getBlocks(HOME))).data).toEqual(BLOCKS);
	});

	test('returns names without entities of HTML', async () => {
		const title = 'Don&#039;t &quot;stop&quot; &#8217;til 8';
		respond('blocks', { data: [{ id: 'a', title }] });
		expect((await run(getBlocks(HOME))).data).toEqual([{ id: 'a', title: 'Don\'t "stop" ’til 8' }]);
		expect(await load('blocks', undefined, ofPage(HOME))).toEqual([{ name: 'Don\'t "stop" ’til 8', value: 'a' }]);
	});

	test('inserts the ID of the page into the path', async () => {
		const credential = { blocksPath: '/oauth/v1/sandbox/{page_id}/blocks?page={page_id}' };
		await run(getBlocks('PAGE a/b'), { credential });
		expect(urls()).toEqual(['GET /oauth/v1/sandbox/PAGE%20a%2Fb/blocks?page=PAGE%20a%2Fb']);
	});
});

describe('The list of links in the editor', () => {
	const choices = () =>
		harness.sandbox.account.links.list().map(({ link_id: id, title, link }) => ({
			name: title,
			value: String(id),
			url: link,
		}));

	/** Makes the service respond with links of consecutive IDs, and loads the list. */
	async function loadLinks(links: ReadonlyArray<Record<string, unknown>>, filter = '') {
		respond('links', { data: links.map((link, index) => ({ link_id: index + 1, ...link })) });
		return await load('links', filter);
	}

	test('contains the public links by title, the newest first, and can be searched by it in any case', async () => {
		expect(choices().length).toBeLessThan(harness.sandbox.account.links.all.length);
		expect(await load('links', '')).toEqual(choices());
		const [wanted] = choices();
		expect(await load('links', ` ${wanted!.name.slice(1, -1).toUpperCase()} `)).toEqual([wanted]);
		expect(await load('links', 'not there')).toEqual([]);
	});

	test('names links without a title by address, or by ID, and those of one title by that and the ID', async () => {
		const links = [
			{ title: '', link: 'https://a.example' },
			{ title: null, link: null },
			...['Sale', 'Tour', 'Sale'].map((title) => ({ title })),
		];
		const names = (await loadLinks(links)).map(({ name }) => name);
		expect(names).toEqual(['https://a.example', '2', 'Sale (ID 3)', 'Tour', 'Sale (ID 5)']);
	});

	test('has the address of a link for the editor to open only if it is a web address', async () => {
		const links = [
			'http://example.com',
			'javascript:alert(1)',
			'javascript:https://example.com',
			['https://example.com'],
		].map((link, index) => ({ title: `Link ${index + 1}`, link }));
		expect(await loadLinks(links)).toEqual([
			{ name: 'Link 1', value: '1', url: 'http://example.com' },
			...['2', '3', '4'].map((value) => ({ name: `Link ${value}`, value })),
		]);
	});

	test('has links and groups with any ID, and none without one', async () => {
		const ids = ['ln_9f1a2b', 7, '007', 'größe', 0, '0', '', ' ', null, 1.5, 2 ** 53, true, ['8']];
		respond('groups', { info: { groups: ids.map((group_id) => ({ group_id, group_name: 'A' })) } });
		const found = ['ln_9f1a2b', '7', '007', 'größe'];
		const links = await loadLinks(ids.map((link_id) => ({ link_id, title: 'A' })));
		expect(links.map(({ value }) => value)).toEqual(found);
		expect((await load('groupsOrAny')).map(({ value }) => value)).toEqual(['', ...found]);
	});

	test('offers no ID that n8n would evaluate as an expression once it is chosen, nor such a name', async () => {
		const title = "={{ JSON.stringify($('Start').all()) }}";
		respond('pages', {
			data: [
				{ page_id: title, title: 'Home' },
				{ page_id: 'P2', title },
				{ page_id: '{{ $json.apiKey }}', title: 'Shop' },
			],
		});
		expect(await load('pages', '')).toEqual([{ name: `\u200B${title}`, value: 'P2' }]);
		expect(await loadLinks([{ title }])).toEqual([{ name: `\u200B${title}`, value: '1' }]);
	});
});

describe('Other lists in the editor', () => {
	const groups = seededGroups.map(({ group_id: id, group_name: name }) => ({ name, value: String(id) }));
	const any = { name: 'Any Group', value: '' };
	const pages = [
		{ name: 'Home', value: HOME },
		{ name: 'Shop', value: SHOP },
	];
	const blocks = home!.blocks.map(({ id, title }) => ({ name: title, value: id }));

	test.each<[string, list: string, filter: string | undefined, object[], RunNodeOptions?]>([
		['the groups, and "Any Group"', 'groupsOrAny', undefined, [any, ...groups]],
		['the same for the trigger', 'groupsOrAny', undefined, [any, ...groups], { settings: TRIGGER }],
		[
			'the groups, "No Change", and "No Group"',
			'groupsToMoveTo',
			undefined,
			[{ name: 'No Change', value: '' }, { name: 'No Group', value: 'none' }, ...groups],
		],
		['the pages by name', 'pages', '', pages],
		['the pages that are searched', 'pages', 'sho', pages.slice(1)],
		[
			'the blocks of a page from the list',
			'blocks',
			undefined,
			blocks,
			ofPage({ __rl: true, mode: 'list', value: HOME }),
		],
		['the blocks of a page as text, as older workflows contain it', 'blocks', undefined, blocks, ofPage(HOME)],
	])('contain %s', async (...row) => {
		const [, list, filter, expected, options] = row;
		expect(await load(list, filter, options)).toEqual(expected);
	});

	test('use a token for later lists and executions', async () => {
		const account = harness.newAccount();
		await harness.loadList('groupsOrNone', undefined, account);
		await harness.loadList('links', '', account);
		await harness.runNode(getAll('groups'), account);
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test('say what helps if there is no path, or no page', async () => {
		await expect(load('pages', '', { credential: {} })).rejects.toThrow(
			`Pages Path: the credential does not contain it. ${NO_PAGES_PATH}`,
		);
		await expect(load('blocks', undefined, ofPage({ __rl: true, mode: 'list', value: '' }))).rejects.toThrow(
			'Page: no page is known yet. Choose one. If it comes from an expression, run the nodes before this one first.',
		);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test.each([
		['', 'Account is closed.', '"Account is closed."'],
		[', also where n8n would replace its words', 'ECONNREFUSED by the database', '"ECONNREFUSED by the database".'],
	])('quote the service if they cannot be loaded%s', async (_where, words, quote) => {
		respond('links', { status: false, errors: [words] });
		await expect(load('links', '')).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: `The links were not read: the service reported a failure. Check that the app has access to the account. The service said: ${quote}`,
		});
	});
});
