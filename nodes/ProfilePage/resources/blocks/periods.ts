import { tryToParseDateTime } from 'n8n-workflow';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A moment and the offset of its time zone, both in milliseconds. */
export interface Clock {
	readonly time: number;
	readonly offset: number;
}

/** Returns the clock at a time in milliseconds since 1970; undefined if the time zone is unknown. */
export function clockAt(time: number, timeZone: string): Clock | undefined {
	const { offset } = tryToParseDateTime(new Date(time).toISOString()).setZone(timeZone);
	return Number.isNaN(offset) ? undefined : { time, offset: offset * MINUTE };
}

/** Returns when the period after the one of a moment begins, such as "Monday, 30 November, 00:00 (America/New_York)". */
export function nextStartOf(period: keyof typeof periods, time: number, timeZone: string): string {
	const moment = tryToParseDateTime(new Date(time).toISOString()).setZone(timeZone);
	const next = moment.startOf(period).plus({ [period]: 1 });
	return next.toFormat('cccc, d MMMM, HH:mm (z)', { locale: 'en' });
}

/**
 * The number of the hour, day, week (from Monday) or month that contains a moment: one more than that of the period
 * before. An hour that the clock shows twice counts twice.
 */
export const periods = {
	// The full hours of some time zones, such as India's, differ from those of UTC.
	hour: ({ time, offset }: Clock) => Math.floor((time + (offset % HOUR)) / HOUR),
	day: ({ time, offset }: Clock) => Math.floor((time + offset) / DAY),
	// 1970 began on a Thursday.
	week: (clock: Clock) => Math.floor((periods.day(clock) + 3) / 7),
	month: ({ time, offset }: Clock) => {
		const local = new Date(time + offset);
		return local.getUTCFullYear() * 12 + local.getUTCMonth();
	},
};
