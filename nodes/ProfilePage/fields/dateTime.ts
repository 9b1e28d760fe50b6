import { tryToParseDateTime } from 'n8n-workflow';

import { checkVisible, invalid } from '../shared/failure';
import { asText, isObject, quotable, trimmed } from '../shared/values';

/** Spreadsheets write an hour of one digit. */
const TIME = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?`;
/** The offsets in use reach 14 hours. */
const OFFSET = String.raw`(?:Z|[+-](?:0\d|1[0-3])(?::?[0-5]\d)?|[+-]14(?::?00)?)`;
const ISO = String.raw`(?<day>\d{4}-\d\d-\d\d)(?:[T ]${TIME}(?:(?<=:\d\d:\d\d)[.,]\d{1,9})?(?: ?${OFFSET})?)?`;

/** Of the names of zones, Luxon reads these. */
const ZONE = String.raw`(?:GMT|[ECMP][SD]T|[+-](?:(?:0\d|1[0-3])[0-5]\d|1400))`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const RFC_2822 = String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(?<dayOfMail>\d{1,2} ${MONTH} \d{4}) ${TIME} ${ZONE}`;

/**
 * ISO 8601 and SQL, and the dates of e-mail and feeds: what Luxon itself reads. n8n's parser gives everything else to
 * `Date.parse`, which takes it in the time zone of the server, and 05.06.2026 for a day in May.
 */
const FORM = new RegExp(`^(?:${ISO}|${RFC_2822})$`);

const ADVICE =
	"Write it as 2026-12-24 18:00, or 2026-12-24T18:00:00+01:00. To read another form, use an expression, such as {{ DateTime.fromFormat($json.date, 'dd.MM.yyyy HH:mm') }}, and for a number of milliseconds {{ DateTime.fromMillis($json.time) }}.";

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
	checkZone(timeZone, displayName);
	const text = toText(value);
	checkVisible(text, displayName);
	const quote = text ? `"${quotable(text)}"` : 'the value';
	const { day, dayOfMail } = FORM.exec(text)?.groups ?? {};
	const date = day ?? dayOfMail;
	if (date === undefined) throw invalid(displayName, `${quote} is not a date and time`, ADVICE);
	if (!exists(date)) throw invalid(displayName, `there is no such day in ${quote}`, ADVICE);
	return tryToParseDateTime(toReadable(text), timeZone).setZone(timeZone).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
}

/** Returns a date as Luxon reads it. The name of the day says nothing new, and may be wrong. */
function toReadable(text: string): string {
	const padded = text.replace(/([T ])(\d:)/, '$10$2');
	return padded.replace(/^[A-Z][a-z]{2}, |(?<=^\d{4}-.{1,30}) (?=[Z+-])/, '');
}

/** Whether there is a day, such as "2026-02-30" or "30 Feb 2026": parsers turn that into a day of March. */
function exists(day: string): boolean {
	const date = new Date(`${day} 00:00 GMT`);
	return date.getUTCDate() === Number(/^\d{1,2}(?!\d)|\d\d$/.exec(day)?.[0]);
}

/** Throws Failure if n8n does not know a time zone. */
function checkZone(timeZone: string, displayName: string): void {
	if (tryToParseDateTime(new Date()).setZone(timeZone).isValid) return;
	const problem = `n8n does not know the time zone "${quotable(timeZone)}"`;
	const advice =
		'Choose a time zone in the settings of the workflow, or correct GENERIC_TIMEZONE in the environment of n8n.';
	throw invalid(displayName, problem, advice);
}

/** Returns a text, also of a date. Not `instanceof`: expressions may return dates of another realm. */
function toText(value: unknown): string {
	if (typeof value === 'string') return trimmed(value);
	return isObject(value) && typeof value.toJSON === 'function' ? asText(Reflect.apply(value.toJSON, value, [])) : '';
}
