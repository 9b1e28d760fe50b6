import { isCall, type Plan, planEach } from '../../../nodes/ProfilePage/resources/operation';
import type { INodeProperties } from 'n8n-workflow';

import { invalid } from '../../../nodes/ProfilePage/service/failure';
import { adviceOf } from '../../support/adviceOf';
import { itemOf, itemsOf } from '../../support/items';

const title: INodeProperties = { displayName: 'Title', name: 'title', type: 'string', default: '' };
const UNFINISHED = 'Title: the text contains "{{", but is not an expression';

test.each([
	['is read from the input item', 'profilePage', 'of the input'],
	['is left to n8n in a tool, whose input item comes from the model', 'profilePageTool', 'of n8n'],
])('a path into the item %s', (_how, type, expected) => {
	const item = itemOf({
		type,
		entered: { title: '={{ $json.title }}' },
		values: { title: 'of n8n' },
		input: [{ json: { title: 'of the input' } }],
	});
	expect(item.value(title)).toBe(expected);
});

describe('The value of a field', () => {
	class Point {
		x = 1;
	}

	test.each<[string, object]>([
		['is missing', {}],
		['is undefined', { title: undefined }],
		['is null', { title: null }],
		['is a date', { title: new Date(0) }],
		['is an object of a class', { title: new Point() }],
		['is inherited', Object.create({ title: 'x' }) as object],
	])('is left to n8n if the path leads to something that %s', (_what, json) => {
		const entered = { title: '={{ $json.title }}' };
		const input = [{ json: json as Record<string, never> }];
		const item = itemOf({ entered, values: { title: 'of n8n' }, input });
		expect(item.value(title)).toBe('of n8n');
	});

	test.each([[''], [0], [false], [['a']], [{ a: 1 }], ['={{ 1 }}']])(
		'is read from the item if the path leads to %j',
		(value) => {
			const entered = { title: '={{ $json.title }}' };
			const item = itemOf({ entered, values: {}, input: [{ json: { title: value } }] });
			expect(item.value(title)).toEqual(value);
		},
	);

	test('is asked for once if it contains no expression, and for each item if it does', () => {
		const values: Record<string, unknown> = { title: 'fixed', other: 'of the item' };
		const entered: Record<string, unknown> = { title: 'fixed', other: '={{ 1 }}' };
		const asked: string[] = [];
		const getNodeParameter = (name: string, index: number, _: unknown, options?: object) => {
			if (!options) asked.push(`${name} ${index}`);
			return (options ? entered : values)[name];
		};
		const input = [{ json: {} }, { json: {} }];
		for (const item of itemsOf({ input, context: { getNodeParameter } })) {
			for (const name of ['title', 'other']) {
				expect(item.value({ ...title, name })).toBe(values[name]);
			}
		}
		expect(asked).toEqual(['title 0', 'other 0', 'other 1']);
	});

	test.each(['{{ $json.title }}', 'see {{', ['a', '{{ b }}'], { parameters: [{ value: '{{ b }}' }] }])(
		'is rejected if it was meant as an expression, but is not one: %j',
		(raw) => {
			const item = itemOf({ entered: { title: raw } });
			expect(() => item.value(title)).toThrow(UNFINISHED);
			expect(adviceOf(() => item.value(title))).toBe('Switch the field to Expression. An expression ends with "}}".');
		},
	);

	test('is the default if nothing was entered', () => {
		expect(itemOf({}).value({ ...title, default: 'the default' })).toBe('the default');
	});
});

describe('An option', () => {
	const options = (values: object) => itemOf({ entered: { options: values } });

	test('has its default unless it was added', () => {
		const field = { ...title, default: 'the default' };
		expect(options({}).option(field)).toBe('the default');
		expect(itemOf({}).option(field)).toBe('the default');
		expect(options({ title: 'x' }).option(field)).toBe('x');
	});

	test('is found among other options', () => {
		const among = options({ fonts: { font: { title: 'x' } } });
		expect(among.option(title, ['fonts', 'font', 'title'])).toBe('x');
	});

	test('applies to all items, with the value for the first', () => {
		const indexes: number[] = [];
		const getNodeParameter = (_name: string, index: number, _: unknown, given?: object) => {
			indexes.push(index);
			return given ? { title: '={{ $json.x }}' } : { title: `of item ${index}` };
		};
		const input = [{ json: {} }, { json: {} }];
		const items = itemsOf({ input, context: { getNodeParameter } });
		expect(items.map((item) => item.option(title))).toEqual(['of item 0', 'of item 0']);
		expect(new Set(indexes)).toEqual(new Set([0]));
	});

	test('that was meant as an expression, but is not one, is rejected', () => {
		expect(() => options({ title: '{{ true }}' }).option(title)).toThrow(UNFINISHED);
	});
});

describe('An expression within the text of a field', () => {
	const check = (raw: unknown, results: Record<string, unknown>) =>
		itemOf({
			entered: { title: raw },
			context: { evaluateExpression: (expression: string) => results[expression] },
		}).checkTemplate(title, (value) => value === undefined);

	test('is rejected if it returns nothing', () => {
		const raw = '=/a/{{ x }}/{{ y }}';
		expect(() => check(raw, { '{{ x }}': 1 })).toThrow('Title: the expression {{ y }} returns no value');
		expect(() => check(raw, { '{{ x }}': 1, '{{ y }}': '' })).not.toThrow();
	});

	test('is rejected if it returns what a text cannot contain', () => {
		const item = itemOf({ entered: { title: '=a{{ x }}' }, context: { evaluateExpression: () => ({}) } });
		const checking = () => item.checkTemplate(title, (value) => typeof value === 'object');
		expect(checking).toThrow('Title: the expression {{ x }} returns something that a text cannot contain');
		expect(adviceOf(checking)).toBe('Check the expression.');
	});

	test.each(['={{ x }}', 'text', 7])('is none in %j', (raw) => {
		expect(() => check(raw, {})).not.toThrow();
	});
});

test('the output of an item is paired with it', () => {
	const [, second] = itemsOf({ input: [{ json: {} }, { json: {} }] });
	expect(second!.output([{ a: 1 }, { b: 2 }])).toEqual([
		{ json: { a: 1 }, pairedItem: { item: 1 } },
		{ json: { b: 2 }, pairedItem: { item: 1 } },
	]);
});

test('planEach plans each item, and keeps what is thrown for one', () => {
	const items = itemsOf({ input: [{ json: {} }, { json: {} }, { json: {} }] });
	const error = invalid('Title', 'the value is empty');
	const planned = planEach(items, ({ index }) => {
		if (index === 1) throw error;
		return { key: `${index}` } as Plan;
	});
	expect(planned).toMatchObject([
		{ inputs: [items[0]], key: '0' },
		{ inputs: [items[1]], failure: error.failure },
		{ inputs: [items[2]], key: '2' },
	]);
	expect(planned.map(isCall)).toEqual([true, false, true]);
});
