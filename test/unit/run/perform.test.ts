import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import type { Call, CallResult, Turn } from '../../../nodes/ProfilePage/resources/operation';
import { type Ending, performAll } from '../../../nodes/ProfilePage/run/perform';
import type { ValidTask } from '../../../nodes/ProfilePage/run/plan';
import { Turns } from '../../../nodes/ProfilePage/run/turns';
import type { Client } from '../../../nodes/ProfilePage/service/client';
import { requestFailure } from '../../../nodes/ProfilePage/shared/failure';

const clientFor = (id: string, isPreview = false) => ({ account: { id }, isPreview }) as Client;
const client = clientFor('account');
const NOTHING: CallResult = { items: [] };

function taskOf(index: number, perform: Call['perform'], turn?: Turn): ValidTask {
	const purpose = { method: 'POST', subject: 'it', effect: ['was', 'changed'], repeat: 'ifNotApplied' } as const;
	return { indexes: [index], call: { purpose, perform, turn } };
}

/** Performs calls, and returns how they ended, by their indexes. */
async function performTasks(
	tasks: ValidTask[],
	options: { concurrency?: number; signal?: AbortSignal; of?: Client } = {},
) {
	const { concurrency = 10, signal = new AbortController().signal, of = client } = options;
	const states = new Map<number, Ending['state']>();
	await performAll(tasks, of, concurrency, signal, ({ indexes }, { state }) => {
		if (states.has(indexes[0]!)) throw new Error('A call ended twice.');
		states.set(indexes[0]!, state);
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
	isExclusive: boolean;
	turns: number;
	isFailure: boolean;
}

const calls = fc.array(
	fc.record<GivenCall>({
		key: fc.constantFrom('a', 'b', 'c', undefined),
		isExclusive: fc.boolean(),
		turns: fc.integer({ min: 0, max: 4 }),
		isFailure: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 12 },
);

const runs = fc.array(
	fc.record({
		account: fc.constantFrom('one', 'two'),
		concurrency: fc.integer({ min: 1, max: 4 }),
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

test('Calls never overlap with those that they take turns with, keep their order, and end, whatever fails or is canceled', async () => {
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
							const excludes = other.run === run || other.call.isExclusive || call.isExclusive;
							const isSame = call.key !== undefined && other.account === account && other.call.key === call.key;
							expect(isSame && excludes).toBe(false);
						}
						underWay.add(me);
						begun.push(index);
						await afterTurns(call.turns);
						underWay.delete(me);
						if (call.isFailure) throw requestFailure('it failed');
						return NOTHING;
					};
					return taskOf(
						index,
						perform,
						call.key === undefined ? undefined : { key: call.key, isExclusive: call.isExclusive },
					);
				});
				await afterTurns(startsAfter);
				if (cancelsAfter !== undefined) void afterTurns(cancelsAfter).then(() => controller.abort());
				const states = await performTasks(tasks, { concurrency, signal: controller.signal, of: clientFor(account) });
				expect([...states.keys()].toSorted((a, b) => a - b)).toEqual(ofRun.map((_, index) => index));
				for (const [index, state] of states) {
					const expected = ofRun[index]!.isFailure ? 'unknown' : 'succeeded';
					expect(state).toBe(begun.includes(index) ? expected : 'not sent');
				}
				if (cancelsAfter === undefined) expect(begun).toHaveLength(ofRun.length);
				for (const key of ['a', 'b', 'c']) {
					const ofKey = begun.filter((index) => ofRun[index]!.key === key);
					expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
				}
			});
			await Promise.all(ended);
			expect(underWay.size).toBe(0);
		}),
		{ numRuns: 400 },
	);
}, 60_000);

describe('Calls of a run', () => {
	test('begin in their order, as far as the first of each key allows', async () => {
		const observer = new Observer();
		const keys = ['a', 'a', 'b', undefined, 'a', 'b'];
		const tasks = keys.map((key, index) =>
			taskOf(
				index,
				observer.call(`${key}${index}`, key === 'b' ? 9 : 3),
				key === undefined ? undefined : { key, isExclusive: false },
			),
		);
		await performTasks(tasks, { concurrency: 2 });
		expect(observer.begun).toEqual(['a0', 'b2', 'a1', 'undefined3', 'a4', 'b5']);
	});

	test('let others pass while one waits for another execution', async () => {
		const observer = new Observer();
		const turn: Turn = { key: 'page', isExclusive: true };
		const slow = performTasks([taskOf(0, observer.call('slow', 50), turn)]);
		await nextTurn();
		const others = [1, 2, 3].map((index) => taskOf(index, observer.call(`other ${index}`)));
		await Promise.all([slow, performTasks([taskOf(0, observer.call('waits'), turn), ...others], { concurrency: 1 })]);
		expect(observer.begun).toEqual(['slow', 'other 1', 'other 2', 'other 3', 'waits']);
	});

	test('take turns with those of another execution one by one, if one of both is exclusive', async () => {
		const observer = new Observer();
		const tasksOf = (name: string, isExclusive: boolean) =>
			[0, 1, 2].map((index) => taskOf(index, observer.call(`${name}${index}`, 3), { key: 'links', isExclusive }));
		await Promise.all([performTasks(tasksOf('a', false)), performTasks(tasksOf('b', true))]);
		expect(observer.begun).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
	});

	test('do not wait for those of another account, nor in a preview', async () => {
		const observer = new Observer();
		const turn: Turn = { key: 'links', isExclusive: true };
		const slow = performTasks([taskOf(0, observer.call('slow', 50), turn)]);
		await nextTurn();
		await performTasks([taskOf(0, observer.call('other'), turn)], { of: clientFor('other') });
		await performTasks([taskOf(0, observer.call('preview'), turn)], { of: clientFor('account', true) });
		expect([...observer.underWay]).toEqual(['slow']);
		await slow;
	});

	test('that wait for another execution are not sent once their own is canceled or ends', async () => {
		const observer = new Observer();
		const turn: Turn = { key: 'links', isExclusive: true };
		const slow = performTasks([taskOf(0, observer.call('slow', 50), turn)]);
		const controller = new AbortController();
		const waiting = performTasks([taskOf(0, observer.call('waits'), turn)], { signal: controller.signal });
		await nextTurn();
		controller.abort();
		expect([...(await waiting).values()]).toEqual(['not sent']);
		expect([...observer.underWay]).toEqual(['slow']);
		await slow;
	});

	test('have an unknown outcome after an error of this package', async () => {
		const states = await performTasks([
			taskOf(0, async () => await Promise.reject(new TypeError('x is not a function'))),
		]);
		expect([...states.values()]).toEqual(['unknown']);
	});
});

test('Turns forget a queue once all have ended', async () => {
	const turns = new Turns();
	const options = { signal: new AbortController().signal, onWait: () => undefined };
	const take = async () => await turns.take('account', { key: 'links', isExclusive: true }, options, nextTurn);
	const all = Promise.all([take(), take(), take()]);
	expect(turns.size).toBe(1);
	await all;
	expect(turns.size).toBe(0);
});
