import { request } from 'undici';

import { type Fault, statusFault } from '../../sandbox/faults';
import { seededPages } from '../../sandbox/seed';
import type { Sandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import {
	codeGrant,
	eventsDuring,
	type Fields,
	FORM,
	get,
	getPage,
	requestToken,
	sendOrder,
	useSandbox,
} from '../support/serviceClient';
import { authorizeUrl, Browser, unescape } from './browser';

/** test/n8n/suite/sandboxPage.test.ts tests the page in a browser. */

const ME = '/oauth/v1/me';

let sandbox: Sandbox;
let token: string;
const open = useSandbox((service) => ({ sandbox, token } = service));

const textOf = (html: string) =>
	unescape(html.replace(/<[^>]*>/g, ' '))
		.replace(/\s+/g, ' ')
		.trim();

/** Returns a section of the page. */
async function section(id: string, path = '/') {
	const { html } = await getPage(sandbox, path);
	return new RegExp(`<section\\s+id="${id}".*?</section>`, 's').exec(html)?.[0] ?? '';
}

/** Returns the text of each element in a section. */
const texts = async (id: string, element = 'li', path = '/') =>
	[...(await section(id, path)).matchAll(new RegExp(`<${element}[ >].*?</${element}>`, 'gs'))].map(([html]) =>
		textOf(html),
	);

async function submit(path: string, fields: Fields) {
	const { statusCode, body } = await request(sandbox.baseUrl + path, {
		method: 'POST',
		headers: { 'content-type': FORM, origin: sandbox.baseUrl },
		body: new URLSearchParams(fields).toString(),
	});
	await body.dump();
	return statusCode;
}

/** Moves the topmost block of a page to the bottom, with a request. */
async function rotate(pageId: string) {
	const [top = '', ...others] = sandbox.account.order(pageId);
	await sendOrder(sandbox, pageId, [...others, top], token);
}

describe('The page of the sandbox', () => {
	test('shows the profile with the public links, and the page that was reordered last or was chosen', async () => {
		const links = ['Summer tour', 'New album', 'Newsletter'];
		expect(await texts('profile')).toEqual([...seededPages[0]!.blocks.map(({ title }) => title), ...links]);
		await rotate(SHOP);
		expect(await section('profile')).toContain('aria-current="page">Shop</a>');
		expect(await section('profile', `/pages/${HOME}`)).toContain('aria-current="page">Home</a>');
		expect((await getPage(sandbox, '/pages/PAGE_none')).status).toBe(404);
	});

	test('marks the blocks that the last reorder has moved', async () => {
		expect(await eventsDuring(sandbox, async () => await rotate(HOME))).toEqual(['data: changed']);
		const moves = ['Follow the band ↑ 1 moved up by 1', 'Tour dates ↑ 1 moved up by 1', 'Listen on ↑ 1 moved up by 1'];
		expect((await texts('profile')).slice(0, 4)).toEqual([...moves, 'New single ↓ 3 moved down by 3']);
		expect((await texts('ids'))[3]).toBe('New single was 0 BLOCK_TITLE 65f1c0a2b3d4e1.10481516');
	});

	test('marks the links that were added or edited at most ten seconds apart', async () => {
		const { links } = sandbox.account;
		links.add({ title: 'News', link: 'https://example.com/' });
		links.edit(5, { title: 'Old news' });
		links.edit(1, { title: 'Letters' });
		links.delete(2);
		expect((await texts('profile')).slice(4)).toEqual(['Old news added', 'Summer tour', 'Letters edited']);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_500);
		links.edit(3, { title: 'Tour' });
		now.mockRestore();
		expect((await texts('profile')).slice(4)).toEqual(['Old news', 'Tour edited', 'Letters']);
	});

	test('escapes what it shows', async () => {
		await sandbox.close();
		const nasty = `<b>"it's"</b>`;
		const blocks = [{ id: nasty, type: 'BLOCK_TITLE', title: nasty }];
		await open({ pages: [{ id: nasty, title: nasty, blocks }], links: [{ title: nasty, link: `https://a/${nasty}` }] });
		await get(sandbox, `/oauth/v1/x'&y?page_id=${encodeURIComponent(nasty)}`);
		const { html } = await getPage(sandbox, '/');
		expect(html.replaceAll('<b>GET</b>', '').replaceAll('<b>POST</b>', '')).not.toMatch(/<b>|"it|it's|x'/);
		expect(unescape(html)).toContain(`https://a/${nasty}`);
	});
});

describe('The log of requests', () => {
	const rows = async () => (await texts('requests', 'tr')).slice(1).map((row) => row.replace(/^\S+ | \d+ ms$/g, ''));

	test('shows method, path, and status, newest first, but no requests of the page itself', async () => {
		await get(sandbox, ME, token);
		await getPage(sandbox, `/pages/${HOME}`);
		expect(await eventsDuring(sandbox, () => get(sandbox, ME, 'wrong'), 2, 'requests')).toHaveLength(2);
		expect(await rows()).toEqual([`GET ${ME} 401`, `GET ${ME} 200`, 'POST /oauth/token 200']);
	});

	test.each<[Fault, string]>([
		[statusFault(503), '503 on purpose'],
		['lost', 'none on purpose'],
		['cut', '200, cut off on purpose'],
	])('shows the fault %j as %p', async (fault, status) => {
		sandbox.faults.add({ fault });
		await get(sandbox, ME, token).catch(() => undefined);
		expect((await rows())[0]).toBe(`GET ${ME} ${status}`);
	});

	test('shows of a query only the IDs, and no secret, code, state, or token', async () => {
		await get(sandbox, `/oauth/v1/lnk/list?access_token=SECRET&group_id=2&SECRET`);
		const redirect = await new Browser(sandbox).decide('allow', authorizeUrl(sandbox, { state: 'the-state' }));
		const code = redirect.searchParams.get('code') ?? '';
		const { body } = await requestToken(sandbox, codeGrant(code), sandbox.publicApp);
		const log = JSON.stringify(sandbox.requestLog.requests);
		expect(log).toContain('/oauth/v1/lnk/list?group_id=2&…');
		expect(log).toContain('/manage/access?…');
		for (const secret of [code, 'the-state', body.access_token, body.refresh_token, token, 'SECRET', 'Bearer']) {
			expect(secret).toBeTruthy();
			expect(log).not.toContain(secret);
		}
	});
});

describe('The form that fails the next request', () => {
	const choose = async (kind: string, calls = 'read') => await submit('/fail', { calls, kind });
	const pressed = async () =>
		[...(await section('faults')).matchAll(/aria-pressed="true">\s*(.*?)\s*</g)].map(([, name]) => name);

	test.each(['read', 'change'])('fails the next %s once, and no token request', async (calls) => {
		await choose('400', calls);
		expect(textOf(await section('faults'))).toContain(`The next ${calls} will fail: the service rejects it.`);
		expect(await pressed()).toEqual(['Rejected (400)']);
		expect((await requestToken(sandbox)).status).toBe(200);
		const read = async () => await get(sandbox, ME, token);
		const change = async () => await sendOrder(sandbox, HOME, sandbox.account.order(HOME), token);
		const [failing, other] = calls === 'read' ? [read, change] : [change, read];
		for (const [send, status] of [
			[other, 200],
			[failing, 400],
			[failing, 200],
		] as const) {
			expect((await send()).status).toBe(status);
		}
		expect(await pressed()).toEqual([]);
	});

	test('takes the failure back, and rejects one that it does not offer', async () => {
		await choose('lost');
		expect(await choose('')).toBe(303);
		expect((await get(sandbox, ME, token)).status).toBe(200);
		expect([await choose('constructor'), await choose('503', 'all')]).toEqual([400, 400]);
	});
});

test('The form that adds a link adds it at the top, rejects an invalid address, and updates open pages', async () => {
	const link = { title: 'Added by hand', link: 'https://example.com/by-hand' };
	expect(await submit('/links', { ...link, link: 'javascript:alert(1)' })).toBe(400);
	const submitted = async () => expect(await submit('/links', link)).toBe(303);
	expect(await eventsDuring(sandbox, submitted)).toEqual(['data: changed']);
	expect(sandbox.account.links.list()[0]).toMatchObject(link);
	expect(sandbox.account.links.all).toHaveLength(5);
});
