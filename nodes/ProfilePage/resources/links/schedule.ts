import type { INodeProperties } from 'n8n-workflow';

import { FieldError } from '../../errors';
import type { CollectionValues } from '../../fields/collection';
import { type Moment, readDateTime } from '../../fields/readDateTime';

const from: INodeProperties = {
	displayName: 'Schedule From',
	name: 'scheduleFrom',
	type: 'dateTime',
	default: '',
	description:
		'When the link becomes public. A time without an offset is in the time zone of the workflow.',
};

const to: INodeProperties = {
	displayName: 'Schedule To',
	name: 'scheduleTo',
	type: 'dateTime',
	default: '',
	description:
		'When the link is no longer public. A time without an offset is in the time zone of the workflow.',
};

/** The fields that say when a link is public. */
export const scheduleFields: readonly INodeProperties[] = [from, to];

/**
 * Reads when a link is to be public.
 *
 * @param values those of the schedule fields, among others
 * @param timeZone that of the workflow, by its IANA name
 * @returns the fields of the form: only those that are set
 * @throws FieldError if one is not a date, or the end is not after the beginning
 */
export function readSchedule(values: CollectionValues, timeZone: string): Record<string, string> {
	const begin = readMoment(values, from, timeZone);
	const end = readMoment(values, to, timeZone);
	if (begin && end && end.seconds <= begin.seconds) {
		throw new FieldError(
			to.displayName,
			`${end.text} is not after Schedule From, ${begin.text}. Give a later one.`,
		);
	}
	return {
		...(begin && { schedule_from: begin.text }),
		...(end && { schedule_to: end.text }),
	};
}

function readMoment(
	values: CollectionValues,
	{ name, displayName }: INodeProperties,
	timeZone: string,
): Moment | undefined {
	return values.has(name) ? readDateTime(values.get(name), timeZone, displayName) : undefined;
}
