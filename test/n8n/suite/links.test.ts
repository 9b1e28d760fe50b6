import { seededGroups } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import type { Editor } from '../support/editor';
import { takePicture } from '../support/pictures';
import type { Stored } from '../support/rest';
import { Harness } from '../support/harness';
import { callWebhook, webhook } from '../support/webhook';
import { chain, manualTrigger, profilePage, splitOut } from '../support/workflows';

/** Neither that of n8n nor that of the browser, which are UTC. */
const settings = { executionOrder: 'v1', timezone: 'America/New_York' };

let harness: Harness;
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	harness = await Harness.open('n8n-links');
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
});
afterAll(async () => await harness.close());
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
});

const links = () => sandbox.account.links.all;

/** The titles of the links that are public, the newest first. */
const titles = () => sandbox.account.links.list().map(({ title }) => title);

/** Opens a workflow with the node, and the panel of the node. */
async function openNode(operation: string, fields: object = {}, app = credential): Promise<void> {
	const node = profilePage(app, { resource: 'links', operation, ...fields });
	const workflow = { ...chain(operation, manualTrigger, node), settings };
	await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
	await editor.openNode('Profile Page');
}

describe('Create, in the editor', () => {
	beforeAll(async () => await openNode('create'));

	test('a group is chosen by its name, from a list that the service gives', async () => {
		await editor.addField('Add Field', 'Group Name or ID');
		await editor.field('additionalFields.groupId').click();
		const list = editor.page.locator('.el-select-dropdown__item:visible');
		const events = list.filter({ hasText: 'Events' });
		await events.waitFor();
		const names = seededGroups.map(({ group_name: name }) => name);
		expect(await list.allTextContents()).toEqual(['No Group', ...names]);
		await events.click();
	});

	test('a date of the date field is sent in the time zone of the workflow', async () => {
		await editor.enter('title', 'From the editor');
		await editor.enter('url', 'https://example.com/editor');
		await editor.addField('Add Field', 'Schedule From');
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

test("dates of n8n's own expressions are sent as the service takes them", async () => {
	const PATH = 'dates';
	const expressions = {
		'Luxon, in the time zone of the workflow':
			'{{ $now.set({ year: 2099, month: 1, day: 1 }).startOf("day") }}',
		'Luxon, in another zone':
			'{{ DateTime.fromISO("2099-07-01T10:00:00Z").setZone("Asia/Kolkata") }}',
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

test('an expression that finds nothing stops the node: no link becomes public at once', async () => {
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

describe('a link is picked', () => {
	test('from the list, by its title, which can be searched', async () => {
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
		expect(await editor.outputRows()).toEqual([['true']]);
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

	test('by ID, which the editor does not take if it is none', async () => {
		await openNode('delete', { linkId: { __rl: true, mode: 'id', value: 'My link' } });
		await editor.byTestId('parameter-issues').first().hover();
		await editor.page.getByText('The ID of a link is a whole number').first().waitFor();
	});
});

describe('where a list can not be loaded, the editor shows why', () => {
	const REFUSED =
		'No access token: the service refused the Client ID or the Client Secret (HTTP 401). Check both in the credential. The service said: "';
	let wrong: Stored;
	beforeAll(async () => {
		wrong = await harness.n8n.rest.addPrivateApp(sandbox, { clientSecret: 'wrong' });
	});

	test('in the list of links', async () => {
		await openNode('delete', {}, wrong);
		await editor.openList();
		expect(await editor.listError.innerText()).toContain(REFUSED);
	});

	test('in the list of links, in the words of the service', async () => {
		const body = JSON.stringify({ status: false, errors: ['The account is closed.'] });
		sandbox.faults.add({ path: '/lnk/list', fault: { status: 200, body } });
		await openNode('delete');
		await editor.openList();
		expect(await editor.listError.innerText()).toContain(
			'The service said: "The account is closed."',
		);
	});

	test('in the list of groups', async () => {
		await openNode('getAll', { filters: { groupId: '' } }, wrong);
		await editor.byTestId('parameter-issues').first().hover();
		await editor.page.getByText(REFUSED).first().waitFor();
	});
});

test('Get Many puts out a row for each link, and a hint where there may be more', async () => {
	for (let index = 0; index < 50; index += 1) {
		sandbox.account.links.add({ title: `Link ${index}`, link: 'https://example.com/' });
	}
	await openNode('getAll', { returnAll: true });
	await editor.executeStep();
	const rows = await editor.outputRows();
	expect(rows.map((cells) => cells[2])).toEqual(titles().slice(0, rows.length));
	await editor.output.getByText('The service lists 50 links at most').waitFor();
});
