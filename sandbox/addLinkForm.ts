import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';

import type { Account } from './account';
import { readNewLink } from './linksApi';

const PATH = '/links';

/** The ID of the form, so that the page is still at the form after a link was added. */
const ID = 'add-link';

/** A form that adds a link, as the owner of the account would do in the dashboard of the service. */
export const addLinkForm = html`<form id="${ID}" class="card" method="post" action="${PATH}">
	<h2>Add a link</h2>
	<label>Title <input name="title" required /></label>
	<label>
		URL
		<input name="link" type="url" pattern="[Hh][Tt][Tt][Pp][Ss]?://.+" title="An http or https address" required />
	</label>
	<button class="main">Add the link</button>
</form>`;

/** Registers the endpoint of the form. It takes all fields of the API for a new link. */
export function registerAddLinkForm(server: FastifyInstance, { links }: Account): void {
	server.post(PATH, async (request, reply) => {
		links.add(readNewLink(request.body));
		return await reply.redirect(`/#${ID}`, 303);
	});
}
