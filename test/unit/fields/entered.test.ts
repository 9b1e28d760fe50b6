import { checkEntered, isTemplate } from '../../../nodes/ProfilePage/fields/entered';
import { collectionField, textField } from '../../../nodes/ProfilePage/fields/field';
import { Failure } from '../../../nodes/ProfilePage/shared/failure';
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
	['={{ a }} {{ b }}', ' ', NO_VALUE],
	['={{ a }} ', 'b', undefined],
	['', '', undefined],
	['{{ a }}', '{{ a }}', UNFINISHED],
	['x {{ a', 'x {{ a', UNFINISHED],
	[['x', '{{ a }}'], ['x', '{{ a }}'], UNFINISHED],
	[['x', '={{ a }}'], ['x', 'a'], undefined],
	['={{ a }}', '{{ a }}', undefined],
	['a { b', 'a { b', undefined],
	[7, 7, undefined],
	[false, false, undefined],
	['=x {{ a }}', 'x [object Object]', noText('x [object Object]')],
	['=x {{ a }}', 'x Invalid DateTime', noText('x Invalid DateTime')],
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
	['=x{{ a }}', true],
	['={{ a }}{{ b }}', true],
	['=/a/{{ "\\}}" }}/{{ b\n}}', true],
	['=/a/{{ a\\', true],
	['={{ a }}', false],
	['={{ "\\}}" }}', false],
	['={{\n a }}', false],
	['= a', false],
	['x{{ a }}', false],
	['', false],
	[7, false],
	[['=x{{ a }}'], false],
])('%j has expressions inside a text: %p', (raw, is) => {
	expect(isTemplate(raw)).toBe(is);
});

test('a field of a collection has its own expression and value; one that was not added or is null is not set', () => {
	const names = ['a', 'b', 'c', 'd'] as const;
	const fields = Object.fromEntries(names.map((name) => [name, textField(name, name, '', {})]));
	const collection = collectionField('More', 'more', {}, fields);
	const raw = { a: '={{ x }}', b: 'B', c: null };
	const item = itemOf({ entered: { more: raw }, values: { more: { ...raw, a: 'A' } } });
	expect(collection.read(item)).toEqual({ a: 'A', b: 'B', c: undefined });
});

test('a field in Options is read where n8n stores it', () => {
	const option = textField('Name', 'name', '', {}).asOption();
	const read = (name?: string) => option.read(itemOf({ entered: { 'options.name': name } }));
	expect(read('A')).toBe('A');
});
