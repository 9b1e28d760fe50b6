import type { FastifyInstance } from 'fastify';

import { type Account, PROFILE_URL } from './account';
import { BadRequest } from './errors';
import { fieldsOf, optional, readForm, readWholeNumber, readText, readTime, readUrl, required } from './form';
import type { LinkChanges, NewLink } from './links';

/**
 * Registers the endpoints for links and groups. The contract names them by title only: paths, fields
 * and responses follow the public documentation of a service with this API, and its clients.
 */
export function registerLinksApi(api: FastifyInstance, { links, groups }: Account): void {
	const success = { status: true, errors: [] };

	api.get('/lnk/list', ({ query }) => {
		const groupId = optional(fieldsOf(query), 'group_id', readWholeNumber);
		return { ...success, data: links.list(groupId) };
	});

	api.post('/lnk/add', ({ body }) => {
		const { link_id: id } = links.add(readNewLink(body));
		return { ...success, data: { id, url: `${PROFILE_URL}/links/${id}` } };
	});

	api.post('/lnk/edit', ({ body }) => {
		links.edit(readLinkId(body), readChanges(body));
		return success;
	});

	api.post('/lnk/delete', ({ body }) => {
		links.delete(readLinkId(body));
		return success;
	});

	api.get('/group/list', () => ({ ...success, info: { groups } }));
}

function readLinkId(body: unknown): number {
	return required(readForm(body), 'link_id', readWholeNumber);
}

/** @throws BadRequest if a field is invalid */
export function readNewLink(body: unknown): NewLink {
	const form = readForm(body);
	const newLink = {
		title: required(form, 'title', readText),
		link: required(form, 'link', readUrl),
		image: optional(form, 'image', readUrl),
		group_id: optional(form, 'group_id', readWholeNumber),
		schedule_from: optional(form, 'schedule_from', readTime),
		schedule_to: optional(form, 'schedule_to', readTime),
	};
	const { schedule_from: from, schedule_to: to } = newLink;
	if (from && to && Date.parse(to) <= Date.parse(from)) {
		throw new BadRequest('schedule_to must be after schedule_from.');
	}
	return newLink;
}

/** Absent fields stay the same; an empty field is cleared. */
function readChanges(body: unknown): LinkChanges {
	const form = readForm(body);
	return {
		title: optional(form, 'title', readText),
		link: optional(form, 'link', (text, name) => text && readUrl(text, name)),
		group_id: optional(form, 'group_id', (text, name) => (text ? readWholeNumber(text, name) : null)),
	};
}
