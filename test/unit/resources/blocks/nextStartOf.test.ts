import fc from 'fast-check';

import { clockAt, nextStartOf, periods } from '../../../../nodes/ProfilePage/resources/blocks/periods';

const at = (moment: string) => Date.parse(moment);

test.each([
	['week', '2026-11-30T04:59:59Z', 'Monday, 30 November, 00:00 (America/New_York)'],
	['week', '2026-11-30T05:00:00Z', 'Monday, 7 December, 00:00 (America/New_York)'],
	['month', '2026-12-31T12:00:00Z', 'Friday, 1 January, 00:00 (America/New_York)'],
	['day', '2026-03-08T05:30:00Z', 'Monday, 9 March, 00:00 (America/New_York)'],
	['hour', '2026-03-08T06:30:00Z', 'Sunday, 8 March, 03:00 (America/New_York)'],
	['hour', '2026-11-01T05:30:00Z', 'Sunday, 1 November, 01:00 (America/New_York)'],
] as const)('The %s after %s begins on %s', (period, moment, expected) => {
	expect(nextStartOf(period, at(moment), 'America/New_York')).toBe(expected);
});

test('A day that begins at one o’clock, because the clock skips midnight, begins then', () => {
	expect(nextStartOf('day', at('2026-04-23T12:00:00Z'), 'Africa/Cairo')).toBe('Friday, 24 April, 01:00 (Africa/Cairo)');
});

test('The number of a period changes at the moment that is named', () => {
	const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham');
	const times = fc.integer({ min: 0, max: at('2100-01-01') });
	const names = fc.constantFrom('hour', 'day', 'week', 'month');
	fc.assert(
		fc.property(times, zones, names, (time, zone, period) => {
			const number = (moment: number) => periods[period](clockAt(moment, zone)!);
			// The name contains no year, so the moment is found by the number.
			let [low, high] = [time, time + 32 * 86_400_000];
			while (high - low > 1) {
				const middle = Math.floor((low + high) / 2);
				if (number(middle) === number(time)) low = middle;
				else high = middle;
			}
			const named = nextStartOf(period, time, zone);
			expect(nextStartOf(period, low, zone)).toBe(named);
			expect(nextStartOf(period, high, zone)).not.toBe(named);
		}),
	);
});
