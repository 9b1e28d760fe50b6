import { type Moment, momentOf, readDateTime } from '../../fields/dateTime';
import { isMissing, noValue } from '../../fields/expression';
import { anyField, choiceField, integerField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { runState } from '../../n8n/context';
import { isBlank, joined } from '../../shared/values';
import type { Names } from '../names';
import type { Page } from '../pages/pageField';
import { type Arrangement, movableIn } from './arrangement';
import { describeTop, nextTops } from './order';

const rotateEvery = choiceField('Rotate Every', 'rotateEvery', {
	noDataExpression: true,
	options: [
		{ name: 'Custom', value: 'custom', description: 'By a number of positions that you enter' },
		{ name: 'Day', value: 'day', description: 'At midnight' },
		{ name: 'Hour', value: 'hour', description: 'At each full hour' },
		{ name: 'Month', value: 'month', description: 'On the first day of the month, at midnight' },
		{ name: 'Week', value: 'week', description: 'On Monday, at midnight' },
	],
	default: 'day',
	description:
		'How often the next block moves to the top, in the time zone of the workflow. All runs within one period set the same order.',
	displayOptions: { show: { arrangement: ['rotate'] } },
});

const rotateFrom = anyField({
	displayName: 'Rotation Start',
	name: 'rotateFrom',
	type: 'dateTime',
	default: '',
	description:
		'A date in the hour, day, week, or month in which the order is as listed. Each later one begins one block further, and each earlier one a block back. If this is empty, any block may be on top in the first run.',
	displayOptions: { show: { arrangement: ['rotate'], rotateEvery: ['day', 'hour', 'month', 'week'] } },
});

const rotateBy = integerField('Rotate By', 'rotateBy', {
	default: 1,
	description:
		'How many blocks to move from the top to the bottom. A negative number moves blocks from the bottom to the top.',
	displayOptions: { show: { arrangement: ['rotate'], rotateEvery: ['custom'] } },
});

export const rotationFields = [rotateEvery, rotateFrom, rotateBy] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The number of the hour, day, week (from Monday) or month that contains a moment: one more than that of the period
 * before. An hour that the clock shows twice counts twice.
 */
export const periods = {
	// The full hours of some time zones, such as India's, differ from those of UTC.
	hour: (moment: Moment) => Math.floor((moment.toMillis() + ((moment.offset * MINUTE) % HOUR)) / HOUR),
	day: (moment: Moment) => Math.floor((moment.toMillis() + moment.offset * MINUTE) / DAY),
	// 1970 began on a Thursday.
	week: (moment: Moment) => Math.floor((periods.day(moment) + 3) / 7),
	month: ({ year, month }: Moment) => year * 12 + month - 1,
};

const COUNTED_BACK = 'Rotation Start is still to come: until then, the rotation counts back from it.';

/** When a run of the node first read the clock, in milliseconds since 1970. */
const startedAt = runState(() => Date.now());

/** Returns by how many positions to rotate: the same for all items and tries, though midnight may pass meanwhile. */
export function readPositions(item: Item): number {
	const every = rotateEvery.read(item);
	if (every === 'custom') return rotateBy.read(item);
	const now = nowOf(item);
	const first = rotateFrom.read(item);
	const { displayName } = rotateFrom.shown;
	if (isMissing(item.raw(rotateFrom.shown), first)) throw noValue(displayName);
	if (isBlank(first)) return periods[every](now);
	const timeZone = item.context.getTimezone();
	const date = readDateTime(first, displayName, timeZone);
	return periods[every](now) - periods[every](momentOf(Date.parse(date), timeZone, displayName));
}

function nowOf({ context }: Item): Moment {
	return momentOf(startedAt(context), context.getTimezone(), rotateEvery.shown.displayName);
}

/** Says which block is on top of a page in a rotated order, whether that is the given order, and which blocks follow when. */
export function describeRotation(
	item: Item,
	page: Page,
	order: readonly string[],
	arrangement: Arrangement & { kind: 'rotate' },
	names: Names,
): string {
	const isAsListed = arrangement.positions % movableIn(order, arrangement).length === 0;
	const sentences = isAsListed ? ['This is the order as listed.'] : [];
	const every = rotateEvery.read(item);
	const next = nextTops(order, arrangement, 1);
	if (every === 'custom' || next.length === 0) {
		return joined(' ', describeTop(order, arrangement, page, names), ...sentences);
	}
	let start = nowOf(item);
	for (const blockId of next) {
		start = nextStartOf(every, start);
		const date = start.toFormat(every === 'hour' ? 'cccc, d MMMM, HH:mm' : 'cccc, d MMMM', { locale: 'en' });
		sentences.push(`From ${date}: ${names.labelOf(blockId)}.`);
	}
	if (arrangement.positions < 0) sentences.push(COUNTED_BACK);
	const present = every === 'day' ? 'today' : `this ${every}`;
	return joined(' ', describeTop(order, arrangement, page, names, present), ...sentences);
}

/** Returns when the period after the one of a moment begins. */
export function nextStartOf(period: keyof typeof periods, moment: Moment): Moment {
	// The clock may skip the start of one of the two.
	return moment
		.startOf(period)
		.plus({ [period]: 1 })
		.startOf(period);
}
