import type { IDataObject } from 'n8n-workflow';

import { shorten } from '../../item/readers';
import type { ServiceRequest } from '../../service/request';
import { ServiceError } from '../../shared/errors';
import { asObjects, asText } from '../../shared/values';
import { NOT_AT_LNK_BIO } from '../lnkBio';

/** The service lists no more links than these. */
export const MAX_LISTED = 50;

/** The fields of a link, with the names of the service's forms. */
export type LinkForm = Readonly<Record<string, string>>;

/**
 * Retrieve list of current links, newest first, without scheduled ones (docs/api.md, section 4.3).
 *
 * @param groupId digits
 */
export function listRequest(groupId?: string): ServiceRequest {
	return {
		method: 'GET',
		path: `/oauth/v1/lnk/list${groupId ? `?group_id=${groupId}` : ''}`,
		statuses: NOT_AT_LNK_BIO,
		idempotent: true,
		subject: 'The links',
		effect: 'were read',
		advice: `Check ${groupId ? 'the group, and ' : ''}that the app has access to the account.`,
	};
}

/** Returns the links in the response to {@link listRequest}. Throws ServiceError if there is no list of links. */
export function readLinks({ data }: IDataObject): IDataObject[] {
	const links = asObjects(data);
	if (links) return links;
	const problem = 'the response contains no list of links';
	throw new ServiceError(problem, 'Check the Base URL in the credential.');
}

/** Create a new link (docs/api.md, section 4.4). An empty field is not sent. */
export function createRequest(fields: LinkForm & { title: string }): ServiceRequest {
	const form = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
	return {
		method: 'POST',
		path: '/oauth/v1/lnk/add',
		form,
		statuses: NOT_AT_LNK_BIO,
		idempotent: false,
		subject: `The link "${shorten(fields.title)}"`,
		effect: 'was created',
		advice: 'Check the fields of the link.',
	};
}

/** Edit an existing link: only the fields in the form change (docs/api.md, section 4.5). */
export function editRequest(linkId: string, form: LinkForm): ServiceRequest {
	return {
		method: 'POST',
		path: '/oauth/v1/lnk/edit',
		form: { link_id: linkId, ...form },
		statuses: NOT_AT_LNK_BIO,
		idempotent: true,
		subject: `Link ${shorten(linkId)}`,
		effect: 'was updated',
		advice: 'Check the ID of the link and the fields to update.',
	};
}

/** Returns the ID of a link as lists contain it: a number where it is one. */
export function toLinkId(id: unknown): number | string {
	const text = asText(id);
	const number = Number(text);
	return /^\d+$/.test(text) && String(number) === text ? number : text;
}
