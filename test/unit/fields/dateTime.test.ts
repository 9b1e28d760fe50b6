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
	['a date of a feed with a zone name', '4 Dec 2026 18:00 EST', '2026-12-05T00:00:00+01:00'],
	['an hour of one digit', '2026-12-24 9:00', '2026-12-24T09:00:00+01:00'],
	['an hour of one digit, after a T', '2026-12-24T9:00', '2026-12-24T09:00:00+01:00'],
	['an hour of one digit, with seconds', '2026-12-24 9:00:00', '2026-12-24T09:00:00+01:00'],
	['an hour of one digit, with an offset', '2026-12-24 9:00:00.5 -05:00', '2026-12-24T15:00:00+01:00'],
	['an email with an hour of one digit', 'Thu, 24 Dec 2026 9:00:00 GMT', '2026-12-24T10:00:00+01:00'],
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

const ADVICE =
	"Write it as 2026-12-24 18:00, or 2026-12-24T18:00:00+01:00. To read another form, use an expression, such as {{ DateTime.fromFormat($json.date, 'dd.MM.yyyy HH:mm') }}, and for a number of milliseconds {{ DateTime.fromMillis($json.time) }}.";

const NO_DATE = [
	// Dates in the forms of spreadsheets, e-mail, calendars, and other countries, which an expression can read
	'2026-12-24t18:00:00z',
	'2026-2-4 9:00',
	'2026-12-24 9:00 AM',
	'2026-12-24 9:00:30pm',
	'2026-12-24 09:00 p.m.',
	'2026-12-24 12:30 AM',
	'2026-12-24 12:30 PM',
	'2026-12-24 6:00 PM +00:00',
	'2026-12-24 18:00:00 UTC',
	'Thu, 24 Dec 2026 18:00:00 +0100 (CET)',
	'24 Dec 2026 18:00 +0100 (CET)(winter)',
	'Thu,  4 Dec 2026  18:00:00 +0100',
	'Thu, 24 Dec 2026\r\n\t18:00:00 +0100',
	'Thu,24 Dec 2026 18:00 GMT',
	'24 Dec 2026 18:00:00 +02:00',
	'24 Dec 49 18:00 GMT',
	'24 Dec 50 18:00 GMT',
	'20261224T180000Z',
	'20261224T180000',
	'20261224',
	'2026-12-24T18:00-05:00[America/New_York]',
	'2026-12-24T18:00:00Z[UTC][u-ca=iso8601]',
	'2026–12–24 18:00 −05:00',
	'2026/7/1 18:00',
	'2026/12/24',
	'2026. 7. 1. 18:00',
	'2026.12.24.',
	'2026-12-31 24:00',
	'2026-12-24T24:00:00-05:00',
	'Thu Dec 24 2026 18:00:00 GMT-0500 (Eastern Standard Time)',
	'Thu Dec 24 2026 18:00:00 GMT+0000',
	// Neither a date nor a time
	'next week',
	'12/24/2026',
	'24.12.2026 9:00',
	'05.06.2026',
	'2026-2-3',
	'24 Dec 2026 18:00',
	'18:00',
	'1405/10/03',
	'2026.12',
	'1405.10.03',
	'2026-12-24T24:01',
	'2026-12-24 9:60',
	'2026-12-24 13:00 PM',
	'24 Dec 2026 18:00 CET',
	'24 Xyz 2026 18:00 GMT',
	'31 Feb 26 10:00 GMT',
	'2026-12-24 18:00 (UTC)',
	'2026-12-24T18:00[Asia/Tokyo]',
	'1798156800',
	'2026-12-24T18:00:00+14:30',
	'24 Dec 2026 18:00:00 +2400',
	'2026-12-24T18:00:00+05:75',
];

test.each(NO_DATE)('readDateTime rejects %j, shows it, and says how to read it', (text) => {
	expect(failureOf(() => read(text))).toMatchObject({
		problem: `Public From: "${text}" is not a date and time`,
		advice: ADVICE,
	});
});

test.each(['2026-24-12', '2026-02-30', '2026-13-01', '2026-00-10', '2027-02-29', '31 Feb 2026 10:00 GMT'])(
	'readDateTime rejects %s, a day that does not exist',
	(text) => {
		expect(failureOf(() => read(text))).toMatchObject({ problem: `Public From: there is no such day in "${text}"` });
	},
);

test.each<[what: string, value: unknown]>([
	['a day of a calendar file that is a number', 20261224],
	['milliseconds', 1_798_156_800_000],
	['an empty text', ''],
	['nothing', undefined],
	['a list', ['2026-12-24']],
	['an object', { date: '2026-12-24' }],
	['an invalid date of JavaScript', new Date('x')],
	['a duration of Luxon', Duration.fromObject({ days: 1 })],
])('readDateTime rejects %s', (_what, value) => {
	expect(failureOf(() => read(value))).toMatchObject({
		problem: 'Public From: the value is not a date and time',
		advice: ADVICE,
	});
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
				date.toFormat('yyyy-MM-dd H:mm:ss ZZ'),
				date.toFormat('d MMM yyyy H:mm:ss ZZZ', { locale: 'en' }),
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
