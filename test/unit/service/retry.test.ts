import { type SendOptions, withRetries } from '../../../nodes/ProfilePage/service/retry';
import { Scheduler } from '../../../nodes/ProfilePage/service/scheduler';
import { done, type Ended, requestFailure, type Failure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const BUSY = requestFailure('it is busy', '', { passes: 'soon', status: 502 });
const LIMIT = requestFailure('it has a limit', '', { passes: 'soon', status: 429, outcome: 'not applied' });
const OVERLOAD = requestFailure('it is overloaded', '', { passes: 'soon', status: 503 });

type Options = Partial<SendOptions> & { readonly idempotent?: boolean; readonly scheduler?: Scheduler };

/** Attempts something that ends in these ways, the last of them for good, and returns how and when it ended. */
async function run(ways: Array<Ended<string>>, { idempotent, scheduler, ...options }: Options = {}) {
	const times: number[] = [];
	const send = async () => {
		times.push(Date.now() - NOW);
		return await Promise.resolve(ways[Math.min(times.length, ways.length) - 1]!);
	};
	const attempt = async (isRetry: boolean) => await (scheduler?.schedule(isRetry, send) ?? send());
	const running = withRetries(attempt, { maxRetries: 2, ...options }, idempotent, scheduler);
	await jest.advanceTimersByTimeAsync(200_000);
	return { ended: await running, times, attempts: times.length };
}

const newScheduler = () => new Scheduler({ batchSize: 10, batchInterval: 0 });

describe('The wait before a retry', () => {
	test.each([
		[0, [0, 500, 1500, 3500]],
		[1, [0, 250, 750, 1750]],
	])('doubles each time, with a jitter of up to one half (Math.random: %p)', async (random, times) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		expect((await run([BUSY], { maxRetries: 3 })).times).toEqual(times);
	});

	test('is at most 30 s without Retry-After', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const { times } = await run([BUSY], { maxRetries: 10 });
		expect(times.map((time, index) => time - (times[index - 1] ?? 0))).toEqual([
			0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000,
		]);
	});

	test('is never shorter than Retry-After, and at most half a second longer', async () => {
		const { times } = await run([{ ...BUSY, retryAfter: 7000 }, done('ok')]);
		expect(times[1]).toBeGreaterThanOrEqual(7000);
		expect(times[1]).toBeLessThanOrEqual(7250);
	});

	test('ends when the execution is canceled', async () => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 100);
		const { times } = await run([{ ...BUSY, retryAfter: 7000 }, STOPPED], { signal: controller.signal });
		expect(times).toEqual([0, 100]);
	});
});

describe('All retries of a request', () => {
	test.each<[string, Ended<string>, Options, number]>([
		['none after a success', done('ok'), {}, 1],
		['none if the maximum is zero', BUSY, { maxRetries: 0 }, 1],
		['as many as the maximum', BUSY, { maxRetries: 4 }, 5],
		['none if the failure does not pass', requestFailure('no'), {}, 1],
		['none if it passes later', { ...BUSY, passes: 'later' }, {}, 1],
		['none after an unknown outcome if the request is not idempotent', BUSY, { idempotent: false }, 1],
		['as many as the maximum if it was not applied', { ...BUSY, outcome: 'not applied' }, { idempotent: false }, 3],
		['none if the execution was stopped', STOPPED, {}, 1],
	])('are %s', async (_what, way, options, attempts) => {
		expect((await run([way], options)).attempts).toBe(attempts);
	});

	test('together wait at most 90 s, and then the failure says until when the service asks to wait', async () => {
		const { ended, attempts } = await run([{ ...BUSY, retryAfter: 40_000 }], { maxRetries: 10 });
		expect(attempts).toBe(3);
		expect((ended as Failure).waitUntil).toBeGreaterThan(NOW + 100_000);
		expect((await run([{ ...BUSY, retryAfter: 91_000 }])).attempts).toBe(1);
	});
});

describe('A rate limit', () => {
	test('does not count towards the maximum, but ends after 90 s', async () => {
		const { attempts, times } = await run([LIMIT], { scheduler: newScheduler(), idempotent: false });
		expect(attempts).toBeGreaterThan(5);
		expect(times.at(-1)).toBeLessThanOrEqual(90_000);
	});

	test.each<[string, Options]>([
		['there is no scheduler that makes all requests wait', {}],
		['retries are disabled', { maxRetries: 0, scheduler: newScheduler() }],
	])('counts if %s', async (_what, options) => {
		expect((await run([LIMIT], options)).attempts).toBe((options.maxRetries ?? 2) + 1);
	});

	test('is also status 503 while the service goes on to accept others', async () => {
		const scheduler = newScheduler();
		jest.spyOn(scheduler, 'hasSucceededSince').mockReturnValue(true);
		const { attempts } = await run([OVERLOAD], { scheduler });
		expect(attempts).toBeGreaterThan(5);
	});

	test.each([
		['a second', LIMIT, [0, 500, 1500, 2500, 3500]],
		['half a second, if it is status 503,', OVERLOAD, [0, 250, 750, 1250, 1750]],
	])(
		'makes all requests wait for at most %s each time while the service goes on to accept others',
		async (_most, failure, times) => {
			jest.spyOn(Math, 'random').mockReturnValue(0);
			const scheduler = newScheduler();
			jest.spyOn(scheduler, 'hasSucceededSince').mockReturnValue(true);
			expect((await run([failure, failure, failure, failure, done('ok')], { scheduler })).times).toEqual(times);
		},
	);

	test('is not status 503 of a service that is down, which ends after the maximum', async () => {
		expect((await run([OVERLOAD], { scheduler: newScheduler() })).attempts).toBe(3);
	});

	test('is status 503 for three seconds after a success, as it may be that of a slow limit', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const scheduler = newScheduler();
		await scheduler.schedule(false, async () => await Promise.resolve(done('ok')));
		const { times } = await run([OVERLOAD], { scheduler });
		// Then two retries follow, whose waits grow again.
		expect(times).toEqual([0, 250, 750, 1250, 1750, 2250, 2750, 3250, 3750, 4750, 6750]);
	});

	test('is also a status with Retry-After, which makes all requests wait', async () => {
		const scheduler = newScheduler();
		const slowDown = jest.spyOn(scheduler, 'slowDown');
		await run([{ ...BUSY, retryAfter: 5000 }], { scheduler, maxRetries: 0 });
		expect(slowDown).toHaveBeenCalledTimes(1);
		await run([BUSY], { scheduler, maxRetries: 0 });
		expect(slowDown).toHaveBeenCalledTimes(1);
	});
});

describe('The failure of all attempts', () => {
	test('has the worst outcome of them, and their number', async () => {
		const ways: Failure[] = [BUSY, { ...BUSY, outcome: 'not applied' }, { ...BUSY, outcome: 'not applied' }];
		expect((await run(ways)).ended).toMatchObject({ outcome: 'unknown', attempts: 3 });
		expect((await run(ways.slice(1), { maxRetries: 1 })).ended).toMatchObject({ outcome: 'not applied', attempts: 2 });
	});

	test('keeps a number that it has already', async () => {
		expect((await run([{ ...BUSY, attempts: 0 }])).ended).toMatchObject({ attempts: 0 });
	});
});
