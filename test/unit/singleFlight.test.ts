import { SingleFlight } from '../../nodes/ProfilePage/transport/singleFlight';

/** Work that settles when the test says so, and counts how often it was started. */
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

test('callers that ask for a key while its work is in progress share the result', async () => {
	const flights = new SingleFlight<string>();
	const { work, resolve } = startable();
	const callers = [1, 2, 3].map(async () => await flights.run('key', work));
	resolve('token');
	expect(await Promise.all(callers)).toEqual(['token', 'token', 'token']);
	expect(work).toHaveBeenCalledTimes(1);
});

test('callers that ask for a key while its work is in progress share the failure', async () => {
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
])('work that has %s is not kept for later callers', async (_what, work) => {
	const flights = new SingleFlight<string>();
	await flights.run('key', work).catch(() => undefined);
	expect(await flights.run('key', async () => await Promise.resolve('second'))).toBe('second');
});

test('callers that ask for different keys share nothing', async () => {
	const flights = new SingleFlight<string>();
	const [one, other] = [startable(), startable()];
	const results = [flights.run('one', one.work), flights.run('other', other.work)];
	other.resolve('b');
	expect(await results[1]).toBe('b');
	one.resolve('a');
	expect(await results[0]).toBe('a');
});
