import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { GET_INFO } from '../../support/parameters';
import { testSinceN8n2, useN8n } from '../support/harness';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { callWebhook, webhook } from '../support/webhook';
import { chain, httpRequest, type Node, profilePage, splitOut } from '../support/workflows';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

/** The response of a web server that is not the service. */
const WEB_PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' };

const harness = useN8n('n8n-edited-credential', { privateApps: [OTHER_APP] });
let n8n: N8n;
let sandbox: Sandbox;
let elsewhere: Sandbox;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	elsewhere = await startSandbox();
});
afterAll(async () => await elsewhere.close());

let workflows = 0;

/** Publishes a workflow of a webhook and these nodes, and returns a function that runs it. */
async function publish(...nodes: Node[]): Promise<(body?: object) => Promise<string>> {
	workflows += 1;
	const path = `edited-${workflows}`;
	const workflow = chain(path, webhook(path), ...nodes);
	await n8n.rest.activate(await n8n.rest.createWorkflow(workflow));
	return async (body) => await callWebhook(n8n, path, body);
}

const bearers = ({ recorder }: Sandbox) => recorder.calls.flatMap(({ headers }) => headers.authorization ?? []);

describe('a credential that is edited after use', () => {
	let credential: Stored;
	let run: (body?: object) => Promise<string>;
	beforeEach(async () => {
		elsewhere.faults.clear();
		credential = await n8n.rest.addPrivateApp(sandbox);
		run = await publish(profilePage(credential, GET_INFO));
		expect(await run()).toContain('@sandbox');
		sandbox.recorder.reset();
		elsewhere.recorder.reset();
	});

	/** Changes fields like the editor, which sends all fields back, with placeholders for secrets. */
	const edit = async (fields: object) => await n8n.rest.editCredential(credential, fields);
	const runTest = async (fields: object) => await n8n.rest.testCredential(credential, fields);

	test.each(['clientId', 'clientSecret'])(
		'fails its test with a wrong %s, and fails the node after saving',
		async (field) => {
			const message: unknown = expect.stringContaining('rejected the Client ID or the Client Secret');
			expect(await runTest({ [field]: 'wrong' })).toMatchObject({ status: 'Error', message });
			await edit({ [field]: 'wrong' });
			await expect(run()).rejects.toThrow();
			expect(sandbox.recorder.calls).toEqual([]);
		},
	);

	test('passes its test with another app, and the node uses that app after saving', async () => {
		expect(await runTest(OTHER_APP)).toMatchObject({ status: 'OK' });
		// n8n 1 stores what it has tested together with the token.
		if (!isN8n1) expect(await run()).toContain('@sandbox');
		await edit(OTHER_APP);
		expect(await run()).toContain('@other-id');
	});

	test('never sends the token of the old Base URL to the new Base URL', async () => {
		const { baseUrl } = elsewhere;
		expect(await runTest({ baseUrl })).toMatchObject({ status: 'OK' });
		await edit({ baseUrl });
		expect(await run()).toContain('@sandbox');
		const request = await publish(httpRequest(credential, { url: `${baseUrl}/oauth/v1/me` }));
		await request();
		expect(bearers(elsewhere).length).toBeGreaterThanOrEqual(3);
		for (const bearer of bearers(elsewhere)) {
			expect(elsewhere.oauth.clientIdOf(bearer.replace('Bearer ', ''))).toBeDefined();
		}
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('fails its test without sending a token if the new Base URL returns web pages', async () => {
		elsewhere.faults.add({ fault: WEB_PAGE });
		expect(await runTest({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'Error' });
		expect(bearers(elsewhere)).toEqual([]);
	});
});

// Needs n8n 2.40 (docs/credentials.md).
testSinceN8n2('a run acts for the account that the expressions of the credential give, and refuses two', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox, {
		clientId: '={{ $json.app }}-id',
		clientSecret: '={{ $json.app }}-secret',
	});
	const run = await publish(splitOut('body.items'), profilePage(credential, GET_INFO));
	const apps = (...names: string[]) => ({ items: names.map((app) => ({ app })) });
	const usernames = async (body: object) =>
		(JSON.parse(await run(body)) as Array<{ username: string }>).map(({ username }) => username);
	const own = 'sandbox-client';
	expect(await usernames(apps(own, own))).toEqual(['@sandbox', '@sandbox']);
	expect(await usernames(apps('other'))).toEqual(['@other-id']);
	sandbox.recorder.reset();
	await expect(run(apps(own, 'other'))).rejects.toThrow();
	expect(sandbox.recorder.requests).toEqual([]);
});
