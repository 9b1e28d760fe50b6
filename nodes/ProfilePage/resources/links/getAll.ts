import type { IDataObject } from 'n8n-workflow';

import { type Collection, collectionReader } from '../../fields/collection';
import { limitFields, limitReader } from '../../fields/limit';
import { type Operation, pairWith, planEachItem } from '../../operation';
import { groupField, readGroupId } from '../groups/groupField';
import { linksRequest, MAX_LISTED, readLinks } from './linkList';

const groupFilter = groupField('groupsOrAny');

const filters: Collection = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [groupFilter],
};

/** Retrieve list of current links (see `linkList.ts` for what it rests on). */
export const getAllLinks: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the newest links that are public, 50 at most',
		action: 'Get many links',
	},
	fields: [...limitFields, filters],
	plan: (context) => {
		const readLimit = limitReader(context);
		const readFilters = collectionReader(context, filters);
		return planEachItem(context, (itemIndex) => {
			const limit = readLimit(itemIndex);
			const group = readFilters(itemIndex).get(groupFilter.name);
			const groupId = group === undefined ? undefined : readGroupId(group);
			return {
				request: linksRequest(groupId),
				toItems: (envelope) => pairWith(itemIndex, (readLinks(envelope) ?? []).slice(0, limit)),
				findWarning: (envelope) => findCut(envelope, limit),
			};
		});
	},
};

function findCut(envelope: IDataObject, limit: number): string | undefined {
	const count = readLinks(envelope)?.length ?? 0;
	return limit > MAX_LISTED && count >= MAX_LISTED
		? `The service lists ${MAX_LISTED} links at most, the newest ones. There may be older ones.`
		: undefined;
}
