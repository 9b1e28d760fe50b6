import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import type { Call, CallResult } from '../../../nodes/ProfilePage/resources/operation';
import type { Session } from '../../../nodes/ProfilePage/resources/session';
import { performAll, type Planned } from '../../../nodes/ProfilePage/run/perform';
import { type Outcome, requestFailure } from '../../../nodes/ProfilePage/shared/failure';

const sessionFor = (id: string) => ({ client: { account: { id } } }) as Session;
const session = sessionFor('account');
const NOTHING: CallResult = { items: [] };

function taskOf(index: number, perform: Call['perform'], key?: string): Planned {
	const purpose = { method: 'POST', subject: 'it', effect: ['was', 'changed'], repeat: 'ifNotApplied' } as const;
	return { indexes: [index], call: { purpose, perform, key } };
}

/** Performs calls, and returns how they ended, by their indexes. */
async function performTasks(
	tasks: Planned[],
	options: { concurrency?: number; signal?: AbortSignal; of?: Session } = {},
) {
	const { concurrency = 10, signal = new AbortController().signal, of = session } = options;
	const states = new Map<number, 'succeeded' | Outcome>();
	await performAll(tasks, of, concurrency, signal, ({ indexes, failure }) => {
		if (states.has(indexes[0]!)) throw new Error('A call ended twice.');
		states.set(indexes[0]!, failure?.data.outcome ?? 'succeeded');
	});
	return states;
}

/** What is performed at the moment, and what began, in that order. */
class Observer {
	readonly underWay = new Set<string>();
	readonly begun: string[] = [];

	/** A call that takes some turns of the event loop. */
	call(name: string, turns = 1, isFailure = false): Call['perform'] {
		return async () => {
			this.underWay.add(name);
			this.begun.push(name);
			for (let left = turns; left > 0; left -= 1) await nextTurn();
			this.underWay.delete(name);
			if (isFailure) throw requestFailure('it failed');
			return NOTHING;
		};
	}
}

interface GivenCall {
	key: string | undefined;
	turns: number;
	isFailure: boolean;
}

const calls = fc.array(
	fc.record<GivenCall>({
		key: fc.constantFrom('a', 'b', 'c', undefined),
		turns: fc.integer({ min: 0, max: 4 }),
		isFailure: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 12 },
);

const runs = fc.array(
	fc.record({
		account: fc.constantFrom('one', 'two'),
		concurrency: fc.integer({ min: 1, max: 3 }),
		startsAfter: fc.integer({ min: 0, max: 6 }),
		/** After how many turns of the event loop it is canceled; undefined if it is not. */
		cancelsAfter: fc.option(fc.integer({ min: 0, max: 15 }), { nil: undefined }),
		calls,
	}),
	{ minLength: 1, maxLength: 5 },
);

async function afterTurns(count: number): Promise<void> {
	for (let left = count; left > 0; left -= 1) await nextTurn();
}

test('Calls of an account with the same key never overlap, keep their order, and end if they began, whatever fails or is canceled', async () => {
	await fc.assert(
		fc.asyncProperty(runs, async (given) => {
			const underWay = new Set<{ run: number; account: string; call: GivenCall }>();
			const ended = given.map(async ({ account, concurrency, startsAfter, cancelsAfter, calls: ofRun }, run) => {
				const controller = new AbortController();
				const begun: number[] = [];
				const tasks = ofRun.map((call, index) => {
					const perform = async () => {
						const me = { run, account, call };
						for (const other of underWay) {
							const isSameKey = call.key !== undefined && other.account === account && other.call.key === call.key;
							expect(isSameKey || (concurrency === 1 && other.run === run)).toBe(false);
						}
						underWay.add(me);
						begun.push(index);
						await afterTurns(call.turns);
						underWay.delete(me);
						if (call.isFailure) throw requestFailure('it failed');
						return NOTHING;
					};
					return taskOf(index, perform, call.key);
				});
				await afterTurns(startsAfter);
				if (cancelsAfter !== undefined) void afterTurns(cancelsAfter).then(() => controller.abort());
				const states = await performTasks(tasks, { concurrency, signal: controller.signal, of: sessionFor(account) });
				expect([...states.keys()].toSorted((a, b) => a - b)).toEqual(begun.toSorted((a, b) => a - b));
				for (const [index, state] of states) {
					const expected = ofRun[index]!.isFailure ? 'unknown' : 'succeeded';
					expect(state).toBe(expected);
				}
				if (cancelsAfter === undefined) expect(begun).toHaveLength(ofRun.length);
				const ordered = ['a', 'b', 'c'].map((key) => begun.filter((index) => ofRun[index]!.key === key));
				for (const indexes of [...ordered, ...(concurrency === 1 ? [begun] : [])])
					expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
			});
			await Promise.all(ended);
			expect(underWay.size).toBe(0);
		}),
		{ numRuns: 100 },
	);
});

describe('Calls of a run', () => {
	const named = (names: readonly string[], observer: Observer) =>
		names.map((name, index) => taskOf(index, observer.call(name, 3), /^[a-c]/.exec(name)?.[0]));

	test('begin in the order of the first ones of their keys, and one after another with Items per Batch 1', async () => {
		const names = ['a0', 'a1', 'b2', '3', 'a4', 'b5'];
		const [several, one] = [new Observer(), new Observer()];
		await performTasks(named(names, several), { concurrency: 2 });
		expect(several.begun).toEqual(['a0', 'b2', '3', 'a1', 'b5', 'a4']);
		await performTasks(named(names, one), { concurrency: 1 });
		expect(one.begun).toEqual(names);
	});

	test('are at most four times as many as Items per Batch, as retries wait inside them', async () => {
		const observer = new Observer();
		const names = Array.from({ length: 20 }, (_, index) => `${index}`);
		const ended = performTasks(named(names, observer), { concurrency: 2 });
		await nextTurn();
		expect([...observer.underWay]).toEqual(names.slice(0, 8));
		await ended;
	});

	test('and those of another execution with the same key are performed one by one, and in turn', async () => {
		const observer = new Observer();
		const run = async (name: string) =>
			await performTasks(
				named(
					[0, 1, 2].map((index) => `a${name}${index}`),
					observer,
				),
			);
		await Promise.all([run('x'), run('y')]);
		expect(observer.begun).toEqual(['ax0', 'ay0', 'ax1', 'ay1', 'ax2', 'ay2']);
	});
});
