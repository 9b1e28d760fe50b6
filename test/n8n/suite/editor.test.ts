import type { Locator, Page } from 'playwright-core';

import { useCredential } from '../../../runner/useCredential';
import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import type { CredentialDialog } from '../support/credentialDialog';
import { Editor, ROWS_PER_PAGE } from '../support/editor';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { useEditor } from '../support/harness';
import { chain, manualTrigger, ordersByClicks, profilePage, readExample } from '../support/workflows';

const harness = useEditor('n8n-editor');
let sandbox: Sandbox;
let editor: Editor;
beforeAll(() => ({ sandbox, editor } = harness));

const order = () => sandbox.account.order(HOME);

/** Whether the browser has loaded the image. */
async function isShown(icon: Locator): Promise<boolean> {
	return await icon.evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
}

describe('the node panel', () => {
	test.each(['Profile Page', 'link in bio'])('finds the node by %p', async (text) => {
		await editor.openNewWorkflow();
		const found = await editor.findNode(text, 'Profile Page');
		const icon = found.locator('img[src$="/profilePage.svg"]').first();
		expect(await isShown(icon)).toBe(true);
	});

	test.each(['rotate', 'reorder', 'link in bio', 'lnk', 'lnk.bio', 'new link'])(
		'shows the node among the first three for %p',
		async (text) => {
			await editor.openNewWorkflow();
			await editor.findNode(text, 'Profile Page');
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
	let pageInSandbox: Page;
	let before: string[];

	beforeAll(async () => {
		before = order();
		pageInSandbox = await editor.openTab(`${sandbox.baseUrl}/pages/${HOME}`);
	});

	const shownInSandbox = async () => await pageInSandbox.locator(`[data-page="${HOME}"] ol code`).allTextContents();

	test('adds the node with the Reorder Blocks action', async () => {
		await editor.openNewWorkflow();
		const found = await editor.findNode('Profile Page', 'Profile Page');
		await found.click();
		// As first node of a workflow, n8n offers its triggers, and hides its actions.
		await editor
			.byTestId('node-creator')
			.getByText(/^Actions/)
			.click();
		await editor.page.getByText('Reorder or rotate blocks on page').click();
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
		await takePicture(editor.page, 'credential');
		await dialog.close();
	});

	test('reorders blocks with Block IDs Below, whose entries are added and moved with the arrows', async () => {
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

	test('leaves the open sandbox page up to date without a reload', async () => {
		await until('the new order', async () => (await shownInSandbox()).join() === order().join());
	});

	test('reorders blocks with Block IDs From a Value and a comma-separated text', async () => {
		const wanted = order().toReversed();
		await editor.choose('blockOrder', 'Block IDs From a Value');
		await editor.enter('blockIdsValue', wanted.join(', '));
		await editor.executeStep();
		await until('the new order', () => order().join() === wanted.join());
		expect((await editor.outputRows()).map(([id]) => id)).toEqual(wanted);
	});

	test('reorders several pages with From Input Items and one block per item', async () => {
		const before = sandbox.account.pages.map(({ id }) => sandbox.account.order(id));
		const example = readExample('reorder-from-a-spreadsheet.json');
		const credential = await harness.n8n.rest.addPrivateApp(sandbox);
		const workflow = useCredential(example, 'profilePageApi', credential);
		const { id } = await harness.n8n.rest.createWorkflow(workflow);
		const wanted = [...ordersByClicks(example).values()].flat();

		await editor.openWorkflow(id);
		await editor.openNode('Reorder Blocks');
		await editor.executeStep();
		const shown = (await editor.outputRows()).map(([blockId]) => blockId);
		expect(shown).toEqual(wanted.slice(0, ROWS_PER_PAGE));
		expect(before).not.toContainEqual(order());
		expect(sandbox.account.pages.flatMap(({ id: page }) => sandbox.account.order(page))).toEqual(wanted);
	});

	test('says below a node what it does', async () => {
		const credential = await harness.n8n.rest.addPrivateApp(sandbox);
		const node = profilePage(credential, { resource: 'links', operation: 'getAll' });
		const workflow = chain('Subtitle', manualTrigger, node);
		const { id } = await harness.n8n.rest.createWorkflow(workflow);
		await editor.openWorkflow(id);
		await editor.node('Profile Page').getByText('Get Many: Links', { exact: true }).waitFor();
	});

	test('sets Block ID Field to a column that is dragged from the input panel', async () => {
		const credential = await harness.n8n.rest.addPrivateApp(sandbox);
		const ids = order().toReversed();
		const node = profilePage(credential, {
			resource: 'blocks',
			operation: 'reorder',
			pageId: HOME,
			blockOrder: 'inputItems',
			blockIdField: '',
		});
		const { id } = await harness.n8n.rest.createWorkflow({
			...chain('Dragged column', manualTrigger, node),
			pinData: {
				[manualTrigger.name]: ids.map((blockId) => ({ json: { block: { key: blockId } } })),
			},
		});
		await editor.openWorkflow(id);
		await editor.openNode('Profile Page');
		await editor.dragColumn('key', 'blockIdField');
		const value = async () => await editor.field('blockIdField').inputValue();
		await until('the field has its path', async () => (await value()) === 'block.key');
		await editor.executeStep();
		expect((await editor.outputRows()).map(([blockId]) => blockId)).toEqual(ids);
	});

	test.each(['operation', 'resource'])(
		'offers Custom API Call as %s, which refers to the HTTP Request node',
		async (list) => {
			await editor.choose(list, 'Custom API Call');
			await editor.panel.getByText('use the HTTP Request node').waitFor();
		},
	);

	test('refers to API once Custom API Call is executed', async () => {
		await editor.executeStep();
		expect((await editor.error()).description).toContain('set Resource to API');
	});
});
