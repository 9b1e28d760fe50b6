import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { FieldError } from '../../explainedErrors';
import { isEmpty, requireFound } from '../../fields/empty';
import { type Moment, readDateTime } from '../../fields/readDateTime';

const from: INodeProperties = {
	displayName: 'Schedule From',
	name: 'scheduleFrom',
	type: 'dateTime',
	default: '',
	description:
		'When the link becomes public. Without an offset, the time zone of the workflow holds.',
};

const to: INodeProperties = {
	displayName: 'Schedule To',
	name: 'scheduleTo',
	type: 'dateTime',
	default: '',
	description:
		'When the link is no longer public. Without an offset, the time zone of the workflow holds.',
};

/** The fields that say when a link is public. */
export const scheduleFields: readonly INodeProperties[] = [from, to];

/**
 * Reads when a link is to be public.
 *
 * @param fields the values of the schedule fields, among others
 * @param timeZone that of the workflow, by its IANA name
 * @returns the fields of the form: only those that hold something
 * @throws FieldError if one is not a date, or the link is to end before it begins
 */
export function readSchedule(fields: IDataObject, timeZone: string): Record<string, string> {
	const begin = readMoment(fields, from, timeZone);
	const end = readMoment(fields, to, timeZone);
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
	fields: IDataObject,
	{ name, displayName }: INodeProperties,
	timeZone: string,
): Moment | undefined {
	if (!(name in fields)) return undefined;
	// Without a schedule, the link would be public at once.
	requireFound(fields[name], displayName, 'for no schedule');
	return isEmpty(fields[name]) ? undefined : readDateTime(fields[name], timeZone, displayName);
}
