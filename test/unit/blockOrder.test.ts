import fc from 'fast-check';

import { readBlockOrder } from '../../nodes/ProfilePage/resources/blocks/blockOrder';

const read = (value: unknown) => readBlockOrder(value, 'Block IDs', 'Give one flat list.');

/** IDs as users may have them: no white space around them, and no separators. */
const id = fc
	.string({ minLength: 1, unit: 'grapheme' })
	.map((text) => text.replace(/[,\r\n]/g, '').trim())
	.filter((text) => text !== '' && !/^[[{"]/.test(text));
const ids = fc.uniqueArray(id, { minLength: 1 });

describe('an order is read', () => {
	test('from a list of IDs', () => {
		fc.assert(fc.property(ids, (order) => expect(read(order)).toEqual(order)));
	});

	test('from a list of blocks, whatever else they hold', () => {
		fc.assert(
			fc.property(ids, (order) => {
				const blocks = order.map((blockId, position) => ({ type: 'BLOCK', position, id: blockId }));
				expect(read(blocks)).toEqual(order);
			}),
		);
	});

	test('from a JSON array as text, of IDs or of blocks', () => {
		fc.assert(
			fc.property(ids, fc.boolean(), (order, asBlocks) => {
				const list = asBlocks ? order.map((blockId) => ({ id: blockId })) : order;
				expect(read(JSON.stringify(list, null, 2))).toEqual(order);
			}),
		);
	});

	test('from a text with commas or new lines between the IDs', () => {
		const separator = fc.constantFrom(',', ' , ', '\n', '\r\n', ',\n', ' ,\r\n  ', '\n\n', '\r');
		fc.assert(
			fc.property(
				ids,
				fc.array(separator),
				fc.constantFrom('', '\n', ','),
				(order, between, end) => {
					const text = order
						.map((blockId, index) => (index ? (between[index - 1] ?? ',') : '') + blockId)
						.join('');
					expect(read(text + end)).toEqual(order);
				},
			),
		);
	});

	test('without the white space around an ID', () => {
		expect(read([' a.1 ', { id: 'b.2\n' }])).toEqual(['a.1', 'b.2']);
	});

	test('from numbers that have lost nothing', () => {
		expect(read([7, { id: 65.25 }])).toEqual(['7', '65.25']);
		expect(read('[7, 65.25]')).toEqual(['7', '65.25']);
	});

	test('from JSON blocks, whatever numbers they hold beside their IDs', () => {
		const json = '[{"id": "a\\"1", "position": 1.0, "size": 1e5}, {"id": 7, "tags": [0.10]}]';
		expect(read(json)).toEqual(['a"1', '7']);
	});

	test('from one ID alone', () => {
		expect(read('a.1')).toEqual(['a.1']);
	});
});

describe('an order is refused', () => {
	test.each([
		['without any ID', [], 'Block IDs: there is none. List every block'],
		['that was left empty', '', 'Block IDs: there is none.'],
		['of blank lines', ' \n ', 'Block IDs: there is none.'],
		['that is missing', undefined, 'Block IDs: there is none.'],
		['that is null', null, 'Block IDs: there is none.'],
		['of an empty JSON array', '[]', 'Block IDs: there is none.'],
		['with an ID twice', ['a.1', 'b.2', 'a.1'], 'block "a.1" is listed twice, as entries 1 and 3.'],
		['with an ID twice but for white space', ['a.1', ' a.1'], 'block "a.1" is listed twice'],
		['with an ID as number and as text', [7, '7'], 'block "7" is listed twice'],
		['with an empty ID', ['a.1', ''], 'entry 2 is empty. Give it the ID of a block'],
		['with a gap between commas', 'a.1,,b.2', 'entry 2 is empty.'],
		['with a block without ID', [{ id: 'a.1' }, { type: 'X' }], 'the "id" of entry 2 is empty.'],
		['with an ID that is no text', ['a.1', true], 'entry 2 is a boolean, not a text.'],
		['with an ID that is null', [null], 'entry 1 is empty.'],
		[
			'with a list in an entry',
			[['a.1', 'b.2']],
			'Block IDs: entry 1 is a list of its own. Give one flat list.',
		],
		['with a number too large', [2 ** 60], 'entry 1 is the number 1152921504606847000, which may'],
		['of a single block', { id: 'a.1' }, 'the value is not a list.'],
		['that is a number', 12, 'the value is not a list.'],
		[
			'of JSON that is cut',
			'["a.1", "b.2"',
			'the text begins like JSON and is not. Check its brackets',
		],
		['of quoted IDs without brackets', '"a.1", "b.2"', 'the text begins like JSON and is not.'],
		['of a JSON object', '{"id": "a.1"}', 'the value is not a list.'],
		['of a JSON text', '"a.1"', 'the value is not a list.'],
		['of objects made text', '[object Object]', 'The expression has turned its list into text'],
		['of JSON numbers with too many digits', '[65.123456789012345678]', 'would lose digits'],
		['of JSON numbers that end in zero', '["a", 65.10]', 'the number 65.10 in entry 2 would lose'],
		[
			'with a long ID twice, which is shortened',
			['x'.repeat(500), 'x'.repeat(500)],
			`block "${'x'.repeat(100)}…" is listed twice`,
		],
		[
			'of a JSON number with hundreds of digits, which is shortened',
			`[${'7'.repeat(300)}]`,
			`the number ${'7'.repeat(100)}… in entry 1 would lose digits.`,
		],
		['of JSON blocks with such a number', '[{"id": 1e3}]', 'the number 1e3 in entry 1 would lose'],
	])('%s', (_what, value, message) => {
		expect(() => read(value)).toThrow(message);
	});

	test('with an ID twice, whatever it is and wherever it stands', () => {
		fc.assert(
			fc.property(ids, fc.nat(), fc.nat(), (order, from, to) => {
				const twin = order[from % order.length]!;
				const twice = [...order];
				twice.splice(to % (order.length + 1), 0, twin);
				expect(() => read(twice)).toThrow(`block "${twin}" is listed twice`);
			}),
		);
	});

	test('or read, but nothing else happens, whatever the value', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				let order: string[];
				try {
					order = read(value);
				} catch (error) {
					expect(error).toMatchObject({ name: 'FieldError' });
					return;
				}
				expect(order.length).toBeGreaterThan(0);
				expect(new Set(order).size).toBe(order.length);
				expect(order.every((text) => text.trim() === text && text !== '')).toBe(true);
			}),
		);
	});
});
