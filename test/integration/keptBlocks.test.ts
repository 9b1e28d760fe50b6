import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { arrange } from '../../nodes/ProfilePage/resources/blocks/arrangement';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS } from '../support/pages';

const harness = useHarness();

const order = () => harness.sandbox.account.order(HOME);

const given = (parameters: INodeParameters): INodeParameters => ({
	resource: 'blocks',
	operation: 'reorder',
	pageId: HOME,
	blockIds: order(),
	...parameters,
});
const current = (parameters: INodeParameters): INodeParameters => ({
	resource: 'blocks',
	operation: 'move',
	pageId: HOME,
	...parameters,
});

const run = async (parameters: INodeParameters) => await harness.runNode(parameters, { credential: LIST_PATHS });

describe('Blocks to Keep in Place', () => {
	test('keep their positions in a given order that rotates, and the others move among the rest', async () => {
		const [header, b, c, d] = order();
		const rotation = { arrangement: 'rotate', rotateEvery: 'custom', rotateBy: 1 };
		const { hints } = await run(given({ ...rotation, blockIdsToKeep: header! }));
		expect(order()).toEqual([header, c, d, b]);
		expect(hints.map(({ message }) => message)).toEqual([
			`On top of page "${HOME}", apart from the blocks kept in place: block "${c}".`,
		]);
	});

	test('keep their positions in the current order, chosen by name', async () => {
		const [a, b, c, d] = order();
		const { items } = await run(current({ arrangement: 'rotate', blocksToKeep: [a!, d!] }));
		expect(order()).toEqual([a, c, b, d]);
		expect(items.map(({ json }) => json.id)).toEqual([a, c, b, d]);
	});

	test('may be all, and a hint says so', async () => {
		const before = order();
		const { hints } = await run(given({ arrangement: 'rotate', blockIdsToKeep: before.join() }));
		expect(order()).toEqual(before);
		expect(hints.map(({ message }) => message)).toEqual([
			`No block of page "${HOME}" moves: all of them are kept in place.`,
		]);
	});

	test.each([
		[
			'given',
			`no block of the order of page "${HOME}" is called "gone"`,
			() => given({ arrangement: 'shuffle', blockIdsToKeep: 'gone' }),
		],
		[
			'current',
			`no block of page "${HOME}" is called "gone"`,
			() => current({ arrangement: 'reverse', blocksToKeep: ['gone'] }),
		],
	])('that are not on the page are named, for the %s order', async (_which, problem, parameters) => {
		const before = order();
		const { error } = await run(parameters());
		expect(error?.message).toContain(`Blocks to Keep in Place: ${problem}`);
		expect(order()).toEqual(before);
	});

	test('never move, and no block is lost or doubled, whatever the arrangement', () => {
		const parameters = fc.record({
			kind: fc.constantFrom('reverse' as const, 'rotate' as const, 'shuffle' as const),
			positions: fc.integer({ min: -20, max: 20 }),
		});
		const blocks = fc.uniqueArray(fc.stringMatching(/^[a-z]\d{1,2}$/), { minLength: 1, maxLength: 12 });
		fc.assert(
			fc.property(parameters, blocks, fc.infiniteStream(fc.boolean()), (fields, ids, choices) => {
				const kept = ids.filter(() => choices.next().value);
				const arranged = arrange(ids, { ...fields, kept });
				expect(arranged.toSorted()).toEqual(ids.toSorted());
				for (const id of kept) expect(arranged.indexOf(id)).toBe(ids.indexOf(id));
			}),
		);
	});
});
