import { addItem, type PageOfItems } from '../../nodes/ProfilePage/resources/blocks/itemOrder';

let page: PageOfItems;
beforeEach(() => (page = { pageId: 'PAGE_home_1', itemsByBlock: new Map() }));

test('blocks stand in the order of their items, each with the item that carries it', () => {
	addItem(page, { id: 'b.2' }, 'id', 4);
	addItem(page, { id: 'a.1' }, 'id', 7);
	expect([...page.itemsByBlock]).toEqual([
		['b.2', 4],
		['a.1', 7],
	]);
});

test.each([
	['a path', { block: { ref: { key: 'a.1' } } }, 'block.ref.key'],
	['a place in a list', { blocks: [{ id: 'x' }, { id: 'a.1' }] }, 'blocks.1.id'],
	['a name that holds dots', { 'block.id': 'a.1', block: { id: 'x' } }, 'block.id'],
])('the ID may stand under %s', (_what, json, path) => {
	addItem(page, json, path, 0);
	expect([...page.itemsByBlock.keys()]).toEqual(['a.1']);
});

test.each([
	['is missing', {}, 'id'],
	['is missing inside', { block: {} }, 'block.id'],
	['would be inside a text', { block: 'text' }, 'block.length'],
	['would be what every object has', {}, 'constructor.name'],
	['is given in place of the name of its field', { id: '65f1.23' }, '65f1.23'],
])('an item is refused whose ID %s', (_what, json, path) => {
	expect(() => addItem(page, json, path, 3)).toThrow(
		`Block ID Field: item 3 has no field "${path}". Enter the name of the field that holds the block ID`,
	);
});

test('an item is refused whose ID is empty', () => {
	expect(() => addItem(page, { id: ' ' }, 'id', 3)).toThrow(
		'Block ID Field: "id" of item 3 is empty. Every input item needs the ID of a block there.',
	);
});

test('a block that comes twice is refused, naming it and both items', () => {
	addItem(page, { id: 'a.1' }, 'id', 0);
	expect(() => addItem(page, { id: 'a.1' }, 'id', 2)).toThrow(
		'Block ID Field: block "a.1" comes twice for page "PAGE_home_1", with items 0 and 2.',
	);
});
