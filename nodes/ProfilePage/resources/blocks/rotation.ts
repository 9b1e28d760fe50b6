import { readDateTime } from '../../item/dateTime';
import type { Item } from '../../item/item';
import { shorten } from '../../item/readers';
import { ValidationError } from '../../shared/errors';
import { runState } from '../../shared/runState';
import { arrangementFields } from './arrangementFields';
import { type Clock, clockAt, nextStartOf, periods } from './periods';

const { rotateEvery, rotateBy, rotateFrom } = arrangementFields;

/** How a message names the present period. */
const PRESENT = { day: 'today', hour: 'this hour', month: 'this month', week: 'this week' };

const CHOICES = {
	custom: 'custom',
	day: 'day',
	hour: 'hour',
	month: 'month',
	week: 'week',
} as const;

/** When a run of the node first read the clock. */
const startOf = runState(() => Date.now());

/** Returns by how many positions to rotate: the same for all items and tries, though midnight may pass meanwhile. */
export function readPositions(item: Item): number {
	const timeZone = item.context.getTimezone();
	const now = readClock(startOf(item.context), timeZone);
	const every = item.choice(rotateEvery, CHOICES);
	if (every === 'custom') return item.integer(rotateBy);
	const first = readFirst(item, timeZone);
	return periods[every](now) - (first ? periods[every](first) : 0);
}

/** Returns the clock at Rotation Start; undefined if it is left empty. */
function readFirst(item: Item, timeZone: string): Clock | undefined {
	const value = item.value(rotateFrom);
	if (typeof value === 'string' && value.trim() === '') return undefined;
	const date = readDateTime(value, rotateFrom.displayName, timeZone);
	return readClock(Date.parse(date), timeZone);
}

function readClock(time: number, timeZone: string): Clock {
	const clock = clockAt(time, timeZone);
	if (clock) return clock;
	const problem = `n8n does not know the time zone "${shorten(timeZone)}"`;
	const advice = 'Choose a time zone in the settings of the workflow.';
	throw new ValidationError(rotateEvery.displayName, problem, advice);
}

/** A page and its blocks, from top to bottom: as they were given, and as they are rotated. */
interface Rotated {
	readonly pageId: string;
	readonly given: readonly string[];
	readonly rotated: readonly string[];
}

/** Says which block is on top, whether that is the given order, and when another one follows. */
export function describeRotation(item: Item, { pageId, given, rotated }: Rotated): string {
	const [top = ''] = rotated;
	const every = item.choice(rotateEvery, CHOICES);
	const isAsListed = top === given[0];
	const where = `Block "${shorten(top)}" is on top of page "${shorten(pageId)}"`;
	const asListed = isAsListed ? ', as listed: a page that was in the listed order stays the same' : '';
	if (every === 'custom' || given.length === 1) return `${where}${asListed}.`;
	const next = nextStartOf(every, startOf(item.context), item.context.getTimezone());
	return `${where} ${PRESENT[every]}${asListed}. Next change: ${next}.`;
}
