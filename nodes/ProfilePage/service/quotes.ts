import { isBlank, isObject, parseJson } from '../shared/values';

/** A message is read in a small panel. */
const MAX_LENGTH = 300;
/** Longer texts explain nothing, and take long to search. */
const MAX_READ = 10_000;

/** The fields that may explain a failure, the most specific first. No shape is documented (docs/api.md, section 5). */
const NAMES = 'errors error_description error_message errorMessage errorMsg message msg detail reason text error info';
const WORD_FIELDS = NAMES.split(' ');

/** How deep an explanation may be: `error.errors[0].message` is four levels deep. */
const MAX_DEPTH = 4;
/** How many entries of a list are read: a message has no room for more. */
const MAX_ENTRIES = 10;
const BROKEN_JSON = /^\s*[[{"]/;
const MARKUP = /<[a-z!/?]/i;
/** Of a web page, only the title is quoted: "Just a moment..." */
const TITLE = /<title(?:\s[^<>]*)?>([^<]*)<\/title/i;

/**
 * Returns the service's own explanation in a response, on one line and without markup; undefined if there is none, or it
 * repeats a secret.
 *
 * @param body of the response, parsed if it was JSON
 */
export function quoteSafely(body: unknown, secrets: ReadonlySet<string>): string | undefined {
	if (typeof body === 'string' && BROKEN_JSON.test(body)) return undefined;
	const texts = collectWords(body, 0);
	const words = [...new Set(texts.map(tidy))].filter(Boolean).join('; ');
	if (!words || [...texts, words].some((text) => repeatsSecret(text, secrets))) return undefined;
	return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words;
}

function collectWords(value: unknown, depth: number): string[] {
	if (typeof value === 'string') {
		if (MARKUP.test(value)) return TITLE.exec(value.slice(0, MAX_READ))?.slice(1) ?? [];
		return value.length > MAX_READ ? [] : [value];
	}
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).flatMap((entry) => collectWords(entry, depth + 1));
	if (!isObject(value)) return [];
	for (const name of WORD_FIELDS) {
		const words = collectField(name, value[name], depth);
		if (!words.every(isBlank)) return words;
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

/** Shorter secrets occur in any text. */
const SHORTEST_SECRET = 4;

/** Whether a text contains a secret, in any case: as it is, or after undoing up to two encodings. */
export function repeatsSecret(text: string, secrets: ReadonlySet<string>): boolean {
	const once = DECODERS.map((decode) => decode(text));
	const twice = once.flatMap((decoded) => DECODERS.map((decode) => decode(decoded)));
	// Lower case depends on what follows: a Greek sigma at the end of a word has a form of its own.
	const forms = [...new Set([text, ...once, ...twice])].map((form) => form.toUpperCase());
	const searched = [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET);
	return searched.some((secret) => forms.some((form) => form.includes(secret.toUpperCase())));
}

/** Undo percent-encoding, also with "+" for a space, and the escapes of JSON. Each leaves what is not encoded as it is. */
const DECODERS: ReadonlyArray<(text: string) => string> = [
	decodePercent,
	(text) => decodePercent(text.replaceAll('+', ' ')),
	(text) => text.replace(/\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g, (escape) => String(parseJson(`"${escape}"`))),
];

/** Unlike `decodeURIComponent`, it decodes what is beside bytes that are no text. */
function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}
