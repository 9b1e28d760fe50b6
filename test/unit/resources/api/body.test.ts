import fc from 'fast-check';
import { DateTime } from 'luxon';

import { toJson } from '../../../../nodes/ProfilePage/resources/api/body';
import { anyText } from '../../../support/texts';

const data = fc.object({
	values: [anyText, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)],
	withObjectString: true,
});

describe('toJson', () => {
	test('returns any data as JSON', () => {
		fc.assert(
			fc.property(data, (value) => {
				expect(toJson(value)).toBe(JSON.stringify(value));
			}),
		);
	});

	test('rejects what is missing or no number, such as the result of an expression', () => {
		expect(() => toJson({ id: undefined })).toThrow('Body: "id" is missing');
		expect(() => toJson({ id: NaN })).toThrow('Body: "id" is not a number');
		expect(() => toJson(Infinity)).toThrow('Body: the value is not a number');
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
			expect(() => toJson(value)).toThrow('Body: the value cannot be written as JSON');
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
		expect(() => toJson(value)).toThrow(`Body: the value ${problem}`);
		expect(() => toJson({ a: [{ b: value }] })).toThrow(`Body: "b" ${problem}`);
	});

	test.each([
		['Date', new Date('soon')],
		['DateTime', DateTime.fromISO('soon')],
		['DateTime that n8n has made a text', DateTime.fromISO('soon').toString()],
	])('rejects an invalid %s, which JSON would write as null', (_type, value) => {
		expect(() => toJson(value)).toThrow('Body: the value is an invalid date');
		expect(() => toJson({ when: value })).toThrow('Body: "when" is an invalid date');
	});
});
