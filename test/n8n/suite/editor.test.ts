import type { Locator } from 'playwright-core';

import { quotable } from '../../../nodes/ProfilePage/shared/values';
import { jsonResponse } from '../../../sandbox/faults';
import { seededGroups, seededPages } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS, pageSeed } from '../../support/pages';
import { batching, REORDER_EACH_ITEM } from '../../support/parameters';
import type { CredentialDialog } from '../support/credentialDialog';
import { Editor, VIEWPORT } from '../support/editor';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/harness';
import { until } from '../support/processes';
import { chain, manualTrigger, profilePage, profilePageTrigger } from '../support/workflows';

const BLOCKS = ['1.1', '2.2', '3.3'];
/** Pages for many items, beside those of the sandbox. */
const PAGES = Array.from({ length: 60 }, (_, index) => `PAGE_${index}`);

const harness = useEditor('n8n-editor', { pages: [...seededPages, ...PAGES.map((id) => pageSeed(id, BLOCKS))] });
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

const order = () => sandbox.account.order(HOME);

/** Opens the node in a new workflow, whose trigger returns these items. */
async function openNode(fields: object, items?: object[]): Promise<void> {
	await editor.openInWorkflow(profilePage(await harness.n8n.rest.addPrivateApp(sandbox), fields), items);
}

/** Whether the browser has loaded the image. */
async function isShown(icon: Locator): Promise<boolean> {
	return await icon.evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
}

describe('the node panel', () => {
	test.each(['Profile Page', 'link in bio', 'new link'])(
		'shows the node, with its icon, among the first three for %p',
		async (text) => {
			await editor.openNewWorkflow();
			const found = await editor.findNode(text, 'Profile Page');
			expect(await isShown(found.locator('img[src$="/profilePage.svg"]').first())).toBe(true);
			const names = await editor.byTestId('node-creator-item-name').allTextContents();
			expect(names.slice(0, 3).map((name) => name.trim())).toContain('Profile Page');
		},
	);

	test('shows the dark icon in the dark theme', async () => {
		const dark = await Editor.open(harness.browser, harness.n8n, { colorScheme: 'dark' });
		await dark.openNewWorkflow();
		const found = await dark.findNode('Profile Page', 'Profile Page');
		const icon = found.locator('img[src$="/profilePage.dark.svg"]').first();
		expect(await isShown(icon)).toBe(true);
		await dark.close();
	});
});

describe('the editor, from an empty workflow to a reordered page,', () => {
	let dialog: CredentialDialog;

	test('adds the node with the Reorder Blocks action', async () => {
		await editor.openNewWorkflow();
		const found = await editor.findNode('Profile Page', 'Profile Page');
		await found.click();
		// As first node of a workflow, n8n offers its triggers, and hides its actions.
		await editor
			.byTestId('node-creator')
			.getByText(/^Actions/)
			.click();
		await editor.page.getByText('Reorder all blocks on page').click();
		await editor.panel.waitFor();
	});

	test('explains that the client secret of a credential is wrong', async () => {
		dialog = await editor.createCredential('Private App');
		const { baseUrl, clientId } = sandbox;
		await dialog.enter({ baseUrl, clientId, clientSecret: 'wrong' });
		await dialog.save();
		expect(await dialog.failure()).toMatch(
			/^No access token: the service rejected the Client ID or the Client Secret \(401\)\. Check the Client ID, the Client Secret, and the Base URL in the credential\./,
		);
	});

	test('confirms a credential with the right client secret', async () => {
		await dialog.enter({ clientSecret: sandbox.clientSecret });
		await dialog.save();
		await editor.reopenCredential(dialog);
		expect(await dialog.success()).toContain('Connection tested successfully');
		// The client secret fits in its dialog.
		await editor.page.setViewportSize({ ...VIEWPORT, height: 1000 });
		await takePicture(editor.byTestId('editCredential-modal'), 'credential');
		await editor.page.setViewportSize(VIEWPORT);
		await dialog.close();
	});

	test('reorders blocks with Block IDs Below, whose entries are added and moved with the arrows', async () => {
		const before = order();
		await editor.enterId('pageId', HOME);
		for (const [index, blockId] of before.entries()) {
			await editor.addEntry('Add Block ID', `blockIds[${index}]`, blockId);
		}
		await editor.moveEntry(before.length - 1, 'up');
		await editor.moveEntry(0, 'down');

		const [first, second, third, fourth] = before;
		const wanted = [second, first, fourth, third];
		await editor.executeStep();
		const rows = await editor.outputRows();
		expect(rows.map(([id, , position]) => [id, position])).toEqual(
			wanted.map((id, position) => [id, String(position)]),
		);
		expect(order()).toEqual(wanted);
	});
});

test('Block ID Field is set to a column that is dragged from the input panel', async () => {
	const ids = order().toReversed();
	await openNode(
		{ pageId: HOME, blockOrder: 'inputItems', blockIdField: '' },
		ids.map((key) => ({ block: { key } })),
	);
	await editor.dragColumn('key', 'blockIdField');
	const value = async () => await editor.field('blockIdField').inputValue();
	await until('the field has its path', async () => (await value()) === 'block.key');
	await editor.executeStep();
	expect((await editor.outputRows()).map(([blockId]) => blockId)).toEqual(ids);
});

test('Create Link offers groups by name, and sends a date of the picker in the time zone of the workflow', async () => {
	const fields = {
		resource: 'links',
		operation: 'create',
		title: 'From the editor',
		url: 'https://example.com/editor',
	};
	const node = profilePage(await harness.n8n.rest.addPrivateApp(sandbox), fields);
	// That of n8n and of the browser is UTC.
	await editor.openInWorkflow(node, [{}], { timezone: 'America/New_York' });
	await editor.addField('Add Field', 'Group Name or ID');
	await editor.field('additionalFields.groupId').click();
	const events = editor.openOptions.filter({ hasText: 'Events' });
	await events.waitFor();
	const names = seededGroups.map(({ group_name: name }) => name);
	expect(await editor.openOptions.allTextContents()).toEqual(['Not Set', 'No Group', ...names]);
	await events.click();
	await editor.addField('Add Field', 'Public From');
	await editor.enterDate('additionalFields.scheduleFrom', '2099-07-01 10:00:00');
	await editor.executeStep();
	const [[id]] = (await editor.outputRows()) as [[string]];
	const schedule_from = '2099-07-01T10:00:00-04:00';
	expect(sandbox.account.links.all[0]).toMatchObject({ link_id: Number(id), group_id: 2, schedule_from });
	await takePicture(editor.page, 'create-link');
});

test('a field that Links: Get Many returns can be dragged into the next node before anything has run', async () => {
	const credential = await harness.n8n.rest.addPrivateApp(sandbox);
	const links = profilePage(credential, { resource: 'links', operation: 'getAll' });
	const next = profilePage(credential, { resource: 'links', operation: 'create' }, { name: 'Next' });
	const { id } = await harness.n8n.rest.createWorkflow(chain('Fields', manualTrigger, links, next));
	await editor.openWorkflow(id);
	await editor.openNode('Next');
	await editor.byTestId('run-data-schema-item').filter({ hasText: 'link_id' }).first().waitFor();
	await editor.dragColumn('title', 'title');
	await until('the expression is entered', async () => (await editor.panel.innerText()).includes('{{ $json.title }}'));
});

test('Fetch Test Event of the trigger returns the newest link', async () => {
	const trigger = profilePageTrigger(await harness.n8n.rest.addPrivateApp(sandbox), 60);
	sandbox.account.links.add({ title: 'My new video', link: 'https://example.com/video' });
	const { id } = await harness.n8n.rest.createWorkflow(chain('Tested in the editor', { ...trigger, parameters: {} }));
	await editor.openWorkflow(id);
	await editor.openNode(trigger.name);
	await editor.executeStep();
	const [row, ...others] = await editor.outputRows();
	expect(row).toContain('My new video');
	expect(others).toEqual([]);
	await takePicture(editor.page, 'trigger');
});

describe('Send Request in the editor', () => {
	test('is not preselected: the resource of a new node is Blocks, though API comes first', async () => {
		await openNode({});
		expect(await editor.field('resource').inputValue()).toBe('Blocks');
		expect(await editor.field('operation').inputValue()).toBe('Reorder Blocks');
		await editor.field('resource').click();
		const names = editor.openOptions.locator('.option-headline');
		await names.first().waitFor();
		const options = (await names.allInnerTexts()).map((name) => name.trim());
		expect(options).toEqual(['API', 'Blocks', 'Groups', 'Links', 'Me', 'Pages', 'Custom API Call']);
	});

	test('reorders blocks with a form, whose body is a dragged column', async () => {
		const { recorder } = sandbox;
		const blocks = order()
			.toReversed()
			.map((id, position) => ({ id, position }));
		recorder.reset();
		await openNode({}, [{ order: { page_id: HOME, blocks } }]);
		await editor.choose('resource', 'API');
		const fields = ['Resource', 'Operation', 'Method', 'Path', 'Options'];
		expect(await editor.fieldNames()).toEqual(fields);
		await editor.choose('method', 'POST');
		expect(await editor.fieldNames()).toEqual(fields.toSpliced(4, 0, 'Body', 'Send Body As'));
		await editor.enter('path', '/oauth/v1/page/blocks/sort');
		await editor.dragColumn('order', 'body');
		const entered = async () => await editor.field('body').innerText();
		await until('the body is an expression', async () => (await entered()) === '{{ $json.order }}');
		await editor.executeStep();
		const ids = blocks.map(({ id }) => id);
		expect((await editor.outputRows()).map(([id]) => id)).toEqual(ids);
		expect(order()).toEqual(ids);
		expect(recorder.forms).toEqual([{ page_id: HOME, blocks: JSON.stringify(blocks) }]);
	});

	test('is what Custom API Call refers to, beside the HTTP Request node', async () => {
		await openNode({});
		for (const list of ['operation', 'resource']) {
			await editor.choose(list, 'Custom API Call');
			await editor.panel.getByText('use the HTTP Request node').waitFor();
		}
		await editor.executeStep();
		expect((await editor.error()).description).toContain('set Resource to API');
	});
});

describe('a node with many items', () => {
	/** Opens one that reverses each page of the sandbox. Returns the ID of the workflow. */
	async function openBatch(): Promise<string> {
		const items = PAGES.map((page) => ({ page, ids: BLOCKS.toReversed() }));
		const fields = { ...REORDER_EACH_ITEM, options: batching(10) };
		return await editor.openInWorkflow(profilePage(await harness.n8n.rest.addPrivateApp(sandbox), fields), items);
	}

	test('has the batching of the HTTP Request node', async () => {
		await openBatch();
		expect(await editor.field('options.batching.batch.batchSize').inputValue()).toBe('10');
		await editor.panel.getByText('Batch Interval (ms)').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'options');
	});

	test('aborts the requests in flight when it is stopped, and sends no more', async () => {
		const workflowId = await openBatch();
		await editor.closeNode();
		sandbox.recorder.reset();
		sandbox.faults.latency = 300;
		for (const page of PAGES.slice(20)) sandbox.faults.add({ page, fault: 'hang' });
		await editor.byTestId('execute-workflow-button').first().click();
		await until('requests hang', () => sandbox.recorder.calls.length === 30);
		await editor.byTestId('stop-execution-button').click();
		await until('no request is in flight', () => sandbox.recorder.inFlight === 0);
		await editor.byTestId('execute-workflow-button').first().waitFor();
		expect(sandbox.recorder.calls).toHaveLength(30);
		// n8n stores it after it has told the editor.
		const isCanceled = async () => (await harness.n8n.rest.executions(workflowId))[0]?.status === 'canceled';
		await until('the execution is canceled', isCanceled);
	});
});

test('markup in what the service returns is text in the hints and the errors that the editor shows', async () => {
	sandbox.faults.clear();
	sandbox.faults.latency = 0;
	const picture = '<img/src=https://example.com/x.png>';
	const markup = 'a[href*="example.com"], img[src*="example.com"]';
	const blocks = [picture, 'other'].map((id, position) => ({ id, position }));
	sandbox.faults.add({ fault: jsonResponse({ status: true, data: blocks }), path: '/blocks' });
	const move = { resource: 'blocks', operation: 'move', pageId: HOME, blocksToMove: [picture], preview: true };
	const credential = await harness.n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
	await editor.openInWorkflow(profilePage(credential, move));
	await editor.executeStep();
	await editor.output.getByText(quotable(picture)).first().waitFor();
	expect(await editor.output.locator(markup).count()).toBe(0);

	const link = '<a href="https://example.com/">Sign in again</a>';
	await editor.openInWorkflow(profilePage(credential, { ...move, blocksToMove: [link] }));
	await editor.executeStep();
	expect((await editor.error()).message).toContain(quotable(link));
	expect(await editor.panel.locator(markup).count()).toBe(0);
});
