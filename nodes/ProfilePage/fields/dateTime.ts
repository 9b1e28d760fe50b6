import { tryToParseDateTime } from 'n8n-workflow';

import { checkVisible, invalid } from '../service/failure';
import { asText, isObject, quotable, trimmed } from '../shared/values';

const TIME = String.raw`(?<time>(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)`;

/** ISO 8601 and SQL. A date without a zone is local. */
const ISO_DATE = new RegExp(
	String.raw`^(?<date>\d{4}-\d{2}-(?<day>\d{2}))(?:[T ]${TIME}(?:(?<=:..:..)[.,]\d+)?(?: ?(?<zone>Z|[+-]\d{2}(?::?\d{2})?))?)?$`,
	'i',
);

const MAIL_DATE = new RegExp(
	String.raw`^(?:[A-Z]{3}, )?(?<date>(?<day>\d{1,2}) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [1-9]\d{3}) ${TIME} (?<zone>[+-]\d{4}|Z|UTC?|GMT|[ECMP][SD]T)$`,
	'i',
);

/** The offsets in use reach 14 hours. */
const BAD_OFFSET = /^[+-](?!(?:0\d|1[0-3]):?(?:[0-5]\d)?$|14:?(?:00)?$)/;

/**
 * Reads a date and time. A local time that the clock skips becomes the one it skips to.
 *
 * @param value text, or a date of Luxon or JavaScript; not a number, whose unit is unknown
 * @param timeZone of the workflow
 * @returns RFC 3339 without a fraction, such as "2026-12-24T18:00:00+01:00"; in that time zone, as the service ignores
 *   the offset when it shows a time (docs/api.md, section 2.6)
 * @throws Failure if it is not a date, the date does not exist, or its offset is out of range
 */
export function readDateTime(value: unknown, displayName: string, timeZone: string): string {
	const text = toText(value);
	checkVisible(text, displayName);
	const { date = '', day, time = '00:00', zone = '' } = (ISO_DATE.exec(text) ?? MAIL_DATE.exec(text))?.groups ?? {};
	const local = date.includes(' ') ? `${date} ${time} ` : `${date}T${time}`;
	// Parsers turn February 30 into a day of March.
	const exists = new Date(`${local}Z`).getUTCDate() === Number(day);
	const quote = text ? `"${quotable(text)}"` : 'the value';
	if (exists && BAD_OFFSET.test(zone)) {
		const advice = 'Correct the offset, or remove it to use the time zone of the workflow.';
		throw invalid(displayName, `the offset of ${quote} is not between -14:00 and +14:00`, advice);
	}
	const formatted = exists && format(local, zone, timeZone);
	if (formatted) return formatted;
	const advice = 'Write year, month, day, and time in this order, such as 2026-12-24 18:00.';
	throw invalid(displayName, `${quote} is not a date and time`, advice);
}

export type Moment = ReturnType<typeof tryToParseDateTime>;

/** Returns a time in milliseconds since 1970 in the time zone of the workflow. Throws Failure if n8n does not know it. */
export function momentOf(time: number, timeZone: string, displayName: string): Moment {
	const moment = tryToParseDateTime(new Date(time).toISOString()).setZone(timeZone);
	if (moment.isValid) return moment;
	const problem = `n8n does not know the time zone "${quotable(timeZone)}"`;
	throw invalid(displayName, problem, 'Choose a time zone in the settings of the workflow.');
}

/** Returns a moment as messages name it, such as "Thursday, 24 December, 18:00 (Europe/Berlin)", with the year if it is far away. */
export function formatMoment(moment: Moment): string {
	const year = Math.abs(moment.diffNow('months').months) < 10 ? '' : ' yyyy';
	return moment.toFormat(`cccc, d MMMM${year}, HH:mm (z)`, { locale: 'en' });
}

/** Returns undefined if the year does not have four digits in the time zone. */
function format(local: string, zone: string, timeZone: string): string | undefined {
	const parsed = tryToParseDateTime((local + zone).toUpperCase(), timeZone);
	// By way of UTC: Luxon keeps the offset that it guessed for the local time.
	const inZone = parsed.toUTC().setZone(timeZone);
	return inZone.year >= 1000 && inZone.year <= 9999 ? inZone.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ") : undefined;
}

function toText(value: unknown): string {
	// Spaces and hyphens that do not break a line.
	if (typeof value === 'string')
		return trimmed(value)
			.replace(/(?!\p{Cc})\s/gu, ' ')
			.replace(/[\u2010\u2011]/g, '-');
	const date = isLuxonDate(value) ? value.toJSDate() : value;
	return isDate(date) ? asText(date.toJSON()) : '';
}

/** Not `instanceof`: expressions may return dates of another realm. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

function isLuxonDate(value: unknown): value is { toJSDate: () => unknown } {
	return isObject(value) && typeof value.toJSDate === 'function';
}
