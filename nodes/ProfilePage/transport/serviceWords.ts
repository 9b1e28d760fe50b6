/** Longer texts are cut: a message is read in a small panel. */
const MAX_LENGTH = 300;

/** The fields that may hold the service's explanation, the most telling first. */
const WORD_FIELDS = ['errors', 'error_description', 'message', 'error'] as const;

/** How deep objects are looked into, such as `error.errors[0].message`. */
const MAX_DEPTH = 4;

/** What begins like JSON and is still a text could not be parsed. */
const BROKEN_JSON = /^\s*[[{"]/;

const MARKUP = /<[a-z!/?]/i;

/**
 * The service's own words on what went wrong. The contract does not show the shape of an error
 * body (section 7), so the usual fields are tried, as texts, lists or objects.
 *
 * @param body the body of the answer, parsed if it was JSON
 * @param secrets texts that must not be repeated: words that do are not quoted
 * @returns the words on one line, or undefined if there are none. Markup is never passed on.
 */
export function readServiceWords(
	body: unknown,
	secrets: readonly string[] = [],
): string | undefined {
	if (typeof body === 'string' && BROKEN_JSON.test(body)) return undefined;
	const words = collectWords(body, 0).map(tidy);
	const distinct = [...new Set(words)].filter(Boolean).join('; ');
	if (!distinct || repeatsSecret(distinct, secrets)) return undefined;
	return distinct.length > MAX_LENGTH ? `${distinct.slice(0, MAX_LENGTH)}…` : distinct;
}

/**
 * Adds the service's own words to a message, if it gave any.
 *
 * @param message what happened, and what to do
 */
export function quoteService(message: string, body: unknown, secrets: readonly string[]): string {
	const words = readServiceWords(body, secrets);
	if (!words) return message;
	const end = /[.!?…]$/.test(words) ? '' : '.';
	return `${message} The service said: "${words}"${end}`;
}

function collectWords(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return MARKUP.test(value) ? [] : [value];
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => collectWords(entry, depth + 1));

	const fields = value as Record<string, unknown>;
	for (const name of WORD_FIELDS) {
		const words = collectField(name, fields[name], depth);
		if (words.some((text) => text.trim())) return words;
	}
	return [];
}

function collectField(name: string, value: unknown, depth: number): string[] {
	const words = collectWords(value, depth + 1);
	const isNamedList = name === 'errors' && typeof value === 'object' && value !== null;
	// `errors` may be an object of lists: { "blocks": ["is missing a block"] }.
	return words.length === 0 && isNamedList
		? Object.values(value).flatMap((entry) => collectWords(entry, depth + 1))
		: words;
}

/** Runs of this many letters and digits tell a secret from other words. */
const TELLING_LENGTH = 8;

/** Shorter ones are no secrets, and stand in any text. */
const SHORTEST_SECRET = 4;

/**
 * Whether a text repeats a secret, or a part of it: as it is, reversed, or in one of the encodings in
 * which it travels. Case, white space and punctuation make no difference.
 */
function repeatsSecret(text: string, secrets: readonly string[]): boolean {
	const searched = lettersAndDigits(text);
	return secrets
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.flatMap(encodingsOf)
		.map(lettersAndDigits)
		.some((encoded) => runsOf(encoded).some((run) => searched.includes(run)));
}

function encodingsOf(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	// Base64 of a text depends on how many bytes stand before it, modulo 3; a digit has 6 bits.
	const inBase64 = [0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), bytes])
			.toString('base64')
			.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
	);
	return [secret, Array.from(secret).reverse().join(''), bytes.toString('hex'), ...inBase64];
}

function lettersAndDigits(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** @returns all runs of the telling length; the whole text if it is shorter */
function runsOf(text: string): string[] {
	if (text.length <= TELLING_LENGTH) return text.length < SHORTEST_SECRET ? [] : [text];
	return Array.from({ length: text.length - TELLING_LENGTH + 1 }, (_, start) =>
		text.slice(start, start + TELLING_LENGTH),
	);
}

function tidy(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
