import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { callWebhook, webhook } from '../support/webhook';
import { chain, httpRequest, type Node, profilePage, splitOut } from '../support/workflows';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };
const GET_INFO = { resource: 'me', operation: 'getInfo' };

/** A web server that is not the service: it answers everything with a page. */
const STRANGER = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' };

let n8n: N8n;
let sandbox: Sandbox;
let elsewhere: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ privateApps: [OTHER_APP] });
	elsewhere = await startSandbox();
	n8n = await N8n.create({ name: 'n8n-edited-credential' });
	await n8n.start();
	await n8n.rest.setUpOwner();
});
afterAll(async () => {
	await n8n.remove();
	await sandbox.close();
	await elsewhere.close();
});

let workflows = 0;

/** Publishes a workflow that is called by a webhook and runs these nodes; returns how to run it. */
async function publish(...nodes: Node[]): Promise<(body?: object) => Promise<string>> {
	workflows += 1;
	const path = `edited-${workflows}`;
	const workflow = chain(path, webhook(path), ...nodes);
	await n8n.rest.activate(await n8n.rest.createWorkflow(workflow));
	return async (body) => await callWebhook(n8n, path, body);
}

const bearers = ({ recorder }: Sandbox) =>
	recorder.calls.flatMap(({ headers }) => headers.authorization ?? []);

describe('a credential that was used and is then edited', () => {
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

	/** Changes fields as the editor does: all are sent back, secrets as placeholders. */
	const edit = async (fields: object) => await n8n.rest.editCredential(credential, fields);
	const press = async (fields: object) => await n8n.rest.testCredential(credential, fields);

	test.each(['clientId', 'clientSecret'])(
		'fails its test where the %s is wrong, and fails the node once it is saved',
		async (field) => {
			const message: unknown = expect.stringContaining(
				'refused the Client ID or the Client Secret',
			);
			expect(await press({ [field]: 'wrong' })).toMatchObject({ status: 'Error', message });
			await edit({ [field]: 'wrong' });
			await expect(run()).rejects.toThrow();
			expect(sandbox.recorder.calls).toEqual([]);
		},
	);

	test('passes its test with another app, and the node acts for that app once it is saved', async () => {
		expect(await press(OTHER_APP)).toMatchObject({ status: 'OK' });
		expect(await run()).toContain('@sandbox');
		await edit(OTHER_APP);
		expect(await run()).toContain('@other-id');
	});

	test('never sends the token of the old Base URL to the new one', async () => {
		const { baseUrl } = elsewhere;
		expect(await press({ baseUrl })).toMatchObject({ status: 'OK' });
		await edit({ baseUrl });
		expect(await run()).toContain('@sandbox');
		const request = await publish(httpRequest(credential, { url: `${baseUrl}/oauth/v1/me` }));
		await request();
		expect(bearers(elsewhere).length).toBeGreaterThanOrEqual(3);
		for (const bearer of bearers(elsewhere)) {
			expect(elsewhere.oauth.clientOf(bearer.replace('Bearer ', ''))).toBeDefined();
		}
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('fails its test at a stranger that answers everything with a web page, without a token', async () => {
		elsewhere.faults.add({ fault: STRANGER });
		expect(await press({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'Error' });
		expect(bearers(elsewhere)).toEqual([]);
	});
});

test('items for which the credential gives different apps each act for their own', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox, {
		clientId: '={{ $json.app }}-id',
		clientSecret: '={{ $json.app }}-secret',
	});
	const run = await publish(splitOut('body.items'), profilePage(credential, GET_INFO));
	const apps = (...names: string[]) => ({ items: names.map((app) => ({ app })) });
	const usernames = async (body: object) =>
		(JSON.parse(await run(body)) as Array<{ username: string }>).map(({ username }) => username);
	const own = 'sandbox-client';
	expect(await usernames(apps(own))).toEqual(['@sandbox']);
	expect(await usernames(apps('other'))).toEqual(['@other-id']);
	expect(await usernames(apps(own, 'other', own))).toEqual(['@sandbox', '@other-id', '@sandbox']);
});
