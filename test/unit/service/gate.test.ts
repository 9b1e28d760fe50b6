import fc from 'fast-check';

import { Client } from '../../../nodes/ProfilePage/service/client';
import { type Failure, requestFailure, stopped, toFailure } from '../../../nodes/ProfilePage/shared/failure';
import type { ServiceResponse } from '../../../nodes/ProfilePage/service/request';
import { Gate, type GateOptions } from '../../../nodes/ProfilePage/service/gate';
import { retrying } from '../../../nodes/ProfilePage/service/retrying';
import { useFakeClock } from '../../support/fakeClock';
import { concurrency, fixedWindow, leakyBucket, type RateLimit } from '../../support/rateLimits';
import { getProfile } from '../../support/requests';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

/** Makes waits differ as at random, but in each run of the tests in the same way. */
function seedRandom(seed: number): void {
	let state = seed;
	jest.spyOn(Math, 'random').mockImplementation(() => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return state / 2 ** 31;
	});
}

beforeEach(() => seedRandom(1));

const nothing = async () => await Promise.resolve();

const advance = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);
/** Lets everything start that may, without a pause passing. */
const settle = async () => await advance(5);

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const rejection = (status: number, retryAfter?: number) =>
	requestFailure('it was rejected', '', { passes: 'soon', response: { status, retryAfter } });
const NOT_FOUND = requestFailure('not found', '', { response: { status: 404 } });

/** A gate, and requests with numbers, whose attempts end when the test says so. By default, none is attempted again. */
function open({ maxRetries = 0, ...options }: Partial<GateOptions> & { maxRetries?: number } = {}) {
	const gate = new Gate({ batchSize: 50, ...options });
	const started: number[] = [];
	const startedAt: number[] = [];
	const refused = new Map<number, Failure>();
	const inFlight = new Map<number, (failure?: Failure) => void>();
	const send = async (number: number) => {
		started.push(number);
		startedAt.push(Date.now());
		await new Promise<void>((resolve, reject) => {
			inFlight.set(number, (failure) => (failure ? reject(failure) : resolve()));
		});
	};
	const pass = async (number: number) => {
		const before = started.length;
		try {
			const attempt = async (isRetry: boolean) => await gate.enter(isRetry, nothing, async () => await send(number));
			await retrying(attempt, { maxRetries, signal: options.signal }, undefined, gate.judge);
		} catch (error) {
			if (!started.slice(before).includes(number)) refused.set(number, toFailure(error));
		}
	};
	return {
		started,
		startedAt,
		refused,
		inFlight,
		enter: (numbers: readonly number[]) => numbers.forEach((number) => void pass(number)),
		/** Ends requests: with success, or with a failure. */
		end: async (numbers: Iterable<number>, failure?: Failure) => {
			for (const number of [...numbers]) {
				inFlight.get(number)?.(failure);
				inFlight.delete(number);
			}
			await settle();
		},
	};
}

describe('The number of requests in flight', () => {
	test.each<[string, Failure | undefined]>([
		['a success', undefined],
		['a 404', NOT_FOUND],
	])('is ten at first, and grows by one with %s', async (_what, failure) => {
		const { enter, end, started, inFlight } = open();
		enter(range(0, 100));
		await settle();
		expect(started).toEqual(range(0, 10));
		for (let successes = 1; successes <= 40; successes += 1) {
			await end([started[successes - 1]!], failure);
			expect(inFlight.size).toBe(10 + successes);
		}
		await end(range(40, 50), failure);
		expect(inFlight.size).toBe(50);
	});

	test('is never more than Items per Batch', async () => {
		const { enter, end, started, inFlight } = open({ batchSize: 3 });
		enter(range(0, 9));
		await settle();
		expect(started).toEqual([0, 1, 2]);
		await end([0, 1]);
		expect([...inFlight.keys()]).toEqual([2, 3, 4]);
	});

	test('becomes half as many with the first rejection of a pause, and grows slowly after it', async () => {
		const { enter, end, inFlight } = open();
		enter(range(0, 100));
		await settle();
		await end(range(0, 10), rejection(429));
		expect(inFlight.size).toBe(0);
		await advance(1000);
		expect(inFlight.size).toBe(5);
		// 0.5/5 for each: with ten successes, some 0.9 more; with twelve, more than one.
		await end(inFlight.keys());
		await end(inFlight.keys());
		expect(inFlight.size).toBe(5);
		await end(inFlight.keys());
		expect(inFlight.size).toBe(6);
	});
});

/** A gate of a service that has accepted a request, and has nine others. */
async function openUp() {
	const opened = open();
	opened.enter(range(0, 10));
	await settle();
	await opened.end([0]);
	return opened;
}

describe('A status 503', () => {
	test('alone holds nobody else back', async () => {
		const { enter, end, started } = await openUp();
		await end([1], rejection(503));
		enter([10]);
		await settle();
		expect(started).toContain(10);
	});

	test('after another one holds all back, unless a request has succeeded in between', async () => {
		const { enter, end, started, inFlight } = await openUp();
		await end([1], rejection(503));
		await end([2]);
		await end([3], rejection(503));
		await end([4], rejection(503));
		enter([10]);
		await end(inFlight.keys());
		expect(started).not.toContain(10);
		await advance(500);
		expect(started).toContain(10);
	});

	test('of a service that has accepted nothing yet holds all back, one request at a time, for longer each time', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const { enter, end, startedAt, inFlight } = open();
		enter(range(0, 30));
		await settle();
		const pauses: number[] = [];
		while (pauses.length < 4) {
			const rejectedAt = Date.now();
			await end(inFlight.keys(), rejection(503));
			await advance(10_000);
			expect(inFlight.size).toBe(1);
			pauses.push(startedAt.at(-1)! - rejectedAt);
		}
		expect(pauses).toEqual([500, 1000, 2000, 4000]);
	});
});

describe('All requests wait', () => {
	test.each([429, 502, 503, 504])('as long as the service asks with status %d', async (status) => {
		const { enter, end, started, inFlight } = await openUp();
		await end([1], rejection(status, 7000));
		enter([10]);
		await end(inFlight.keys());
		await advance(7000 - 15);
		expect(started).not.toContain(10);
		await advance(265);
		expect(started).toContain(10);
	});

	test.each([
		['a failure that does not pass', requestFailure('no', '', { response: { status: 400 } })],
		['one that passes later', requestFailure('no', '', { passes: 'later', response: { status: 500 } })],
		['another status of a busy service', rejection(502)],
		['a connection that broke', requestFailure('no', '', { passes: 'soon' })],
	])('not after %s', async (_what, failure) => {
		const { enter, end, started } = await openUp();
		await end([1, 2, 3], failure);
		enter([10]);
		await settle();
		expect(started).toContain(10);
	});
});

describe('Rejected requests', () => {
	test('go first once another one was answered, which is one that was not rejected yet', async () => {
		const { enter, end, started } = open({ batchSize: 2, maxRetries: 1 });
		enter(range(0, 5));
		await settle();
		await end([0, 1], rejection(429));
		await advance(1000);
		expect(started.slice(2)).toEqual([4]);
		await end([4]);
		await end([1]);
		await end([0]);
		expect(started.slice(2)).toEqual([4, 1, 0, 2, 3]);
	});
});

describe('All requests are refused', () => {
	test('at once and from then on if the service asks to wait for more than 90 s', async () => {
		const { enter, end, started, refused } = await openUp();
		enter(range(10, 30));
		await settle();
		const before = [...started];
		await end([1], rejection(429, 3_600_000));
		const waiting = range(10, 30).filter((number) => !before.includes(number));
		expect([...refused.keys()]).toEqual(waiting);
		enter([30]);
		await advance(3_700_000);
		enter([31]);
		await settle();
		expect(started).toEqual(before);
		for (const number of [...waiting, 30, 31]) {
			const problem = 'the service asks to wait until 2030-01-01 01:01 UTC';
			expect(refused.get(number)?.data).toMatchObject({ outcome: 'not applied', kind: 'request', problem });
		}
	});

	test('after 90 s in which the service has rejected everything, though not if one succeeded meanwhile', async () => {
		const rejectTwice = async (isSuccessBetween: boolean) => {
			const { enter, end, started, refused, inFlight } = await openUp();
			await end([1], rejection(429));
			await advance(80_000);
			if (isSuccessBetween) await end([2]);
			await advance(10_100);
			await end([3, 4, 5, 6], rejection(429));
			enter([10]);
			await end(inFlight.keys());
			await advance(2000);
			return refused.get(10)?.data.problem ?? started.at(-1);
		};
		expect(await rejectTwice(false)).toBe('the service has answered no request for 90 seconds');
		expect(await rejectTwice(true)).toBe(10);
	});

	test('once nothing more may be sent, also those that wait for the end of a pause', async () => {
		const controller = new AbortController();
		const { enter, end, started, refused } = open({ signal: controller.signal });
		enter(range(0, 30));
		await settle();
		await end([0], rejection(429, 60_000));
		controller.abort();
		enter([30]);
		await settle();
		expect(started).toEqual(range(0, 10));
		expect([...refused.keys()].sort((one, other) => one - other)).toEqual(range(10, 31));
		expect(new Set([...refused.values()].map(({ data }) => data.kind))).toEqual(new Set(['stopped']));
	});

	test('if a failure ends the node, before any of them takes its place', async () => {
		const controller = new AbortController();
		const gate = new Gate({ batchSize: 1, signal: controller.signal });
		const second = jest.fn(async () => await Promise.resolve());
		const failed = gate.enter(false, nothing, async () => await Promise.reject(new Error('it failed')));
		const waiting = gate.enter(false, nothing, second);
		await failed.catch(() => controller.abort());
		const ended = waiting.catch(toFailure);
		await settle();
		expect(await ended).toMatchObject({ data: stopped().data });
		expect(second).not.toHaveBeenCalled();
	});
});

describe('A request whose token has to be renewed', () => {
	test('keeps its place meanwhile, and waits for the end of a pause that has begun', async () => {
		const gate = new Gate({ batchSize: 50 });
		const startedAt: number[] = [];
		const wait = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));
		const attempt = async () => await Promise.resolve(startedAt.push(Date.now() - NOW));
		const renewing = gate.enter(
			false,
			async () => {
				await wait(1000);
			},
			attempt,
		);
		const rejected = async () =>
			await gate.enter(false, nothing, async () => await Promise.reject(rejection(429, 5000)));
		const other = retrying(rejected, { maxRetries: 0 }, undefined, gate.judge).catch(nothing);
		await advance(4900);
		expect(startedAt).toEqual([]);
		await advance(500);
		await Promise.all([renewing, other]);
		expect(startedAt[0]).toBeGreaterThanOrEqual(5000);
	});

	test('starts its interval when it is sent', async () => {
		const gate = new Gate({ batchSize: 1, batchInterval: 2000 });
		const startedAt: number[] = [];
		const wait = async () => await new Promise<void>((resolve) => setTimeout(resolve, 3000));
		const attempt = async () => await Promise.resolve(startedAt.push(Date.now() - NOW));
		const both = [gate.enter(false, wait, attempt), gate.enter(false, nothing, attempt)];
		await advance(10_000);
		await Promise.all(both);
		expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(2000);
	});
});

describe('Batch Interval', () => {
	test('lets a batch start in each interval, also if requests end sooner or the service asks to wait for less', async () => {
		const { enter, end, started } = open({ batchSize: 2, batchInterval: 4000 });
		enter(range(0, 5));
		await settle();
		await end([0]);
		await end([1], rejection(429, 300));
		await advance(3900);
		expect(started).toEqual([0, 1]);
		await advance(200);
		expect(started).toHaveLength(3);
	});
});

test('Whatever happens, no more requests start than may, none in a pause, and each of them starts at some time', async () => {
	const step = fc.oneof(
		fc.record({ enter: fc.integer({ min: 1, max: 20 }) }),
		fc.record({ end: fc.integer({ min: 1, max: 10 }), status: fc.constantFrom(200, 200, 400, 429, 503, 502) }),
		fc.record({
			end: fc.constant(1),
			status: fc.constantFrom(429, 503),
			retryAfter: fc.integer({ min: 1, max: 9000 }),
		}),
		fc.record({ wait: fc.integer({ min: 0, max: 3000 }) }),
	);
	const options = fc.record({ batchSize: fc.integer({ min: 1, max: 30 }), batchInterval: fc.constantFrom(0, 0, 700) });
	await fc.assert(
		fc.asyncProperty(options, fc.array(step, { maxLength: 30 }), async (given, steps) => {
			const { enter, end, started, startedAt, inFlight, refused } = open(given);
			let [entered, successes, pausedUntil, startedBefore] = [0, 0, 0, 0];
			const check = () => {
				expect(inFlight.size).toBeLessThanOrEqual(Math.min(given.batchSize, 10 + successes));
				const starts = startedAt.slice(startedBefore);
				expect(starts.every((time) => time >= pausedUntil)).toBe(true);
				startedBefore = startedAt.length;
				for (const [index, time] of startedAt.entries()) {
					const later = startedAt[index + given.batchSize] ?? Infinity;
					expect(later - time).toBeGreaterThanOrEqual(given.batchInterval);
				}
			};
			for (const each of steps) {
				if ('enter' in each) enter(range(entered, (entered += each.enter)));
				if ('wait' in each) await advance(each.wait);
				if ('end' in each) {
					const numbers = [...inFlight.keys()].slice(0, each.end);
					if (each.status <= 400) successes += numbers.length;
					const retryAfter = 'retryAfter' in each ? each.retryAfter : undefined;
					const failure = each.status === 400 ? NOT_FOUND : rejection(each.status, retryAfter);
					await end(numbers, each.status === 200 ? undefined : failure);
					check();
					const asks = numbers.length > 0 && retryAfter !== undefined;
					if (asks) pausedUntil = Math.max(pausedUntil, Date.now() - 5 + retryAfter);
				}
				await settle();
				check();
			}
			while (started.length < entered && refused.size === 0) {
				successes += inFlight.size;
				await end(inFlight.keys());
				await advance(31_000);
			}
			expect(refused.size).toBe(0);
			expect([...started].sort((one, other) => one - other)).toEqual(range(0, entered));
		}),
		{ numRuns: 60 },
	);
});

const OK: ServiceResponse = { statusCode: 200, headers: {}, body: { status: true } };
const BUSY: ServiceResponse = { statusCode: 429, headers: {}, body: {} };
const BUSY_FOR_A_SECOND: ServiceResponse = { ...BUSY, headers: { 'retry-after': '1' } };
/** What nginx responds with by default. */
const NGINX: ServiceResponse = { statusCode: 503, headers: {}, body: '' };

const LATENCY_MS = 25;

/** Sends many requests to a service, and returns how many it rejected, how many were never accepted, and how long that took. */
async function sendTo(limit: RateLimit, response: ServiceResponse, { requests = 300, batchSize = 50 } = {}) {
	const wait = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));
	const startedAt = Date.now();
	let [rejected, lost, duration, most, inFlight] = [0, requests, 0, 0, 0];
	const send = async ({ path }: { path: string }) => {
		most = Math.max(most, (inFlight += 1));
		await wait(1);
		const delay = limit.accept(Date.now(), path);
		if (delay === undefined) rejected += 1;
		else await wait(delay + LATENCY_MS);
		if (delay !== undefined) limit.end?.();
		inFlight -= 1;
		return delay === undefined ? response : OK;
	};
	const account = {
		id: 'account',
		secrets: new Set<string>(),
		ensureToken: nothing,
		exchange: send,
	};
	const client = new Client(account, { maxRetries: 2, gate: new Gate({ batchSize }) });
	const left = range(0, requests);
	const work = async () => {
		for (let number = left.shift(); number !== undefined; number = left.shift()) {
			const request = { ...getProfile, path: `/${number}` };
			await client.request(request, String).then(
				() => (lost -= 1),
				() => undefined,
			);
			duration = Date.now() - startedAt;
		}
	};
	for (let worker = 0; worker < batchSize; worker += 1) void work();
	await jest.runAllTimersAsync();
	return { rejected, lost, duration, most };
}

/** Accepts each request while a condition holds, by the number of the request and the time since the first. */
function acceptIf(condition: (number: number, time: number) => boolean): RateLimit {
	return { accept: (now, path) => (condition(Number(path.slice(1)), now - NOW) ? 0 : undefined) };
}

/** Accepts nothing until a time, and then what another limit accepts. */
const from = (start: number, limit: RateLimit): RateLimit => ({
	accept: (now, path) => (now < start ? undefined : limit.accept(now, path)),
});

describe('A service', () => {
	test.each<[string, () => RateLimit, ServiceResponse, number]>([
		['20 requests a second, and Retry-After', () => fixedWindow(20), BUSY_FOR_A_SECOND, 60],
		['limit_req, burst 5, nodelay', () => leakyBucket(20, 5, 'nodelay'), NGINX, 140],
		['limit_req, burst 20', () => leakyBucket(20, 20), NGINX, 10],
		['limit_conn 4', () => concurrency(4), NGINX, 60],
		['one request in a second', () => leakyBucket(1, 0, 'nodelay'), NGINX, 1100],
	])('that allows %s gets each of 300 requests, and rejects few', async (_what, newLimit, response, most) => {
		for (const batchSize of [10, 50]) {
			const { lost, rejected } = await sendTo(newLimit(), response, { batchSize });
			expect({ batchSize, lost }).toEqual({ batchSize, lost: 0 });
			expect(rejected).toBeLessThanOrEqual(most);
		}
	});

	test.each<[string, () => RateLimit, number]>([
		['10 requests a minute', () => fixedWindow(10, 60_000), 60],
		['30 requests a minute', () => fixedWindow(30, 60_000), 150],
		['no request for 80 s, and then 5 a second', () => from(NOW + 80_000, fixedWindow(5)), 100],
	])('that allows %s loses none', async (_what, newLimit, requests) => {
		expect(await sendTo(newLimit(), BUSY, { requests })).toMatchObject({ lost: 0 });
	});

	test('that asks to wait for 90 s is waited for', async () => {
		const limit = acceptIf((_, time) => time > 80_000);
		const response = { ...BUSY, headers: { 'retry-after': '90' } };
		expect(await sendTo(limit, response, { requests: 20 })).toMatchObject({ lost: 0 });
	});

	test('without a limit soon gets as many as may be in flight', async () => {
		const { lost, duration, most } = await sendTo(
			acceptIf(() => true),
			NGINX,
		);
		expect({ lost, most }).toEqual({ lost: 0, most: 50 });
		expect(duration).toBeLessThan(400);
	});

	test.each([429, 503])('that always rejects five requests with %d loses none of the others', async (statusCode) => {
		for (const seed of [1, 2, 3]) {
			seedRandom(seed);
			const { lost } = await sendTo(
				acceptIf((number) => number >= 5),
				{ ...BUSY, statusCode },
			);
			expect({ seed, lost }).toEqual({ seed, lost: 5 });
		}
	});

	test.each<[string, (number: number) => boolean]>([
		['every tenth', (number) => number % 10 !== 0],
		['the last tenth', (number) => number < 270],
		['a random tenth', (number) => (number * 7919) % 101 > 10],
	])(
		'that always rejects %s of 300 requests with 429 answers the others, in at most three minutes',
		async (_, isGood) => {
			const good = range(0, 300).filter(isGood).length;
			for (const seed of [1, 2, 3]) {
				seedRandom(seed);
				const { lost, duration } = await sendTo(acceptIf(isGood), BUSY);
				expect({ seed, lost }).toEqual({ seed, lost: 300 - good });
				expect(duration).toBeLessThanOrEqual(180_000);
			}
		},
	);

	test('that always rejects one of 30 requests with 429 ends in two minutes and a half', async () => {
		const { lost, duration } = await sendTo(
			acceptIf((number) => number !== 7),
			BUSY,
			{ requests: 30 },
		);
		expect(lost).toBe(1);
		expect(duration).toBeLessThanOrEqual(150_000);
	});

	test('that only lets requests time out is down after 90 s, whatever the failures are', async () => {
		const timedOut = requestFailure('it timed out', undefined, { passes: 'soon', isTimeout: true });
		const gate = new Gate({ batchSize: 50 });
		const wait = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));
		const attempt = async () => {
			await wait(5000);
			throw timedOut;
		};
		const problems = range(0, 300).map(async () => {
			const pass = async (isRetry: boolean) => await gate.enter(isRetry, nothing, attempt);
			const failure = await retrying(pass, { maxRetries: 2 }, undefined, gate.judge).catch(toFailure);
			return [failure.data.problem, Date.now() - NOW] as const;
		});
		await jest.runAllTimersAsync();
		const ended = await Promise.all(problems);
		expect(Math.max(...ended.map(([, time]) => time))).toBeLessThanOrEqual(120_000);
		expect(ended.at(-1)?.[0]).toBe('the service has answered no request for 90 seconds');
	});

	test('that always rejects one request, while the others wait for it, answers them once it is given up', async () => {
		const send = async (client: Client, path: string) =>
			await client.request({ ...getProfile, path }, String).catch((error: unknown) => toFailure(error).data.problem);
		const exchange = async ({ path }: { path: string }) => await Promise.resolve(path === '/0' ? BUSY : OK);
		const account = { id: 'account', secrets: new Set<string>(), ensureToken: nothing, exchange };
		const client = new Client(account, { maxRetries: 2, gate: new Gate({ batchSize: 50 }) });
		const inOrder = async () => [await send(client, '/0'), await send(client, '/1'), await send(client, '/2')];
		const results = inOrder();
		await jest.runAllTimersAsync();
		const [first, ...others] = await results;
		expect(first).toBe('the service is rate-limiting requests (429)');
		expect(others).toEqual(['[object Object]', '[object Object]']);
	});

	test('that always rejects two requests in a row, one after another, answers those after them', async () => {
		const exchange = async ({ path }: { path: string }) => await Promise.resolve(/^\/[34]$/.test(path) ? BUSY : OK);
		const account = { id: 'account', secrets: new Set<string>(), ensureToken: nothing, exchange };
		const client = new Client(account, { maxRetries: 2, gate: new Gate({ batchSize: 1 }) });
		const inOrder = async () => {
			const results: string[] = [];
			for (const number of range(0, 10)) {
				const request = { ...getProfile, path: `/${number}` };
				results.push(await client.request(request, () => 'answered').catch(() => 'failed'));
			}
			return results;
		};
		const results = inOrder();
		await jest.runAllTimersAsync();
		const expected = range(0, 10).map((number) => (number === 3 || number === 4 ? 'failed' : 'answered'));
		expect(await results).toEqual(expected);
	});

	test.each([1, 10, 300])('that is down for the first 0.7 s loses none of %d requests', async (requests) => {
		for (const seed of [1, 2, 3]) {
			seedRandom(seed);
			const startedAt = Date.now() - NOW;
			const limit = acceptIf((_, time) => time - startedAt > 700);
			expect(await sendTo(limit, NGINX, { requests })).toMatchObject({ lost: 0 });
		}
	});
});
