import { tryToParseDateTime } from 'n8n-workflow';

import { checkVisible, invalid } from '../shared/failure';
import { asText, isObject, quotable, trimmed } from '../shared/values';

/** The hour may have one digit, as in spreadsheets. Comments follow a zone (RFC 5322, section 4.3). */
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d+)?)?(?: ?(?<half>[AP])\.?M\.?)?(?: ?(?:GMT|UTC)?(?<zone>[+-][\d:]+|[A-Z]+)(?: ?\([^()]*\))*)?`;

/** ISO 8601, SQL and spreadsheets; e-mail and feeds (RFC 5322); and the text that JavaScript makes of a date. */
const FORMS = [
	String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ]${TIME})?`,
	String.raw`(?:[A-Z]{3}, ?)?(?<day>\d{1,2}) (?<month>[A-Z]{3}) (?<year>\d\d(?:\d\d)?) ${TIME}`,
	String.raw`[A-Z]{3} (?<month>[A-Z]{3}) (?<day>\d{1,2}) (?<year>\d{4}) ${TIME}`,
	// Calendar files.
	String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>Z)?)?`,
].map((form) => new RegExp(`^${form}$`, 'i'));

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** The offsets in use reach 14 hours. */
const OFFSET = /^(?:[+-](?:0\d|1[0-3])(?::?[0-5]\d)?|[+-]14(?::?00)?|Z)?$/;

/** The names of zones that are not ambiguous, or in RFC 5322. */
const ZONES: Readonly<Record<string, string>> = {
	...{ UT: 'Z', UTC: 'Z', GMT: 'Z', EDT: '-04', EST: '-05', CDT: '-05' },
	...{ CST: '-06', MDT: '-06', MST: '-07', PDT: '-07', PST: '-08' },
};

const ORDER = 'Write year, month, day, and time in this order, such as 2026-12-24 18:00.';
const ZONE = 'Write an offset such as +01:00, or only year, month, day, and time for the time zone of the workflow.';

/**
 * Reads a date and time. A local time that the clock skips becomes the one it skips to.
 *
 * @param value text, or a date of Luxon or JavaScript; not a number, whose unit is unknown
 * @param timeZone of the workflow
 * @returns RFC 3339 without a fraction, such as "2026-12-24T18:00:00+01:00"; in that time zone, as the service ignores
 *   the offset when it shows a time (docs/api.md, section 2.6)
 * @throws Failure that says why it is not a date and time
 */
export function readDateTime(value: unknown, displayName: string, timeZone: string): string {
	const text = toText(value);
	checkVisible(text, displayName);
	// Throws Failure if the time zone is unknown.
	momentOf(Date.now(), timeZone, displayName);
	const quote = text ? `"${quotable(text)}"` : 'the value';
	const refuse = (problem: string, advice = ORDER) => invalid(displayName, problem, advice);
	const parts = FORMS.map((form) => form.exec(text)?.groups).find(Boolean);
	if (!parts && /^\d{1,2}[-./]\d{1,2}[-./]\d/.test(text)) throw refuse(`${quote} does not start with the year`);
	if (!parts) throw refuse(`${quote} is ${typeof value === 'number' ? 'a number, ' : ''}not a date and time`);
	const [date, time, zone] = [dateOf(parts), timeOf(parts), (parts.zone ?? '').toUpperCase()];
	if (date === undefined) throw refuse(`there is no such day in ${quote}`);
	if (time === undefined) throw refuse(`there is no such time in ${quote}`);
	const offset = ZONES[zone] ?? zone;
	if (offset === '' && !/^\d{4}/.test(text)) throw refuse(`${quote} has no time zone`, ZONE);
	if (!OFFSET.test(offset)) throw refuse(`the time zone of ${quote} is unknown`, ZONE);
	const moment = tryToParseDateTime(`${date}T${time}${offset}`, timeZone).toMillis();
	return momentOf(moment, timeZone, displayName).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
}

type Parts = Readonly<Record<string, string | undefined>>;

const twoDigits = (number: string | number) => String(number).padStart(2, '0');

/** Returns a date as ISO 8601; undefined if it does not exist. A year of two digits is from 1950 to 2049. */
function dateOf({ year = '', month = '', day = '' }: Parts): string | undefined {
	const century = year.length > 2 ? '' : Number(year) < 50 ? '20' : '19';
	const number = /\d/.test(month) ? month : MONTHS.indexOf(month.toUpperCase()) + 1;
	const date = `${century}${year}-${twoDigits(number)}-${twoDigits(day)}`;
	// Parsers turn February 30 into a day of March.
	return new Date(`${date}T00:00Z`).getUTCDate() === Number(day) ? date : undefined;
}

/** Returns a time of the clock of 24 or of twelve hours as ISO 8601; undefined if it does not exist. */
function timeOf({ hour = '0', minute = '00', second = '00', half }: Parts): string | undefined {
	if (half && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
	const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : hour;
	const time = `${twoDigits(hours)}:${minute}:${second}`;
	// The end of a day is the start of the next one.
	return /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$|^24:00:00$/.test(time) ? time : undefined;
}

export type Moment = ReturnType<typeof tryToParseDateTime>;

/** Returns a time in milliseconds since 1970 in the time zone of the workflow. Throws Failure if n8n does not know it. */
export function momentOf(time: number, timeZone: string, displayName: string): Moment {
	const moment = tryToParseDateTime(new Date(time).toISOString()).setZone(timeZone);
	if (moment.isValid) return moment;
	const problem = `n8n does not know the time zone "${quotable(timeZone)}"`;
	throw invalid(
		displayName,
		problem,
		'Choose a time zone in the settings of the workflow, or correct GENERIC_TIMEZONE in the environment of n8n.',
	);
}

/** Returns a moment as messages name it, such as "Thursday, 24 December, 18:00 (Europe/Berlin)", with the year if it is far away. */
export function formatMoment(moment: Moment): string {
	const year = Math.abs(moment.diffNow('months').months) < 10 ? '' : ' yyyy';
	return moment.toFormat(`cccc, d MMMM${year}, HH:mm (z)`, { locale: 'en' });
}

function toText(value: unknown): string {
	// E-mail folds lines, and some hyphens do not break a line.
	if (typeof value === 'string')
		return (
			trimmed(value)
				.replace(/\s+/g, ' ')
				.replace(/[\u2010-\u2015\u2212]/g, '-')
				// As people in East Asia and Hungary write dates. Years of other calendars are not those of this century.
				.replace(/^(20\d\d)([/.]) ?(\d{1,2})\2 ?(\d{1,2})\.?(?=$|[T ])/, '$1-$3-$4')
				// The name of a zone and a calendar after the offset (RFC 9557).
				.replace(/(Z|[+-][\d:]+)(?:\[[^[\]]*\])+$/i, '$1')
		);
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
