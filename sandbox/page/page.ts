import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Account, type Page, PROFILE_URL, titledBlocks } from '../account';
import { formatTime } from '../clock';
import type { Link } from '../links';
import type { RecordedRequest, Recorder } from '../recorder';
import type { Service } from '../service';
import { type Html, html } from './html';
import { sendPage } from './layout';

/** What the form offers of the faults, by their kinds. */
const FAILURES = [
	['503', 'Busy (503)'],
	['429', 'Too many requests (429)'],
	['400', 'Rejected (400)'],
	['hang', 'No response'],
	['lost', 'Performed, and the response is lost'],
] as const;

/** Registers the page: the profile, what to try, the requests, and what to enter in n8n. */
export function registerPage(server: FastifyInstance, service: Service): void {
	const { account } = service;
	server.get('/', async (request, reply) => {
		const [first] = account.pages;
		return await send(request, reply, service, account.page(account.lastReorder?.pageId ?? '') ?? first);
	});
	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		return await send(request, reply, service, account.existingPage(request.params.pageId));
	});
}

async function send({ protocol, host }: FastifyRequest, reply: FastifyReply, service: Service, page?: Page) {
	const { account, recorder, access } = service;
	const values = { 'Base URL': `${protocol}://${host}`, ...access };
	const main = html`${profile(account, page)}
		<div>${forms(service, page)} ${requests(recorder)}</div>
		<div>
			<section>
				<h2>Connect n8n</h2>
				<p>Enter these in a credential. Then run a workflow, and watch the profile change.</p>
				${list(Object.entries(values))}
			</section>
			${ids(account)}
		</div>`;
	return await sendPage(reply, 'Profile Page Sandbox', main);
}

/** The profile as its visitors see it, with marks at the blocks that have moved. */
function profile({ pages, links, lastReorder }: Account, shown?: Page): Html {
	const before = lastReorder && lastReorder.pageId === shown?.id ? lastReorder.before : [];
	const blocks = shown ? titledBlocks(shown) : [];
	return html`<section id="profile" data-live class="phone" aria-label="The profile, as its visitors see it">
		<p>${PROFILE_URL.replace('https://', '')}</p>
		<nav aria-label="Pages">${pages.map((page) => tab(page, page === shown))}</nav>
		<ol class="blocks">
			${blocks.map(({ id, title, position }) => html`<li>${title} <em>${move(before.indexOf(id), position)}</em></li>`)}
		</ol>
		<ul>
			${links.list().map((link) => html`<li><a href="${link.link}" target="_blank" rel="noopener">${titleOf(link)}</a></li>`)}
		</ul>
	</section>`;
}

const tab = ({ id, title }: Page, isShown: boolean) =>
	html`<a href="/pages/${encodeURIComponent(id)}" aria-current="${String(isShown)}">${title}</a>`;

/** Returns what people call a link. An edit may have cleared the title, the URL, or both. */
const titleOf = ({ title, link }: Pick<Link, 'link' | 'title'>) => title || link || 'Untitled';

/** Says how far a block has moved. */
function move(before: number, position: number): string {
	if (before < 0 || before === position) return '';
	return before > position ? `↑ ${before - position}` : `↓ ${position - before}`;
}

/** Each form sends one of the actions. */
function forms({ account, faults, clock }: Service, page?: Page): Html {
	const links = account.links.all.map((link) => [link.link_id, titleOf(link)] as const);
	const blocks = page ? titledBlocks(page).map(({ id, title }) => [id, title] as const) : [];
	return html`<section>
		<h2>Try</h2>
		<form method="post" action="/links">
			<input name="title" placeholder="Title" aria-label="Title" required />
			<input name="link" type="url" placeholder="https://…" aria-label="URL" required />
			<button>Add the link</button>
		</form>
		<form id="links" data-live method="post" action="/links/delete">
			${select('link_id', 'Link', links)} <button>Delete the link</button>
		</form>
		<form id="blocks" data-live method="post" action="/blocks/top">
			<input name="page_id" type="hidden" value="${page?.id}" />
			${select('block_id', 'Block', blocks)} <button>Move the block to the top</button>
		</form>
		<form method="post" action="/fail">
			${select('kind', 'Failure', FAILURES)}
			<button name="calls" value="change">Fail the next change</button>
			<button name="calls" value="read">Fail the next read</button>
			<span id="waiting" data-live>Failures to come: ${faults.waiting}</span>
		</form>
		<form method="post" action="/clock">
			<span id="clock" data-live>Clock: ${formatTime(clock.now())}</span>
			<button name="advance" value="3600">+1 hour</button>
			<button name="advance" value="86400">+1 day</button>
		</form>
		<form method="post" action="/reset"><button>Back to the first state</button></form>
	</section>`;
}

const select = (
	name: string,
	label: string,
	options: ReadonlyArray<readonly [value: string | number, shown: string]>,
) =>
	html`<select name="${name}" aria-label="${label}">
		${options.map(([value, shown]) => html`<option value="${value}">${shown}</option>`)}
	</select>`;

/** The last 20 requests, newest first: without their headers and bodies, which contain secrets. */
function requests({ requests: recorded }: Recorder): Html {
	const row = ({ time, method, url, status, duration }: RecordedRequest) =>
		html`<tr>
			<td>${new Date(time).toTimeString().slice(0, 8)}</td>
			<td><b>${method}</b> ${url.split('?', 1)[0]}</td>
			<td class="${status && status >= 400 ? 'failed' : ''}">${status ?? (duration ? 'lost' : 'pending')}</td>
		</tr>`;
	return html`<section id="requests" data-live>
		<h2>Requests</h2>
		<table>
			${recorded.slice(-20).toReversed().map(row)}
		</table>
	</section>`;
}

/** The IDs of everything, also of links that are not public. */
function ids({ pages, links, groups }: Account): Html {
	const blocksOf = (page: Page) => titledBlocks(page).map(({ id, title, type }) => [`${title} (${type})`, id] as const);
	return html`<section id="ids" data-live>
		<h2>IDs</h2>
		${pages.map((page) => [html`<h3>${page.title}</h3>`, list([['Page', page.id], ...blocksOf(page)])]).flat()}
		<h3>Links</h3>
		${list(links.all.map((link) => [`${titleOf(link)} (${links.stateOf(link)})`, link.link_id]))}
		<h3>Groups</h3>
		${list(groups.map(({ group_id: id, group_name: name }) => [name, id]))}
	</section>`;
}

/** A click selects a value. */
const list = (entries: ReadonlyArray<readonly [name: string, value: string | number]>) =>
	html`<ul>
		${entries.map(([name, value]) => html`<li>${name} <code>${value}</code></li>`)}
	</ul>`;
