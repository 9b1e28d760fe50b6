import { seededGroups } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import type { Stored } from '../support/rest';
import { profilePage } from '../support/workflows';

const harness = useEditor('n8n-links');
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
});

/** The titles of the public links, newest first. */
const titles = () => sandbox.account.links.list().map(({ title }) => title);

/** Opens the node in a new workflow. Its time zone differs from that of n8n and the browser, which is UTC. */
async function openNode(operation: string, fields: object = {}, app = credential): Promise<void> {
	const node = profilePage(app, { resource: 'links', operation, ...fields });
	await editor.openInWorkflow(node, [{}], { timezone: 'America/New_York' });
}

test('Create Link offers groups by name, and sends a date of the picker in the time zone of the workflow', async () => {
	await openNode('create');
	await editor.addField('Add Field', 'Group Name or ID');
	await editor.field('additionalFields.groupId').click();
	const events = editor.openOptions.filter({ hasText: 'Events' });
	await events.waitFor();
	const names = seededGroups.map(({ group_name: name }) => name);
	expect(await editor.openOptions.allTextContents()).toEqual(['Not Set', 'No Group', ...names]);
	await events.click();

	await editor.enter('title', 'From the editor');
	await editor.enter('url', 'https://example.com/editor');
	await editor.addField('Add Field', 'Public From');
	await editor.enterDate('additionalFields.scheduleFrom', '2099-07-01 10:00:00');
	await editor.executeStep();
	const [[id]] = (await editor.outputRows()) as [[string]];
	expect(sandbox.account.links.all[0]).toMatchObject({
		link_id: Number(id),
		title: 'From the editor',
		link: 'https://example.com/editor',
		group_id: 2,
		schedule_from: '2099-07-01T10:00:00-04:00',
	});
	await takePicture(editor.page, 'create-link');
});

test('a link can be selected from a searchable list of titles', async () => {
	const before = titles();
	await openNode('delete');
	const entries = await editor.openList();
	expect(await entries.allTextContents()).toEqual(before);

	await editor.byTestId('rlc-search').fill('ALBUM');
	await entries.filter({ hasText: 'Summer tour' }).waitFor({ state: 'hidden' });
	await entries.filter({ hasText: 'New album' }).waitFor();
	expect(await entries.allTextContents()).toEqual(['New album']);
	await entries.first().click();

	await editor.executeStep();
	expect(await editor.outputRows()).toEqual([['2', 'deleted', 'true']]);
	expect(titles()).toEqual(before.filter((title) => title !== 'New album'));
});

test('the editor shows why it cannot load the list of links or of groups', async () => {
	const rejected =
		'No access token: the service rejected the Client ID or the Client Secret (401). Check both, and the Base URL, in the credential. The service said: "';
	const wrong = await harness.n8n.rest.addPrivateApp(sandbox, { clientSecret: 'wrong' });
	await openNode('delete', {}, wrong);
	await editor.openList();
	expect(await editor.listError.innerText()).toContain(rejected);

	await openNode('getAll', { filters: { groupId: '' } }, wrong);
	await editor.byTestId('parameter-issues').first().hover();
	await editor.page.getByText(rejected).first().waitFor();
});
