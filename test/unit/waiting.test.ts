import { getEventListeners } from 'node:events';

import { ExecutionStopped, TimeLimitReached } from '../../nodes/ProfilePage/errors';
import { abortable, pause, withTimeout } from '../../nodes/ProfilePage/waiting';

const never = new Promise<never>(() => undefined);

const LONG = 60_000;

describe('abortable', () => {
	test('settles as the work does if that comes before the signal', async () => {
		const { signal } = new AbortController();
		await expect(abortable(Promise.resolve(7), signal)).resolves.toBe(7);
		await expect(abortable(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
		await expect(abortable(Promise.resolve(7))).resolves.toBe(7);
	});

	test('throws when the signal aborts, also if it had aborted before', async () => {
		const controller = new AbortController();
		const waiting = abortable(never, controller.signal);
		controller.abort();
		await expect(waiting).rejects.toThrow(ExecutionStopped);
		await expect(abortable(never, controller.signal)).rejects.toThrow(ExecutionStopped);
	});

	test('adds no listeners to the signal itself, however many waits there are', async () => {
		const controller = new AbortController();
		const waits = Array.from({ length: 50 }, async () => await abortable(never, controller.signal));
		expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
		controller.abort();
		const outcomes = await Promise.allSettled(waits);
		expect(outcomes.map(({ status }) => status)).toEqual(Array(50).fill('rejected'));
	});
});

describe('withTimeout', () => {
	test('settles as the work does if that is in time', async () => {
		await expect(withTimeout(LONG, undefined, () => Promise.resolve(7))).resolves.toBe(7);
		const failing = withTimeout(LONG, undefined, () => Promise.reject(new Error('x')));
		await expect(failing).rejects.toThrow('x');
	});

	test.each([
		['ignores the signal', async () => await never],
		['throws an error of its own', async (signal: AbortSignal) => await rejectOnAbort(signal)],
	])('throws TimeLimitReached after the time limit, also if the work %s', async (_what, work) => {
		const begin = Date.now();
		await expect(withTimeout(50, undefined, work)).rejects.toThrow(TimeLimitReached);
		expect(Date.now() - begin).toBeGreaterThanOrEqual(45);
	});

	test.each([
		['ignores the signal', async () => await never],
		['throws an error of its own', async (signal: AbortSignal) => await rejectOnAbort(signal)],
	])('throws ExecutionStopped on cancellation, also if the work %s', async (_what, work) => {
		const controller = new AbortController();
		const waiting = withTimeout(LONG, controller.signal, work);
		controller.abort();
		await expect(waiting).rejects.toThrow(ExecutionStopped);
	});

	test('throws ExecutionStopped if the execution is stopped and the time is up as well', async () => {
		const controller = new AbortController();
		const waiting = withTimeout(10, controller.signal, async (signal) => {
			await rejectOnAbort(signal).catch(() => controller.abort());
		});
		await expect(waiting).rejects.toThrow(ExecutionStopped);
	});

	test('starts no work if the execution was stopped before', async () => {
		const work = jest.fn();
		const stopped = AbortSignal.abort();
		await expect(withTimeout(LONG, stopped, work)).rejects.toThrow(ExecutionStopped);
		expect(work).not.toHaveBeenCalled();
	});

	test('leaves an error of the work as it is while neither signal has aborted', async () => {
		const { signal } = new AbortController();
		const error = new Error('x');
		await expect(withTimeout(LONG, signal, () => Promise.reject(error))).rejects.toBe(error);
	});
});

async function rejectOnAbort(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) =>
		signal.addEventListener('abort', () => reject(new Error('canceled'))),
	);
}

test('a pause takes its time, and ends with the signal without an error', async () => {
	const begin = Date.now();
	await pause(50);
	expect(Date.now() - begin).toBeGreaterThanOrEqual(45);
	await pause(2000, AbortSignal.abort());
	expect(Date.now() - begin).toBeLessThan(1500);
});
