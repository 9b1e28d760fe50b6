import type { IDataObject } from 'n8n-workflow';

import { readPayload } from '../../service/payload';
import { unreadable } from '../../service/reasons';
import type { ServiceRequest } from '../../service/request';
import { asObject, asObjects, asText, isId, quotable } from '../../shared/values';
import { lnkBioRequest, toId } from '../lnkBio';

export const MAX_LISTED = 50;

type LinkFieldName = 'title' | 'link' | 'image' | 'group_id' | 'schedule_from' | 'schedule_to';

/** The fields of a link; undefined if they are not set. An empty group is No Group. */
export type LinkForm = Readonly<Partial<Record<LinkFieldName, string>>>;

export type NewLink = LinkForm & { readonly title: string; readonly link: string };

/** A field without which the links of a list are of no use. */
type NeededField = 'link' | 'link_id';

/** Retrieve list of current links, newest first, without scheduled ones (docs/api.md, section 4.3). */
export function listRequest(groupId?: string, needed?: NeededField): ServiceRequest<IDataObject[]> {
	return lnkBioRequest({
		path: `/oauth/v1/lnk/list${groupId ? `?group_id=${encodeURIComponent(groupId)}` : ''}`,
		repeat: 'always',
		subject: 'the links',
		effect: ['were', 'read'],
		advice: `Check ${groupId ? 'the group, and ' : ''}that the app has access to the account.`,
		read: ({ data }) => readLinks(data, needed),
	});
}

/** Throws Failure if there is no list of links, or if all of them lack the field that is needed. */
function readLinks(data: unknown, needed?: NeededField): IDataObject[] {
	const links = asObjects(data);
	if (!links) throw unreadable('the response contains no list of links');
	const areUseless = needed && links.length > 0 && links.every((link) => asText(link[needed]) === '');
	if (areUseless) throw unreadable(`the links in the response have no field "${needed}"`);
	return links;
}

/** Create a new link (docs/api.md, section 4.4). */
export function createRequest(newLink: NewLink): ServiceRequest<IDataObject> {
	const { title, group_id: groupId } = newLink;
	return lnkBioRequest({
		path: '/oauth/v1/lnk/add',
		form: toForm({ ...newLink, group_id: groupId === '' ? undefined : groupId }),
		repeat: 'ifNotApplied',
		subject: `the link "${quotable(title)}"`,
		effect: ['was', 'created'],
		advice: 'Check the fields of the link.',
		// The ID of a new link is a number. Any other may be that of the request.
		confirms: (envelope) => typeof readNew(envelope).link_id === 'number',
		read: (envelope) => ({ ...newLink, ...readNew(envelope) }),
	});
}

/** Returns what the service adds to a new link: its ID, which services name in different ways, and their own page for it. */
function readNew(envelope: IDataObject) {
	const { id, lnk_id, link_id, url } = { ...asObject(envelope.info), ...readPayload(envelope) };
	return { link_id: toId([id, lnk_id, link_id].find(isId)), service_url: url };
}

/** Edit an existing link: only the fields that are set change (docs/api.md, section 4.5). */
export function editRequest(linkId: string, fields: LinkForm): ServiceRequest<void> {
	return lnkBioRequest({
		path: '/oauth/v1/lnk/edit',
		form: toForm({ link_id: linkId, ...fields }),
		repeat: 'always',
		subject: `link ${quotable(linkId)}`,
		effect: ['was', 'updated'],
		advice: 'Check the ID of the link and the fields to update.',
		read: () => undefined,
	});
}

/** Delete an existing link (docs/api.md, section 4.6). */
export function deleteRequest(linkId: string): ServiceRequest<void> {
	return lnkBioRequest({
		path: '/oauth/v1/lnk/delete',
		form: [['link_id', linkId]],
		repeat: 'always',
		subject: `link ${quotable(linkId)}`,
		effect: ['was', 'deleted'],
		advice: 'Check its ID. The link may have been deleted already.',
		read: () => undefined,
	});
}

/** Returns the fields that are set. */
function toForm(fields: Readonly<Record<string, string | undefined>>): Array<[name: string, value: string]> {
	return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
