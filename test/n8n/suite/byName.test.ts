import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { profilePage } from '../support/workflows';

const harness = useEditor('n8n-by-name');
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

const titles = (ids: string[]) => ids.map((id) => sandbox.account.page(HOME)!.blockTitles.get(id));

/** Opens a node in a new workflow, whose credential has these paths. */
async function openNode(fields: object = {}, paths: Record<string, string> = LIST_PATHS): Promise<void> {
	await editor.openInWorkflow(profilePage(await harness.n8n.rest.addPrivateApp(sandbox, paths), fields));
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
	await takePicture(editor.panel, 'page-from-expression');
});

test('a page by name has its blocks in the list, and names from data are moved', async () => {
	await openNode({ ...move, pageId: { __rl: true, mode: 'name', value: 'shop' } });
	await takePicture(editor.panel, 'page-by-name');
	await expectBlock('Vinyl');
	await editor.openInWorkflow(
		profilePage(await harness.n8n.rest.addPrivateApp(sandbox, LIST_PATHS), {
			...move,
			pageId: { __rl: true, mode: 'name', value: '={{ $json.page }}' },
			blocksToMove: '={{ $json.blocks }}',
		}),
		[{ page: 'Shop', blocks: 'Gift cards\nPosters' }],
	);
	await editor.executeStep();
	const rows = await editor.outputRows();
	expect(rows.slice(0, 2).map(([, title]) => title)).toEqual(['Gift cards', 'Posters']);
	expect(await editor.panel.getByText('On top of page "Shop": "Gift cards".').count()).toBeGreaterThan(0);
	expect(await editor.byTestId('parameter-issues').count()).toBe(0);
	await takePicture(editor.panel, 'names-from-data');
});

test('a misspelt name is answered with the names that there are', async () => {
	await openNode({ ...move, pageId: locator(HOME, 'Home'), blocksToMove: '={{ "Tour date" }}' });
	await editor.executeStep();
	expect(await editor.byTestId('node-error-message').innerText()).toMatch(
		/^Blocks to Move: no block of page "Home" is called "Tour date"\. It has: "/,
	);
	await takePicture(editor.panel, 'misspelt-name');
});

test('a rotation says by name which blocks come next', async () => {
	await openNode({ ...move, pageId: locator(HOME, 'Home'), arrangement: 'rotate', preview: true });
	await editor.executeStep();
	const [, second = '', third = '', fourth = ''] = titles(sandbox.account.order(HOME));
	const hint = `On top of page "Home": "${second}". Then, run by run: "${third}", "${fourth}".`;
	await editor.panel.getByText(hint).first().waitFor();
	await takePicture(editor.panel, 'next-blocks');
});

test('the lists of pages and blocks say what helps, and what works, if the credential has no paths for them', async () => {
	await openNode({}, {});
	await editor.openList();
	expect(await editor.listError.innerText()).toMatch(
		/Pages Path: the credential does not contain it\. Find "List all pages" in .* Page, set to By ID, works without it\./s,
	);
	await openNode({ ...move, pageId: HOME }, {});
	await editor.byTestId('parameter-issues').hover();
	await editor.page.getByText('Reorder Blocks works without it.').first().waitFor();
});

test('a page that an older workflow contains as text is kept, and its blocks are reordered', async () => {
	const blockIds = sandbox.account.order(HOME).reverse();
	await openNode({ pageId: HOME, blockOrder: 'value', blockIdsValue: blockIds.join() }, {});
	await editor.executeStep();
	expect((await editor.outputRows()).map(([id]) => id)).toEqual(blockIds);
	expect(sandbox.account.order(HOME)).toEqual(blockIds);
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
