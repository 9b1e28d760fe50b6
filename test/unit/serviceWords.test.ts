import fc from 'fast-check';

import { readServiceWords } from '../../nodes/ProfilePage/transport/serviceWords';

function nest(value: object, times: number): object {
	return times === 0 ? value : nest({ error: value }, times - 1);
}

test.each([
	['errors as texts', { status: false, errors: ['One.', 'Two.'] }, 'One.; Two.'],
	['errors as objects', { errors: [{ message: 'One.' }, { error: 'Two.' }] }, 'One.; Two.'],
	['errors by field', { errors: { blocks: ['One.'], page_id: 'Two.' } }, 'One.; Two.'],
	['errors as one text', { errors: 'One.' }, 'One.'],
	['an OAuth error', { error: 'invalid_client', error_description: 'No such app' }, 'No such app'],
	['an OAuth error alone', { error: 'invalid_client' }, 'invalid_client'],
	['a message', { error: true, message: 'No.' }, 'No.'],
	['an error object', { error: { code: 7, message: 'No.' } }, 'No.'],
	['an error inside errors', { errors: [{ error: { message: 'No.' } }] }, 'No.'],
	['empty errors beside a message', { errors: [], message: 'No.' }, 'No.'],
	['blank errors beside a message', { errors: [' '], message: 'No.' }, 'No.'],
	['a plain text', 'Too many requests', 'Too many requests'],
	['white space and control characters', { message: 'a\r\n\t b\u0000c' }, 'a b c'],
	['a text with a bracket in it', 'page [1] is gone', 'page [1] is gone'],
	['a text that begins with a word and a bracket', 'a[1] is gone', 'a[1] is gone'],
	['an object in an object, four times', nest({ message: 'No.' }, 4), 'No.'],
	['errors by field, in errors by field', { errors: { blocks: { errors: { id: 'No.' } } } }, 'No.'],
	['the same twice', { errors: ['No.', 'No.'] }, 'No.'],
])('words are found in %s', (_what, body, words) => {
	expect(readServiceWords(body)).toBe(words);
});

test.each([
	['nothing', undefined],
	['an empty text', ''],
	['a number', 500],
	['a success', { status: true, data: { blocks: [] } }],
	['a page', '<!DOCTYPE html><html><body>Forbidden</body></html>'],
	['a page inside JSON', { message: '<html><body>Forbidden</body></html>' }],
	['broken JSON', '{"status": true, "message": "Sor'],
	['broken JSON after white space', ' \n{"message": "Sor'],
	['an object in an object, five times', nest({ message: 'No.' }, 5)],
	['a message by field', { message: { blocks: ['No.'] } }],
	['errors that are not texts', { errors: [1, null, {}] }],
])('no words are found in %s', (_what, body) => {
	expect(readServiceWords(body)).toBeUndefined();
});

test('a long text is cut', () => {
	const words = readServiceWords({ message: 'word '.repeat(1000) })!;
	expect(words).toHaveLength(301);
	expect(words.endsWith('…')).toBe(true);
});

test('a text that just fits is not cut', () => {
	const message = 'x'.repeat(300);
	expect(readServiceWords({ message })).toBe(message);
});

describe('words that repeat a secret are not quoted', () => {
	const secret = 'S3cr3t/t0k3n+of=the.App_123';
	const bytes = Buffer.from(secret);

	test.each([
		['as it is', secret],
		['in upper case', secret.toUpperCase()],
		['reversed', Array.from(secret).reverse().join('')],
		['less its end', secret.slice(0, -4)],
		['less its beginning', secret.slice(5)],
		['broken by a new line', `${secret.slice(0, 12)}\n${secret.slice(12)}`],
		['in hex', bytes.toString('hex')],
		['in base64', bytes.toString('base64')],
		['in base64url', bytes.toString('base64url')],
		['in base64 after other text', Buffer.from(`id:${secret}`).toString('base64')],
		['in base64 amid other text', Buffer.from(`Bearer ${secret}.`).toString('base64')],
		['percent-encoded', encodeURIComponent(secret)],
	])('%s', (_what, repeated) => {
		expect(readServiceWords({ message: `You sent ${repeated} to us` }, [secret])).toBeUndefined();
		const halves = [`You sent ${repeated.slice(0, 14)}`, repeated.slice(14)];
		expect(readServiceWords({ errors: halves }, [secret])).toBeUndefined();
	});

	test('but others are, also beside a secret too short to tell', () => {
		const message = 'Block 1.2 is missing from the page.';
		expect(readServiceWords({ message }, [secret, '', 'a', 'ge'])).toBe(message);
	});
});

test('whatever the body: one line or none, never markup, never a secret', () => {
	const secret = 's3cr3t-t0k3n';
	const text = fc.oneof(
		fc.string(),
		fc.constantFrom('<b>bold</b>', `it was ${secret}`, '<!-- x', 'plain'),
	);
	const body = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 6 },
			text,
			fc.anything(),
			fc.array(tie('value')),
			fc.dictionary(
				fc.constantFrom('errors', 'error', 'message', 'error_description'),
				tie('value'),
			),
		),
	})).value;
	fc.assert(
		fc.property(body, (value) => {
			const words = readServiceWords(value, [secret]);
			if (words === undefined) return;
			expect(words).not.toMatch(/[\r\n]|<[a-z!/?]/i);
			expect(words).not.toContain(secret);
			expect(words.length).toBeLessThanOrEqual(301);
			expect(words.trim()).not.toBe('');
		}),
	);
});
