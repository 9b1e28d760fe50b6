import { Secrets } from '../../../nodes/ProfilePage/service/quotes';
import { Client, type Account } from '../../../nodes/ProfilePage/service/client';
import { workInOrder } from '../../../nodes/ProfilePage/run/workInOrder';
import { Scheduler } from '../../../nodes/ProfilePage/service/scheduler';
import { done } from '../../../nodes/ProfilePage/service/failure';
import type { ServiceResponse } from '../../../nodes/ProfilePage/service/request';
import { useFakeClock } from '../../support/fakeClock';
import { concurrency, fixedWindow, leakyBucket, type RateLimit } from '../../support/rateLimits';
import { getProfile } from '../../support/requests';

useFakeClock(Date.UTC(2030, 0, 1));

const REQUESTS = 300;
const LATENCY_MS = 25;

const OK: ServiceResponse = { statusCode: 200, headers: {}, body: { status: true } };
const RATE_LIMIT: ServiceResponse = { statusCode: 429, headers: { 'retry-after': '1' }, body: {} };
/** What nginx responds with by default. */
const NGINX: ServiceResponse = { statusCode: 503, headers: {}, body: '' };

const wait = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An account at a service with a rate limit, and how many requests it has rejected. */
function limitedAccount(limit: RateLimit, rejection: ServiceResponse) {
	const seen = { rejected: 0 };
	const account: Account = {
		id: 'account',
		secrets: new Secrets(),
		token: async () => await Promise.resolve(done({ value: 'token' })),
		reject: () => true,
		async exchange({ path }) {
			await wait(1);
			const delay = limit.accept(Date.now(), path);
			if (delay === undefined) {
				seen.rejected += 1;
				return done(rejection);
			}
			await wait(delay + LATENCY_MS);
			limit.end?.();
			return done(OK);
		},
	};
	return { account, seen };
}

/** Sends many requests, and returns how many the service rejected, how many were never performed, and when the last ended. */
async function send(limit: RateLimit, rejection: ServiceResponse, batchSize: number) {
	const { account, seen } = limitedAccount(limit, rejection);
	const scheduler = new Scheduler({ batchSize, batchInterval: 0 });
	const client = new Client(account, { timeout: 30_000, maxRetries: 2 }, scheduler);
	let [lost, endedAt] = [REQUESTS, 0];
	const send = async ({ index }: { index: number }) => {
		const ended = await client.request({ ...getProfile, path: `/${index}` }, (envelope) => envelope);
		if (ended.outcome === 'done') lost -= 1;
		endedAt = Date.now();
	};
	const calls = Array.from({ length: REQUESTS }, (_, index) => ({ key: `${index}`, index }));
	void workInOrder(calls, batchSize, send);
	await jest.runAllTimersAsync();
	return { ...seen, lost, endedAt };
}

describe.each<[limit: string, newLimit: () => RateLimit, rejection: ServiceResponse, most: Record<number, number>]>([
	['20 requests a second, and Retry-After', () => fixedWindow(20), RATE_LIMIT, { 10: 41, 50: 71 }],
	['20 requests a second', () => fixedWindow(20), NGINX, { 10: 110, 50: 170 }],
	['limit_req, burst 5, nodelay', () => leakyBucket(20, 5, 'nodelay'), NGINX, { 10: 95, 50: 160 }],
	['limit_req without a burst', () => leakyBucket(20, 0, 'nodelay'), NGINX, { 10: 320, 50: 400 }],
	['limit_req, burst 20', () => leakyBucket(20, 20), NGINX, { 10: 0, 50: 36 }],
	['limit_conn 4', () => concurrency(4), NGINX, { 10: 20, 50: 90 }],
])('A service that allows %s', (_limit, newLimit, rejection, most) => {
	test.each([10, 50])('performs each of 300 requests, and rejects few, at %d at a time', async (batchSize) => {
		const { lost, rejected } = await send(newLimit(), rejection, batchSize);
		expect(lost).toBe(0);
		expect(rejected).toBeLessThanOrEqual(most[batchSize]!);
	});
});

test.each([
	[1, 1],
	[1, 10],
	[1, 50],
	[2, 1],
	[2, 10],
])('A service that allows one request in %d s performs each of 300, at %d at a time', async (seconds, batchSize) => {
	const { lost, rejected } = await send(leakyBucket(1 / seconds, 0, 'nodelay'), NGINX, batchSize);
	expect(lost).toBe(0);
	// It is asked three times a second.
	expect(rejected).toBeLessThan(REQUESTS * seconds * 4);
});

test('A service that fails each of the last 30 requests once does not make the others wait for long', async () => {
	const failed = new Set<string>();
	const accept = (_now: number, path: string) => {
		const isFirst = Number(path.slice(1)) >= REQUESTS - 30 && !failed.has(path);
		failed.add(path);
		return isFirst ? undefined : 0;
	};
	const startedAt = Date.now();
	const { lost, rejected, endedAt } = await send({ accept }, NGINX, 10);
	expect([lost, rejected]).toEqual([0, 30]);
	// Some 15 waits, of which each is the first of a request.
	expect(endedAt - startedAt).toBeLessThan(4500);
});

test('A service that always rejects some requests loses none of the others', async () => {
	const accept = (_now: number, path: string) => (Number(path.slice(1)) < 5 ? undefined : 0);
	const rateLimit: ServiceResponse = { ...RATE_LIMIT, headers: {} };
	const { lost } = await send({ accept }, rateLimit, 10);
	expect(lost).toBe(5);
});

test('A service that goes down is given up', async () => {
	let left = 100;
	const accept = () => ((left -= 1) < 0 ? undefined : 0);
	const startedAt = Date.now();
	const { lost, rejected } = await send({ accept }, NGINX, 10);
	expect(lost).toBe(200);
	// Each was tried three times, or once more if others succeeded meanwhile, until the service had been down for 90 s.
	expect(rejected).toBeLessThan(200 * 3);
	expect(Date.now() - startedAt).toBeLessThan(130_000);
});
