import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { jsonResponse } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { letModelDefine, McpClient, toolWorkflow } from '../support/mcp';
import type { N8n } from '../support/n8n';
import { until } from '../support/processes';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { callWebhook, webhook } from '../support/webhook';
import { chain, manualTrigger, profilePage } from '../support/workflows';

const SORT = '/oauth/v1/page/blocks/sort';
const PAGES = '/oauth/v1/sandbox/pages';
const BLOCKS = '/oauth/v1/sandbox/blocks';

/** An endpoint that accepts everything. */
const ANYTHING = '/oauth/v1/lnk/add';

const harness = useEditor('n8n-send-request');
let sandbox: Sandbox;
let n8n: N8n;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	({ sandbox, n8n, editor } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox);
});
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
	sandbox.faults.add({ path: ANYTHING, fault: jsonResponse({ status: true, data: { id: 7 } }) });
});

const order = () => sandbox.account.order(HOME);
const calls = () =>
	sandbox.recorder.calls.map(({ method, url, headers, body }) => ({
		method,
		url,
		type: headers['content-type'],
		body,
	}));

/** The blocks of the page in reverse, as the service expects them. */
const reversed = () =>
	order()
		.toReversed()
		.map((id, position) => ({ id, position }));

const listed = ({ properties }: INodeTypeDescription, name: string) =>
	properties.find((property) => property.name === name)!;

describe('Send Request in the editor', () => {
	/** Opens the node in a new workflow, whose trigger returns one item. */
	async function openNode(fields: object, json: object = {}): Promise<void> {
		const { id } = await n8n.rest.createWorkflow({
			...chain('Send Request', manualTrigger, profilePage(credential, fields)),
			pinData: { [manualTrigger.name]: [{ json }] },
		});
		await editor.openWorkflow(id);
		await editor.openNode('Profile Page');
	}

	const request = (fields: object) => ({ resource: 'api', operation: 'request', ...fields });
	const headings = async () => await editor.output.locator('th').allInnerTexts();
	const text = async (path: string) => await editor.field(path).innerText();

	test('is not preselected: the resource of a new node is Blocks, though API comes first', async () => {
		await openNode({});
		expect(await editor.field('resource').inputValue()).toBe('Blocks');
		expect(await editor.field('operation').inputValue()).toBe('Reorder Blocks');
		await editor.field('resource').click();
		const names = editor.openOptions.locator('.option-headline');
		await names.first().waitFor();
		expect((await names.allInnerTexts()).map((name) => name.trim())).toEqual([
			'API',
			'Blocks',
			'Groups',
			'Links',
			'Me',
			'Pages',
			'Custom API Call',
		]);
	});

	test('is the operation of the resource API, and reads with GET, without the fields of a body', async () => {
		await openNode({});
		await editor.choose('resource', 'API');
		expect(await editor.field('operation').inputValue()).toBe('Send Request');
		expect(await editor.field('method').inputValue()).toBe('GET');
		expect(await editor.fieldNames()).toEqual([
			'Resource',
			'Operation',
			'Method',
			'Path',
			'Query Parameters',
			'Output',
			'Options',
		]);
	});

	test.each(['DELETE', 'PATCH', 'POST', 'PUT'])('has the fields of a body for %s', async (method) => {
		await openNode(request({ method }));
		const names = await editor.fieldNames();
		expect(names.slice(5, -2)).toEqual(['Body Content Type', 'Specify Body', 'Body Parameters']);
		await editor.choose('specifyBody', 'Using JSON');
		expect((await editor.fieldNames()).slice(5, -2)).toEqual(['Body Content Type', 'Specify Body', 'JSON Body']);
	});

	test('reorders blocks with form parameters, one of them a dragged column', async () => {
		const blocks = reversed();
		await openNode(request({}), { page: HOME, blocks });
		await editor.choose('method', 'POST');
		await editor.enter('path', SORT);
		await editor.addParameter('bodyParameters', 0, 'page_id', HOME);
		await editor.addParameter('bodyParameters', 1, 'blocks');
		const value = 'bodyParameters.parameters[1].value';
		await editor.dragColumn('blocks', value);
		await until('the value is an expression', async () => (await text(value)).includes('{{'));
		expect(await text(value)).toBe('{{ $json.blocks }}');
		await editor.executeStep();
		const ids = blocks.map(({ id }) => id);
		expect((await editor.outputRows()).map(([id]) => id)).toEqual(ids);
		expect(order()).toEqual(ids);
		const body = new URLSearchParams({ page_id: HOME, blocks: JSON.stringify(blocks) });
		expect(calls()).toEqual([
			{
				method: 'POST',
				url: SORT,
				type: 'application/x-www-form-urlencoded',
				body: body.toString(),
			},
		]);
	});

	test('lists the blocks of a page whose ID is a column dragged onto a query parameter', async () => {
		await openNode(request({ path: BLOCKS }), { page: HOME });
		await editor.addParameter('queryParameters', 0, 'page_id');
		const value = 'queryParameters.parameters[0].value';
		await editor.dragColumn('page', value);
		await until('the value is an expression', async () => (await text(value)).includes('{{'));
		await editor.executeStep();
		expect((await editor.outputRows()).map(([id]) => id)).toEqual(order());
		expect(await headings()).toContain('title');
		expect(calls().map(({ url }) => url)).toEqual([`${BLOCKS}?page_id=${HOME}`]);
	});

	test('sends the text of JSON Body as it is entered', async () => {
		await openNode(request({ path: ANYTHING, method: 'POST' }));
		await editor.choose('bodyContentType', 'JSON');
		await editor.choose('specifyBody', 'Using JSON');
		await editor.enter('jsonBody', '{ "title": "A", "id": 12345678901234567890 }');
		await editor.executeStep();
		expect(await editor.outputRows()).toEqual([['7']]);
		expect(calls()).toEqual([
			{
				method: 'POST',
				url: ANYTHING,
				type: 'application/json',
				body: '{ "title": "A", "id": 12345678901234567890 }',
			},
		]);
	});

	test('returns the payload, or everything with Whole Response', async () => {
		await openNode(request({ path: '/oauth/v1/me' }));
		await editor.executeStep();
		await editor.outputRows();
		expect(await headings()).toEqual(expect.arrayContaining(['username', 'url']));
		await editor.choose('output', 'Whole Response');
		await editor.executeStep();
		await until('the output is new', async () => {
			await editor.outputRows();
			return (await headings()).includes('status');
		});
		expect(await headings()).toEqual(expect.arrayContaining(['status', 'info']));
		expect(await headings()).not.toContain('username');
	});

	test.each([
		['//example.com/oauth/v1/me', 'the path starts with the address of a host'],
		['https://example.com/', 'the address does not start with the Base URL of the credential'],
		['/oauth/v1/%2e%2e/admin', 'the path contains "." or ".."'],
	])('refuses the path %s, says why, and sends nothing', async (path, problem) => {
		await openNode(request({ path }));
		await editor.executeStep();
		expect(await editor.error()).toEqual({
			message: expect.stringContaining(`Path: ${problem}`) as string,
			description: expect.stringContaining('Enter the part after the Base URL, such as /oauth/v1/me.') as string,
		});
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('leaves Custom API Call in the list, which refers to the HTTP Request node', async () => {
		await openNode(request({ path: PAGES }));
		await editor.choose('operation', 'Custom API Call');
		await editor.panel.getByText('use the HTTP Request node').waitFor();
	});
});

describe('an expression of Send Request', () => {
	/** Runs the node for a request to a webhook, whose body is `$json.body`. Returns its output. */
	async function run(name: string, fields: INodeParameters, body = {}): Promise<unknown[]> {
		const node = profilePage(
			credential,
			{ resource: 'api', operation: 'request', ...fields },
			{ onError: 'continueRegularOutput' },
		);
		const workflow = await n8n.rest.createWorkflow(chain(name, webhook(name), node));
		await n8n.rest.activate(workflow);
		return JSON.parse(await callWebhook(n8n, name, body)) as unknown[];
	}

	test('in Method and Path selects the endpoint', async () => {
		const fields = { method: '={{ $json.body.method }}', path: '=/oauth/v1/{{ $json.body.name }}' };
		expect(await run('endpoint', fields, { method: 'DELETE', name: 'lnk/add' })).toEqual([{ id: 7 }]);
		expect(calls()).toMatchObject([{ method: 'DELETE', url: ANYTHING, body: '' }]);
	});

	const json = (jsonBody: string) => ({
		path: ANYTHING,
		method: 'POST',
		bodyContentType: 'json',
		specifyBody: 'json',
		jsonBody,
	});
	const parameters = (value: string) => ({ parameters: [{ name: 'a', value }] });

	test.each<[string, INodeParameters, string]>([
		['Path', { path: '=/oauth/v1/{{ $json.missing }}' }, 'Path: the expression {{ $json.missing }} returns no value'],
		[
			'Path, twice',
			{ path: '=/{{ $json.missing }}/{{ $json.body.missing }}' },
			'Path: the expression {{ $json.missing }} returns no value',
		],
		['Path alone', { path: '={{ $json.missing }}' }, 'Path: the expression returns no value'],
		['Method', { path: PAGES, method: '={{ $json.missing }}' }, 'Method: the expression returns no value'],
		[
			'Query Parameters',
			{ path: PAGES, queryParameters: parameters('={{ $json.missing }}') },
			'Query Parameters: the expression of "a" returns no value',
		],
		[
			'Body Parameters',
			{ path: ANYTHING, method: 'POST', bodyParameters: parameters('={{ $json.missing }}') },
			'Body Parameters: the expression of "a" returns no value',
		],
		['JSON Body', json('={{ $json.missing }}'), 'JSON Body: the expression returns no value'],
		[
			'JSON Body, in text',
			json('={ "a": "{{ $json.missing }}" }'),
			'JSON Body: the expression {{ $json.missing }} returns no value',
		],
		['JSON Body, in an object', json('={{ { a: { b: $json.missing } } }}'), 'JSON Body: "b" is missing'],
	])('that finds nothing is refused in %s, and nothing is sent', async (name, fields, message) => {
		const [item] = (await run(`missing ${name}`.replace(/\W/g, '-'), fields)) as [{ error: string }];
		expect(item.error).toContain(message);
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('that returns dates sends them as ISO 8601 in JSON Body', async () => {
		const luxon = 'DateTime.fromISO("2026-11-21T10:00:00", { zone: "Asia/Kolkata" })';
		const date = 'new Date("2026-11-21T10:00:00Z")';
		await run('dates', json(`={{ { luxon: ${luxon}, date: ${date}, list: [${luxon}] } }}`));
		await run('date', json(`={{ ${luxon} }}`));
		const iso = '2026-11-21T10:00:00.000+05:30';
		expect(calls().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
			{ luxon: iso, date: '2026-11-21T10:00:00.000Z', list: [iso] },
			// n8n 1 passes a date alone on as text, which is not JSON and is refused.
			...(isN8n1 ? [] : [iso]),
		]);
	});

	test('that returns a date sends it as ISO 8601 in a query and a form', async () => {
		const value = '={{ DateTime.fromISO("2026-11-21T10:00:00", { zone: "Asia/Kolkata" }) }}';
		await run('date-parameters', {
			path: ANYTHING,
			method: 'POST',
			queryParameters: parameters(value),
			bodyParameters: parameters(value),
		});
		const iso = new URLSearchParams({ a: '2026-11-21T10:00:00.000+05:30' }).toString();
		expect(calls()).toMatchObject([{ url: `${ANYTHING}?${iso}`, body: iso }]);
	});
});

describe('Send Request as a tool of a model', () => {
	const PATH = 'send-request';
	const READ = 'Send_API_request_in_Profile_Page';
	const SORT_BLOCKS = 'Sort_the_blocks_of_a_page';
	let model: McpClient;

	beforeAll(async () => {
		const type = 'n8n-nodes-profile-page.profilePageTool';
		const nodeType = (await n8n.rest.nodeTypes()).find(({ name }) => name === type)!;
		const pageId = "={{ $fromAI('pageId', 'The ID of a page, or an empty text', 'string') }}";
		const tools = {
			'Send API request in Profile Page': {
				path: letModelDefine(listed(nodeType, 'path')),
				queryParameters: { parameters: [{ name: 'page_id', value: pageId }] },
			},
			'Sort the blocks of a page': {
				method: 'POST',
				path: SORT,
				specifyBody: 'json',
				jsonBody: "={{ $fromAI('body', 'The page_id, and all blocks', 'json') }}",
			},
		};
		const nodes = Object.entries(tools).map(([name, fields]) => ({
			...profilePage(credential, { resource: 'api', operation: 'request', ...fields }),
			type,
			name,
		}));
		await n8n.rest.activate(await n8n.rest.createWorkflow(toolWorkflow(PATH, nodes)));
		model = await McpClient.connect(n8n, PATH);
	});
	afterAll(async () => await model.close());

	test('is described by its action, with the path and the parameters as texts', async () => {
		const tools = await model.tools();
		expect(tools.find(({ name }) => name === READ)).toMatchObject({
			description: 'Send API request in Profile Page',
			inputSchema: {
				properties: { Path: { type: 'string' }, pageId: { type: 'string' } },
				required: ['Path', 'pageId'],
			},
		});
	});

	test('lists the pages, then the blocks of a page, and reorders them', async () => {
		const pages = await model.call(READ, { Path: PAGES, pageId: '' });
		expect(JSON.parse(pages.text)).toEqual(sandbox.account.pages.map(({ id, title }) => ({ page_id: id, title })));
		const blocks = await model.call(READ, { Path: BLOCKS, pageId: HOME });
		const ids = (JSON.parse(blocks.text) as Array<{ id: string }>).map(({ id }) => id);
		expect(ids).toEqual(order());
		expect(blocks.text).toContain('Tour dates');

		const wanted = reversed();
		const sorted = await model.call(SORT_BLOCKS, { body: { page_id: HOME, blocks: wanted } });
		expect(sorted.isError).toBe(false);
		expect(order()).toEqual(wanted.map(({ id }) => id));
	});

	test.each([
		['leaves the service', 'https://example.com/', 'Path: the address does not start with'],
		['leaves the Base URL', '/oauth/../admin', 'Path: the path contains "." or ".."'],
		['is empty', '', 'Path: the value is empty'],
	])('sends nothing, and says why, for a path that %s', async (_, path, message) => {
		const { isError, text } = await model.call(READ, { Path: path, pageId: HOME });
		expect(isError).toBe(true);
		expect(text).toContain(message);
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('returns the error of the service for an unknown path, without the access token', async () => {
		const { isError, text } = await model.call(READ, { Path: '/oauth/v1/pages', pageId: HOME });
		expect(isError).toBe(true);
		expect(text).toContain('There is no GET /oauth/v1/pages.');
		const { authorization } = sandbox.recorder.calls[0]!.headers;
		expect(authorization).toMatch(/^Bearer \S+$/);
		expect(text).not.toContain(authorization?.replace('Bearer ', ''));
	});
});
