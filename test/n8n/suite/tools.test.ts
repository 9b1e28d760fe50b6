/** The node as a tool: what a model is offered, fills in, and reads, over MCP and in an AI Agent node. */
import { type IDataObject, type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import { GET_INFO } from '../../support/parameters';
import { ChatModel } from '../support/chatModel';
import { useN8n } from '../support/harness';
import { letModelDefine, McpClient, type ToolResponse, toolWorkflow } from '../support/mcp';
import type { N8n } from '../support/n8n';
import type { Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { assemble, manualTrigger, type Node, place, profilePage } from '../support/workflows';

const TYPE = 'n8n-nodes-profile-page.profilePageTool';

/** The names of the tools: node names in which an underscore replaces invalid characters. */
const REORDER = 'Reorder_all_blocks_on_page_in_Profile_Page';
const GET_PROFILE = 'Get_profile_info_in_Profile_Page';
const CREATE_LINK = 'Create_link_in_Profile_Page';
const DELETE_LINK = 'Delete_link_in_Profile_Page';
const GET_LINKS = 'Get_many_links_in_Profile_Page';
const SEND_REQUEST = 'Send_API_request_in_Profile_Page';
const MOVE = 'Move_blocks_to_the_top';
const ADD_POST = 'Add_the_post';

const harness = useN8n('n8n-tools');
let sandbox: Sandbox;
let n8n: N8n;
let credential: Stored;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
});
beforeEach(() => sandbox.faults.clear());

const links = () => sandbox.account.links.all;
const order = () => sandbox.account.order(HOME);

describe('over MCP', () => {
	let model: McpClient;
	beforeAll(async () => {
		await n8n.rest.activate(await n8n.rest.createWorkflow(toolWorkflow('tools', await makeTools())));
		model = await McpClient.connect(n8n, 'tools');
	});
	afterAll(async () => await model.close());

	/** Calls a tool and expects that the result contains no secret. */
	async function call(tool: string, values?: Record<string, unknown>): Promise<ToolResponse> {
		const result = await model.call(tool, values);
		const sent = sandbox.recorder.requests.flatMap(({ headers }) => headers.authorization?.split(' ').slice(1) ?? []);
		for (const secret of new Set([sandbox.clientSecret, ...sent])) expect(result.text).not.toContain(secret);
		return result;
	}

	/** Calls a tool that succeeds, and returns its items. */
	async function read(tool: string, values?: Record<string, unknown>) {
		const { isError, text } = await call(tool, values);
		expect([isError, text]).toEqual([false, text]);
		return JSON.parse(text) as Array<Record<string, string | number>>;
	}

	test('a tool is offered for each node, with a name that model providers accept, a description, and what to fill in', async () => {
		const tools = new Map((await model.tools()).map(({ name, ...others }) => [name, others]));
		expect(tools.size).toBe(8);
		for (const name of tools.keys()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		const text = { type: 'string' };
		expect(tools.get(REORDER)).toMatchObject({
			description: 'Reorder all blocks on page in Profile Page',
			inputSchema: { type: 'object', properties: { Page: text, Block_IDs: text }, required: ['Page', 'Block_IDs'] },
		});
		expect(tools.get(MOVE)?.inputSchema.properties).toEqual({
			blocks: expect.objectContaining({ description: 'The blocks, by name or ID, the first on top' }) as unknown,
		});
		expect(tools.get(GET_PROFILE)?.inputSchema.properties).toEqual({});
	});

	test.each<[string, (ids: string[]) => string]>([
		['a JSON array', (ids) => JSON.stringify(ids)],
		['a list with commas', (ids) => ids.join(', ')],
	])('a model reorders a page with the block IDs as %s, and gets the blocks', async (_, write) => {
		const ids = order().toReversed();
		const blocks = await read(REORDER, { Page: HOME, Block_IDs: write(ids) });
		expect(blocks).toEqual(sandbox.account.page(HOME)?.blocks);
		expect(order()).toEqual(ids);
	});

	test('a model moves blocks by name, without a look at the lists', async () => {
		await read(MOVE, { blocks: ['tour dates', 'Listen on'] });
		const titles = order().map((id) => sandbox.account.page(HOME)!.blockTitles.get(id));
		expect(titles.slice(0, 2)).toEqual(['Tour dates', 'Listen on']);
	});

	test('a model creates a link, finds it in the list, and deletes it', async () => {
		const before = links();
		await read(CREATE_LINK, { Title: 'By a model', URL: 'https://example.com/', from: '2020-01-01' });
		const { link_id: id } = (await read(GET_LINKS)).find(({ title }) => title === 'By a model')!;
		expect(await read(DELETE_LINK, { Link: String(id) })).toEqual([{ link_id: id, action: 'deleted', deleted: true }]);
		expect(links()).toEqual(before);
	});

	test('a model looks up a page through the API, and then the blocks of this page', async () => {
		const pages = await read(SEND_REQUEST, { Path: LIST_PATHS.pagesPath });
		const { page_id: pageId } = pages.find(({ title }) => title === 'Home')!;
		const blocks = await read(SEND_REQUEST, { Path: `${LIST_PATHS.blocksPath}?page_id=${String(pageId)}` });
		expect(blocks.map(({ id }) => id)).toEqual(order());
	});

	const link = { Title: 'A', URL: 'https://example.com/', from: '2020-01-01' };

	test.each<[string, string, Record<string, unknown>, string[]]>([
		['an invalid date', CREATE_LINK, { ...link, from: 'tomorrow' }, ['Public From: "tomorrow" is not a date']],
		[
			'a rejection',
			REORDER,
			{ Page: HOME, Block_IDs: '65f1c0a2b3d4e1.10481516' },
			['were not reordered: the service rejected the request (400)', 'List every block on the page', 'is missing.'],
		],
		['a missing field', REORDER, { Page: HOME }, ['Required', 'Block_IDs']],
		[
			'`$json`, which MCP does not fill in',
			ADD_POST,
			{ url: 'https://example.com/' },
			['Title: the expression returns no value'],
		],
	])('a model reads what is wrong, and changes nothing, after %s', async (_, tool, values, messages) => {
		const before = [order(), links()];
		const { isError, text } = await call(tool, values);
		expect(isError).toBe(true);
		for (const message of messages) expect(text).toContain(message);
		expect([order(), links()]).toEqual(before);
	});

	test('a tool with Retry On Fail does not repeat a link of unknown outcome', async () => {
		const before = links().length;
		sandbox.faults.add({ path: '/add', fault: 'lost', times: 3 });
		expect((await call(CREATE_LINK, { ...link, Title: 'Once' })).text).toContain('It is unknown whether the link');
		expect(links()).toHaveLength(before + 1);
	});

	test('the access token of all tools is renewed once after a revocation', async () => {
		sandbox.oauth.revokeAccessTokens();
		sandbox.recorder.reset();
		await read(GET_PROFILE);
		await read(GET_LINKS);
		expect(sandbox.recorder.grants).toBe(1);
	});
});

interface Tool {
	/** By default, the name that the editor gives a new node. */
	name?: string;
	parameters: INodeParameters;
	settings?: object;
}

async function makeTools(): Promise<Node[]> {
	const nodeType = (await n8n.rest.nodeTypes()).find(({ name }) => name === TYPE)!;
	return toolsOf(nodeType).map(({ name, parameters, settings }) => ({
		...profilePage(credential, parameters, settings),
		type: TYPE,
		name: name ?? NodeHelpers.makeNodeName(parameters, nodeType),
	}));
}

function toolsOf({ properties }: INodeTypeDescription): Tool[] {
	/** Lets the model define some fields, like the button in the editor. */
	const modelDefined = (...names: string[]): INodeParameters =>
		Object.fromEntries(names.map((name) => [name, letModelDefine(properties.find((field) => field.name === name)!)]));
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const pageId = byId("={{ $fromAI('Page', ``, 'string') }}");
	const blocksToMove = "={{ $fromAI('blocks', 'The blocks, by name or ID, the first on top', 'json') }}";
	const create = { resource: 'links', operation: 'create' };
	return [
		{ parameters: GET_INFO },
		{
			parameters: {
				...{ resource: 'blocks', operation: 'reorder', pageId, blockOrder: 'value' },
				...modelDefined('blockIdsValue'),
			},
		},
		{
			name: 'Move blocks to the top',
			parameters: { resource: 'blocks', operation: 'move', pageId: byId(HOME), blocksToMove },
		},
		{ parameters: { resource: 'links', operation: 'getAll' } },
		{
			parameters: {
				...create,
				...modelDefined('title', 'url'),
				additionalFields: { scheduleFrom: "={{ $fromAI('from', 'When it becomes public') }}" },
			},
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
		},
		{
			parameters: {
				resource: 'links',
				operation: 'delete',
				linkId: byId("={{ $fromAI('Link', 'Its ID', 'string') }}"),
			},
		},
		{ parameters: { resource: 'api', operation: 'request', ...modelDefined('path') } },
		{
			name: 'Add the post',
			// The title is not the model's to choose.
			parameters: { ...create, title: '={{ $json.url }}', url: "={{ $fromAI('url', 'Its address', 'string') }}" },
		},
	];
}

describe('in an AI Agent node', () => {
	const NAME = 'Links';
	const GOOD = { title: 'By an agent', url: 'https://example.com/by-an-agent' };

	let model: ChatModel;
	let modelCredential: Stored;
	beforeAll(async () => {
		model = await ChatModel.start();
		modelCredential = await n8n.rest.addChatModel(model.baseUrl);
	});
	afterAll(() => model.close());

	/** Lets an agent of a version create a link. Returns what the model reads as the result. */
	async function createLink(typeVersion: number, onError: string | undefined, values: object): Promise<string> {
		const title = "={{ $fromAI('title', 'Its text', 'string') }}";
		const url = "={{ $fromAI('url', 'Its address', 'string') }}";
		const parameters = { resource: 'links', operation: 'create', title, url };
		const tool = profilePage(credential, parameters, { onError, name: NAME, type: TYPE });
		const agent: Node = {
			name: 'AI Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion,
			parameters: { promptType: 'define', text: 'Go', options: { enableStreaming: false } },
		};
		const chatModel: Node = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'a-model' }, options: { maxRetries: 0 } },
			credentials: { openAiApi: modelCredential },
		};
		const nodes = [manualTrigger, agent, chatModel, tool].map((node, index) => place(node, index, 0));
		const to = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
		const workflow = assemble('An agent', nodes, [
			[manualTrigger.name, to('main')],
			[chatModel.name, to('ai_languageModel')],
			[tool.name, to('ai_tool')],
		]);
		model.read.length = 0;
		model.toolCall = { name: NAME, values };
		const { id } = await n8n.rest.createWorkflow(workflow);
		expect((await n8n.rest.execute(id, manualTrigger.name)).error).toBeUndefined();
		return model.read[0] ?? '';
	}

	// n8n 1 has no version 3.1.
	describe.each(isN8n1 ? [2.2] : [2.2, 3.1])('of version %d', (version) => {
		test('the model reads the link that it has created', async () => {
			const text = await createLink(version, 'stopWorkflow', GOOD);
			expect(JSON.parse(text)).toMatchObject([{ link_id: links()[0]!.link_id, action: 'created' }]);
		});

		test.each<[string, string, Fault | undefined, string, string]>([
			['Continue', 'continueRegularOutput', undefined, 'URL: "nowhere" is not', 'Enter a full web address'],
			// So that no try of Retry On Fail makes the change once more.
			['Stop Workflow, after an unknown outcome,', 'stopWorkflow', 'lost', 'It is unknown', 'Look at your profile'],
		])('the model reads what happened and what to do if On Error is %s', async (_, onError, fault, message, advice) => {
			if (fault) sandbox.faults.add({ path: '/add', fault });
			const text = await createLink(version, onError, fault ? GOOD : { ...GOOD, url: 'nowhere' });
			const [item, ...others] = JSON.parse(text) as IDataObject[];
			for (const part of [message, advice]) expect(item?.error).toContain(part);
			expect(others).toEqual([]);
		});

		// docs/ai-agents.md advises to continue for this reason.
		test('the model does not read what to do if On Error is not set', async () => {
			const text = await createLink(version, undefined, { ...GOOD, url: 'nowhere' });
			expect(text).not.toContain('Enter a full web address');
		});
	});
});
