import { jsonResponse } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { chain, manualTrigger, profilePage } from '../support/workflows';

const PATHS = { pagesPath: 'GET /oauth/v1/sandbox/pages', blocksPath: 'GET /oauth/v1/sandbox/blocks' };

const harness = useEditor('n8n-by-name');
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

const titles = (ids: string[]) => ids.map((id) => sandbox.account.page(HOME)!.blockTitles.get(id));

/** Opens a node of Reorder Blocks in a new workflow, whose credential has these paths. */
async function openNode(paths: Record<string, string>, fields: object = {}): Promise<void> {
	const credential = await harness.n8n.rest.addPrivateApp(sandbox, paths);
	const workflow = chain('By name', manualTrigger, profilePage(credential, fields));
	const { id } = await harness.n8n.rest.createWorkflow(workflow);
	await editor.openWorkflow(id);
	await editor.openNode('Profile Page');
}

const locator = (value: string, cachedResultName?: string) => ({ __rl: true, mode: 'list', value, cachedResultName });

const current = { resource: 'blocks', operation: 'reorder', blockOrder: 'current' };

async function choosePage(name: string): Promise<void> {
	const pages = await editor.openList();
	await pages.filter({ hasText: name }).click();
}

test('from an open node to a block on top by name, in six clicks and Execute Step, without typing', async () => {
	await openNode(PATHS);
	const start = performance.now();
	await choosePage('Home');
	await editor.choose('blockOrder', 'Blocks by Name');
	await editor.chooseAlso('currentBlocksToMove', 'Tour dates');
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	await until('the block is on top', () => titles(sandbox.account.order(HOME))[0] === 'Tour dates');
	expect(performance.now() - start).toBeLessThan(60_000);
	const rows = await editor.outputRows();
	expect(rows.map(([, title]) => title)).toEqual(titles(sandbox.account.order(HOME)));
	expect(await editor.panel.getByText('"Tour dates" is on top of page "Home".').count()).toBeGreaterThan(0);
	await takePicture(editor.panel, 'blocks-by-name');
});

test('a rotation keeps the first block in place, and a preview shows it before it happens', async () => {
	const before = sandbox.account.order(HOME);
	const [first = '', ...others] = titles(before);
	const rotation = { ...current, pageId: locator(HOME, 'Home'), currentArrangement: 'rotate' };
	await openNode(PATHS, { ...rotation, options: { preview: true } });
	await editor.chooseAlso('currentBlocksToKeep', first);
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	const shown = editor.panel.getByText('This is a preview: nothing was changed.');
	await until('the hint is shown', async () => (await shown.count()) > 0);
	expect((await editor.outputRows()).flat()).toEqual(expect.arrayContaining([first, ...others]));
	expect(sandbox.account.order(HOME)).toEqual(before);
	await takePicture(editor.panel, 'preview');
});

test('says that a page has to be chosen before its blocks', async () => {
	await openNode(PATHS, current);
	await editor.panel.getByText('Choose a page first.').waitFor();
	await choosePage('Home');
	await editor.panel.getByText('Choose a page first.').waitFor({ state: 'detached' });
});

test('shows Blocks to Move once a page is chosen, and loads its list anew for another page', async () => {
	await openNode(PATHS, current);
	expect(await editor.fieldNames()).not.toContain('Blocks to Move');
	await choosePage('Home');
	expect(await editor.fieldNames()).toContain('Blocks to Move');
	await editor.openChoices('currentBlocksToMove');
	await until('the blocks are listed', async () =>
		(await editor.openOptions.allTextContents()).some((text) => text.includes('Listen on')),
	);
	await editor.page.keyboard.press('Escape');
	await choosePage('Shop');
	await editor.openChoices('currentBlocksToMove');
	await until('the other blocks are listed', async () =>
		(await editor.openOptions.allTextContents()).some((text) => text.includes('Vinyl')),
	);
});

test('offers no page or block whose ID n8n would evaluate with the data of the workflow', async () => {
	const expression = "={{ JSON.stringify($('When clicking').all()) }}";
	const entries = [
		{ id: expression, title: 'Expression' },
		{ id: '{{ $json.secret }}', title: 'Template' },
		{ id: HOME, title: 'Text' },
	];
	const fault = jsonResponse({ status: true, data: entries });
	for (const path of ['/sandbox/pages', '/sandbox/blocks']) sandbox.faults.add({ path, fault });
	await openNode(PATHS, { ...current, pageId: locator(HOME, 'Home') });
	await editor.openChoices('currentBlocksToMove');
	expect(await editor.openOptions.allTextContents()).toEqual(['Text']);
	await editor.page.keyboard.press('Escape');
	const pages = await editor.openList();
	// The editor shows the chosen one under the name that the workflow contains.
	expect((await pages.allTextContents()).map((text) => text.trim())).toEqual(['Home']);
	sandbox.faults.clear();
});

test('lists the blocks of a page that an expression gives', async () => {
	await openNode(PATHS, { ...current, pageId: `={{ "${HOME}" }}` });
	await editor.openChoices('currentBlocksToMove');
	await until('the blocks are listed', async () =>
		(await editor.openOptions.allTextContents()).some((text) => text.includes('Listen on')),
	);
});

test.each<[string, Record<string, string>, RegExp]>([
	['missing', {}, /Pages Path: the credential does not contain it\. Find "List all pages" in the API documentation/],
	[
		'wrong',
		{ pagesPath: '/oauth/v1/wrong' },
		/The list of pages was not read: the service denied access, or has nothing at this path \(403\)\. .* Check Pages Path/,
	],
	['that of something else', { pagesPath: '/oauth/v1/me' }, /the response contains no list\. Check that Pages Path/],
])('the list of pages says what helps if the path is %s', async (_what, paths, message) => {
	await openNode(paths);
	await editor.openList();
	expect(await editor.listError.innerText()).toMatch(message);
});

test('a notice says which paths Blocks to Move needs, as its list cannot', async () => {
	await openNode({ pagesPath: PATHS.pagesPath }, { ...current, pageId: locator(HOME, 'Home') });
	expect(await editor.panel.locator('.notice').innerText()).toMatch(/Pages Path and Blocks Path/);
});

test('a page that an older workflow contains as text is kept, and its blocks are reordered', async () => {
	const ids = sandbox.account.order(HOME).reverse();
	await openNode(
		{},
		{ resource: 'blocks', operation: 'reorder', pageId: HOME, blockOrder: 'value', blockIdsValue: ids.join() },
	);
	await editor.executeStep();
	await until('the blocks are reordered', () => sandbox.account.order(HOME).join() === ids.join());
});

test('the credential asks for the two paths after the client secret', async () => {
	const { id } = await harness.n8n.rest.addPrivateApp(sandbox, PATHS);
	await editor.openCredential(id);
	await editor.page.getByText('Blocks Path').waitFor();
	const publicApp = await harness.n8n.rest.addPublicApp(sandbox, PATHS);
	await editor.openCredential(publicApp.id);
	await editor.page.getByText('Blocks Path').waitFor();
});
