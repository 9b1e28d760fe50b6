import { tryToParseDateTime } from 'n8n-workflow';

import { FieldError } from '../explainedErrors';
import { shorten } from './shorten';

/** How n8n's date field, ISO 8601 and databases write a date: with or without a time and an offset. */
const ISO_DATE =
	/^\d{4}-\d{2}-(?<day>\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/** How e-mails, feeds and HTTP write it (RFC 5322, section 3.3): always with a zone. */
const MAIL_DATE =
	/^(?:[A-Z]{3}, )?(?<day>\d{1,2}) [A-Z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|[A-Z]{1,3})$/i;

/** A point in time, as the service takes it. */
export interface Moment {
	/** RFC 3339 with an explicit offset and no fraction: "2026-12-24T18:00:00+01:00". */
	readonly text: string;
	/** Seconds since 1970. */
	readonly seconds: number;
}

/**
 * Reads a date and its time. A time of day that the clock skips becomes the one it skips to; one that
 * comes twice is taken once.
 *
 * @param value a text of n8n's date field or of an expression, or a date of Luxon or JavaScript
 * @param timeZone the zone of what has no offset, by its IANA name: that of the workflow
 * @param field the field's name as the editor shows it
 * @throws FieldError if it is not a date, or one that no calendar has
 */
export function readDateTime(value: unknown, timeZone: string, field: string): Moment {
	const text = toText(value);
	const moment = parse(text, timeZone);
	if (moment) return moment;
	const found = text ? `"${shorten(text)}"` : 'it';
	throw new FieldError(
		field,
		`${found} is not a date and a time. Give one such as 2026-12-24T18:00:00, or an expression such as {{ $now.plus({ days: 1 }) }}.`,
	);
}

function parse(text: string, timeZone: string): Moment | undefined {
	// n8n's parser goes on guessing where a text has none of these forms, or names the 30th of February.
	const { day } = (ISO_DATE.exec(text) ?? MAIL_DATE.exec(text))?.groups ?? {};
	if (!day) return undefined;
	const moment = parseOrUndefined(text, timeZone)?.startOf('second');
	if (moment?.day !== Number(day)) return undefined;
	const iso = moment.toISO({ suppressMilliseconds: true }) ?? '';
	return { text: iso.replace(/Z$/, '+00:00'), seconds: moment.toSeconds() };
}

function parseOrUndefined(text: string, timeZone: string) {
	try {
		return tryToParseDateTime(text, timeZone);
	} catch {
		return undefined;
	}
}

/** What is no date is left to be refused: a number may be seconds, milliseconds, or days of a spreadsheet. */
function toText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (isDate(value)) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return isLuxonDate(value) ? (value.toISO() ?? '') : '';
}

/** Dates that an expression makes may be of another realm, where `instanceof` does not know them. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

function isLuxonDate(value: unknown): value is { toISO: () => string | null } {
	return typeof (value as { toISO?: unknown } | null)?.toISO === 'function';
}
