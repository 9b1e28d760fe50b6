import fc from 'fast-check';

import { Failure } from '../../../../nodes/ProfilePage/service/failure';
import { reorderFields } from '../../../../nodes/ProfilePage/resources/blocks/reorderFields';
import { itemOf } from '../../../support/items';

const read = (value: unknown) => reorderFields.blockIdsValue.parse(value, itemOf({}));

/** IDs as users may have them: no white space around them, and no separators. */
const id = fc
	.string({ minLength: 1, unit: 'grapheme' })
	.map((text) => text.replace(/[,\r\n]/g, '').trim())
	.filter((text) => text !== '' && !/^[[{"]/.test(text));
const ids = fc.uniqueArray(id, { minLength: 1 });

describe('A field for blocks', () => {
	test('reads a list of IDs', () => {
		fc.assert(fc.property(ids, (order) => expect(read(order)).toEqual(order)));
	});

	test('reads a list of blocks, whatever else they contain', () => {
		fc.assert(
			fc.property(ids, (order) => {
				const blocks = order.map((blockId, position) => ({ type: 'BLOCK', position, id: blockId }));
				expect(read(blocks)).toEqual(order);
			}),
		);
	});

	test('reads a JSON array of IDs or blocks', () => {
		fc.assert(
			fc.property(ids, fc.boolean(), (order, asBlocks) => {
				const list = asBlocks ? order.map((blockId) => ({ id: blockId })) : order;
				expect(read(JSON.stringify(list, null, 2))).toEqual(order);
			}),
		);
	});

	test('reads a text with commas or new lines between the IDs', () => {
		const separator = fc.constantFrom(',', ' , ', '\n', '\r\n', ',\n', ' ,\r\n  ', '\n\n', '\r');
		fc.assert(
			fc.property(ids, fc.array(separator), fc.constantFrom('', '\n', ','), (order, between, end) => {
				const text = order.map((blockId, index) => (index ? (between[index - 1] ?? ',') : '') + blockId).join('');
				expect(read(text + end)).toEqual(order);
			}),
		);
	});

	test('removes the white space around an ID', () => {
		expect(read([' a.1 ', { id: 'b.2\n' }])).toEqual(['a.1', 'b.2']);
	});

	test('reads numbers that have lost no digits', () => {
		expect(read([7, { id: 65 }])).toEqual(['7', '65']);
		expect(read('[7]')).toEqual(['7']);
	});

	test('reads JSON blocks with any other numbers', () => {
		const json = '[{"id": "a\\"1", "position": 1.0, "size": 1e5}, {"id": 7, "tags": [0.10]}]';
		expect(read(json)).toEqual(['a"1', '7']);
	});

	test('reads a single ID', () => {
		expect(read('a.1')).toEqual(['a.1']);
	});

	test.each([
		['an empty text', '', 'Block IDs: the list is empty'],
		['blank lines', ' \n ', 'Block IDs: the list is empty'],
		['undefined', undefined, 'Block IDs: the expression returns no value'],
		['null', null, 'Block IDs: the expression returns no value'],
		['an entry that the editor added', ['a.1', []], 'Block IDs: entry 2 is empty'],
		['an empty JSON array', '[]', 'Block IDs: the list is empty'],
		['an ID listed twice with other white space', ['a.1', ' a.1'], 'block "a.1" is listed twice'],
		['an ID listed as number and as text', [7, '7'], 'block "7" is listed twice'],
		['a gap between commas', 'a.1,,b.2', 'entry 2 is empty'],
		['a block without ID', [{ id: 'a.1' }, { type: 'X' }], 'the "id" of entry 2 is empty'],
		['an ID that is null', [null], 'entry 1 is empty'],
		['a number that is too large', [2 ** 60], 'entry 1 is the number 1152921504606847000, which may'],
		['a single block', { id: 'a.1' }, 'the value is not a list'],
		['a number', 12, 'the value is not a list'],
		['quoted IDs without brackets', '"a.1", "b.2"', 'the text is not valid JSON'],
		['a JSON object', '{"id": "a.1"}', 'the value is not a list'],
		['a JSON string', '"a.1"', 'the value is not a list'],
		['JSON numbers with a fraction', '["a", 65.10]', 'entry 2 is the number 65.1, which may have lost digits'],
		['a JSON number with hundreds of digits', `[${'7'.repeat(300)}]`, 'entry 1 is the number 7.77'],
	])('rejects %s', (_what, value, message) => {
		expect(() => read(value)).toThrow(message);
	});

	test('rejects any ID that is listed twice, in any place', () => {
		fc.assert(
			fc.property(ids, fc.nat(), fc.nat(), (order, from, to) => {
				const twin = order[from % order.length]!;
				const twice = [...order];
				twice.splice(to % (order.length + 1), 0, twin);
				expect(() => read(twice)).toThrow(`block "${twin}" is listed twice`);
			}),
		);
	});

	test('returns unique IDs or throws Failure for any value', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				let order: string[];
				try {
					order = read(value);
				} catch (error) {
					expect(error).toBeInstanceOf(Failure);
					return;
				}
				expect(order.length).toBeGreaterThan(0);
				expect(new Set(order).size).toBe(order.length);
				expect(order.every((text) => text.trim() === text && text !== '')).toBe(true);
			}),
		);
	});
});
