import type { Resource } from '../../operation';
import { getAllGroups } from './getAll';
import { groupLists } from './groupList';

/** What links can be put together in. */
export const groups: Resource = {
	option: { name: 'Groups', value: 'groups' },
	operations: [getAllGroups],
	lists: groupLists,
};
