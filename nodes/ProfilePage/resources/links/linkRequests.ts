import type { IDataObject } from 'n8n-workflow';

import { readPayload } from '../../service/payload';
import { unreadable } from '../../service/reasons';
import type { ServiceRequest } from '../../service/request';
import { isFailedStatus } from '../../service/response';
import { asObject, asObjects, asText, isId, isObject, quotable } from '../../shared/values';
import { lnkBioRequest } from '../lnkBio';
import { toAscii } from './addresses';
import { withUsefulFirst } from './linkOutput';

export const MAX_LISTED = 50;

type LinkFieldName = 'title' | 'link' | 'image' | 'group_id' | 'schedule_from' | 'schedule_to';

/** The fields that are addresses: they are shown as entered, and sent in ASCII. */
const ADDRESSES = ['link', 'image'] as const;

/** The fields of a link; undefined if they are not set. An empty group is No Group. */
export type LinkForm = Readonly<Partial<Record<LinkFieldName, string>>>;

export type NewLink = LinkForm & { readonly title: string; readonly link: string };

/** Retrieve list of current links, newest first, without scheduled ones (docs/api.md, section 4.3). */
export function listRequest(groupId?: string): ServiceRequest {
	return lnkBioRequest({
		path: `/oauth/v1/lnk/list${groupId ? `?group_id=${encodeURIComponent(groupId)}` : ''}`,
		repeat: 'always',
		subject: 'the links',
		effect: ['were', 'read'],
		advice: `Check ${groupId ? 'the group, and ' : ''}that the app has access to the account.`,
	});
}

/** Fields without which links may be of no use. */
const NEEDED = { link: 'addresses', link_id: 'IDs' } as const;

/**
 * Returns the links in the response to {@link listRequest}.
 *
 * @param needed a field without which the links are of no use
 * @throws Failure if there is no list of links, or all of them lack that field
 */
export function parseLinks({ data }: IDataObject, needed?: keyof typeof NEEDED): IDataObject[] {
	const links = asObjects(data);
	if (!links) throw unreadable('the response contains no list of links');
	const areUseless = needed && links.length > 0 && links.every((link) => asText(link[needed]) === '');
	if (areUseless) throw unreadable(`the links in the response have no ${NEEDED[needed]} (${needed})`);
	// JSON sorts keys that are IDs, and the newest link is the first one.
	const isById = isObject(data) && links.every(({ link_id: id }) => asText(id) in data);
	return (isById ? links.reverse() : links).map(withUsefulFirst);
}

/** Create a new link (docs/api.md, section 4.4). */
export function createRequest(newLink: NewLink): ServiceRequest {
	const { title, group_id: groupId } = newLink;
	return lnkBioRequest({
		path: '/oauth/v1/lnk/add',
		form: toForm({ ...newLink, group_id: groupId === '' ? undefined : groupId }),
		repeat: 'ifNotApplied',
		subject: `the link "${quotable(title)}"`,
		effect: ['was', 'created'],
		advice: 'Check the fields of the link.',
		confirms: (envelope) => {
			const { link_id: id, status } = readCreated(envelope, newLink);
			return /^[1-9]\d*$/.test(asText(id)) && !isFailedStatus(status);
		},
	});
}

/**
 * Returns what the service says of a new link. Services name its ID in different ways; their own page for it is not the
 * address that the link leads to.
 */
export function readCreated(envelope: IDataObject, newLink: NewLink): IDataObject {
	const { id, lnk_id: otherId, url, ...others } = { ...asObject(envelope.info), ...readPayload(envelope) };
	for (const name of ADDRESSES) if (others[name] === toAscii(newLink[name] ?? '')) others[name] = newLink[name];
	const { title, link } = newLink;
	const linkId = toLinkId([id, otherId, others.link_id].find(isId));
	return { title, link, ...others, ...(url !== undefined && { service_url: url }), link_id: linkId };
}

/** Edit an existing link: only the fields that are set change (docs/api.md, section 4.5). */
export function editRequest(linkId: string, fields: LinkForm): ServiceRequest {
	return lnkBioRequest({
		path: '/oauth/v1/lnk/edit',
		form: toForm({ link_id: linkId, ...fields }),
		repeat: 'always',
		subject: `link ${quotable(linkId)}`,
		effect: ['was', 'updated'],
		advice: 'Check the ID of the link and the fields to update.',
	});
}

function toForm(fields: Readonly<Record<string, string | undefined>>): Array<[string, string]> {
	return Object.entries(fields).flatMap(([name, value]) => {
		if (value === undefined) return [];
		return [[name, ADDRESSES.some((each) => each === name) ? toAscii(value) : value]];
	});
}

/** Returns the ID of a link as lists contain it: a number where it is one. */
export function toLinkId(id: unknown): number | string {
	const text = asText(id);
	const number = Number(text);
	return /^\d+$/.test(text) && String(number) === text ? number : text;
}
