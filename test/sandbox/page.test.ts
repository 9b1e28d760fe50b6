import { request } from 'undici';

import type { Sandbox } from '../../sandbox/server';
import { type Fields, FORM, get, getPage, useSandbox } from '../support/serviceClient';

/** test/n8n/suite/open.test.ts sees the page change in a browser. */

let sandbox: Sandbox;
let token: string;
const open = useSandbox((service) => ({ sandbox, token } = service));

async function submit(path: string, fields: Fields, origin = sandbox.baseUrl) {
	const { statusCode, body } = await request(sandbox.baseUrl + path, {
		method: 'POST',
		headers: { 'content-type': FORM, origin },
		body: new URLSearchParams(fields).toString(),
	});
	await body.dump();
	return statusCode;
}

test('The page of the sandbox adds a link, shows it, and fails the next request if it is asked to', async () => {
	const link = { title: 'Added by hand', link: 'https://example.com/by-hand' };
	expect(await submit('/links', link)).toBe(303);
	expect((await getPage(sandbox, '/')).html).toContain(link.title);
	await submit('/fail', { calls: 'read', kind: '400' });
	const read = async () => (await get(sandbox, '/oauth/v1/me', token)).status;
	expect([await read(), await read()]).toEqual([400, 200]);
});

test('The page of the sandbox goes back to its first state, in which a new link gets an ID that no link has had', async () => {
	const { account, clock } = sandbox;
	const state = () => [account.pages.map(({ id }) => account.order(id)), account.links.all.map(({ title }) => title)];
	const [before, ids] = [state(), account.links.all.map(({ link_id: id }) => id)];
	const [page] = account.pages;
	const placements = account.order(page!.id).toReversed();
	account.reorder(
		page!.id,
		placements.map((id, position) => ({ id, position })),
	);
	account.links.delete(ids[0]!);
	const { link_id: added } = account.links.add({ title: 'Added', link: 'https://example.com/added' });
	clock.advance(1000);
	await submit('/fail', { calls: 'read', kind: '400' });
	expect(state()).not.toEqual(before);

	expect(await submit('/reset', {})).toBe(303);
	expect(state()).toEqual(before);
	expect(account.links.all.map(({ link_id: id }) => id)).toEqual(ids);
	expect(clock.offset).toBe(0);
	expect((await get(sandbox, '/oauth/v1/me', token)).status).toBe(200);
	expect(account.links.add({ title: 'Later', link: 'https://example.com/later' }).link_id).toBeGreaterThan(added);
});

test('The page of the sandbox shows no markup of the account, and no secret', async () => {
	await sandbox.close();
	const nasty = `<b>"it's"</b>`;
	await open({
		pages: [{ id: nasty, title: nasty, blocks: [] }],
		links: [{ title: nasty, link: `https://a/${nasty}` }],
	});
	await get(sandbox, '/oauth/v1/lnk/list?access_token=SECRET&group_id=2');
	const { html } = await getPage(sandbox, '/');
	expect(html.replaceAll('<b>GET</b>', '').replaceAll('<b>POST</b>', '')).not.toMatch(/<b>|"it|it's|SECRET/);
	expect(html).not.toContain(token);
});

test('The sandbox listens on loopback alone, and rejects what another site sends', async () => {
	expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
	const { statusCode, body } = await request(sandbox.baseUrl, { headers: { host: 'rebound.example:4747' } });
	await body.dump();
	expect(statusCode).toBe(421);
	expect(await submit('/clock', { advance: '3600' }, 'https://evil.example')).toBe(403);
	expect(sandbox.clock.offset).toBe(0);
});
