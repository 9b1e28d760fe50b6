import { tryToParseDateTime } from 'n8n-workflow';

import { FieldError } from '../errors';
import { shorten } from './shorten';

/** How n8n's date field, ISO 8601 and databases write a date: with or without a time and an offset. */
const ISO_DATE =
	/^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<minute>\d{2}:\d{2})(?:(?<second>:\d{2})(?:[.,]\d+)?)?(?: ?(?<zone>Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/** How e-mails, feeds and HTTP write it (RFC 5322, section 3.3): always with a zone. */
const MAIL_DATE =
	/^(?:[A-Z]{3}, )?(?<day>\d{1,2}) (?<month>[A-Z]{3}) (?<year>\d{4}) (?<minute>\d{2}:\d{2})(?<second>:\d{2})? (?<zone>[+-]\d{4}|[A-Z]{1,3})$/i;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The zones that may stand for an offset (RFC 5322, section 4.3), and "UTC", which feeds write too. */
const ZONE_NAMES: ReadonlyMap<string, string> = new Map([
	...['Z', 'UT', 'UTC', 'GMT'].map((name) => [name, '+00:00'] as const),
	['EDT', '-04:00'],
	['EST', '-05:00'],
	['CDT', '-05:00'],
	['CST', '-06:00'],
	['MDT', '-06:00'],
	['MST', '-07:00'],
	['PDT', '-07:00'],
	['PST', '-08:00'],
]);

/** The largest offset from UTC in use, in minutes. */
const MAX_OFFSET = 14 * 60;

/** A point in time, as the service takes it. */
export interface Moment {
	/**
	 * RFC 3339 in the workflow's time zone, with an explicit offset and no fraction:
	 * "2026-12-24T18:00:00+01:00".
	 */
	readonly text: string;
	/** Seconds since 1970. */
	readonly seconds: number;
}

/** A date and time of the calendar, in the parts of ISO 8601. */
interface CalendarTime {
	/** "2026-12-24" */
	readonly date: string;
	/** "18:00:00" */
	readonly time: string;
	/** "+01:00"; undefined for a local time of the workflow's time zone. */
	readonly offset?: string;
}

/**
 * Reads a date and time. A local time that the clock skips becomes the one it skips to; a local time that
 * the clock shows twice is the earlier one. The result is in the workflow's time zone, whatever the offset
 * of the value: the service's dashboard shows the time of day it was sent and ignores the offset.
 *
 * @param value a text of n8n's date field or of an expression, or a date of Luxon or JavaScript
 * @param timeZone the zone of the workflow, by its IANA name
 * @param field the field's name as the editor shows it
 * @throws FieldError if it is not a date, the date does not exist, or its offset is out of range
 */
export function readDateTime(value: unknown, timeZone: string, field: string): Moment {
	const text = toText(value);
	const calendarTime = parse(text);
	if (calendarTime?.offset) checkOffset(calendarTime.offset, text, field);
	const moment = calendarTime && toMoment(calendarTime, timeZone);
	if (moment) return moment;
	const found = text ? `"${shorten(text)}"` : 'it';
	throw new FieldError(
		field,
		`${found} is not a date and a time. Give one such as 2026-12-24T18:00:00, or an expression such as {{ $now.plus({ days: 1 }) }}.`,
	);
}

/** @returns undefined if the text has neither form, or the date does not exist */
function parse(text: string): CalendarTime | undefined {
	const found = parseIsoDate(text) ?? parseMailDate(text);
	return found && exists(found) ? found : undefined;
}

function parseIsoDate(text: string): CalendarTime | undefined {
	const { date, minute = '00:00', second = ':00', zone } = ISO_DATE.exec(text)?.groups ?? {};
	if (!date) return undefined;
	return { date, time: minute + second, ...(zone && { offset: toOffset(zone) }) };
}

function parseMailDate(text: string): CalendarTime | undefined {
	const { day, month, year, minute, second = ':00', zone } = MAIL_DATE.exec(text)?.groups ?? {};
	if (!day || !month || !year || !minute || !zone) return undefined;
	const monthIndex = MONTHS.indexOf(month.toLowerCase());
	const offset = toOffset(zone);
	if (monthIndex < 0 || !offset) return undefined;
	const date = [year, pad(monthIndex + 1), pad(Number(day))].join('-');
	return { date, time: minute + second, offset };
}

/** @returns the offset as "+01:00"; undefined for an unknown zone name */
function toOffset(zone: string): string | undefined {
	const {
		sign,
		hours,
		minutes = '00',
	} = /^(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})?$/.exec(zone)?.groups ?? {};
	return sign && hours ? `${sign}${hours}:${minutes}` : ZONE_NAMES.get(zone.toUpperCase());
}

/** Parsers turn February 30 into a day of March, and 24:00 into the next day. */
function exists({ date, time }: CalendarTime): boolean {
	const utc = new Date(`${date}T${time}Z`);
	return !Number.isNaN(utc.getTime()) && utc.toISOString().startsWith(date);
}

function checkOffset(offset: string, text: string, field: string): void {
	const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
	if (minutes < 60 && hours * 60 + minutes <= MAX_OFFSET) return;
	throw new FieldError(
		field,
		`the offset of "${shorten(text)}" is not between -14:00 and +14:00. Correct it, or leave it out to use the time zone of the workflow.`,
	);
}

function toMoment({ date, time, offset = '' }: CalendarTime, timeZone: string): Moment | undefined {
	const parsed = parseOrUndefined(`${date}T${time}${offset}`, timeZone);
	if (!parsed) return undefined;
	// Of a time that the clock shows twice, Luxon picks one by the zone's offset at present.
	const [earliest = parsed] = parsed.getPossibleOffsets();
	const inZone = earliest.setZone(timeZone);
	// Offsets with seconds cause rounding errors.
	const seconds = Math.round(inZone.toSeconds());
	const text = inZone.isValid ? format(seconds, inZone.offset) : undefined;
	return text === undefined ? undefined : { text, seconds };
}

function parseOrUndefined(text: string, timeZone: string) {
	try {
		return tryToParseDateTime(text, timeZone);
	} catch {
		return undefined;
	}
}

/**
 * @param zoneOffset in minutes. Historic offsets may have a fraction, which RFC 3339 does not allow: the
 *   time of day then differs from that of the zone by less than a minute, and the instant is exact.
 * @returns undefined if the year does not have four digits
 */
function format(seconds: number, zoneOffset: number): string | undefined {
	const offset = Math.trunc(zoneOffset);
	const shown = new Date((seconds + offset * 60) * 1000).toISOString();
	if (!/^\d{4}-/.test(shown)) return undefined;
	const sign = offset < 0 ? '-' : '+';
	const minutes = Math.abs(offset);
	return `${shown.slice(0, 'YYYY-MM-DDTHH:mm:ss'.length)}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(number: number): string {
	return String(number).padStart(2, '0');
}

/** @returns an empty text for anything else: a number may be seconds, milliseconds, or days of a spreadsheet */
function toText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	const date = isLuxonDate(value) ? value.toJSDate() : value;
	return isDate(date) && !Number.isNaN(date.getTime()) ? date.toISOString() : '';
}

/** Dates from an expression may come from another realm, where `instanceof` fails. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

function isLuxonDate(value: unknown): value is { toJSDate: () => unknown } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toJSDate' in value &&
		typeof value.toJSDate === 'function'
	);
}
