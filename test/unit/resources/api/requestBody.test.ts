import { readBody } from '../../../../nodes/ProfilePage/resources/api/requestBody';
import { itemOf } from '../../../support/items';

/** Reads a body that was entered as JSON, as if n8n evaluated `raw` to `value`. */
function readJson(bodyContentType: 'form' | 'json', raw: unknown, value = raw) {
	const fields = { bodyContentType, specifyBody: 'json' };
	return readBody(itemOf({ entered: { ...fields, jsonBody: raw }, values: { ...fields, jsonBody: value } }));
}

/** Reads a body that was entered as parameters. */
function readParameters(bodyContentType: 'form' | 'json', rows: readonly unknown[]) {
	const bodyParameters = { parameters: rows };
	return readBody(itemOf({ entered: { bodyContentType, specifyBody: 'keypair', bodyParameters } }));
}

describe('A body of parameters', () => {
	const rows = [
		{ name: 'a', value: 'x' },
		{ name: 'b', value: [1] },
	];

	test('is sent as a form or as JSON', () => {
		const form = [
			['a', 'x'],
			['b', '[1]'],
		];
		expect(readParameters('form', rows)).toEqual({ form });
		expect(readParameters('json', rows)).toEqual({ json: '{"a":"x","b":[1]}' });
	});

	test('may repeat a name in a form, but not in JSON', () => {
		const twice = [rows[0], rows[0]];
		expect(readParameters('form', twice).form).toHaveLength(2);
		expect(() => readParameters('json', twice)).toThrow('the name "a" occurs twice');
	});

	test('is empty without any, or with an empty row', () => {
		expect(readParameters('form', [])).toEqual({});
		expect(readParameters('json', [{ name: '', value: '' }])).toEqual({});
	});
});

describe('A body of JSON', () => {
	test('is sent as it was entered, so that long numbers keep their digits', () => {
		const json = '{"id": 12345678901234567890}';
		expect(readJson('json', json)).toEqual({ json });
	});

	test('becomes a form if it is an object', () => {
		expect(readJson('form', '={{ x }}', { a: 1, b: null })).toEqual({
			form: [
				['a', '1'],
				['b', ''],
			],
		});
		expect(() => readJson('form', '[1]')).toThrow('a form can only contain the properties of an');
	});

	test.each(['{"a": 1', 'text'])('is rejected if it is %j, which is not JSON', (text) => {
		expect(() => readJson('json', text)).toThrow('JSON Body: the text is not valid JSON');
	});

	test('is empty only if nothing was entered, or an expression returns an empty text', () => {
		expect(readJson('json', '')).toEqual({});
		expect(readJson('json', '={{ x }}', '')).toEqual({});
		expect(() => readJson('json', '={{ x }}', null)).toThrow('the expression returns no value');
	});
});
