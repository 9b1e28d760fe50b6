import { seededGroups } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import type { Editor } from '../support/editor';
import { takePicture } from '../support/pictures';
import type { Stored } from '../support/rest';
import { useEditor } from '../support/harness';
import { callWebhook, webhook } from '../support/webhook';
import { chain, manualTrigger, profilePage, splitOut } from '../support/workflows';

/** The time zone differs from that of n8n and the browser, which is UTC. */
const settings = { executionOrder: 'v1', timezone: 'America/New_York' };

const harness = useEditor('n8n-links');
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
});
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
});

const links = () => sandbox.account.links.all;

/** The titles of the public links, newest first. */
const titles = () => sandbox.account.links.list().map(({ title }) => title);

/** Opens the node in a new workflow. */
async function openNode(operation: string, fields: object = {}, app = credential): Promise<void> {
	const node = profilePage(app, { resource: 'links', operation, ...fields });
	const workflow = { ...chain(operation, manualTrigger, node), settings };
	await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
	await editor.openNode('Profile Page');
}

describe('Create Link in the editor', () => {
	beforeAll(async () => await openNode('create'));

	test('offers the groups of the service by name', async () => {
		await editor.addField('Add Field', 'Group Name or ID');
		await editor.field('additionalFields.groupId').click();
		const list = editor.page.locator('.el-select-dropdown__item:visible');
		const events = list.filter({ hasText: 'Events' });
		await events.waitFor();
		const names = seededGroups.map(({ group_name: name }) => name);
		expect(await list.allTextContents()).toEqual(['Not Set', 'No Group', ...names]);
		await events.click();
	});

	test('sends a date from the date picker in the time zone of the workflow', async () => {
		await editor.enter('title', 'From the editor');
		await editor.enter('url', 'https://example.com/editor');
		await editor.addField('Add Field', 'Public From');
		await editor.enterDate('additionalFields.scheduleFrom', '2099-07-01 10:00:00');
		await editor.executeStep();
		const [[id]] = (await editor.outputRows()) as [[string]];
		expect(links()[0]).toMatchObject({
			link_id: Number(id),
			title: 'From the editor',
			link: 'https://example.com/editor',
			group_id: 2,
			schedule_from: '2099-07-01T10:00:00-04:00',
		});
		await takePicture(editor.page, 'create-link');
	});
});

test('dates of expressions are sent in the format of the service', async () => {
	const PATH = 'dates';
	const expressions = {
		'Luxon, in the time zone of the workflow': '{{ $now.set({ year: 2099, month: 1, day: 1 }).startOf("day") }}',
		'Luxon, in another zone': '{{ DateTime.fromISO("2099-07-01T10:00:00Z").setZone("Asia/Kolkata") }}',
		JavaScript: '{{ new Date("2099-07-01T10:00:00.123Z") }}',
		'text without an offset': '{{ "2099-07-01 10:00" }}',
		'text with an offset': '{{ "2099-07-01T10:00:00+02:00" }}',
		'text with words around it': '{{ 2099 }}-07-01',
	};
	const nodes = Object.entries(expressions).map(([title, scheduleFrom]) => ({
		...profilePage(credential, {
			resource: 'links',
			operation: 'create',
			title,
			url: 'https://example.com/',
			additionalFields: { scheduleFrom: `=${scheduleFrom}` },
		}),
		name: title,
	}));
	const workflow = { ...chain('Dates', webhook(PATH), ...nodes), settings };
	await harness.n8n.rest.activate(await harness.n8n.rest.createWorkflow(workflow));
	await callWebhook(harness.n8n, PATH, {});
	const sent = links().slice(0, nodes.length).reverse();
	expect(sent.map(({ title, schedule_from: from }) => [title, from])).toEqual([
		['Luxon, in the time zone of the workflow', '2099-01-01T00:00:00-05:00'],
		['Luxon, in another zone', '2099-07-01T06:00:00-04:00'],
		['JavaScript', '2099-07-01T06:00:00-04:00'],
		['text without an offset', '2099-07-01T10:00:00-04:00'],
		['text with an offset', '2099-07-01T04:00:00-04:00'],
		['text with words around it', '2099-07-01T00:00:00-04:00'],
	]);
});

test('an expression without a value stops the node, so that no link is public too early', async () => {
	const PATH = 'nothing';
	const before = links();
	const node = profilePage(credential, {
		resource: 'links',
		operation: 'create',
		title: '={{ $json.title }}',
		url: 'https://example.com/',
		additionalFields: { scheduleFrom: '={{ $json.form }}' },
	});
	const workflow = { ...chain('Nothing', webhook(PATH), splitOut('body.items'), node), settings };
	await harness.n8n.rest.activate(await harness.n8n.rest.createWorkflow(workflow));
	const items = [{ title: 'One', from: '2099-01-01' }];
	await expect(callWebhook(harness.n8n, PATH, { items })).rejects.toThrow('Error in workflow');
	expect(links()).toEqual(before);
	expect(sandbox.recorder.requests).toEqual([]);
});

describe('a link can be selected', () => {
	test('from a searchable list of titles', async () => {
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

	test('by ID', async () => {
		const { link_id: id } = links().find(({ title }) => title === 'Newsletter')!;
		await openNode('update', {
			linkId: { __rl: true, mode: 'id', value: String(id) },
			updateFields: { title: 'News' },
		});
		await editor.executeStep();
		await editor.outputRows();
		expect(links().find(({ link_id: other }) => other === id)!.title).toBe('News');
	});

	test('by an ID, which the editor validates', async () => {
		await openNode('delete', { linkId: { __rl: true, mode: 'id', value: 'My link' } });
		await editor.byTestId('parameter-issues').first().hover();
		await editor.page.getByText('The ID of a link is a whole number').first().waitFor();
	});
});

describe('the editor shows why it cannot load', () => {
	const REJECTED =
		'No access token: the service rejected the Client ID or the Client Secret (401). Check both, and the Base URL, in the credential. The service said: "';
	let wrong: Stored;
	beforeAll(async () => {
		wrong = await harness.n8n.rest.addPrivateApp(sandbox, { clientSecret: 'wrong' });
	});

	test('the list of links', async () => {
		await openNode('delete', {}, wrong);
		await editor.openList();
		expect(await editor.listError.innerText()).toContain(REJECTED);
	});

	test('the list of links, with the message of the service', async () => {
		const body = JSON.stringify({ status: false, errors: ['The account is closed.'] });
		sandbox.faults.add({ path: '/lnk/list', fault: { status: 200, body } });
		await openNode('delete');
		await editor.openList();
		expect(await editor.listError.innerText()).toContain('The service said: "The account is closed."');
	});

	test('the list of groups', async () => {
		await openNode('getAll', { filters: { groupId: '' } }, wrong);
		await editor.byTestId('parameter-issues').first().hover();
		await editor.page.getByText(REJECTED).first().waitFor();
	});
});

test('Get Many returns an item for each link, and a hint that there may be more', async () => {
	for (let index = 0; index < 50; index += 1) {
		sandbox.account.links.add({ title: `Link ${index}`, link: 'https://example.com/' });
	}
	await openNode('getAll', { returnAll: true });
	await editor.executeStep();
	const rows = await editor.outputRows();
	expect(rows.map((cells) => cells[1])).toEqual(titles().slice(0, rows.length));
	await editor.output.getByText('The service lists only the 50 newest links. There may be older ones.').waitFor();
});
