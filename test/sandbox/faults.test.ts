import { gunzipSync } from 'node:zlib';

import { request } from 'undici';

import { type Fault, namedFaults } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME } from '../support/pages';
import { waitUntil } from '../support/waitUntil';
import { FORM, get, newToken, post, requestToken } from '../support/serviceClient';

const SORT = '/oauth/v1/page/blocks/sort';
const UNAVAILABLE: Fault = { status: 503, body: '{}' };

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
	sandbox = await startSandbox();
	token = await newToken(sandbox);
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.faults.clear());

describe('a fault rule', () => {
	function reversedOrder() {
		const ids = sandbox.account.order(HOME).toReversed();
		const blocks = JSON.stringify(ids.map((id, position) => ({ id, position })));
		return { page_id: HOME, blocks };
	}

	test('returns its response the given number of times, before the request is processed', async () => {
		const before = sandbox.account.order(HOME);
		const fields = reversedOrder();
		sandbox.faults.add({ path: '/sort', times: 1, fault: UNAVAILABLE });
		expect((await post(sandbox, SORT, fields, { token })).status).toBe(503);
		expect(sandbox.account.order(HOME)).toEqual(before);
		expect((await post(sandbox, SORT, fields, { token })).status).toBe(200);
	});

	test('is recorded with each request that it fails, and not with others', async () => {
		const rule = { path: '/sort', times: 2, fault: UNAVAILABLE };
		sandbox.faults.add(rule);
		const from = Date.now();
		const recorded = sandbox.faults.injections.length;
		await get(sandbox, '/oauth/v1/me', token);
		for (const status of [503, 503, 200]) {
			expect((await post(sandbox, SORT, reversedOrder(), { token })).status).toBe(status);
		}
		const injections = sandbox.faults.injections.slice(recorded);
		expect(injections.map((injection) => injection.rule)).toEqual([rule, rule]);
		for (const { time } of injections) {
			expect(time).toBeGreaterThanOrEqual(from);
			expect(time).toBeLessThanOrEqual(Date.now());
		}
	});

	test('can reset the connection', async () => {
		sandbox.faults.add({ path: '/sort', fault: 'reset' });
		await expect(post(sandbox, SORT, reversedOrder(), { token })).rejects.toThrow();
	});

	test.each(['lost', 'cut'] as const)('performs no request without a valid token ("%s")', async (fault) => {
		const before = sandbox.account.order(HOME);
		sandbox.faults.add({ path: '/sort', fault });
		await expect(post(sandbox, SORT, reversedOrder(), { token: 'revoked' })).rejects.toThrow();
		expect(sandbox.account.order(HOME)).toEqual(before);
	});

	test('can leave the request without a response', async () => {
		sandbox.faults.add({ path: '/sort', fault: 'hang' });
		await expect(
			request(sandbox.baseUrl + SORT, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}`, 'content-type': FORM },
				body: new URLSearchParams(reversedOrder()).toString(),
				headersTimeout: 200,
			}),
		).rejects.toThrow('Headers Timeout');
	});

	test.each([
		['/me', 503],
		['/you', 200],
	])('matches the path without its query: %s', async (path, expected) => {
		sandbox.faults.add({ path, fault: UNAVAILABLE });
		expect((await get(sandbox, '/oauth/v1/me?of=/you', token)).status).toBe(expected);
	});

	test('delays only requests to its path, the given number of times', async () => {
		sandbox.faults.add({ path: '/token', latency: 1000, times: 1 });
		sandbox.recorder.reset();
		const finished: string[] = [];
		const run = async (name: string, act: () => Promise<{ status: number }>) => {
			expect((await act()).status).toBe(200);
			finished.push(name);
		};
		const delayed = run('first grant', () => requestToken(sandbox));
		await waitUntil(() => sandbox.recorder.grants > 0);
		await run('call', () => get(sandbox, '/oauth/v1/me', token));
		await run('second grant', () => requestToken(sandbox));
		await delayed;
		expect(finished).toEqual(['call', 'second grant', 'first grant']);
	});

	test('delays its own response', async () => {
		sandbox.faults.add({ latency: 300, fault: UNAVAILABLE });
		const start = performance.now();
		expect((await get(sandbox, '/oauth/v1/me', token)).status).toBe(503);
		expect(performance.now() - start).toBeGreaterThanOrEqual(295);
	});
});

describe('a named fault', () => {
	async function getRaw() {
		const { statusCode, headers, body } = await request(`${sandbox.baseUrl}/oauth/v1/me`, {
			headers: { authorization: `Bearer ${token}` },
		});
		return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
	}

	test('"empty" returns status 200 without a body', async () => {
		sandbox.faults.add({ fault: namedFaults.empty });
		const { status, body } = await getRaw();
		expect([status, body.length]).toEqual([200, 0]);
	});

	test.each([
		['corrupt', /invalid|incorrect/],
		['truncated', /unexpected end of file/],
	])('"%s" returns a complete response with a broken gzip stream', async (name, message) => {
		sandbox.faults.add({ fault: namedFaults[name] });
		const { status, headers, body } = await getRaw();
		expect(status).toBe(200);
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'content-encoding': 'gzip',
			'content-length': String(body.length),
		});
		expect(() => gunzipSync(body)).toThrow(message);
	});
});
