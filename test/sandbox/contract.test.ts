import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import { type Fields, FORM, get, newToken, post, requestToken, send, sendOrder } from '../support/serviceClient';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

async function reorder(fields: Fields, token?: string) {
	return await post(sandbox, '/oauth/v1/page/blocks/sort', fields, { token });
}

const blockIds = () => sandbox.account.order(HOME);
const toPlacements = (order: string[]) => order.map((id, position) => ({ id, position }));

describe('the token endpoint (docs/api.md, sections 3.2 and 3.4)', () => {
	test('returns a token for a client ID and secret sent by HTTP Basic', async () => {
		const { status, body } = await requestToken(sandbox);
		expect(status).toBe(200);
		expect(body).toEqual({
			access_token: expect.stringMatching(/^\S{20,}$/) as string,
			expires_in: 3600,
			token_type: 'Bearer',
			scope: 'basic',
		});
	});

	test.each(['sandbox-client-id:wrong', 'wrong:sandbox-client-secret', 'no colon'])(
		'rejects the HTTP Basic credentials %p with 401',
		async (credentials) => {
			const { status, headers, body } = await send(sandbox, '/oauth/token', {
				method: 'POST',
				headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, 'content-type': FORM },
				body: 'grant_type=client_credentials',
			});
			expect(status).toBe(401);
			expect(headers['www-authenticate']).toBeDefined();
			expect(body.access_token).toBeUndefined();
		},
	);

	test.each([
		['an unsupported grant type', 'grant_type=password'],
		['a missing grant type', ''],
		['an additional field', 'grant_type=client_credentials&scope=basic'],
	])('rejects %s with 400', async (_what, form) => {
		expect((await requestToken(sandbox, form)).status).toBe(400);
	});
});

describe('an API call (docs/api.md, section 3.1)', () => {
	test.each([undefined, 'Bearer never-issued', 'Bearer', 'Basic YTpi'])(
		'with the Authorization header %p returns 401',
		async (authorization) => {
			const options = { method: 'GET', headers: { authorization } } as const;
			for (const path of ['/me', '/page/blocks/sort', '/sandbox/pages', `/sandbox/blocks?page_id=${HOME}`]) {
				const { status, headers } = await send(sandbox, `/oauth/v1${path}`, options);
				expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
			}
		},
	);

	test('returns the profile (section 4.1)', async () => {
		const { status, body } = await get(sandbox, '/oauth/v1/me', await newToken(sandbox));
		expect(status).toBe(200);
		expect(body).toMatchObject({ status: true, info: { username: '@sandbox' } });
	});
});

test.each([
	['/oauth/v1/page/blocks?page_id=1', 403],
	['/oauth/v2/me', 404],
])('a request to the unknown path %s returns %i, and no query', async (path, expected) => {
	const { status, body } = await get(sandbox, path, await newToken(sandbox));
	const error = `There is no GET ${path.split('?')[0]}.`;
	expect([status, body]).toEqual([expected, { status: false, errors: [error] }]);
});

describe('the reorder endpoint (docs/api.md, section 4.2)', () => {
	test('sets the order and returns the blocks in this order', async () => {
		const order = blockIds().reverse();
		// The positions count, not the order of the list.
		const blocks = JSON.stringify(toPlacements(order).reverse());
		const { status, body } = await reorder({ page_id: HOME, blocks }, await newToken(sandbox));
		expect(status).toBe(200);
		expect(body).toEqual({
			status: true,
			data: {
				blocks: order.map((id, position) => ({ id, type: expect.any(String) as string, position })),
			},
		});
		expect(blockIds()).toEqual(order);
	});

	test.each<[string, (order: string[]) => unknown, string]>([
		['a missing block', (order) => toPlacements(order.slice(1)), 'is missing'],
		['an unknown block', (order) => toPlacements([...order, '1.2']), 'has no block 1.2'],
		['a repeated position', (order) => order.map((id) => ({ id, position: 0 })), 'is given twice'],
		['negative positions', (order) => order.map((id, i) => ({ id, position: -i })), 'is outside'],
		['positions as strings', (order) => order.map((id, i) => ({ id, position: `${i}` })), 'must be'],
		['a list of IDs', (order) => order, 'must be a JSON array of objects'],
	])('rejects %s with 400 and changes nothing', async (_what, makeBlocks, message) => {
		const before = blockIds();
		const blocks = JSON.stringify(makeBlocks(before));
		const { status, body } = await reorder({ page_id: HOME, blocks }, await newToken(sandbox));
		expect(status).toBe(400);
		expect(body).toEqual({ status: false, errors: [expect.stringContaining(message)] });
		expect(blockIds()).toEqual(before);
	});

	test.each<[string, Record<string, string>, string]>([
		['an unknown page', { page_id: 'PAGE_none_1', blocks: '[]' }, 'no page PAGE_none_1'],
		['a missing page_id', { blocks: '[]' }, 'page_id is missing'],
		['invalid JSON', { page_id: HOME, blocks: '[' }, 'not valid JSON'],
	])('rejects %s with 400', async (_what, fields, message) => {
		const { status, body } = await reorder(fields, await newToken(sandbox));
		expect(status).toBe(400);
		expect(JSON.stringify(body)).toContain(message);
	});
});

describe("The sandbox's own lists", () => {
	const list = async (path: string) => await get(sandbox, `/oauth/v1/sandbox/${path}`, await newToken(sandbox));
	const titlesOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
		(body.data as Array<{ title: string }>).map(({ title }) => title);

	test('contain the ID and the title of each page', async () => {
		const { status, body } = await list('pages');
		const pages = [
			{ page_id: HOME, title: 'Home' },
			{ page_id: SHOP, title: 'Shop' },
		];
		expect([status, body]).toEqual([200, { status: true, data: pages }]);
	});

	test('contain the blocks of a page with their titles in the current order', async () => {
		const before = await list(`blocks?page_id=${SHOP}`);
		const [, second] = before.body.data as object[];
		const vinyl = { id: '65f1c0c7d8e9f1.31415926', type: 'BLOCK_TITLE', position: 1, title: 'Vinyl' };
		expect([before.status, second]).toEqual([200, vinyl]);
		await sendOrder(sandbox, SHOP, sandbox.account.order(SHOP).reverse(), await newToken(sandbox));
		const after = await list(`blocks?page_id=${SHOP}`);
		expect(titlesOf(after)).toEqual(titlesOf(before).reverse());
	});

	test.each([['an unknown page', 'PAGE_none_1', 'There is no page PAGE_none_1.']])(
		'reject %s with 400',
		async (_what, query, error) => {
			const { status, body } = await list(`blocks?page_id=${query}`);
			expect([status, body]).toEqual([400, { status: false, errors: [error] }]);
		},
	);
});
