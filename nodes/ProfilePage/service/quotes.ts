import { isObject } from '../shared/values';

/** A message is read in a small panel. */
const MAX_LENGTH = 300;
const SEARCHED_LENGTH = 2 * MAX_LENGTH;

/** The fields that may explain a failure, the most specific first. No shape is documented (docs/api.md, section 5). */
const WORD_FIELDS = ['errors', 'error_description', 'message', 'error'] as const;

/** How deep an explanation may be: `error.errors[0].message` is four levels deep. */
const MAX_DEPTH = 4;
const BROKEN_JSON = /^\s*[[{"]/;
const MARKUP = /<[a-z!/?]/i;

/**
 * Returns the service's own explanation in a response, on one line and without markup; undefined if there is none, or it
 * repeats a secret.
 *
 * @param body of the response, parsed if it was JSON
 */
export function readExplanation(body: unknown, secrets: Iterable<string>): string | undefined {
	if (typeof body === 'string' && BROKEN_JSON.test(body)) return undefined;
	const words = [...new Set(collectWords(body, 0).map(tidy))].filter(Boolean).join('; ');
	const quoted = words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words;
	// Beyond the end too, where a secret may be cut; not all of a long text, which would block n8n.
	const searched = words.slice(0, SEARCHED_LENGTH);
	return !quoted || repeatsSecret(searched, [...secrets]) ? undefined : quoted;
}

/** Returns the texts of the most specific field that contains any. */
function collectWords(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return MARKUP.test(value) ? [] : [value];
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => collectWords(entry, depth + 1));
	if (!isObject(value)) return [];
	for (const name of WORD_FIELDS) {
		const words = collectField(name, value[name], depth);
		if (words.some((text) => text.trim())) return words;
	}
	return [];
}

function collectField(name: string, field: unknown, depth: number): string[] {
	const words = collectWords(field, depth + 1);
	// Such as `errors: { "blocks": ["is missing a block"] }`.
	const isNested = words.length === 0 && name === 'errors' && typeof field === 'object';
	return isNested ? collectWords(Object.values(field ?? {}), depth) : words;
}

function tidy(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** How much of a secret, from its beginning, gives it away. Shorter secrets occur in any text. */
const REVEALING_LENGTH = 8;
const SHORTEST_SECRET = 4;

/** Whether a text repeats a secret, or its beginning: as it is, escaped, percent-encoded, or in base64. */
function repeatsSecret(text: string, secrets: readonly string[]): boolean {
	const searched = [text.replace(ESCAPED, ''), decodeEscapes(text)].map(lettersAndDigits).join(' ');
	// A longer one does not fit into the text as a whole.
	const long = secrets.map((secret) => secret.slice(0, SEARCHED_LENGTH + 1));
	return long.some((secret) => {
		if (secret.length < SHORTEST_SECRET) return false;
		if (text.includes(secret)) return true;
		// In base64, what precedes the secret, such as "id:", moves its bits.
		const encoded = [0, 1, 2].map((count) => {
			const base64 = Buffer.from(' '.repeat(count) + secret, 'utf8').toString('base64');
			return base64.slice(count && count + 1);
		});
		const forms = [secret, ...encoded].map(lettersAndDigits);
		// Of a secret of other characters, its letters and digits may occur in any text.
		const hasLetters = lettersAndDigits(secret).length >= SHORTEST_SECRET;
		return hasLetters && forms.some((form) => searched.includes(form.slice(0, REVEALING_LENGTH)));
	});
}

/** Characters that are escaped in HTML, JSON or URLs are punctuation, which does not count. */
const ESCAPED = /&(?:[a-z]+|#x?[\da-f]+);|\\u[\da-f]{4}|%[\da-f]{2}/gi;

/** Decodes percent-encoding, numeric entities and escapes of JSON until nothing changes, as a secret may contain them too. */
function decodeEscapes(text: string): string {
	const decoded = text
		.replace(/(?:%|\\u00|&#x0*)([\da-f]{2});?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
		.replace(/&#0*(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)));
	return decoded === text ? text : decodeEscapes(decoded);
}

function lettersAndDigits(text: string): string {
	return text.replace(/[^a-z\d]/gi, '').toLowerCase();
}
