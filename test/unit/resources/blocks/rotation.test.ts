import fc from 'fast-check';
import { DateTime } from 'luxon';

import { formatMoment, momentOf } from '../../../../nodes/ProfilePage/fields/dateTime';
import { nextStartOf, periods } from '../../../../nodes/ProfilePage/resources/blocks/rotation';

type Period = keyof typeof periods;

const ZONES = [
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'America/St_Johns',
	'Asia/Kolkata',
	'Asia/Kathmandu',
	'Australia/Lord_Howe',
	'Pacific/Chatham',
	'Pacific/Kiritimati',
	'Pacific/Marquesas',
];

function numberAt(period: Period, moment: DateTime): number {
	return periods[period](momentOf(moment.toMillis(), moment.zoneName!, 'Rotate Every'));
}

/** Times from 1971 to 2100, in zones of all kinds. */
const moments = fc
	.tuple(fc.integer({ min: 365 * 86_400, max: 130 * 365 * 86_400 }), fc.constantFrom(...ZONES))
	.map(([seconds, zone]) => DateTime.fromSeconds(seconds, { zone }));

describe.each(['day', 'week', 'month'] as const)('The number of a %s', (period) => {
	test('is the same for all moments of it', () => {
		fc.assert(
			fc.property(moments, fc.double({ min: 0, max: 1, noNaN: true }), (moment, part) => {
				const [start, end] = [moment.startOf(period), moment.endOf(period)];
				const within = start.plus((end.toMillis() - start.toMillis()) * part);
				const number = numberAt(period, start);
				expect(numberAt(period, within)).toBe(number);
				expect(numberAt(period, end)).toBe(number);
			}),
		);
	});

	test('is one more than that of the one before', () => {
		fc.assert(
			fc.property(moments, (moment) => {
				const start = moment.startOf(period);
				expect(numberAt(period, start)).toBe(numberAt(period, start.minus(1)) + 1);
			}),
		);
	});
});

describe('The number of an hour', () => {
	/** Zones whose clocks change by whole hours. */
	const whole = moments.filter(({ zoneName }) => zoneName !== 'Australia/Lord_Howe');

	test('is the same from one full hour of the clock to the next', () => {
		fc.assert(
			fc.property(whole, (moment) => {
				const start = moment.startOf('hour');
				const number = numberAt('hour', start);
				expect(numberAt('hour', start.plus({ minutes: 59, seconds: 59 }))).toBe(number);
				expect(numberAt('hour', start.minus(1))).toBe(number - 1);
				expect(numberAt('hour', start.plus({ hours: 1 }))).toBe(number + 1);
			}),
		);
	});

	test.each([
		['an hour that the clock skips', '2026-03-29T00:30:00Z', 4],
		['an hour that the clock shows twice', '2026-10-24T23:30:00Z', 4],
	])('counts elapsed hours across %s', (_name, start, hours) => {
		const first = DateTime.fromISO(start, { zone: 'Europe/Berlin' });
		const numbers = Array.from({ length: hours }, (_, index) => numberAt('hour', first.plus({ hours: index })));
		expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
	});
});

const at = (moment: string) => Date.parse(moment);

test.each([
	['week', '2026-11-30T04:59:59Z', 'Monday, 30 November, 00:00 (America/New_York)'],
	['week', '2026-11-30T05:00:00Z', 'Monday, 7 December, 00:00 (America/New_York)'],
	['month', '2026-12-31T12:00:00Z', 'Friday, 1 January, 00:00 (America/New_York)'],
	['day', '2026-03-08T05:30:00Z', 'Monday, 9 March, 00:00 (America/New_York)'],
	['hour', '2026-03-08T06:30:00Z', 'Sunday, 8 March, 03:00 (America/New_York)'],
	['hour', '2026-11-01T05:30:00Z', 'Sunday, 1 November, 01:00 (America/New_York)'],
] as const)('The %s after %s begins on %s', (period, moment, expected) => {
	expect(formatMoment(nextStartOf(period, momentOf(at(moment), 'America/New_York', 'Rotate Every')))).toBe(expected);
});

test('A day that begins at one o’clock, because the clock skips midnight, begins then', () => {
	const start = nextStartOf('day', momentOf(at('2026-04-23T12:00:00Z'), 'Africa/Cairo', 'Rotate Every'));
	expect(formatMoment(start)).toBe('Friday, 24 April, 01:00 (Africa/Cairo)');
});

test('The number of a period changes at the moment when the next one starts', () => {
	const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham');
	const times = fc.integer({ min: 0, max: at('2100-01-01') });
	const names = fc.constantFrom('hour', 'day', 'week', 'month');
	fc.assert(
		fc.property(times, zones, names, (time, zone, period) => {
			const number = (moment: number) => periods[period](momentOf(moment, zone, 'Rotate Every'));
			const start = nextStartOf(period, momentOf(time, zone, 'Rotate Every')).toMillis();
			expect(number(start - 1)).toBe(number(time));
			expect(number(start)).toBe(number(time) + 1);
		}),
	);
});
