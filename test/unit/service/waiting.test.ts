import { getEventListeners } from 'node:events';

import { done, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { Cached, pause, withTimeout } from '../../../nodes/ProfilePage/service/waiting';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock();

const never = async () => await new Promise<never>(() => undefined);

const LONG = 60_000;
const TIMED_OUT = requestFailure('it took too long');
const FAILED = requestFailure('it failed');
const CANCELED = { ...STOPPED, outcome: 'unknown' };

/** Work that fails when its signal aborts. */
async function failOnAbort(signal: AbortSignal) {
	return await new Promise<typeof FAILED>((resolve) => signal.addEventListener('abort', () => resolve(FAILED)));
}

describe('withTimeout', () => {
	test.each([
		['without a signal', undefined],
		['with the signal of an execution', new AbortController().signal],
	])('ends like the work if the work ends in time, %s', async (_what, signal) => {
		expect(await withTimeout(LONG, signal, TIMED_OUT, async () => await Promise.resolve(done(7)))).toEqual(done(7));
		expect(await withTimeout(LONG, signal, TIMED_OUT, async () => await Promise.resolve(FAILED))).toBe(FAILED);
		const error = new Error('x');
		await expect(withTimeout(LONG, signal, TIMED_OUT, () => Promise.reject(error))).rejects.toBe(error);
	});

	test.each([
		['ignores the signal', never],
		['fails in its own way', failOnAbort],
	])('returns the given failure after the time limit, even if the work %s', async (_what, work) => {
		const settled = jest.fn();
		const waiting = withTimeout(50, undefined, TIMED_OUT, work).finally(settled);
		await jest.advanceTimersByTimeAsync(49);
		expect(settled).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(1);
		expect(await waiting).toBe(TIMED_OUT);
	});

	test.each([
		['ignores the signal', never],
		['fails in its own way', failOnAbort],
	])('has an unknown outcome if the execution is canceled, even if the work %s', async (_what, work) => {
		const controller = new AbortController();
		const waiting = withTimeout(LONG, controller.signal, TIMED_OUT, work);
		controller.abort();
		expect(await waiting).toEqual(CANCELED);
	});

	test('is canceled if the time limit has passed too', async () => {
		const controller = new AbortController();
		const waiting = withTimeout(10, controller.signal, TIMED_OUT, async (signal) => {
			signal.addEventListener('abort', () => controller.abort());
			return await never();
		});
		await jest.advanceTimersByTimeAsync(10);
		expect(await waiting).toEqual(CANCELED);
	});

	test('starts no work if the execution has already been canceled', async () => {
		const work = jest.fn();
		expect(await withTimeout(LONG, AbortSignal.abort(), TIMED_OUT, work)).toBe(STOPPED);
		expect(work).not.toHaveBeenCalled();
	});

	test('adds no listeners to the signal of the execution for any number of waits', async () => {
		const controller = new AbortController();
		const waits = Array.from({ length: 50 }, async () => await withTimeout(LONG, controller.signal, TIMED_OUT, never));
		expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
		controller.abort();
		expect(await Promise.all(waits)).toEqual(Array(50).fill(CANCELED));
	});

	test('removes its listener from the signal of the work when the work ends', async () => {
		let signal: AbortSignal | undefined;
		await withTimeout(LONG, undefined, TIMED_OUT, async (given) => {
			signal = given;
			expect(getEventListeners(given, 'abort')).toHaveLength(1);
			return await Promise.resolve(done(1));
		});
		expect(getEventListeners(signal!, 'abort')).toHaveLength(0);
	});
});

describe('pause', () => {
	test.each([
		[50, 50],
		[49.5, 50],
		[0, 0],
		[-5, 0],
	])('of %p ms ends after %p ms', async (milliseconds, duration) => {
		const settled = jest.fn();
		const pausing = pause(milliseconds).finally(settled);
		if (duration > 0) await jest.advanceTimersByTimeAsync(duration - 1);
		expect(settled).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(duration > 0 ? 1 : 0);
		await expect(pausing).resolves.toBeUndefined();
	});

	test('ends without an error when the execution is canceled', async () => {
		const controller = new AbortController();
		const pausing = pause(LONG, controller.signal);
		await jest.advanceTimersByTimeAsync(LONG - 1);
		controller.abort();
		await expect(pausing).resolves.toBeUndefined();
	});

	test('ends at once if the execution has already been canceled', async () => {
		await expect(pause(LONG, AbortSignal.abort())).resolves.toBeUndefined();
	});
});

/** Work that settles when the test resolves or rejects it, and counts how often it starts. */
function startable() {
	let settle: { resolve: (value: string) => void; reject: (error: Error) => void };
	const work = jest.fn(
		async () =>
			await new Promise<string>((resolve, reject) => {
				settle = { resolve, reject };
			}),
	);
	return {
		work,
		resolve: (value: string) => settle.resolve(value),
		reject: (error: Error) => settle.reject(error),
	};
}

describe('Cached without a lifetime', () => {
	test('shares the result of work between concurrent callers with the same key', async () => {
		const flights = new Cached<string>();
		const { work, resolve } = startable();
		const callers = [1, 2, 3].map(async () => await flights.get(work, 'key'));
		resolve('token');
		expect(await Promise.all(callers)).toEqual(['token', 'token', 'token']);
		expect(work).toHaveBeenCalledTimes(1);
	});

	test('shares the failure of work between concurrent callers with the same key', async () => {
		const flights = new Cached<string>();
		const { work, reject } = startable();
		const callers = [1, 2, 3].map(async () => await flights.get(work, 'key'));
		const error = new Error('no token');
		reject(error);
		const outcomes = await Promise.allSettled(callers);
		expect(outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: error }));
		expect(work).toHaveBeenCalledTimes(1);
	});

	test.each([
		['succeeded', async () => await Promise.resolve('first')],
		['failed', async () => await Promise.reject(new Error('no token'))],
	])('does not keep work that has %s for later callers', async (_what, work) => {
		const flights = new Cached<string>();
		await flights.get(work, 'key').catch(() => undefined);
		expect(await flights.get(async () => await Promise.resolve('second'), 'key')).toBe('second');
	});

	test('shares nothing between callers with different keys', async () => {
		const flights = new Cached<string>();
		const [one, other] = [startable(), startable()];
		const results = [flights.get(one.work, 'one'), flights.get(other.work, 'other')];
		other.resolve('b');
		expect(await results[1]).toBe('b');
		one.resolve('a');
		expect(await results[0]).toBe('a');
	});
});

describe('Cached', () => {
	test('makes a value once for all who ask at the same time, and keeps it for its lifetime', async () => {
		const cached = new Cached<number>(() => 100);
		let made = 0;
		const make = async () => await Promise.resolve((made += 1));
		expect(await Promise.all([cached.get(make), cached.get(make)])).toEqual([1, 1]);
		await jest.advanceTimersByTimeAsync(99);
		expect(await cached.get(make)).toBe(1);
		await jest.advanceTimersByTimeAsync(1);
		expect(await cached.get(make)).toBe(2);
	});

	test('makes another value after it expired, even while one is being made', async () => {
		const cached = new Cached<number>(() => Infinity);
		const first = cached.get(never);
		cached.expire();
		expect(await cached.get(async () => await Promise.resolve(2))).toBe(2);
		expect(await Promise.race([first, Promise.resolve('still waiting')])).toBe('still waiting');
	});

	test('does not keep an error', async () => {
		const cached = new Cached<number>(() => Infinity);
		await expect(cached.get(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
		expect(await cached.get(async () => await Promise.resolve(1))).toBe(1);
	});
});
