import { quotable } from '../../../nodes/ProfilePage/shared/values';
import { jsonResponse } from '../../../sandbox/faults';
import { seededPages } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS, pageSeed } from '../../support/pages';
import { batching, REORDER_EACH_ITEM } from '../../support/parameters';
import { type Editor, takePicture, VIEWPORT } from '../support/editor';
import { useEditor } from '../support/harness';
import { until } from '../support/processes';
import { chain, manualTrigger, profilePage, profilePageTrigger } from '../support/workflows';

const BLOCKS = ['1.1', '2.2', '3.3'];
/** Pages for many items, beside those of the sandbox. */
const PAGES = Array.from({ length: 60 }, (_, index) => `PAGE_${index}`);

const pages = [...seededPages, ...PAGES.map((id) => pageSeed(id, BLOCKS))];
const harness = useEditor({ name: 'n8n-editor', sandbox: { pages } });
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

/** The names of the blocks of the page Home, from top to bottom. */
const blockNames = () => sandbox.account.order(HOME).map((id) => sandbox.account.page(HOME)!.blockTitles.get(id)!);
const linkTitles = () => sandbox.account.links.list().map(({ title }) => title);

/** Builds a node whose credential has the paths of the lists. */
const newNode = async (parameters: object, credential: Record<string, string> = {}) =>
	profilePage(await harness.n8n.rest.addPrivateApp(sandbox, { ...LIST_PATHS, ...credential }), parameters);

const MOVE = { resource: 'blocks', operation: 'move' };

test('from an empty workflow, the node is found by what it is for, gets a credential that is tested, and reorders blocks', async () => {
	await editor.page.goto('/workflow/new');
	const found = await editor.findNode('link in bio', 'Profile Page');
	const icon = found.locator('img[src$="/profilePage.svg"]').first();
	expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
	await found.click();
	// As first node of a workflow, n8n offers its triggers, and hides its actions.
	await editor
		.byTestId('node-creator')
		.getByText(/^Actions/)
		.click();
	await editor.page.getByText('Reorder all blocks on page').click();
	await editor.panel.waitFor();

	const dialog = await editor.createCredential('Private App');
	const { baseUrl, clientId, clientSecret } = sandbox;
	await dialog.enter({ baseUrl, clientId, clientSecret: 'wrong' });
	await dialog.save();
	expect(await dialog.failure()).toMatch(
		/^No access token: the service rejected the Client ID or the Client Secret \(401\)\. Check the Client ID, the Client Secret, and the Base URL in the credential\./,
	);
	await dialog.enter({ clientSecret });
	await dialog.save();
	await editor.reopenCredential(dialog);
	expect(await dialog.success()).toContain('Connection tested successfully');
	// The client secret fits in its dialog.
	await editor.page.setViewportSize({ ...VIEWPORT, height: 1000 });
	await takePicture(editor.byTestId('editCredential-modal'), 'credential');
	await editor.page.setViewportSize(VIEWPORT);
	await dialog.close();

	const wanted = sandbox.account.order(HOME).toReversed();
	await editor.enterId('pageId', HOME);
	await editor.enter('blockIds', wanted.join('\n'));
	await editor.executeStep();
	const rows = await editor.outputRows();
	expect(rows.map(([id, , position]) => [id, position])).toEqual(wanted.map((id, index) => [id, String(index)]));
	expect(sandbox.account.order(HOME)).toEqual(wanted);
});

test('a block moves to the top by name, in five clicks and Execute Step, without typing', async () => {
	await editor.openInWorkflow(await newNode(MOVE));
	await editor.chooseFromList('Home');
	await editor.chooseAlso('blocksToMove', 'Tour dates');
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	expect((await editor.outputRows()).map(([, title]) => title)).toEqual(blockNames());
	expect(blockNames()[0]).toBe('Tour dates');
	expect(await editor.panel.getByText('On top of page "Home": "Tour dates".').count()).toBeGreaterThan(0);
	await takePicture(editor.panel, 'blocks-by-name');
});

test('a preview of a rotation that keeps the first block says that nothing was changed', async () => {
	const before = blockNames();
	const pageId = { __rl: true, mode: 'list', value: HOME, cachedResultName: 'Home' };
	await editor.openInWorkflow(await newNode({ ...MOVE, pageId, arrangement: 'rotate', preview: true }));
	await editor.chooseAlso('blocksToKeep', before[0]!);
	await editor.page.keyboard.press('Tab');
	await editor.executeStep();
	await editor.panel.getByText('This is a preview: nothing was changed.').first().waitFor({ state: 'attached' });
	expect((await editor.outputRows()).flat()).toEqual(expect.arrayContaining(before));
	expect(blockNames()).toEqual(before);
	await takePicture(editor.panel, 'preview');
});

test('Move Blocks asks for a page before its blocks, and loads the list of blocks anew for another page', async () => {
	await editor.openInWorkflow(await newNode(MOVE));
	const question = editor.panel.getByText('Choose a page first.');
	await question.waitFor();
	expect(await editor.field('blocksToMove').count()).toBe(0);
	for (const [page, block] of [
		['Home', 'Listen on'],
		['Shop', 'Vinyl'],
	] as const) {
		await editor.chooseFromList(page);
		await question.waitFor({ state: 'detached' });
		await editor.openChoices('blocksToMove');
		await editor.openOptions.filter({ hasText: block }).waitFor();
		await editor.page.keyboard.press('Escape');
	}
});

test('the list of links can be searched by title, and a link in it selected', async () => {
	const before = linkTitles();
	await editor.openInWorkflow(await newNode({ resource: 'links', operation: 'delete' }));
	const entries = await editor.openList();
	expect(await entries.allTextContents()).toEqual(before);
	await editor.byTestId('rlc-search').fill('ALBUM');
	await entries.filter({ hasText: 'Summer tour' }).waitFor({ state: 'hidden' });
	await entries.filter({ hasText: 'New album' }).click();
	await editor.executeStep();
	expect((await editor.outputRows()).flat()).toContain('deleted');
	expect(linkTitles()).toEqual(before.filter((title) => title !== 'New album'));
});

test('the list of links says why it cannot be loaded', async () => {
	await editor.openInWorkflow(await newNode({ resource: 'links', operation: 'delete' }, { clientSecret: 'wrong' }));
	await editor.openList();
	const reason = 'No access token: the service rejected the Client ID or the Client Secret (401). Check the Client ID';
	expect(await editor.listError.innerText()).toContain(reason);
});

test('Create Link offers groups by name, and sends a date of the picker in the time zone of the workflow', async () => {
	const link = { title: 'From the editor', url: 'https://example.com/editor' };
	const additionalFields = { groupId: '', scheduleFrom: '' };
	const create = await newNode({ resource: 'links', operation: 'create', ...link, additionalFields });
	// That of n8n and of the browser is UTC.
	await editor.openInWorkflow(create, [{}], { timezone: 'America/New_York' });
	await editor.choose('additionalFields.groupId', 'Events');
	await editor.field('additionalFields.scheduleFrom').fill('2099-07-01 10:00:00');
	await editor.page.keyboard.press('Enter');
	await editor.executeStep();
	const [[id]] = (await editor.outputRows()) as [[string]];
	const schedule_from = '2099-07-01T10:00:00-04:00';
	expect(sandbox.account.links.all[0]).toMatchObject({ link_id: Number(id), group_id: 2, schedule_from });
	await takePicture(editor.page, 'create-link');
});

test('the editor offers the fields that Links: Get Many returns to the next node before anything has run', async () => {
	const links = await newNode({ resource: 'links', operation: 'getAll' });
	const next = { ...(await newNode({ resource: 'links', operation: 'create' })), name: 'Next' };
	const { id } = await harness.n8n.rest.createWorkflow(chain('Fields', manualTrigger, links, next));
	await editor.openWorkflow(id);
	await editor.openNode('Next');
	await editor.byTestId('run-data-schema-item').filter({ hasText: 'link_id' }).first().waitFor();
});

test('Fetch Test Event of the trigger returns the newest link', async () => {
	const trigger = profilePageTrigger(await harness.n8n.rest.addPrivateApp(sandbox), 60);
	sandbox.account.links.add({ title: 'My new video', link: 'https://example.com/video' });
	const { id } = await harness.n8n.rest.createWorkflow(chain('Tested in the editor', { ...trigger, parameters: {} }));
	await editor.openWorkflow(id);
	await editor.openNode(trigger.name);
	await editor.executeStep();
	expect(await editor.outputRows()).toEqual([expect.arrayContaining(['My new video'])]);
	await takePicture(editor.page, 'trigger');
});

test('a node with many items aborts the requests in flight when it is stopped, and sends no more', async () => {
	const items = PAGES.map((page) => ({ page, ids: BLOCKS.toReversed() }));
	const node = await newNode({ ...REORDER_EACH_ITEM, options: batching(10) });
	const workflowId = await editor.openInWorkflow(node, items);
	await editor.panel.getByText('Items per Batch').scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'options');
	await editor.page.keyboard.press('Escape');
	await editor.panel.waitFor({ state: 'hidden' });

	sandbox.recorder.reset();
	sandbox.faults.latency = 300;
	for (const page of PAGES.slice(20)) sandbox.faults.add({ page, fault: 'hang' });
	const execute = editor.byTestId('execute-workflow-button').first();
	await execute.click();
	await until('requests hang', () => sandbox.recorder.calls.length === 30);
	await editor.byTestId('stop-execution-button').click();
	await until('no request is in flight', () => sandbox.recorder.inFlight === 0);
	await execute.waitFor();
	expect(sandbox.recorder.calls).toHaveLength(30);
	// n8n stores it after it has told the editor.
	const isCanceled = async () => (await harness.n8n.rest.executions(workflowId))[0]?.status === 'canceled';
	await until('the execution is canceled', isCanceled);
	sandbox.faults.clear();
	sandbox.faults.latency = 0;
});

test('markup in what the service returns is text in the hints that the editor shows', async () => {
	const picture = '<img/src=https://example.com/x.png>';
	const blocks = [picture, 'other'].map((id, position) => ({ id, position }));
	sandbox.faults.add({ fault: jsonResponse({ status: true, data: blocks }), path: '/blocks' });
	await editor.openInWorkflow(await newNode({ ...MOVE, pageId: HOME, blocksToMove: [picture], preview: true }));
	await editor.executeStep();
	await editor.output.getByText(quotable(picture)).first().waitFor();
	expect(await editor.output.locator('img[src*="example.com"]').count()).toBe(0);
});
