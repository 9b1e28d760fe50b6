import type { Credential } from '../../../nodes/ProfilePage/n8n/app';
import { sending } from '../../../nodes/ProfilePage/resources/operation';
import { Session } from '../../../nodes/ProfilePage/resources/session';
import { performAll } from '../../../nodes/ProfilePage/run/perform';
import { Client } from '../../../nodes/ProfilePage/service/client';
import { Gate } from '../../../nodes/ProfilePage/service/gate';
import type { ServiceRequest, ServiceResponse } from '../../../nodes/ProfilePage/service/request';
import { Failure, requestFailure } from '../../../nodes/ProfilePage/shared/failure';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';
import { seedRandom } from '../../support/seedRandom';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

/** With SEEDS=20, each service is tried that often, which takes some minutes. */
const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 1) }, (_, index) => index + 1);

const OK: ServiceResponse = { statusCode: 200, headers: {}, body: { status: true } };
const rejection = (statusCode: number, retryAfter?: number): ServiceResponse => ({
	statusCode,
	headers: retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` },
	body: '',
});

const REORDER: ServiceRequest = { ...getProfile, method: 'POST' };
const CREATE: ServiceRequest = { ...REORDER, repeat: 'ifNotApplied' };

/** How long a request takes that is accepted, in milliseconds. Most services reject one faster. */
const LATENCY_MS = 25;

const wait = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A rate limit of a service, as a model. */
interface RateLimit {
	/**
	 * Returns for how long a request is delayed, undefined if it is rejected.
	 *
	 * @param now in milliseconds
	 * @param path of the request
	 */
	accept(now: number, path: string): number | undefined;
	/** Notes that a request that was accepted has got its response. */
	end?(): void;
}

/** Accepts this many requests in each window of the clock, by default of a second. */
function inEachWindow(count: number, milliseconds = 1000): RateLimit {
	let [window, left] = [0, 0];
	return {
		accept(now) {
			const current = Math.floor(now / milliseconds);
			if (current !== window) [window, left] = [current, count];
			left -= 1;
			return left < 0 ? undefined : 0;
		},
	};
}

/** `limit_req` of nginx: a bucket that leaks at a rate. It delays the requests in it, unless there is `nodelay`. */
function leakyBucket(perSecond: number, burst: number, nodelay?: 'nodelay'): RateLimit {
	let excess = -1;
	let acceptedAt = 0;
	return {
		accept(now) {
			const next = Math.max(0, excess - ((now - acceptedAt) * perSecond) / 1000 + 1);
			if (next > burst) return undefined;
			excess = next;
			acceptedAt = now;
			return nodelay ? 0 : (excess / perSecond) * 1000;
		},
	};
}

/** `limit_conn` of nginx: accepts this many requests at a time. */
function concurrency(limit: number): RateLimit {
	let inFlight = 0;
	return {
		accept() {
			if (inFlight === limit) return undefined;
			inFlight += 1;
			return 0;
		},
		end: () => (inFlight -= 1),
	};
}

/** A model of a service: what it accepts, and how it rejects the rest. */
interface Service {
	readonly limit: () => RateLimit;
	readonly rejects: ServiceResponse | Failure | ((now: number) => ServiceResponse);
	/** How long that takes, in milliseconds; by default, one. */
	readonly rejectsAfter?: number;
}

interface Items {
	readonly count?: number;
	/** Links are created one after another, and not repeated after a 503. */
	readonly areCreations?: boolean;
	readonly concurrency?: number;
}

/** Sends a change for each item, and returns how long that took in seconds, and which were lost. */
async function send(service: Service, { count = 300, areCreations, concurrency = 50 }: Items = {}) {
	const { rejects, rejectsAfter = 1 } = service;
	const limit = service.limit();
	const startedAt = Date.now();
	let [answeredAt, endedAt] = [startedAt, startedAt];
	const exchange = async ({ path }: ServiceRequest) => {
		const delay = limit.accept(Date.now(), path);
		if (delay === undefined) {
			await wait(rejectsAfter);
			if (rejects instanceof Failure) throw rejects;
			return typeof rejects === 'function' ? rejects(Date.now()) : rejects;
		}
		await wait(delay + LATENCY_MS);
		limit.end?.();
		answeredAt = Date.now();
		return OK;
	};
	const client = new Client({ id: 'account', exchange }, { maxRetries: 2, gate: new Gate({ concurrency }) });
	const tasks = Array.from({ length: count }, (_, index) => {
		const request = { ...(areCreations ? CREATE : REORDER), path: `/${index}` };
		return { indexes: [index], call: sending(request, () => ({ items: [] }), areCreations ? 'links' : undefined) };
	});
	const lost: number[] = [];
	const performed = performAll(
		tasks,
		new Session(client, {} as Credential, false),
		concurrency,
		new AbortController().signal,
		({ indexes: [index = 0], failure }) => {
			if (failure) lost.push(index);
			endedAt = Date.now();
		},
	);
	await jest.runAllTimersAsync();
	await performed;
	return {
		seconds: (endedAt - startedAt) / 1000,
		/** How long it went on after the last answer, in seconds. */
		secondsInVain: (endedAt - answeredAt) / 1000,
		lost: lost.toSorted((a, b) => a - b),
	};
}

/** Sends to a service once for each seed. */
async function sendTo(service: Service, items: Items = {}) {
	const results: Array<Awaited<ReturnType<typeof send>>> = [];
	for (const seed of SEEDS) {
		seedRandom(seed);
		results.push(await send(service, items));
	}
	return results;
}

/** Accepts a request while a condition holds, by its number and the time since the first one. */
function acceptIf(condition: (index: number, time: number) => boolean): () => RateLimit {
	return () => {
		let startedAt: number | undefined;
		return {
			accept(now, path) {
				startedAt ??= now;
				return condition(Number(path.slice(1)), now - startedAt) ? 0 : undefined;
			},
		};
	};
}

/** Accepts so many requests, as far as another limit does, and then none. */
function acceptFirst(count: number, newLimit = acceptIf(() => true)): () => RateLimit {
	return () => {
		const limit = newLimit();
		let left = count;
		return {
			accept(now, path) {
				const delay = left > 0 ? limit.accept(now, path) : undefined;
				if (delay !== undefined) left -= 1;
				return delay;
			},
		};
	};
}

const onceASecond = () => leakyBucket(1, 0, 'nodelay');

const BUSY = rejection(429);
/** What nginx responds with by default. */
const NGINX = rejection(503);
const TIMED_OUT = requestFailure('it timed out', undefined, { isTransient: true });
const untilNextMinute = (now: number) => rejection(429, 60 - Math.floor((now / 1000) % 60));

describe('A service loses none of 300 items if it allows', () => {
	test.each<[string, Service, Items]>([
		['one a second, 429', { limit: onceASecond, rejects: BUSY }, {}],
		['one a second, 503', { limit: onceASecond, rejects: NGINX }, {}],
		['one a second, creations, 429', { limit: onceASecond, rejects: BUSY }, { areCreations: true }],
		['2 a second, 503', { limit: () => leakyBucket(2, 0, 'nodelay'), rejects: NGINX }, {}],
		['10 a minute, 503 (60 items)', { limit: () => leakyBucket(1 / 6, 0, 'nodelay'), rejects: NGINX }, { count: 60 }],
		['10 in each minute, 429 (60 items)', { limit: () => inEachWindow(10, 60_000), rejects: BUSY }, { count: 60 }],
		['20 a second, Retry-After', { limit: () => inEachWindow(20), rejects: rejection(429, 1) }, {}],
		['20 a second, delayed, burst 20, 503', { limit: () => leakyBucket(20, 20), rejects: NGINX }, {}],
		['at most 2 at once, 503', { limit: () => concurrency(2), rejects: NGINX }, {}],
		['60 in each minute, Retry-After', { limit: () => inEachWindow(60, 60_000), rejects: untilNextMinute }, {}],
		['two thirds at random, 429', { limit: acceptIf(() => Math.random() > 1 / 3), rejects: BUSY }, {}],
		['nothing for 60 s, 503', { limit: acceptIf((_, time) => time > 60_000), rejects: NGINX }, {}],
		['nothing for 60 s, 429', { limit: acceptIf((_, time) => time > 60_000), rejects: BUSY }, {}],
		[
			'nothing for 60 s, creations, 429',
			{ limit: acceptIf((_, time) => time > 60_000), rejects: BUSY },
			{ areCreations: true },
		],
	])('%s', async (_name, service, items) => {
		for (const { lost } of await sendTo(service, items)) expect(lost).toEqual([]);
	});
});

describe('A service that is down', () => {
	test.each<[string, Service, number, Items]>([
		['with 503', { limit: acceptFirst(0), rejects: NGINX }, 0, {}],
		['with timeouts', { limit: acceptFirst(0), rejects: TIMED_OUT, rejectsAfter: 5000 }, 0, {}],
		['with 429, for creations', { limit: acceptFirst(0), rejects: BUSY }, 0, { areCreations: true }],
		['after a third, with 429', { limit: acceptFirst(100), rejects: BUSY }, 100, {}],
		['after a third, one a second, with 429', { limit: acceptFirst(100, onceASecond), rejects: BUSY }, 100, {}],
		[
			'after a third of 30 creations, with 429',
			{ limit: acceptFirst(10), rejects: BUSY },
			10,
			{ count: 30, areCreations: true },
		],
	])('%s, ends the node 90 to 110 s after its last answer', async (_name, service, succeed, items) => {
		for (const { lost, secondsInVain } of await sendTo(service, items)) {
			expect(lost).toHaveLength((items.count ?? 300) - succeed);
			expect(secondsInVain).toBeGreaterThanOrEqual(90);
			expect(secondsInVain).toBeLessThanOrEqual(110);
		}
	});
});

describe('Items that are always rejected with 429', () => {
	const rejectingIf = (isBad: (index: number) => boolean): Service => ({
		limit: acceptIf((index) => !isBad(index)),
		rejects: BUSY,
	});
	const range = (length: number) => Array.from({ length }, (_, index) => index);

	test.each<[string, (index: number) => boolean]>([
		['every tenth', (index) => index % 10 === 0],
		['the last tenth', (index) => index >= 270],
		['the first ten', (index) => index < 10],
	])('fail alone among 300 items: %s', async (_name, isBad) => {
		for (const { lost } of await sendTo(rejectingIf(isBad))) expect(lost).toEqual(range(300).filter(isBad));
	});
});

test('A service without a limit is sent 300 items in half a second', async () => {
	for (const { seconds } of await sendTo({ limit: acceptIf(() => true), rejects: BUSY }))
		expect(seconds).toBeLessThan(0.5);
});

test('A single 503 for every tenth item loses none', async () => {
	const failOnce = (): RateLimit => {
		const failing = new Set(Array.from({ length: 30 }, (_, index) => `/${10 * index + 7}`));
		return { accept: (_, path) => (failing.delete(path) ? undefined : 0) };
	};
	for (const { lost } of await sendTo({ limit: failOnce, rejects: NGINX, rejectsAfter: LATENCY_MS }))
		expect(lost).toEqual([]);
});
