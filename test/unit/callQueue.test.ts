import fc from 'fast-check';

import { CallQueue } from '../../nodes/ProfilePage/execution/callQueue';

interface Call {
	index: number;
	target?: string;
}

const calls = fc
	.array(fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }), { maxLength: 30 })
	.map((targets) => targets.map((target, index): Call => ({ index, target })));

test('every call is handed out once, in its order for each target, never two of one at once', () => {
	fc.assert(
		fc.property(
			calls,
			fc.integer({ min: 1, max: 5 }),
			fc.infiniteStream(fc.nat()),
			(given, lanes, random) => {
				const queue = new CallQueue(given);
				const handedOut: Call[] = [];
				const underWay: Call[] = [];
				const take = (finished?: Call) => {
					const call = queue.next(finished);
					if (!call) return;
					expect(underWay.map(({ target }) => target ?? call)).not.toContain(call.target);
					handedOut.push(call);
					underWay.push(call);
				};
				for (let lane = 0; lane < lanes; lane += 1) take();
				for (const pick of random) {
					if (underWay.length === 0) break;
					const [finished] = underWay.splice(pick % underWay.length, 1);
					take(finished);
				}
				expect(handedOut.map(({ index }) => index).sort((a, b) => a - b)).toEqual([
					...given.keys(),
				]);
				for (const target of ['a', 'b', 'c']) {
					const ofTarget = handedOut.filter((call) => call.target === target);
					expect(ofTarget).toEqual(given.filter((call) => call.target === target));
				}
			},
		),
	);
});

test('with one asking, calls come in their order', () => {
	fc.assert(
		fc.property(calls, (given) => {
			const queue = new CallQueue(given);
			const handedOut: Call[] = [];
			for (let call = queue.next(); call; call = queue.next(call)) handedOut.push(call);
			expect(handedOut).toEqual(given);
		}),
	);
});

test('a call that waits for its target keeps none of the later ones back', () => {
	const queue = new CallQueue<Call>([
		{ index: 0, target: 'a' },
		{ index: 1, target: 'a' },
		{ index: 2, target: 'b' },
	]);
	const first = queue.next();
	expect([first?.index, queue.next()?.index, queue.next()]).toEqual([0, 2, undefined]);
	expect(queue.next(first)?.index).toBe(1);
});
