import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from 'ghtml';

import type { Account, Page } from './account';
import { sendPage } from './layout';

/** Pages to look at in a browser: what the account's public page would show, kept up to date. */
export function registerViewer(server: FastifyInstance, account: Account): void {
	server.get('/', async (_request, reply) =>
		sendLivePage(reply, 'Pages of the sandbox', listPages(account.pages)),
	);

	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		const page = account.page(request.params.pageId);
		if (!page) return await sendLivePage(reply.status(404), 'No such page', '');
		return await sendLivePage(reply, page.id, listBlocks(page));
	});

	server.get('/changes', (_request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const tell = () => reply.raw.write('data: reordered\n\n');
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

/** A page that keeps itself up to date, with the way back to all pages. */
async function sendLivePage(
	reply: FastifyReply,
	title: string,
	main: string,
): Promise<FastifyReply> {
	return await sendPage(reply, { title, main, nav: '<a href="/">All pages</a>', script });
}

/** Shows the page anew after each change; blocks glide to their places where the browser can. */
const script = `
	new EventSource('/changes').onmessage = async () => {
		const text = await (await fetch(location.href)).text();
		const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
		const show = () => document.querySelector('main').replaceWith(fresh);
		if (document.startViewTransition) document.startViewTransition(show);
		else show();
	};
`;
