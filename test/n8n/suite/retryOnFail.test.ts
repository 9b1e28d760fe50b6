import type { Sandbox } from '../../../sandbox/server';
import { statusFault } from '../../../sandbox/faults';
import { useN8n } from '../support/harness';
import type { N8n } from '../support/n8n';
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

/** The same with Send Request. */
const ADD = {
	resource: 'api',
	operation: 'request',
	method: 'POST',
	path: '/oauth/v1/lnk/add',
	bodyParameters: {
		parameters: [
			{ name: 'title', value: CREATE.title },
			{ name: 'link', value: CREATE.url },
		],
	},
	options: CREATE.options,
};

const harness = useN8n('n8n-retry-on-fail', { links: [] });
let n8n: N8n;
let sandbox: Sandbox;
let credential: Stored;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox);
});
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
	for (const { link_id: id } of sandbox.account.links.all) sandbox.account.links.delete(id);
});

/** Runs a workflow with Retry On Fail that creates a link for each title. */
async function createLinks(onError: string, parameters: object = CREATE): Promise<string> {
	const path = `retry-${onError}`;
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10, onError };
	const node = profilePage(credential, parameters, settings);
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

test('a node with Retry On Fail resumes at the item that failed', async () => {
	sandbox.faults.add({ path: '/add', times: 2 });
	sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1 });
	const response = JSON.parse(await createLinks('stopWorkflow')) as unknown[];
	expect(response).toHaveLength(4);
	expect(created()).toEqual(TITLES);
	expect(sent()).toEqual(['a', 'b', 'c', 'c', 'd']);
});

test('a node with Retry On Fail and Continue on Fail does not repeat a link of unknown outcome', async () => {
	sandbox.faults.add({ path: '/add', fault: 'lost', times: 1 });
	sandbox.faults.add({ path: '/add', times: 1 });
	sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1 });
	const response = await createLinks('continueRegularOutput');
	expect(response).toContain('It is unknown whether the link \\"a\\" was created');
	expect(created()).toEqual(['a', 'b', 'd', 'c']);
	expect(sent()).toEqual(['a', 'b', 'c', 'd', 'c']);
});

test('Send Request with Retry On Fail resumes at the item that failed', async () => {
	sandbox.faults.add({ path: '/add', times: 2 });
	sandbox.faults.add({ path: '/add', fault: statusFault(400), times: 1 });
	const response = JSON.parse(await createLinks('stopWorkflow', ADD)) as unknown[];
	expect(response).toHaveLength(4);
	expect(created()).toEqual(TITLES);
	expect(sent()).toEqual(['a', 'b', 'c', 'c', 'd']);
});

test('Send Request with Retry On Fail and Continue on Fail does not repeat a POST request of unknown outcome', async () => {
	sandbox.faults.add({ path: '/add', fault: 'lost', times: 1 });
	const response = await createLinks('continueRegularOutput', ADD);
	expect(response).toContain('It is unknown whether the request POST /oauth/v1/lnk/add was completed');
	expect(created()).toEqual(TITLES);
	expect(sent()).toEqual(TITLES);
});
