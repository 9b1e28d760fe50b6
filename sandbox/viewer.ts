import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from 'ghtml';

import type { Account, Page } from './account';
import { sendPage } from './layout';
import type { Link } from './links';

/**
 * Pages to look at in a browser, kept up to date: what the public profile would show, and the links
 * that it does not show yet.
 */
export function registerViewer(server: FastifyInstance, account: Account): void {
	server.get('/', async (_request, reply) =>
		sendLivePage(reply, 'Pages of the sandbox', listPages(account.pages) + listLinks(account)),
	);

	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		const page = account.page(request.params.pageId);
		if (!page) return await sendLivePage(reply.status(404), 'No such page', '');
		return await sendLivePage(reply, page.id, listBlocks(page));
	});

	server.get('/changes', (_request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const tell = () => reply.raw.write('data: changed\n\n');
		reply.raw.write(': connected\n\n');
		account.on('change', tell);
		reply.raw.on('close', () => account.off('change', tell));
	});
}

function listPages(pages: readonly Page[]): string {
	return html`<ul class="pages">
		!${pages.map(
			(page) =>
				html`<li>
					<a href="/pages/${encodeURIComponent(page.id)}">${page.id}</a>
					<span>${page.blocks.length} blocks</span>
					!${listBlocks(page)}
				</li>`,
		)}
	</ul>`;
}

function listBlocks({ blocks }: Page): string {
	return html`<ol start="0">
		!${blocks.map(
			({ id, type }) =>
				html`<li class="${type}" style="view-transition-name: b${id.replace(/\W/g, '-')}">
					<code>${id}</code> <span>${type}</span>
				</li>`,
		)}
	</ol>`;
}

function listLinks({ links, groups }: Account): string {
	const groupNames = new Map<number | undefined, string>(
		groups.map(({ group_id: id, group_name: name }) => [id, name]),
	);
	return html`<h2>Links</h2>
		<ul class="links">
			!${links.all.map(
				(link) =>
					html`<li
						class="${links.isScheduled(link) ? 'scheduled' : ''}"
						style="view-transition-name: l${link.link_id}"
					>
						!${showTitle(link)}
						<span>!${showPlace(link, groupNames)}</span>
						!${showSchedule(link, links.isScheduled(link))}
					</li>`,
			)}
		</ul>`;
}

/** The title, leading to the address. An edit may have cleared either of them. */
function showTitle({ title, link }: Link): string {
	const text = title || link || 'Without title';
	return link ? html`<a href="${link}">${text}</a>` : html`${text}`;
}

/** Its group, and the ID that is entered in n8n. */
function showPlace(
	{ group_id: groupId, link_id: id }: Link,
	groupNames: Map<number | undefined, string>,
): string {
	return html`${[groupNames.get(groupId), `ID ${id}`].filter(Boolean).join(', ')}`;
}

function showSchedule(
	{ schedule_from: from, schedule_to: to }: Link,
	isScheduled: boolean,
): string {
	if (!from && !to) return '';
	const times = [isScheduled && 'scheduled', from && `from ${from}`, to && `to ${to}`];
	return html`<p>${times.filter(Boolean).join(' ')}</p>`;
}

/** A page that keeps itself up to date, with the way back to all pages. */
async function sendLivePage(
	reply: FastifyReply,
	title: string,
	main: string,
): Promise<FastifyReply> {
	return await sendPage(reply, { title, main, nav: '<a href="/">All pages</a>', script });
}

/** Shows the page anew after each change; blocks and links glide to their places where the browser can. */
const script = `
	new EventSource('/changes').onmessage = async () => {
		const text = await (await fetch(location.href)).text();
		const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
		const show = () => document.querySelector('main').replaceWith(fresh);
		if (document.startViewTransition) document.startViewTransition(show);
		else show();
	};
`;
