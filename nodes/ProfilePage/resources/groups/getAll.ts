import type { IDataObject } from 'n8n-workflow';

import { limitFields, limitReader } from '../../fields/limit';
import { type Operation, pairWith, planEachItem } from '../../operation';
import type { Problem } from '../../shared/errors';
import { asObject, asObjects } from '../../shared/values';
import type { ServiceRequest } from '../../transport/serviceRequest';

/** Retrieve list of link groups (docs/api.md, section 4.7). */
export const groupsRequest: ServiceRequest = {
	method: 'GET',
	path: '/oauth/v1/group/list',
	documentedBy: 'public documentation',
	idempotent: true,
	subject: 'The groups',
	outcome: 'were read',
	advice: 'Check that the app has access to the account.',
};

/** Returns the groups in a success envelope. */
export function readGroups({ info }: IDataObject): IDataObject[] | Problem {
	// An empty object may be serialized as an empty list.
	if (Array.isArray(info) && info.length === 0) return [];
	const problem = 'the response contains no list of groups';
	const groups = asObjects(asObject(info).groups);
	return groups ?? { problem, advice: 'Check the Base URL in the credential.' };
}

export const getAllGroups: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the groups that links can belong to',
		action: 'Get many groups',
	},
	fields: limitFields,
	plan: (context) => {
		const readLimit = limitReader(context);
		return planEachItem(context, (itemIndex) => {
			const limit = readLimit(itemIndex);
			return {
				request: groupsRequest,
				read: (envelope) => {
					const groups = readGroups(envelope);
					if (!Array.isArray(groups)) return groups;
					return { items: pairWith(itemIndex, groups.slice(0, limit)) };
				},
			};
		});
	},
};
