import { Cached } from '../../../nodes/ProfilePage/service/cached';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock();

const never = async () => await new Promise<never>(() => undefined);

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

describe('Cached without a lifetime', () => {
	test('shares the result of work between concurrent callers with the same key', async () => {
		const flights = new Cached<string>();
		const { work, resolve } = startable();
		const callers = [1, 2, 3].map(async () => await flights.get(work, 'key'));
		resolve('token');
		expect(await Promise.all(callers)).toEqual(['token', 'token', 'token']);
		expect(work).toHaveBeenCalledTimes(1);
	});

	test('shares the failure of work between concurrent callers with the same key', async () => {
		const flights = new Cached<string>();
		const { work, reject } = startable();
		const callers = [1, 2, 3].map(async () => await flights.get(work, 'key'));
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
		const flights = new Cached<string>();
		await flights.get(work, 'key').catch(() => undefined);
		expect(await flights.get(async () => await Promise.resolve('second'), 'key')).toBe('second');
	});

	test('shares nothing between callers with different keys', async () => {
		const flights = new Cached<string>();
		const [one, other] = [startable(), startable()];
		const results = [flights.get(one.work, 'one'), flights.get(other.work, 'other')];
		other.resolve('b');
		expect(await results[1]).toBe('b');
		one.resolve('a');
		expect(await results[0]).toBe('a');
	});
});

describe('Cached', () => {
	test('makes a value once for all who ask at the same time, and keeps it for its lifetime', async () => {
		const cached = new Cached<number>(() => 100);
		let made = 0;
		const make = async () => await Promise.resolve((made += 1));
		expect(await Promise.all([cached.get(make), cached.get(make)])).toEqual([1, 1]);
		await jest.advanceTimersByTimeAsync(99);
		expect(await cached.get(make)).toBe(1);
		await jest.advanceTimersByTimeAsync(1);
		expect(await cached.get(make)).toBe(2);
	});

	test('makes another value after it expired, even while one is being made', async () => {
		const cached = new Cached<number>(() => Infinity);
		const first = cached.get(never);
		cached.expire();
		expect(await cached.get(async () => await Promise.resolve(2))).toBe(2);
		expect(await Promise.race([first, Promise.resolve('still waiting')])).toBe('still waiting');
	});

	test('does not keep an error', async () => {
		const cached = new Cached<number>(() => Infinity);
		await expect(cached.get(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
		expect(await cached.get(async () => await Promise.resolve(1))).toBe(1);
	});
});
