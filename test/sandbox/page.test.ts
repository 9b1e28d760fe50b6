import { request } from 'undici';

import type { Sandbox } from '../../sandbox/server';
import { HOME } from '../support/pages';
import { type Fields, FORM, get, getPage, sendOrder, useSandbox } from '../support/serviceClient';

/** test/n8n/suite/open.test.ts sees the page change in a browser. */

let sandbox: Sandbox;
let token: string;
const open = useSandbox((service) => ({ sandbox, token } = service));

async function submit(path: string, fields: Fields = {}, others: Record<string, string> = {}) {
	const { statusCode, body } = await request(sandbox.baseUrl + path, {
		method: 'POST',
		headers: { 'content-type': FORM, origin: sandbox.baseUrl, ...others },
		body: new URLSearchParams(fields).toString(),
	});
	await body.dump();
	return statusCode;
}

const readMe = async () => (await get(sandbox, '/oauth/v1/me', token)).status;

test('The page of the sandbox adds a link, deletes one, and moves a block to the top', async () => {
	const link = { title: 'Added by hand', link: 'https://example.com/by-hand' };
	const ids = sandbox.account.order(HOME);
	const statuses = [
		await submit('/links', link),
		await submit('/links/delete', { link_id: '1' }),
		await submit('/blocks/top', { page_id: HOME, block_id: ids[2]! }),
	];
	expect(statuses).toEqual([303, 303, 303]);
	expect(sandbox.account.links.all.map(({ link_id: id }) => id)).toEqual([5, 4, 3, 2]);
	expect(sandbox.account.order(HOME)).toEqual([ids[2], ids[0], ids[1], ids[3]]);
	expect(await getPage(sandbox, '/')).toContain(link.title);
});

test('The page of the sandbox fails the next call of a kind, once', async () => {
	await submit('/fail', { calls: 'change', kind: '503' });
	await submit('/fail', { calls: 'read', kind: '400' });
	expect([await readMe(), await readMe()]).toEqual([400, 200]);
	expect(await submit('/fail', { calls: 'read', kind: 'constructor' })).toBe(400);
});

test('The page of the sandbox shows the last twenty requests', async () => {
	for (let call = 0; call < 21; call += 1) await readMe();
	expect((await getPage(sandbox, '/')).match(/\/oauth\/v1\/me/g)).toHaveLength(20);
});

test('The page of the sandbox goes back to its first state, in which a new link gets an ID that no link has had', async () => {
	const { account, clock } = sandbox;
	const state = () => [account.pages, account.links.all.map((link) => ({ ...link, created_at: '' }))];
	const before = state();
	const [page] = account.pages;
	await sendOrder(sandbox, page!.id, account.order(page!.id).toReversed(), token);
	account.links.delete(1);
	const { link_id: added } = account.links.add({ title: 'Added', link: 'https://example.com/added' });
	await submit('/clock', { advance: '3600' });
	await submit('/fail', { calls: 'read', kind: '400' });
	expect([await submit('/reset'), clock.offset, await readMe()]).toEqual([303, 0, 200]);
	expect(state()).toEqual(before);
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
	const html = await getPage(sandbox, '/');
	expect(html.replaceAll('<b>GET</b>', '').replaceAll('<b>POST</b>', '')).not.toMatch(/<b>|"it|it's|SECRET/);
	expect(html).not.toContain(token);
});

test('The sandbox listens on loopback alone, and rejects what another site sends', async () => {
	expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
	expect(await submit('/clock', { advance: '3600' }, { host: 'rebound.example:4747' })).toBe(403);
	expect(await submit('/clock', { advance: '3600' }, { origin: 'https://evil.example' })).toBe(403);
	expect(sandbox.clock.offset).toBe(0);
});
