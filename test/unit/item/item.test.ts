import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type Collection,
	collectionReader,
} from '../../../nodes/ProfilePage/fields/parameterReader';

const collection: Collection = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	default: {},
	options: [{ displayName: 'Title', name: 'title', type: 'string', default: '' }],
};

/** Reads the collection as if n8n evaluated `raw` to `value`. */
function read(raw: unknown, value: unknown, mayBeMissing?: typeof collection.options) {
	const context = {
		getNode: () => ({ type: 'profilePage' }),
		getInputData: () => [{ json: {} }],
		getNodeParameter: (_name: string, _item: number, _fallback: unknown, options?: object) =>
			options ? raw : value,
	};
	const reader = collectionReader(
		context as unknown as IExecuteFunctions,
		collection,
		mayBeMissing,
	);
	return Object.fromEntries(reader(0));
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
	expect(() => read(EXPRESSION, value)).toThrow(
		'Update Fields: the expression does not return an object',
	);
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
	[
		'a single expression of several lines with an escaped brace',
		{ title: '={{\n"\\}}" && ""\n}}' },
		{ title: '' },
	],
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
	expect(read({ title: '={{ x }}' }, { title: undefined }, collection.options)).toEqual({});
	expect(read({ title: '={{ x }}' }, { title: null }, collection.options)).toEqual({});
	expect(() => read({ title: '={{ x }}' }, { title: null })).toThrow(
		'Title: the expression returns no value',
	);
});

test.each([0, false])('a field whose value is %p is set', (title) => {
	expect(read({ title: '={{ x }}' }, { title })).toEqual({ title });
});
