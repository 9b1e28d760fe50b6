import fc from 'fast-check';

import {
	findInserted,
	followPath,
	kindOf,
	parsePath,
	pathReader,
	readerOf,
} from '../../../nodes/ProfilePage/fields/expression';

const insertedIn = (raw: unknown) => findInserted(raw, String).map(({ before, expression }) => [before, expression]);

test.each([
	['={{ a }} ', [['', '{{ a }}']]],
	['=x{{ a }}', [['x', '{{ a }}']]],
	[
		'={{ a }}-{{ b }}',
		[
			['', '{{ a }}'],
			['-', '{{ b }}'],
		],
	],
	['=/a/{{ a\\', [['/a/', '{{ a\\']]],
	[
		'=/a/{{ "\\}}" }}/{{ b\n}}',
		[
			['/a/', '{{ "\\}}" }}'],
			['/a//', '{{ b\n}}'],
		],
	],
])('%j mixes expressions with text: %j', (raw, inserted) => {
	expect(kindOf(raw)).toBe('template');
	expect(insertedIn(raw)).toEqual(inserted);
});

test.each(['={{ a }}', '={{ "\\}}" }}', '={{\n a }}', '= a', 'x{{ a }}', '', 7, null, ['=x{{ a }}']])(
	'%j does not mix expressions with text, and so contains none',
	(raw) => {
		expect(kindOf(raw)).not.toBe('template');
		expect(insertedIn(raw)).toEqual([]);
	},
);

test.each([
	['{{ a }}', true],
	['={{ a }}', false],
	['={{ a', false],
	['a { b', false],
	[7, false],
	[null, false],
	[['{{ a }}'], false],
])('%j was meant as an expression, but is none: %p', (raw, is) => {
	expect(kindOf(raw) === 'unfinished').toBe(is);
});

const json = {
	page: 1,
	a: { b_2: { $c: 2 } },
	'page id': { x: 3 },
	"it's": 4,
	'': 5,
	list: [6],
	'a"b': 7,
	none: null,
	nan: Number.NaN,
};

test.each([
	['={{ $json.page }}', 1],
	['={{ $json.a.b_2.$c }}', 2],
	["={{ $json['page id'].x }}", 3],
	['={{ $json["it\'s"] }}', 4],
	["={{ $json[''] }}", 5],
	['={{ $json.list }}', [6]],
	['={{ $json["page id"] }}', { x: 3 }],
])('pathReader finds the value of the path %s', (expression, value) => {
	expect(pathReader(expression)?.(json)).toEqual(value);
});

test.each([
	'$json.page',
	'{{ $json.page }}',
	'={{ $json }}',
	'={{ $json.list[0] }}',
	'={{ $json["a\\"b"] }}',
	'={{ $json[\'a"] }}',
	'={{ $json.page }} ',
	'=x{{ $json.page }}',
	'={{ $json.constructor }}',
	'={{ $json.page.toString }}',
	'={{ $json.none }}',
	'={{ $json.missing }}',
	'={{ $json.page /* why */ }}',
	7,
	null,
	['={{ $json.page }}'],
])('pathReader leaves %j to n8n', (expression) => {
	expect(pathReader(expression)?.(json)).toBeUndefined();
});

test.each([
	['=/a/{{ $json.page }}', '/a/1'],
	['={{ $json.page }}{{ $json["page id"].x }} $&', '13 $&'],
	['=x{{ $json.list }}', undefined],
	['=x{{ $json.nan }}', undefined],
	['=x\\{{ $json.page }}', undefined],
	['=x{{ $json.none }}', undefined],
	['=x{{ $json.page }}{{ $json.page + 1 }}', undefined],
])('readerOf makes of the template %s the text %j', (template, text) => {
	expect(readerOf(template)?.(json)).toBe(text);
});

test.each([
	['id', ['id']],
	['block id', ['block id']],
	['block.ref.id', ['block', 'ref', 'id']],
	['blocks.1.id', ['blocks', '1', 'id']],
	['blocks[1].id', ['blocks', '1', 'id']],
	["['block id']", ['block id']],
	["block['it\\'s'].id", ['block', "it's", 'id']],
	["['a.b'][0]", ['a.b', '0']],
	["['']", ['']],
	['a\\b', ['a\\b']],
])('parsePath splits the path %j into the names %j', (path, names) => {
	expect(parsePath(path)).toEqual(names);
});

test.each([
	['size [cm].x', ['size [cm]', 'x']],
	['a..b', ['a', '', 'b']],
	['[id', ['[id']],
	['[\'a"]', ['[\'a"]']],
])('parsePath splits the text %j, which is not a valid path, at its dots', (text, names) => {
	expect(parsePath(text)).toEqual(names);
});

test('parsePath and followPath find the value under any names in brackets and quotation marks', () => {
	fc.assert(
		fc.property(fc.array(fc.string(), { minLength: 1 }), (names) => {
			const path = names.map((name) => `['${name.replace(/[\\']/g, '\\$&')}']`).join('');
			expect(parsePath(path)).toEqual(names);
			const data = names.reduceRight<unknown>((value, name) => Object.fromEntries([[name, value]]), 'found');
			expect(followPath(data, parsePath(path))).toBe('found');
		}),
	);
});

test.each([
	['a property that is missing', {}, ['a']],
	['a property of a text', { a: 'text' }, ['a', 'length']],
	['a property of null', { a: null }, ['a', 'b']],
	['an inherited property', {}, ['constructor']],
])('followPath returns undefined for %s', (_what, data, names) => {
	expect(followPath(data, names)).toBeUndefined();
});
