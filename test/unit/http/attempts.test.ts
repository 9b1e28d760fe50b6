import { Attempts, type RetryOptions } from '../../../nodes/ProfilePage/http/attempts';
import { Pacer } from '../../../nodes/ProfilePage/http/pacer';
import {
	ExecutionCanceled,
	type FailureDetails,
	historyOf,
	ServiceError,
} from '../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const busy = (details: FailureDetails) => new ServiceError('It failed', 'Wait.', details);

/** Fails every attempt; returns the waits in milliseconds and the final error. */
async function failAlways(details: FailureDetails, options: RetryOptions) {
	const attempts = new Attempts(options);
	const times = [Date.now()];
	const fail = async () => {
		for (;;) {
			const { final, wait } = attempts.fail(busy(details));
			if (final) return final as ServiceError;
			await wait;
			times.push(Date.now());
		}
	};
	const failing = fail();
	await jest.runAllTimersAsync();
	const waits = times.slice(1).map((time, index) => time - times[index]!);
	return { waits, error: await failing };
}

/** Notes failures one after another; returns what the last one leads to, after its wait. */
async function failWith(attempts: Attempts, ...failures: readonly unknown[]): Promise<unknown> {
	let final: unknown;
	for (const failure of failures) {
		const failed = attempts.fail(failure);
		await jest.runAllTimersAsync();
		await failed.wait;
		final = failed.final;
	}
	return final;
}

const sum = (waits: readonly number[]) => waits.reduce((total, wait) => total + wait, 0);

describe('The wait before a retry', () => {
	test.each([
		[0, [500, 1000, 2000, 4000]],
		[1, [250, 500, 1000, 2000]],
	])('doubles with each retry, with a jitter of up to one half (Math.random: %p)', async (random, waits) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const outcome = await failAlways({ isTransient: true }, { maxRetries: 4 });
		expect(outcome.waits).toEqual(waits);
		expect(outcome.error.text).toBe('It failed. Wait. Attempts: 5.');
	});

	test('is at most 30 s, unless the service asks for more', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const { waits } = await failAlways({ isTransient: true }, { maxRetries: 10 });
		expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
		const asked = { isTransient: true, retryAfter: 40_000 };
		expect((await failAlways(asked, { maxRetries: 1 })).waits).toEqual([40_000]);
	});

	test('is never shorter than Retry-After', async () => {
		for (const [random, wait] of [
			[0, 7000],
			[1, 7250],
		] as const) {
			jest.spyOn(Math, 'random').mockReturnValue(random);
			const details = { isTransient: true, retryAfter: 7000 };
			const { waits } = await failAlways(details, { maxRetries: 1 });
			expect(waits).toEqual([wait]);
		}
	});

	test('ends when the execution is canceled', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		const attempts = new Attempts({ maxRetries: 5, signal });
		const { final, wait } = attempts.fail(busy({ isTransient: true, retryAfter: 9000 }));
		expect(final).toBeUndefined();
		await jest.advanceTimersByTimeAsync(10);
		controller.abort();
		await wait;
		expect(Date.now()).toBe(NOW + 10);
	});

	test('does not begin if the execution has already been canceled', () => {
		const attempts = new Attempts({ maxRetries: 5, signal: AbortSignal.abort() });
		expect(attempts.fail(busy({ isTransient: true })).final).toBeInstanceOf(ServiceError);
	});
});

describe('All retries of a request', () => {
	test('together wait at most 90 s, and then the error says how long the service asks to wait', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const details = { isTransient: true, retryAfter: 30_000 };
		const { waits, error } = await failAlways(details, { maxRetries: 10 });
		expect(waits).toEqual([30_000, 30_000, 30_000]);
		expect(error.text).toBe('It failed. Wait. The service asks to wait until 2030-01-01 00:02 UTC. Attempts: 4.');
		expect(error.details).toEqual({ ...details, history: 'may be applied' });
	});

	test('are none if Retry-After is longer, and then the error says how long it is', async () => {
		const details: FailureDetails = {
			status: 429,
			isTransient: true,
			history: 'rejected',
			retryAfter: 86_400_000,
		};
		const { waits, error } = await failAlways(details, { maxRetries: 2 });
		expect(waits).toEqual([]);
		expect(error.text).toBe('It failed. Wait. The service asks to wait until 2030-01-02 00:00 UTC.');
	});

	test('are none if the maximum is zero', async () => {
		const details: FailureDetails = { status: 429, isTransient: true, history: 'rejected' };
		const { waits, error } = await failAlways(details, { maxRetries: 0 });
		expect(waits).toEqual([]);
		expect(error.text).toBe('It failed. Wait.');
	});

	test('are none if the failure is not transient', async () => {
		const { waits, error } = await failAlways({ status: 400 }, { maxRetries: 5 });
		expect(waits).toEqual([]);
		expect(error.text).toBe('It failed. Wait.');
	});

	test('are none if the request is not idempotent, unless it was not applied', async () => {
		const options = { maxRetries: 2, idempotent: false };
		const uncertain = await failAlways({ isTransient: true }, options);
		expect(uncertain.waits).toEqual([]);
		expect(uncertain.error.text).toBe('It failed. Wait.');
		for (const history of ['rejected', 'not sent'] as const) {
			const certain = await failAlways({ isTransient: true, history }, options);
			expect(certain.waits).toHaveLength(2);
		}
	});

	test('are none if the request is not idempotent and a rate limit does not say that it was not applied', async () => {
		const details = { status: 503, isTransient: true, retryAfter: 1000 };
		const { waits } = await failAlways(details, { maxRetries: 2, idempotent: false });
		expect(waits).toEqual([]);
	});
});

describe('A rate limit', () => {
	test.each<[string, FailureDetails]>([
		['with HTTP 429', { status: 429, isTransient: true, history: 'rejected' }],
		['with Retry-After', { status: 503, isTransient: true, history: 'rejected', retryAfter: 8000 }],
	])('%s that is a rejection does not count towards the maximum, but its waits end after 90 s', (_how, details) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const pacer = new Pacer({});
		const slowDown = jest.spyOn(pacer, 'slowDown').mockReturnValue();
		const attempts = new Attempts({ maxRetries: 1, pacer });
		let final: unknown;
		while (!final) ({ final } = attempts.fail(busy(details)));
		const error = final as ServiceError;
		// The last one is not waited for.
		const waits = slowDown.mock.calls.map(([wait]) => wait).slice(0, -1);
		expect(waits.length).toBeGreaterThan(6);
		expect(sum(waits)).toBeGreaterThan(60_000);
		expect(sum(waits)).toBeLessThanOrEqual(90_000);
		expect(error.advice).toContain(`Attempts: ${waits.length + 1}.`);
	});

	test('of which it is unknown whether the request was applied counts towards the maximum', async () => {
		const details = { status: 503, isTransient: true, retryAfter: 1000 };
		expect((await failAlways(details, { maxRetries: 2 })).waits).toHaveLength(2);
	});

	test('leaves the maximum for other failures', async () => {
		const limit = busy({ status: 429, isTransient: true, history: 'rejected' });
		const attempts = new Attempts({ maxRetries: 1, pacer: new Pacer({}) });
		expect(await failWith(attempts, limit, limit, busy({ isTransient: true }), limit)).toBe(undefined);
		expect(await failWith(attempts, busy({ isTransient: true }))).toBeInstanceOf(ServiceError);
	});

	test('counts towards the maximum where no pacer makes all requests wait, as for a token', async () => {
		const details: FailureDetails = { status: 429, isTransient: true, history: 'rejected' };
		expect((await failAlways(details, { maxRetries: 2 })).waits).toHaveLength(2);
	});

	test('makes the pacer wait, and the next attempt waits there', () => {
		const pacer = new Pacer({});
		const slowDown = jest.spyOn(pacer, 'slowDown');
		const attempts = new Attempts({ maxRetries: 1, pacer });
		const details: FailureDetails = { status: 429, isTransient: true, retryAfter: 7000 };
		expect(attempts.fail(busy(details))).toEqual({});
		expect(slowDown).toHaveBeenCalledTimes(1);
		expect(slowDown.mock.calls[0]![0]).toBeGreaterThanOrEqual(7000);
	});

	test('makes the pacer wait for other requests, even if this one is not sent again', async () => {
		const pacer = new Pacer({});
		const slowDown = jest.spyOn(pacer, 'slowDown');
		const details = { status: 503, isTransient: true, retryAfter: 7000 };
		await failWith(new Attempts({ maxRetries: 0, pacer }), busy(details));
		expect(slowDown).toHaveBeenCalledTimes(1);
	});

	test.each<[string, FailureDetails]>([
		['a failure without Retry-After', { status: 503, isTransient: true }],
		['a failure that is not transient', { status: 400, retryAfter: 7000 }],
	])('is not %s, which makes only its own request wait', async (_what, details) => {
		const pacer = new Pacer({});
		const slowDown = jest.spyOn(pacer, 'slowDown');
		const { waits } = await failAlways(details, { maxRetries: 1, pacer });
		expect(waits).toHaveLength(details.isTransient ? 1 : 0);
		expect(slowDown).not.toHaveBeenCalled();
	});
});

describe('The final error', () => {
	test('is the same if it is not a failure of the service', () => {
		const unexpected = new TypeError('x is not a function');
		expect(new Attempts({ maxRetries: 5 }).fail(unexpected).final).toBe(unexpected);
	});

	test('of a canceled execution has the history of all attempts', async () => {
		const attempts = new Attempts({ maxRetries: 5 });
		const uncertain = busy({ isTransient: true });
		expect(await failWith(attempts, uncertain, new ExecutionCanceled())).toMatchObject({
			history: 'may be applied',
			isInFlight: false,
		});
		const inFlight = new ExecutionCanceled('may be applied', true);
		const final = await failWith(new Attempts({ maxRetries: 5 }), inFlight);
		expect(final).toMatchObject({ history: 'may be applied', isInFlight: true });
	});

	test('says whether any of the attempts may have been applied', async () => {
		const rejected = busy({ isTransient: true, history: 'rejected' });
		const uncertain = busy({ isTransient: true });
		const options = { maxRetries: 1 };
		expect(historyOf(await failWith(new Attempts(options), rejected, rejected))).toBe('rejected');
		for (const failures of [
			[rejected, uncertain],
			[uncertain, rejected],
		]) {
			const final = await failWith(new Attempts(options), ...failures);
			expect(historyOf(final)).toBe('may be applied');
		}
	});

	test('says whether the request may have been applied in an earlier try of the node', () => {
		const rejected = busy({ history: 'rejected' });
		const attempts = new Attempts({ maxRetries: 0, history: 'may be applied' });
		expect(historyOf(attempts.fail(rejected).final)).toBe('may be applied');
	});

	test('is put into words with its history, before the number of attempts is added', async () => {
		const inWords = jest.fn((error: ServiceError) => new ServiceError('In words', 'Look.', error.details));
		const attempts = new Attempts({ maxRetries: 1, inWords });
		const final = await failWith(attempts, busy({ isTransient: true }), busy({ status: 400 }));
		expect(final).toMatchObject({ text: 'In words. Look. Attempts: 2.' });
		expect(inWords).toHaveBeenCalledTimes(1);
		expect(inWords.mock.calls[0]![0].details).toEqual({ status: 400, history: 'may be applied' });
	});

	test('does not count attempts that several executions waited for together', async () => {
		const details = { isTransient: true, isCounted: true };
		const { waits, error } = await failAlways(details, { maxRetries: 2 });
		expect(waits).toHaveLength(2);
		expect(error.text).toBe('It failed. Wait.');
	});

	test('without any advice has the number of attempts as advice', async () => {
		const failure = new ServiceError('Busy', '', { isTransient: true });
		const final = await failWith(new Attempts({ maxRetries: 1 }), failure, failure);
		expect(final).toMatchObject({ text: 'Busy. Attempts: 2.' });
	});
});

test('The number of attempts that have failed is counted', async () => {
	const attempts = new Attempts({ maxRetries: 5 });
	expect(attempts.count).toBe(0);
	await failWith(attempts, busy({ isTransient: true }), busy({ isTransient: true }));
	expect(attempts.count).toBe(2);
});
