import type { PageSeed } from '../../sandbox/account';
import { seededPages } from '../../sandbox/seed';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, SHOP } from '../support/pages';
import { eventsDuring, get, getPage, newToken } from '../support/serviceClient';
import { unescape } from './browser';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox()));
afterEach(async () => await sandbox.close());

/** Restarts the sandbox with other pages. */
async function reopen(pages: readonly PageSeed[]) {
	await sandbox.close();
	sandbox = await startSandbox({ pages });
}

/** Moves the topmost block of the home page to the bottom. */
function rotateHome() {
	const [top = '', ...others] = sandbox.account.order(HOME);
	const placements = [...others, top].map((id, position) => ({ id, position }));
	sandbox.account.reorder(HOME, placements);
}

test('the titles of the seeded pages and blocks are all different', () => {
	const titles = seededPages.flatMap(({ title, blocks }) => [title, ...blocks.map((block) => block.title)]);
	expect(titles).not.toContain(undefined);
	expect(new Set(titles).size).toBe(titles.length);
});

describe('the HTML pages of the sandbox', () => {
	/** Returns the text of an element without its tags. */
	const textOf = (element = '') =>
		unescape(element.replace(/<[^>]*>/g, ' '))
			.replace(/\s+/g, ' ')
			.trim();

	/** Returns a section of an HTML page. */
	async function section(id: string, path = '/') {
		const { html } = await getPage(sandbox, path);
		return new RegExp(`<section\\s+id="${id}".*?</section>`, 's').exec(html)?.[0] ?? '';
	}

	/** Returns the text of each element of the lists in a text. */
	const entries = (text: string, list = 'ol') =>
		[...text.matchAll(new RegExp(`<${list}.*?</${list}>`, 'gs'))].map(([found]) =>
			[...found.matchAll(/<li.*?<\/li>/gs)].map(([entry]) => textOf(entry)),
		);

	/** Returns what the buttons in a text copy, by their label. */
	const copies = (text: string) =>
		Object.fromEntries(
			[...text.matchAll(/data-copy="([^"]*)"(?: aria-label="Copy ([^"]*)")?/g)].map(([, copied = '', label]) => [
				label ?? 'all',
				unescape(copied),
			]),
		);

	test('say what the sandbox is, and what to do next', async () => {
		const { html } = await getPage(sandbox, '/');
		expect(textOf(/<header>.*?<\/header>/s.exec(html)?.[0])).toMatch(
			/^Profile Page Sandbox A profile-page service on this machine.* Run a workflow in n8n, and watch the profile change\. .* under Connect n8n\.$/,
		);
	});

	test('show the profile as its visitors see it: its picture, its name, its pages, and the blocks of one', async () => {
		const profile = await section('profile');
		expect(textOf(profile)).toMatch(/^S @sandbox example.com\/sandbox Home Shop New single Follow the band /);
		expect(profile).toContain(`<a href="/pages/${HOME}" aria-current="page">Home</a>`);
		expect(profile).toContain(`<a href="/pages/${SHOP}">Shop</a>`);
		expect(profile).not.toContain('65f1c0a2b3d4e1.10481516</');
		const shop = await section('profile', `/pages/${SHOP}`);
		expect(shop).toContain('aria-current="page">Shop</a>');
		expect(entries(shop)).toEqual([seededPages[1]!.blocks.map(({ title }) => title)]);
	});

	test('show the page that was reordered last, unless one was chosen', async () => {
		const [first = '', ...others] = sandbox.account.order(SHOP);
		sandbox.account.reorder(
			SHOP,
			[...others, first].map((id, position) => ({ id, position })),
		);
		expect(await section('profile')).toContain('aria-current="page">Shop</a>');
		expect(await section('profile', `/pages/${HOME}`)).toContain('aria-current="page">Home</a>');
	});

	test('show the ID of each page and block, in the order of the page, with buttons that copy them', async () => {
		rotateHome();
		const ids = await section('ids');
		expect(textOf(/<h3>.*?<\/h3>/s.exec(ids)?.[0])).toBe(`Home ${HOME}`);
		expect(entries(ids)[0]).toEqual([
			'Follow the band was 1 BLOCK_ICONS 65f1c0a2b3d4e2.23420815',
			'Tour dates was 2 BLOCK_TITLE 65f1c0a2b3d4e3.16234204',
			'Listen on was 3 BLOCK_ICONS 65f1c0a2b3d4e4.42081523',
			'New single was 0 BLOCK_TITLE 65f1c0a2b3d4e1.10481516',
		]);
		const [home = '', shop = ''] = ids.match(/<article.*?<\/article>/gs) ?? [];
		expect(copies(home)).toEqual({
			'the ID of the page Home': HOME,
			'the ID of the block Follow the band': '65f1c0a2b3d4e2.23420815',
			'the ID of the block Tour dates': '65f1c0a2b3d4e3.16234204',
			'the ID of the block Listen on': '65f1c0a2b3d4e4.42081523',
			'the ID of the block New single': '65f1c0a2b3d4e1.10481516',
			all: sandbox.account.order(HOME).join('\n'),
		});
		expect(copies(shop).all).toBe(sandbox.account.order(SHOP).join('\n'));
	});

	test('show the values of both credentials with buttons that copy them', async () => {
		expect(copies(await section('connect'))).toEqual({
			'Base URL of the credential': sandbox.baseUrl,
			'Client ID of the credential': sandbox.clientId,
			'Client Secret of the credential': sandbox.clientSecret,
			'Pages Path of the credential': '/oauth/v1/sandbox/pages',
			'Blocks Path of the credential': '/oauth/v1/sandbox/blocks',
			'Client ID of the public app': sandbox.publicApp.clientId,
			'Client Secret of the public app': sandbox.publicApp.clientSecret,
			'User name of the public app': sandbox.owner.userName,
			'Password of the public app': sandbox.owner.password,
		});
	});

	test('name the paths at which the API lists the pages and the blocks of each page', async () => {
		const paths = copies(await section('connect'));
		const token = await newToken(sandbox);
		const list = async (path: string) => (await get(sandbox, path, token)).body.data;
		expect(await list(paths['Pages Path of the credential']!)).toMatchObject([{ page_id: HOME }, { page_id: SHOP }]);
		expect(await list(`${paths['Blocks Path of the credential']}?page_id=${SHOP}`)).toMatchObject(
			sandbox.account.page(SHOP)!.blocks,
		);
	});

	test('say how far each block of the profile has moved, and when', async () => {
		const start = Date.now();
		expect(`${await section('profile')} ${await section('ids')}`).not.toMatch(/<em>|Reordered/);
		rotateHome();
		expect(entries(await section('profile'))).toEqual([
			[
				'Follow the band ↑ 1 moved up by 1',
				'Tour dates ↑ 1 moved up by 1',
				'Listen on ↑ 1 moved up by 1',
				'New single ↓ 3 moved down by 3',
			],
		]);
		const [, time = ''] = /<p class="note">Reordered at <time datetime="(.*?)">/.exec(await section('ids')) ?? [];
		expect(Date.parse(time)).toBeGreaterThanOrEqual(start);
		expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
		expect(await section('profile', `/pages/${SHOP}`)).not.toContain('<em>');
	});

	test('do not mark the middle block of a reversed page, which stayed', async () => {
		const reversed = sandbox.account.order(SHOP).toReversed();
		sandbox.account.reorder(
			SHOP,
			reversed.map((id, position) => ({ id, position })),
		);
		expect(entries(await section('ids'))[1]?.map((entry) => entry.replace(/ BLOCK.*/, ''))).toEqual([
			'Contact us was 6',
			'Gift cards was 5',
			'Share the shop was 4',
			'Posters',
			'T-shirts was 2',
			'Ways to pay was 1',
			'Vinyl was 0',
		]);
	});

	test('keep the marks when a reorder does not change the order', async () => {
		rotateHome();
		const ids = await section('ids');
		const same = sandbox.account.order(HOME).map((id, position) => ({ id, position }));
		sandbox.account.reorder(HOME, same);
		expect(await section('ids')).toBe(ids);
	});

	test('escape the titles and IDs of pages and blocks', async () => {
		const block = { id: '<u>.1', type: 'BLOCK_TITLE', title: '<b>Block</b>' };
		await reopen([{ id: 'PAGE_<i>', title: '<b>Page</b>', blocks: [block] }]);
		for (const path of ['/', `/pages/${encodeURIComponent('PAGE_<i>')}`]) {
			const { html } = await getPage(sandbox, path);
			expect(html).not.toMatch(/<[bui]>/);
			for (const name of ['Page', 'Block']) expect(html).toContain(`&#60;b&#62;${name}&#60;/b&#62;`);
			for (const id of ['PAGE_&#60;i&#62;', '&#60;u&#62;.1']) expect(html).toContain(id);
		}
	});

	test('return 404 for an unknown page', async () => {
		expect(await getPage(sandbox, '/pages/PAGE_%3Cb%3E')).toMatchObject({ status: 404 });
	});

	test('receive an event after a reorder', async () => {
		expect(await eventsDuring(sandbox, rotateHome)).toEqual(['data: changed']);
	});
});
