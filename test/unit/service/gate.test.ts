import {
	type Failure,
	requestFailure,
	stopped,
	toFailure,
	tokenFailure,
} from '../../../nodes/ProfilePage/shared/failure';
import { Gate, type GateOptions } from '../../../nodes/ProfilePage/service/gate';
import { retrying } from '../../../nodes/ProfilePage/service/retrying';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';
import { seedRandom } from '../../support/seedRandom';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

beforeEach(() => seedRandom(1));

const advance = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);
/** Lets everything start that may, without a pause passing. */
const settle = async () => await advance(5);

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const rejection = (status: number, retryAfter?: number) =>
	requestFailure('it was rejected', '', { isTransient: true, response: { status, retryAfter } });
const NOT_FOUND = requestFailure('not found', '', { response: { status: 404 } });
const NO_TOKEN = tokenFailure('no', '', { response: { status: 400 } });
const NO_TOKEN_YET = tokenFailure('no', '', { isTransient: true, response: { status: 429 } });

/** A gate, and requests with numbers, whose attempts end when the test says so. By default, none is attempted again. */
function open({ maxRetries = 0, ...options }: Partial<GateOptions> & { maxRetries?: number } = {}) {
	const gate = new Gate({ concurrency: 50, ...options });
	const started: number[] = [];
	const startedAt: number[] = [];
	const refused = new Map<number, Failure>();
	const inFlight = new Map<number, (failure?: Failure) => void>();
	const send = async (number: number) => {
		started.push(number);
		startedAt.push(Date.now());
		await new Promise<void>((resolve, reject) => {
			inFlight.set(number, (failure) => (failure ? reject(failure) : resolve()));
		});
	};
	const pass = async (number: number) => {
		const before = started.length;
		try {
			await retrying(async () => await send(number), { maxRetries, stopSignal: options.stopSignal, gate }, getProfile);
		} catch (error) {
			if (!started.slice(before).includes(number)) refused.set(number, toFailure(error));
		}
	};
	return {
		started,
		startedAt,
		refused,
		inFlight,
		enter: (numbers: readonly number[]) => numbers.forEach((number) => void pass(number)),
		/** Ends requests: with success, or with a failure. */
		end: async (numbers: Iterable<number>, failure?: Failure) => {
			for (const number of [...numbers]) {
				inFlight.get(number)?.(failure);
				inFlight.delete(number);
			}
			await settle();
		},
	};
}

test('After a pause, half as many requests are in flight, and their number grows slowly', async () => {
	const { enter, end, inFlight } = open();
	enter(range(0, 100));
	await settle();
	await end(range(0, 10), rejection(429));
	expect(inFlight.size).toBe(0);
	await advance(1000);
	expect(inFlight.size).toBe(5);
	// 0.5/5 for each: with ten successes, some 0.9 more; with twelve, more than one.
	await end(inFlight.keys());
	await end(inFlight.keys());
	expect(inFlight.size).toBe(5);
	await end(inFlight.keys());
	expect(inFlight.size).toBe(6);
});

/** A gate of a service that has accepted a request, and has nine others. */
async function openUp() {
	const opened = open();
	opened.enter(range(0, 10));
	await settle();
	await opened.end([0]);
	return opened;
}

describe('All requests wait', () => {
	test.each([429, 502])('as long as the service asks with status %d, also during a shorter pause', async (status) => {
		const { enter, end, started, inFlight } = await openUp();
		await end([2], rejection(429));
		await end([1], rejection(status, 7000));
		enter([10]);
		await end(inFlight.keys());
		await advance(7000 - 15);
		expect(started).not.toContain(10);
		await advance(265);
		expect(started).toContain(10);
	});

	test.each([429, 503])('after a single %d', async (status) => {
		const { enter, end, started, inFlight } = await openUp();
		await end([1], rejection(status));
		enter([10]);
		await end(inFlight.keys());
		expect(started).not.toContain(10);
		await advance(500);
		expect(started).toContain(10);
	});

	test.each([
		['a failure for good', requestFailure('no', '', { response: { status: 400 } }), [1, 2, 3]],
		['a failure of the service', requestFailure('no', '', { response: { status: 500 } }), [1, 2, 3]],
		['another status of a busy service', rejection(502), [1, 2, 3]],
		['a connection that broke', requestFailure('no', '', { isTransient: true }), [1, 2, 3]],
		['a token request that was rejected', NO_TOKEN_YET, [1, 2, 3]],
	])('not after %s', async (_what, failure, failed) => {
		const { enter, end, started } = await openUp();
		await end(failed, failure);
		enter([10]);
		await settle();
		expect(started).toContain(10);
	});
});

test('A rejected request is repeated behind those that wait, as it must not hold up any', async () => {
	const { enter, end, started } = open({ concurrency: 1, maxRetries: 1 });
	enter(range(0, 3));
	await settle();
	await end([0], rejection(429));
	await advance(4000);
	for (const number of [1, 2, 0]) {
		await end([number]);
		await advance(1000);
	}
	expect(started).toEqual([0, 1, 2, 0]);
});

describe('A service has answered', () => {
	test.each<[string, boolean, Failure | undefined]>([
		['a success', true, undefined],
		['a rejection for good', true, NOT_FOUND],
		['a 500', false, requestFailure('no', '', { response: { status: 500 } })],
		['a canceled execution', false, stopped('unknown')],
		['a token that cannot be renewed', false, NO_TOKEN],
		['a token that may be renewed soon', false, NO_TOKEN_YET],
	])('%s: %s', async (_what, isAnswer, failure) => {
		const { enter, end, inFlight } = open();
		enter(range(0, 100));
		await settle();
		await end([0], failure);
		expect(inFlight.size).toBe(isAnswer ? 11 : 10);
	});
});

describe('All requests are refused', () => {
	test('at once and from then on if the service asks to wait for more than 90 s', async () => {
		const { enter, end, started, refused } = await openUp();
		enter(range(10, 30));
		await settle();
		const before = [...started];
		await end([1], rejection(429, 3_600_000));
		const waiting = range(10, 30).filter((number) => !before.includes(number));
		expect([...refused.keys()]).toEqual(waiting);
		enter([30]);
		await advance(3_700_000);
		enter([31]);
		await settle();
		expect(started).toEqual(before);
		for (const number of [...waiting, 30, 31]) {
			const problem = 'the service asks to wait until 2030-01-01 01:01 UTC';
			expect(refused.get(number)?.data).toMatchObject({ outcome: 'not applied', kind: 'request', problem });
		}
	});

	test('after 100 s in which the service has rejected everything, though not if one succeeded meanwhile', async () => {
		const rejectTwice = async (isSuccessBetween: boolean) => {
			const { enter, end, started, refused, inFlight } = await openUp();
			await end([1], rejection(429));
			await advance(80_000);
			if (isSuccessBetween) await end([2]);
			await advance(20_100);
			await end([3, 4, 5, 6], rejection(429));
			enter([10]);
			await end(inFlight.keys());
			await advance(2000);
			return refused.get(10)?.data.problem ?? started.at(-1);
		};
		expect(await rejectTwice(false)).toBe('the service has accepted no request for 100 seconds');
		expect(await rejectTwice(true)).toBe(10);
	});
});
