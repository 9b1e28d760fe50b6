import fc from 'fast-check';
import { DateTime, Duration, FixedOffsetZone, Settings } from 'luxon';

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
const WALL_TIME = "yyyy-MM-dd'T'HH:mm:ss";
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

const moments = fc
	.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
	.map((date) => Math.floor(date.getTime() / 1000));
const zones = fc.constantFrom(...ZONES);

test.each([
	['the date field', '2026-12-24T18:00:00', '2026-12-24T18:00:00+01:00'],
	['the date field in summer', '2026-07-01T18:00:00', '2026-07-01T18:00:00+02:00'],
	['a date with an offset', '2026-12-24T18:00:00-05:00', '2026-12-25T00:00:00+01:00'],
	['a date with a short offset', '2026-12-24T18:00:00+0530', '2026-12-24T13:30:00+01:00'],
	['a date with an offset in hours', '2026-12-24T18:00:00-05', '2026-12-25T00:00:00+01:00'],
	['a date in UTC', '2026-12-24T18:00:00Z', '2026-12-24T19:00:00+01:00'],
	['a date with a fraction', '2026-12-24T18:00:00.999Z', '2026-12-24T19:00:00+01:00'],
	['a date with a fraction after a comma', '2026-12-24T18:00:00,5', '2026-12-24T18:00:00+01:00'],
	['a date without seconds', '2026-12-24T18:00', '2026-12-24T18:00:00+01:00'],
	['a date without a time', '2026-12-24', '2026-12-24T00:00:00+01:00'],
	['a date of a database', '2026-12-24 18:00:00', '2026-12-24T18:00:00+01:00'],
	['a date of a database, with an offset', '2026-12-24 18:00:00+02', '2026-12-24T17:00:00+01:00'],
	['a date of a feed', 'Thu, 24 Dec 2026 18:00:00 GMT', '2026-12-24T19:00:00+01:00'],
	['a date of an e-mail', '4 Dec 2026 18:00:00 +0100', '2026-12-04T18:00:00+01:00'],
	['a date between white space', ' 2026-12-24T18:00:00\n', '2026-12-24T18:00:00+01:00'],
	['a date in lower case', '2026-12-24t18:00:00z', '2026-12-24T19:00:00+01:00'],
	['a date of a feed in capitals', 'THU, 24 DEC 2026 00:30:00 +0100', '2026-12-24T00:30:00+01:00'],
	['a date of a feed with the name of a zone', '4 Dec 2026 18:00 EST', '2026-12-05T00:00:00+01:00'],
	['a date of a feed in "UTC"', 'Thu, 24 Dec 2026 18:00:00 UTC', '2026-12-24T19:00:00+01:00'],
	['the largest offset', '2026-12-24T18:00:00+14:00', '2026-12-24T05:00:00+01:00'],
	['the smallest offset', '2026-12-24T18:00:00-14:00', '2026-12-25T09:00:00+01:00'],
	['a time that the clock skips', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00'],
	['a time that the clock shows twice', '2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00'],
	['the second of these, by its offset', '2026-10-25T02:30:00+01:00', '2026-10-25T02:30:00+01:00'],
])('readDateTime accepts %s', (_what, value, text) => {
	expect(read(value)).toBe(text);
});

test.each([
	['a leap day that there is', '2028-02-29', '2028-02-29T00:00:00+01:00'],
	['a date of JavaScript', new Date('2026-12-24T18:00:00.5Z'), '2026-12-24T19:00:00+01:00'],
	[
		'a date of Luxon',
		DateTime.fromISO('2026-12-24T18:00:00.5', { zone: 'Asia/Tokyo' }),
		'2026-12-24T10:00:00+01:00',
	],
	[
		'a date of Luxon in another language',
		DateTime.fromISO('2026-12-24T18:00:00Z', { zone: 'utc', locale: 'ar-EG' }),
		'2026-12-24T19:00:00+01:00',
	],
])('readDateTime accepts %s', (_what, value, text) => {
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
	['a time of the clock of twelve hours', '24 Dec 2026 06:00 PM', 'is not a date'],
	['the name of a zone that stands for no offset', '24 Dec 2026 18:00:00 XYZ', 'is not a date'],
	['a month that has no name', '24 Xyz 2026 18:00:00 GMT', 'is not a date'],
	['a year of five digits in the time zone', '9999-12-31T23:59:59-05:00', 'is not a date'],
	['a year before the first in the time zone', '0000-01-01T00:00:00+14:00', 'is not a date'],
	[
		'an offset beyond 14 hours',
		'2026-12-24T18:00:00+14:30',
		'the offset of "2026-12-24T18:00:00+14:30" is not between -14:00 and +14:00. Correct it, or leave it out to use the time zone of the workflow.',
	],
	['an offset far behind UTC', '2026-12-24T18:00:00-15:00', 'is not between -14:00 and +14:00'],
	['an offset of an e-mail', '24 Dec 2026 18:00:00 +2400', 'is not between -14:00 and +14:00'],
	['an offset of 75 minutes', '2026-12-24T18:00:00+05:75', 'is not between -14:00 and +14:00'],
	['a duration of Luxon', Duration.fromObject({ days: 1 }), 'it is not a date'],
	['a long text', 'x'.repeat(500), `"${'x'.repeat(100)}…" is not a date`],
])('readDateTime rejects %s', (_what, value, words) => {
	expect(() => read(value)).toThrow(/^Schedule From: /);
	expect(() => read(value)).toThrow(words);
});

describe('a time that the clock shows twice', () => {
	afterEach(() => (Settings.now = () => Date.now()));

	test.each([
		['Europe/Berlin', '2026-10-25T02:30:00', '+02:00'],
		['America/New_York', '2026-11-01T01:30:00', '-04:00'],
		['Australia/Lord_Howe', '2026-04-05T01:45:00', '+11:00'],
		['Antarctica/Troll', '2026-10-25T01:30:00', '+02:00'],
		['America/Havana', '2026-11-01T00:00:00', '-04:00'],
		['Asia/Tokyo', '2026-11-01T00:00:00', '+09:00'],
	])('is the earlier one in %s, whatever the season of the run', (timeZone, text, offset) => {
		for (const season of ['2026-01-15', '2026-07-15', '2012-07-15', '2100-01-15']) {
			Settings.now = () => Date.parse(season);
			expect(read(text, timeZone)).toBe(text + offset);
		}
	});
});

test('a time that the clock skips becomes the one it skips to, also over midnight', () => {
	expect(read('2025-03-29T23:30:00', 'America/Nuuk')).toBe('2025-03-30T00:30:00-01:00');
	expect(read('2011-12-30T12:00:00', 'Pacific/Apia')).toBe('2011-12-31T12:00:00+14:00');
});

test('in UTC, the offset is written as +00:00', () => {
	expect(read('2026-12-24T18:00:00', 'UTC')).toBe('2026-12-24T18:00:00+00:00');
	expect(read('2026-12-24T18:00:00Z', 'UTC')).toBe('2026-12-24T18:00:00+00:00');
});

test('a date of any form is the same moment, as the clocks of the time zone show it', () => {
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
				const moment = readDateTime(form, timeZone, 'Schedule From');
				expect(moment).toEqual({ text: shown.toFormat(`${WALL_TIME}ZZ`), seconds });
				expect(Date.parse(moment.text)).toBe(seconds * 1000);
			}
		}),
	);
});

test('a moment with an offset is kept exactly, in any zone and any year', () => {
	const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
	const anyMoment = fc
		.date({ min: new Date('0000-01-03'), max: new Date('9999-12-29'), noInvalidDate: true })
		.map((date) => Math.floor(date.getTime() / 1000));
	const anyZone = fc.constantFrom(...ZONES, 'Africa/Monrovia', 'Europe/Amsterdam', 'Asia/Manila');
	fc.assert(
		fc.property(anyMoment, offsets, anyZone, (seconds, offset, timeZone) => {
			const given = DateTime.fromSeconds(seconds, { zone: FixedOffsetZone.instance(offset) });
			const moment = readDateTime(given.toISO(), timeZone, 'Schedule From');
			expect(moment.text).toMatch(RFC3339);
			expect(moment.seconds).toBe(seconds);
			expect(Date.parse(moment.text)).toBe(seconds * 1000);
		}),
		{ numRuns: 1000 },
	);
});

test('a date without an offset, of a time when the offset had seconds, is exact', () => {
	// Until 1972, Liberia was 44 minutes and 30 seconds behind UTC.
	expect(readDateTime('1970-01-01T12:00:00', 'Africa/Monrovia', 'Schedule From')).toEqual({
		text: '1970-01-01T12:00:30-00:44',
		seconds: 45_870,
	});
});

test('a date without an offset is what the clocks of the time zone show', () => {
	fc.assert(
		fc.property(moments, zones, (seconds, timeZone) => {
			const shown = DateTime.fromSeconds(seconds, { zone: timeZone }).toFormat(WALL_TIME);
			const { text } = readDateTime(shown, timeZone, 'Schedule From');
			expect(text.slice(0, shown.length)).toBe(shown);
			expect(DateTime.fromISO(text).setZone(timeZone).toFormat(WALL_TIME)).toBe(shown);
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
