import { anyField, Collection, Locator } from '../../../nodes/ProfilePage/fields/field';
import { itemOf } from '../../support/items';

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

const title = anyField({ displayName: 'Title', name: 'title', type: 'string', default: '' });

/** Reads a collection as if n8n evaluated `raw` to `value`. */
function read(raw: unknown, value: unknown) {
	const item = itemOf({ entered: { updateFields: raw }, values: { updateFields: value } });
	const shown = { displayName: 'Update Fields', name: 'updateFields' };
	return new Collection(shown, { title }).read(item);
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

test.each([0, false])('a field whose value is %p is set', (title) => {
	expect(read({ title: '={{ x }}' }, { title })).toEqual({ title });
});

test.each([['{{ a }}'], ['x {{']])('a field of a collection that contains %j is rejected', (raw) => {
	expect(() => read({ title: raw }, { title: raw })).toThrow('Title: the text contains "{{", but is not an expression');
	expect(() => read({ other: raw, title: 'x' }, { other: raw, title: 'x' })).not.toThrow();
});
