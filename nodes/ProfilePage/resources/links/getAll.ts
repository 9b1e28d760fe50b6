import type { IDataObject } from 'n8n-workflow';

import { limitFields, limitReader } from '../../fields/limit';
import { type Collection, collectionReader, readIfSet } from '../../fields/parameterReader';
import { type Operation, pairWith, planEachItem } from '../../operation';
import type { Problem } from '../../shared/errors';
import { asObjects } from '../../shared/values';
import type { ServiceRequest } from '../../transport/serviceRequest';
import { groupField, readGroupId } from '../groups/groupField';

/** The service lists no more links than these. */
const MAX_LISTED = 50;

const groupFilter = groupField('groupsOrAny');

const filters: Collection = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [groupFilter],
};

/** Retrieve list of current links, newest first, without scheduled ones (docs/api.md, section 4.3). */
export function linksRequest(groupId?: string): ServiceRequest {
	return {
		method: 'GET',
		path: '/oauth/v1/lnk/list',
		...(groupId && { query: { group_id: groupId } }),
		documentedBy: 'public documentation',
		idempotent: true,
		subject: 'The links',
		outcome: 'were read',
		advice: 'Check the group, and that the app has access to the account.',
	};
}

/** Returns the links in the response to {@link linksRequest}. */
export function readLinks({ data }: IDataObject): IDataObject[] | Problem {
	const problem = 'the response contains no list of links';
	return asObjects(data) ?? { problem, advice: 'Check the Base URL in the credential.' };
}

export const getAllLinks: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get up to 50 of the newest public links',
		action: 'Get many links',
	},
	fields: [...limitFields, filters],
	plan: (context) => {
		const readLimit = limitReader(context);
		const readFilters = collectionReader(context, filters);
		return planEachItem(context, (itemIndex) => {
			const limit = readLimit(itemIndex);
			const groupId = readIfSet(readFilters(itemIndex), groupFilter, readGroupId);
			return {
				request: linksRequest(groupId),
				read: (envelope) => {
					const links = readLinks(envelope);
					if (!Array.isArray(links)) return links;
					const items = pairWith(itemIndex, links.slice(0, limit));
					const isTruncated = limit > MAX_LISTED && links.length >= MAX_LISTED;
					const warning = `The service lists only the ${MAX_LISTED} newest links. There may be older ones.`;
					return { items, ...(isTruncated && { warning }) };
				},
			};
		});
	},
};
