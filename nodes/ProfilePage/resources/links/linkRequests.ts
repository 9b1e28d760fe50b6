import type { IDataObject } from 'n8n-workflow';

import { shorten } from '../../fields/readers';
import type { Problem } from '../../shared/errors';
import { asObjects, asText } from '../../shared/values';
import type { ServiceRequest } from '../../transport/serviceRequest';

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
		documentedBy: 'public documentation',
		idempotent: true,
		subject: 'The links',
		outcome: 'were read',
		advice: `Check ${groupId ? 'the group, and ' : ''}that the app has access to the account.`,
	};
}

/** Returns the links in the response to {@link listRequest}. */
export function readLinks({ data }: IDataObject): IDataObject[] | Problem {
	const problem = 'the response contains no list of links';
	return asObjects(data) ?? { problem, advice: 'Check the Base URL in the credential.' };
}

/** Create a new link (docs/api.md, section 4.4). An empty field is not sent. */
export function createRequest(fields: LinkForm & { title: string }): ServiceRequest {
	const form = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
	return {
		method: 'POST',
		path: '/oauth/v1/lnk/add',
		form,
		documentedBy: 'public documentation',
		idempotent: false,
		subject: `The link "${shorten(fields.title)}"`,
		outcome: 'was created',
		advice: 'Check the fields of the link.',
	};
}

/** Edit an existing link: only the fields in the form change (docs/api.md, section 4.5). */
export function editRequest(linkId: string, form: LinkForm): ServiceRequest {
	return {
		method: 'POST',
		path: '/oauth/v1/lnk/edit',
		form: { link_id: linkId, ...form },
		documentedBy: 'public documentation',
		idempotent: true,
		subject: `Link ${shorten(linkId)}`,
		outcome: 'was updated',
		advice: 'Check the ID of the link and the fields to update.',
	};
}

/** Returns the ID of a link as lists contain it: a number where it is one. */
export function toLinkId(id: unknown): number | string {
	const text = asText(id);
	const number = Number(text);
	return /^\d+$/.test(text) && String(number) === text ? number : text;
}
