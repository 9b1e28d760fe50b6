import type { IExecuteFunctions } from 'n8n-workflow';

import { type Collection, collectionReader } from '../../nodes/ProfilePage/fields/collection';

const collection: Collection = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	default: {},
	options: [{ displayName: 'Title', name: 'title', type: 'string', default: '' }],
};

/** Reads the collection as if n8n had evaluated what was entered to this value. */
function read(raw: unknown, value: unknown, mayBeMissing?: string[]) {
	const context = {
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
])('a collection that is given by an expression is refused if that gives %s', (_what, value) => {
	expect(() => read(EXPRESSION, value)).toThrow(
		'Update Fields: the expression does not give an object. Add the fields one by one, or let it give an object with the names and values of the fields.',
	);
});

test('a collection that is given by an expression is read like one that was filled in', () => {
	expect(read(EXPRESSION, { title: 'x', other: 1 })).toEqual({ title: 'x' });
	expect(read(EXPRESSION, { title: ' ' })).toEqual({});
	expect(() => read(EXPRESSION, { title: null })).toThrow('Title: the expression gives nothing.');
});

test.each([
	['no field', {}, {}],
	['an empty field', { title: '' }, { title: '' }],
	['a literal null', { title: null }, { title: null }],
	['an expression without braces', { title: '= ' }, { title: ' ' }],
	['a single expression that gives an empty text', { title: '={{ x }}' }, { title: '' }],
	[
		'a single expression of several lines with an escaped brace',
		{ title: '={{\n"\\}}" && ""\n}}' },
		{ title: '' },
	],
])('no field of a collection is set if it holds %s', (_what, raw, value) => {
	expect(read(raw, value)).toEqual({});
});

test.each(['={{ a }} ', '= {{ a }}', '={{ a }}{{ b }}', '={{ a }}\n', '=x{{ a }}'])(
	'the expression %j is not blank on purpose',
	(title) => {
		expect(() => read({ title }, { title: ' ' })).toThrow(
			'Title: the expression gives only white space.',
		);
	},
);

test('a field that may be missing is not set if its expression gives nothing', () => {
	expect(read({ title: '={{ x }}' }, { title: undefined }, ['title'])).toEqual({});
	expect(read({ title: '={{ x }}' }, { title: null }, ['title'])).toEqual({});
	expect(() => read({ title: '={{ x }}' }, { title: null })).toThrow(
		'Title: the expression gives nothing.',
	);
});

test.each([0, false])('a field whose value is %p is set', (title) => {
	expect(read({ title: '={{ x }}' }, { title })).toEqual({ title });
});
