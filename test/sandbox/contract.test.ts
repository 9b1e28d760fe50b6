import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import { FORM, get, newToken, post, requestToken, send, sendOrder } from '../support/serviceClient';

/** The documented API: docs/api.md. */

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
	sandbox = await startSandbox();
	token = await newToken(sandbox);
});
afterAll(async () => await sandbox.close());

const SORT = '/oauth/v1/page/blocks/sort';
const blockIds = () => sandbox.account.order(HOME);
const toPlacements = (order: string[]) => order.map((id, position) => ({ id, position }));

describe('The token endpoint (sections 3.2 and 3.4)', () => {
	test('returns a token for a client ID and secret sent by HTTP Basic', async () => {
		const { status, body } = await requestToken(sandbox);
		const access_token = expect.stringMatching(/^\S{20,}$/) as string;
		expect([status, body]).toEqual([200, { access_token, expires_in: 3600, token_type: 'Bearer', scope: 'basic' }]);
	});

	test.each(['sandbox-client-id:wrong', 'wrong:sandbox-client-secret', 'no colon'])(
		'rejects the HTTP Basic credentials %p with 401',
		async (credentials) => {
			const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
			const { status, headers, body } = await send(sandbox, '/oauth/token', {
				method: 'POST',
				headers: { authorization, 'content-type': FORM },
				body: 'grant_type=client_credentials',
			});
			expect([status, headers['www-authenticate'], body.access_token]).toEqual([401, 'Basic', undefined]);
		},
	);

	test.each(['grant_type=password', '', 'grant_type=client_credentials&scope=basic'])(
		'rejects the form "%s" with 400',
		async (form) => {
			expect((await requestToken(sandbox, form)).status).toBe(400);
		},
	);
});

test.each([undefined, 'Bearer never-issued', 'Bearer', 'Basic YTpi'])(
	'Every path of the API responds to the Authorization header %p with 401 (section 3.1)',
	async (authorization) => {
		for (const path of ['/me', '/page/blocks/sort', '/lnk/list', '/group/list', '/sandbox/pages', '/unknown']) {
			const options = { method: 'GET', headers: { authorization } } as const;
			const { status, headers } = await send(sandbox, `/oauth/v1${path}`, options);
			expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
		}
	},
);

test('The profile has a user name (section 4.1)', async () => {
	const { status, body } = await get(sandbox, '/oauth/v1/me', token);
	expect([status, body]).toMatchObject([200, { status: true, info: { username: '@sandbox' } }]);
});

test.each([
	['/oauth/v1/page/blocks?page_id=1', 403],
	['/oauth/v2/me', 404],
])('The unknown path %s returns %i, and no query', async (path, expected) => {
	const { status, body } = await get(sandbox, path, token);
	const error = `There is no GET ${path.split('?')[0]}.`;
	expect([status, body]).toEqual([expected, { status: false, errors: [error] }]);
});

describe('The reorder endpoint (section 4.2)', () => {
	test('sets the order and returns the blocks in this order', async () => {
		const order = blockIds().reverse();
		// The positions count, not the order of the list.
		const placements = JSON.stringify(toPlacements(order).reverse());
		const { status, body } = await post(sandbox, SORT, { page_id: HOME, blocks: placements }, { token });
		const blocks = order.map((id, position) => ({ id, type: expect.any(String) as string, position }));
		expect([status, body]).toEqual([200, { status: true, data: { blocks } }]);
		expect(blockIds()).toEqual(order);
	});

	test.each<[string, (order: string[]) => unknown, string]>([
		['a missing block', (order) => toPlacements(order.slice(1)), 'is missing'],
		['an unknown block', (order) => toPlacements([...order, '1.2']), 'must be listed once'],
		['a repeated block', (order) => toPlacements([...order, ...order.slice(1, 2)]), 'must be listed once'],
		['a repeated position', (order) => order.map((id) => ({ id, position: 0 })), 'must be listed once'],
		['positions as strings', (order) => order.map((id, i) => ({ id, position: `${i}` })), 'must be'],
		['a list of IDs', (order) => order, 'must be a JSON array of objects'],
	])('rejects %s with 400 and changes nothing', async (_what, makeBlocks, message) => {
		const before = blockIds();
		const fields = { page_id: HOME, blocks: JSON.stringify(makeBlocks(before)) };
		const { status, body } = await post(sandbox, SORT, fields, { token });
		expect([status, body]).toEqual([400, { status: false, errors: [expect.stringContaining(message)] }]);
		expect(blockIds()).toEqual(before);
	});

	test.each<[Record<string, string>, string]>([
		[{ page_id: 'PAGE_none_1', blocks: '[]' }, 'There is no page PAGE_none_1.'],
		[{ blocks: '[]' }, 'page_id is missing.'],
		[{ page_id: HOME, blocks: '[' }, 'blocks is not valid JSON.'],
	])('rejects the fields %j with 400', async (fields, error) => {
		const { status, body } = await post(sandbox, SORT, fields, { token });
		expect([status, body]).toEqual([400, { status: false, errors: [error] }]);
	});
});

test('The lists of pages and blocks, which are its own, have IDs, titles, and the current order', async () => {
	const list = async (path: string) => (await get(sandbox, `/oauth/v1/sandbox/${path}`, token)).body;
	const titles = async () => ((await list(`blocks?page_id=${SHOP}`)).data as Array<{ title: string }>).map(toTitle);
	const toTitle = ({ title }: { title: string }) => title;
	const pages = [
		{ page_id: HOME, title: 'Home' },
		{ page_id: SHOP, title: 'Shop' },
	];
	expect(await list('pages')).toEqual({ status: true, data: pages });
	const before = await titles();
	expect(before.slice(0, 2)).toEqual(['Picture of the shop', 'Vinyl']);
	await sendOrder(sandbox, SHOP, sandbox.account.order(SHOP).reverse(), token);
	expect(await titles()).toEqual(before.toReversed());
});
