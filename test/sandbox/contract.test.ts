import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { FORM, get, grant, look, newToken, overhear, post, send } from './client';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

const HOME = 'PAGE_home_65f1c0a2b3d4e';

async function sort(fields: Record<string, string>, token?: string, contentType?: string) {
	return await post(sandbox, '/oauth/v1/page/blocks/sort', fields, { token, contentType });
}

const ids = () => sandbox.account.order(HOME);
const place = (order: string[]) => order.map((id, position) => ({ id, position }));

describe('the token endpoint (sections 2, 4.2)', () => {
	test('gives a token for client ID and secret by HTTP Basic', async () => {
		const { status, body } = await grant(sandbox);
		expect(status).toBe(200);
		expect(body).toEqual({
			access_token: expect.stringMatching(/^\S{20,}$/) as string,
			expires_in: 3600,
			token_type: 'Bearer',
			scope: 'basic',
		});
	});

	test.each(['sandbox-client-id:wrong', 'wrong:sandbox-client-secret', ':', 'no colon'])(
		'refuses %p with 401',
		async (pair) => {
			const { status, headers, body } = await grant(sandbox, pair);
			expect(status).toBe(401);
			expect(headers['www-authenticate']).toBeDefined();
			expect(body.access_token).toBeUndefined();
		},
	);

	test('refuses ID and secret in the form', async () => {
		const { status } = await send(sandbox, '/oauth/token', {
			method: 'POST',
			headers: { 'content-type': FORM },
			body: `grant_type=client_credentials&client_id=${sandbox.clientId}&client_secret=${sandbox.clientSecret}`,
		});
		expect(status).toBe(401);
	});

	test.each([
		['another grant', 'grant_type=password'],
		['no grant', ''],
		['a further field', 'grant_type=client_credentials&scope=basic'],
	])('refuses %s with 400', async (_what, body) => {
		expect((await grant(sandbox, undefined, body)).status).toBe(400);
	});
});

describe('a call (section 5)', () => {
	test.each([undefined, 'never-given-out', ''])('with the token %p gets 401', async (token) => {
		const { status, headers } = await sort({ page_id: HOME, blocks: '[]' }, token);
		expect(status).toBe(401);
		expect(headers['www-authenticate']).toBe('Bearer');
	});

	test('with an expired token gets 401', async () => {
		const brief = await startSandbox({ tokenLifetime: 1 });
		const granted = await grant(brief);
		await new Promise((resolve) => setTimeout(resolve, 1100));
		const called = await get(brief, '/oauth/v1/me', granted.body.access_token as string);
		await brief.close();
		expect([granted.status, called.status]).toEqual([200, 401]);
	});

	test('with a token in the query or the form gets 401', async () => {
		const token = await newToken(sandbox);
		const inQuery = await get(sandbox, `/oauth/v1/me?access_token=${token}`);
		const inForm = await sort({ access_token: token, page_id: HOME, blocks: '[]' });
		expect([inQuery.status, inForm.status]).toEqual([401, 401]);
	});

	test('with a revoked token gets 401', async () => {
		const token = await newToken(sandbox);
		sandbox.oauth.revokeAll();
		expect((await sort({ page_id: HOME, blocks: '[]' }, token)).status).toBe(401);
	});

	test('for the profile gets it (section 4.3)', async () => {
		const { status, body } = await get(sandbox, '/oauth/v1/me', await newToken(sandbox));
		expect(status).toBe(200);
		expect(body).toMatchObject({ status: true, info: { username: '@sandbox' } });
	});

	test('of an unknown path gets 404', async () => {
		expect((await get(sandbox, '/oauth/v1/page/blocks')).status).toBe(404);
	});
});

describe('reordering (section 4.1)', () => {
	test('sets the order and answers with the blocks in it', async () => {
		const order = ids().reverse();
		const blocks = JSON.stringify(place(order));
		const { status, body } = await sort({ page_id: HOME, blocks }, await newToken(sandbox));
		expect(status).toBe(200);
		expect(body).toEqual({
			status: true,
			data: {
				blocks: order.map((id, position) => ({ id, type: expect.any(String) as string, position })),
			},
		});
		expect(ids()).toEqual(order);
	});

	test('goes by the positions, not by the order of the list', async () => {
		const order = ids().reverse();
		const blocks = JSON.stringify(place(order).reverse());
		await sort({ page_id: HOME, blocks }, await newToken(sandbox));
		expect(ids()).toEqual(order);
	});

	test.each<[string, (order: string[]) => unknown, string]>([
		['a block left out', (order) => place(order.slice(1)), 'is missing'],
		['no block', () => [], 'is missing'],
		['an unknown block', (order) => place([...order, '1.2']), 'has no block 1.2'],
		['a block twice', (order) => place([...order, order[0]!]), 'is listed twice'],
		['a position twice', (order) => order.map((id) => ({ id, position: 0 })), 'is given twice'],
		['positions from 1', (order) => order.map((id, i) => ({ id, position: i + 1 })), 'is outside'],
		['a position below 0', (order) => order.map((id, i) => ({ id, position: -i })), 'is outside'],
		['positions as texts', (order) => order.map((id, i) => ({ id, position: `${i}` })), 'must be'],
		['IDs alone', (order) => order, 'must be a JSON array of objects'],
		['an object', (order) => ({ blocks: place(order) }), 'must be a JSON array of objects'],
	])('refuses %s with 400 and changes nothing', async (_what, give, message) => {
		const before = ids();
		const blocks = JSON.stringify(give(before));
		const { status, body } = await sort({ page_id: HOME, blocks }, await newToken(sandbox));
		expect(status).toBe(400);
		expect(body).toEqual({ status: false, errors: [expect.stringContaining(message)] });
		expect(ids()).toEqual(before);
	});

	test.each<[string, Record<string, string>, string]>([
		['an unknown page', { page_id: 'PAGE_none_1', blocks: '[]' }, 'no page PAGE_none_1'],
		['no page', { blocks: '[]' }, 'page_id is missing'],
		['no blocks', { page_id: HOME }, 'blocks is missing'],
		['blocks that are not JSON', { page_id: HOME, blocks: '[' }, 'not valid JSON'],
	])('refuses %s with 400', async (_what, fields, message) => {
		const { status, body } = await sort(fields, await newToken(sandbox));
		expect(status).toBe(400);
		expect(JSON.stringify(body)).toContain(message);
	});

	test('refuses a body that is not a form with 400', async () => {
		const fields = { page_id: HOME, blocks: JSON.stringify(place(ids())) };
		expect((await sort(fields, await newToken(sandbox), 'application/json')).status).toBe(400);
	});
});

describe('the pages to look at', () => {
	test('list all pages, and show the blocks of one in their order', async () => {
		const { html: list } = await look(sandbox, '/');
		for (const page of sandbox.account.pages) expect(list).toContain(page.id);

		const { html } = await look(sandbox, `/pages/${HOME}`);
		const places = ids().map((id) => html.indexOf(id));
		expect(places.every((place) => place > 0)).toBe(true);
		expect(places).toEqual([...places].sort((a, b) => a - b));
	});

	test('say so where there is no such page', async () => {
		expect(await look(sandbox, '/pages/PAGE_%3Cb%3E')).toMatchObject({ status: 404 });
	});

	test('are told of each reorder', async () => {
		const heard = await overhear(sandbox, () => {
			sandbox.account.reorder(HOME, place(ids().reverse()));
		});
		expect(heard).toContain('data: changed');
	});
});

test('faults strike where and as often as they are told to, before anything is changed', async () => {
	const token = await newToken(sandbox);
	const before = ids();
	const fields = { page_id: HOME, blocks: JSON.stringify(place([...before].reverse())) };
	sandbox.faults.add({ path: '/sort', times: 1, fault: { status: 503, body: '{}' } });
	const statuses = [(await sort(fields, token)).status];
	expect(ids()).toEqual(before);
	statuses.push((await sort(fields, token)).status);
	expect(statuses).toEqual([503, 200]);

	sandbox.faults.add({ path: '/sort', times: 1, fault: 'reset' });
	await expect(sort(fields, token)).rejects.toThrow();
	sandbox.faults.add({ path: '/sort', times: 1, fault: 'hang' });
	await expect(
		request(`${sandbox.baseUrl}/oauth/v1/page/blocks/sort`, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': FORM },
			body: new URLSearchParams(fields).toString(),
			headersTimeout: 200,
		}),
	).rejects.toThrow('Headers Timeout');
});

test('faults go by the path, whatever its query', async () => {
	const call = async (end: string) => {
		sandbox.faults.clear();
		sandbox.faults.add({ path: end, fault: { status: 503, body: '{}' } });
		return (await get(sandbox, '/oauth/v1/me?of=/you')).status;
	};
	expect([await call('/me'), await call('/you')]).toEqual([503, 401]);
	sandbox.faults.clear();
});
