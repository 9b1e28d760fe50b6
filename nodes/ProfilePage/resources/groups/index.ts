import type { Resource } from '../../operation';
import { getAllGroups } from './getAll';
import { groupLists } from './groupList';

/** Names under which links stand together. */
export const groups: Resource = {
	option: { name: 'Groups', value: 'groups' },
	operations: [getAllGroups],
	lists: groupLists,
};
