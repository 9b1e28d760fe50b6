import type { FastifyInstance, FastifyReply } from 'fastify';

import type { Account } from '../account';
import { addLinkForm } from '../addLinkForm';
import type { Clock } from '../clock';
import { clockScript } from '../clockForm';
import { type Content, sendPage } from '../layout';
import type { RequestLog } from '../requestLog';
import { renderLinks } from './links';
import { liveScript } from './liveScript';
import { renderPage, renderPages } from './pages';
import { renderRequests } from './requests';

export interface Viewed {
	account: Account;
	clock: Clock;
	requestLog: RequestLog;
}

/** Registers the HTML pages that show the account and the requests, and update after every change. */
export function registerViewer(server: FastifyInstance, viewed: Viewed): void {
	const { account, clock, requestLog } = viewed;
	const nav = '<a href="/">All pages</a>';
	const sendLivePage = async (reply: FastifyReply, content: Content) =>
		await sendPage(reply, {
			...content,
			aside: renderRequests(requestLog),
			script: liveScript + clockScript,
		});

	server.get('/', async (_request, reply) =>
		sendLivePage(reply, {
			title: 'Sandbox',
			main: renderPages(account.pages) + renderLinks(account, clock),
			form: addLinkForm,
			isWide: true,
		}),
	);

	server.get<{ Params: { pageId: string } }>('/pages/:pageId', async (request, reply) => {
		const page = account.page(request.params.pageId);
		if (!page) return await sendLivePage(reply.status(404), { title: 'Page not found', main: '', nav });
		const { id, title } = page;
		return await sendLivePage(reply, { title, detail: id, main: renderPage(page), nav });
	});

	server.get('/changes', (_request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const notify = (what: string) => () => reply.raw.write(`data: ${what}\n\n`);
		const [notifyOfChange, notifyOfRequest] = [notify('changed'), notify('requests')];
		reply.raw.write(': connected\n\n');
		account.on('change', notifyOfChange);
		requestLog.on('change', notifyOfRequest);
		reply.raw.on('close', () => {
			account.off('change', notifyOfChange);
			requestLog.off('change', notifyOfRequest);
		});
	});
}
