import { formatMoment, type Moment, momentOf, readDateTime } from '../../fields/dateTime';
import { isBlankTemplate, noValue } from '../../fields/expression';
import { Field, timeField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { runState } from '../../n8n/context';
import { invalid } from '../../service/failure';
import { isBlank, quotable } from '../../shared/values';
import { preview } from '../options';
import type { Page } from '../pages/pageField';
import type { Arrangement } from './arrangement';
import { describeTop } from './order';
import { reorderFields } from './reorderFields';

const { blockOrder, rotateEvery, rotateBy, rotateFrom } = reorderFields;

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

/** When a run of the node first read the clock, in milliseconds since 1970. */
const startedAt = runState(() => Date.now());

/** Returns by how many positions to rotate: the same for all items and tries, though midnight may pass meanwhile. */
export function readPositions(item: Item): number {
	const every = rotateEvery.read(item);
	if (every === 'custom') return rotateBy.read(item);
	const now = nowOf(item);
	const first = rotateFrom.read(item);
	const { displayName } = rotateFrom.shown;
	if (isBlankTemplate(item.raw(rotateFrom.shown), first)) throw noValue(displayName);
	if (typeof first === 'string' && isBlank(first)) return periods[every](now);
	const timeZone = item.context.getTimezone();
	const date = readDateTime(first, displayName, timeZone);
	return periods[every](now) - periods[every](momentOf(Date.parse(date), timeZone, displayName));
}

/** The moment that the rotation is for: now, or in a preview the date that is given. */
function nowOf(item: Item): Moment {
	const date = preview.read(item) ? previewDate.read(item) : undefined;
	const time = date === undefined ? startedAt(item.context) : Date.parse(date);
	return momentOf(time, item.context.getTimezone(), rotateEvery.shown.displayName);
}

const dateField = timeField('Preview Date', 'previewDate', {
	description:
		'When Preview is on, the date to show a rotation by hour, day, week, or month for. If this is empty, that is now.',
});
export const previewDate = new Field(dateField.shown, (value, item) =>
	isBlank(value) ? undefined : dateField.parse(value, item),
).asOption();

/** Throws Failure if there is a Preview Date that changes nothing: the page may be meant to be of that date. */
export function checkPreviewDate(item: Item): void {
	if (previewDate.read(item) === undefined) return;
	const { displayName } = previewDate.shown;
	if (!preview.read(item)) throw invalid(displayName, 'Preview is off', 'Turn on Preview, or remove the date.');
	if (blockOrder.read(item) !== 'current') return;
	const problem = 'with Blocks by Name, a rotation does not depend on the date';
	throw invalid(displayName, problem, 'Remove the date: each run continues from the order that the page has then.');
}

/**
 * Says which block is on top of a page once its order is rotated, whether that is the given order, and when another one
 * follows.
 */
export function describeRotation(item: Item, page: Page, given: readonly string[], arrangement: Arrangement): string {
	const { positions = 0, kept } = arrangement;
	const moving = given.filter((id) => !kept?.has(id));
	const top = moving.at(positions % moving.length);
	const isPreview = preview.read(item);
	const block = top === undefined ? undefined : `block "${quotable(top)}"`;
	const describe = (when?: string) => describeTop(block, page, arrangement, isPreview, when);
	if (top === undefined) return describe();
	const asListed = top === moving[0] ? ' This is the order as listed.' : '';
	const every = rotateEvery.read(item);
	if (every === 'custom' || moving.length === 1) return `${describe()}${asListed}`;
	const now = nowOf(item);
	const present = isPreview ? `on ${formatMoment(now)}` : every === 'day' ? 'today' : `this ${every}`;
	const counted =
		positions < 0 ? ' Rotation Start is still to come: until then, the rotation counts back from it.' : '';
	return `${describe(present)}${asListed} The next block follows with the first run after ${nextStartOf(every, now)}.${counted}`;
}

/** Returns when the period after the one of a moment begins, such as "Monday, 30 November, 00:00 (America/New_York)". */
export function nextStartOf(period: keyof typeof periods, moment: Moment): string {
	// The clock may skip the start of one of the two.
	const next = moment
		.startOf(period)
		.plus({ [period]: 1 })
		.startOf(period);
	return formatMoment(next);
}
