import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { GET_INFO } from '../../support/parameters';
import { testSinceN8n2, useN8n } from '../support/harness';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { publish, type Published } from '../support/webhook';
import { httpRequest, profilePage, splitOut } from '../support/workflows';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

const harness = useN8n('n8n-edited-credential', { privateApps: [OTHER_APP] });
let n8n: N8n;
let sandbox: Sandbox;
let elsewhere: Sandbox;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	elsewhere = await startSandbox();
});
afterAll(async () => await elsewhere.close());

const bearers = ({ recorder }: Sandbox) => recorder.calls.flatMap(({ headers }) => headers.authorization ?? []);

describe('a credential that is edited after use', () => {
	let credential: Stored;
	let run: Published['run'];
	let runs = 0;
	beforeEach(async () => {
		credential = await n8n.rest.addPrivateApp(sandbox);
		({ run } = await publish(n8n, `edited-${(runs += 1)}`, [profilePage(credential, GET_INFO)]));
		expect(await run()).toContain('@sandbox');
		sandbox.recorder.reset();
		elsewhere.recorder.reset();
	});

	/** Changes fields like the editor, which sends all fields back, with placeholders for secrets. */
	const edit = async (fields: object) => await n8n.rest.editCredential(credential, fields);
	const runTest = async (fields: object) => await n8n.rest.testCredential(credential, fields);

	test('fails its test with a wrong Client Secret, and fails the node after saving', async () => {
		const message: unknown = expect.stringContaining('rejected the Client ID or the Client Secret');
		expect(await runTest({ clientSecret: 'wrong' })).toMatchObject({ status: 'Error', message });
		await edit({ clientSecret: 'wrong' });
		await expect(run()).rejects.toThrow();
		expect(sandbox.recorder.calls).toEqual([]);
	});

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
		const request = httpRequest(credential, { url: `${baseUrl}/oauth/v1/me` });
		await (await publish(n8n, 'elsewhere', [request])).run();
		expect(bearers(elsewhere).length).toBeGreaterThanOrEqual(3);
		for (const bearer of bearers(elsewhere)) {
			expect(elsewhere.oauth.clientIdOf(bearer.replace('Bearer ', ''))).toBeDefined();
		}
		expect(sandbox.recorder.requests).toEqual([]);
	});
});

test('the HTTP Request node shares the token of the node, also in another workflow, and renews it', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const request = httpRequest(credential, { url: `${sandbox.baseUrl}/oauth/v1/me` });
	const both = await publish(n8n, 'shared', [profilePage(credential, GET_INFO), request]);
	const alone = await publish(n8n, 'alone', [request]);
	const requests = async ({ run }: Published) => {
		sandbox.recorder.reset();
		expect(await run()).toContain('@sandbox');
		return sandbox.recorder.requests.map(({ url }) => url);
	};
	const [TOKEN, ME] = ['/oauth/token', '/oauth/v1/me'];
	expect(await requests(both)).toEqual([TOKEN, ME, ME]);
	expect(await requests(alone)).toEqual([ME]);
	sandbox.oauth.revokeAccessTokens();
	expect(await requests(alone)).toEqual([ME, TOKEN, ME]);
});

// Needs n8n 2.40 (docs/credentials.md).
testSinceN8n2('a run acts for the account that the expressions of the credential give, and refuses two', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox, {
		clientId: '={{ $json.app }}-id',
		clientSecret: '={{ $json.app }}-secret',
	});
	const { run } = await publish(n8n, 'apps', [splitOut('body.items'), profilePage(credential, GET_INFO)]);
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
