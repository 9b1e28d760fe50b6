import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { isNumericId } from '../../fields/readNumericId';
import type { ChoiceList } from '../../operation';
import { asObjects, asText, isObject } from '../../transport/envelope';
import type { ServiceRequest } from '../../transport/serviceRequest';

/**
 * Retrieve list of link groups. The contract has its title only (section 1). Address and answer are
 * known from clients of a service with this API.
 */
export const groupsRequest: ServiceRequest = {
	method: 'GET',
	path: '/oauth/v1/group/list',
	documentedBy: 'public documentation',
	isIdempotent: true,
	failure: 'The groups were not read',
	badRequestAdvice: 'Check that the app has access to the account.',
	findMissing: (envelope) =>
		readGroups(envelope)
			? undefined
			: 'the answer of the service holds no list of groups. Check the Base URL in the credential.',
};

/** @returns the groups as the service sent them; undefined if it sent none */
export function readGroups({ info }: IDataObject): IDataObject[] | undefined {
	// An empty object may be written as an empty list.
	if (Array.isArray(info) && info.length === 0) return [];
	return isObject(info) ? asObjects(info.groups) : undefined;
}

/** The value of the entry "No Group" where an empty value means that no entry is chosen. */
export const NO_GROUP = 'none';

/** The lists that a group is chosen from; `groupField` refers to them. */
export const groupLists = {
	groupsOrAny: listWith({ name: 'Any Group', value: '' }),
	groupsOrNone: listWith({ name: 'No Group', value: '' }),
	groupsToMoveTo: listWith({ name: 'No Change', value: '' }, { name: 'No Group', value: NO_GROUP }),
};

/**
 * @param first the entries before the groups; one is for the empty value that the field starts with, as
 *   the editor reports a value that is not in the list
 */
function listWith(...first: INodeListSearchItems[]): ChoiceList {
	return {
		request: groupsRequest,
		toChoices: (envelope) => [...first, ...readChoices(envelope)],
	};
}

function readChoices(envelope: IDataObject): INodeListSearchItems[] {
	return (readGroups(envelope) ?? [])
		.filter(({ group_id: id }) => isNumericId(asText(id)))
		.map(({ group_id: id, group_name: name }) => ({
			name: asText(name) || asText(id),
			value: asText(id),
		}));
}
