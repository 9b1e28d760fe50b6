import type { Fault } from '../../sandbox/faults';
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

	test('fails the given number of requests before they are processed', async () => {
		sandbox.faults.add({ path: '/sort', times: 2, fault: UNAVAILABLE });
		const before = sandbox.account.order(HOME);
		await get(sandbox, '/oauth/v1/me', token);
		for (const status of [503, 503, 200]) {
			expect(sandbox.account.order(HOME)).toEqual(before);
			expect((await post(sandbox, SORT, reversedOrder(), { token })).status).toBe(status);
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
