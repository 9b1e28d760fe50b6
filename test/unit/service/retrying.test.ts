import {
	type Failure,
	type FailureData,
	requestFailure,
	stopped,
	toFailure,
} from '../../../nodes/ProfilePage/shared/failure';
import { retrying, type RetryOptions } from '../../../nodes/ProfilePage/service/retrying';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const busy = (more: Partial<FailureData> = {}) =>
	requestFailure('it is busy', '', { isTransient: true, response: { status: 502 }, ...more });
const BUSY = busy();
const REJECTED = busy({ outcome: 'not applied' });
const asking = (retryAfter: number) => busy({ response: { status: 503, retryAfter } });

interface Options extends Partial<RetryOptions> {
	readonly idempotent?: boolean;
}

/** Sends a request that ends in these ways, the last of them for good, and returns when each attempt began and how it ended. */
async function run(ways: Array<Failure | Error | 'done'>, { idempotent = true, ...options }: Options = {}) {
	const times: number[] = [];
	const attempt = async () => {
		times.push(Date.now() - NOW);
		const way = ways[Math.min(times.length, ways.length) - 1]!;
		return way === 'done' ? await Promise.resolve(way) : await Promise.reject(way);
	};
	const change = { ...getProfile, method: 'POST', repeat: idempotent ? 'always' : 'ifNotApplied' } as const;
	const running = retrying(attempt, { maxRetries: 2, ...options }, change);
	const ended = running.catch((error: unknown) => toFailure(error));
	await jest.advanceTimersByTimeAsync(200_000);
	return { ended: await ended, times, attempts: times.length };
}

describe('The wait before a retry', () => {
	test.each([
		[0, [0, 500, 1500, 3500]],
		[1, [0, 250, 750, 1750]],
	])('doubles each time, with a jitter of up to one half (Math.random: %p)', async (random, times) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		expect((await run([BUSY], { maxRetries: 3 })).times).toEqual(times);
	});

	test('is at most 30 s without Retry-After, and all together at most 90 s', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const { times } = await run([BUSY], { maxRetries: 10 });
		const waits = times.map((time, index) => time - (times[index - 1] ?? 0));
		expect(waits).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
	});

	test('is as long as Retry-After', async () => {
		const { times } = await run([asking(7000), 'done']);
		expect(times[1]).toBe(7000);
	});

	test('ends when nothing more may be sent', async () => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 100);
		const { ended, times } = await run([asking(7000)], { stopSignal: controller.signal });
		expect(times).toEqual([0]);
		expect(ended).toMatchObject({ data: asking(7000).data });
	});
});

describe('The attempts of a request', () => {
	test.each<[string, Failure | 'done', Options, number]>([
		['one if it succeeds', 'done', {}, 1],
		['one more than the maximum of retries', BUSY, { maxRetries: 4 }, 5],
		['one if it does not pass', busy({ isTransient: undefined }), {}, 1],
		['one after an unknown outcome if the request is not idempotent', BUSY, { idempotent: false }, 1],
		['as many as allowed if it was not applied', REJECTED, { idempotent: false }, 3],
		['one if the execution was stopped', stopped(), {}, 1],
		['one if nothing more may be sent after it', BUSY, { stopSignal: AbortSignal.abort() }, 1],
	])('are %s', async (_what, way, options, attempts) => {
		expect((await run([way], options)).attempts).toBe(attempts);
	});
});

describe('The failure of all attempts', () => {
	test.each<[string, Failure[], string]>([
		['unknown if the first was', [BUSY, REJECTED, REJECTED], 'unknown'],
		['unknown if the last was', [REJECTED, REJECTED, BUSY], 'unknown'],
		['not applied if none was applied', [REJECTED, REJECTED, REJECTED], 'not applied'],
	])('has the outcome %s, and their number', async (_what, ways, outcome) => {
		expect((await run(ways)).ended).toMatchObject({ data: { outcome, attempts: ways.length } });
	});

	test('is that of the last one that was sent, if it was stopped before the next attempt', async () => {
		for (const sent of [BUSY, REJECTED])
			expect((await run([sent, stopped()])).ended).toMatchObject({ data: { ...sent.data, attempts: 1 } });
		expect((await run([stopped()])).ended).toMatchObject({ data: stopped().data });
	});

	test('does not count an attempt that was refused before it was sent', async () => {
		const refused = requestFailure('it asks to wait', '', { outcome: 'not applied', attempts: 0 });
		expect((await run([BUSY, refused])).ended).toMatchObject({ data: { attempts: 1 } });
		expect((await run([BUSY, BUSY, refused])).ended).toMatchObject({ data: { attempts: 2 } });
	});

	test('is final if the service asks to wait beyond the deadline', async () => {
		const { ended, attempts } = await run([asking(40_000)], { maxRetries: 10 });
		expect(attempts).toBe(3);
		expect(ended).toMatchObject({ data: { response: { retryAfter: 40_000 } } });
		expect((await run([asking(91_000)])).attempts).toBe(1);
	});

	test('is that of what only reads: it changed nothing', async () => {
		const sent = retrying(async () => await Promise.reject(BUSY), { maxRetries: 0 }, getProfile);
		expect((await sent.catch(toFailure)).data.outcome).toBe('not applied');
	});

	test('is not made of any other error', async () => {
		const error = new Error('Credential not found');
		await expect(retrying(async () => await Promise.reject(error), { maxRetries: 2 })).rejects.toBe(error);
	});
});
