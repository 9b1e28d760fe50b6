import { quotable } from '../../../nodes/ProfilePage/shared/values';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import type { Fault } from '../../../sandbox/faults';
import { startHttpServer } from '../../support/httpServer';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { callWebhook, webhook } from '../support/webhook';
import { chain, httpRequest, manualTrigger, type Node, profilePage } from '../support/workflows';

const harness = useEditor('n8n-hostile');
let sandbox: Sandbox;
let n8n: N8n;
let editor: Editor;

beforeAll(() => {
	({ sandbox, n8n, editor } = harness);
});
beforeEach(() => {
	sandbox.recorder.requests.length = 0;
	sandbox.faults.clear();
});

/** Activates a workflow that runs nodes for each request to its webhook, and continues if one fails. */
async function activate(hook: string, ...nodes: Node[]): Promise<void> {
	const continuing = nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' }));
	await n8n.rest.activate(await n8n.rest.createWorkflow(chain(hook, webhook(hook), ...continuing)));
}

describe('Somebody who may use a credential, but not see it, cannot divert its token in the HTTP Request node', () => {
	let elsewhere: Sandbox;
	let credential: Stored;

	beforeAll(async () => {
		elsewhere = await startSandbox();
		credential = await n8n.rest.addPrivateApp(sandbox);
	});
	afterAll(async () => await elsewhere.close());

	test.each<[way: string, options: (origin: string) => object]>([
		['through a proxy', (origin) => ({ proxy: origin })],
		['to a host that is not verified', () => ({ allowUnauthorizedCerts: true })],
	])('%s', async (way, options) => {
		const hook = way.replaceAll(' ', '-');
		const url = `${sandbox.baseUrl}/oauth/v1/me`;
		const { origin } = new URL(elsewhere.baseUrl);
		await activate(hook, httpRequest(credential, { url, options: options(origin) }));
		const refusal = 'is not sent through a proxy of the request, or without verified certificates';
		expect(await callWebhook(n8n, hook)).toContain(refusal);
		expect(sandbox.recorder.calls).toEqual([]);
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

/** Returns a node that outputs the values of expressions. */
function editFields(fields: Record<string, string>): Node {
	const assignments = Object.entries(fields).map(([name, value]) => ({ id: name, name, type: 'string', value }));
	const parameters = { assignments: { assignments }, options: { ignoreConversionErrors: true } };
	return { name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}

test('n8n shows expressions the access token of a failed HTTP request, but not the client secret (SECURITY.md)', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const shown = editFields({
		token: '={{ $json.error.cause.options.headers.Authorization }}',
		all: '={{ JSON.stringify($json.error.cause) }}',
	});
	await activate('failed', httpRequest(credential, { url: `${sandbox.baseUrl}/oauth/v1/none` }), shown);
	const output = await callWebhook(n8n, 'failed');
	const token = sandbox.recorder.calls.at(-1)?.headers.authorization;
	expect(token).toMatch(/^Bearer /);
	const all = expect.stringContaining(String(token)) as string;
	expect(JSON.parse(output)).toEqual([expect.objectContaining({ token, all })]);
	const { clientId, clientSecret } = sandbox;
	const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	for (const secret of [clientSecret, basic]) expect(output).not.toContain(secret);
});

describe('With a public app,', () => {
	const HOOK = 'token-endpoint';
	const SECRET = 'data-of-the-workflow';
	const EXPRESSION = "={{ JSON.stringify($('Webhook').all()) }}";

	const getInfo = { authentication: 'oAuth2', resource: 'me', operation: 'getInfo' };

	let credential: Stored;

	beforeAll(async () => {
		credential = await n8n.rest.addPublicApp(sandbox);
		const window = await editor.openTab(await n8n.rest.authorizationUrl(credential));
		await window.getByLabel('User name').fill(sandbox.owner.userName);
		await window.locator('input[type=password]').fill(sandbox.owner.password);
		await window.getByRole('button', { name: 'Sign in' }).click();
		await window.getByRole('button', { name: 'Allow' }).click();
		await window.waitForURL('**/rest/oauth2-credential/callback?*');
		await window.close();
		await activate(HOOK, profilePage(credential, getInfo, { credentials: { profilePageOAuth2Api: credential } }));
	});

	test.each<[place: string, response: object, problem?: string]>([
		['a list in its refresh token', { access_token: 'new', refresh_token: [EXPRESSION] }],
		['its access token', { access_token: EXPRESSION, refresh_token: 'next' }, 'the response contains none'],
		['another field', { access_token: 'new', refresh_token: 'next', extra: { nested: { deep: EXPRESSION } } }],
		['a name', { access_token: 'new', refresh_token: 'next', extra: { [EXPRESSION]: 'x' } }],
	])(
		'a token endpoint reads nothing of the workflow by an expression in %s, and gets nothing stored',
		async (_place, response, problem = 'the response contains an n8n expression') => {
			const body = JSON.stringify({ token_type: 'bearer', expires_in: 3600, ...response });
			sandbox.oauth.revokeAccessTokens();
			const headers = { 'content-type': 'application/json' };
			sandbox.faults.add({ fault: { status: 200, headers, body }, path: '/oauth/token' });
			const results = [await callWebhook(n8n, HOOK, { SECRET }), await callWebhook(n8n, HOOK, { SECRET })];
			const refusal = expect.stringContaining(`No access token: ${problem}`) as string;
			expect(results).toEqual([refusal, refusal]);
			sandbox.faults.clear();
			const sent = sandbox.recorder.requests.map(({ url, body: form }) => `${url} ${form}`);
			expect(sent.filter((request) => request.startsWith('/oauth/token'))).not.toHaveLength(0);
			expect(decodeURIComponent(sent.join('\n'))).not.toContain(SECRET);
			// The tokens that were stored before are still there.
			expect(await callWebhook(n8n, HOOK)).toContain('@sandbox');
		},
	);

	test('the HTTP Request node sends the token to the host of the Base URL only', async () => {
		const elsewhere = await startHttpServer((request, response) => void response.end(request.headers.authorization));
		const toHost = (url: string) => httpRequest(credential, { url }, 'profilePageOAuth2Api');
		await activate('elsewhere', toHost(elsewhere.origin.replace('127.0.0.1', 'localhost')));
		await activate('here', toHost(`${sandbox.baseUrl}/oauth/v1/me`));
		// n8n 1 sends it to any host (SECURITY.md).
		expect(await callWebhook(n8n, 'elsewhere')).toContain(isN8n1 ? 'Bearer ' : 'Domain not allowed');
		expect(await callWebhook(n8n, 'here')).toContain('@sandbox');
		elsewhere.close();
	});

	// Last, as the sandbox forgets the refresh token of an answer that n8n did not receive.
	describe.each<[failure: string, fault: Fault]>([
		['a broken connection', 'reset'],
		['an incomplete response', 'cut'],
		['a server error', { status: 503, body: 'busy' }],
	])('after a renewal that failed by %s,', (failure, fault) => {
		const hook = `renewal-${failure.replaceAll(' ', '-')}`;

		/** Returns what expressions see after a node whose renewal fails. */
		async function seeAfter(node: Node): Promise<string> {
			const fields = {
				authorization: '={{ $json.error.cause.config.headers.Authorization }}',
				form: '={{ $json.error.cause.config.data }}',
				all: '={{ JSON.stringify($json) }}',
			};
			await activate(`${hook}-${node.type}`, node, editFields(fields));
			sandbox.oauth.revokeAccessTokens();
			sandbox.faults.add({ fault, path: '/oauth/token' });
			return await callWebhook(n8n, `${hook}-${node.type}`);
		}

		const secrets = () => {
			const { clientId, clientSecret } = sandbox.publicApp;
			return { clientSecret, basic: Buffer.from(`${clientId}:${clientSecret}`).toString('base64') };
		};

		test('n8n shows expressions the client secret that its HTTP Request node sent (SECURITY.md)', async () => {
			const url = `${sandbox.baseUrl}/oauth/v1/me`;
			const seen = await seeAfter(httpRequest(credential, { url }, 'profilePageOAuth2Api'));
			const { basic } = secrets();
			expect(seen.includes(basic)).toBe(!isN8n1);
			expect(seen.includes('refresh_token=')).toBe(!isN8n1);
		});

		test('the Profile Page node shows none', async () => {
			const seen = await seeAfter(
				profilePage(credential, getInfo, { credentials: { profilePageOAuth2Api: credential } }),
			);
			expect(seen).toContain('No access token');
			for (const secret of Object.values(secrets())) expect(seen).not.toContain(secret);
			expect(seen).not.toContain('refresh_token=');
		});
	});
});

test('Markup in the IDs of a page and its blocks is text in a hint', async () => {
	const link = '<a href="https://example.com/">Sign in again</a>';
	// Without spaces and quotation marks, which no ID of a block contains.
	const picture = '<img/src=https://example.com/x.png>';
	const blocks = [
		{ id: picture, position: 0 },
		{ id: 'other', position: 1 },
	];
	const response = JSON.stringify({ status: true, data: { blocks } });
	sandbox.faults.add({ fault: { status: 200, body: response }, path: '/sort' });
	const parameters = {
		resource: 'blocks',
		operation: 'reorder',
		pageId: link,
		blockOrder: 'list',
		blockIds: ['other', picture],
		arrangement: 'rotate',
		rotateEvery: 'custom',
	};
	const node = profilePage(await n8n.rest.addPrivateApp(sandbox), parameters);
	await editor.openWorkflow((await n8n.rest.createWorkflow(chain('Markup', manualTrigger, node))).id);
	await editor.openNode(node.name);
	await editor.executeStep();
	await editor.output.getByText(`Block "${quotable(picture)}" is on top of page "${quotable(link)}".`).waitFor();
	expect(await editor.output.locator('a[href*="example.com"], img[src*="example.com"]').count()).toBe(0);
});

test('Markup in the title of a link is text in an error', async () => {
	sandbox.faults.add({ fault: { status: 400, body: '{"status":false,"errors":["No."]}' }, path: '/lnk/add' });
	const title = '<a href="https://example.com/">Sign in again</a><img src="https://example.com/x.png">';
	const parameters = { resource: 'links', operation: 'create', title, url: 'https://example.com/' };
	const node = profilePage(await n8n.rest.addPrivateApp(sandbox), parameters);
	await editor.openWorkflow((await n8n.rest.createWorkflow(chain('Error', manualTrigger, node))).id);
	await editor.byTestId('execute-workflow-button').first().click();
	await editor.page.locator('.el-notification').getByText('Sign in again').waitFor();
	const MARKUP = 'a[href*="example.com"], img[src*="example.com"]';
	expect(await editor.page.locator(`.el-notification :is(${MARKUP})`).count()).toBe(0);
	await editor.openNode(node.name);
	expect((await editor.error()).message).toContain(`The link "${quotable(title)}" was not created`);
	expect(await editor.panel.locator(MARKUP).count()).toBe(0);
});
