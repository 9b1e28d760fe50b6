import fc from 'fast-check';

import { arrange } from '../../../../nodes/ProfilePage/resources/blocks/arrangement';
import { findChosen, readArrangement } from '../../../../nodes/ProfilePage/resources/blocks/arrangementFields';
import { idsField } from '../../../../nodes/ProfilePage/resources/blocks/blockFields';
import { loosened, Names } from '../../../../nodes/ProfilePage/resources/names';
import { Failure } from '../../../../nodes/ProfilePage/shared/failure';
import { itemOf } from '../../../support/items';
import { processorTime } from '../../../support/processorTime';

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
		return [...findChosen(readArrangement([item]), names).keys()];
	});

const idsOfOrder = idsField({ displayName: 'Block IDs', name: 'blockIds', type: 'string', default: '' });

/** Reads an order of IDs, as Reorder Blocks does. */
const reorder = (value: unknown) => idsOrMessage(() => idsOfOrder.read(itemOf({ entered: { blockIds: value } })));

describe('Move Blocks finds blocks', () => {
	test.each<[string, unknown, string[]]>([
		['by name', 'Gift cards', ['b3']],
		['by name, with case, white space, and invisible characters of its own', '\u200Bgift  CARDS', ['b3']],
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

	test.each<[string, Names, unknown, string[]]>([
		[
			'an ID before a name',
			pageOf([
				['x', 'y'],
				['y', 'x'],
			]),
			['x'],
			['x'],
		],
		['lines before a name without them', shopOf('AB', 'A', 'B'), 'A\nB', ['b1', 'b2']],
		['a name with separators', shopOf('A', 'B', 'A, B; C'), 'A, B; C', ['b2']],
		['a number that is part of the name', shopOf('1. Vinyl', 'Vinyl'), '1. Vinyl', ['b0']],
		['a name that is a number', shopOf('2027', '2028'), [2028], ['b1']],
		['a name with brackets', shopOf('[New] Vinyl', 'Vinyl'), '[New] Vinyl', ['b0']],
	])('and %s', (_what, names, value, ids) => {
		expect(move(value, names)).toEqual(ids);
	});
});

describe('Move Blocks refuses', () => {
	const HAS = 'It has: "Vinyl", "Ways to pay", "T-shirts", "Gift cards", "Tour dates, 2027", block "b5".';
	const USE =
		'Use one of these names, one on each line. If it was chosen from the list of another page, remove it, and choose again.';
	const notCalled = (text: string) => `Blocks to Move: no block of page "Shop" is called "${text}". ${HAS} ${USE}`;
	const NO_ID = 'Enter the name or the ID of a block, or remove the entry.';

	test.each<[string, unknown, string]>([
		['a misspelt name beside others', 'Vinyl\nPosters', notCalled('Posters')],
		['several names on one line', 'Vinyl, T-shirts', notCalled('Vinyl, T-shirts')],
		['several names in a row of a spreadsheet', 'Vinyl\tT-shirts', notCalled('Vinyl\tT-shirts')],
		['a block that is not on the page', ['b0', 'b9'], notCalled('b9')],
		['several names in an entry of a list', ['Vinyl, T-shirts'], notCalled('Vinyl, T-shirts')],
		['white space', ' ', 'Blocks to Move: the list is empty. Choose the blocks to move.'],
		['an empty JSON array', '[]', 'Blocks to Move: the list is empty. Choose the blocks to move.'],
		['a JSON object without an ID', '{"a": 1}', `Blocks to Move: the "id" of entry 1 is empty. ${NO_ID}`],
		['an empty entry', ['Vinyl', ''], `Blocks to Move: entry 2 is empty. ${NO_ID}`],
		[
			'a number that has lost digits',
			[2 ** 60],
			'Blocks to Move: entry 1 is the number 1152921504606847000, which may',
		],
		['numbered lines', '1. Gift cards\n2) Vinyl', notCalled('1. Gift cards')],
		['malformed JSON', '["Vinyl", "T-shirts"', notCalled('["Vinyl", "T-shirts"')],
	])('%s', (_what, value, message) => {
		expect(move(value)).toContain(message);
	});

	test.each<[string, Names, unknown, string]>([
		[
			'a shared name',
			shopOf('Vinyl', 'Posters', 'Vinyl'),
			'Vinyl',
			'2 blocks of page "Shop" are called "Vinyl": "b0" ("Vinyl", position 0), "b2" ("Vinyl", position 2). Enter one of these IDs in place of the name.',
		],
		['a name that two are similar to', shopOf('vinyl', 'VINYL'), 'Vinyl', '2 blocks of page "Shop" are called "Vinyl"'],
		[
			'one of many',
			shopOf(...Array.from({ length: 14 }, (_, index) => `N${index}`)),
			'X',
			`It has: "N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9" and 4 more.`,
		],
		['nothing where there is nothing', pageOf([]), 'Vinyl', 'It has: none.'],
	])('%s', (_what, names, value, message) => {
		expect(move(value, names)).toContain(message);
	});
});

describe('Whatever mixture of IDs and names is given', () => {
	const word = fc.constantFrom(
		...['Vinyl', 'Gift cards', 'T-shirts', 'vinyl', 'A', 'B', 'A, B', 'B; C', 'C', '1. A', '"B"', 'A，B', ''],
	);
	const pages = fc
		.tuple(
			fc.uniqueArray(fc.stringMatching(/^[a-c][0-9]{1,2}$/), { minLength: 1, maxLength: 8 }),
			fc.infiniteStream(word),
		)
		.map(([ids, words]) => ids.map((id) => [id, words.next().value as string] as const));
	const given = (blocks: Blocks) => {
		const text = fc.oneof(fc.constantFrom(...blocks.flat()), word, fc.string({ maxLength: 4 }));
		const texts = fc.array(text, { minLength: 1, maxLength: 5 });
		const separator = fc.constantFrom('\n', '\r\n');
		return fc.oneof(
			texts,
			texts.map((list) => JSON.stringify(list)),
			fc.tuple(texts, separator).map(([list, between]) => list.join(between)),
		);
	};
	const cases = pages.chain((blocks) => fc.tuple(fc.constant(blocks), given(blocks)));

	test('none is lost or doubled, and blocks that are not named keep their order', () => {
		fc.assert(
			fc.property(cases, ([blocks, value]) => {
				const found = move(value, pageOf(blocks));
				if (typeof found === 'string') return;
				const ids = blocks.map(([id]) => id);
				const order = arrange(ids, { kind: 'moveToTop', positions: 0, chosen: found });
				expect(order.toSorted()).toEqual(ids.toSorted());
				expect(order.slice(0, found.length)).toEqual(found);
				expect(order.slice(found.length)).toEqual(ids.filter((id) => !found.includes(id)));
			}),
			{ numRuns: 2000 },
		);
	});

	test('a block is found only by its own ID or name, and never by a name that others share', () => {
		fc.assert(
			fc.property(cases, ([blocks, value]) => {
				const found = move(value, pageOf(blocks));
				if (typeof found === 'string') return;
				// JSON escapes quotation marks.
				const entered = loosened((typeof value === 'string' ? value : value.join()).replaceAll('\\', ''));
				for (const id of found) {
					const [, name] = blocks.find((block) => block[0] === id)!;
					const isById = entered.includes(loosened(id));
					const namesakes = blocks.filter((block) => block[1] === name);
					expect(isById || (name !== '' && entered.includes(loosened(name)))).toBe(true);
					expect(isById || namesakes.length === 1).toBe(true);
				}
			}),
			{ numRuns: 2000 },
		);
	});

	test('lists of names, one a line or in JSON, are read as they are, whatever the names contain', () => {
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
				fc.pre(list.every((name) => page.find(name).length === 1 && !/^(?:null|undefined)$/.test(name)));
				expect(move(list, page)).toEqual(ids);
				expect(move(JSON.stringify(list), page)).toEqual(ids);
				expect(move(list.join('\n'), page)).toEqual(ids);
			}),
		);
	});

	test('a text of thousands of separators takes little time', async () => {
		const readBoth = () => {
			expect(move('Vinyl\n'.repeat(20_000))).toEqual(['b0']);
			expect(move('x\n'.repeat(20_000))).toContain('is called "x"');
		};
		expect(await processorTime(readBoth, 5000)).toBeLessThan(5000);
	});
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

	const separators = [',', ' , ', ';', ',,', '\t', ' \t ', '\n', '\r\n', ' ,\r\n  ', '\n\n', '\r', ';\r\n'];
	const betweens = fc.array(fc.constantFrom(...separators));
	const texts = fc.tuple(ids, betweens, fc.constantFrom('', '\n', ',', ';', '\t')).map(([order, between, end]) => {
		const parts = order.map((blockId, index) => (index ? (between[index - 1] ?? ',') : '') + blockId);
		return { order, text: parts.join('') + end };
	});

	test('from a text with commas, semicolons, tabs, or new lines between the IDs', () => {
		fc.assert(
			fc.property(texts, ({ order, text }) => expect(reorder(text)).toEqual(order)),
			{ numRuns: 1000 },
		);
	});

	test('of one block, which needs no list', () => {
		expect(reorder({ id: 'a.1' })).toEqual(['a.1']);
		expect(reorder(7)).toEqual(['7']);
	});

	test('and never changes an ID', () => {
		const order = ['65f1c0a2b3d4e5.12345678', '1.5', '-7', '-', '007', 'a(b)', '0'];
		expect(reorder(order)).toEqual(order);
		expect(reorder(order.join('\n'))).toEqual(order);
		expect(reorder(order.join(' , '))).toEqual(order);
	});
});

describe('Reorder Blocks refuses', () => {
	test.each([
		['an empty text', '', 'Block IDs: the list is empty'],
		['an entry that the editor added', ['a.1', []], 'Block IDs: entry 2 is empty'],
		['an ID listed as number and as text', [7, '7'], 'block "7" is listed twice'],
		['a block without ID', [{ id: 'a.1' }, { type: 'X', title: 'b.2' }], 'the "id" of entry 2 is empty'],
		['a number that is too large', [2 ** 60], 'entry 1 is the number 1152921504606847000, which may'],
		['IDs separated by spaces', 'a.1 b.2', 'Block IDs: entry 1 is not an ID: "a.1 b.2"'],
		['an entry with a line break', [{ id: 'b\n2' }], 'entry 1 is not an ID'],
		['a heading of two words', 'Block IDs:\na.1\nb.2', 'entry 1 is not an ID: "Block IDs:"'],
		['JSON numbers with a fraction', '["a", 65.10]', 'entry 2 is the number 65.1, which may have lost digits'],
		['a list in a list', [['a.1', 'b.2']], 'entry 1 is a list, not text'],
		['numbered lines', '1. a.1\n2. b.2', 'entry 1 is not an ID: "1. a.1"'],
	])('%s', (_what, value, message) => {
		expect(reorder(value)).toContain(message);
	});

	test('any ID that is listed twice, in any place', () => {
		fc.assert(
			fc.property(ids, fc.nat(), fc.nat(), (order, from, to) => {
				const twin = order[from % order.length]!;
				const twice = [...order];
				twice.splice(to % (order.length + 1), 0, twin);
				expect(reorder(twice)).toContain(`block "${twin}" is listed twice`);
			}),
		);
	});

	test('any value that it does not read as unique IDs', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const order = reorder(value);
				if (typeof order === 'string') return;
				expect(order.length).toBeGreaterThan(0);
				expect(new Set(order).size).toBe(order.length);
				expect(order.every((text) => text !== '' && !/[\s"'`]/.test(text))).toBe(true);
			}),
		);
	});
});
