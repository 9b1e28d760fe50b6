import { quotable } from '../../../nodes/ProfilePage/shared/values';
import { jsonResponse, statusFault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { LIST_PATHS } from '../../support/pages';
import { GET_INFO } from '../../support/parameters';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { publish, type Published } from '../support/webhook';
import { httpRequest, type Node, profilePage, publicProfilePage } from '../support/workflows';

const MARKUP = 'a[href*="example.com"], img[src*="example.com"]';

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

/** Publishes a workflow of nodes, which continues if one fails. Returns a function that runs it. */
async function activate(hook: string, ...nodes: Node[]): Promise<Published['run']> {
	const continuing = nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' }));
	return (await publish(n8n, hook, continuing)).run;
}

test('Somebody who may use a credential, but not see it, cannot divert its token in the HTTP Request node', async () => {
	const elsewhere = await startHttpServer((_request, response) => void response.end());
	const url = `${sandbox.baseUrl}/oauth/v1/me`;
	const node = httpRequest(await n8n.rest.addPrivateApp(sandbox), { url, options: { proxy: elsewhere.origin } });
	const refusal = 'is not sent through a proxy of the request, or without verified certificates';
	expect(await (await activate('proxy', node))()).toContain(refusal);
	expect(sandbox.recorder.calls).toEqual([]);
	elsewhere.close();
});

/** Returns a node that outputs the values of expressions. */
function editFields(fields: Record<string, string>): Node {
	const assignments = Object.entries(fields).map(([name, value]) => ({ id: name, name, type: 'string', value }));
	const parameters = { assignments: { assignments }, options: { ignoreConversionErrors: true } };
	return { name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}

test('n8n 2.40 shows expressions the access token of a failed HTTP request, but not the client secret (SECURITY.md)', async () => {
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const shown = editFields({
		token: '={{ $json.error.cause.options.headers.Authorization }}',
		all: '={{ JSON.stringify($json) }}',
	});
	const run = await activate('failed', httpRequest(credential, { url: `${sandbox.baseUrl}/oauth/v1/none` }), shown);
	const output = await run();
	const token = sandbox.recorder.calls.at(-1)?.headers.authorization;
	expect(token).toMatch(/^Bearer /);
	expect(JSON.parse(output)).toMatchObject([{ token: isN8n1 ? null : token }]);
	expect(output.includes(String(token))).toBe(!isN8n1);
	const { clientId, clientSecret } = sandbox;
	const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	for (const secret of [clientSecret, basic]) expect(output).not.toContain(secret);
});

describe('With a public app,', () => {
	const SECRET = 'data-of-the-workflow';
	const EXPRESSION = "={{ JSON.stringify($('Webhook').all()) }}";

	let credential: Stored;
	let node: Node;
	let run: Published['run'];

	beforeAll(async () => {
		credential = await n8n.rest.addPublicApp(sandbox);
		await editor.connectPublicApp(credential, sandbox);
		node = publicProfilePage(credential, GET_INFO);
		run = await activate('token-endpoint', node);
	});

	test('a token endpoint reads nothing of the workflow by an expression, and gets nothing stored', async () => {
		const body = {
			access_token: 'new',
			refresh_token: [EXPRESSION],
			token_type: 'bearer',
			expires_in: 3600,
			extra: { nested: EXPRESSION, [EXPRESSION]: 'x' },
		};
		sandbox.oauth.revokeAccessTokens();
		sandbox.faults.add({ fault: jsonResponse(body), path: '/oauth/token' });
		const refusal = 'No access token: the response contains an n8n expression';
		for (const result of [await run({ SECRET }), await run({ SECRET })]) expect(result).toContain(refusal);
		sandbox.faults.clear();
		const sent = sandbox.recorder.requests.map(({ url, body: form }) => `${url} ${form}`);
		expect(sent.filter((request) => request.startsWith('/oauth/token'))).not.toHaveLength(0);
		expect(decodeURIComponent(sent.join('\n'))).not.toContain(SECRET);
		// The tokens that were stored before are still there.
		expect(await run()).toContain('@sandbox');
	});

	test('the HTTP Request node sends the token to the host of the Base URL only', async () => {
		const elsewhere = await startHttpServer((request, response) => void response.end(request.headers.authorization));
		const toHost = (url: string) => httpRequest(credential, { url }, 'profilePageOAuth2Api');
		const other = await activate('elsewhere', toHost(elsewhere.origin.replace('127.0.0.1', 'localhost')));
		const own = await activate('here', toHost(`${sandbox.baseUrl}/oauth/v1/me`));
		// n8n 1 sends it to any host (SECURITY.md).
		expect(await other()).toContain(isN8n1 ? 'Bearer ' : 'Domain not allowed');
		expect(await own()).toContain('@sandbox');
		elsewhere.close();
	});

	// Last, as the sandbox forgets the refresh token of an answer that n8n did not receive.
	test('after a renewal that failed, n8n shows expressions the client secret that its HTTP Request node sent, but none of the Profile Page node (SECURITY.md)', async () => {
		const { clientId, clientSecret } = sandbox.publicApp;
		const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
		const shown = editFields({
			authorization: '={{ $json.error.cause.config.headers.Authorization }}',
			form: '={{ $json.error.cause.config.data }}',
			all: '={{ JSON.stringify($json) }}',
		});
		const seeAfter = async (failing: Node) => {
			const after = await activate(`renewal-${failing.type}`, failing, shown);
			sandbox.oauth.revokeAccessTokens();
			sandbox.faults.add({ fault: statusFault(503, 'busy'), path: '/oauth/token' });
			return await after();
		};
		const url = `${sandbox.baseUrl}/oauth/v1/me`;
		const ofRequest = await seeAfter(httpRequest(credential, { url }, 'profilePageOAuth2Api'));
		expect(ofRequest.includes(basic)).toBe(!isN8n1);
		expect(ofRequest.includes('refresh_token=')).toBe(!isN8n1);

		const ofNode = await seeAfter(node);
		expect(ofNode).toContain('No access token');
		for (const secret of [clientSecret, basic, 'refresh_token=']) expect(ofNode).not.toContain(secret);
	});
});

test('Markup in the IDs of a page and its blocks is text in a hint', async () => {
	const page = '<a href="https://example.com/">Sign in again</a>';
	const picture = '<img/src=https://example.com/x.png>';
	const blocks = [picture, 'other'].map((id, position) => ({ id, position }));
	sandbox.faults.add({ fault: jsonResponse({ status: true, data: blocks }), path: '/blocks' });
	sandbox.faults.add({ fault: jsonResponse({ status: true, data: { blocks } }), path: '/sort' });
	const parameters = { resource: 'blocks', operation: 'move', pageId: page, blocksToMove: [picture] };
	await editor.openInWorkflow(profilePage(await n8n.rest.addPrivateApp(sandbox, LIST_PATHS), parameters));
	await editor.executeStep();
	await editor.output
		.getByText(`On top of page "${quotable(page)}": block "${quotable(picture)}". The order did not change.`)
		.waitFor();
	expect(await editor.output.locator(MARKUP).count()).toBe(0);
});

test('Markup in the title of a link is text in an error', async () => {
	sandbox.faults.add({ fault: statusFault(400), path: '/lnk/add' });
	const title = '<a href="https://example.com/">Sign in again</a><img src="https://example.com/x.png">';
	const parameters = { resource: 'links', operation: 'create', title, url: 'https://example.com/' };
	const node = profilePage(await n8n.rest.addPrivateApp(sandbox), parameters);
	await editor.openInWorkflow(node);
	await editor.closeNode();
	await editor.byTestId('execute-workflow-button').first().click();
	await editor.page.locator('.el-notification').getByText('Sign in again').waitFor();
	expect(await editor.page.locator(`.el-notification :is(${MARKUP})`).count()).toBe(0);
	await editor.openNode(node.name);
	expect((await editor.error()).message).toContain(`The link "${quotable(title)}" was not created`);
	expect(await editor.panel.locator(MARKUP).count()).toBe(0);
});
