import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object with fields: neither null nor a list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object unchanged, and an empty one for anything else. */
export function asObject(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** Returns a list; undefined for anything else. PHP writes a list of objects with gaps as an object, by whole numbers. */
export function asList(value: unknown): unknown[] | undefined {
	const entries = Object.entries(asObject(value));
	const isList = entries.length > 0 && entries.every(([key, entry]) => /^\d+$/.test(key) && isObject(entry));
	return Array.isArray(value) ? value : isList ? entries.map(([, entry]) => entry) : undefined;
}

/** Returns a list of objects; undefined for anything else. PHP writes an empty one as null or {}, too. */
export function asObjects(value: unknown): IDataObject[] | undefined {
	const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0);
	const list = isEmpty ? [] : asList(value);
	return list?.every(isObject) ? list : undefined;
}

/** Returns a text or number as text, and an empty text for anything else. */
export function asText(value: unknown): string {
	return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}

export function capitalize(text: string): string {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Joins the texts that are not empty. */
export function joined(separator: string, ...texts: unknown[]): string {
	return texts.filter(Boolean).join(separator);
}

/** Characters that nobody sees, such as U+200B, as the inside of a character class. */
export const INVISIBLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
/** Or that look like a space, such as U+00A0. */
const FIRST_INVISIBLE = new RegExp(String.raw`[${INVISIBLE}]|(?! |\p{Cc})\s`, 'u');

/** What counts at the ends of a text: some emoji end in a variation selector, and the flags of some countries in tags. */
const SEEN = new RegExp(String.raw`[^\s\p{Cc}\p{Cs}${INVISIBLE}]|[\uFE00-\uFE0F\u{E0020}-\u{E007F}]`, 'u');

/** Returns a text without whitespace and invisible characters at its ends, and without halves of characters. */
export function trimmed(text: string): string {
	const characters = Array.from(withoutHalves(text));
	const isSeen = (character: string) => SEEN.test(character);
	return characters.slice(Math.max(0, characters.findIndex(isSeen)), characters.findLastIndex(isSeen) + 1).join('');
}

/** Returns a text without halves of characters (lone surrogates), as of an emoji that was cut: they would be sent as U+FFFD. */
function withoutHalves(text: string): string {
	return text.replace(/\p{Cs}/gu, '');
}

/** Returns the first invisible character in a text, such as "U+200B"; undefined if there is none. */
export function findInvisible(text: string): string | undefined {
	const [found] = FIRST_INVISIBLE.exec(text) ?? [];
	return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether a value is missing, or a text in which nothing can be seen. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !SEEN.test(value));
}

/** Whether the service can mean a value as an ID: a text, or a number that has kept all its digits; 0 is none. `readId` reads what users enter. */
export function isId(value: unknown): boolean {
	const isExact = typeof value !== 'number' || Number.isSafeInteger(value);
	return isExact && !isBlank(asText(value)) && !/^0+$/.test(asText(value));
}

/** Whether a value says anything: neither empty, nor an object or list of nothing but empty values. */
export function hasContent(value: unknown): boolean {
	const isNested = typeof value === 'object' && value !== null;
	return isNested ? Object.values(value).some(Boolean) : Boolean(value);
}

/** Parses JSON; returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** A host name has at most 253 characters (RFC 1035, section 2.3.4); there may be a user name and a password. */
const MAX_AUTHORITY_LENGTH = 500;

/** The scheme and the authority of an address. A parser accepts any number of slashes, and ignores tabs and line breaks. */
const BEFORE_PATH = /^[^/\\?#]*[/\\\t\r\n]*[^/\\?#]*/;

/**
 * Parses a web address; returns undefined if it is none. Not `URL.canParse`: in Node.js 20 and 22 it
 * rejects every address with letters such as "ü" after some thousand calls. They also need minutes for a long host of
 * such letters, so that is rejected first.
 */
export function parseUrl(text: string): URL | undefined {
	const beforePath = BEFORE_PATH.exec(text)?.[0] ?? '';
	if (beforePath.length > MAX_AUTHORITY_LENGTH) return undefined;
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** Returns the value of a key in a map, which is created if there is none. */
export function getOrCreate<K, V>(
	map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
	key: K,
	create: () => V,
): V {
	const value = map.get(key) ?? create();
	map.set(key, value);
	return value;
}

/** A message has no room for more. */
const MAX_ENUMERATED = 10;

/** Returns "a, b, c", or the first ten of more; empty if there is none. */
export function enumerate(texts: ReadonlyArray<string | number>): string {
	const rest = texts.length - MAX_ENUMERATED;
	return `${texts.slice(0, MAX_ENUMERATED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns a text that is no longer than `length` characters, and an ellipsis. */
export function cut(text: string, length: number): string {
	return text.length > length ? `${withoutHalves(text.slice(0, length))}…` : text;
}

const MAX_QUOTE_LENGTH = 100;

/** What starts a tag of HTML: the editor shows errors as HTML, with links. */
const TAG_START = /<(?=[a-z/!?])/gi;

/** Returns a value as a message quotes it: shortened, and with a zero-width space in tags, so that they are text. */
export function quotable(text: string): string {
	return cut(text, MAX_QUOTE_LENGTH).replace(TAG_START, '<\u200B');
}

const ENTITIES = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', '\u00A0'],
]);

/** Returns a text in which the usual entities of HTML are their characters: "Don&#39;t" becomes "Don't". Others stay. */
export function decodeEntities(text: string): string {
	return text.replace(/&([a-z]+|#\d+|#x[\da-f]+);/gi, (entity: string, name: string) => characterOf(name) ?? entity);
}

/** Returns the character of an entity by its name, such as "amp", "#39", or "#x27"; undefined if it is none that can be sent. */
function characterOf(name: string): string | undefined {
	if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase());
	// With 0 in front, JavaScript reads both kinds of numbers.
	const code = Number(`0${name.slice(1)}`);
	const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
	return /^[^\p{Cc}\p{Cs}]$/u.exec(character)?.[0];
}

/** Returns a text without percent-encoding. Unlike `decodeURIComponent`, it decodes what is beside bytes that are no text. */
export function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}
