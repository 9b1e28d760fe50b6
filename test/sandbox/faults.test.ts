import { gunzipSync } from 'node:zlib';

import { request } from 'undici';

import { type Fault, namedFaults } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import { get, newToken, post } from '../support/serviceClient';

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

	test('fails the given number of requests before they are processed, and is recorded with each', async () => {
		const rule = { path: '/sort', times: 2, fault: UNAVAILABLE };
		sandbox.faults.add(rule);
		const from = Date.now();
		const before = sandbox.account.order(HOME);
		const recorded = sandbox.faults.injections.length;
		await get(sandbox, '/oauth/v1/me', token);
		for (const status of [503, 503, 200]) {
			expect(sandbox.account.order(HOME)).toEqual(before);
			expect((await post(sandbox, SORT, reversedOrder(), { token })).status).toBe(status);
		}
		const injections = sandbox.faults.injections.slice(recorded);
		expect(injections.map((injection) => injection.rule)).toEqual([rule, rule]);
		for (const { time } of injections) {
			expect(time).toBeGreaterThanOrEqual(from);
			expect(time).toBeLessThanOrEqual(Date.now());
		}
	});

	test.each<[Fault, boolean]>([
		['lost', true],
		['cut', true],
		['reset', false],
	])('%j ends the connection; the request was performed, given a valid token: %p', async (fault, isPerformed) => {
		const before = sandbox.account.order(HOME);
		sandbox.faults.add({ path: '/sort', fault });
		await expect(post(sandbox, SORT, reversedOrder(), { token: 'revoked' })).rejects.toThrow();
		expect(sandbox.account.order(HOME)).toEqual(before);
		await expect(post(sandbox, SORT, reversedOrder(), { token })).rejects.toThrow();
		expect(sandbox.account.order(HOME)).toEqual(isPerformed ? before.toReversed() : before);
	});

	test('delays its own response, and matches only the page that it names', async () => {
		sandbox.faults.add({ page: HOME, latency: 300, fault: UNAVAILABLE });
		const start = performance.now();
		const statusOf = async (page: string) =>
			(await get(sandbox, `/oauth/v1/sandbox/blocks?page_id=${page}`, token)).status;
		expect([await statusOf(SHOP), await statusOf(HOME)]).toEqual([200, 503]);
		expect(performance.now() - start).toBeGreaterThanOrEqual(295);
	});
});

test.each([
	['corrupt', /invalid|incorrect/],
	['truncated', /unexpected end of file/],
])('the fault "%s" is a complete response with a broken gzip stream', async (name, message) => {
	sandbox.faults.add({ fault: namedFaults[name] });
	const authorization = `Bearer ${token}`;
	const { statusCode, headers, body } = await request(`${sandbox.baseUrl}/oauth/v1/me`, { headers: { authorization } });
	const received = Buffer.from(await body.arrayBuffer());
	expect(statusCode).toBe(200);
	expect(headers).toMatchObject({
		'content-type': 'application/json',
		'content-encoding': 'gzip',
		'content-length': String(received.length),
	});
	expect(() => gunzipSync(received)).toThrow(message);
});
