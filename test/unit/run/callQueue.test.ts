import { CallQueue } from '../../../nodes/ProfilePage/run/callQueue';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

describe('Calls', () => {
	/** Runs calls with these keys, each for 10 ms, and notes when they start. */
	async function runCalls(keys: Array<string | undefined>, batchSize: number) {
		const queue = new CallQueue(batchSize);
		const starts: Array<[call: number, time: number]> = [];
		const work = async (call: number) => {
			starts.push([call, Date.now() - NOW]);
			await new Promise((resolve) => setTimeout(resolve, 10));
		};
		const running = Promise.all(keys.map(async (key, call) => await queue.add(key, async () => await work(call))));
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

	// If each call looked through those that wait, this would take more than the time limit of a test.
	test.each(['one key', 'a key each'])('do not stop n8n if there are 100,000 with %s', async (which) => {
		const queue = new CallQueue(10);
		const work = jest.fn(async () => await Promise.resolve());
		const keys = Array.from({ length: 100_000 }, (_, call) => (which === 'one key' ? 'a' : String(call)));
		await Promise.all(keys.map(async (key) => await queue.add(key, work)));
		expect(work).toHaveBeenCalledTimes(keys.length);
	});
});
