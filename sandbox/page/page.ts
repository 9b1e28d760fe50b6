import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Account, type Page, PROFILE_URL, titledBlocks } from '../account';
import { FAILURES } from '../actions';
import { type Clock, formatTime } from '../clock';
import type { Faults } from '../faults';
import type { Link, Links } from '../links';
import type { RecordedRequest, Recorder } from '../recorder';
import type { Service } from '../service';
import { type Html, html } from './html';
import { sendPage } from './layout';

/** Registers the page: the profile and what has changed, the requests, what to enter in n8n, and forms. */
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
	const { account, clock, faults, recorder, access } = service;
	const values = { 'Base URL': `${protocol}://${host}`, ...access };
	const main = html`${profile(account, page)}
		<div>${requests(recorder)} ${forms(faults, clock)}</div>
		<section>
			<h2>Connect n8n</h2>
			<p>Enter these in a credential. Then run a workflow, and watch the profile change.</p>
			${list(Object.entries(values))}
		</section>
		${ids(account)}`;
	return await sendPage(reply, 'Profile Page Sandbox', main);
}

/** The profile as its visitors see it, with marks for what has changed. */
function profile({ pages, links, lastReorder }: Account, shown?: Page): Html {
	const before = lastReorder && lastReorder.pageId === shown?.id ? lastReorder.before : [];
	const blocks = shown ? titledBlocks(shown) : [];
	return html`<section id="profile" data-live class="phone" aria-label="The profile, as its visitors see it">
		<p>${PROFILE_URL.replace('https://', '')}</p>
		<nav aria-label="Pages">${pages.map((page) => tab(page, page === shown))}</nav>
		<ol class="blocks">
			${blocks.map(({ id, title, position }) => item(`block ${id}`, title, move(before.indexOf(id), position)))}
		</ol>
		<ul>
			${links.list().map((link) => item(`link ${link.link_id}`, linkTo(link), links.recentChanges.get(link.link_id)))}
		</ul>
	</section>`;
}

const tab = ({ id, title }: Page, isShown: boolean) =>
	html`<a href="/pages/${encodeURIComponent(id)}" aria-current="${String(isShown)}">${title}</a>`;

/** Returns what people call a link. An edit may have cleared the title, the URL, or both. */
const titleOf = ({ title, link }: Pick<Link, 'link' | 'title'>) => title || link || 'Untitled';

const linkTo = (link: Pick<Link, 'link' | 'title'>) =>
	html`<a href="${link.link}" target="_blank" rel="noopener">${titleOf(link)}</a>`;

/** @param id under which the browser shows how it moves */
const item = (id: string, shown: string | Html, change = '') =>
	html`<li data-moves="${id}">${shown} <em>${change}</em></li>`;

/** Says how far a block has moved. */
function move(before: number, position: number): string {
	if (before < 0 || before === position) return '';
	return before > position ? `↑ ${before - position}` : `↓ ${position - before}`;
}

/** The latest 100 requests, newest first: without their headers and bodies, which contain secrets. */
function requests({ requests: recorded }: Recorder): Html {
	const row = ({ time, method, url, status, duration }: RecordedRequest) =>
		html`<tr>
			<td>${new Date(time).toTimeString().slice(0, 8)}</td>
			<td><b>${method}</b> ${url.split('?', 1)[0]}</td>
			<td class="${status && status >= 400 ? 'failed' : ''}">${status ?? (duration ? 'no response' : 'in flight')}</td>
		</tr>`;
	return html`<section id="requests" data-live>
		<h2>Requests</h2>
		<table>
			${recorded.slice(-100).toReversed().map(row)}
		</table>
	</section>`;
}

/** Each form sends one of the actions. */
function forms({ next }: Faults, clock: Clock): Html {
	const kinds = Object.entries(FAILURES).map(([kind, name]) => html`<option value="${kind}">${name}</option>`);
	return html`<section>
		<h2>Try</h2>
		<form method="post" action="/fail">
			<select name="kind" aria-label="Failure">
				${kinds}
			</select>
			<button name="calls" value="change">Fail the next change</button>
			<button name="calls" value="read">Fail the next read</button>
			<p id="next" data-live>${next && `The next ${next.calls} will fail: ${FAILURES[next.kind]}`}</p>
		</form>
		<form method="post" action="/links">
			<label>Title <input name="title" required /></label>
			<label>URL <input name="link" type="url" pattern="[Hh][Tt][Tt][Pp][Ss]?://.+" required /></label>
			<button>Add the link</button>
		</form>
		<form method="post" action="/clock">
			<p id="clock" data-live>The time of the links: ${formatTime(clock.now())}</p>
			<button name="advance" value="3600">+1 hour</button>
			<button name="advance" value="86400">+1 day</button>
		</form>
		<form method="post" action="/reset"><button>Back to the first state</button></form>
	</section>`;
}

/** The IDs of everything, also of links that are not public. */
function ids({ pages, links, groups }: Account): Html {
	const blocksOf = (page: Page) => titledBlocks(page).map(({ id, title, type }) => [`${title} (${type})`, id] as const);
	return html`<section id="ids" data-live>
		<h2>IDs</h2>
		${pages.map((page) => [html`<h3>${page.title}</h3>`, list([['Page', page.id], ...blocksOf(page)])]).flat()}
		<h3>Links</h3>
		${list(links.all.map((link) => [describe(link, links), link.link_id]))}
		<h3>Groups</h3>
		${list(groups.map(({ group_id: id, group_name: name }) => [name, id]))}
	</section>`;
}

function describe(link: Link, links: Links): string {
	const { schedule_from: from, schedule_to: to } = link;
	const notes = [links.stateOf(link), from && `from ${from}`, to && `to ${to}`];
	return `${titleOf(link)} (${notes.filter(Boolean).join(' ')})`;
}

/** A click selects a value. */
const list = (entries: ReadonlyArray<readonly [name: string, value: string | number]>) =>
	html`<ul>
		${entries.map(([name, value]) => html`<li>${name} <code>${value}</code></li>`)}
	</ul>`;
