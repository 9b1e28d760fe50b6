import { type Sandbox, startSandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import { HOME } from '../support/pages';
import { type Fields, FORM, get, getProfileStatus, newToken, post, requestToken, send } from '../support/serviceClient';
import { withSandbox } from './browser';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());
afterEach(() => jest.useRealTimers());

async function reorder(fields: Fields, token?: string, contentType?: string) {
	return await post(sandbox, '/oauth/v1/page/blocks/sort', fields, { token, contentType });
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

	test.each(['sandbox-client-id:wrong', 'wrong:sandbox-client-secret', ':', 'no colon'])(
		'rejects the HTTP Basic credentials %p with 401',
		async (credentials) => {
			const { status, headers, body } = await send(sandbox, '/oauth/token', {
				method: 'POST',
				headers: {
					authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
					'content-type': FORM,
				},
				body: 'grant_type=client_credentials',
			});
			expect(status).toBe(401);
			expect(headers['www-authenticate']).toBeDefined();
			expect(body.access_token).toBeUndefined();
		},
	);

	test('rejects a client ID and secret in the form with 401', async () => {
		const { status } = await send(sandbox, '/oauth/token', {
			method: 'POST',
			headers: { 'content-type': FORM },
			body: `grant_type=client_credentials&client_id=${sandbox.clientId}&client_secret=${sandbox.clientSecret}`,
		});
		expect(status).toBe(401);
	});

	test.each([
		['an unsupported grant type', 'grant_type=password'],
		['a missing grant type', ''],
		['an additional field', 'grant_type=client_credentials&scope=basic'],
	])('rejects %s with 400', async (_what, form) => {
		expect((await requestToken(sandbox, form)).status).toBe(400);
	});
});

describe('an API call (docs/api.md, section 3.1)', () => {
	test.each([undefined, 'never-issued'])('with the token %p returns 401', async (token) => {
		const { status, headers } = await reorder({ page_id: HOME, blocks: '[]' }, token);
		expect(status).toBe(401);
		expect(headers['www-authenticate']).toBe('Bearer');
	});

	test.each(['Bearer', 'Basic YTpi'])('with the Authorization header %p returns 401', async (authorization) => {
		const { status, headers } = await send(sandbox, '/oauth/v1/me', {
			method: 'GET',
			headers: { authorization },
		});
		expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
	});

	test('with an expired token returns 401', async () => {
		await withSandbox({ tokenLifetime: 60 }, async (shortLived) => {
			const token = await newToken(shortLived);
			expect(await getProfileStatus(shortLived, token)).toBe(200);
			advanceDate(61_000);
			expect(await getProfileStatus(shortLived, token)).toBe(401);
		});
	});

	test('with a token in the query or the form returns 401', async () => {
		const token = await newToken(sandbox);
		const inQuery = await get(sandbox, `/oauth/v1/me?access_token=${token}`);
		const inForm = await reorder({ access_token: token, page_id: HOME, blocks: '[]' });
		expect([inQuery.status, inForm.status]).toEqual([401, 401]);
	});

	test('with a revoked token returns 401', async () => {
		const token = await newToken(sandbox);
		sandbox.oauth.revokeAccessTokens();
		expect((await reorder({ page_id: HOME, blocks: '[]' }, token)).status).toBe(401);
	});

	test('returns the profile (section 4.1)', async () => {
		const { status, body } = await get(sandbox, '/oauth/v1/me', await newToken(sandbox));
		expect(status).toBe(200);
		expect(body).toMatchObject({ status: true, info: { username: '@sandbox' } });
	});
});

describe('a request to an unknown path', () => {
	test.each(['/oauth/v1/page/blocks?page_id=1', '/oauth/v1/lnk/add?page_id=1', '/oauth/v1/?page_id=1', '/oauth/v1'])(
		'of the API returns 403 as the known service does: %s',
		async (path) => {
			const { status, body } = await get(sandbox, path, await newToken(sandbox));
			expect(status).toBe(403);
			const [known] = path.split('?');
			expect(body).toEqual({ status: false, errors: [`There is no GET ${known}.`] });
		},
	);

	test.each([undefined, 'never-issued'])('of the API with the token %p returns 401', async (token) => {
		const { status, headers } = await get(sandbox, '/oauth/v1/page/blocks', token);
		expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
	});

	test('of the API is recorded and can fail like every call', async () => {
		const token = await newToken(sandbox);
		sandbox.recorder.reset();
		sandbox.faults.add({ path: '/page/blocks', fault: { status: 503, body: '{}' }, times: 1 });
		const fields = { page_id: HOME };
		const { status } = await post(sandbox, '/oauth/v1/page/blocks', fields, { token });
		expect(status).toBe(503);
		expect(sandbox.recorder.calls.map(({ url }) => url)).toEqual(['/oauth/v1/page/blocks']);
	});

	test.each(['/oauth/v2/me', '/oauth/v10', '/oauth', '/manage/pages'])(
		'outside the API returns 404: %s',
		async (path) => {
			const { status, body } = await get(sandbox, path, await newToken(sandbox));
			expect(status).toBe(404);
			expect(body).toEqual({ status: false, errors: [`There is no GET ${path}.`] });
		},
	);
});

describe('the reorder endpoint (docs/api.md, section 4.2)', () => {
	test('sets the order and returns the blocks in this order', async () => {
		const order = blockIds().reverse();
		const blocks = JSON.stringify(toPlacements(order));
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

	test('uses the positions, not the order of the list', async () => {
		const order = blockIds().reverse();
		const blocks = JSON.stringify(toPlacements(order).reverse());
		await reorder({ page_id: HOME, blocks }, await newToken(sandbox));
		expect(blockIds()).toEqual(order);
	});

	test.each<[string, (order: string[]) => unknown, string]>([
		['a missing block', (order) => toPlacements(order.slice(1)), 'is missing'],
		['an empty list', () => [], 'is missing'],
		['an unknown block', (order) => toPlacements([...order, '1.2']), 'has no block 1.2'],
		['a repeated block', (order) => toPlacements([...order, order[0]!]), 'is listed twice'],
		['a repeated position', (order) => order.map((id) => ({ id, position: 0 })), 'is given twice'],
		['positions that start at 1', (order) => order.map((id, i) => ({ id, position: i + 1 })), 'is outside'],
		['negative positions', (order) => order.map((id, i) => ({ id, position: -i })), 'is outside'],
		['positions as strings', (order) => order.map((id, i) => ({ id, position: `${i}` })), 'must be'],
		['a list of IDs', (order) => order, 'must be a JSON array of objects'],
		['an object', (order) => ({ blocks: toPlacements(order) }), 'must be a JSON array of objects'],
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
		['missing blocks', { page_id: HOME }, 'blocks is missing'],
		['invalid JSON', { page_id: HOME, blocks: '[' }, 'not valid JSON'],
	])('rejects %s with 400', async (_what, fields, message) => {
		const { status, body } = await reorder(fields, await newToken(sandbox));
		expect(status).toBe(400);
		expect(JSON.stringify(body)).toContain(message);
	});

	test('rejects a body that is not a form with 400', async () => {
		const fields = { page_id: HOME, blocks: JSON.stringify(toPlacements(blockIds())) };
		expect((await reorder(fields, await newToken(sandbox), 'application/json')).status).toBe(400);
	});
});

describe('an error of the HTTP framework', () => {
	async function postAs(contentType: string, body: string) {
		return await send(sandbox, '/oauth/v1/page/blocks/sort', {
			method: 'POST',
			headers: {
				authorization: `Bearer ${await newToken(sandbox)}`,
				'content-type': contentType,
			},
			body,
		});
	}

	const errorBody = { status: false, errors: [expect.any(String) as string] };

	test.each([FORM, 'text/plain'])('has the format of a service error for a %s body that is too large', async (type) => {
		const body = 'a'.repeat(4 * 1024 * 1024 + 1);
		expect(await postAs(type, body)).toMatchObject({ status: 413, body: errorBody });
	});

	test('has the format of a service error for a malformed content type', async () => {
		expect(await postAs('nonsense', 'a=b')).toMatchObject({ status: 415, body: errorBody });
	});

	test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
		'is replaced by a 400 of the service for the content type %s',
		async (type) => {
			expect(await postAs(type, 'a=b')).toMatchObject({ status: 400, body: errorBody });
		},
	);

	test('has the format of a service error for a malformed path', async () => {
		const response = await send(sandbox, '/pages/%E0%A4%A', { method: 'GET' });
		expect(response).toMatchObject({ status: 400, body: errorBody });
	});
});
