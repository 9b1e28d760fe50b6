import { Cached } from '../../../nodes/ProfilePage/service/cached';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock(Date.UTC(2030, 0, 1));

const HANGS_MS = 4000;

test('An error is kept for as long as its lifetime says, which may depend on how long it took', async () => {
	const cached = new Cached<string>((took, error) => (error ? took : 0));
	let count = 0;
	const get = async () =>
		await cached
			.get('key', async () => {
				count += 1;
				await new Promise((resolve) => setTimeout(resolve, HANGS_MS));
				throw new Error('it failed');
			})
			.catch(() => undefined);
	const first = get();
	await jest.advanceTimersByTimeAsync(HANGS_MS);
	await first;
	await jest.advanceTimersByTimeAsync(HANGS_MS - 1);
	await get();
	expect(count).toBe(1);
	await jest.advanceTimersByTimeAsync(1);
	void get();
	expect(count).toBe(2);
});

test('A value is only shared while it is made, if its lifetime is 0', async () => {
	const cached = new Cached<number>(() => 0);
	let count = 0;
	const get = async () => await cached.get('key', async () => await Promise.resolve((count += 1)));
	expect(await Promise.all([get(), get()])).toEqual([1, 1]);
	expect(await get()).toBe(2);
});
