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
 * @param secrets texts that must not be repeated, blanked out wherever they stand
 * @returns the words on one line, or undefined if there are none. Markup is never passed on.
 */
export function readServiceWords(
	body: unknown,
	secrets: readonly string[] = [],
): string | undefined {
	if (typeof body === 'string' && BROKEN_JSON.test(body)) return undefined;
	const words = collectWords(body, 0).map((text) => tidy(blankOut(text, secrets)));
	const distinct = [...new Set(words)].filter(Boolean).join('; ');
	if (!distinct) return undefined;
	return distinct.length > MAX_LENGTH ? `${distinct.slice(0, MAX_LENGTH)}…` : distinct;
}

/**
 * Adds the service's own words to a message, if it gave any.
 *
 * @param message what happened, and what to do
 */
export function quoteService(message: string, body: unknown, secrets: readonly string[]): string {
	const words = readServiceWords(body, secrets);
	return words ? `${message} The service said: "${words}"` : message;
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

function blankOut(text: string, secrets: readonly string[]): string {
	return secrets
		.filter(Boolean)
		.sort((a, b) => b.length - a.length)
		.reduce((blanked, secret) => blanked.split(secret).join('•••'), text);
}

function tidy(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
