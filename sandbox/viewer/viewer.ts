import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Account, Page } from '../account';
import { addLinkForm } from '../addLinkForm';
import type { Clock } from '../clock';
import { renderFaultForm } from '../faultForm';
import type { Faults } from '../faults';
import { sendPage } from '../layout';
import type { RequestLog } from '../requestLog';
import { resetForm } from '../resetForm';
import { type Access, renderConnect } from './connect';
import { renderIds } from './ids';
import { renderLinks } from './links';
import { renderProfile } from './profile';
import { renderRequests } from './requests';

export interface Viewed {
	account: Account;
	clock: Clock;
	faults: Faults;
	requestLog: RequestLog;
	access: Access;
}

const INTRO = `<p>A profile-page service on this machine, to try workflows without an account. <strong>Run a workflow in n8n,
	and watch the profile change.</strong> The n8n of <code>npm run n8n</code> has a credential already; in another n8n,
	enter the values under Connect n8n.</p>`;

/** Registers the HTML pages that show the profile and the requests, and update after every change. */
export function registerViewer(server: FastifyInstance, viewed: Viewed): void {
	const { account } = viewed;

	server.get('/', async (request, reply) => await sendViewer(request, reply, viewed, latestPage(account)));

	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		const page = account.page(request.params.pageId);
		return await sendViewer(request, reply.status(page ? 200 : 404), viewed, page);
	});

	registerEvents(server, viewed);
}

/** Returns the page that was reordered last, or the first one. */
function latestPage({ pages }: Account): Page | undefined {
	const timeOf = ({ lastReorder }: Page) => lastReorder?.time ?? 0;
	return pages.toSorted((one, other) => timeOf(other) - timeOf(one))[0];
}

/** @param shown the page that the profile shows */
async function sendViewer(
	{ protocol, host }: FastifyRequest,
	reply: FastifyReply,
	{ account, clock, faults, requestLog, access }: Viewed,
	shown?: Page,
): Promise<FastifyReply> {
	const main = [
		renderProfile(account, access.owner.userName, shown),
		'<div class="column">',
		renderFaultForm(faults),
		renderRequests(requestLog),
		'</div><div class="column">',
		renderConnect(access, `${protocol}://${host}`),
		renderIds(account.pages),
		renderLinks(account, clock),
		addLinkForm,
		resetForm,
		'</div>',
	];
	return await sendPage(reply, { title: 'Profile Page Sandbox', intro: INTRO, main: main.join(''), isLive: true });
}

/** Registers the events that make open pages update. */
function registerEvents(server: FastifyInstance, { account, faults, requestLog }: Viewed): void {
	server.get('/changes', (_request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const notify = (what: string) => () => reply.raw.write(`data: ${what}\n\n`);
		const [notifyOfChange, notifyOfRequest] = [notify('changed'), notify('requests')];
		reply.raw.write(': connected\n\n');
		account.on('change', notifyOfChange);
		for (const source of [faults, requestLog]) source.on('change', notifyOfRequest);
		reply.raw.on('close', () => {
			account.off('change', notifyOfChange);
			for (const source of [faults, requestLog]) source.off('change', notifyOfRequest);
		});
	});
}
