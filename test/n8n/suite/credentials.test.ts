/** What n8n stores of credentials and shows of them: when one is edited, and to expressions (SECURITY.md). */
import { jsonResponse, statusFault } from '../../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { GET_INFO } from '../../support/parameters';
import { testSinceN8n2, useEditor } from '../support/harness';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { publish, type Published } from '../support/webhook';
import { httpRequest, type Node, profilePage, publicProfilePage, splitOut } from '../support/workflows';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };
const [TOKEN, ME] = ['/oauth/token', '/oauth/v1/me'];

const harness = useEditor('n8n-credentials', { privateApps: [OTHER_APP] });
let n8n: N8n;
let sandbox: Sandbox;
beforeAll(() => ({ n8n, sandbox } = harness));
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
});

let workflows = 0;

/** Publishes a workflow of nodes, the first of which may fail. Returns a function that runs it. */
async function activate(...nodes: Node[]): Promise<Published['run']> {
	const continuing = nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' }));
	return (await publish(n8n, `credentials-${(workflows += 1)}`, continuing)).run;
}

const requests = () => sandbox.recorder.requests.map(({ url }) => url);

describe('a credential that is edited after use', () => {
	let credential: Stored;
	let run: Published['run'];
	let elsewhere: Sandbox;
	beforeAll(async () => (elsewhere = await startSandbox()));
	afterAll(async () => await elsewhere.close());
	beforeEach(async () => {
		credential = await n8n.rest.addPrivateApp(sandbox);
		run = await activate(profilePage(credential, GET_INFO));
		expect(await run()).toContain('@sandbox');
		sandbox.recorder.reset();
	});

	const edit = async (fields: object) => await n8n.rest.editCredential(credential, fields);
	const runTest = async (fields: object) => await n8n.rest.testCredential(credential, fields);

	test('fails its test with a wrong Client Secret, and fails the node after saving', async () => {
		const message = 'rejected the Client ID or the Client Secret';
		const tested: unknown = expect.stringContaining(message);
		expect(await runTest({ clientSecret: 'wrong' })).toMatchObject({ status: 'Error', message: tested });
		await edit({ clientSecret: 'wrong' });
		expect(await run()).toContain(message);
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
		await (
			await activate(httpRequest(credential, { url: baseUrl + ME }))
		)();
		const bearers = elsewhere.recorder.calls.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
		expect(bearers.length).toBeGreaterThanOrEqual(3);
		for (const bearer of bearers) expect(elsewhere.oauth.clientIdOf(bearer)).toBeDefined();
		expect(requests()).toEqual([]);
	});
});

// Needs n8n 2.40 (docs/credentials.md).
testSinceN8n2('a run acts for the account that the expressions of the credential give, and refuses two', async () => {
	const app = { clientId: '={{ $json.app }}-id', clientSecret: '={{ $json.app }}-secret' };
	const node = profilePage(await n8n.rest.addPrivateApp(sandbox, app), GET_INFO);
	const run = await activate(splitOut('body.items'), node);
	const apps = (...names: string[]) => ({ items: names.map((name) => ({ app: name })) });
	const usernames = async (body: object) =>
		(JSON.parse(await run(body)) as Array<{ username: string }>).map(({ username }) => username);
	const own = 'sandbox-client';
	expect(await usernames(apps(own, own))).toEqual(['@sandbox', '@sandbox']);
	expect(await usernames(apps('other'))).toEqual(['@other-id']);
	sandbox.recorder.reset();
	await run(apps(own, 'other'));
	expect(requests()).toEqual([]);
});

describe("n8n's HTTP Request node", () => {
	test('shares the token of the Profile Page node, also in another workflow, and renews it', async () => {
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const node = httpRequest(credential, { url: sandbox.baseUrl + ME });
		const [both, alone] = [await activate(profilePage(credential, GET_INFO), node), await activate(node)];
		const requestsOf = async (run: Published['run']) => {
			sandbox.recorder.reset();
			expect(await run()).toContain('@sandbox');
			return requests();
		};
		expect(await requestsOf(both)).toEqual([TOKEN, ME, ME]);
		expect(await requestsOf(alone)).toEqual([ME]);
		sandbox.oauth.revokeAccessTokens();
		expect(await requestsOf(alone)).toEqual([ME, TOKEN, ME]);
	});

	test('sends no token through a proxy of somebody who may use a credential, but not see it', async () => {
		const elsewhere = await startHttpServer((_request, response) => void response.end());
		const parameters = { url: sandbox.baseUrl + ME, options: { proxy: elsewhere.origin } };
		const run = await activate(httpRequest(await n8n.rest.addPrivateApp(sandbox), parameters));
		expect(await run()).toContain('is not sent through a proxy of the request, or without verified certificates');
		expect(sandbox.recorder.calls).toEqual([]);
		elsewhere.close();
	});

	test('shows expressions the access token of a failed request in n8n 2, but not the client secret (SECURITY.md)', async () => {
		const failing = httpRequest(await n8n.rest.addPrivateApp(sandbox), { url: `${sandbox.baseUrl}/oauth/v1/none` });
		const output = await (await activate(failing, everything))();
		const token = String(sandbox.recorder.calls.at(-1)?.headers.authorization);
		expect(token).toMatch(/^Bearer /);
		expect(output.includes(token)).toBe(!isN8n1);
		for (const secret of secretsOf(sandbox)) expect(output).not.toContain(secret);
	});
});

/** A node that returns all that an expression sees of its input. */
const everything: Node = {
	name: 'Edit Fields',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [
				{ id: 'all', name: 'all', type: 'string', value: '={{ JSON.stringify($json) }}' },
				...['options.headers.Authorization', 'config.headers.Authorization', 'config.data'].map((path) => {
					return { id: path, name: path, type: 'string', value: `={{ $json.error.cause.${path} }}` };
				}),
			],
		},
		options: { ignoreConversionErrors: true },
	},
};

const secretsOf = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => [
	clientSecret,
	Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
];

describe('with a public app,', () => {
	let credential: Stored;
	let node: Node;
	beforeAll(async () => {
		credential = await n8n.rest.addPublicApp(sandbox);
		await harness.editor.connectPublicApp(credential);
		node = publicProfilePage(credential, GET_INFO);
	});

	test('a token endpoint reads nothing of the workflow by an expression, and gets nothing stored', async () => {
		const expression = "={{ JSON.stringify($('Webhook').all()) }}";
		const others = { token_type: 'bearer', expires_in: 3600, extra: { [expression]: expression } };
		const fault = jsonResponse({ access_token: 'new', refresh_token: [expression], ...others });
		const run = await activate(node);
		sandbox.oauth.revokeAccessTokens();
		sandbox.faults.add({ fault, path: TOKEN });
		for (let runs = 0; runs < 2; runs += 1) {
			const result = await run({ data: 'data-of-the-workflow' });
			expect(result).toContain('No access token: the response contains an n8n expression');
		}
		const sent = sandbox.recorder.requests.map(({ url, body }) => `${url} ${decodeURIComponent(body)}`).join('\n');
		expect(sent).toContain('grant_type=refresh_token');
		expect(sent).not.toContain('data-of-the-workflow');
		sandbox.faults.clear();
		// The tokens that were stored before are still there.
		expect(await run()).toContain('@sandbox');
	});

	test('the HTTP Request node sends the token to the host of the Base URL only', async () => {
		const elsewhere = await startHttpServer((request, response) => void response.end(request.headers.authorization));
		const send = async (url: string) =>
			await (
				await activate(httpRequest(credential, { url }, 'profilePageOAuth2Api'))
			)();
		// n8n 1 sends it to any host (SECURITY.md).
		const refused = isN8n1 ? 'Bearer ' : 'Domain not allowed';
		expect(await send(elsewhere.origin.replace('127.0.0.1', 'localhost'))).toContain(refused);
		expect(await send(sandbox.baseUrl + ME)).toContain('@sandbox');
		elsewhere.close();
	});

	// Last, as the sandbox forgets the refresh token of an answer that n8n did not receive.
	test('after a renewal that failed, expressions see the client secret that the HTTP Request node sent in n8n 2, but none of the Profile Page node (SECURITY.md)', async () => {
		const [clientSecret = '', basic = ''] = secretsOf(sandbox.publicApp);
		const shownAfter = async (failing: Node) => {
			const run = await activate(failing, everything);
			sandbox.oauth.revokeAccessTokens();
			sandbox.faults.add({ fault: statusFault(503, 'busy'), path: TOKEN });
			return await run();
		};
		const ofRequest = await shownAfter(httpRequest(credential, { url: sandbox.baseUrl + ME }, 'profilePageOAuth2Api'));
		expect([ofRequest.includes(basic), ofRequest.includes('refresh_token=')]).toEqual([!isN8n1, !isN8n1]);
		const ofNode = await shownAfter(node);
		expect(ofNode).toContain('No access token');
		for (const secret of [clientSecret, basic, 'refresh_token=']) expect(ofNode).not.toContain(secret);
	});
});
