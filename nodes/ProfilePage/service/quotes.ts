import { asText, isObject } from '../shared/values';

/** A message is read in a small panel. */
const MAX_LENGTH = 300;
const SEARCHED_LENGTH = 2 * MAX_LENGTH;
/** How much of each text is read at all. */
const READ_LENGTH = 10_000;

/** The fields that may explain a failure, the most specific first. No shape is documented (docs/api.md, section 5). */
const WORD_FIELDS = ['errors', 'error_description', 'message', 'error'] as const;

/** How deep an explanation may be: `error.errors[0].message` is four levels deep. */
const MAX_DEPTH = 4;
/** How many entries of a list are read: a message has no room for more. */
const MAX_ENTRIES = 10;
const BROKEN_JSON = /^\s*[[{"]/;
const MARKUP = /<[a-z!/?]/i;

/**
 * Returns the service's own explanation in a response, on one line and without markup; undefined if there is none, or it
 * repeats a secret.
 *
 * @param body of the response, parsed if it was JSON
 */
export function quoteSafely(body: unknown, secrets: Secrets): string | undefined {
	if (typeof body === 'string' && BROKEN_JSON.test(body)) return undefined;
	const words = [...new Set(collectWords(body, 0).map(tidy))].filter(Boolean).join('; ');
	const quoted = words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words;
	// Also beyond the end of the quote, which may cut a secret; not all of a long text, which would block n8n.
	const searched = words.slice(0, SEARCHED_LENGTH);
	return !quoted || secrets.occurIn(searched) ? undefined : quoted;
}

/** Returns the texts of the most specific field that contains any. */
function collectWords(value: unknown, depth: number): string[] {
	if (typeof value === 'string') {
		const text = value.slice(0, READ_LENGTH);
		return MARKUP.test(text) ? [] : [text];
	}
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).flatMap((entry) => collectWords(entry, depth + 1));
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
/** How much of a secret is read for that: it may contain escapes. */
const SECRET_READ_LENGTH = 100;
/** A credential has a handful. A hostile service may send any number of tokens, so not all are kept. */
const MAX_SECRETS = 10_000;

/** What is compared: a secret may be repeated with other punctuation, or in another case. */
const FORMS = [characters, lettersAndDigits];

/** Texts that no message may repeat. However many they are, a search for them takes the same time. */
export class Secrets {
	/** The beginnings of the secrets, in each of {@link FORMS}. */
	readonly #beginnings = FORMS.map((form) => ({ form, known: new Set<string>() }));
	#count = 0;

	constructor(secrets: Iterable<string> = []) {
		for (const secret of secrets) this.add(secret);
	}

	add(secret: string): void {
		this.#count += 1;
		if (this.#count > MAX_SECRETS) return;
		const encoded = withBase64(secret.slice(0, SECRET_READ_LENGTH));
		for (const { form, known } of this.#beginnings) {
			const beginnings = encoded.map((text) => form(text).slice(0, REVEALING_LENGTH));
			for (const each of beginnings) if (each.length >= SHORTEST_SECRET) known.add(each);
		}
	}

	/**
	 * Whether a text repeats a secret, or its beginning: as it is, escaped, percent-encoded, or in base64. If not all
	 * secrets are kept, any text may.
	 */
	occurIn(text: string): boolean {
		return this.#count > MAX_SECRETS || this.#beginnings.some(({ form, known }) => containsAny(form(text), known));
	}
}

/** Whether a text contains the beginning of a secret. */
function containsAny(text: string, beginnings: ReadonlySet<string>): boolean {
	for (let start = 0; start < text.length; start += 1) {
		for (let length = SHORTEST_SECRET; length <= REVEALING_LENGTH; length += 1) {
			if (beginnings.has(text.slice(start, start + length))) return true;
		}
	}
	return false;
}

/** Returns a secret as it is, and in base64. What precedes it there, such as "id:", moves its bits. */
function withBase64(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	const encoded = [0, 1, 2].map((count) => {
		const base64 = Buffer.concat([Buffer.alloc(count), bytes]).toString('base64');
		// Without the characters that depend on what precedes and follows the secret.
		return base64.slice(count && count + 1, Math.floor((4 / 3) * (count + bytes.length)));
	});
	return [secret, ...encoded];
}

/** Returns what a text says, whatever its escapes, case, and whitespace. */
function characters(text: string): string {
	// In upper case, no letter depends on its place in a word.
	return decodeEscapes(text)
		.replace(/[\s\p{Cc}\\]/gu, '')
		.toUpperCase();
}

/** Returns the letters and digits of a text: punctuation may be replaced, or escaped by a name. */
function lettersAndDigits(text: string): string {
	return characters(text).replace(/&[A-Z]+;|[^\p{L}\p{N}]/gu, '');
}

/** The escapes of URLs, JSON and HTML. */
const ESCAPE = /((?:%[\da-f]{2})+)|\\u([\da-f]{4})|&#x0*([\da-f]{1,5});?|&#0*(\d{1,6});?|&(amp|apos|gt|lt|quot);/gi;

const NAMED: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/** How many times escapes may be escaped again. Each takes a pass over the text. */
const MAX_ESCAPES = 5;

/** Decodes escapes until nothing changes, as a secret may contain them too. */
function decodeEscapes(text: string, passes = MAX_ESCAPES): string {
	const decoded = text.replace(
		ESCAPE,
		(_, bytes?: string, unit?: string, hex?: string, decimal?: string, name?: string) => {
			if (bytes) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
			if (unit) return String.fromCharCode(Number.parseInt(unit, 16));
			if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
			return decimal ? String.fromCodePoint(Number(decimal)) : (NAMED[asText(name).toLowerCase()] ?? '');
		},
	);
	return decoded === text || passes === 1 ? decoded : decodeEscapes(decoded, passes - 1);
}
