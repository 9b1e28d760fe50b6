import type { IDataObject } from 'n8n-workflow';

import { limitFields, readLimit } from '../../fields/limit';
import { unreadable } from '../../service/failure';
import { asObject, asObjects } from '../../shared/values';
import { lnkBioRequest } from '../lnkBio';
import { type Operation, sending } from '../operation';

/** Retrieve list of link groups (docs/api.md, section 4.7). */
export const groupsRequest = lnkBioRequest({
	path: '/oauth/v1/group/list',
	idempotent: true,
	subject: 'the groups',
	effect: ['were', 'read'],
	advice: 'Check that the app has access to the account.',
});

/** Returns the groups in a success envelope. Throws Failure if there is no list of groups. */
export function parseGroups({ info, data }: IDataObject): IDataObject[] {
	const { groups: listed } = asObject(info);
	const groups = listed === null ? [] : asObjects(listed);
	if (groups) return groups;
	// Some services name the same fields differently.
	const others = asObjects(data);
	if (others) return others.map(({ id, name, ...rest }) => ({ group_id: id, group_name: name, ...rest }));
	// An empty object may be serialized as an empty list.
	if (Array.isArray(info) && info.length === 0) return [];
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
		return sending(groupsRequest, (envelope) => ({ items: item.output(parseGroups(envelope).slice(0, limit)) }));
	},
};
