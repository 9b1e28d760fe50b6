import type { Locator } from 'playwright-core';

import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import type { CredentialDialog } from '../support/credentialDialog';
import { Editor, VIEWPORT } from '../support/editor';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/harness';
import { until } from '../support/processes';
import { profilePage } from '../support/workflows';

const harness = useEditor('n8n-editor');
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
	test.each(['Profile Page', 'link in bio', 'rotate', 'lnk.bio', 'new link'])(
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
			/^No access token: the service rejected the Client ID or the Client Secret \(401\)\. Check both, and the Base URL, in the credential\./,
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

test('the editor says below a node what it does', async () => {
	await openNode({ resource: 'links', operation: 'getAll' });
	await editor.closeNode();
	await editor.node('Profile Page').getByText('Get Many: Links', { exact: true }).waitFor();
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
