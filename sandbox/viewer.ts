import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from 'ghtml';

import type { Account, Page } from './account';

/** Pages to look at in a browser: what the account's public page would show, kept up to date. */
export function registerViewer(server: FastifyInstance, account: Account): void {
	server.get('/', async (_request, reply) =>
		sendPage(reply, 'Pages of the sandbox', listPages(account.pages)),
	);

	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		const page = account.page(request.params.pageId);
		if (!page) return await sendPage(reply.status(404), 'No such page', '');
		return await sendPage(reply, page.id, listBlocks(page));
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

async function sendPage(reply: FastifyReply, title: string, body: string): Promise<FastifyReply> {
	return await reply.type('text/html; charset=utf-8').send(
		html`<!DOCTYPE html>
			<html lang="en">
				<head>
					<meta charset="utf-8" />
					<meta name="viewport" content="width=device-width" />
					<title>${title}</title>
					<style>
						!${style}
					</style>
				</head>
				<body>
					<nav><a href="/">All pages</a></nav>
					<h1>${title}</h1>
					<main>!${body}</main>
					<script>
						!${script};
					</script>
				</body>
			</html>`,
	);
}

const style = `
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem;
		background: #f5f5fb; color: #1e1b4b; }
	h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
	ul { list-style: none; padding: 0; }
	ol { padding-left: 2rem; }
	.pages > li > span { color: #6b7280; }
	ol li { margin: .5rem 0; padding: .5rem .9rem; border-radius: .6rem; background: #fff;
		border-left: .4rem solid #818cf8; }
	ol li.BLOCK_ICONS { border-left-color: #f59e0b; }
	ol li span { float: right; color: #6b7280; font-size: .85rem; }
`;

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
