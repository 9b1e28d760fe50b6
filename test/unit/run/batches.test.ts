import fc from 'fast-check';

import { sendInBatches } from '../../../nodes/ProfilePage/run/batches';
import { useFakeClock } from '../../support/fakeClock';

interface Call {
	index: number;
	concurrencyKey?: string;
}

const KEYS = ['a', 'b', 'c'];

const anyCalls = fc
	.array(fc.option(fc.constantFrom(...KEYS), { nil: undefined }), { maxLength: 30 })
	.map((keys) => keys.map((concurrencyKey, index): Call => ({ index, concurrencyKey })));

const callsOf = (...keys: Array<string | undefined>): Call[] =>
	keys.map((concurrencyKey, index) => ({ index, concurrencyKey }));

/** Starts calls whose responses come when the test says so. */
function start(calls: readonly Call[], batchSize: number, signal?: AbortSignal) {
	const started: number[] = [];
	const responses = new Map<number, (mayContinue: boolean) => void>();
	const sending = sendInBatches(
		calls,
		batchSize,
		async ({ index }) => {
			started.push(index);
			return await new Promise<boolean>((resolve) => responses.set(index, resolve));
		},
		signal,
	);
	/** Responses a call, and waits until the next ones have started. */
	const response = async (index: number, mayContinue = true) => {
		responses.get(index)!(mayContinue);
		await jest.advanceTimersByTimeAsync(0);
	};
	return { started, response, sending };
}

describe('The calls of an execution', () => {
	test('are each sent once, with at most the batch size in flight, in order and one at a time for each concurrency key', async () => {
		await fc.assert(
			fc.asyncProperty(
				anyCalls,
				fc.integer({ min: 1, max: 5 }),
				fc.scheduler(),
				async (calls, batchSize, scheduler) => {
					const started: Call[] = [];
					const inFlight = new Set<Call>();
					const send = async (call: Call) => {
						const keys = Array.from(inFlight, ({ concurrencyKey }) => concurrencyKey);
						if (call.concurrencyKey) expect(keys).not.toContain(call.concurrencyKey);
						started.push(call);
						inFlight.add(call);
						expect(inFlight.size).toBeLessThanOrEqual(batchSize);
						await scheduler.schedule(Promise.resolve());
						inFlight.delete(call);
						return true;
					};
					await scheduler.waitFor(sendInBatches(calls, batchSize, send));

					expect(started.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...calls.keys()]);
					for (const key of KEYS) {
						const ofKey = started.filter(({ concurrencyKey }) => concurrencyKey === key);
						expect(ofKey).toEqual(calls.filter(({ concurrencyKey }) => concurrencyKey === key));
					}
				},
			),
		);
	});

	test('are sent in order if the batch size is 1', async () => {
		await fc.assert(
			fc.asyncProperty(anyCalls, async (calls) => {
				const started: Call[] = [];
				const send = async (call: Call) => await Promise.resolve(started.push(call) > 0);
				await sendInBatches(calls, 1, send);
				expect(started).toEqual(calls);
			}),
		);
	});
});

describe('A call', () => {
	useFakeClock();

	test('that waits for its concurrency key does not delay later calls', async () => {
		const { started, response, sending } = start(callsOf('a', 'a', 'b'), 3);
		expect(started).toEqual([0, 2]);
		await response(0);
		expect(started).toEqual([0, 2, 1]);
		await response(1);
		await response(2);
		await sending;
	});

	test('is not started after one that ends the batches, and those in flight are finished', async () => {
		const calls = callsOf(undefined, 'a', 'a', undefined);
		const { started, response, sending } = start(calls, 2);
		const settled = jest.fn();
		void sending.then(settled);
		await response(0, false);
		expect(settled).not.toHaveBeenCalled();
		await response(1);
		await sending;
		expect(started).toEqual([0, 1]);
	});

	test('is not started after the execution is canceled', async () => {
		const controller = new AbortController();
		const calls = callsOf(undefined, undefined, undefined);
		const { started, response, sending } = start(calls, 1, controller.signal);
		controller.abort();
		await response(0);
		await sending;
		expect(started).toEqual([0]);
	});
});
