import type { INodeProperties } from 'n8n-workflow';

import { itemOf } from '../../support/items';

const shown: INodeProperties = { displayName: 'Title', name: 'title', type: 'string', default: '' };

/** Returns what is wrong with a text for which n8n returns this value; and these for the expressions in it. */
function problemOf(raw: unknown, value: unknown, values: Record<string, unknown> = {}): string | undefined {
	const context = { evaluateExpression: (expression: string) => values[expression] };
	const item = itemOf({ entered: { title: raw }, values: { title: value }, context });
	return item.entered(shown).problem?.message;
}

const NO_VALUE = 'Title: the expression returns no value';
const UNFINISHED = 'Title: the text contains "{{", but is not an expression';
const NO_TEXT = 'Title: the expression {{ a }} returns something that a text cannot contain';

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
	['a { b', 'a { b', undefined],
	[7, 7, undefined],
	[false, false, undefined],
])('of what was entered as %j, with the value %j, the problem is: %s', (raw, value, problem) => {
	expect(problemOf(raw, value)).toBe(problem);
});

test.each<[a: unknown, value: string, problem: string | undefined]>([
	[{}, 'x [object Object]', NO_TEXT],
	[[{}], 'x [object Object]', NO_TEXT],
	[new Date(NaN), 'x Invalid Date', NO_TEXT],
	['[object Object]', 'x [object Object]', undefined],
	['Invalid DateTime', 'x Invalid DateTime', undefined],
	[{ toString: () => 'fine' }, 'x fine', undefined],
])('of a text in which n8n has inserted %j, so that it is %j, the problem is: %s', (a, value, problem) => {
	expect(problemOf('=x {{ a }}', value, { '{{ a }}': a })).toBe(problem);
});

test('a field inside another one has its own expression and value, or its default', () => {
	const outer: INodeProperties = { ...shown, name: 'options', type: 'collection', default: {} };
	const raw = { a: '={{ x }}', b: { title: 'B' } };
	const entered = itemOf({ entered: { options: raw }, values: { options: { ...raw, a: undefined } } }).entered(outer);
	const inner = (...names: string[]) => {
		const { raw: own, value, isMissing } = entered.at(names, { ...shown, default: 'none' });
		return [own, value, isMissing];
	};
	expect(inner('a')).toEqual(['={{ x }}', undefined, true]);
	expect(inner('b', 'title')).toEqual(['B', 'B', false]);
	expect(inner('c')).toEqual([undefined, 'none', false]);
});
