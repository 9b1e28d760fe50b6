/** What n8n does with the credentials: when one is edited, with expressions in it, and in its HTTP Request node. */
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { GET_INFO } from '../../support/parameters';
import { testSinceN8n2, useN8n } from '../support/harness';
import type { N8n } from '../support/n8n';
import { isN8n1 } from '../support/versions';
import { publish, type Published } from '../support/webhook';
import { httpRequest, type Node, profilePage, splitOut } from '../support/workflows';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };
const [TOKEN, ME] = ['/oauth/token', '/oauth/v1/me'];

const harness = useN8n({ name: 'n8n-credentials', sandbox: { privateApps: [OTHER_APP] } });
let n8n: N8n;
let sandbox: Sandbox;
beforeAll(() => ({ n8n, sandbox } = harness));
beforeEach(() => sandbox.recorder.reset());

let workflows = 0;

/** Publishes a workflow of nodes that may fail. Returns a function that runs it. */
async function activate(...nodes: Node[]): Promise<Published['run']> {
	const continuing = nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' }));
	return (await publish(n8n, `credentials-${(workflows += 1)}`, continuing)).run;
}

const requests = () => sandbox.recorder.requests.map(({ url }) => url);

test('a credential with another Base URL never sends the token of the old one there, and fails with a wrong Client Secret', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const run = await activate(profilePage(credential, GET_INFO));
	expect(await run()).toContain('@sandbox');
	sandbox.recorder.reset();

	const elsewhere = await startSandbox();
	const { baseUrl } = elsewhere;
	expect(await n8n.rest.testCredential(credential, { baseUrl })).toMatchObject({ status: 'OK' });
	await n8n.rest.editCredential(credential, { baseUrl });
	expect(await run()).toContain('@sandbox');
	const requestAgain = await activate(httpRequest(credential, { url: baseUrl + ME }));
	expect(await requestAgain()).toContain('@sandbox');
	const bearers = elsewhere.recorder.calls.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
	expect(bearers).toHaveLength(3);
	for (const bearer of bearers) expect(elsewhere.oauth.clientIdOf(bearer)).toBeDefined();
	expect(requests()).toEqual([]);

	const message = 'rejected the Client ID or the Client Secret';
	const edited = { clientSecret: 'wrong' };
	const tested = await n8n.rest.testCredential(credential, edited);
	expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining(message) as string });
	await n8n.rest.editCredential(credential, edited);
	expect(await run()).toContain(message);
	await elsewhere.close();
});

// Needs n8n 2.40 (docs/credentials.md).
testSinceN8n2('a run acts for the account that the expressions of the credential give, and refuses two', async () => {
	const app = { clientId: '={{ $json.app }}-id', clientSecret: '={{ $json.app }}-secret' };
	const node = profilePage(await n8n.rest.addPrivateApp(sandbox, app), GET_INFO);
	const run = await activate(splitOut('body.items'), node);
	const runFor = async (...apps: string[]) => await run({ items: apps.map((name) => ({ app: name })) });
	expect(await runFor('sandbox-client', 'sandbox-client')).toContain('@sandbox');
	expect(await runFor('other')).toContain('@other-id');
	sandbox.recorder.reset();
	expect(await runFor('sandbox-client', 'other')).toContain('give different accounts');
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

	test('sends the token of a public app to the host of the Base URL only', async () => {
		const credential = await n8n.rest.addPublicApp(sandbox);
		await n8n.rest.connectPublicApp(credential);
		const elsewhere = await startHttpServer((request, response) => void response.end(request.headers.authorization));
		const send = async (url: string) => {
			const run = await activate(httpRequest(credential, { url }, 'profilePageOAuth2Api'));
			return await run();
		};
		// n8n 1 sends it to any host (SECURITY.md).
		const refused = isN8n1 ? 'Bearer ' : 'Domain not allowed';
		expect(await send(elsewhere.origin.replace('127.0.0.1', 'localhost'))).toContain(refused);
		expect(await send(sandbox.baseUrl + ME)).toContain('@sandbox');
		elsewhere.close();
	});
});
