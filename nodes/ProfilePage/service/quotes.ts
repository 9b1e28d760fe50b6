import { cut, decodePercent, isObject } from '../shared/values';
import type { ServiceResponse } from './request';

/** A message is read in a small panel. */
const MAX_LENGTH = 300;
/** Longer texts explain nothing. */
const MAX_READ = 10_000;
const MAX_DEPTH = 3;
/** How many entries of a list are read. */
const MAX_ENTRIES = 10;

/** The fields that may explain a failure, the most specific first. No shape is documented (docs/api.md, section 5). */
const WORD_FIELDS = ['errors', 'error_description', 'message', 'msg', 'detail', 'reason', 'text', 'error', 'info'];

const MARKUP_OR_JSON = /<[a-z!/?]|^\s*[[{]/i;

/**
 * Returns a response with `said`, the service's own words, on one line. There are none if they contain a secret. This is
 * done where a response arrives: from there on, nothing else has to know the secrets.
 *
 * @param secrets what was sent with the request, or received before
 */
export function withSaid(response: ServiceResponse, secrets: readonly string[]): ServiceResponse {
	const words = [...new Set(wordsIn(response.body))].join('; ');
	const texts = [words, toLine(decodePercent(words)), toLine(decodePercent(words.replaceAll('+', ' ')))];
	const isIn = (secret: string) => texts.some((text) => text.toUpperCase().includes(toLine(secret).toUpperCase()));
	return words === '' || secrets.some(isIn) ? response : { ...response, said: cut(words, MAX_LENGTH) };
}

/** Returns a text, those in a list, or those in the first field that contains any. */
function wordsIn(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return isQuotable(value) ? [toLine(value)].filter(Boolean) : [];
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).flatMap((entry) => wordsIn(entry, depth + 1));
	if (!isObject(value)) return [];
	for (const name of WORD_FIELDS) {
		const words = wordsIn(value[name], depth + 1);
		if (words.length > 0) return words;
	}
	return [];
}

function isQuotable(text: string): boolean {
	return text.length <= MAX_READ && !MARKUP_OR_JSON.test(text);
}

function toLine(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
