import type { INodeTypeDescription } from 'n8n-workflow';
import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { useN8n } from '../support/harness';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { callWebhook, webhook } from '../support/webhook';
import { chain, httpRequest, type Node, profilePage } from '../support/workflows';

const NODE = 'n8n-nodes-profile-page.profilePage';

const harness = useN8n('n8n-other-calls');
let sandbox: Sandbox;
let n8n: N8n;
let credential: Stored;

beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox);
});

/** Activates a workflow that runs these nodes for each request to its webhook. */
async function activate(hook: string, ...nodes: Node[]): Promise<void> {
	const workflow = await n8n.rest.createWorkflow(chain(hook, webhook(hook), ...nodes));
	await n8n.rest.activate(workflow);
}

async function run(hook: string, body: object = {}): Promise<unknown[]> {
	return JSON.parse(await callWebhook(n8n, hook, body)) as unknown[];
}

const paths = () => sandbox.recorder.requests.map(({ url }) => url);

describe('the HTTP Request node with the credential', () => {
	const PROFILE = { username: '@sandbox' };

	beforeAll(async () => {
		const get = httpRequest(credential, {
			url: `=${sandbox.baseUrl}{{ $('Webhook').item.json.body.path }}`,
		});
		const getInfo = profilePage(credential, { resource: 'me', operation: 'getInfo' });
		await activate('get', get);
		await activate('get-after-the-node', getInfo, get);
		await activate('get-or-error', { ...get, onError: 'continueRegularOutput' });
		await activate('post', httpRequest(credential, reorderByHand()));
	});
	beforeEach(() => {
		sandbox.recorder.requests.length = 0;
	});

	const tokens = () => new Set(sandbox.recorder.calls.map(({ headers }) => headers.authorization));

	test('shares one token with the Profile Page node of its workflow', async () => {
		const [response] = await run('get-after-the-node', { path: '/oauth/v1/me' });
		expect(response).toMatchObject({ status: true, info: PROFILE });
		expect(paths()).toEqual(['/oauth/token', '/oauth/v1/me', '/oauth/v1/me']);
		expect([...tokens()]).toEqual([expect.stringMatching(/^Bearer \S+$/)]);
	});

	test('uses the stored token in another workflow', async () => {
		await run('get', { path: '/oauth/v1/me' });
		expect(paths()).toEqual(['/oauth/v1/me']);
	});

	test('sends forms', async () => {
		const order = sandbox.account.order(HOME).toReversed();
		const blocks = JSON.stringify(order.map((id, position) => ({ id, position })));
		await run('post', { pageId: HOME, blocks });
		expect(sandbox.account.order(HOME)).toEqual(order);
		expect(paths()).toEqual(['/oauth/v1/page/blocks/sort']);
	});

	test('renews an expired token and succeeds', async () => {
		sandbox.oauth.revokeAccessTokens();
		const [response] = await run('get', { path: '/oauth/v1/me' });
		expect(response).toMatchObject({ info: PROFILE });
		expect(paths()).toEqual(['/oauth/v1/me', '/oauth/token', '/oauth/v1/me']);
	});

	test('reports the error of the service for an unknown path', async () => {
		const text = await callWebhook(n8n, 'get-or-error', { path: '/oauth/v1/links?page=1' });
		const { error } = (JSON.parse(text) as [{ error: object }])[0];
		expect(error).toMatchObject({
			message: 'Forbidden - perhaps check your credentials?',
			description: 'There is no GET /oauth/v1/links.',
		});
		expect(new Set(sandbox.recorder.calls.map(({ url }) => url))).toEqual(new Set(['/oauth/v1/links?page=1']));
		for (const token of tokens()) {
			expect(token).toMatch(/^Bearer \S+$/);
			expect(text).not.toContain(token?.replace('Bearer ', ''));
		}
	});

	test('does not send the token to the target of a redirect', async () => {
		const elsewhere = await startSandbox();
		const location = `${elsewhere.baseUrl}/oauth/v1/me`;
		sandbox.faults.add({ fault: { status: 302, headers: { location } }, path: '/me' });
		await run('get-or-error', { path: '/oauth/v1/me' });
		sandbox.faults.clear();
		await elsewhere.close();
		for (const token of tokens()) expect(token).toMatch(/^Bearer \S+$/);
		expect(sandbox.recorder.calls).not.toHaveLength(0);
		expect(elsewhere.recorder.requests).toHaveLength(0);
	});

	function reorderByHand(): object {
		return {
			method: 'POST',
			url: `${sandbox.baseUrl}/oauth/v1/page/blocks/sort`,
			sendBody: true,
			contentType: 'form-urlencoded',
			bodyParameters: {
				parameters: [
					{ name: 'page_id', value: '={{ $json.body.pageId }}' },
					{ name: 'blocks', value: '={{ $json.body.blocks }}' },
				],
			},
		};
	}
});

describe('Send Request', () => {
	const BLOCKS = '/oauth/v1/sandbox/blocks';
	const SORT = '/oauth/v1/page/blocks/sort';

	function sendRequest(name: string, path: string, fields: object = {}): Node {
		const parameters = { resource: 'api', operation: 'request', path, ...fields };
		return profilePage(credential, parameters, { name });
	}

	const listPages = () => sendRequest('Pages', '/oauth/v1/sandbox/pages');

	/** Lists the blocks of the page in each item. */
	const listBlocks = () =>
		sendRequest('Blocks', BLOCKS, {
			queryParameters: { parameters: [{ name: 'page_id', value: '={{ $json.page_id }}' }] },
		});

	/** Sends a form from `page_id` and `blocks` of the request to the webhook. */
	const reorder = (fields: object = {}) =>
		sendRequest('Reorder', SORT, {
			method: 'POST',
			bodyParameters: {
				parameters: [
					{ name: 'page_id', value: '={{ $json.body.page_id }}' },
					{ name: 'blocks', value: '={{ $json.body.blocks }}' },
				],
			},
			...fields,
		});

	const reversed = () =>
		sandbox.account
			.order(HOME)
			.toReversed()
			.map((id, position) => ({ id, position }));

	beforeAll(async () => {
		await activate('list-ids', listPages(), listBlocks());
		await activate('list-and-reorder', listPages(), listBlocks(), {
			...profilePage(credential, {
				resource: 'blocks',
				operation: 'reorder',
				pageId: "={{ $('Pages').item.json.page_id }}",
				blockOrder: 'inputItems',
				arrangement: 'reverse',
				options: { includePageId: true },
			}),
		});
		await activate('reorder-form', reorder());
		await activate('reorder-once', { ...reorder(), onError: 'continueRegularOutput' });
		await activate('reorder-safely', reorder({ options: { safeToRepeat: true } }));
	});
	beforeEach(() => {
		sandbox.recorder.reset();
		sandbox.faults.clear();
	});

	const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));

	test('lists the pages, and then the blocks of each page', async () => {
		const blocks = (await run('list-ids')) as Array<{ id: string }>;
		expect(blocks.map(({ id }) => id)).toEqual(orders().flat());
		// The pages are read at the same time, in any order.
		expect(paths().toSorted()).toEqual([
			...sandbox.account.pages.map(({ id }) => `${BLOCKS}?page_id=${id}`).toSorted(),
			'/oauth/v1/sandbox/pages',
		]);
	});

	test('pairs each block with the item of its page, so that Reorder Blocks can refer to it', async () => {
		const wanted = orders().map((ids) => ids.toReversed());
		const blocks = (await run('list-and-reorder')) as Array<{ id: string; page_id: string }>;
		expect(orders()).toEqual(wanted);
		expect(blocks.map(({ page_id: page, id }) => [page, id])).toEqual(
			sandbox.account.pages.flatMap(({ id: page }) => sandbox.account.order(page).map((id) => [page, id])),
		);
	});

	test('sends a list from an expression as JSON in a form', async () => {
		const blocks = reversed();
		const returned = (await run('reorder-form', { page_id: HOME, blocks })) as Array<{
			id: string;
		}>;
		expect(sandbox.recorder.forms).toEqual([{ page_id: HOME, blocks: JSON.stringify(blocks) }]);
		expect(returned.map(({ id }) => id)).toEqual(blocks.map(({ id }) => id));
		expect(sandbox.account.order(HOME)).toEqual(blocks.map(({ id }) => id));
	});

	test('renews a revoked token, and succeeds', async () => {
		sandbox.oauth.revokeAccessTokens();
		await run('reorder-form', { page_id: HOME, blocks: reversed() });
		expect(paths()).toEqual([SORT, '/oauth/token', SORT]);
	});

	test('retries a GET request after a lost response', async () => {
		sandbox.faults.add({ path: '/pages', fault: 'lost', times: 2 });
		expect(await run('list-ids')).toHaveLength(orders().flat().length);
		expect(paths().filter((path) => path.endsWith('/pages'))).toHaveLength(3);
	});

	test('does not retry a POST request after a lost response, because its outcome is unknown', async () => {
		sandbox.faults.add({ path: '/sort', fault: 'lost', times: 1 });
		const [item] = await run('reorder-once', { page_id: HOME, blocks: reversed() });
		expect(item).toEqual({
			error: expect.stringContaining(`It is unknown whether the request POST ${SORT} was completed`) as string,
		});
		expect(paths()).toEqual([SORT]);
	});

	test('retries a POST request after a lost response if it is safe to repeat', async () => {
		sandbox.faults.add({ path: '/sort', fault: 'lost', times: 1 });
		const blocks = reversed();
		await run('reorder-safely', { page_id: HOME, blocks });
		expect(paths()).toEqual([SORT, SORT]);
		expect(sandbox.account.order(HOME)).toEqual(blocks.map(({ id }) => id));
	});
});

describe('n8n offers the editor', () => {
	let nodeTypes: INodeTypeDescription[];
	beforeAll(async () => (nodeTypes = await n8n.rest.nodeTypes()));

	function find(type: string): INodeTypeDescription {
		const found = nodeTypes.find(({ name }) => name === type);
		if (!found) throw new Error(`n8n does not list ${type}`);
		return found;
	}

	test.each(['resource', 'operation'])('Custom API Call in every %s list', (name) => {
		const lists = find(NODE).properties.filter((property) => property.name === name);
		expect(lists.length).toBeGreaterThan(0);
		for (const list of lists) {
			expect(list.options?.at(-1)).toEqual({
				name: 'Custom API Call',
				value: '__CUSTOM_API_CALL__',
			});
		}
	});

	test('both credentials for the HTTP Request node', async () => {
		const types = await n8n.rest.credentialTypes();
		const own = (type: string) => types.find(({ name }) => name === type);
		// The node lists credentials with an authenticate property and those that extend oAuth2Api.
		expect(own('profilePageApi')?.authenticate).toBeDefined();
		expect(own('profilePageOAuth2Api')?.extends).toContain('oAuth2Api');
	});

	test('the categories and the aliases of the node', () => {
		expect(find(NODE).codex).toMatchObject({
			categories: ['Marketing & Content', 'Communication'],
			alias: expect.arrayContaining(['link in bio', 'reorder']) as string[],
		});
	});

	test('the node as a tool with the same fields', () => {
		const tool = find(`${NODE}Tool`);
		const own = ['descriptionType', 'toolDescription'];
		expect(tool).toMatchObject({ displayName: 'Profile Page Tool', outputs: ['ai_tool'] });
		const offered = tool.properties.map(({ name }) => name).filter((name) => !own.includes(name));
		expect(offered).toEqual(find(NODE).properties.map(({ name }) => name));
	});

	test.each([NODE, `${NODE}Tool`])('a light and a dark icon for %s', async (type) => {
		const { light, dark } = find(type).iconUrl as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const icon of [light, dark]) {
			const { statusCode, headers, body } = await request(`${n8n.baseUrl}/${icon}`);
			expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml']);
			expect(await body.text()).toMatch(/<svg/);
		}
	});
});
