import type { PageSeed } from '../../sandbox/account';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import { get, newToken, sendOrder } from '../support/serviceClient';

const PAGES = '/oauth/v1/sandbox/pages';
const BLOCKS = '/oauth/v1/sandbox/blocks';

let sandbox: Sandbox;
let token: string;
beforeEach(async () => await open());
afterEach(async () => await sandbox.close());

async function open(pages?: readonly PageSeed[]) {
	sandbox = await startSandbox({ pages });
	token = await newToken(sandbox);
}

/** Restarts the sandbox with other pages. */
async function reopen(pages: readonly PageSeed[]) {
	await sandbox.close();
	await open(pages);
}

const listBlocks = async (pageId: string) => await get(sandbox, `${BLOCKS}?page_id=${pageId}`, token);

/** Moves the topmost block of a page to the bottom, with a request. */
async function rotate(pageId: string) {
	const [top = '', ...others] = sandbox.account.order(pageId);
	return await sendOrder(sandbox, pageId, [...others, top], token);
}

describe('GET /oauth/v1/sandbox/pages', () => {
	test('returns the ID and the title of each page', async () => {
		const { status, body } = await get(sandbox, PAGES, token);
		expect(status).toBe(200);
		expect(body).toEqual({
			status: true,
			data: [
				{ page_id: HOME, title: 'Home' },
				{ page_id: SHOP, title: 'Shop' },
			],
		});
	});

	test('returns an empty list for an account without pages', async () => {
		await reopen([]);
		expect((await get(sandbox, PAGES, token)).body).toEqual({ status: true, data: [] });
	});
});

describe('GET /oauth/v1/sandbox/blocks', () => {
	test('returns the blocks of the page with their titles, topmost first', async () => {
		const { status, body } = await listBlocks(HOME);
		expect(status).toBe(200);
		expect(body).toEqual({
			status: true,
			data: [
				{ id: '65f1c0a2b3d4e1.10481516', type: 'BLOCK_TITLE', position: 0, title: 'New single' },
				{
					id: '65f1c0a2b3d4e2.23420815',
					type: 'BLOCK_ICONS',
					position: 1,
					title: 'Follow the band',
				},
				{ id: '65f1c0a2b3d4e3.16234204', type: 'BLOCK_TITLE', position: 2, title: 'Tour dates' },
				{ id: '65f1c0a2b3d4e4.42081523', type: 'BLOCK_ICONS', position: 3, title: 'Listen on' },
			],
		});
	});

	test('returns the new order after a reorder, and each block keeps its title', async () => {
		const before = (await listBlocks(SHOP)).body.data as object[];
		expect((await rotate(SHOP)).status).toBe(200);
		const [top, ...others] = before;
		const expected = [...others, top].map((block, position) => ({ ...block, position }));
		expect((await listBlocks(SHOP)).body.data).toEqual(expected);
	});

	test('lists blocks of pages with the same block IDs with the titles of their own page', async () => {
		const page = (id: string, title: string) => ({
			id,
			blocks: [{ id: '1.1', type: 'BLOCK_TITLE', title }],
		});
		await reopen([page('PAGE_1', 'One'), page('PAGE_2', 'Two')]);
		const lists = await Promise.all(['PAGE_1', 'PAGE_2'].map(listBlocks));
		expect(lists.map(({ body }) => body.data)).toMatchObject([
			[{ id: '1.1', title: 'One' }],
			[{ id: '1.1', title: 'Two' }],
		]);
	});

	test.each([
		['an unknown page', '?page_id=PAGE_none_1', 'There is no page PAGE_none_1.'],
		['a missing page_id', '', 'page_id is missing.'],
		['an empty page_id', '?page_id=', 'page_id is missing.'],
		['a repeated page_id', `?page_id=${HOME}&page_id=${SHOP}`, 'page_id is given more than once.'],
	])('rejects %s with 400', async (_what, query, error) => {
		const { status, body } = await get(sandbox, BLOCKS + query, token);
		expect([status, body]).toEqual([400, { status: false, errors: [error] }]);
	});
});

test('a page or block without a title is listed as Untitled', async () => {
	await reopen([{ id: 'PAGE_1', blocks: [{ id: '1.1', type: 'BLOCK_TITLE' }] }]);
	const pages = await get(sandbox, PAGES, token);
	const blocks = await listBlocks('PAGE_1');
	expect([pages.body.data, blocks.body.data]).toEqual([
		[{ page_id: 'PAGE_1', title: 'Untitled' }],
		[{ id: '1.1', type: 'BLOCK_TITLE', position: 0, title: 'Untitled' }],
	]);
});

describe.each([PAGES, `${BLOCKS}?page_id=${HOME}`])('GET %s', (path) => {
	test.each([undefined, 'never-issued'])('rejects the token %p with 401', async (wrong) => {
		const { status, headers } = await get(sandbox, path, wrong);
		expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
	});

	test('is recorded, fails, and is delayed like every call', async () => {
		sandbox.recorder.reset();
		sandbox.faults.latency = 300;
		sandbox.faults.add({ fault: { status: 503, body: '{}' }, times: 1 });
		const start = performance.now();
		expect((await get(sandbox, path, token)).status).toBe(503);
		expect(performance.now() - start).toBeGreaterThanOrEqual(295);
		expect((await get(sandbox, path, token)).status).toBe(200);
		expect(sandbox.recorder.calls.map(({ method, url }) => [method, url])).toEqual([
			['GET', path],
			['GET', path],
		]);
	});
});

test('a fault rule for a page matches the list of its blocks only', async () => {
	sandbox.faults.add({ page: HOME, fault: { status: 503, body: '{}' } });
	const responses = [await get(sandbox, PAGES, token), await listBlocks(SHOP), await listBlocks(HOME)];
	expect(responses.map(({ status }) => status)).toEqual([200, 200, 503]);
});
