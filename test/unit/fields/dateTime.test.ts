import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';

import { readDateTime } from '../../../nodes/ProfilePage/fields/dateTime';

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

test.each([
	['words', 'next week', '"next week" is not a date and time'],
	['a day that does not exist', '2026-02-30', '"2026-02-30" is not a date'],
	['a day that does not exist, in an email', '31 Feb 2026 10:00:00 +0000', 'is not a date'],
	['a month that does not exist', '2026-13-01', 'is not a date'],
	['midnight as 24:00', '2026-12-24T24:00:00', 'is not a date'],
	['a date of an email without a zone', '24 Dec 2026 18:00:00', 'is not a date'],
	['days and months as numbers', '12/24/2026', 'is not a date'],
	['milliseconds', 1_798_156_800_000, 'the value is not a date'],
	['an empty text', '', 'the value is not a date'],
	['nothing', undefined, 'the value is not a date'],
	['a list', ['2026-12-24'], 'the value is not a date'],
	['an object', { date: '2026-12-24' }, 'the value is not a date'],
	['an invalid date of JavaScript', new Date('x'), 'the value is not a date'],
	['a time of the clock of twelve hours', '24 Dec 2026 06:00 PM', 'is not a date'],
	['an unknown zone name', '24 Dec 2026 18:00:00 XYZ', 'is not a date'],
	['an unknown month name', '24 Xyz 2026 18:00:00 GMT', 'is not a date'],
	['a year of five digits in the time zone', '9999-12-31T23:59:59-05:00', 'is not a date'],
	['a year before the first in the time zone', '0000-01-01T00:00:00+14:00', 'is not a date'],
	[
		'an offset beyond 14 hours',
		'2026-12-24T18:00:00+14:30',
		'the offset of "2026-12-24T18:00:00+14:30" is not between -14:00 and +14:00',
	],
	['an offset of an email', '24 Dec 2026 18:00:00 +2400', 'is not between -14:00 and +14:00'],
	['an offset of 75 minutes', '2026-12-24T18:00:00+05:75', 'is not between -14:00 and +14:00'],
	['a duration of Luxon', Duration.fromObject({ days: 1 }), 'the value is not a date'],
])('readDateTime rejects %s', (_what, value, words) => {
	expect(() => read(value)).toThrow(/^Public From: /);
	expect(() => read(value)).toThrow(words);
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

test('readDateTime rejects any other text', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			expect(() => read(text)).toThrow('Public From: ');
		}),
	);
});
