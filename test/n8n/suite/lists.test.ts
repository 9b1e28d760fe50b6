import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { profilePage } from '../support/workflows';

const harness = useEditor('n8n-lists');
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

const titles = (ids: string[]) => ids.map((id) => sandbox.account.page(HOME)!.blockTitles.get(id));

/** Opens a node in a new workflow, whose credential has these paths. */
async function openNode(fields: object = {}, paths: Record<string, string> = LIST_PATHS, items?: object[]) {
	await editor.openInWorkflow(profilePage(await harness.n8n.rest.addPrivateApp(sandbox, paths), fields), items);
}

const locator = (value: string, cachedResultName?: string) => ({ __rl: true, mode: 'list', value, cachedResultName });

const move = { resource: 'blocks', operation: 'move' };

async function choosePage(name: string): Promise<void> {
	const pages = await editor.openList();
	await pages.filter({ hasText: name }).click();
}

/** Opens the list of blocks, and waits until it has this one. */
async function expectBlock(title: string): Promise<void> {
	await editor.openChoices('blocksToMove');
	await until(`${title} is listed`, async () =>
		(await editor.openOptions.allTextContents()).some((text) => text.includes(title)),
	);
	await editor.page.keyboard.press('Escape');
}

test('from an open node to a block on top by name, in five clicks and Execute Step, without typing', async () => {
	await openNode(move);
	await choosePage('Home');
	await editor.chooseAlso('blocksToMove', 'Tour dates');
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	await until('the block is on top', () => titles(sandbox.account.order(HOME))[0] === 'Tour dates');
	const rows = await editor.outputRows();
	expect(rows.map(([, title]) => title)).toEqual(titles(sandbox.account.order(HOME)));
	expect(await editor.panel.getByText('On top of page "Home": "Tour dates".').count()).toBeGreaterThan(0);
	await takePicture(editor.panel, 'blocks-by-name');
});

test('a rotation keeps the first block in place, and a preview shows it before it happens', async () => {
	const before = sandbox.account.order(HOME);
	const [first = '', ...others] = titles(before);
	const rotation = { ...move, pageId: locator(HOME, 'Home'), arrangement: 'rotate' };
	await openNode({ ...rotation, preview: true });
	await editor.chooseAlso('blocksToKeep', first);
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	const shown = editor.panel.getByText('This is a preview: nothing was changed.');
	await until('the hint is shown', async () => (await shown.count()) > 0);
	expect((await editor.outputRows()).flat()).toEqual(expect.arrayContaining([first, ...others]));
	expect(sandbox.account.order(HOME)).toEqual(before);
	await takePicture(editor.panel, 'preview');
});

test('asks for a page before its blocks, and loads the list of blocks anew for another page', async () => {
	await openNode(move);
	await editor.panel.getByText('Choose a page first.').waitFor();
	expect(await editor.fieldNames()).not.toContain('Blocks to Move');
	await choosePage('Home');
	await editor.panel.getByText('Choose a page first.').waitFor({ state: 'detached' });
	await expectBlock('Listen on');
	await choosePage('Shop');
	await expectBlock('Vinyl');
});

test('lists the blocks of a page that an expression gives, and does not ask for a page', async () => {
	await openNode({ ...move, pageId: `={{ "${HOME}" }}` });
	await expectBlock('Listen on');
	expect(await editor.panel.getByText('Choose a page first.').count()).toBe(0);
});

test('a page by name has its blocks in the list, and names from data are moved', async () => {
	await openNode({ ...move, pageId: { __rl: true, mode: 'name', value: 'shop' } });
	await expectBlock('Vinyl');
	const fields = {
		pageId: { __rl: true, mode: 'name', value: '={{ $json.page }}' },
		blocksToMove: '={{ $json.blocks }}',
	};
	await openNode({ ...move, ...fields }, LIST_PATHS, [{ page: 'Shop', blocks: 'Gift cards\nPosters' }]);
	await editor.executeStep();
	const rows = await editor.outputRows();
	expect(rows.slice(0, 2).map(([, title]) => title)).toEqual(['Gift cards', 'Posters']);
	expect(await editor.byTestId('parameter-issues').count()).toBe(0);
});

test('a misspelt name is answered with the names that there are', async () => {
	await openNode({ ...move, pageId: locator(HOME, 'Home'), blocksToMove: '={{ "Tour date" }}' });
	await editor.executeStep();
	const { message } = await editor.error();
	expect(message).toMatch(/^Blocks to Move: no block of page "Home" is called "Tour date"\. It has: "/);
});

test('the lists of pages and blocks say what helps, and what works, if the credential has no paths for them', async () => {
	await openNode({}, {});
	await editor.openList();
	expect(await editor.listError.innerText()).toMatch(
		/Pages Path: the credential does not contain it\. Find "List all pages" in .* Reorder Blocks, with Page set to By ID, works without it\./s,
	);
	await openNode({ ...move, pageId: HOME }, {});
	await editor.byTestId('parameter-issues').hover();
	await editor.page.getByText('Reorder Blocks, with Page set to By ID, works without it.').first().waitFor();
});

test('a switch between Move Blocks and Reorder Blocks empties their fields for blocks, as n8n does with any field, and nothing is sent', async () => {
	const before = sandbox.account.order(HOME);
	const [, second = ''] = titles(before);
	await openNode({ ...move, pageId: locator(HOME, 'Home') });
	await editor.chooseAlso('blocksToMove', second);
	await editor.page.keyboard.press('Tab');
	await editor.choose('operation', 'Reorder Blocks');
	await editor.choose('blockOrder', 'Block IDs From a Value');
	await editor.enter('blockIdsValue', before.join());
	await editor.choose('operation', 'Move Blocks');
	const chosen = editor.panel.locator('[data-parameter-path="parameters.blocksToMove"] .el-tag');
	expect(await chosen.count()).toBe(0);
	await editor.executeStep();
	await editor.choose('operation', 'Reorder Blocks');
	await editor.choose('blockOrder', 'Block IDs From a Value');
	expect(await editor.field('blockIdsValue').inputValue()).toBe('');
	expect(sandbox.account.order(HOME)).toEqual(before);
});

describe('the list of links', () => {
	const linkTitles = () => sandbox.account.links.list().map(({ title }) => title);

	test('can be searched by title, and a link in it selected', async () => {
		const before = linkTitles();
		await openNode({ resource: 'links', operation: 'delete' });
		const entries = await editor.openList();
		expect(await entries.allTextContents()).toEqual(before);
		await editor.byTestId('rlc-search').fill('ALBUM');
		await entries.filter({ hasText: 'Summer tour' }).waitFor({ state: 'hidden' });
		await entries.filter({ hasText: 'New album' }).waitFor();
		expect(await entries.allTextContents()).toEqual(['New album']);
		await entries.first().click();
		await editor.executeStep();
		expect(await editor.outputRows()).toEqual([['2', 'deleted', 'true']]);
		expect(linkTitles()).toEqual(before.filter((title) => title !== 'New album'));
	});

	test('and that of groups say why they cannot be loaded', async () => {
		const rejected =
			'No access token: the service rejected the Client ID or the Client Secret (401). Check the Client ID';
		const wrong = { clientSecret: 'wrong' };
		await openNode({ resource: 'links', operation: 'delete' }, wrong);
		await editor.openList();
		expect(await editor.listError.innerText()).toContain(rejected);
		await openNode({ resource: 'links', operation: 'getAll', filters: { groupId: '' } }, wrong);
		await editor.byTestId('parameter-issues').first().hover();
		await editor.page.getByText(rejected).first().waitFor();
	});
});
