import { request } from 'undici';

import { type Fault, statusFault } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME } from '../support/pages';
import { authorizeUrl, Browser, unescape } from './browser';
import {
	codeGrant,
	eventsDuring,
	FORM,
	get,
	getPage,
	newToken,
	post,
	refreshGrant,
	requestToken,
} from '../support/serviceClient';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox()));
afterEach(async () => await sandbox.close());

/** Returns the text of each cell of the log, newest request first. */
async function shownRequests(path = '/') {
	const { html } = await getPage(sandbox, path);
	const [log = ''] = /<section\s+id="requests".*?<\/section>/s.exec(html) ?? [];
	return [...log.matchAll(/<tr>\s*<td>(.*?)<\/tr>/gs)].map(([row]) =>
		[...row.matchAll(/<td.*?>(.*?)<\/td>/gs)].map(([, cell = '']) =>
			unescape(cell.replace(/<[^>]*>/g, ''))
				.replace(/\s+/g, ' ')
				.trim(),
		),
	);
}

/** Returns the request and the status of each row. */
const summary = async () => (await shownRequests()).map(([, target, status]) => [target, status]);

describe('the log of requests on the page', () => {
	test('is empty at first, and does not contain requests of the page itself', async () => {
		await getPage(sandbox, `/pages/${HOME}`);
		await getPage(sandbox, '/');
		expect(await shownRequests()).toEqual([]);
		expect((await getPage(sandbox, '/')).html).toContain('requests of your workflows appear here');
	});

	test('shows time, method, path, status, and duration of each request, newest first', async () => {
		sandbox.faults.latency = 30;
		const token = await newToken(sandbox);
		await get(sandbox, '/oauth/v1/me', token);
		await get(sandbox, '/oauth/v1/me', 'wrong');
		await post(sandbox, '/oauth/v1/none', {}, { token });
		for (const path of ['/', `/pages/${HOME}`]) {
			const requests = await shownRequests(path);
			expect(requests.map(([, target, status]) => [target, status])).toEqual([
				['POST /oauth/v1/none', '403'],
				['GET /oauth/v1/me', '401'],
				['GET /oauth/v1/me', '200'],
				['POST /oauth/token', '200'],
			]);
			for (const [time, , , duration = ''] of requests) {
				expect(time).toMatch(/^\d\d:\d\d:\d\d$/);
				expect(duration).toMatch(/^\d+ ms$/);
			}
			expect(parseInt(requests[2]?.[3] ?? '', 10)).toBeGreaterThanOrEqual(29);
		}
	});

	test.each<[Fault, string]>([
		[statusFault(503), '503 on purpose'],
		['reset', 'none on purpose'],
		['lost', 'none on purpose'],
		['cut', '200, cut off on purpose'],
	])('shows the fault %j as %p', async (fault, status) => {
		const token = await newToken(sandbox);
		sandbox.faults.add({ fault });
		await get(sandbox, '/oauth/v1/me', token).catch(() => undefined);
		expect((await summary())[0]).toEqual(['GET /oauth/v1/me', status]);
	});

	test('shows a request while it is in flight, and as unanswered once the client gives up', async () => {
		const token = await newToken(sandbox);
		sandbox.faults.add({ fault: 'hang' });
		const client = new AbortController();
		let pending: Promise<unknown> = Promise.resolve();
		await eventsDuring(
			sandbox,
			() => {
				pending = request(`${sandbox.baseUrl}/oauth/v1/me`, {
					headers: { authorization: `Bearer ${token}` },
					signal: client.signal,
				}).catch(() => undefined);
			},
			2,
			'requests',
		);
		expect((await summary())[0]).toEqual(['GET /oauth/v1/me', 'in flight on purpose']);
		await eventsDuring(sandbox, () => client.abort(), 1, 'requests');
		await pending;
		expect((await summary())[0]).toEqual(['GET /oauth/v1/me', 'none on purpose']);
	});

	test('shows a request whose Host header is rejected', async () => {
		const headers = { host: 'n8n.example' };
		const { body } = await request(`${sandbox.baseUrl}/oauth/v1/me`, { headers });
		await body.dump();
		expect(await summary()).toEqual([['GET /oauth/v1/me', '421']]);
	});

	test('does not contain requests of websites, which could push the others out', async () => {
		await get(sandbox, '/oauth/v1/me', 'wrong');
		const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
		const { statusCode, body } = await request(`${sandbox.baseUrl}/oauth/v1/none`, { headers });
		await body.dump();
		expect(statusCode).toBe(403);
		expect(await summary()).toEqual([['GET /oauth/v1/me', '401']]);
	});

	test('keeps the latest 100 requests', async () => {
		for (let index = 0; index < 102; index += 1) await get(sandbox, `/oauth/v1/${index}`);
		const targets = (await summary()).map(([target]) => target);
		expect(targets).toHaveLength(100);
		expect([targets[0], targets[99]]).toEqual(['GET /oauth/v1/101', 'GET /oauth/v1/2']);
	});

	test('escapes paths', async () => {
		await get(sandbox, `/oauth/v1/x'&y?page_id=${encodeURIComponent('"<b>')}`);
		const { html } = await getPage(sandbox, '/');
		expect(html).toContain('/oauth/v1/x&#39;&#38;y?page_id&#61;&#34;&#60;b&#62;');
	});

	test('shows only the IDs in a query', async () => {
		await get(sandbox, `/oauth/v1/sandbox/blocks?page_id=${HOME}`);
		await get(sandbox, '/oauth/v1/lnk/list?access_token=SECRET&group_id=2&SECRET');
		await get(sandbox, '/oauth/v1/lnk/list?SECRET');
		expect((await summary()).map(([target]) => target)).toEqual([
			'GET /oauth/v1/lnk/list?…',
			'GET /oauth/v1/lnk/list?group_id=2&…',
			`GET /oauth/v1/sandbox/blocks?page_id=${HOME}`,
		]);
	});

	test('never shows a secret, a code, a state, a token, or a body', async () => {
		const state = 'state-of-the-request';
		const redirect = await new Browser(sandbox).decide('allow', authorizeUrl(sandbox, { state }));
		const code = redirect.searchParams.get('code') ?? '';
		const { body: tokens } = await requestToken(sandbox, codeGrant(code), sandbox.publicApp);
		const refresh = refreshGrant(tokens.refresh_token);
		const { body: refreshed } = await requestToken(sandbox, refresh, sandbox.publicApp);
		const token = await newToken(sandbox);
		await post(sandbox, '/oauth/v1/lnk/edit', { link_id: '1', image: 'in the body' }, { token });
		await request(`${sandbox.baseUrl}/oauth/token?client_secret=${sandbox.clientSecret}`, {
			method: 'POST',
			headers: { 'content-type': FORM },
		}).then(async ({ body }) => await body.dump());

		const secrets = [
			state,
			code,
			tokens.access_token,
			tokens.refresh_token,
			refreshed.access_token,
			refreshed.refresh_token,
			token,
			sandbox.clientSecret,
			sandbox.publicApp.clientSecret,
			sandbox.owner.password,
			'in the body',
			'Basic',
			'Bearer',
		];
		const { html } = await getPage(sandbox, '/');
		const log = html.slice(html.indexOf('id="faults"'), html.indexOf('id="connect"'));
		expect(log).toContain('/manage/access?…');
		for (const secret of secrets) {
			expect(String(secret)).not.toBe('');
			expect(log).not.toContain(String(secret));
		}
	});

	test('is updated on open pages when a request arrives and when it ends', async () => {
		const events = await eventsDuring(sandbox, async () => await get(sandbox, '/oauth/v1/me'), 2, 'requests');
		expect(events).toEqual(['data: requests', 'data: requests']);
	});
});
