import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { statusFault } from '../../../sandbox/faults';
import { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { callWebhook, webhook } from '../support/webhook';
import { chain, profilePage, splitOut } from '../support/workflows';

const TITLES = ['a', 'b', 'c', 'd'];
const CREATE = {
	resource: 'links',
	operation: 'create',
	title: '={{ $json.title }}',
	url: '=https://example.com/{{ $json.title }}',
	options: { maxRetries: 0 },
};

let n8n: N8n;
let sandbox: Sandbox;
let credential: Stored;
beforeAll(async () => {
	sandbox = await startSandbox({ links: [] });
	n8n = await N8n.create({ name: 'n8n-retry-on-fail' });
	await n8n.start();
	await n8n.rest.setUpOwner();
	credential = await n8n.rest.addPrivateApp(sandbox);
});
afterAll(async () => {
	await n8n.remove();
	await sandbox.close();
});
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
	for (const { link_id: id } of sandbox.account.links.all) sandbox.account.links.delete(id);
});

/** Runs a workflow that creates a link for each title, with Retry On Fail. */
async function createLinks(onError: string): Promise<string> {
	const path = `retry-${onError}`;
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10, onError };
	const node = profilePage(credential, CREATE, settings);
	const workflow = chain(path, webhook(path), splitOut('body.items'), node);
	const stored = await n8n.rest.createWorkflow(workflow);
	await n8n.rest.activate(stored);
	try {
		return await callWebhook(n8n, path, { items: TITLES.map((title) => ({ title })) });
	} finally {
		await n8n.rest.deactivate(stored.id);
	}
}

const created = () => sandbox.account.links.all.map(({ title }) => title).toReversed();
const sent = () => sandbox.recorder.forms.map(({ title }) => title);

test('with Retry On Fail, a node that fails midway goes on where it failed', async () => {
	sandbox.faults.add({ path: '/add', times: 2 });
	sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1 });
	const answer = JSON.parse(await createLinks('stopWorkflow')) as unknown[];
	expect(answer).toHaveLength(4);
	expect(created()).toEqual(TITLES);
	expect(sent()).toEqual(['a', 'b', 'c', 'c', 'd']);
});

test('with Retry On Fail and Continue on Fail, a link of unknown outcome is not created again', async () => {
	sandbox.faults.add({ path: '/add', fault: 'lost', times: 1 });
	sandbox.faults.add({ path: '/add', times: 1 });
	sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1 });
	const answer = await createLinks('continueRegularOutput');
	expect(answer).toContain('It is not known whether the link \\"a\\" was created');
	expect(created()).toEqual(['a', 'b', 'd', 'c']);
	expect(sent()).toEqual(['a', 'b', 'c', 'd', 'c']);
});
