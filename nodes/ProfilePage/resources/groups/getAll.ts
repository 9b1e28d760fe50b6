import { limitFields, limitReader } from '../../fields/limit';
import { type Operation, pairWith, planEachItem } from '../../operation';
import { groupsRequest, readGroups } from './groupList';

/** Retrieve list of link groups (see `groupList.ts` for what it rests on). */
export const getAllGroups: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the groups that links can be in',
		action: 'Get many groups',
	},
	fields: limitFields,
	plan: (context) => {
		const readLimit = limitReader(context);
		return planEachItem(context, (itemIndex) => {
			const limit = readLimit(itemIndex);
			return {
				request: groupsRequest,
				toItems: (envelope) => pairWith(itemIndex, (readGroups(envelope) ?? []).slice(0, limit)),
			};
		});
	},
};
