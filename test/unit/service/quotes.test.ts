import fc from 'fast-check';

import { withSaid } from '../../../nodes/ProfilePage/service/quotes';
import { processorTime } from '../../support/processorTime';

const quote = (body: unknown, secrets: readonly string[] = []) =>
	withSaid({ statusCode: 400, headers: {}, body }, secrets).said;

function nest(value: object, times: number): object {
	return times === 0 ? value : nest({ error: value }, times - 1);
}

test.each([
	['errors that are texts', { status: false, errors: ['One.', 'Two.'] }, 'One.; Two.'],
	['errors that are objects', { errors: [{ message: 'One.' }, { error: 'Two.' }] }, 'One.; Two.'],
	['an OAuth error', { error: 'invalid_client', error_description: 'No such app' }, 'No such app'],
	['a message', { error: true, message: 'No.' }, 'No.'],
	['an error object', { error: { code: 7, message: 'No.' } }, 'No.'],
	['a reason', { error: 'forbidden', reason: 'No.' }, 'No.'],
	['errors with codes and texts', { errors: [{ code: 7, text: 'No.' }] }, 'No.'],
	['an object with a message', { status: false, info: { message: 'No.' } }, 'No.'],
	['a plain text', 'Too many requests', 'Too many requests'],
	['a message with white space and control characters', { message: 'a\r\n\t b\u0000c' }, 'a b c'],
	['a text with a bracket in it', 'page [1] is gone', 'page [1] is gone'],
	['objects nested three deep', nest({ message: 'No.' }, 3), 'No.'],
	['errors of which one is blank', { errors: [' ', 'No.'] }, 'No.'],
	['duplicate errors', { errors: ['No.', 'No.'] }, 'No.'],
])('the service is quoted from %s', (_what, body, words) => {
	expect(quote(body)).toBe(words);
});

test.each([
	['a response without a body', undefined],
	['a success', { status: true, data: { blocks: [] } }],
	['a web page', '<!DOCTYPE html><html><body>Forbidden</body></html>'],
	['a web page inside JSON', { message: '<html><body>Forbidden</body></html>' }],
	['a text that is too long', 'word '.repeat(3000)],
	['malformed JSON', '{"status": true, "message": "Sor'],
	['objects nested four deep', nest({ message: 'No.' }, 4)],
	['a message by field', { message: { blocks: ['No.'] } }],
	['errors that are not texts', { errors: [1, null, {}] }],
])('nothing is quoted from %s', (_what, body) => {
	expect(quote(body)).toBeUndefined();
});

test('a long quotation is shortened', () => {
	const words = quote({ message: 'word '.repeat(1000) })!;
	expect(words).toHaveLength(301);
	expect(words.endsWith('…')).toBe(true);
});

describe('A secret is not quoted', () => {
	/** The forms in which services repeat what they were sent. */
	const forms: Record<string, (secret: string) => string> = {
		'as it is': (secret) => secret,
		'percent-encoded': encodeURIComponent,
		'percent-encoded in lower case': (secret) =>
			encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
		'encoded but for a plus sign': (secret) => encodeURIComponent(secret).replaceAll('%2B', '+'),
		'encoded in every byte': (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
	};
	const unit = fc.oneof(
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
		fc.constantFrom('a', 'B', '1', 'ß', 'Σ', '中', '"', '\\', '/', ' ', '%', '&', '+', '😀'),
	);
	const secrets = fc
		.string({ unit, minLength: 1, maxLength: 12 })
		.filter((secret) => secret.trim() !== '' && !/<[a-z!/?]|^[[{]/i.test(secret));
	/** What has no meaning in markup, which is not quoted at all. */
	const others = fc.constantFrom('', ' ', 'You sent ', 'to us.', ':', '…');

	test.each(Object.entries(forms))('%s, whatever its characters, and in whichever field', (_form, write) => {
		fc.assert(
			fc.property(secrets, others, others, (secret, before, after) => {
				const message = `${before}${write(secret)}${after}`;
				for (const body of [message, { message }, { errors: ['One.', message] }, { error: { message } }]) {
					expect(quote(body, ['other', secret])).toBeUndefined();
				}
			}),
		);
	});

	test('in upper or lower case', () => {
		const secret = 'a/B+c d%"1';
		for (const form of [secret, encodeURIComponent(secret)]) {
			for (const message of [form.toUpperCase(), form.toLowerCase()])
				expect(quote({ message }, [secret])).toBeUndefined();
		}
	});

	test('encoded in part', () => {
		const secrets = ['a/b+c d%é"1'];
		for (const text of ['a%2fb+c d%é"1', 'a/b+c d%25%C3%A9"1']) {
			expect(quote({ message: `It was ${text}.` }, secrets)).toBeUndefined();
		}
		expect(quote({ message: 'a/b+c d%e"1 and 100% \\u12 %zz \\' }, secrets)).toBe('a/b+c d%e"1 and 100% \\u12 %zz \\');
	});

	test('however short it is', () => {
		const message = 'Block 1.2 is missing from the page.';
		expect(['1.2', 'ge', 'a'].map((secret) => quote({ message }, [secret]))).toEqual(Array(3).fill(undefined));
		expect(quote({ message }, ['1.3'])).toBe(message);
	});

	test('in parts, by words that are joined', () => {
		expect(quote({ errors: ['s3cret', 't0ken'] }, ['s3cret; t0ken'])).toBeUndefined();
	});

	test('beyond the end of the quotation either', () => {
		const secret = 'pa55wd7-abcdef';
		const after = (length: number) => quote({ message: `${'a '.repeat(length / 2)}${secret}` }, [secret]);
		expect([after(290), after(298), after(600)]).toEqual([undefined, undefined, undefined]);
	});
});

test('Only the first entries of a list, and the beginning of a long text, are read', async () => {
	const errors = Array.from({ length: 300_000 }, () => ({ errors: [{}] }));
	expect(await processorTime(() => quote({ errors }), 200)).toBeLessThan(200);
	expect(quote({ errors: [...Array<string>(10).fill('No.'), 'Never.'] })).toBe('No.');
});
