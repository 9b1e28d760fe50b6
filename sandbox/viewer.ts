import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from 'ghtml';

import { type Account, type Page, titledBlocks } from './account';
import type { Clock } from './clock';
import { clockScript, renderClock } from './clockForm';
import { type Content, sendPage } from './layout';
import type { Link, LinkState } from './links';

/** Registers the HTML pages that show the account in a browser and update after every change. */
export function registerViewer(server: FastifyInstance, account: Account, clock: Clock): void {
	server.get('/', async (_request, reply) =>
		sendLivePage(reply, {
			title: 'Sandbox',
			main: renderPages(account.pages) + renderLinks(account, clock),
		}),
	);

	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		const page = account.page(request.params.pageId);
		if (!page) return await sendLivePage(reply.status(404), { title: 'Page not found', main: '' });
		const { id, title } = page;
		return await sendLivePage(reply, { title, detail: id, main: renderBlocks(page) });
	});

	server.get('/changes', (_request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const notify = () => reply.raw.write('data: changed\n\n');
		reply.raw.write(': connected\n\n');
		account.on('change', notify);
		reply.raw.on('close', () => account.off('change', notify));
	});
}

function renderPages(pages: readonly Page[]): string {
	return html`<ul class="pages">
		!${pages.map(
			(page) =>
				html`<li>
					<h2>
						<a href="/pages/${encodeURIComponent(page.id)}">${page.title}</a>
						<small>${page.id}, ${page.blocks.length} blocks</small>
					</h2>
					!${renderBlocks(page)}
				</li>`,
		)}
	</ul>`;
}

function renderBlocks(page: Page): string {
	return html`<ol start="0">
		!${titledBlocks(page).map(
			({ id, type, title }) =>
				html`<li class="${type}" style="view-transition-name: b${id.replace(/\W/g, '-')}">
					<strong>${title}</strong> <span><code>${id}</code> ${type}</span>
				</li>`,
		)}
	</ol>`;
}

function renderLinks({ links, groups }: Account, clock: Clock): string {
	const groupNames = new Map<number | undefined, string>(
		groups.map(({ group_id: id, group_name: name }) => [id, name]),
	);
	return html`<h2>Links</h2>
		!${renderClock(clock, links.nextScheduleTime)}
		<ul class="links">
			!${links.all.map((link) => {
				const state = links.stateOf(link);
				const details = [groupNames.get(link.group_id), `ID ${link.link_id}`];
				return html`<li class="${state}" style="view-transition-name: l${link.link_id}">
					!${renderTitle(link)}
					<span>${details.filter(Boolean).join(', ')}</span>
					!${renderSchedule(link, state)}
				</li>`;
			})}
		</ul>`;
}

/** Renders the title as a link. An edit may have cleared the title, the URL or both. */
function renderTitle({ title, link }: Link): string {
	const text = title || link || 'Untitled';
	return link ? html`<a href="${link}">${text}</a>` : html`${text}`;
}

function renderSchedule({ schedule_from: from, schedule_to: to }: Link, state: LinkState): string {
	if (!from && !to) return '';
	const times = [
		state === 'scheduled' && state,
		from && `from ${from}`,
		to && (state === 'ended' ? `ended ${to}` : `to ${to}`),
	];
	return html`<p>${times.filter(Boolean).join(' ')}</p>`;
}

async function sendLivePage(reply: FastifyReply, content: Content): Promise<FastifyReply> {
	return await sendPage(reply, { ...content, nav: '<a href="/">All pages</a>', script });
}

/** Reloads the content after every change, with an animation in browsers that support view transitions. */
const script = `
	new EventSource('/changes').onmessage = async () => {
		const text = await (await fetch(location.href)).text();
		const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
		const show = () => document.querySelector('main').replaceWith(fresh);
		if (document.startViewTransition) document.startViewTransition(show);
		else show();
	};
	${clockScript}
`;
