import type { FastifyInstance } from 'fastify';

import { BadRequest } from './errors';
import { faultOf } from './faults';
import { type Fields, formOf, readText, readWholeNumber, required } from './form';
import { readNewLink } from './linksApi';
import type { Service } from './service';

/** Registers what a user does to the service by hand: each is a form, and leads back to the page. */
export function registerActions(server: FastifyInstance, { account, clock, faults }: Service): void {
	const register = (path: string, act: (form: Fields) => void) =>
		server.post(path, async (request, reply) => {
			act(formOf(request));
			return await reply.redirect('/', 303);
		});
	// It takes all fields of the API for a new link.
	register('/links', (form) => account.links.add(readNewLink(form)));
	register('/links/delete', (form) => account.links.delete(required(form, 'link_id', readWholeNumber)));
	register('/blocks/top', (form) => {
		const [pageId, blockId] = [required(form, 'page_id', readText), required(form, 'block_id', readText)];
		const order = [blockId, ...account.order(pageId).filter((id) => id !== blockId)];
		const placements = order.map((id, position) => ({ id, position }));
		account.reorder(pageId, placements);
	});
	// The next call that changes something, or that reads, fails once.
	register('/fail', ({ calls, kind }) => {
		const fault = faultOf(String(kind));
		if (!fault || (calls !== 'change' && calls !== 'read')) {
			throw new BadRequest('Send the calls, change or read, and the kind, an HTTP status or the name of a fault.');
		}
		const isMeant = (method: string) => (calls === 'read') === (method === 'GET');
		faults.add({ fault, times: 1, when: ({ method, url }) => url.startsWith('/oauth/v1/') && isMeant(method) });
	});
	// In seconds.
	register('/clock', (form) => clock.advance(required(form, 'advance', readWholeNumber) * 1000));
	// Tokens stay valid.
	register('/reset', () => {
		faults.clear();
		clock.offset = 0;
		account.reset();
	});
}
