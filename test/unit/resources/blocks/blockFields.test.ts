import fc from 'fast-check';

import { blocksField, IDS } from '../../../../nodes/ProfilePage/resources/blocks/blockFields';
import { findMove, readMove } from '../../../../nodes/ProfilePage/resources/blocks/moveFields';
import { loosened, Names } from '../../../../nodes/ProfilePage/resources/pages/names';
import { Failure } from '../../../../nodes/ProfilePage/shared/failure';
import { itemOf } from '../../../support/items';

type Blocks = ReadonlyArray<readonly [id: string, name: string]>;

const pageOf = (blocks: Blocks) => {
	const entries = blocks.map(([id, name]) => ({ id, name, json: { id } }));
	return new Names(entries, 'block', 'page "Shop"');
};

/** A page whose blocks have these names, and the IDs b0, b1, and so on. */
const shopOf = (...names: string[]) => pageOf(names.map((name, index) => [`b${index}`, name]));

const shop = shopOf('Vinyl', 'Ways to pay', 'T-shirts', 'Gift cards', 'Tour dates, 2027', '');

/** Returns the IDs, or the message and the advice of the failure. */
function idsOrMessage(read: () => string[]): string[] | string {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return `${error.data.problem}. ${error.data.advice}`;
	}
}

/** Reads blocks by name or ID, as Move Blocks does. */
const move = (value: unknown, names = shop) =>
	idsOrMessage(() => {
		const item = itemOf({ entered: { arrangement: 'moveToTop', blocksToMove: value } });
		return [...findMove(readMove([item]), names).itemOf.keys()];
	});

const idsField = blocksField({ displayName: 'Block IDs', name: 'blockIds', type: 'string', default: '' }, IDS, 'List.');

/** Reads IDs, as Reorder Blocks does. */
const reorder = (value: unknown) => idsOrMessage(() => idsField.read(itemOf({ entered: { blockIds: value } })));

describe('Move Blocks finds blocks', () => {
	test.each<[string, unknown, string[]]>([
		['by name', 'Gift cards', ['b3']],
		['by IDs and names in one list', ['Gift cards', 'b0'], ['b3', 'b0']],
		['as blocks with an ID', [{ id: 'b3', title: 'x' }, { block_id: 'b0' }], ['b3', 'b0']],
		['as blocks with a name', [{ name: 'Vinyl' }, { title: 'Gift cards' }, { label: 'T-shirts' }], ['b0', 'b3', 'b2']],
		['in a JSON array', '["Gift cards", {"id": "b0"}]', ['b3', 'b0']],
		['in lines', 'Gift cards\r\n\nTour dates, 2027\nVinyl', ['b3', 'b4', 'b0']],
		['each once', 'Vinyl\nb2\nb0', ['b0', 'b2']],
		['with quotation marks and bullets around them', '- "Gift cards"\n• “Vinyl”\n* ‘T-shirts’', ['b3', 'b0', 'b2']],
	])('%s', (_what, value, ids) => {
		expect(move(value)).toEqual(ids);
	});

	const twins = pageOf([
		['x', 'y'],
		['y', 'x'],
	]);
	test.each<[string, Names, unknown, string[]]>([
		['an ID before a name', twins, ['x'], ['x']],
		['lines before a name without them', shopOf('AB', 'A', 'B'), 'A\nB', ['b1', 'b2']],
		['a number that is part of the name', shopOf('1. Vinyl', 'Vinyl'), '1. Vinyl', ['b0']],
		['a name that is a number', shopOf('2027', '2028'), [2028], ['b1']],
		['a name with brackets', shopOf('[New] Vinyl', 'Vinyl'), '[New] Vinyl', ['b0']],
	])('and %s', (_what, names, value, ids) => {
		expect(move(value, names)).toEqual(ids);
	});
});

describe('Move Blocks refuses', () => {
	const USE =
		'Use one of these names, one on each line. If it was chosen from the list of another page, remove it, and choose again.';
	const notCalled = (text: string) => `Blocks to Move: no block of page "Shop" is called "${text}". It has: `;
	const NO_ID = 'Enter the name or the ID of a block, or remove the entry.';

	test.each<[string, unknown, string]>([
		[
			'a misspelt name beside others',
			'Vinyl\nPosters',
			`${notCalled('Posters')}"Vinyl", "Ways to pay", "T-shirts", "Gift cards", "Tour dates, 2027", block "b5". ${USE}`,
		],
		['several names on one line', 'Vinyl, T-shirts', notCalled('Vinyl, T-shirts')],
		['a block that is not on the page', ['b0', 'b9'], notCalled('b9')],
		['white space', ' ', 'Blocks to Move: the list is empty. Choose the blocks to move.'],
		['an empty JSON array', '[]', 'Blocks to Move: the list is empty. Choose the blocks to move.'],
		['a JSON object without an ID', '{"a": 1}', `Blocks to Move: the "id" of entry 1 is empty. ${NO_ID}`],
		['an empty entry', ['Vinyl', ''], `Blocks to Move: entry 2 is empty. ${NO_ID}`],
		['a number that has lost digits', [2 ** 60], 'entry 1 is the number 1152921504606847000, which may'],
		['numbered lines', '1. Gift cards\n2) Vinyl', notCalled('1. Gift cards')],
		['malformed JSON', '["Vinyl", "T-shirts"', notCalled('["Vinyl", "T-shirts"')],
	])('%s', (_what, value, message) => {
		expect(move(value)).toContain(message);
	});
});

test('Move Blocks reads lists of names, one a line or in JSON, as they are, whatever the names contain', () => {
	const names = fc.uniqueArray(
		fc
			.string({ minLength: 1, unit: 'grapheme' })
			.filter((text) => text.trim() === text && !/[\r\n\p{C}]/u.test(text) && loosened(text) !== ''),
		{ minLength: 1, selector: loosened },
	);
	fc.assert(
		fc.property(names, (list) => {
			const ids = list.map((_, index) => `id:${index}`);
			const page = pageOf(list.map((name, index) => [ids[index]!, name]));
			fc.pre(list.every((name) => page.find(name).length === 1));
			expect(move(list, page)).toEqual(ids);
			expect(move(JSON.stringify(list), page)).toEqual(ids);
			expect(move(list.join('\n'), page)).toEqual(ids);
		}),
	);
});

/** IDs as users may have them: no white space, no quotation marks or asterisks, and no separators. */
const id = fc
	.string({ minLength: 1, unit: 'grapheme' })
	.map((text) => text.replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800,;"'`«»\u2018-\u201F]/gu, ''))
	.filter((text) => text !== '' && !/^[[{]/.test(text));
const ids = fc.uniqueArray(id, { minLength: 1 });

describe('Reorder Blocks reads an order', () => {
	test('from a list or a JSON array of IDs, or of blocks as lists of the service contain them', () => {
		const toEntry = fc.constantFrom<(blockId: string) => unknown>(
			(blockId) => blockId,
			(blockId) => ({ type: 'BLOCK', title: 'x', id: blockId, block_id: 'y' }),
			(blockId) => ({ block_id: blockId }),
		);
		fc.assert(
			fc.property(ids, toEntry, (order, toEntryOf) => {
				const list = order.map(toEntryOf);
				expect(reorder(list)).toEqual(order);
				expect(reorder(JSON.stringify(list, null, 2))).toEqual(order);
			}),
		);
	});

	test('from a text with commas, semicolons, tabs, or new lines between the IDs', () => {
		const separators = [',', ' , ', ';', ',,', '\t', ' \t ', '\n', '\r\n', ' ,\r\n  ', '\n\n', '\r', ';\r\n'];
		const betweens = fc.array(fc.constantFrom(...separators));
		const end = fc.constantFrom('', '\n', ',', ';', '\t');
		fc.assert(
			fc.property(ids, betweens, end, (order, between, last) => {
				const parts = order.map((blockId, index) => (index ? (between[index - 1] ?? ',') : '') + blockId);
				expect(reorder(parts.join('') + last)).toEqual(order);
			}),
			{ numRuns: 1000 },
		);
	});

	test.each<[unknown, string[]]>([
		[{ id: 'a.1' }, ['a.1']],
		[7, ['7']],
		[
			['65f1c0a2b3d4e5.12345678', '1.5', '-7', '-', '007', 'a(b)', '0'],
			['65f1c0a2b3d4e5.12345678', '1.5', '-7', '-', '007', 'a(b)', '0'],
		],
	])('from %j, and changes no ID', (value, order) => {
		expect(reorder(value)).toEqual(order);
	});
});

describe('Reorder Blocks refuses', () => {
	test.each([
		['an empty text', '', 'Block IDs: the list is empty. List.'],
		['an entry that an expression left empty', ['a.1', null], 'Block IDs: entry 2 is empty'],
		['an entry that an expression made a text of nothing', ['a.1', 'undefined'], 'entry 2 is not an ID: "undefined"'],
		['a line of nothing', 'a.1\nnull', 'entry 2 is not an ID: "null"'],
		['a block without ID', [{ id: 'a.1' }, { type: 'X', title: 'b.2' }], 'the "id" of entry 2 is empty'],
		['a number that is too large', [2 ** 60], 'entry 1 is the number 1152921504606847000, which may'],
		['IDs separated by spaces', 'a.1 b.2', 'Block IDs: entry 1 is not an ID: "a.1 b.2"'],
		['a heading of two words', 'Block IDs:\na.1\nb.2', 'entry 1 is not an ID: "Block IDs:"'],
		['JSON numbers with a fraction', '["a", 65.10]', 'entry 2 is the number 65.1, which may have lost digits'],
		['a list in a list', [['a.1', 'b.2']], 'entry 1 is a list, not text'],
		['numbered lines', '1. a.1\n2. b.2', 'entry 1 is not an ID: "1. a.1"'],
	])('%s', (_what, value, message) => {
		expect(reorder(value)).toContain(message);
	});

	test('any value that it does not read as IDs', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const order = reorder(value);
				if (typeof order === 'string') return;
				expect(order.length).toBeGreaterThan(0);
				expect(order.every((text) => text !== '' && !/[\s"'`]/.test(text))).toBe(true);
			}),
		);
	});
});
