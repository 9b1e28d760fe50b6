import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import { GET_INFO } from '../../support/parameters';
import { useN8n } from '../support/harness';
import { letModelDefine, McpClient, type ToolResponse, toolWorkflow } from '../support/mcp';
import type { N8n } from '../support/n8n';
import { type Node, profilePage } from '../support/workflows';

const PATH = 'tools';

/** The names of the tools: node names in which an underscore replaces invalid characters. */
const REORDER = 'Reorder_all_blocks_on_page_in_Profile_Page';
const GET_PROFILE = 'Get_profile_info_in_Profile_Page';
const CREATE_LINK = 'Create_link_in_Profile_Page';
const DELETE_LINK = 'Delete_link_in_Profile_Page';
const GET_LINKS = 'Get_many_links_in_Profile_Page';
const SEND_REQUEST = 'Send_API_request_in_Profile_Page';
const GET_PAGES = 'Get_many_pages_in_Profile_Page';
const GET_BLOCKS = 'Get_many_blocks_of_page_in_Profile_Page';
const MOVE = 'Move_blocks_to_the_top_of_a_page';
const ADD_POST = 'Add_the_post';

const harness = useN8n('n8n-tool');
let sandbox: Sandbox;
let n8n: N8n;
let model: McpClient;

beforeAll(async () => {
	({ n8n, sandbox } = harness);
	const workflow = await n8n.rest.createWorkflow(toolWorkflow(PATH, await makeTools()));
	await n8n.rest.activate(workflow);
	model = await McpClient.connect(n8n, PATH);
});
afterAll(async () => await model.close());
beforeEach(() => sandbox.faults.clear());

interface Tool {
	/** By default, the name that the editor gives a new node. */
	name?: string;
	parameters: INodeParameters;
	settings?: object;
}

async function makeTools(): Promise<Node[]> {
	const credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
	const type = 'n8n-nodes-profile-page.profilePageTool';
	const nodeType = (await n8n.rest.nodeTypes()).find(({ name }) => name === type)!;
	return toolsOf(nodeType).map(({ name, parameters, settings }) => ({
		...profilePage(credential, parameters, settings),
		type,
		name: name ?? NodeHelpers.makeNodeName(parameters, nodeType),
	}));
}

function toolsOf({ properties }: INodeTypeDescription): Tool[] {
	/** Lets the model define some fields, like the button in the editor. */
	const modelDefined = (...names: string[]): INodeParameters =>
		Object.fromEntries(names.map((name) => [name, letModelDefine(properties.find((field) => field.name === name)!)]));
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const pageId = byId("={{ $fromAI('Page', ``, 'string') }}");
	const reorder = { resource: 'blocks', operation: 'reorder', pageId };
	return [
		{ parameters: GET_INFO },
		{ parameters: { ...reorder, blockOrder: 'value', ...modelDefined('blockIdsValue') } },
		{ parameters: { resource: 'pages', operation: 'getAll' } },
		{ parameters: { resource: 'blocks', operation: 'getAll', pageId } },
		{
			// The node reads the order of the page itself.
			name: 'Move blocks to the top of a page',
			parameters: {
				...reorder,
				operation: 'move',
				blocksToMove: "={{ $fromAI('blocks', 'The blocks, by name or ID, the first on top', 'json') }}",
			},
		},
		{ parameters: { resource: 'links', operation: 'getAll' } },
		{
			parameters: {
				resource: 'links',
				operation: 'create',
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
		// Reads whatever the model asks for.
		{ parameters: { resource: 'api', operation: 'request', ...modelDefined('path') } },
		{
			name: 'Add the post',
			parameters: {
				resource: 'links',
				operation: 'create',
				// Not the model's to choose.
				title: '={{ $json.url }}',
				url: "={{ $fromAI('url', 'The address it opens', 'string') }}",
			},
		},
	];
}

describe('the MCP server offers the model', () => {
	test('a tool for each node with a name and a description', async () => {
		const tools = (await model.tools()).map(({ name, description }) => [name, description] as const);
		expect(new Map(tools)).toEqual(
			new Map([
				[GET_PROFILE, 'Get profile info in Profile Page'],
				[REORDER, 'Reorder all blocks on page in Profile Page'],
				[GET_PAGES, 'Get many pages in Profile Page'],
				[GET_BLOCKS, 'Get many blocks of page in Profile Page'],
				[MOVE, 'Move or rotate blocks by name on page in Profile Page'],
				[GET_LINKS, 'Get many links in Profile Page'],
				[CREATE_LINK, 'Create link in Profile Page'],
				[DELETE_LINK, 'Delete link in Profile Page'],
				[SEND_REQUEST, 'Send API request in Profile Page'],
				[ADD_POST, 'Create link in Profile Page'],
			]),
		);
		// The tool names that model providers accept.
		for (const [name] of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
	});

	test.each([
		[
			'the fields that it may define as required texts',
			REORDER,
			{ properties: { Page: { type: 'string' }, Block_IDs: { type: 'string' } }, required: ['Page', 'Block_IDs'] },
		],
		[
			'the description of a field by the user',
			MOVE,
			{
				properties: { blocks: { description: 'The blocks, by name or ID, the first on top' } },
				required: ['Page', 'blocks'],
			},
		],
		['a tool without parameters', GET_PROFILE, { properties: {} }],
		[
			'a required path, and a parameter that may be left out',
			SEND_REQUEST,
			{ properties: { Path: { type: 'string' } }, required: ['Path'] },
		],
	])('%s', async (_, name, schema) => {
		const tool = (await model.tools()).find((candidate) => candidate.name === name);
		expect(tool?.inputSchema).toMatchObject({ type: 'object', ...schema });
	});
});

/** Calls a tool and expects that the result contains no secret. */
async function call(tool: string, values?: Record<string, unknown>): Promise<ToolResponse> {
	const result = await model.call(tool, values);
	const sent = sandbox.recorder.requests.flatMap(({ headers }) => headers.authorization?.split(' ').slice(1) ?? []);
	for (const secret of new Set([sandbox.clientSecret, ...sent])) {
		expect(result.text).not.toContain(secret);
	}
	return result;
}

/** Calls a tool that succeeds, and returns its items. */
async function read(tool: string, values?: Record<string, unknown>) {
	const { isError, text } = await call(tool, values);
	expect([isError, text]).toEqual([false, text]);
	return JSON.parse(text) as Array<Record<string, string | number>>;
}

const links = () => sandbox.account.links.all;
const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));

describe('a model', () => {
	test('gets the profile', async () => {
		expect(await read(GET_PROFILE)).toEqual([expect.objectContaining({ username: '@sandbox' })]);
	});

	test.each<[string, (ids: string[]) => string]>([
		['a JSON array', (ids) => JSON.stringify(ids)],
		['a list with commas', (ids) => ids.join(', ')],
	])('reorders a page with the block IDs as %s, and gets the blocks', async (_, write) => {
		const order = sandbox.account.order(HOME).toReversed();
		expect(await read(REORDER, { Page: HOME, Block_IDs: write(order) })).toEqual(sandbox.account.page(HOME)?.blocks);
		expect(sandbox.account.order(HOME)).toEqual(order);
	});

	test('lists pages and blocks, and moves some to the top of the current order, without leaving one out', async () => {
		const { page_id: shop } = (await read(GET_PAGES)).find(({ title }) => title === 'Shop')!;
		const listed = (await read(GET_BLOCKS, { Page: shop })).map(({ id }) => id);
		expect(listed).toEqual(sandbox.account.order(String(shop)));
		const moved = [listed[4], listed[2]];
		await read(MOVE, { Page: shop, blocks: moved });
		const others = listed.filter((id) => !moved.includes(id));
		expect(sandbox.account.order(String(shop))).toEqual([...moved, ...others]);
	});

	test('moves blocks by name, without a look at the lists', async () => {
		await read(MOVE, { Page: HOME, blocks: ['tour dates', 'Listen on'] });
		const titles = sandbox.account.order(HOME).map((id) => sandbox.account.page(HOME)!.blockTitles.get(id));
		expect(titles.slice(0, 2)).toEqual(['Tour dates', 'Listen on']);
	});

	test('creates a link, finds it in the list, and deletes it', async () => {
		const before = links();
		const link = { Title: 'By a model', URL: 'https://example.com/', from: '2020-01-01' };
		await read(CREATE_LINK, link);
		const { link_id: id } = (await read(GET_LINKS)).find(({ title }) => title === link.Title)!;
		expect(links()[0]).toMatchObject({ link_id: id, title: link.Title });
		const deleted = await read(DELETE_LINK, { Link: String(id) });
		expect(deleted).toEqual([{ link_id: id, action: 'deleted', deleted: true }]);
		expect(links()).toEqual(before);
	});

	test('looks up a page through the API, and then the blocks of this page', async () => {
		const pages = await read(SEND_REQUEST, { Path: LIST_PATHS.pagesPath });
		const { page_id: pageId } = pages.find(({ title }) => title === 'Home')!;
		const blocks = await read(SEND_REQUEST, { Path: `${LIST_PATHS.blocksPath}?page_id=${String(pageId)}` });
		expect(blocks.map(({ id }) => id)).toEqual(sandbox.account.order(HOME));
	});
});

describe('a model reads what is wrong, and changes nothing, after', () => {
	const link = { Title: 'A', URL: 'https://example.com/', from: '2020-01-01' };

	test.each<[string, string, Record<string, unknown>, string[]]>([
		[
			'an empty title',
			CREATE_LINK,
			{ ...link, Title: '' },
			['Title: the value is empty', 'Enter the text of the link.'],
		],
		['an invalid date', CREATE_LINK, { ...link, from: 'tomorrow' }, ['Public From: "tomorrow" is not a date']],
		['the title of a link', DELETE_LINK, { Link: 'My link' }, ['Link: the value is not an ID: "My link"']],
		[
			'an invented block',
			MOVE,
			{ Page: HOME, blocks: ['no-such-block'] },
			['is called "no-such-block"', 'It has: "', '"Tour dates"'],
		],
		[
			'a missing block',
			REORDER,
			{ Page: HOME, Block_IDs: '65f1c0a2b3d4e1.10481516' },
			['were not reordered: the service rejected the request (400)', 'List every block on the page', 'is missing.'],
		],
		['a missing field', REORDER, { Page: HOME }, ['Required', 'Block_IDs']],
		['a path out of the service', SEND_REQUEST, { Path: '//example.com/me' }, ['Path: the path', 'Enter the part']],
		[
			'a path that does not exist',
			SEND_REQUEST,
			{ Path: '/oauth/v1/nothing' },
			['has nothing at this path (403)', 'The service said: "There is no GET /oauth/v1/nothing."'],
		],
	])('%s', async (_, tool, values, messages) => {
		const before = [orders(), links()];
		const { isError, text } = await call(tool, values);
		expect(isError).toBe(true);
		for (const message of messages) expect(text).toContain(message);
		expect([orders(), links()]).toEqual(before);
	});

	test('`$json`, which MCP does not fill in', async () => {
		const before = links();
		const { text } = await call(ADD_POST, { url: 'https://example.com/' });
		expect(text).toContain('Title: the expression returns no value');
		expect(links()).toEqual(before);
	});
});

test('a tool with Retry On Fail does not repeat a link of unknown outcome', async () => {
	const link = { URL: 'https://example.com/', from: '2020-01-01' };
	const before = links().length;
	sandbox.faults.add({ path: '/add', fault: 'lost', times: 3 });
	const { text } = await call(CREATE_LINK, { ...link, Title: 'Once' });
	sandbox.faults.clear();
	expect(text).toContain('It is unknown whether the link');
	expect(links()).toHaveLength(before + 1);
	await read(CREATE_LINK, { ...link, Title: 'Another' });
	expect(links()).toHaveLength(before + 2);
});

test('the access token of all tools is renewed once after a revocation', async () => {
	sandbox.oauth.revokeAccessTokens();
	sandbox.recorder.reset();
	await read(GET_PROFILE);
	await read(GET_LINKS);
	expect(sandbox.recorder.grants).toBe(1);
});
