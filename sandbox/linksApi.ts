import type { FastifyInstance } from 'fastify';

import { type Account, PROFILE_URL } from './account';
import { BadRequest } from './errors';
import { type Fields, formOf, optional, queryOf, readText, readTime, readUrl, readWholeNumber, required } from './form';
import type { LinkChanges, NewLink } from './links';

/**
 * Registers the endpoints for links and groups. The contract names them by title only: paths, fields
 * and responses follow the public documentation of a service with this API, and its clients.
 */
export function registerLinksApi(api: FastifyInstance, { links, groups }: Account): void {
	const success = { status: true, errors: [] };

	api.get('/lnk/list', (request) => {
		const groupId = optional(queryOf(request), 'group_id', readWholeNumber);
		return { ...success, data: links.list(groupId) };
	});

	api.post('/lnk/add', (request) => {
		const { link_id: id } = links.add(readNewLink(formOf(request)));
		return { ...success, data: { id, url: `${PROFILE_URL}/links/${id}` } };
	});

	api.post('/lnk/edit', (request) => {
		const form = formOf(request);
		links.edit(readLinkId(form), readChanges(form));
		return success;
	});

	api.post('/lnk/delete', (request) => {
		links.delete(readLinkId(formOf(request)));
		return success;
	});

	api.get('/group/list', () => ({ ...success, info: { groups } }));
}

function readLinkId(form: Fields): number {
	return required(form, 'link_id', readWholeNumber);
}

/** @throws BadRequest if a field is invalid */
export function readNewLink(form: Fields): NewLink {
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
function readChanges(form: Fields): LinkChanges {
	return {
		title: optional(form, 'title', readText),
		link: optional(form, 'link', (text, name) => text && readUrl(text, name)),
		group_id: optional(form, 'group_id', (text, name) => (text ? readWholeNumber(text, name) : null)),
	};
}
