import { tryToParseDateTime } from 'n8n-workflow';

import { checkVisible, invalid } from '../shared/failure';
import { asText, isObject, quotable, trimmed } from '../shared/values';

/**
 * ISO 8601, and SQL, which has spaces in it. Spreadsheets write an hour of one digit. n8n's parser gives everything else to
 * `Date.parse`, which takes it in the time zone of the server, and 05.06.2026 for a day in May.
 */
const FORM =
	/^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<hour>[01]?\d|2[0-3])(?<rest>:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?) ?(?<offset>Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/;

const ADVICE =
	"Write it as 2026-12-24 18:00, or 2026-12-24T18:00:00+01:00. To read another form, use an expression, such as {{ DateTime.fromFormat($json.date, 'dd.MM.yyyy HH:mm') }}, for a date of a feed or an e-mail {{ new Date($json.pubDate) }}, for a number of a spreadsheet, such as 46380.75, {{ DateTime.fromISO('1899-12-30').plus({ days: $json.days }) }}, and for milliseconds {{ DateTime.fromMillis($json.time) }}.";

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
	const parts = FORM.exec(text)?.groups;
	if (!parts) throw invalid(displayName, `${quote} is not a date and time`, ADVICE);
	const { day = '', hour = '0', rest = ':00', offset = '' } = parts;
	if (!exists(day)) throw invalid(displayName, `there is no such day in ${quote}`, ADVICE);
	const date = tryToParseDateTime(`${day}T${hour.padStart(2, '0')}${rest}${offset}`, timeZone);
	return date.setZone(timeZone).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
}

/** Whether there is a day, such as "2026-02-30": parsers turn that into a day of March. */
function exists(day: string): boolean {
	return new Date(`${day} 00:00 GMT`).getUTCDate() === Number(day.slice(-2));
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
