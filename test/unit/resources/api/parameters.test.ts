import fc from 'fast-check';
import { DateTime } from 'luxon';

import { readBody, toJson, toTexts } from '../../../../nodes/ProfilePage/resources/api/parameters';
import { adviceOf } from '../../../support/adviceOf';
import { itemOf } from '../../../support/items';
import { anyText } from '../../../support/texts';

const data = fc.object({
	values: [anyText, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)],
	withObjectString: true,
});

describe('toJson', () => {
	test('returns any data as JSON', () => {
		fc.assert(
			fc.property(data, (value) => {
				expect(toJson(value, 'Field')).toBe(JSON.stringify(value));
			}),
		);
	});

	test.each([Number.MAX_SAFE_INTEGER, -1.5, 5.1, 65.25])('accepts the number %d', (number) => {
		expect(toJson({ number }, 'Field')).toBe(`{"number":${number}}`);
	});

	test.each([2 ** 53, -(2 ** 53), 1e21, 65123456789.12346])('rejects the number %d anywhere in the value', (number) => {
		const problem = `is the number ${number}, which may have lost digits`;
		expect(() => toJson(number, 'Field')).toThrow(`Field: the value ${problem}`);
		expect(() => toJson([number], 'Field')).toThrow(`Field: "0" ${problem}`);
		expect(() => toJson({ a: [{ b: number }] }, 'Field')).toThrow(`Field: "b" ${problem}`);
	});

	test('rejects what is missing or no number, such as the result of an expression', () => {
		expect(() => toJson({ id: undefined }, 'Field')).toThrow('Field: "id" is missing');
		expect(() => toJson({ id: NaN }, 'Field')).toThrow('Field: "id" is not a number');
		expect(() => toJson(Infinity, 'Field')).toThrow('Field: the value is not a number');
	});

	test("treats what is undefined in n8n's own paired items as absent", () => {
		const items = [{ json: { a: 1 }, pairedItem: { item: 0, input: undefined } }];
		expect(toJson(items, 'Field')).toBe('[{"json":{"a":1},"pairedItem":{"item":0}}]');
		expect(() => toJson({ input: undefined }, 'Field')).toThrow('Field: "input" is missing');
		expect(() => toJson({ item: 0, input: NaN }, 'Field')).toThrow('Field: "input" is not a number');
		expect(() => toJson({ item: 0, other: undefined }, 'Field')).toThrow('Field: "other" is missing');
	});

	test('rejects what JSON cannot contain', () => {
		const cycle: { self?: unknown } = {};
		cycle.self = cycle;
		const hostile = {
			toJSON: () => {
				throw new Error('no');
			},
		};
		for (const value of [cycle, hostile]) {
			expect(() => toJson(value, 'Field')).toThrow('Field: the value cannot be written as JSON');
		}
	});

	test.each([
		['Function', () => 1],
		['Symbol', Symbol('a')],
		['Map', new Map([['a', 1]])],
		['Set', new Set([1])],
		['RegExp', /a/],
		['Uint8Array', new Uint8Array(1)],
	])('rejects a %s, which JSON would leave out or write as something else', (type, value) => {
		const problem = `is of type ${type}, which JSON cannot contain`;
		expect(() => toJson(value, 'Field')).toThrow(`Field: the value ${problem}`);
		expect(() => toJson({ a: [{ b: value }] }, 'Field')).toThrow(`Field: "b" ${problem}`);
	});

	test.each([
		['Date', new Date('soon')],
		['DateTime', DateTime.fromISO('soon')],
		['DateTime that n8n has made a text', DateTime.fromISO('soon').toString()],
	])('rejects an invalid %s, which JSON would write as null', (_type, value) => {
		expect(() => toJson(value, 'Field')).toThrow('Field: the value is an invalid date');
		expect(() => toJson({ when: value }, 'Field')).toThrow('Field: "when" is an invalid date');
	});

	test('accepts objects of any class that are data', () => {
		class Point {
			x = 1;
		}
		const value = { point: new Point(), none: Object.create(null) as object, date: new Date(0) };
		expect(toJson(value, 'Field')).toBe(JSON.stringify(value));
	});
});

describe('toTexts', () => {
	test('returns text unchanged', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				expect(toTexts([['name', text]], 'Field')).toEqual([['name', text]]);
			}),
		);
	});

	test('returns a date as ISO 8601, without quotation marks', () => {
		const date = new Date('2026-11-21T10:00:00Z');
		expect(
			toTexts(
				[
					['a', date],
					['b', DateTime.fromJSDate(date, { zone: 'UTC' })],
				],
				'Field',
			),
		).toEqual([
			['a', '2026-11-21T10:00:00.000Z'],
			['b', '2026-11-21T10:00:00.000Z'],
		]);
	});
});

/** Reads a body that was entered as JSON, as if n8n evaluated `raw` to `value`. */
function readJson(bodyContentType: 'form' | 'json', raw: unknown, value = raw) {
	const fields = { bodyContentType, specifyBody: 'json' };
	return readBody(itemOf({ entered: { ...fields, jsonBody: raw }, values: { ...fields, jsonBody: value } }));
}

/** Reads a body that was entered as parameters. */
function readParameters(bodyContentType: 'form' | 'json', rows: readonly unknown[]) {
	const bodyParameters = { parameters: rows };
	return readBody(itemOf({ entered: { bodyContentType, specifyBody: 'keypair', bodyParameters } }));
}

test('A body of parameters is empty without any, or with an empty row', () => {
	expect(readParameters('form', [])).toEqual({});
	expect(readParameters('json', [{ name: '', value: '' }])).toEqual({});
});

describe('A body of JSON', () => {
	test('becomes a form if it is an object', () => {
		expect(readJson('form', '={{ x }}', { a: 1, b: null })).toEqual({
			form: [
				['a', '1'],
				['b', ''],
			],
		});
		expect(() => readJson('form', '[1]')).toThrow('a form can only contain the properties of an');
		expect(adviceOf(() => readJson('form', '[1]'))).toBe('Use an object, or set Body Content Type to JSON.');
	});

	test.each([
		[5, '{"a":5}'],
		['', '{"a":}'],
		[null, '{"a":null}'],
	])('may contain an expression that returns %j', (value, text) => {
		const fields = { bodyContentType: 'json', specifyBody: 'json' };
		const item = itemOf({
			entered: { ...fields, jsonBody: '={"a":{{ x }}}' },
			values: { ...fields, jsonBody: text },
			context: { evaluateExpression: () => value },
		});
		const read = () => readBody(item);
		if (value === '') expect(read).toThrow('the text is not valid JSON');
		else expect(read()).toEqual({ json: text });
	});

	test('is empty only if nothing was entered, or an expression returns an empty text', () => {
		expect(readJson('json', '')).toEqual({});
		expect(readJson('json', '={{ x }}', '')).toEqual({});
		expect(() => readJson('json', '={{ x }}', null)).toThrow('the expression returns no value');
	});
});

describe('The error says what to do about', () => {
	const bodyOf = (entered: object) => () => readBody(itemOf({ entered: { bodyContentType: 'json', ...entered } }));

	test.each<[name: string, value: unknown, advice: string]>([
		['a number that lost digits', 2 ** 53, 'Enter it as text, in quotation marks.'],
		['a missing value', { id: undefined }, 'Check the expression.'],
		['a value of another type', { id: new Set() }, 'Check the expression.'],
	])('%s', (_name, value, advice) => {
		expect(adviceOf(() => toJson(value, 'Field'))).toBe(advice);
	});

	test('a name that occurs twice in a body of JSON', () => {
		const parameters = ['1', '2'].map((value) => ({ name: 'a', value }));
		const twice = bodyOf({ specifyBody: 'keypair', bodyParameters: { parameters } });
		expect(adviceOf(twice)).toBe('Remove one of the two, or use one parameter with an expression that returns a list.');
	});

	test('an expression for the whole body that returns nothing', () => {
		expect(adviceOf(() => readJson('json', '={{ x }}', null))).toBe(
			'Check the names in it. To send no body, use a single {{ }} that returns an empty string, with nothing around it.',
		);
	});

	test('malformed JSON', () => {
		expect(adviceOf(bodyOf({ specifyBody: 'json', jsonBody: '{"a":' }))).toBe(
			'Check the brackets, quotation marks, and commas. An expression can also return an object.',
		);
	});
});
