import { checkEntered, isTemplate } from '../../../nodes/ProfilePage/fields/entered';
import { collectionField, textField, timeField } from '../../../nodes/ProfilePage/fields/field';
import { Failure } from '../../../nodes/ProfilePage/shared/failure';
import { failureOf } from '../../support/failureOf';
import { itemOf } from '../../support/items';

/** Returns what is wrong with a field of this value; undefined if nothing is. */
function problemOf(raw: unknown, value: unknown): string | undefined {
	try {
		checkEntered({ raw, value }, 'Title');
		return undefined;
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return error.data.problem;
	}
}

const NO_VALUE = 'Title: the expression returns no value';
const UNFINISHED = 'Title: the text contains "{{", but is not an expression';
const noText = (text: string) => `Title: an expression returns nothing, an object, or an invalid date: "${text}"`;

test.each<[raw: unknown, value: unknown, problem: string | undefined]>([
	['={{ a }}', undefined, NO_VALUE],
	['={{ a }}', null, NO_VALUE],
	['={{ a }}', '', undefined],
	['={{ a }}', ' ', undefined],
	['={{ a }} ', ' ', NO_VALUE],
	['={{ a }} ', 'b', undefined],
	['{{ a }}', '{{ a }}', UNFINISHED],
	['x {{ a', 'x {{ a', UNFINISHED],
	[['x', '{{ a }}'], ['x', '{{ a }}'], UNFINISHED],
	[['x', '={{ a }}'], ['x', 'a'], undefined],
	['={{ a }}', '{{ a }}', undefined],
	[7, 7, undefined],
	['=x {{ a }}', 'x [object Object]', noText('x [object Object]')],
	['=x {{ a }}', 'x Invalid DateTime', noText('x Invalid DateTime')],
	['={{ a }}', ' undefined\n', noText(' undefined\n')],
	['={{ a }}', 'null', noText('null')],
	['={{ a }}', 'null and void', undefined],
	['x [object Object]', 'x [object Object]', undefined],
])('of what was entered as %j, with the value %j, the problem is: %s', (raw, value, problem) => {
	expect(problemOf(raw, value)).toBe(problem);
});

test.each([
	['={{ a }} ', true],
	['={{ a }}{{ b }}', true],
	['=/a/{{ "\\}}" }}/{{ b\n}}', true],
	['={{ a }}', false],
	['={{ "\\}}" }}', false],
	['={{\n a }}', false],
	['x{{ a }}', false],
	[7, false],
	[['=x{{ a }}'], false],
])('%j has expressions inside a text: %p', (raw, is) => {
	expect(isTemplate(raw)).toBe(is);
});

describe('A field of a collection', () => {
	const fields = {
		a: textField('A', 'a', '', {}),
		b: textField('B', 'b', '', {}),
		from: timeField('From', 'from', {}),
	};
	const collection = collectionField('More', 'more', {}, fields);
	const read = (raw: object, values: object = raw) =>
		collection.read(itemOf({ entered: { more: raw }, values: { more: values } }));

	test('has its own expression and value; one that is null is not set', () => {
		expect(read({ a: '={{ x }}', b: null }, { a: 'A', b: null })).toEqual({ a: 'A', b: undefined });
	});

	// An empty field that was switched to Expression contains "=".
	test.each(['', '=', ' ', '= ', null])('is refused if it is a date and contains %j', (from) => {
		const problem = 'From: the value is empty';
		expect(failureOf(() => read({ from }, { from: '' }))).toMatchObject({ problem });
	});

	test('is not set if it is a date and its expression returns an empty text', () => {
		expect(read({ from: '={{ x }}' }, { from: '' })).toEqual({ from: undefined });
	});
});

test('a field in Options is read where n8n stores it', () => {
	const option = textField('Name', 'name', '', {}).asOption();
	expect(option.read(itemOf({ entered: { 'options.name': 'A' } }))).toBe('A');
});
