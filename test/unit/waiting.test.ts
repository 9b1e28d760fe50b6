import { getEventListeners } from 'node:events';

import { ExecutionStopped } from '../../nodes/ProfilePage/explainedErrors';
import { orStopped, pause } from '../../nodes/ProfilePage/waiting';

const never = new Promise<never>(() => undefined);

test('what comes before the signal is passed on, be it a value or an error', async () => {
	const { signal } = new AbortController();
	await expect(orStopped(Promise.resolve(7), signal)).resolves.toBe(7);
	await expect(orStopped(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
	await expect(orStopped(Promise.resolve(7))).resolves.toBe(7);
});

test('the signal ends the wait, also if it came before', async () => {
	const controller = new AbortController();
	const waiting = orStopped(never, controller.signal);
	controller.abort();
	await expect(waiting).rejects.toThrow(ExecutionStopped);
	await expect(orStopped(never, controller.signal)).rejects.toThrow(ExecutionStopped);
});

test('many waits at once are no crowd of listeners at the signal', async () => {
	const controller = new AbortController();
	const waits = Array.from({ length: 50 }, async () => await orStopped(never, controller.signal));
	expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
	controller.abort();
	const outcomes = await Promise.allSettled(waits);
	expect(outcomes.map(({ status }) => status)).toEqual(Array(50).fill('rejected'));
});

test('a pause takes its time, and ends with the signal without an error', async () => {
	const begin = Date.now();
	await pause(50);
	expect(Date.now() - begin).toBeGreaterThanOrEqual(45);
	await pause(2000, AbortSignal.abort());
	expect(Date.now() - begin).toBeLessThan(1500);
});
