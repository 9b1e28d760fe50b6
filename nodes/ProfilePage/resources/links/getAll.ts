import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isEmpty, requireFound } from '../../fields/empty';
import { fieldReader } from '../../fields/fieldReader';
import { limitFields, limitReader } from '../../fields/limit';
import { type Operation, pairWith, planEachItem } from '../../operation';
import { GROUP_FIELD, groupField, readGroupId } from '../groups/groupField';
import { linksRequest, MAX_LISTED, readLinks } from './linkList';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [groupField('groupsOrAny')],
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
		const readFilters = fieldReader(context, filters.name, filters.default);
		return planEachItem(context, (itemIndex) => {
			const limit = readLimit(itemIndex);
			const groupId = readGroupFilter(readFilters(itemIndex) as IDataObject);
			return {
				request: linksRequest(groupId),
				toItems: (envelope) => pairWith(itemIndex, (readLinks(envelope) ?? []).slice(0, limit)),
				findOddity: (envelope) => findCut(envelope, limit),
			};
		});
	},
};

function readGroupFilter(values: IDataObject): string | undefined {
	if (!('groupId' in values)) return undefined;
	// What comes after might delete the links that come out.
	requireFound(values.groupId, GROUP_FIELD, 'for links of any group');
	return isEmpty(values.groupId) ? undefined : readGroupId(values.groupId);
}

function findCut(envelope: IDataObject, limit: number): string | undefined {
	const count = readLinks(envelope)?.length ?? 0;
	return limit > MAX_LISTED && count >= MAX_LISTED
		? `The service lists ${MAX_LISTED} links at most, the newest ones. There may be older ones.`
		: undefined;
}
