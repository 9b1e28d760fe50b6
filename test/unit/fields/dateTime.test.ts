import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { DateTime, Duration, Settings } from 'luxon';

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
	['a date of the editor', '2026-12-24T18:00:00', '2026-12-24T18:00:00+01:00'],
	['a date with an offset', '2026-12-24T18:00:00-05:00', '2026-12-25T00:00:00+01:00'],
	['a date with a fraction after a comma', '2026-12-24T18:00:00,5', '2026-12-24T18:00:00+01:00'],
	['a date without a time', '2026-12-24', '2026-12-24T00:00:00+01:00'],
	['a date of a database, with an offset', '2026-12-24 18:00:00+02', '2026-12-24T17:00:00+01:00'],
	['a date between white space', ' 2026-12-24T18:00:00\n', '2026-12-24T18:00:00+01:00'],
	['an hour of one digit', '2026-12-24 9:00', '2026-12-24T09:00:00+01:00'],
	['the largest offset', '2026-12-24T18:00:00+14:00', '2026-12-24T05:00:00+01:00'],
	['a time that the clock skips', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00'],
	['February 29 of a leap year', '2028-02-29', '2028-02-29T00:00:00+01:00'],
	['a date of Luxon', DateTime.fromISO('2026-12-24T18:00:00.5', { zone: 'Asia/Tokyo' }), '2026-12-24T10:00:00+01:00'],
])('readDateTime accepts %s', (_what, value, text) => {
	expect(read(value)).toBe(text);
});

const ADVICE =
	"Write it as 2026-12-24 18:00, or 2026-12-24T18:00:00+01:00. To read another form, use an expression, such as {{ DateTime.fromFormat($json.date, 'dd.MM.yyyy HH:mm') }}, for a date of a feed or an e-mail {{ new Date($json.pubDate) }}, for a number of a spreadsheet, such as 46380.75, {{ DateTime.fromISO('1899-12-30').plus({ days: $json.days }) }}, and for milliseconds {{ DateTime.fromMillis($json.time) }}.";

test.each([
	['a month and a day of one digit', '2026-2-3'],
	['half an hour after midnight', '2026-12-24 0:30 AM'],
	['a time zone after the offset', '2026-12-24T18:00-05:00[America/New_York]'],
	['dashes and a minus sign', '2026–12–24 18:00 −05:00'],
	['a date of a feed', 'Thu, 24 Dec 2026 18:00:00 GMT'],
	['a date of a calendar file', '20261224T180000Z'],
	['a date with dots', '24.12.2026 9:00'],
	['a day with dots, which n8n would read as one in May', '05.06.2026'],
	['the end of a day', '2026-12-31 24:00'],
	['a time alone, which n8n would read as today', '18:00'],
	['words', 'next week'],
	['seconds since 1970 as text', '1798156800'],
	['an offset that nobody uses', '2026-12-24T18:00:00+15:00'],
	['a duration of Luxon', Duration.fromObject({ days: 1 })],
])('readDateTime refuses %s, shows the value, and says how to read it', (_what, value) => {
	const problem = `Public From: "${String(value)}" is not a date and time`;
	expect(failureOf(() => read(value))).toMatchObject({ problem, advice: ADVICE });
});

test.each<[problem: string, value: unknown]>([
	['there is no such day in "2026-24-12"', '2026-24-12'],
	['there is no such day in "2027-02-29"', '2027-02-29'],
	['there is no such day in "2026-00-10"', '2026-00-10'],
	['the value is not a date and time', 1_798_156_800_000],
	['the value is not a date and time', ''],
	['the value is not a date and time', ['2026-12-24']],
	['the value is not a date and time', new Date('x')],
])('readDateTime says that %s: %p', (problem, value) => {
	expect(failureOf(() => read(value))).toMatchObject({ problem: `Public From: ${problem}`, advice: ADVICE });
});

test('The expressions in the advice read the values that they are for', () => {
	const $json = {
		date: '24.12.2026 09:00',
		pubDate: 'Thu, 24 Dec 2026 09:00:00 EST',
		days: 46_380.75,
		time: Date.parse('2026-12-24T09:00Z'),
	};
	const expressions = Array.from(ADVICE.matchAll(/\{\{ (.+?) \}\}/g), ([, expression]) => expression!);
	Settings.defaultZone = 'Europe/Berlin';
	const dates = expressions.map((expression) => read(runInNewContext(expression, { DateTime, $json })));
	Settings.defaultZone = 'system';
	const times = ['09', '15', '18', '10'];
	expect(dates).toEqual(times.map((hour) => `2026-12-24T${hour}:00:00+01:00`));
});

test.each(['UTC', 'Asia/Tokyo', 'America/New_York'])(
	'A date means the same moment on a server in %s, whatever the time zones of the workflow and the text are',
	(TZ) => {
		const source = path.resolve(__dirname, '../../../nodes/ProfilePage/fields/dateTime.ts');
		const texts = ['2026-07-01 9:00', '2026-07-01T09:00+05:30'];
		const script = `
			const { readDateTime } = require(${JSON.stringify(source)});
			const read = (zone) => ${JSON.stringify(texts)}.map((text) => readDateTime(text, 'Date', zone));
			const dates = ['Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles'].map(read);
			console.log(JSON.stringify([Intl.DateTimeFormat().resolvedOptions().timeZone, ...dates]));`;
		const output = execFileSync(process.execPath, ['--require', 'tsx/cjs', '--eval', script], {
			env: { ...process.env, TZ },
			encoding: 'utf8',
		});
		expect(JSON.parse(output)).toEqual([
			TZ,
			['2026-07-01T09:00:00+02:00', '2026-07-01T05:30:00+02:00'],
			['2026-07-01T09:00:00+05:30', '2026-07-01T09:00:00+05:30'],
			['2026-07-01T09:00:00-07:00', '2026-06-30T20:30:00-07:00'],
		]);
	},
);

test('readDateTime turns a local time that the clock skips into the one it skips to', () => {
	expect(read('2025-03-29T23:30:00', 'America/Nuuk')).toBe('2025-03-30T00:30:00-01:00');
	expect(read('2011-12-30T12:00:00', 'Pacific/Apia')).toBe('2011-12-31T12:00:00+14:00');
});

test('readDateTime returns the same time for every form of a date, in the time zone of the workflow, which one without an offset is in', () => {
	fc.assert(
		fc.property(moments, zones, zones, fc.nat(999), (seconds, zone, timeZone, milliseconds) => {
			const date = DateTime.fromSeconds(seconds, { zone }).set({ millisecond: milliseconds });
			const forms = [
				date,
				date.toJSDate(),
				date.toISO(),
				date.toUTC().toISO(),
				date.toSQL(),
				date.toFormat('yyyy-MM-dd H:mm:ss ZZ'),
			];
			const shown = DateTime.fromSeconds(seconds, { zone: timeZone });
			for (const form of forms) {
				const text = read(form, timeZone);
				expect(text).toBe(shown.toFormat(`${WALL_TIME}ZZ`));
				expect(Date.parse(text)).toBe(seconds * 1000);
			}
			const wallTime = shown.toFormat(WALL_TIME);
			expect(read(wallTime, timeZone).slice(0, wallTime.length)).toBe(wallTime);
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

test.each(['Mars/Phobos', '"Europe/Berlin"', 'GMT+5'])(
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
