import fc from 'fast-check';
import { DateTime } from 'luxon';

import { readDateTime } from '../../nodes/ProfilePage/fields/readDateTime';

const read = (value: unknown, timeZone = 'Europe/Berlin') =>
	readDateTime(value, timeZone, 'Schedule From').text;

const ZONES = [
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kolkata',
	'Asia/Kathmandu',
	'Pacific/Apia',
	'America/St_Johns',
	'Australia/Lord_Howe',
];
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

const moments = fc
	.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
	.map((date) => Math.floor(date.getTime() / 1000));
const zones = fc.constantFrom(...ZONES);

test.each([
	['the date field', '2026-12-24T18:00:00', '2026-12-24T18:00:00+01:00'],
	['the date field in summer', '2026-07-01T18:00:00', '2026-07-01T18:00:00+02:00'],
	['a date with an offset', '2026-12-24T18:00:00-05:00', '2026-12-24T18:00:00-05:00'],
	['a date with a short offset', '2026-12-24T18:00:00+0530', '2026-12-24T18:00:00+05:30'],
	['a date with an offset in hours', '2026-12-24T18:00:00-05', '2026-12-24T18:00:00-05:00'],
	['a date in UTC', '2026-12-24T18:00:00Z', '2026-12-24T18:00:00+00:00'],
	['a date with a fraction', '2026-12-24T18:00:00.999Z', '2026-12-24T18:00:00+00:00'],
	['a date with a fraction after a comma', '2026-12-24T18:00:00,5', '2026-12-24T18:00:00+01:00'],
	['a date without seconds', '2026-12-24T18:00', '2026-12-24T18:00:00+01:00'],
	['a date without a time', '2026-12-24', '2026-12-24T00:00:00+01:00'],
	['a date of a database', '2026-12-24 18:00:00', '2026-12-24T18:00:00+01:00'],
	['a date of a database, with an offset', '2026-12-24 18:00:00+02', '2026-12-24T18:00:00+02:00'],
	['a date of a feed', 'Thu, 24 Dec 2026 18:00:00 GMT', '2026-12-24T18:00:00+00:00'],
	['a date of an e-mail', '4 Dec 2026 18:00:00 +0100', '2026-12-04T18:00:00+01:00'],
	['a date between white space', ' 2026-12-24T18:00:00\n', '2026-12-24T18:00:00+01:00'],
	['a time that the clock skips', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00'],
])('takes %s', (_what, value, text) => {
	expect(read(value)).toBe(text);
});

test.each([
	['a leap day that there is', '2028-02-29', '2028-02-29T00:00:00+01:00'],
	['a date of JavaScript', new Date('2026-12-24T18:00:00.5Z'), '2026-12-24T18:00:00+00:00'],
	[
		'a date of Luxon',
		DateTime.fromISO('2026-12-24T18:00:00.5', { zone: 'Asia/Tokyo' }),
		'2026-12-24T18:00:00+09:00',
	],
	[
		'a date of Luxon in another language',
		DateTime.fromISO('2026-12-24T18:00:00Z', { zone: 'utc', locale: 'ar-EG' }),
		'2026-12-24T18:00:00+00:00',
	],
])('takes %s', (_what, value, text) => {
	expect(read(value)).toBe(text);
});

test.each([
	['words', 'next week', '"next week" is not a date and a time. Give one such as'],
	['a day that there is not', '2026-02-30', '"2026-02-30" is not a date'],
	['a day that there is not, with a time', '2026-02-30T10:00:00', 'is not a date'],
	['a day that there is not, of an e-mail', '31 Feb 2026 10:00:00 +0000', 'is not a date'],
	['no leap day', '2026-02-29', 'is not a date'],
	['a month that there is not', '2026-13-01', 'is not a date'],
	['an hour that there is not', '2026-12-24T25:00:00', 'is not a date'],
	['midnight as 24:00', '2026-12-24T24:00:00', 'is not a date'],
	['a date of an e-mail without a zone', '24 Dec 2026 18:00:00', 'is not a date'],
	['days and months as numbers', '12/24/2026', 'is not a date'],
	['a year alone', '2026', 'is not a date'],
	['a time alone', '18:00', 'is not a date'],
	['a week', '2026-W52', 'is not a date'],
	['milliseconds', 1_798_156_800_000, 'it is not a date'],
	['milliseconds as a text', '1798156800000', 'is not a date'],
	['days of a spreadsheet', 46_380, 'it is not a date'],
	['an empty text', '', 'it is not a date'],
	['nothing', undefined, 'it is not a date'],
	['null', null, 'it is not a date'],
	['a list', ['2026-12-24'], 'it is not a date'],
	['an object', { date: '2026-12-24' }, 'it is not a date'],
	['a date of JavaScript that is none', new Date('x'), 'it is not a date'],
	['a date of Luxon that is none', DateTime.fromISO('x'), 'it is not a date'],
	['a long text', 'x'.repeat(500), `"${'x'.repeat(100)}…" is not a date`],
])('refuses %s', (_what, value, words) => {
	expect(() => read(value)).toThrow(/^Schedule From: /);
	expect(() => read(value)).toThrow(words);
});

test('a date of any form is the same moment, with an explicit offset and no fraction', () => {
	fc.assert(
		fc.property(moments, zones, zones, fc.nat(999), (seconds, zone, timeZone, milliseconds) => {
			const date = DateTime.fromSeconds(seconds, { zone }).set({ millisecond: milliseconds });
			const forms = [
				date,
				date.toJSDate(),
				date.toISO(),
				date.toUTC().toISO(),
				date.toRFC2822(),
				date.toHTTP(),
				date.toSQL(),
			];
			for (const form of forms) {
				const moment = readDateTime(form, timeZone, 'Schedule From');
				expect(moment.text).toMatch(RFC3339);
				expect(moment.seconds).toBe(seconds);
				expect(Date.parse(moment.text)).toBe(seconds * 1000);
			}
		}),
	);
});

test('a date without an offset is what the clocks of the time zone show', () => {
	fc.assert(
		fc.property(moments, zones, (seconds, timeZone) => {
			const shown = DateTime.fromSeconds(seconds, { zone: timeZone }).toFormat(
				"yyyy-MM-dd'T'HH:mm:ss",
			);
			const { text } = readDateTime(shown, timeZone, 'Schedule From');
			expect(text.slice(0, shown.length)).toBe(shown);
			const again = DateTime.fromISO(text).setZone(timeZone);
			expect(again.toFormat("yyyy-MM-dd'T'HH:mm:ss")).toBe(shown);
		}),
	);
});

test('any other text is refused', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			expect(() => read(text)).toThrow('Schedule From: ');
		}),
	);
});
