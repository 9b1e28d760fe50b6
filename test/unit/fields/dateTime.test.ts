import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';

import { readDateTime } from '../../../nodes/ProfilePage/fields/dateTime';
import { failureOf } from '../../support/failureOf';

const read = (value: unknown, timeZone = 'Europe/Berlin') => readDateTime(value, 'Public From', timeZone);

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
const WALL_TIME = "yyyy-MM-dd'T'HH:mm:ss";

const moments = fc
	.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
	.map((date) => Math.floor(date.getTime() / 1000));
const zones = fc.constantFrom(...ZONES);

test.each([
	['the date field', '2026-12-24T18:00:00', '2026-12-24T18:00:00+01:00'],
	['the date field in summer', '2026-07-01T18:00:00', '2026-07-01T18:00:00+02:00'],
	['a date with an offset', '2026-12-24T18:00:00-05:00', '2026-12-25T00:00:00+01:00'],
	['a date with an offset in hours', '2026-12-24T18:00:00-05', '2026-12-25T00:00:00+01:00'],
	['a date in UTC', '2026-12-24T18:00:00Z', '2026-12-24T19:00:00+01:00'],
	['a date with a fraction after a comma', '2026-12-24T18:00:00,5', '2026-12-24T18:00:00+01:00'],
	['a date without seconds', '2026-12-24T18:00', '2026-12-24T18:00:00+01:00'],
	['a date without a time', '2026-12-24', '2026-12-24T00:00:00+01:00'],
	['a date of a database, with an offset', '2026-12-24 18:00:00+02', '2026-12-24T17:00:00+01:00'],
	['a date of a feed', 'Thu, 24 Dec 2026 18:00:00 GMT', '2026-12-24T19:00:00+01:00'],
	['a date of an email', '4 Dec 2026 18:00:00 +0100', '2026-12-04T18:00:00+01:00'],
	['a date between white space', ' 2026-12-24T18:00:00\n', '2026-12-24T18:00:00+01:00'],
	['a date in lower case', '2026-12-24t18:00:00z', '2026-12-24T19:00:00+01:00'],
	['a date of a feed with a zone name', '4 Dec 2026 18:00 EST', '2026-12-05T00:00:00+01:00'],
	['an hour of one digit', '2026-12-24 9:00', '2026-12-24T09:00:00+01:00'],
	['an hour of one digit, after a T', '2026-12-24T9:00', '2026-12-24T09:00:00+01:00'],
	['an hour of one digit, with seconds', '2026-12-24 9:00:00', '2026-12-24T09:00:00+01:00'],
	['an hour of one digit, with an offset', '2026-12-24 9:00:00.5 -05:00', '2026-12-24T15:00:00+01:00'],
	['a month and a day of one digit', '2026-2-4 9:00', '2026-02-04T09:00:00+01:00'],
	['a time before noon', '2026-12-24 9:00 AM', '2026-12-24T09:00:00+01:00'],
	['a time after noon', '2026-12-24 9:00:30pm', '2026-12-24T21:00:30+01:00'],
	['a time after noon with dots', '2026-12-24 09:00 p.m.', '2026-12-24T21:00:00+01:00'],
	['half an hour after midnight', '2026-12-24 12:30 AM', '2026-12-24T00:30:00+01:00'],
	['half an hour after noon', '2026-12-24 12:30 PM', '2026-12-24T12:30:00+01:00'],
	['a time after noon with an offset', '2026-12-24 6:00 PM +00:00', '2026-12-24T19:00:00+01:00'],
	['a date of a database in UTC', '2026-12-24 18:00:00 UTC', '2026-12-24T19:00:00+01:00'],
	['a comment', 'Thu, 24 Dec 2026 18:00:00 +0100 (CET)', '2026-12-24T18:00:00+01:00'],
	['several comments', '24 Dec 2026 18:00 +0100 (CET)(winter)', '2026-12-24T18:00:00+01:00'],
	['two spaces', 'Thu,  4 Dec 2026  18:00:00 +0100', '2026-12-04T18:00:00+01:00'],
	['a line that is folded', 'Thu, 24 Dec 2026\r\n\t18:00:00 +0100', '2026-12-24T18:00:00+01:00'],
	['an email with an hour of one digit', 'Thu, 24 Dec 2026 9:00:00 GMT', '2026-12-24T10:00:00+01:00'],
	['an email without a space after the weekday', 'Thu,24 Dec 2026 18:00 GMT', '2026-12-24T19:00:00+01:00'],
	['an email with a colon in the offset', '24 Dec 2026 18:00:00 +02:00', '2026-12-24T17:00:00+01:00'],
	['a year of two digits', '24 Dec 49 18:00 GMT', '2049-12-24T19:00:00+01:00'],
	['a year of two digits before 2000', '24 Dec 50 18:00 GMT', '1950-12-24T19:00:00+01:00'],
	[
		'a date of JavaScript as text',
		'Thu Dec 24 2026 18:00:00 GMT-0500 (Eastern Standard Time)',
		'2026-12-25T00:00:00+01:00',
	],
	['a date of JavaScript as text, in UTC', 'Thu Dec 24 2026 18:00:00 GMT+0000', '2026-12-24T19:00:00+01:00'],
	['a date of a calendar file', '20261224T180000Z', '2026-12-24T19:00:00+01:00'],
	['a local date of a calendar file', '20261224T180000', '2026-12-24T18:00:00+01:00'],
	['a day of a calendar file', '20261224', '2026-12-24T00:00:00+01:00'],
	[
		'a date with its time zone after the offset',
		'2026-12-24T18:00-05:00[America/New_York]',
		'2026-12-25T00:00:00+01:00',
	],
	['a date in UTC with a time zone', '2026-12-24T18:00:00Z[UTC][u-ca=iso8601]', '2026-12-24T19:00:00+01:00'],
	['a date with dashes and a minus sign', '2026–12–24 18:00 −05:00', '2026-12-25T00:00:00+01:00'],
	['a date with slashes, as spreadsheets write it in East Asia', '2026/7/1 18:00', '2026-07-01T18:00:00+02:00'],
	['a day with slashes', '2026/12/24', '2026-12-24T00:00:00+01:00'],
	['a date with dots, as people write it in Hungary and Korea', '2026. 7. 1. 18:00', '2026-07-01T18:00:00+02:00'],
	['a day with dots', '2026.12.24.', '2026-12-24T00:00:00+01:00'],
	['the end of a day', '2026-12-31 24:00', '2027-01-01T00:00:00+01:00'],
	['the end of a day, with an offset', '2026-12-24T24:00:00-05:00', '2026-12-25T06:00:00+01:00'],
	['the largest offset', '2026-12-24T18:00:00+14:00', '2026-12-24T05:00:00+01:00'],
	['a time that the clock skips', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00'],
	[
		'the second of two times that the clock shows, by its offset',
		'2026-10-25T02:30:00+01:00',
		'2026-10-25T02:30:00+01:00',
	],
])('readDateTime accepts %s', (_what, value, text) => {
	expect(read(value)).toBe(text);
});

test.each([
	['February 29 of a leap year', '2028-02-29', '2028-02-29T00:00:00+01:00'],
	['a date of Luxon', DateTime.fromISO('2026-12-24T18:00:00.5', { zone: 'Asia/Tokyo' }), '2026-12-24T10:00:00+01:00'],
])('readDateTime accepts %s', (_what, value, text) => {
	expect(read(value)).toBe(text);
});

const ORDER = 'Write year, month, day, and time in this order, such as 2026-12-24 18:00.';
const OFFSET = 'Write an offset such as +01:00, or only year, month, day, and time for the time zone of the workflow.';

test.each<[what: string, value: unknown, problem: string, advice?: string]>([
	['words', 'next week', '"next week" is not a date and time'],
	['days and months as numbers', '12/24/2026', '"12/24/2026" does not start with the year'],
	['days and months as numbers, with a time', '24.12.2026 9:00', '"24.12.2026 9:00" does not start with the year'],
	['a date of the Persian calendar', '1405/10/03', '"1405/10/03" is not a date and time'],
	['the day before the month', '2026-24-12', 'there is no such day in "2026-24-12"'],
	['a day that does not exist', '2026-02-30', 'there is no such day in "2026-02-30"'],
	['a day that does not exist, in an email', '31 Feb 26 10:00 GMT', 'there is no such day in "31 Feb 26 10:00 GMT"'],
	['a month that does not exist', '2026-13-01', 'there is no such day in "2026-13-01"'],
	['an unknown month name', '24 Xyz 2026 18:00 GMT', 'there is no such day in "24 Xyz 2026 18:00 GMT"'],
	['a minute after the end of a day', '2026-12-24T24:01', 'there is no such time in "2026-12-24T24:01"'],
	['a decimal number', '2026.12', '"2026.12" is not a date and time'],
	['a date of the Persian calendar, with dots', '1405.10.03', '"1405.10.03" is not a date and time'],
	['a minute that does not exist', '2026-12-24 9:60', 'there is no such time in "2026-12-24 9:60"'],
	['13 hours after noon', '2026-12-24 13:00 PM', 'there is no such time in "2026-12-24 13:00 PM"'],
	['0 hours before noon', '2026-12-24 0:30 AM', 'there is no such time in "2026-12-24 0:30 AM"'],
	['an email without a zone', '24 Dec 2026 18:00', '"24 Dec 2026 18:00" has no time zone', OFFSET],
	['a zone name', '24 Dec 2026 18:00 CET', 'the time zone of "24 Dec 2026 18:00 CET" is unknown', OFFSET],
	['a comment in place of a zone', '2026-12-24 18:00 (UTC)', '"2026-12-24 18:00 (UTC)" is not a date and time'],
	[
		'only the name of a time zone',
		'2026-12-24T18:00[Asia/Tokyo]',
		'"2026-12-24T18:00[Asia/Tokyo]" is not a date and time',
	],
	['a day of a calendar file that does not exist', '20260230', 'there is no such day in "20260230"'],
	['a day of a calendar file that is a number', 20261224, 'the value is a number, not a date and time'],
	['seconds since 1970', '1798156800', '"1798156800" is not a date and time'],
	['milliseconds', 1_798_156_800_000, 'the value is a number, not a date and time'],
	['an empty text', '', 'the value is not a date and time'],
	['nothing', undefined, 'the value is not a date and time'],
	['a list', ['2026-12-24'], 'the value is not a date and time'],
	['an object', { date: '2026-12-24' }, 'the value is not a date and time'],
	['an invalid date of JavaScript', new Date('x'), 'the value is not a date and time'],
	['a duration of Luxon', Duration.fromObject({ days: 1 }), 'the value is not a date and time'],
	...['2026-12-24T18:00:00+14:30', '24 Dec 2026 18:00:00 +2400', '2026-12-24T18:00:00+05:75'].map(
		(text) => [`the offset of ${text}`, text, `the time zone of "${text}" is unknown`, OFFSET] as never,
	),
])('readDateTime rejects %s, and says what is wrong', (_what, value, problem, advice = ORDER) => {
	expect(failureOf(() => read(value))).toMatchObject({ problem: `Public From: ${problem}`, advice });
});

test('readDateTime turns a local time that the clock skips into the one it skips to', () => {
	expect(read('2025-03-29T23:30:00', 'America/Nuuk')).toBe('2025-03-30T00:30:00-01:00');
	expect(read('2011-12-30T12:00:00', 'Pacific/Apia')).toBe('2011-12-31T12:00:00+14:00');
});

test('readDateTime returns the same time for every form of a date, in the time zone of the workflow', () => {
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
				date.toFormat('yyyy-MM-dd h:mm:ss a ZZ'),
				date.toFormat("ccc,  d MMM yyyy H:mm:ss ZZZ '(winter)'"),
				date.toFormat("ccc MMM dd yyyy HH:mm:ss 'GMT'ZZZ '(Some Time)'", { locale: 'en' }),
				date.year >= 2000 && date.year < 2050 ? date.toFormat('dd MMM yy H:mm:ss ZZZ') : date,
			];
			const shown = DateTime.fromSeconds(seconds, { zone: timeZone });
			for (const form of forms) {
				const text = read(form, timeZone);
				expect(text).toBe(shown.toFormat(`${WALL_TIME}ZZ`));
				expect(Date.parse(text)).toBe(seconds * 1000);
			}
		}),
	);
});

test('readDateTime reads a date without an offset in the time zone of the workflow', () => {
	fc.assert(
		fc.property(moments, zones, (seconds, timeZone) => {
			const shown = DateTime.fromSeconds(seconds, { zone: timeZone }).toFormat(WALL_TIME);
			const text = read(shown, timeZone);
			expect(text.slice(0, shown.length)).toBe(shown);
			expect(DateTime.fromISO(text).setZone(timeZone).toFormat(WALL_TIME)).toBe(shown);
		}),
	);
});

test('readDateTime names a time zone that n8n does not know', () => {
	const problem = 'Public From: n8n does not know the time zone "Mars/Phobos"';
	for (const value of ['2026-12-24 18:00Z', new Date()]) {
		expect(failureOf(() => read(value, 'Mars/Phobos'))).toMatchObject({ problem });
	}
});

test('readDateTime rejects any other text', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			expect(() => read(text)).toThrow('Public From: ');
		}),
	);
});

test.each(['Foo/Bar', '"Europe/Berlin"', 'GMT+5'])(
	'A date says that n8n does not know the time zone %s',
	(timeZone) => {
		for (const value of ['2026-12-24 18:00', DateTime.now(), '2026-12-24T18:00:00Z']) {
			expect(failureOf(() => read(value, timeZone))).toMatchObject({
				problem: `Public From: n8n does not know the time zone "${timeZone}"`,
				advice:
					'Choose a time zone in the settings of the workflow, or correct GENERIC_TIMEZONE in the environment of n8n.',
			});
		}
	},
);
