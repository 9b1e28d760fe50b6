import fc from 'fast-check';

import { quoteSafely, Secrets } from '../../../nodes/ProfilePage/service/quotes';
import { processorTime } from '../../support/processorTime';

const quote = (body: unknown, secrets: readonly string[] = []) => quoteSafely(body, new Secrets(secrets));

function nest(value: object, times: number): object {
	return times === 0 ? value : nest({ error: value }, times - 1);
}

test.each([
	['errors that are texts', { status: false, errors: ['One.', 'Two.'] }, 'One.; Two.'],
	['errors that are objects', { errors: [{ message: 'One.' }, { error: 'Two.' }] }, 'One.; Two.'],
	['errors by field', { errors: { blocks: ['One.'], page_id: 'Two.' } }, 'One.; Two.'],
	['errors that are one text', { errors: 'One.' }, 'One.'],
	['an OAuth error', { error: 'invalid_client', error_description: 'No such app' }, 'No such app'],
	['an OAuth error without a description', { error: 'invalid_client' }, 'invalid_client'],
	['a message', { error: true, message: 'No.' }, 'No.'],
	['an error object', { error: { code: 7, message: 'No.' } }, 'No.'],
	['an error inside errors', { errors: [{ error: { message: 'No.' } }] }, 'No.'],
	['a message with empty errors', { errors: [], message: 'No.' }, 'No.'],
	['a message with blank errors', { errors: [' '], message: 'No.' }, 'No.'],
	['a plain text', 'Too many requests', 'Too many requests'],
	['a message with white space and control characters', { message: 'a\r\n\t b\u0000c' }, 'a b c'],
	['a text with a bracket in it', 'page [1] is gone', 'page [1] is gone'],
	['a text that begins with a word and a bracket', 'a[1] is gone', 'a[1] is gone'],
	['objects nested four deep', nest({ message: 'No.' }, 4), 'No.'],
	['errors nested three deep', nest({ errors: [{ message: 'No.' }] }, 3), 'No.'],
	['errors by field nested four deep', nest({ errors: { blocks: 'No.' } }, 4), 'No.'],
	['errors by field within errors by field', { errors: { blocks: { errors: { id: 'No.' } } } }, 'No.'],
	['errors of which one is blank', { errors: [' ', 'No.'] }, 'No.'],
	['duplicate errors', { errors: ['No.', 'No.'] }, 'No.'],
])('the service is quoted from %s', (_what, body, words) => {
	expect(quote(body)).toBe(words);
});

test.each([
	['a response without a body', undefined],
	['an empty text', ''],
	['a number', 500],
	['a success', { status: true, data: { blocks: [] } }],
	['a web page', '<!DOCTYPE html><html><body>Forbidden</body></html>'],
	['a web page inside JSON', { message: '<html><body>Forbidden</body></html>' }],
	['a web page in errors', { errors: '<html><body>Forbidden</body></html>' }],
	['malformed JSON', '{"status": true, "message": "Sor'],
	['malformed JSON after white space', ' \n{"message": "Sor'],
	['objects nested five deep', nest({ message: 'No.' }, 5)],
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

test('a secret of four to seven letters is not quoted, a shorter one is', () => {
	expect(quote({ message: 'It is a1b2c3.' }, ['a1b2c3'])).toBeUndefined();
	expect(quote({ message: 'It is A-1-B-2.' }, ['a1b2'])).toBeUndefined();
	expect(quote({ message: 'It is a1b.' }, ['a1b'])).toBe('It is a1b.');
	expect(quote({ message: 'It is a1b.' }, ['a-1-b'])).toBe('It is a1b.');
});

test('a secret of other characters than letters and digits is not quoted', () => {
	expect(quote({ message: 'It is ü-ö-ä!' }, ['ü-ö-ä'])).toBeUndefined();
	expect(quote({ message: 'It is a-1-b.' }, ['a-1-b'])).toBeUndefined();
	expect(quote({ message: 'It is üöä.' }, ['üöä'])).toBe('It is üöä.');
});

test('a secret at the end of the quotation prevents it, also if it is cut there', () => {
	const secret = 'pa55wd7-abcdef';
	const after = (length: number) => quote({ message: `${'a '.repeat(length / 2)}${secret}` }, [secret]);
	expect([after(290), after(294), after(298)]).toEqual([undefined, undefined, undefined]);
	expect(after(600)).toMatch(/a …$/);
});

test('a quotation of the maximum length is not shortened', () => {
	const message = 'x'.repeat(300);
	expect(quote({ message })).toBe(message);
});

describe('A response is not quoted if it contains a secret', () => {
	const secret = 'S3cr3t/t0k3n+of=the.App_123';
	const bytes = Buffer.from(secret);

	test.each([
		['unchanged', secret],
		['in upper case', secret.toUpperCase()],
		['with other punctuation', secret.replace(/[^a-z\d]/gi, '-')],
		['without its end', secret.slice(0, -4)],
		['as its first eight letters and digits', 's3cr3tt0'],
		['after other text', `id:${secret}`],
		['with a line break', `${secret.slice(0, 12)}\n${secret.slice(12)}`],
		['escaped for HTML', secret.replace('/', '&#x2F;').replace('+', '&plus;')],
		['escaped for JSON', secret.replace('/', '\\u002f').replace('+', '\\u002B')],
		['percent-encoded', encodeURIComponent(secret)],
		['in base64', bytes.toString('base64')],
		['in base64url', bytes.toString('base64url')],
		['in base64 after one character', Buffer.from(`:${secret}`).toString('base64')],
		['in base64 after two characters', Buffer.from(`a:${secret}`).toString('base64')],
	])('%s', (_what, repeated) => {
		expect(quote({ message: `You sent ${repeated} to us` }, [secret])).toBeUndefined();
		const halves = [`You sent ${repeated.slice(0, 14)}`, repeated.slice(14)];
		expect(quote({ errors: halves }, [secret])).toBeUndefined();
	});

	test.each<[string, (code: number) => string]>([
		['escaped for JSON', (code) => `\\u${code.toString(16).padStart(4, '0')}`],
		['a hexadecimal entity', (code) => `&#x${code.toString(16)};`],
		['a decimal entity', (code) => `&#${code};`],
		['a decimal entity with a zero', (code) => `&#0${code};`],
	])('with each character %s', (_what, escape) => {
		const escaped = [...bytes].map(escape).join('');
		expect(quote({ message: `You sent ${escaped} to us` }, [secret])).toBeUndefined();
	});

	test('with characters that are escaped in several ways', () => {
		const message = 'You sent a1%2Fb2&plus;c3%2fd4 to us';
		expect(quote({ message }, ['a1/b2+c3/d4'])).toBeUndefined();
	});

	test('unless the secret is too short to detect', () => {
		const message = 'Block 1.2 is missing from the page.';
		expect(quote({ message }, [secret, '', 'a', 'ge'])).toBe(message);
	});
});

describe('Whatever its characters, a secret is not quoted', () => {
	const hex = (character: string) => character.codePointAt(0)!.toString(16);
	const each = (text: string, encode: (character: string) => string) => Array.from(text, encode).join('');
	const units = (text: string) => text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
	const named: Record<string, string> = { '&': '&amp;', "'": '&apos;', '>': '&gt;', '<': '&lt;', '"': '&quot;' };
	const encodings: Record<string, (text: string) => string> = {
		'as it is': (text) => text,
		'percent-encoded': encodeURIComponent,
		'percent-encoded as a whole': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
		'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
		'as JSON': JSON.stringify,
		'as escapes of JSON': (text) => units(text).join('\\u').replace(/^/, '\\u'),
		'as named entities': (text) => each(text, (character) => named[character] ?? character),
		'as decimal entities': (text) => each(text, (character) => `&#${character.codePointAt(0)};`),
		'as hexadecimal entities': (text) => each(text, (character) => `&#x${hex(character)};`),
		'in base64': (text) => Buffer.from(text).toString('base64'),
		'in base64url': (text) => Buffer.from(text).toString('base64url'),
		'in base64 after and before other text': (text) => Buffer.from(`id:${text}, ok`).toString('base64'),
		'in base64, percent-encoded': (text) => encodeURIComponent(Buffer.from(`x${text}?`).toString('base64')),
	};
	const SOME = ['a', 'B', '1', 'ß', 'Ж', '中', '"', '§', '/', ' '];
	const unit = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), fc.constantFrom(...SOME));
	const secrets = fc
		.string({ unit, minLength: 4, maxLength: 12 })
		// Of some that contain escapes, too little is left.
		.filter((text) => text.replace(/\s/g, '').length >= 4 && !/[%&\\]/.test(text));

	test.each(Object.entries(encodings))('%s', (_how, encode) => {
		for (const secret of ['abcd', 'пароль-и-ключ', '!"§$%&/()=?', '%41%42%43%44', 'a&amp;b;c', '😀😁😂', 'ΑΣ-ab']) {
			expect([secret, quote({ message: `You sent ${encode(secret)} to us` }, [secret])]).toEqual([secret, undefined]);
		}
		fc.assert(
			fc.property(secrets, (secret) => {
				expect(quote({ message: `You sent ${encode(secret)} to us` }, ['other', secret])).toBeUndefined();
			}),
		);
	});

	test('nor are its first eight characters', () => {
		expect(quote({ message: 'You sent пароль-и… to us' }, ['пароль-и-ключ'])).toBeUndefined();
		expect(quote({ message: 'You sent !"§$%&/(… to us' }, ['!"§$%&/()=?'])).toBeUndefined();
		expect(quote({ message: 'You sent пароль… to us' }, ['пароль-и-ключ'])).toBe('You sent пароль… to us');
	});
});

test('a quotation from any response is one line without markup or secret', () => {
	const secret = 's3cr3t-t0k3n';
	const text = fc.oneof(fc.string(), fc.constantFrom('<b>bold</b>', `it was ${secret}`, '<!-- x', 'plain'));
	const body = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 6 },
			text,
			fc.anything(),
			fc.array(tie('value')),
			fc.dictionary(fc.constantFrom('errors', 'error', 'message', 'error_description'), tie('value')),
		),
	})).value;
	fc.assert(
		fc.property(body, (value) => {
			const words = quote(value, [secret]);
			if (words === undefined) return;
			expect(words).not.toMatch(/[\r\n]|<[a-z!/?]/i);
			expect(words).not.toContain(secret);
			expect(words.length).toBeLessThanOrEqual(301);
			expect(words.trim()).not.toBe('');
		}),
	);
});

describe('A search for secrets', () => {
	const LIMIT = 200;
	const nested = (index: number) => `${'%25'.repeat(200)}${index}-secret`;

	test('takes the same time however many secrets an execution has had', async () => {
		const secrets = new Secrets();
		for (let index = 0; index < 1000; index += 1) secrets.add(nested(index));
		const search = () => {
			for (let count = 0; count < 20; count += 1)
				expect(quoteSafely('The page is locked.'.repeat(30), secrets)).toBeDefined();
		};
		expect(await processorTime(search, LIMIT)).toBeLessThan(LIMIT);
	});

	test('knows thousands of secrets soon, however often their escapes are escaped again', async () => {
		const secretsAfter = (first: string) =>
			Array.from({ length: 9999 }, (_, index) => `${first}${'25'.repeat(47)}${index}`);
		const nested = secretsAfter('%');
		const time = async (secrets: string[]) => await processorTime(() => new Secrets(secrets), 0);
		// Without a limit, 15 times as long.
		expect(await time(nested)).toBeLessThan(6 * (await time(secretsAfter('x'))));
		expect(new Secrets(nested).occurIn(`it is ${nested[7]}`)).toBe(true);
	});

	test('finds all of some thousand, and lets nothing through if there are more than can be kept', () => {
		const secrets = new Secrets(Array.from({ length: 5000 }, (_, index) => `secret-${index}-x`));
		expect(secrets.occurIn('it is secret-4999-x')).toBe(true);
		expect(secrets.occurIn('it is harmless')).toBe(false);
		for (let index = 0; index < 5001; index += 1) secrets.add(`other-${index}`);
		expect(secrets.occurIn('it is harmless')).toBe(true);
	});

	test('reads only the first entries of nested lists', async () => {
		const errors = Array.from({ length: 300_000 }, () => ({ errors: [{}] }));
		expect(await processorTime(() => quote({ errors }), LIMIT)).toBeLessThan(LIMIT);
	});
});
