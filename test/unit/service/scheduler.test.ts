import fc from 'fast-check';

import { Scheduler } from '../../../nodes/ProfilePage/service/scheduler';
import { Throttle } from '../../../nodes/ProfilePage/service/throttle';
import { done, type Ended, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const DEFAULTS = { batchSize: 1000, batchInterval: 0 };

/** Starts requests, and notes their numbers as they start, and why they are refused. `leave` ends the oldest of them. */
function start(options: Partial<ConstructorParameters<typeof Scheduler>[0]> = {}) {
	const scheduler = new Scheduler({ ...DEFAULTS, ...options });
	const started: number[] = [];
	const refused: string[] = [];
	const ends: Array<(ended: Ended<string>) => void> = [];
	const send = async (number: number, isRetry = false) => {
		const ended = await scheduler.schedule(isRetry, async () => {
			started.push(number);
			return await new Promise<Ended<string>>((resolve) => ends.push(resolve));
		});
		if (ended.outcome === 'not applied') refused.push(ended.problem);
	};
	const enter = (number: number, isRetry = false) => void send(number, isRetry);
	const leave = (isSuccess: boolean) => ends.shift()?.(isSuccess ? done('ok') : requestFailure('it failed'));
	return { scheduler, started, refused, enter, leave };
}

/** Lets what was admitted start, without any time passing. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

const soon = async () => await jest.advanceTimersByTimeAsync(5);

describe('Requests', () => {
	test('start in their order, eight in each turn of the event loop', async () => {
		const { started, enter } = start();
		for (let number = 0; number < 20; number += 1) enter(number);
		await settle();
		expect(started).toHaveLength(8);
		await soon();
		expect(started).toEqual(Array.from({ length: 20 }, (_, number) => number));
	});

	test('all wait as long as the service asks, and those that were rejected start before the others', async () => {
		const { scheduler, started, enter, leave } = start();
		scheduler.slowDown(1000);
		enter(1);
		enter(2, true);
		await jest.advanceTimersByTimeAsync(999);
		expect(started).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		leave(true);
		await soon();
		expect(started).toEqual([2, 1]);
	});

	test('wait until the latest time that the service asks for', async () => {
		const { scheduler, started, enter } = start();
		scheduler.slowDown(2000);
		scheduler.slowDown(1000);
		enter(1);
		await jest.advanceTimersByTimeAsync(1999);
		expect(started).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(started).toEqual([1]);
	});

	test('are refused at once while the service asks to wait for longer than a request may take', async () => {
		const { scheduler, started, refused, enter } = start();
		enter(1);
		await soon();
		scheduler.slowDown(3_600_000);
		enter(2);
		await soon();
		expect(refused).toEqual(['the service asks to wait until 2030-01-01 01:01 UTC']);
		await jest.advanceTimersByTimeAsync(3_600_000);
		enter(3);
		await soon();
		expect(started).toEqual([1, 3]);
	});

	test('are refused once nothing more may start, those that wait too', async () => {
		const controller = new AbortController();
		const { scheduler, started, refused, enter } = start({ signal: controller.signal });
		scheduler.slowDown(1000);
		enter(1);
		controller.abort();
		enter(2);
		await soon();
		expect(started).toEqual([]);
		expect(refused).toEqual([STOPPED.problem, STOPPED.problem]);
	});

	test('that throw leave their place to others', async () => {
		const { scheduler, started, enter } = start();
		scheduler.slowDown(1);
		await soon();
		const broken = scheduler.schedule(false, async () => await Promise.reject(new Error('broken')));
		await expect(broken).rejects.toThrow('broken');
		enter(1);
		await soon();
		expect(started).toEqual([1]);
	});

	test('keep the batch interval though the service asks for shorter waits', async () => {
		const { scheduler, started, enter, leave } = start({ batchSize: 2, batchInterval: 4000 });
		for (const number of [1, 2, 3]) {
			enter(number);
			await soon();
			leave(true);
			if (number === 1) scheduler.slowDown(300);
		}
		await jest.advanceTimersByTimeAsync(3000);
		expect(started).toEqual([1, 2]);
		leave(true);
		await jest.advanceTimersByTimeAsync(1500);
		expect(started).toEqual([1, 2, 3]);
	});

	test('wait for the batch interval after each batch', async () => {
		const { started, enter } = start({ batchSize: 2, batchInterval: 1000 });
		for (let number = 0; number < 5; number += 1) enter(number);
		await soon();
		expect(started).toEqual([0, 1]);
		await jest.advanceTimersByTimeAsync(1000);
		expect(started).toEqual([0, 1, 2, 3]);
		await jest.advanceTimersByTimeAsync(1000);
		expect(started).toHaveLength(5);
	});

	test('each start at some time, and none while the service asks to wait', async () => {
		const steps = fc.array(
			fc.oneof(
				fc.record({ enter: fc.boolean() }),
				fc.record({ slowDown: fc.integer({ min: 1, max: 5000 }) }),
				fc.record({ leave: fc.boolean() }),
				fc.record({ wait: fc.integer({ min: 0, max: 3000 }) }),
			),
			{ maxLength: 40 },
		);
		const options = fc.record({ batchSize: fc.integer({ min: 1, max: 9 }), batchInterval: fc.constantFrom(0, 0, 700) });
		await fc.assert(
			fc.asyncProperty(options, steps, async (given, all) => {
				const { scheduler, started, enter, leave } = start(given);
				let entered = 0;
				let left = 0;
				let pausedUntil = 0;
				for (const step of all) {
					const before = started.length;
					const isPaused = Date.now() < pausedUntil;
					if ('enter' in step) enter((entered += 1), step.enter);
					if ('leave' in step && left < started.length) leave(((left += 1), step.leave));
					await settle();
					if (isPaused) expect(started).toHaveLength(before);
					if ('slowDown' in step) {
						scheduler.slowDown(step.slowDown);
						pausedUntil = Math.max(pausedUntil, Date.now() + step.slowDown);
					}
					if ('wait' in step) await jest.advanceTimersByTimeAsync(step.wait);
				}
				while (left < entered) {
					await jest.advanceTimersByTimeAsync(10_000);
					for (; left < started.length; left += 1) leave(true);
				}
				expect(started).toHaveLength(entered);
			}),
			{ numRuns: 50 },
		);
	});
});

describe('The number of concurrent requests', () => {
	test.each([
		[9, 5],
		[1, 1],
		[0, 1],
	])('is halved if the service rejects one of %d that are in flight, to %d', (inFlight, limit) => {
		const throttle = new Throttle();
		throttle.slowDown(100, inFlight);
		expect(throttle.limit).toBe(limit);
	});

	test('is halved once for requests that were sent before the slow-down, and again afterwards', async () => {
		const throttle = new Throttle();
		throttle.slowDown(100, 15);
		throttle.slowDown(100, 14);
		expect(throttle.limit).toBe(8);
		await jest.advanceTimersByTimeAsync(100);
		throttle.slowDown(100, 7);
		expect(throttle.limit).toBe(4);
	});

	test('grows again with successes, by half of one for as many as it allows', async () => {
		const throttle = new Throttle();
		throttle.slowDown(100, 3);
		await jest.advanceTimersByTimeAsync(100);
		throttle.succeeded();
		throttle.succeeded();
		expect(throttle.limit).toBeCloseTo(2.47, 2);
	});

	test('is none after 90 s in which the service rejected every request', async () => {
		const throttle = new Throttle();
		throttle.slowDown(100, 3);
		await jest.advanceTimersByTimeAsync(90_001);
		throttle.slowDown(100, 3);
		expect(throttle.refusal?.problem).toBe('the service has rejected all requests for 90 seconds');
		await jest.advanceTimersByTimeAsync(100);
		expect(throttle.refusal).toBeUndefined();
	});

	test('remains after 90 s in which one has succeeded', async () => {
		const throttle = new Throttle();
		throttle.slowDown(100, 3);
		await jest.advanceTimersByTimeAsync(80_000);
		throttle.succeeded();
		await jest.advanceTimersByTimeAsync(80_000);
		throttle.slowDown(100, 3);
		expect(throttle.refusal).toBeUndefined();
	});
});
