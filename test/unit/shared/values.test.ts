import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import {
	capitalize,
	asObject,
	asObjects,
	asText,
	hasContent,
	isBlank,
	isObject,
	parseJson,
	parseUrl,
} from '../../../nodes/ProfilePage/shared/values';
import { isTool } from '../../../nodes/ProfilePage/n8n/context';

test.each([
	[{}, true],
	[{ a: 1 }, true],
	[null, false],
	[[], false],
	['text', false],
	[undefined, false],
])('isObject returns for %j: %p', (value, is) => {
	expect(isObject(value)).toBe(is);
	if (is) expect(asObject(value)).toBe(value);
	else expect(asObject(value)).toEqual({});
});

test.each([[[]], [[{}]], [[{ a: 1 }, {}]]])('asObjects returns %j unchanged', (value) => {
	expect(asObjects(value)).toBe(value);
});

test.each([{}, null, 'text', [1], [{}, null], [[]]])('asObjects returns undefined for %j', (value) => {
	expect(asObjects(value)).toBeUndefined();
});

test.each([
	['text', 'text'],
	[7, '7'],
	[true, ''],
	[null, ''],
	[undefined, ''],
	[['a'], ''],
])('asText returns for %j: %j', (value, text) => {
	expect(asText(value)).toBe(text);
});

test.each([
	[undefined, true],
	[null, true],
	['', true],
	[' \n', true],
	['a', false],
	[0, false],
	[false, false],
	[[], false],
	[{}, false],
])('isBlank returns for %j: %p', (value, is) => {
	expect(isBlank(value)).toBe(is);
});

test.each([
	['a', true],
	[7, true],
	[true, true],
	[['', 'a'], true],
	[{ code: 0, message: 'x' }, true],
	[{ nested: {} }, true],
	[undefined, false],
	[null, false],
	['', false],
	[0, false],
	[false, false],
	[[], false],
	[[null, ''], false],
	[{}, false],
	[{ code: 0, message: '' }, false],
])('hasContent returns for %j: %p', (value, has) => {
	expect(hasContent(value)).toBe(has);
});

test('capitalize changes only the first letter', () => {
	expect([capitalize('the Link'), capitalize('')]).toEqual(['The Link', '']);
});

test('parseJson returns any JSON value, and undefined for any other text', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const json = JSON.stringify(value);
			expect(parseJson(json)).toEqual(JSON.parse(json));
		}),
	);
	expect(['', '{', 'undefined', '[1,]'].map(parseJson)).toEqual(Array(4).fill(undefined));
});

test('parseUrl returns undefined for a text that is no address', () => {
	expect(parseUrl('https://example.com/a')?.pathname).toBe('/a');
	expect(parseUrl('/b')).toBeUndefined();
});

test('parseUrl rejects a host of more than 500 characters before parsing it, however its slashes are written', () => {
	const slashes = fc.array(fc.constantFrom('/', '\\', '\t', '\n', '\r'), { maxLength: 9 });
	const schemes = fc.constantFrom('https:', 'http:', ' h\tttps:', 'ws:', 'file:', '');
	const parse = jest.spyOn(globalThis, 'URL');
	fc.assert(
		fc.property(schemes, slashes, fc.constantFrom('a', '\u0301', '一'), (scheme, separators, letter) => {
			const address = `${scheme}${separators.join('')}${letter.repeat(501)}/path`;
			expect(parseUrl(address)).toBeUndefined();
		}),
	);
	expect(parse.mock.calls).toHaveLength(0);
	parse.mockRestore();
	const host = `${'a'.repeat(240)}.example`;
	const path = 'ä'.repeat(100_000);
	expect(parseUrl(`https://${host}/${path}?${path}#${path}`)?.host).toBe(host);
});

test.each([
	['n8n-nodes-profile-page.profilePageTool', true],
	['n8n-nodes-profile-page.profilePage', false],
])('isTool returns for the type %s: %p', (type, is) => {
	const context = { getNode: () => ({ type }) } as Pick<IExecuteFunctions, 'getNode'>;
	expect(isTool(context)).toBe(is);
});
