import fc from 'fast-check';

import { workInOrder } from '../../../nodes/ProfilePage/run/workInOrder';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

describe('Calls', () => {
	/** Works on calls with these keys, for 10 ms each, and notes when each begins. */
	async function runCalls(keys: Array<string | undefined>, places: number) {
		const starts: Array<[call: number, time: number]> = [];
		const work = async ({ call }: { call: number }) => {
			starts.push([call, Date.now() - NOW]);
			await new Promise((resolve) => setTimeout(resolve, 10));
		};
		const calls = keys.map((key, call) => ({ key, call }));
		const running = workInOrder(calls, places, work);
		await jest.advanceTimersByTimeAsync(1000);
		await running;
		return starts;
	}

	test('with the same key run one after another, and let others pass', async () => {
		expect(await runCalls(['a', 'a', 'b', undefined, 'a'], 2)).toEqual([
			[0, 0],
			[2, 0],
			[1, 10],
			[3, 10],
			[4, 20],
		]);
	});

	test('keep the order of the input if there is one place', async () => {
		expect(await runCalls(['a', 'b', 'a', undefined, 'b'], 1)).toEqual(
			[0, 1, 2, 3, 4].map((call) => [call, call * 10]),
		);
	});

	test('start in the order of the input as soon as their keys are free', async () => {
		const calls = ['a', 'b', 'a', 'c', 'b', 'd', 'a', undefined];
		const starts = await runCalls(calls, 2);
		expect(starts.map(([call]) => call)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
		expect(starts.at(-1)).toEqual([7, 30]);
	});

	test('in any order of keys are all performed, none beside another with its key, in the order of the input', async () => {
		const keys = fc.array(fc.constantFrom('a', 'b', 'c', undefined), { maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(keys, fc.integer({ min: 1, max: 5 }), async (given, places) => {
				const starts = new Map(await runCalls(given, places));
				expect(starts.size).toBe(given.length);
				for (const key of ['a', 'b', 'c']) {
					const times = given.flatMap((each, call) => (each === key ? [starts.get(call)!] : []));
					expect(times.every((time, index) => index === 0 || time >= times[index - 1]! + 10)).toBe(true);
				}
				for (const time of starts.values()) {
					expect([...starts.values()].filter((other) => other === time).length).toBeLessThanOrEqual(places);
				}
			}),
		);
	});

	test.each([
		['one key', 10],
		['one key', 100_000],
		['a key each', 10],
	])('are not looked through again for each of them: 10,000 with %s, at %d at a time', async (which, concurrency) => {
		let looks = 0;
		const key = (call: number) => ((looks += 1), which === 'one key' ? 'a' : String(call));
		const calls = Array.from({ length: 10_000 }, (_, call) => ({
			get key() {
				return key(call);
			},
		}));
		await workInOrder(calls, concurrency, async () => await Promise.resolve());
		expect(looks).toBeLessThan(5 * calls.length);
	});
});
