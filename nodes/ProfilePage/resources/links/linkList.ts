import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { isNumericId } from '../../fields/readNumericId';
import { isWebAddress } from '../../fields/readWebAddress';
import { asObjects, asText } from '../../transport/envelope';
import type { ServiceRequest } from '../../transport/serviceRequest';

/** The service lists no more links than these, whatever it is asked for. */
export const MAX_LISTED = 50;

/**
 * Retrieve list of current links: the newest first, without those that are scheduled for later. The
 * contract has its title only (section 1). Address and answer are known from clients of a service with
 * this API.
 *
 * @param groupId the group whose links to list; those of all if left out
 */
export function linksRequest(groupId?: string): ServiceRequest {
	return {
		method: 'GET',
		path: '/oauth/v1/lnk/list',
		documentedBy: 'public documentation',
		...(groupId && { query: { group_id: groupId } }),
		isIdempotent: true,
		failure: 'The links were not read',
		badRequestAdvice: 'Check the group, and that the app has access to the account.',
		findMissing: (envelope) =>
			readLinks(envelope)
				? undefined
				: 'the answer of the service holds no list of links. Check the Base URL in the credential.',
	};
}

/** @returns the links as the service sent them; undefined if it sent none */
export function readLinks({ data }: IDataObject): IDataObject[] | undefined {
	return asObjects(data);
}

/** The list that a link is chosen from; `linkField` refers to it. */
export const linkLists = { links: { request: linksRequest(), toChoices: readChoices } };

function readChoices(envelope: IDataObject): INodeListSearchItems[] {
	return (readLinks(envelope) ?? [])
		.filter(({ link_id: id }) => isNumericId(asText(id)))
		.map(({ link_id: id, title, link }) => {
			const address = asText(link);
			return {
				name: asText(title) || address || asText(id),
				value: asText(id),
				// The editor opens it in a browser.
				...(isWebAddress(address) && { url: address }),
			};
		});
}
