import { asText, cut, isBlank, isObject, parseUrl, withoutEntities } from '../shared/values';
import type { ServiceResponse } from './request';

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
 * Returns a response with `said`, the service's own words, on one line and without markup. There are none if they contain a
 * secret. This is done where a response arrives: from there on, nothing else has to know the secrets.
 *
 * @param secrets what was sent with the request, or received before
 */
export function withSaid(response: ServiceResponse, secrets: readonly string[]): ServiceResponse {
	const texts = wordsOf(response);
	const said = [...new Set(texts.map(tidy))].filter(Boolean).join('; ');
	if (said === '' || [...texts, said].some((text) => containsSecret(text, secrets))) return response;
	return { ...response, said: cut(said, MAX_LENGTH) };
}

function wordsOf({ statusCode, headers, body }: ServiceResponse): string[] {
	if (statusCode >= 300 && statusCode <= 399) return targetOf(asText(headers.location));
	return typeof body === 'string' && BROKEN_JSON.test(body) ? [] : collectWords(body, 0);
}

/** Returns where a redirect leads, without user name and query. */
function targetOf(location: string): string[] {
	const url = /^https?:/i.test(location) ? parseUrl(location) : undefined;
	return url ? [`${url.origin}${url.pathname}`] : [];
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

/** Whether a text contains a secret, in any case, as it is, percent-encoded, also with "+" for a space, or with entities of HTML. */
function containsSecret(text: string, secrets: readonly string[]): boolean {
	// Lower case depends on what follows: a Greek sigma at the end of a word has a form of its own.
	const decoded = [text, decodePercent(text), decodePercent(text.replaceAll('+', ' ')), withoutEntities(text)];
	const forms = decoded.map((form) => form.toUpperCase());
	return secrets.some((secret) => forms.some((form) => form.includes(secret.toUpperCase())));
}

/** Unlike `decodeURIComponent`, it decodes what is beside bytes that are no text. */
function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}
