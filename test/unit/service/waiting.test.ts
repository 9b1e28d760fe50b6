import { getEventListeners } from 'node:events';

import { done, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { pause, withTimeout } from '../../../nodes/ProfilePage/service/waiting';
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
