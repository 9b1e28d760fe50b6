import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { profilePage } from '../support/workflows';

const harness = useEditor({ name: 'n8n-lists' });
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

/** The names of the blocks of the page, from top to bottom. */
const titles = () => sandbox.account.order(HOME).map((id) => sandbox.account.page(HOME)!.blockTitles.get(id)!);

/** Opens a node in a new workflow, whose credential has the paths of the lists. */
async function openNode(fields: object, credential: Record<string, string> = {}): Promise<void> {
	const stored = await harness.n8n.rest.addPrivateApp(sandbox, { ...LIST_PATHS, ...credential });
	await editor.openInWorkflow(profilePage(stored, fields));
}

const move = { resource: 'blocks', operation: 'move' };

async function choosePage(name: string): Promise<void> {
	await (await editor.openList()).filter({ hasText: name }).click();
}

test('from an open node to a block on top by name, in five clicks and Execute Step, without typing', async () => {
	await openNode(move);
	await choosePage('Home');
	await editor.chooseAlso('blocksToMove', 'Tour dates');
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	expect((await editor.outputRows()).map(([, title]) => title)).toEqual(titles());
	expect(titles()[0]).toBe('Tour dates');
	expect(await editor.panel.getByText('On top of page "Home": "Tour dates".').count()).toBeGreaterThan(0);
	await takePicture(editor.panel, 'blocks-by-name');
});

test('a rotation keeps the first block in place, and a preview shows it before it happens', async () => {
	const before = titles();
	const pageId = { __rl: true, mode: 'list', value: HOME, cachedResultName: 'Home' };
	await openNode({ ...move, pageId, arrangement: 'rotate', preview: true });
	await editor.chooseAlso('blocksToKeep', before[0]!);
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	const shown = editor.panel.getByText('This is a preview: nothing was changed.');
	await until('the hint is shown', async () => (await shown.count()) > 0);
	expect((await editor.outputRows()).flat()).toEqual(expect.arrayContaining(before));
	expect(titles()).toEqual(before);
	await takePicture(editor.panel, 'preview');
});

test('asks for a page before its blocks, and loads the list of blocks anew for another page', async () => {
	await openNode(move);
	const question = editor.panel.getByText('Choose a page first.');
	await question.waitFor();
	expect(await editor.field('blocksToMove').count()).toBe(0);
	for (const [page, block] of [
		['Home', 'Listen on'],
		['Shop', 'Vinyl'],
	] as const) {
		await choosePage(page);
		await question.waitFor({ state: 'detached' });
		await editor.openChoices('blocksToMove');
		await editor.openOptions.filter({ hasText: block }).waitFor();
		await editor.page.keyboard.press('Escape');
	}
});

test('the list of links can be searched by title, and a link in it selected', async () => {
	const linkTitles = () => sandbox.account.links.list().map(({ title }) => title);
	const before = linkTitles();
	await openNode({ resource: 'links', operation: 'delete' });
	const entries = await editor.openList();
	expect(await entries.allTextContents()).toEqual(before);
	await editor.byTestId('rlc-search').fill('ALBUM');
	await entries.filter({ hasText: 'Summer tour' }).waitFor({ state: 'hidden' });
	await entries.filter({ hasText: 'New album' }).click();
	await editor.executeStep();
	expect(await editor.outputRows()).toEqual([['2', 'deleted', 'true']]);
	expect(linkTitles()).toEqual(before.filter((title) => title !== 'New album'));
});

test('the lists of links and groups say why they cannot be loaded', async () => {
	const reason = 'No access token: the service rejected the Client ID or the Client Secret (401). Check the Client ID';
	const wrong = { clientSecret: 'wrong' };
	await openNode({ resource: 'links', operation: 'delete' }, wrong);
	await editor.openList();
	expect(await editor.listError.innerText()).toContain(reason);
	await openNode({ resource: 'links', operation: 'getAll', filters: { groupId: '' } }, wrong);
	await editor.byTestId('parameter-issues').first().hover();
	await editor.page.getByText(reason).first().waitFor();
});
