import {
	anyField,
	booleanField,
	choiceField,
	Collection,
	integerField,
	Locator,
	Option,
	textField,
} from '../../../nodes/ProfilePage/fields/field';
import { itemOf } from '../../support/items';

const size = choiceField({
	displayName: 'Size',
	name: 'size',
	options: [
		{ name: 'Small', value: 's' },
		{ name: 'Large', value: 'l' },
	],
	default: 's',
});

test('a choice is one of the values that the editor shows', () => {
	expect(size.read(itemOf({ entered: { size: ' l ' } }))).toBe('l');
	expect(() => size.read(itemOf({ entered: { size: 'm' } }))).toThrow('Size: "m" is not one of the options');
});

test('a text is trimmed, and never empty', () => {
	const name = textField({ displayName: 'Name', name: 'name' }, 'Enter it.');
	expect(name.read(itemOf({ entered: { name: ' x ' } }))).toBe('x');
	expect(() => name.read(itemOf({ entered: { name: ' ' } }))).toThrow('Name: the value is empty');
});

test('an integer is within the bounds that the editor shows', () => {
	const count = integerField({ displayName: 'Count', name: 'count', default: 1, typeOptions: { minValue: 1 } });
	expect(count.read(itemOf({ entered: { count: '7' } }))).toBe(7);
	expect(() => count.read(itemOf({ entered: { count: 0 } }))).toThrow('Count: the value must be a whole number, at le');
});

test('a resource locator has the value that was chosen, or a value alone', () => {
	const shown = { displayName: 'Link', name: 'link', type: 'resourceLocator', default: 'x' } as const;
	const link = new Locator(shown, (value) => value);
	const chosen = { __rl: true, mode: 'id', value: '7' };
	expect(link.read(itemOf({ entered: { link: chosen, 'link.value': '7' } }))).toBe('7');
	expect(link.read(itemOf({ entered: { link: '7' } }))).toBe('7');
	expect(link.read(itemOf({ entered: { link: { __rl: true, mode: 'id' } } }))).toBe('');
	const unfinished = { link: chosen, 'link.value': '{{ 7 }}' };
	expect(() => link.read(itemOf({ entered: unfinished }))).toThrow('Link: the text contains "{{", but is not an expr');
});

const flag = new Option(booleanField({ displayName: 'Flag', name: 'flag', default: false }));

test.each([
	[true, true],
	['true', true],
	[false, false],
	['FALSE', false],
	[undefined, false],
	[null, false],
])('an option whose value is %j is on: %p', (value, isOn) => {
	expect(flag.read(itemOf({ entered: { options: { flag: value } } }))).toBe(isOn);
});

test('an option that is neither on nor off is rejected', () => {
	expect(() => flag.read(itemOf({ entered: { options: { flag: 'x' } } }))).toThrow('Flag: the value must be true or');
});

const title = anyField({ displayName: 'Title', name: 'title', type: 'string', default: '' });

/** Reads a collection as if n8n evaluated `raw` to `value`. */
function read(raw: unknown, value: unknown, mayBeMissing?: Array<'title'>) {
	const item = itemOf({ entered: { updateFields: raw }, values: { updateFields: value } });
	const shown = { displayName: 'Update Fields', name: 'updateFields' };
	return new Collection(shown, { title }, mayBeMissing).read(item);
}

const EXPRESSION = '={{ $json.fields }}';

test.each([
	['a text', 'x'],
	['an empty text', ''],
	['a list', [{ title: 'x' }]],
	['a number', 5],
	['null', null],
	['undefined', undefined],
])('a collection whose expression returns %s is rejected', (_what, value) => {
	expect(() => read(EXPRESSION, value)).toThrow('Update Fields: the expression does not return an object');
});

test('a collection whose expression returns an object is read like one whose fields were entered', () => {
	expect(read(EXPRESSION, { title: 'x', other: 1 })).toEqual({ title: 'x' });
	expect(read(EXPRESSION, { title: ' ' })).toEqual({});
	expect(() => read(EXPRESSION, { title: null })).toThrow('Title: the expression returns no value');
});

test.each([
	['no field', {}, {}],
	['an empty field', { title: '' }, { title: '' }],
	['a literal null', { title: null }, { title: null }],
	['an expression without braces', { title: '= ' }, { title: ' ' }],
	['a single expression that returns an empty string', { title: '={{ x }}' }, { title: '' }],
	['a single expression of several lines with an escaped brace', { title: '={{\n"\\}}" && ""\n}}' }, { title: '' }],
])('a collection sets no field if it contains %s', (_what, raw, value) => {
	expect(read(raw, value)).toEqual({});
});

test.each(['={{ a }} ', '= {{ a }}', '={{ a }}{{ b }}', '={{ a }}\n', '=x{{ a }}'])(
	'the expression %j is rejected if its result is white space',
	(title) => {
		expect(() => read({ title }, { title: ' ' })).toThrow('Title: the expression returns no value');
	},
);

test('a field that may be missing is not set if its expression returns null or undefined', () => {
	expect(read({ title: '={{ x }}' }, { title: undefined }, ['title'])).toEqual({});
	expect(read({ title: '={{ x }}' }, { title: null }, ['title'])).toEqual({});
	expect(() => read({ title: '={{ x }}' }, { title: null })).toThrow('Title: the expression returns no value');
});

test.each([0, false])('a field whose value is %p is set', (title) => {
	expect(read({ title: '={{ x }}' }, { title })).toEqual({ title });
});

test.each([['{{ a }}'], ['x {{']])('a field of a collection that contains %j is rejected', (raw) => {
	expect(() => read({ title: raw }, { title: raw })).toThrow('Title: the text contains "{{", but is not an expression');
	expect(() => read({ other: raw, title: 'x' }, { other: raw, title: 'x' })).not.toThrow();
});
