import fc from 'fast-check';

import { arrange } from '../../../../nodes/ProfilePage/resources/blocks/arrangement';
import { blocksField } from '../../../../nodes/ProfilePage/resources/blocks/blockFields';
import { Names } from '../../../../nodes/ProfilePage/resources/names';
import { Failure } from '../../../../nodes/ProfilePage/shared/failure';
import { itemOf } from '../../../support/items';
import { processorTime } from '../../../support/processorTime';

const FIELD = 'Blocks to Move';

const field = blocksField({
	displayName: FIELD,
	name: 'blocks',
	type: 'multiOptions',
	default: [],
	ifEmpty: 'Choose them.',
});

const pageOf = (blocks: ReadonlyArray<readonly [id: string, name: string]>, secrets: string[] = []) => {
	const entries = blocks.map(([id, name]) => ({ id, name, idProperty: 'id', json: { id } }));
	return new Names(entries, 'block', 'page "Shop"', new Set(secrets));
};

/** A page whose blocks have these names, and the IDs b0, b1, and so on. */
const shopOf = (...names: string[]) => pageOf(names.map((name, index) => [`b${index}`, name]));

/** Returns the IDs of what is entered, or the message and the advice of the failure. */
function read(value: unknown, names: Names): string[] | string {
	try {
		return field.parse(value, itemOf({}))(names);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return `${error.data.problem}. ${error.data.advice}`;
	}
}

const shop = shopOf('Vinyl', 'Ways to pay', 'T-shirts', 'Gift cards', 'Tour dates, 2027', '');

describe('Blocks are found', () => {
	test.each<[string, unknown, string[]]>([
		['by ID', ['b2', 'b5'], ['b2', 'b5']],
		['by name', 'Gift cards', ['b3']],
		['by name, with case, white space, and invisible characters of its own', '\u200Bgift  CARDS', ['b3']],
		['by ID, with an invisible character', ['\u200Bb3'], ['b3']],
		['by IDs and names in one list', ['Gift cards', 'b0'], ['b3', 'b0']],
		['as blocks with an ID', [{ id: 'b3', title: 'x' }, { block_id: 'b0' }], ['b3', 'b0']],
		['as blocks with a name', [{ name: 'Vinyl' }, { title: 'Gift cards' }, { label: 'T-shirts' }], ['b0', 'b3', 'b2']],
		['as one block', { id: 'b3' }, ['b3']],
		['in a JSON array', '["Gift cards", {"id": "b0"}]', ['b3', 'b0']],
		['in a JSON array in a code block', 'Here is the order:\n\n```json\n["Gift cards"]\n```', ['b3']],
		['in a text that was encoded as JSON', '"Gift cards\\nVinyl"', ['b3', 'b0']],
		['in lines', 'Gift cards\r\n\nTour dates, 2027\nVinyl', ['b3', 'b4', 'b0']],
		['between commas, semicolons, and tabs', 'Gift cards, b2; Vinyl\tWays to pay,', ['b3', 'b2', 'b0', 'b1']],
		['between commas, though a name has one', 'Vinyl, Tour dates, 2027, Gift cards', ['b0', 'b4', 'b3']],
		['in a numbered list', '1. Gift cards\n2) Vinyl', ['b3', 'b0']],
		['in a list with bullets and quotation marks', '- "Gift cards"\n• “Vinyl”\n* `T-shirts`', ['b3', 'b0', 'b2']],
		['in quotation marks', `'Gift cards', "Vinyl"`, ['b3', 'b0']],
	])('%s', (_what, value, ids) => {
		expect(read(value, shop)).toEqual(ids);
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
		['the same name before a similar one', shopOf('vinyl', 'Vinyl'), 'Vinyl', ['b1']],
		['lines and cells before a name without them', shopOf('AB', 'A', 'B', 'C', 'BC'), 'A\nB\tC', ['b1', 'b2', 'b3']],
		['a name of several lines before its lines', shopOf('A', 'B', 'A\nB'), 'A\nB', ['b2']],
		['a whole text before its lines', shopOf('A', 'B', 'A, B'), 'A, B', ['b2']],
		['a number that is part of the name', shopOf('1. Vinyl', 'Vinyl'), '1. Vinyl', ['b0']],
		['a name in quotation marks', shopOf('"Best"', 'Best'), '"Best"', ['b0']],
		['a name that is a number', shopOf('2027', '2028'), [2028], ['b1']],
		['a name with brackets', shopOf('[New] Vinyl', 'Vinyl'), '[New] Vinyl', ['b0']],
	])('%s', (_what, names, value, ids) => {
		expect(read(value, names)).toEqual(ids);
	});
});

describe('Blocks are not found', () => {
	const HAS = 'It has: "Vinyl", "Ways to pay", "T-shirts", "Gift cards", "Tour dates, 2027", block "b5".';

	test.each<[string, unknown, string]>([
		['misspelt', 'Vynil', `${FIELD}: no block of page "Shop" is called "Vynil". ${HAS}`],
		['misspelt beside others', 'Vinyl, Posters', `${FIELD}: no block of page "Shop" is called "Posters". ${HAS}`],
		['missing from the page', ['b0', 'b9'], `${FIELD}: no block of page "Shop" is called "b9". ${HAS}`],
		['parts of a list entry', ['Vinyl, T-shirts'], `no block of page "Shop" is called "Vinyl, T-shirts". ${HAS}`],
		['twice', 'Vinyl\nb0', `${FIELD}: block "b0" is listed twice, as entries 1 and 2. List each block once.`],
		['an object in a text', '[object Object]', `no block of page "Shop" is called "[object Object]". ${HAS}`],
		['nothing', ' ', `${FIELD}: the list is empty. Choose them.`],
		['no block in JSON', '{"a": 1}', `${FIELD}: the "id" of entry 1 is empty. Enter the name or the ID of a block`],
		[
			'chosen on another page',
			['65f1c0a2b3d4e4.42081523'],
			'If it was chosen from a list, such as that of another page, remove it, and choose again.',
		],
		['a gap', ['Vinyl', ''], `${FIELD}: entry 2 is empty. Enter the name or the ID of a block`],
		['a number that has lost digits', [2 ** 60], `${FIELD}: entry 1 is the number 1152921504606847000, which may`],
		['undefined', undefined, `${FIELD}: the expression returns no value.`],
	])('if they are %s', (_what, value, message) => {
		expect(read(value, shop)).toContain(message);
	});

	test.each<[string, Names, unknown, string]>([
		[
			'a shared name',
			shopOf('Vinyl', 'Posters', 'Vinyl'),
			'Vinyl',
			`2 blocks of page "Shop" are called "Vinyl". Use the ID of one of them: "b0" at position 0, "b2" at position 2.`,
		],
		['a name that two are similar to', shopOf('vinyl', 'VINYL'), 'Vinyl', '2 blocks of page "Shop" are called "Vinyl"'],
		[
			'a line with two readings',
			shopOf('A', 'B', 'C', 'A, B'),
			'A, B, C',
			'"A, B, C" can be read as names of blocks in more than one way. Write one name a line.',
		],
		['a number where names have one', shopOf('1. Vinyl', 'Posters'), '2. Posters', 'no block of page "Shop" is called'],
		[
			'one of many',
			shopOf(...Array.from({ length: 14 }, (_, index) => `N${index}`)),
			'X',
			`It has: "N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", and 4 more.`,
		],
		[
			'a shared name, whose ID repeats a secret',
			pageOf(
				[
					['the-token-of-it', 'Vinyl'],
					['x', 'Vinyl'],
				],
				['the-token-of-it'],
			),
			'Vinyl',
			'Use the ID of one of them: "…" at position 0, "x" at position 1.',
		],
		['nothing where there is nothing', pageOf([]), 'Vinyl', 'It has: none.'],
		['a block called as a secret', pageOf([['x', 'the-token-of-it']], ['the-token-of-it']), 'X1', 'It has: block "x".'],
	])('by %s', (_what, names, value, message) => {
		expect(read(value, names)).toContain(message);
	});
});

describe('Whatever mixture of IDs and names is given', () => {
	const word = fc.constantFrom(
		'Vinyl',
		'Gift cards',
		'T-shirts',
		'vinyl',
		'A',
		'B',
		'A, B',
		'B; C',
		'C',
		'1. A',
		'"B"',
		'',
	);
	const pages = fc
		.tuple(
			fc.uniqueArray(fc.stringMatching(/^[a-c][0-9]{1,2}$/), { minLength: 1, maxLength: 8 }),
			fc.infiniteStream(word),
		)
		.map(([ids, words]) => ids.map((id) => [id, words.next().value as string] as const));
	const given = (blocks: ReadonlyArray<readonly [string, string]>) => {
		const text = fc.oneof(fc.constantFrom(...blocks.flat()), word, fc.string({ maxLength: 4 }));
		const texts = fc.array(text, { minLength: 1, maxLength: 5 });
		const separator = fc.constantFrom('\n', ', ', ';', '\t', '\n- ', '\r\n1. ');
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
				const moved = read(value, pageOf(blocks));
				if (typeof moved === 'string') return;
				const ids = blocks.map(([id]) => id);
				const order = arrange(ids, { kind: 'moveToTop', moved });
				expect(order.toSorted()).toEqual(ids.toSorted());
				expect(order.slice(0, moved.length)).toEqual(moved);
				expect(order.slice(moved.length)).toEqual(ids.filter((id) => !moved.includes(id)));
			}),
			{ numRuns: 2000 },
		);
	});

	test('a block is found only by its own ID or name, and never by a name that others share', () => {
		const loose = (text: string) => text.replace(/\s/g, '').toLowerCase();
		fc.assert(
			fc.property(cases, ([blocks, value]) => {
				const found = read(value, pageOf(blocks));
				if (typeof found === 'string') return;
				const entered = loose(typeof value === 'string' ? value : value.join());
				for (const id of found) {
					const [, name] = blocks.find((block) => block[0] === id)!;
					const isById = entered.includes(id);
					const namesakes = blocks.filter((block) => block[1] === name);
					expect(isById || (name !== '' && entered.includes(loose(name).replace(/^1\.|"/g, '')))).toBe(true);
					expect(isById || namesakes.length === 1).toBe(true);
				}
			}),
			{ numRuns: 2000 },
		);
	});

	test.each(['[]', '""', ',', ' ; ', '```\n\n```', '" "'])(
		'a text that names no block is an empty list: %s',
		(text) => {
			expect(read(text, shop)).toBe('Blocks to Move: the list is empty. Choose them.');
		},
	);

	test('thousands of names that differ by case from those of many blocks take little time', async () => {
		const page = shopOf(...Array.from({ length: 500 }, (_, index) => `Name ${index}`));
		const texts = Array.from({ length: 5000 }, (_, index) => `name ${index % 500}`);
		const findAll = () => expect(texts.every((text) => page.find(text).length === 1)).toBe(true);
		expect(await processorTime(findAll, 1000)).toBeLessThan(1000);
	});

	test('lists of names, one a line or in JSON, are read as they are, whatever the names contain', () => {
		const names = fc.uniqueArray(
			fc
				.string({ minLength: 1, unit: 'grapheme' })
				.filter((text) => text.trim() === text && !/[\r\n\p{C}`]/u.test(text)),
			{ minLength: 1, selector: (text) => text.replace(/\s/g, '').normalize('NFC').toLowerCase() },
		);
		fc.assert(
			fc.property(names, (list) => {
				const ids = list.map((_, index) => `id:${index}`);
				const page = pageOf(list.map((name, index) => [ids[index]!, name]));
				fc.pre(list.every((name) => page.find(name).length === 1));
				expect(read(list, page)).toEqual(ids);
				expect(read(JSON.stringify(list), page)).toEqual(ids);
				fc.pre(!/^[[{"]/.test(list[0]!));
				expect(read(list.join('\n'), page)).toEqual(ids);
			}),
		);
	});

	test('a text of thousands of separators takes little time', async () => {
		const readBoth = () => {
			expect(read('Vinyl,'.repeat(20_000), shop)).toContain('is listed twice');
			expect(read('x,'.repeat(20_000), shop)).toContain('is called "x"');
		};
		expect(await processorTime(readBoth, 5000)).toBeLessThan(5000);
	});
});
