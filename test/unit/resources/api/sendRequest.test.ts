import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../../nodes/ProfilePage/shared/values';
import { toItems } from '../../../../nodes/ProfilePage/resources/api/sendRequest';

const blocks = [{ id: 'a' }, { id: 'b' }];

describe('toItems', () => {
	test.each<[string, IDataObject, IDataObject[]]>([
		['a list in data', { status: true, data: blocks }, blocks],
		['a list in data beside texts', { data: blocks, next: 'page 2' }, blocks],
		['an empty list in data', { status: true, data: [] }, []],
		['the list in an object in data', { status: true, data: { blocks } }, blocks],
		['the list in the one other object', { status: true, info: { groups: blocks } }, blocks],
		['a list beside totals', { data: { blocks, total: 2, last: true, next: null, x: '' } }, blocks],
		['a list beside empty lists and objects', { data: { warnings: [], blocks, meta: {} } }, blocks],
		['an empty list beside totals', { data: { blocks: [], total: 0 } }, []],
		['a list beside errors', { status: true, errors: ['x'], pages: blocks }, blocks],
		['a list beside an odd status', { data: { status: 'new', blocks } }, blocks],
		['a list without an envelope', { pages: blocks }, blocks],
	])('returns an item for each entry of %s', (_name, envelope, items) => {
		expect(toItems(envelope)).toEqual(items);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['data', { status: true, data: { id: 1 } }, { id: 1 }],
		['the one other object', { status: true, errors: [], info: { name: 'x' } }, { name: 'x' }],
		['everything without an envelope', { id: 1, owner: { id: 2 } }, { id: 1, owner: { id: 2 } }],
		['everything beside an object', { status: true, id: 1, meta: {} }, { status: true, id: 1, meta: {} }],
		['a list beside a text', { data: { page: 'home', blocks } }, { page: 'home', blocks }],
		['two lists', { data: { a: blocks, b: blocks } }, { a: blocks, b: blocks }],
		['two empty lists', { data: { a: [], b: [] } }, { a: [], b: [] }],
		['a list beside an object', { data: { blocks, page: { id: 1 } } }, { blocks, page: { id: 1 } }],
		['a list beside an ID', { data: { id: 5, tags: [] } }, { id: 5, tags: [] }],
		['nothing', {}, {}],
		['only a status', { status: true }, { status: true }],
	])('returns one item with %s', (_name, envelope, item) => {
		expect(toItems(envelope)).toEqual([item]);
	});

	test('returns entries that are not objects as "value"', () => {
		const data = ['text', 5, true, null, ['a']];
		expect(toItems({ data })).toEqual(['text', 5, true, null, ['a']].map((value) => ({ value })));
	});

	test('returns a list of objects for any response', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (envelope) => {
				const items = toItems(envelope);
				expect(items.filter((item) => !isObject(item))).toEqual([]);
			}),
		);
	});
});
