import {
	ExecutionStopped,
	type FailureDetails,
	ServiceError,
} from '../../nodes/ProfilePage/errors';
import { type RetryOptions, withRetries } from '../../nodes/ProfilePage/transport/retries';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Lets every attempt fail; tells how long each wait was, in milliseconds, and what was thrown. */
async function failAlways(details: FailureDetails, options: RetryOptions) {
	const times: number[] = [];
	const failing = withRetries(() => {
		times.push(Date.now());
		return Promise.reject(new ServiceError('It failed.', details));
	}, options).catch((error: unknown) => error as ServiceError);
	await jest.runAllTimersAsync();
	const waits = times.slice(1).map((time, index) => time - times[index]!);
	return { waits, error: await failing };
}

test.each([
	[0, [500, 1000, 2000, 4000]],
	[0.999_999, [250, 500, 1000, 2000]],
])('waits grow twofold, with a jitter of up to a half (%p)', async (random, waits) => {
	jest.spyOn(Math, 'random').mockReturnValue(random);
	const outcome = await failAlways({ isTransient: true }, { maxRetries: 4 });
	expect(outcome.waits.map(Math.round)).toEqual(waits);
	expect(outcome.error.message).toBe('It failed. Attempts: 5.');
});

test('what the service asks for is never undercut', async () => {
	for (const random of [0, 0.999]) {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const { waits } = await failAlways({ isTransient: true, retryAfter: 7000 }, { maxRetries: 1 });
		expect(waits[0]).toBeGreaterThanOrEqual(7000);
		expect(waits[0]).toBeLessThanOrEqual(7250);
	}
});

test('a wait is at most 30 s, whatever the service asks for', async () => {
	const { waits } = await failAlways(
		{ isTransient: true, retryAfter: 86_400_000 },
		{ maxRetries: 2 },
	);
	expect(waits).toEqual([30_000, 30_000]);
});

test('all waits together are at most 90 s', async () => {
	const details = { isTransient: true, retryAfter: 30_000 };
	const { waits, error } = await failAlways(details, { maxRetries: 10 });
	expect(waits).toEqual([30_000, 30_000, 30_000]);
	expect(error.message).toBe('It failed. Attempts: 4.');
	expect(error.details).toEqual(details);
});

test('a failure that is not transient is not retried', async () => {
	const { waits, error } = await failAlways({ answerStatus: 400 }, { maxRetries: 5 });
	expect(waits).toEqual([]);
	expect(error.message).toBe('It failed.');
});

test('a request that is not idempotent is retried only if it was not applied', async () => {
	const options = { maxRetries: 2, isIdempotent: false };
	const uncertain = await failAlways({ isTransient: true }, options);
	expect(uncertain.waits).toEqual([]);
	expect(uncertain.error.message).toBe('It failed.');
	const certain = await failAlways({ isTransient: true, isNotApplied: true }, options);
	expect(certain.waits).toHaveLength(2);
});

test('an error that is not a failure of the service is not retried, and is thrown as it is', async () => {
	const stopped = new ExecutionStopped();
	const attempt = jest.fn(async () => await Promise.reject(stopped));
	await expect(withRetries(attempt, { maxRetries: 5 })).rejects.toBe(stopped);
	expect(attempt).toHaveBeenCalledTimes(1);
});

test('an attempt that succeeds gives its value', async () => {
	let tries = 0;
	const succeeding = withRetries(
		() => {
			tries += 1;
			return tries < 3
				? Promise.reject(new ServiceError('Busy.', { isTransient: true }))
				: Promise.resolve('the value');
		},
		{ maxRetries: 2 },
	);
	await jest.runAllTimersAsync();
	expect(await succeeding).toBe('the value');
});

test('a wait ends when the execution is stopped', async () => {
	const controller = new AbortController();
	const attempt = jest.fn(async () => {
		if (controller.signal.aborted) throw new ExecutionStopped();
		return await Promise.reject(new ServiceError('Busy.', { isTransient: true, retryAfter: 9000 }));
	});
	const failing = withRetries(attempt, { maxRetries: 5, signal: controller.signal });
	const outcome = expect(failing).rejects.toThrow(ExecutionStopped);
	await jest.advanceTimersByTimeAsync(10);
	controller.abort();
	await outcome;
	expect(attempt).toHaveBeenCalledTimes(2);
});
