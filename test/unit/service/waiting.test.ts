import { getEventListeners } from 'node:events';

import { requestFailure, stopped } from '../../../nodes/ProfilePage/shared/failure';
import { pause, unlessAborted, withTimeout } from '../../../nodes/ProfilePage/service/waiting';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock();

const never = async () => await new Promise<never>(() => undefined);

const LONG = 60_000;
const TIMED_OUT = requestFailure('it took too long');
const timedOut = () => TIMED_OUT;
const CANCELED = { data: { ...stopped('unknown').data } };

/** Work that fails when its signal aborts. */
const failOnAbort = async (signal: AbortSignal) =>
	await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

const WORK = [
	['ignores the signal', never],
	['fails in its own way', failOnAbort],
] as const;

describe('withTimeout', () => {
	test.each([undefined, new AbortController().signal])('ends like the work if that ends in time', async (signal) => {
		expect(await withTimeout(LONG, signal, timedOut, async () => await Promise.resolve(7))).toBe(7);
		const error = new Error('x');
		await expect(withTimeout(LONG, signal, timedOut, () => Promise.reject(error))).rejects.toBe(error);
	});

	test.each(WORK)('throws the given failure after the time limit, even if the work %s', async (_what, work) => {
		const ended = jest.fn();
		void withTimeout(50, undefined, timedOut, work).catch(ended);
		await jest.advanceTimersByTimeAsync(49);
		expect(ended).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(1);
		expect(ended).toHaveBeenCalledWith(TIMED_OUT);
	});

	test.each(WORK)('has an unknown outcome if it is canceled, even if the work %s', async (_what, work) => {
		const controller = new AbortController();
		const waiting = withTimeout(LONG, controller.signal, timedOut, work);
		controller.abort();
		await expect(waiting).rejects.toMatchObject(CANCELED);
	});

	test('starts no work if the execution has already been canceled', async () => {
		const work = jest.fn();
		await expect(withTimeout(LONG, AbortSignal.abort(), timedOut, work)).rejects.toMatchObject({
			data: stopped().data,
		});
		expect(work).not.toHaveBeenCalled();
	});

	test('adds no listeners to the signal of the execution or of the work: of more than ten, Node.js warns', async () => {
		const { signal } = new AbortController();
		await withTimeout(LONG, signal, timedOut, async (given) => {
			await unlessAborted(signal, async () => {
				expect([signal, given].map((each) => getEventListeners(each, 'abort').length)).toEqual([0, 0]);
				await Promise.resolve();
			});
		});
	});
});

describe('pause', () => {
	test.each([
		[50, 50],
		[49.5, 50],
		[0, 0],
		[-5, 0],
	])('of %p ms ends after %p ms', async (milliseconds, duration) => {
		const ended = jest.fn();
		void pause(milliseconds).then(ended);
		if (duration > 0) await jest.advanceTimersByTimeAsync(duration - 1);
		expect(ended).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(duration > 0 ? 1 : 0);
		expect(ended).toHaveBeenCalled();
	});

	test('ends when the execution is canceled, or at once if it has been', async () => {
		const controller = new AbortController();
		const pausing = pause(LONG, controller.signal);
		controller.abort();
		await expect(pausing).resolves.toBeUndefined();
		await expect(pause(LONG, controller.signal)).resolves.toBeUndefined();
	});
});
