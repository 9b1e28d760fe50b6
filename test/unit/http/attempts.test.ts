import { type FailureDetails, ServiceError } from '../../../nodes/ProfilePage/shared/errors';
import { type RetryOptions, withRetries } from '../../../nodes/ProfilePage/transport/retries';
import { ExecutionCanceled } from '../../../nodes/ProfilePage/shared/waiting';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock();

/** Fails every attempt; returns the waits in milliseconds and the error. */
async function failAlways(details: FailureDetails, options: RetryOptions) {
	const times: number[] = [];
	const failing = withRetries(() => {
		times.push(Date.now());
		return Promise.reject(new ServiceError('It failed', 'Wait.', details));
	}, options).catch((error: unknown) => error as ServiceError);
	await jest.runAllTimersAsync();
	const waits = times.slice(1).map((time, index) => time - times[index]!);
	return { waits, error: await failing };
}

test.each([
	[0, [500, 1000, 2000, 4000]],
	[1, [250, 500, 1000, 2000]],
])(
	'the wait doubles with each retry, with a jitter of up to one half (Math.random: %p)',
	async (random, waits) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const outcome = await failAlways({ isTransient: true }, { maxRetries: 4 });
		expect(outcome.waits).toEqual(waits);
		expect(outcome.error.text).toBe('It failed. Wait. Attempts: 5.');
	},
);

test('a retry never waits shorter than Retry-After', async () => {
	for (const random of [0, 0.999]) {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const { waits } = await failAlways({ isTransient: true, retryAfter: 7000 }, { maxRetries: 1 });
		expect(waits[0]).toBeGreaterThanOrEqual(7000);
		expect(waits[0]).toBeLessThanOrEqual(7250);
	}
});

test('a retry waits at most 30 s, even if Retry-After is longer', async () => {
	const { waits } = await failAlways(
		{ isTransient: true, retryAfter: 86_400_000 },
		{ maxRetries: 2 },
	);
	expect(waits).toEqual([30_000, 30_000]);
});

test('all retries together wait at most 90 s', async () => {
	const details = { isTransient: true, retryAfter: 30_000 };
	const { waits, error } = await failAlways(details, { maxRetries: 10 });
	expect(waits).toEqual([30_000, 30_000, 30_000]);
	expect(error.text).toBe('It failed. Wait. Attempts: 4.');
	expect(error.details).toEqual(details);
});

test('a failure that is not transient is not retried', async () => {
	const { waits, error } = await failAlways({ status: 400 }, { maxRetries: 5 });
	expect(waits).toEqual([]);
	expect(error.text).toBe('It failed. Wait.');
});

test('a request that is not idempotent is retried only if it was not applied', async () => {
	const options = { maxRetries: 2, idempotent: false };
	const uncertain = await failAlways({ isTransient: true }, options);
	expect(uncertain.waits).toEqual([]);
	expect(uncertain.error.text).toBe('It failed. Wait.');
	const certain = await failAlways({ isTransient: true, isNotApplied: true }, options);
	expect(certain.waits).toHaveLength(2);
});

test('an error that is not a failure of the service is rethrown without a retry', async () => {
	const canceled = new ExecutionCanceled();
	const attempt = jest.fn(async () => await Promise.reject(canceled));
	await expect(withRetries(attempt, { maxRetries: 5 })).rejects.toBe(canceled);
	expect(attempt).toHaveBeenCalledTimes(1);
});

test('a successful attempt returns its value', async () => {
	let attempts = 0;
	const succeeding = withRetries(
		() => {
			attempts += 1;
			return attempts < 3
				? Promise.reject(new ServiceError('Busy', '', { isTransient: true }))
				: Promise.resolve('the value');
		},
		{ maxRetries: 2 },
	);
	await jest.runAllTimersAsync();
	expect(await succeeding).toBe('the value');
});

test('canceling the execution ends the wait before a retry', async () => {
	const controller = new AbortController();
	const attempt = jest.fn(async () => {
		if (controller.signal.aborted) throw new ExecutionCanceled();
		return await Promise.reject(
			new ServiceError('Busy', '', { isTransient: true, retryAfter: 9000 }),
		);
	});
	const failing = withRetries(attempt, { maxRetries: 5, signal: controller.signal });
	const outcome = expect(failing).rejects.toThrow(ExecutionCanceled);
	await jest.advanceTimersByTimeAsync(10);
	controller.abort();
	await outcome;
	expect(attempt).toHaveBeenCalledTimes(2);
});

test('an attempt is told whether an earlier one may have been applied', async () => {
	const failures = [
		{ isTransient: true, isNotApplied: true },
		{ isTransient: true },
		{ isTransient: true, isNotApplied: true },
	];
	const mayBeApplied: boolean[] = [];
	const succeeding = withRetries(
		async (isRepeated) => {
			mayBeApplied.push(isRepeated);
			const details = failures.shift();
			if (details) throw new ServiceError('Busy', '', details);
			return await Promise.resolve('the value');
		},
		{ maxRetries: 3 },
	);
	await jest.runAllTimersAsync();
	expect(await succeeding).toBe('the value');
	expect(mayBeApplied).toEqual([false, false, true, true]);
});

test('attempts that several executions waited for together are not counted', async () => {
	const details = { isTransient: true, isShared: true };
	const { waits, error } = await failAlways(details, { maxRetries: 2 });
	expect(waits).toHaveLength(2);
	expect(error.text).toBe('It failed. Wait.');
});

test('the advice of an error without any is the number of attempts', async () => {
	const failing = withRetries(
		async () => await Promise.reject(new ServiceError('Busy', '', { isTransient: true })),
		{ maxRetries: 1 },
	);
	const outcome = expect(failing).rejects.toMatchObject({ text: 'Busy. Attempts: 2.' });
	await jest.runAllTimersAsync();
	await outcome;
});
