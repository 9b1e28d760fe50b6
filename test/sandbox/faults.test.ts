import type { Fault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import { get, sendOrder, useSandbox } from '../support/serviceClient';

const UNAVAILABLE: Fault = { status: 503, body: '{}' };

let sandbox: Sandbox;
let token: string;
useSandbox((service) => ({ sandbox, token } = service));

const reverse = async (by = token) => await sendOrder(sandbox, HOME, sandbox.account.order(HOME).toReversed(), by);

test('A fault fails the given number of requests to its path before they are processed', async () => {
	sandbox.faults.add({ path: '/sort', times: 2, fault: UNAVAILABLE });
	const before = sandbox.account.order(HOME);
	await get(sandbox, '/oauth/v1/me', token);
	for (const status of [503, 503, 200]) {
		expect(sandbox.account.order(HOME)).toEqual(before);
		expect((await reverse()).status).toBe(status);
	}
});

test.each<[Fault, boolean]>([
	['lost', true],
	['cut', true],
	['reset', false],
])('%j ends the connection; the request was performed, given a valid token: %p', async (fault, isPerformed) => {
	const before = sandbox.account.order(HOME);
	sandbox.faults.add({ path: '/sort', fault });
	await expect(reverse('revoked')).rejects.toThrow();
	expect(sandbox.account.order(HOME)).toEqual(before);
	await expect(reverse()).rejects.toThrow();
	expect(sandbox.account.order(HOME)).toEqual(isPerformed ? before.toReversed() : before);
});

test('A fault matches only the page that it names, and delays its own response', async () => {
	sandbox.faults.add({ page: HOME, latency: 300, fault: UNAVAILABLE });
	const start = performance.now();
	const statusOf = async (page: string) =>
		(await get(sandbox, `/oauth/v1/sandbox/blocks?page_id=${page}`, token)).status;
	expect([await statusOf(SHOP), await statusOf(HOME)]).toEqual([200, 503]);
	expect(performance.now() - start).toBeGreaterThanOrEqual(295);
});
