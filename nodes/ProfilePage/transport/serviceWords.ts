import { isObject } from '../shared/values';

/** A message is read in a small panel. */
const MAX_LENGTH = 300;
/** The fields that may explain a failure, the most specific first. No shape is documented (docs/api.md, section 5). */
const WORD_FIELDS = ['errors', 'error_description', 'message', 'error'] as const;

/** Such as `error.errors[0].message`. */
const MAX_DEPTH = 4;
const BROKEN_JSON = /^\s*[[{"]/;
const MARKUP = /<[a-z!/?]/i;

/**
 * Returns a text with the service's own explanation added, on one line and without markup. If what would be
 * quoted repeats a secret, nothing is.
 *
 * @param body of the response, parsed if it was JSON
 */
export function quoteService(text: string, body: unknown, secrets: readonly string[]): string {
	if (typeof body === 'string' && BROKEN_JSON.test(body)) return text;
	const words = [...new Set(collectWords(body, 0).map(tidy))].filter(Boolean).join('; ');
	const quoted = words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words;
	// Beyond the end too, where a secret may be cut; not all of a long text, which would block n8n.
	const searched = words.slice(0, 2 * MAX_LENGTH);
	if (!quoted || repeatsSecret(searched, secrets)) return text;
	return `${text} The service said: "${quoted}"${/[.!?…]$/.test(quoted) ? '' : '.'}`.trim();
}

function collectWords(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return MARKUP.test(value) ? [] : [value];
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => collectWords(entry, depth + 1));
	if (!isObject(value)) return [];
	for (const name of WORD_FIELDS) {
		const field = value[name];
		const words = collectWords(field, depth + 1);
		// Such as `errors: { "blocks": ["is missing a block"] }`.
		const isNested = name === 'errors' && typeof field === 'object';
		const named = isNested ? Object.values(field ?? {}) : [];
		const found = words.length > 0 ? words : collectWords(named, depth);
		if (found.some((text) => text.trim())) return found;
	}
	return [];
}

function tidy(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** How many letters and digits of a secret give it away. */
const REVEALING_LENGTH = 8;

/** Shorter secrets occur in any text. */
const SHORTEST_SECRET = 4;

/** Whether a text repeats a part of a secret: as it is, reversed or encoded, in any case and punctuation. */
function repeatsSecret(text: string, secrets: readonly string[]): boolean {
	const searched = lettersAndDigits(text);
	const parts = new Set(partsOf(searched));
	const encodings = secrets.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(encodingsOf);
	return encodings
		.map(lettersAndDigits)
		.some((encoded) =>
			encoded.length < REVEALING_LENGTH
				? encoded.length >= SHORTEST_SECRET && searched.includes(encoded)
				: partsOf(encoded).some((part) => parts.has(part)),
		);
}

function encodingsOf(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	// Base64 depends on how many bytes stand before the text, modulo 3. A digit has 6 bits.
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

/** Returns all parts of the revealing length. */
function partsOf(text: string): string[] {
	const count = Math.max(0, text.length - REVEALING_LENGTH + 1);
	return Array.from({ length: count }, (_, at) => text.slice(at, at + REVEALING_LENGTH));
}
