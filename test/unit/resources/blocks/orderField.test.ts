import fc from 'fast-check';

import { Failure } from '../../../../nodes/ProfilePage/shared/failure';
import { orderField } from '../../../../nodes/ProfilePage/resources/blocks/blockFields';
import { itemOf } from '../../../support/items';

const field = orderField({
	displayName: 'Block IDs',
	name: 'ids',
	type: 'string',
	default: '',
	ifEmpty: 'List them.',
});
const read = (value: unknown) => field.parse(value, itemOf({}));

/** IDs as users may have them: no white space, no quotation marks or asterisks, and no separators. */
const id = fc
	.string({ minLength: 1, unit: 'grapheme' })
	.map((text) => text.replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800,;"'`*«»\u2018-\u201F]/gu, ''))
	.filter((text) => text !== '' && !/^[[{]|^ids?:?$|^0+$/i.test(text));
const ids = fc.uniqueArray(id, { minLength: 1 });

describe('A field for an order of blocks', () => {
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

	const separators = [',', ' , ', '\n', '\r\n', ' ,\r\n  ', '\n\n', '\r', '\t', ' \t ', ';', ';\r\n'];
	const texts = fc
		.tuple(ids, fc.array(fc.constantFrom(...separators)), fc.constantFrom('', '\n', ',', ';', '\t'))
		.map(([order, between, end]) => {
			const parts = order.map((blockId, index) => (index ? (between[index - 1] ?? ',') : '') + blockId);
			return { order, text: parts.join('') + end };
		});

	test('reads a text with commas, semicolons, tabs, or new lines between the IDs', () => {
		fc.assert(
			fc.property(texts, ({ order, text }) => expect(read(text)).toEqual(order)),
			{ numRuns: 1000 },
		);
	});

	test('reads the only code block of a text', () => {
		const start = fc.constantFrom('```\n', '```json\r\n', ' ```text \n', 'Here is the new order:\n\n```\n', '`');
		fc.assert(
			fc.property(texts, start, ({ order, text }, before) => {
				const end = before === '`' ? '`' : '\n```\n';
				expect(read(`${before}${text}${end}`)).toEqual(order);
				expect(read(`${before}${JSON.stringify(order)}${end}`)).toEqual(order);
			}),
		);
	});

	test('reads a numbered or bulleted list, and IDs in quotation marks or backticks', () => {
		const marker = fc.constantFrom('', '1. ', '12) ', '1.\t', '- ', '  * ', '• ', '•\t');
		const mark = fc.constantFrom(['', ''], ['"', '"'], ["'", "'"], ['`', '`'], ['“', '”'], ['„', '“']);
		const between = fc.constantFrom('\n', '\r\n', ',\n', ', ', '; ');
		fc.assert(
			fc.property(ids, marker, mark, between, (order, before, [open, close], separator) => {
				fc.pre(!before.includes('\t') || separator.includes('\n'));
				const text = order.map((blockId) => `${before}${open}${blockId}${close}`).join(separator);
				expect(read(text)).toEqual(order);
			}),
			{ numRuns: 1000 },
		);
	});

	test('reads a text that an expression has encoded as JSON', () => {
		fc.assert(fc.property(texts, ({ order, text }) => expect(read(JSON.stringify(text))).toEqual(order)));
		expect(read(JSON.stringify('["a.1","b.2"]'))).toEqual(['a.1', 'b.2']);
	});

	test.each(['id', 'ID', 'Block ID', 'block_id', '"blockId"', 'Block IDs:'])('ignores the heading %s', (heading) => {
		expect(read(`${heading}\r\na.1\r\nb.2`)).toEqual(['a.1', 'b.2']);
	});

	test('reads blocks by their id or block_id, as lists of the service name it', () => {
		expect(read([{ id: 'a.1' }, { block_id: 'b.2' }, { id: 'c.3', block_id: 'd.4' }])).toEqual(['a.1', 'b.2', 'c.3']);
	});

	test('never changes an ID', () => {
		const order = ['65f1c0a2b3d4e5.12345678', '1.5', '-7', '-', '1.', '2)', '007', 'a(b)', '65,1'];
		expect(read(order)).toEqual(order);
		expect(read(order.slice(0, -1).join('\n'))).toEqual(order.slice(0, -1));
		expect(read(order.slice(0, -1).join(' , '))).toEqual(order.slice(0, -1));
	});

	test.each([
		['an empty text', '', 'Block IDs: the list is empty'],
		['undefined', undefined, 'Block IDs: the expression returns no value'],
		['null', null, 'Block IDs: the expression returns no value'],
		['an entry that the editor added', ['a.1', []], 'Block IDs: entry 2 is empty'],
		['an empty JSON array', '[]', 'Block IDs: the list is empty'],
		['an ID listed as number and as text', [7, '7'], 'block "7" is listed twice'],
		['a gap between commas', 'a.1,,b.2', 'entry 2 is empty'],
		['a block without ID', [{ id: 'a.1' }, { type: 'X' }], 'the "id" of entry 2 is empty'],
		['a number that is too large', [2 ** 60], 'entry 1 is the number 1152921504606847000, which may'],
		['IDs separated by spaces', 'a.1 b.2', 'Block IDs: entry 1 is not an ID: "a.1 b.2"'],
		['a title after an ID', '- a.1\n- b.2 (News)', 'entry 2 is not an ID: "b.2 (News)"'],
		['an entry with a line break', [{ id: 'b\n2' }], 'the "id" of entry 1 is not an ID'],
		['typographic quotation marks around some of the IDs', '“a.1”, b.2', 'entry 1 is not an ID'],
		['backticks around some of the IDs', 'a.1, `b.2`, `c.3`', 'entry 2 is not an ID: "`b.2`"'],
		['two code blocks', '```\na.1\n```\n```\nb.2\n```', 'entry 1 is not an ID'],
		['malformed JSON in a code block', '```json\n["a.1",]\n```', 'the text is not valid JSON'],
		['JSON after a name', 'blocks: ["a.1", "b.2"]', 'entry 1 is not an ID'],
		['a JSON string that is no list', '"{}"', 'the value is not a list'],
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
				expect(order.every((text) => text !== '' && !/[\s"'`]/.test(text))).toBe(true);
			}),
		);
	});
});
