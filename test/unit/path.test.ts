import fc from 'fast-check';

import { followPath, parsePath } from '../../nodes/ProfilePage/fields/path';

test.each([
	['id', ['id']],
	['block id', ['block id']],
	['block.ref.id', ['block', 'ref', 'id']],
	['blocks.1.id', ['blocks', '1', 'id']],
	['blocks[1].id', ['blocks', '1', 'id']],
	["['block id']", ['block id']],
	['["block id"].key', ['block id', 'key']],
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
	['a.', ['a', '']],
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
			const data = names.reduceRight<unknown>(
				(value, name) => Object.fromEntries([[name, value]]),
				'found',
			);
			expect(followPath(data, parsePath(path))).toBe('found');
		}),
	);
});
