import fc from 'fast-check';

import { formatTime, type PaceOptions, Pacer } from '../../../nodes/ProfilePage/http/pacer';
import { ExecutionCanceled, ServiceError } from '../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

/** Asks to start requests, and notes which of them have started, and why the others have not. */
class Requests {
	readonly started: string[] = [];
	readonly refused = new Map<string, unknown>();

	constructor(readonly pacer: Pacer) {}

	/** Asks to start requests with these names, in this order. */
	async enter(names: readonly string[], isRetry = false): Promise<void> {
		for (const name of names) {
			this.pacer.enter(isRetry, isRetry).then(
				() => this.started.push(name),
				(error: unknown) => this.refused.set(name, error),
			);
		}
		await jest.advanceTimersByTimeAsync(0);
	}

	/** Ends as many requests. */
	async leave(count = 1): Promise<void> {
		for (let index = 0; index < count; index += 1) void this.pacer.leave(true);
		await jest.advanceTimersByTimeAsync(0);
	}
}

const begin = (options: PaceOptions = {}) => new Requests(new Pacer(options));

const names = (count: number, prefix = '') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Begins with as many requests in flight. When the service has rejected one of them, the pacer waits a second. */
async function slowDown(inFlight: number): Promise<Requests> {
	const requests = begin();
	await requests.enter(names(inFlight));
	await requests.leave();
	requests.pacer.slowDown(1000);
	await requests.leave(inFlight - 1);
	requests.started.length = 0;
	return requests;
}

describe('Requests', () => {
	test('start at once, in any number, as long as the service does not ask to wait', async () => {
		const requests = begin();
		await requests.enter(names(1000));
		expect(requests.started).toEqual(names(1000));
	});

	test('all wait as long as the service asks, even if others are ended meanwhile', async () => {
		const requests = await slowDown(4);
		await requests.enter(['a', 'b']);
		await jest.advanceTimersByTimeAsync(999);
		expect(requests.started).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(requests.started).toEqual(['a', 'b']);
	});

	test('wait until the latest time that the service asks for', async () => {
		const requests = await slowDown(4);
		requests.pacer.slowDown(3000);
		requests.pacer.slowDown(500);
		await requests.enter(['a']);
		await jest.advanceTimersByTimeAsync(2999);
		expect(requests.started).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(requests.started).toEqual(['a']);
	});

	test('that were rejected start before the others', async () => {
		const requests = await slowDown(2);
		await requests.enter(['a']);
		await requests.enter(['retry 1', 'retry 2'], true);
		await requests.enter(['b']);
		await jest.advanceTimersByTimeAsync(1000);
		expect(requests.started).toEqual(['retry 1']);
		await requests.leave();
		expect(requests.started.slice(0, 2)).toEqual(['retry 1', 'retry 2']);
		await requests.leave(2);
		expect([...requests.started].sort()).toEqual(['a', 'b', 'retry 1', 'retry 2']);
	});

	test('start in the order in which they ask, after the retries', async () => {
		const requests = await slowDown(2);
		await requests.enter(['a', 'b']);
		await requests.enter(['retry 1', 'retry 2'], true);
		await requests.enter(['c']);
		await jest.advanceTimersByTimeAsync(1000);
		for (let index = 0; index < 5; index += 1) await requests.leave();
		expect(requests.started).toEqual(['retry 1', 'retry 2', 'a', 'b', 'c']);
	});

	test('start as soon as no retry waits any more, if there is room for them', async () => {
		const requests = await slowDown(8);
		await requests.enter(['a']);
		await requests.enter(['retry'], true);
		await jest.advanceTimersByTimeAsync(1000);
		expect(requests.started).toEqual(['retry', 'a']);
	});
});

describe('The number of concurrent requests', () => {
	test.each([
		[1, 1],
		[2, 1],
		[3, 1],
		[8, 4],
		[9, 4],
	])('is halved when the service rejects one of %d, to %d', async (inFlight, limit) => {
		const requests = await slowDown(inFlight);
		await requests.enter(names(20));
		await jest.advanceTimersByTimeAsync(1000);
		expect(requests.started).toEqual(names(limit));
	});

	test('is halved once, however many of the same requests are rejected', async () => {
		const requests = await slowDown(8);
		for (const milliseconds of [1000, 500, 2000]) requests.pacer.slowDown(milliseconds);
		await requests.enter(names(20));
		await jest.advanceTimersByTimeAsync(2000);
		expect(requests.started).toEqual(names(4));
	});

	test('is halved again if the service asks to wait again', async () => {
		const requests = await slowDown(8);
		await requests.enter(names(4));
		await jest.advanceTimersByTimeAsync(1000);
		await requests.leave();
		requests.pacer.slowDown(1000);
		await requests.leave(3);
		requests.started.length = 0;
		await requests.enter(names(20));
		await jest.advanceTimersByTimeAsync(1000);
		expect(requests.started).toEqual(names(2));
	});

	test('grows again with successes, ever more slowly', async () => {
		const requests = await slowDown(8);
		await requests.enter(names(1000));
		await jest.advanceTimersByTimeAsync(1000);
		const counts = [requests.started.length];
		for (let ended = 1; ended <= 100; ended += 1) {
			await requests.leave();
			counts.push(requests.started.length - ended);
		}
		expect(counts[0]).toBe(4);
		for (const [index, count] of counts.slice(1).entries()) {
			expect(count).toBeGreaterThanOrEqual(counts[index]!);
			expect(count).toBeLessThanOrEqual(counts[index]! + 1);
		}
		// Its square grows by one with each success: the root of 4² + 100 is 10.8.
		expect(counts.at(-1)).toBeGreaterThanOrEqual(10);
		expect(counts.at(-1)).toBeLessThanOrEqual(11);
	});
});

describe('A wait that is longer than a request may take', () => {
	const LONG = 90_001;

	test('makes all requests fail at once, and say how long it is', async () => {
		const requests = begin();
		await requests.enter(['first']);
		requests.pacer.slowDown(LONG);
		await requests.enter(['a']);
		await requests.enter(['retry'], true);
		expect(requests.started).toEqual(['first']);
		for (const name of ['a', 'retry']) {
			const error = requests.refused.get(name);
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({
				message: 'the service asks to wait until 2030-01-01 00:02 UTC',
				advice: 'Run the workflow again after that.',
				details: { history: 'not sent' },
			});
		}
	});

	test('makes requests fail that already wait', async () => {
		const requests = await slowDown(4);
		await requests.enter(['a']);
		requests.pacer.slowDown(LONG);
		await jest.advanceTimersByTimeAsync(0);
		expect(requests.refused.get('a')).toBeInstanceOf(ServiceError);
	});

	test('ends when the service accepts requests again', async () => {
		const requests = begin();
		requests.pacer.slowDown(LONG);
		await jest.advanceTimersByTimeAsync(LONG - 1);
		await requests.enter(['a']);
		await jest.advanceTimersByTimeAsync(1);
		await requests.enter(['b']);
		expect([...requests.refused.keys()]).toEqual(['a']);
		expect(requests.started).toEqual(['b']);
	});

	test('is also one after 90 s in which every request was rejected', async () => {
		const requests = begin();
		const reject = async () => {
			await requests.enter(['a']);
			requests.pacer.slowDown(30_000);
			await jest.advanceTimersByTimeAsync(30_000);
			void requests.pacer.leave(false);
		};
		for (let seconds = 0; seconds <= 90; seconds += 30) await reject();
		expect(requests.refused.size).toBe(0);
		requests.pacer.slowDown(30_000);
		await requests.enter(['b']);
		expect(requests.refused.get('b')).toBeInstanceOf(ServiceError);
	});

	test('is one of more than 90 s', async () => {
		const requests = begin();
		requests.pacer.slowDown(90_000);
		await requests.enter(['a']);
		await jest.advanceTimersByTimeAsync(90_000);
		expect(requests.started).toEqual(['a']);
	});
});

describe('A pacer that is stopped', () => {
	test('starts no more requests, except those that must finish', async () => {
		const requests = begin();
		requests.pacer.stop();
		await requests.enter(['a']);
		await requests.enter(['retry'], true);
		expect(requests.refused.get('a')).toMatchObject({ history: 'not sent', isInFlight: false });
		expect(requests.started).toEqual(['retry']);
	});

	test('starts none of the requests that already wait', async () => {
		const requests = await slowDown(4);
		await requests.enter(['a']);
		requests.pacer.stop();
		await jest.advanceTimersByTimeAsync(1000);
		expect(requests.refused.get('a')).toBeInstanceOf(ExecutionCanceled);
	});
});

describe('Canceling the execution', () => {
	test('starts no more requests, and no retries', async () => {
		const requests = begin({ signal: AbortSignal.abort() });
		await requests.enter(['a']);
		await requests.enter(['retry'], true);
		expect(requests.started).toEqual([]);
		for (const name of ['a', 'retry']) {
			expect(requests.refused.get(name)).toMatchObject({ history: 'not sent', isInFlight: false });
		}
	});

	test('ends the wait of requests', async () => {
		const controller = new AbortController();
		const requests = begin({ signal: controller.signal });
		requests.pacer.slowDown(60_000);
		await requests.enter(['a']);
		await requests.enter(['retry'], true);
		controller.abort();
		await jest.advanceTimersByTimeAsync(0);
		expect([...requests.refused.keys()].sort()).toEqual(['a', 'retry']);
		expect(Date.now()).toBe(NOW);
	});
});

describe('The batch interval', () => {
	test('passes after each batch before requests of the next one start', async () => {
		const requests = begin({ batchSize: 2, batchInterval: 100 });
		await requests.enter(names(5));
		const counts: number[] = [];
		for (const milliseconds of [99, 1, 99, 1]) {
			counts.push(requests.started.length);
			await jest.advanceTimersByTimeAsync(milliseconds);
		}
		expect([...counts, requests.started.length]).toEqual([2, 2, 4, 4, 5]);
	});

	test('is not added to the time that the requests of a batch take', async () => {
		const requests = begin({ batchSize: 1, batchInterval: 100 });
		await requests.enter(['a']);
		await jest.advanceTimersByTimeAsync(90);
		await requests.leave();
		await requests.enter(['b']);
		expect(requests.started).toEqual(['a']);
		await jest.advanceTimersByTimeAsync(10);
		expect(requests.started).toEqual(['a', 'b']);
	});

	test('of zero makes no request wait, whatever the batch size', async () => {
		const requests = begin({ batchSize: 2, batchInterval: 0 });
		await requests.enter(names(5));
		expect(requests.started).toEqual(names(5));
	});

	test('ends when the execution is canceled', async () => {
		const controller = new AbortController();
		const requests = begin({ batchSize: 1, batchInterval: 100, signal: controller.signal });
		await requests.enter(['a', 'b']);
		controller.abort();
		await jest.advanceTimersByTimeAsync(0);
		expect(requests.started).toEqual(['a']);
		expect(requests.refused.get('b')).toBeInstanceOf(ExecutionCanceled);
	});
});

/** A request of a simulation. */
const simulated = fc.record({
	/** When it asks to start, in milliseconds. */
	at: fc.nat(200),
	duration: fc.nat(100),
	/** How long the service asks to wait, each time it rejects it. */
	rejections: fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 3 }),
});

/** Sends requests, each until it succeeds; returns when they started, and when the service asked for which waits. */
async function simulate(
	options: PaceOptions,
	requests: ReadonlyArray<{ at: number; duration: number; rejections: readonly number[] }>,
) {
	const pacer = new Pacer(options);
	const starts: number[] = [];
	const waits: Array<{ from: number; to: number }> = [];
	let succeeded = 0;
	const wait = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));
	const send = async ({ at, duration, rejections }: (typeof requests)[number]) => {
		await wait(at);
		for (let attempt = 0; attempt <= rejections.length; attempt += 1) {
			await pacer.enter(attempt > 0, false);
			starts.push(Date.now());
			await wait(duration);
			await pacer.leave(true);
			const asked = rejections[attempt];
			if (asked === undefined) break;
			pacer.slowDown(asked);
			waits.push({ from: Date.now(), to: Date.now() + asked });
		}
		succeeded += 1;
	};
	const sending = Promise.all(requests.map(send));
	await jest.runAllTimersAsync();
	// It would wait forever if a request were never started.
	if (succeeded === requests.length) await sending;
	return { starts, waits, succeeded };
}

describe('For any requests', () => {
	test('each starts at some time, and none while the service asks to wait', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(simulated, { maxLength: 20 }), async (requests) => {
				const { starts, waits, succeeded } = await simulate({}, requests);
				expect(succeeded).toBe(requests.length);
				for (const { from, to } of waits) {
					expect(starts.filter((time) => time > from && time < to)).toEqual([]);
				}
			}),
		);
	});

	test('the batch interval passes between the last of a batch and the first of the next one', async () => {
		const options = fc.record({
			batchSize: fc.integer({ min: 1, max: 5 }),
			batchInterval: fc.integer({ min: 1, max: 50 }),
		});
		const accepted = simulated.map((request) => ({ ...request, rejections: [] }));
		await fc.assert(
			fc.asyncProperty(
				options,
				fc.array(accepted, { maxLength: 20 }),
				async ({ batchSize, batchInterval }, requests) => {
					const { starts, succeeded } = await simulate({ batchSize, batchInterval }, requests);
					expect(succeeded).toBe(requests.length);
					for (let first = batchSize; first < starts.length; first += batchSize) {
						expect(starts[first]! - starts[first - 1]!).toBeGreaterThanOrEqual(batchInterval);
					}
				},
			),
		);
	});

	test('each starts at some time, with a batch interval and waits that the service asks for', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(simulated, { maxLength: 20 }), async (requests) => {
				const options = { batchSize: 2, batchInterval: 30 };
				expect((await simulate(options, requests)).succeeded).toBe(requests.length);
			}),
		);
	});
});

test.each([
	[Date.UTC(2026, 11, 24, 18), '2026-12-24 18:00 UTC'],
	[Date.UTC(2026, 11, 24, 18) + 1, '2026-12-24 18:01 UTC'],
	[Infinity, '9999-12-31 00:00 UTC'],
])('formatTime rounds %p up to %j', (time, text) => {
	expect(formatTime(time)).toBe(text);
});
