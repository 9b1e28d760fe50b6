import type { IDataObject } from 'n8n-workflow';

import { limitFields, readLimit } from '../../fields/limit';
import { unreadable } from '../../service/reasons';
import { asObject, asObjects } from '../../shared/values';
import { lnkBioRequest } from '../lnkBio';
import { type Operation, sending } from '../operation';

/** Retrieve list of link groups (docs/api.md, section 4.7). */
export const groupsRequest = lnkBioRequest({
	path: '/oauth/v1/group/list',
	repeat: 'always',
	subject: 'the groups',
	effect: ['were', 'read'],
	read: parseGroups,
	advice: 'Check that the app has access to the account.',
});

/** Returns the groups in a success envelope. Throws Failure if there is no list of groups. */
function parseGroups({ info, data }: IDataObject): IDataObject[] {
	const groups = asObjects(asObject(info).groups);
	if (groups) return groups;
	// Some services name the same fields differently. An info without groups may be an empty list.
	const others = asObjects(data) ?? asObjects(info);
	if (others) return others.map(({ id, name, ...rest }) => ({ group_id: id, group_name: name, ...rest }));
	throw unreadable('the response contains no list of groups');
}

export const getAllGroups: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the groups that links can belong to',
		action: 'Get many groups',
	},
	fields: limitFields,
	plan: ([item]) => {
		const limit = readLimit(item);
		return sending(groupsRequest, (groups) => ({ items: item.output(groups.slice(0, limit)) }));
	},
};
