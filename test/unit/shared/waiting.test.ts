import { getEventListeners } from 'node:events';

import { ExecutionCanceled } from '../../../nodes/ProfilePage/shared/errors';
import { pause, SingleFlight, TimedOut, withTimeout } from '../../../nodes/ProfilePage/shared/waiting';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock();

const never = async () => await new Promise<never>(() => undefined);

const LONG = 60_000;

/** Work that throws an error of its own when its signal aborts. */
async function rejectOnAbort(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

describe('withTimeout', () => {
	test.each([
		['without a signal', undefined],
		['with the signal of an execution', new AbortController().signal],
	])('settles like the work if the work ends in time, %s', async (_what, signal) => {
		await expect(withTimeout(LONG, signal, () => Promise.resolve(7))).resolves.toBe(7);
		const error = new Error('x');
		await expect(withTimeout(LONG, signal, () => Promise.reject(error))).rejects.toBe(error);
	});

	test.each([
		['ignores the signal', never],
		['throws an error of its own', rejectOnAbort],
	])('throws TimedOut after the time limit, even if the work %s', async (_what, work) => {
		const settled = jest.fn();
		const waiting = withTimeout(50, undefined, work).finally(settled);
		const outcome = expect(waiting).rejects.toThrow(TimedOut);
		await jest.advanceTimersByTimeAsync(49);
		expect(settled).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(1);
		await outcome;
	});

	test.each([
		['ignores the signal', never],
		['throws an error of its own', rejectOnAbort],
	])('throws ExecutionCanceled on cancellation, even if the work %s', async (_what, work) => {
		const controller = new AbortController();
		const waiting = withTimeout(LONG, controller.signal, work);
		controller.abort();
		await expect(waiting).rejects.toThrow(ExecutionCanceled);
	});

	test('throws ExecutionCanceled if the execution is canceled and the time limit has passed too', async () => {
		const controller = new AbortController();
		const waiting = withTimeout(10, controller.signal, async (signal) => {
			signal.addEventListener('abort', () => controller.abort());
			await never();
		});
		const outcome = expect(waiting).rejects.toThrow(ExecutionCanceled);
		await jest.advanceTimersByTimeAsync(10);
		await outcome;
	});

	test('throws ExecutionCanceled if the work fails and the execution is canceled', async () => {
		const controller = new AbortController();
		const waiting = withTimeout(LONG, controller.signal, () => {
			const failed = Promise.reject(new Error('x'));
			void Promise.resolve().then(() => controller.abort());
			return failed;
		});
		await expect(waiting).rejects.toThrow(ExecutionCanceled);
	});

	test('starts no work if the execution has already been canceled', async () => {
		const work = jest.fn();
		const canceled = AbortSignal.abort();
		await expect(withTimeout(LONG, canceled, work)).rejects.toThrow(ExecutionCanceled);
		expect(work).not.toHaveBeenCalled();
	});

	test('says whether the work had begun when the execution was canceled', async () => {
		const controller = new AbortController();
		const waiting = withTimeout(LONG, controller.signal, never);
		controller.abort();
		await expect(waiting).rejects.toMatchObject({ history: 'may be applied', isInFlight: true });
		const late = withTimeout(LONG, controller.signal, never);
		await expect(late).rejects.toMatchObject({ history: 'not sent', isInFlight: false });
	});

	test('adds no listeners to the signal of the execution for any number of waits', async () => {
		const controller = new AbortController();
		const waits = Array.from({ length: 50 }, async () => await withTimeout(LONG, controller.signal, never));
		expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
		controller.abort();
		const outcomes = await Promise.allSettled(waits);
		expect(outcomes.map(({ status }) => status)).toEqual(Array(50).fill('rejected'));
	});

	test('removes its listener from the signal of the work when the work ends', async () => {
		let signal: AbortSignal | undefined;
		await withTimeout(LONG, undefined, async (given) => {
			signal = given;
			expect(getEventListeners(given, 'abort')).toHaveLength(1);
			await Promise.resolve();
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

describe('SingleFlight', () => {
	test('shares the result of work between concurrent callers with the same key', async () => {
		const flights = new SingleFlight<string>();
		const { work, resolve } = startable();
		const callers = [1, 2, 3].map(async () => await flights.run('key', work));
		resolve('token');
		expect(await Promise.all(callers)).toEqual(['token', 'token', 'token']);
		expect(work).toHaveBeenCalledTimes(1);
	});

	test('shares the failure of work between concurrent callers with the same key', async () => {
		const flights = new SingleFlight<string>();
		const { work, reject } = startable();
		const callers = [1, 2, 3].map(async () => await flights.run('key', work));
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
		const flights = new SingleFlight<string>();
		await flights.run('key', work).catch(() => undefined);
		expect(await flights.run('key', async () => await Promise.resolve('second'))).toBe('second');
	});

	test('shares nothing between callers with different keys', async () => {
		const flights = new SingleFlight<string>();
		const [one, other] = [startable(), startable()];
		const results = [flights.run('one', one.work), flights.run('other', other.work)];
		other.resolve('b');
		expect(await results[1]).toBe('b');
		one.resolve('a');
		expect(await results[0]).toBe('a');
	});
});
