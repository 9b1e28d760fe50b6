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
		element
			.replace(/<[^>]*>/g, ' ')
			.replace(/\s+/g, ' ')
			.trim();

	/** Requests an HTML page, and reads the blocks of each list on it. */
	async function shown(path: string) {
		const { html } = await getPage(sandbox, path);
		return {
			html,
			blocks: [...html.matchAll(/<ol.*?<\/ol>/gs)].map(([list]) =>
				[...list.matchAll(/<li.*?<\/li>/gs)].map(([block]) => ({
					title: textOf(/<strong>.*?<\/strong>/s.exec(block)?.[0]),
					details: textOf(/<span>.*?<\/span>/s.exec(block)?.[0]),
				})),
			),
		};
	}

	test('show each page with its title, its ID and the number of its blocks', async () => {
		const { html, blocks } = await shown('/');
		const headings = [...html.matchAll(/<h2>.*?<\/h2>/gs)].map(([heading]) => heading);
		expect(headings.map(textOf)).toEqual([
			`Home ${HOME}, 4 blocks`,
			`Shop ${SHOP}, 7 blocks`,
			'Links',
			'Add a link',
			'Requests',
		]);
		expect(headings[0]).toContain(`<a href="/pages/${HOME}">Home</a>`);
		expect(blocks.map((list) => list.map(({ title }) => title))).toEqual(
			seededPages.map((page) => page.blocks.map(({ title }) => title)),
		);
	});

	test('show the title of a block, and its ID and type beside it, in the order of the page', async () => {
		rotateHome();
		const { html, blocks } = await shown(`/pages/${HOME}`);
		expect(textOf(/<h1>.*?<\/h1>/s.exec(html)?.[0])).toBe(`Home ${HOME}`);
		expect(blocks).toEqual([
			[
				{ title: 'Follow the band', details: '65f1c0a2b3d4e2.23420815 BLOCK_ICONS' },
				{ title: 'Tour dates', details: '65f1c0a2b3d4e3.16234204 BLOCK_TITLE' },
				{ title: 'Listen on', details: '65f1c0a2b3d4e4.42081523 BLOCK_ICONS' },
				{ title: 'New single', details: '65f1c0a2b3d4e1.10481516 BLOCK_TITLE' },
			],
		]);
	});

	test('name the paths at which the API lists the pages and the blocks of each page', async () => {
		const { html } = await shown('/');
		const pathsIn = (text: string) =>
			[...text.matchAll(/<code>GET (.*?)<\/code>/g)].map(([, path = '']) => unescape(path));
		const paths = pathsIn(html);
		expect(paths).toHaveLength(3);
		const token = await newToken(sandbox);
		const [pages, home, shop] = await Promise.all(
			paths.map(async (path): Promise<unknown> => (await get(sandbox, path, token)).body.data),
		);
		expect(pages).toEqual([expect.objectContaining({ page_id: HOME }), expect.objectContaining({ page_id: SHOP })]);
		expect(home).toMatchObject(sandbox.account.page(HOME)!.blocks);
		expect(shop).toMatchObject(sandbox.account.page(SHOP)!.blocks);
		expect(pathsIn((await shown(`/pages/${SHOP}`)).html)).toEqual([paths[2]]);
	});

	/** Returns the title of each block of a page, and what is said about where it was. */
	async function origins(pageId: string) {
		const { html } = await shown(`/pages/${pageId}`);
		return [...html.matchAll(/<strong>(.*?)<\/strong>(.*?)<span>/gs)].map(
			([, title = '', origin = '']) => `${title}: ${textOf(origin)}`,
		);
	}

	test('say where each block was before the last change, and when it was made', async () => {
		const start = Date.now();
		expect((await shown(`/pages/${HOME}`)).html).not.toMatch(/class="changed"|<em>|stayed/);
		rotateHome();
		expect(await origins(HOME)).toEqual([
			'Follow the band: was 1',
			'Tour dates: was 2',
			'Listen on: was 3',
			'New single: was 0',
		]);
		for (const path of ['/', `/pages/${HOME}`]) {
			const { html } = await shown(path);
			const [, time = ''] = /<p class="changed">Reordered at <time datetime="(.*?)">/.exec(html) ?? [];
			expect(Date.parse(time)).toBeGreaterThanOrEqual(start);
			expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
		}
		expect((await shown(`/pages/${SHOP}`)).html).not.toMatch(/class="changed"|<em>|stayed/);
	});

	test('say that the middle block of a reversed page stayed', async () => {
		const reversed = sandbox.account.order(SHOP).toReversed();
		sandbox.account.reorder(
			SHOP,
			reversed.map((id, position) => ({ id, position })),
		);
		expect(await origins(SHOP)).toEqual([
			'Contact us: was 6',
			'Gift cards: was 5',
			'Share the shop: was 4',
			'Posters: stayed',
			'T-shirts: was 2',
			'Ways to pay: was 1',
			'Vinyl: was 0',
		]);
	});

	test('keep the marks when a reorder does not change the order', async () => {
		rotateHome();
		const { html } = await shown(`/pages/${HOME}`);
		const same = sandbox.account.order(HOME).map((id, position) => ({ id, position }));
		sandbox.account.reorder(HOME, same);
		expect((await shown(`/pages/${HOME}`)).html).toBe(html);
	});

	test('escape the titles and IDs of pages and blocks', async () => {
		const block = { id: '<u>.1', type: 'BLOCK_TITLE', title: '<b>Block</b>' };
		await reopen([{ id: 'PAGE_<i>', title: '<b>Page</b>', blocks: [block] }]);
		for (const path of ['/', `/pages/${encodeURIComponent('PAGE_<i>')}`]) {
			const { html } = await shown(path);
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
