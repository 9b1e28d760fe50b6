import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { BLOCKS_PATH, PAGES_PATH } from '../../../sandbox/listsApi';
import { seededPages } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { useN8n } from '../support/harness';
import { letModelDefine, McpClient, type ToolResponse, toolWorkflow } from '../support/mcp';
import type { N8n } from '../support/n8n';
import { type Node, profilePage } from '../support/workflows';

const PATH = 'tools';

/** The names of the tools: node names in which an underscore replaces invalid characters. */
const REORDER = 'Reorder_or_rotate_blocks_on_page_in_Profile_Page';
const GET_INFO = 'Get_profile_info_in_Profile_Page';
const DESCRIBED = 'Arrange_the_home_page';
const CREATE_LINK = 'Create_link_in_Profile_Page';
const DELETE_LINK = 'Delete_link_in_Profile_Page';
const GET_LINKS = 'Get_many_links_in_Profile_Page';
const SEND_REQUEST = 'Send_API_request_in_Profile_Page';
const FEATURE = 'Feature_blocks_of_the_home_page';
const ADD_LINK = 'Add_a_link_through_the_API';
const ADD_POST = 'Add_the_post';
const GET_PAGES = 'Get_many_pages_in_Profile_Page';
const GET_BLOCKS = 'Get_many_blocks_of_page_in_Profile_Page';
const MOVE = 'Move_blocks_to_the_top_of_a_page';

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

interface Tool {
	name?: string;
	parameters: INodeParameters;
	settings?: object;
}

async function makeTools(): Promise<Node[]> {
	const credential = await n8n.rest.addPrivateApp(sandbox, { pagesPath: PAGES_PATH, blocksPath: BLOCKS_PATH });
	const type = 'n8n-nodes-profile-page.profilePageTool';
	const nodeType = (await n8n.rest.nodeTypes()).find(({ name }) => name === type)!;
	const tools = [
		getInfo,
		reorderAsOffered(nodeType),
		reorderAsDescribed,
		getLinks,
		createLink(nodeType),
		deleteLink,
		sendRequest(nodeType),
		featureBlocks(nodeType),
		addLink,
		addPost,
		getPages,
		getBlocks,
		moveBlocks,
	];
	return tools.map(({ name, parameters, settings }) => ({
		...profilePage(credential, parameters, settings),
		type,
		// The name that the editor gives a new node.
		name: name ?? NodeHelpers.makeNodeName(parameters, nodeType),
	}));
}

const reorder = { resource: 'blocks', operation: 'reorder', blockOrder: 'value' };
const getInfo: Tool = { parameters: { resource: 'me', operation: 'getInfo' } };

/** Lets the model define some fields, like the button in the editor. */
function modelDefined({ properties }: INodeTypeDescription, ...names: string[]): INodeParameters {
	const field = (name: string) => properties.find((property) => property.name === name)!;
	return Object.fromEntries(names.map((name) => [name, letModelDefine(field(name))]));
}

const pageId = { __rl: true, mode: 'id', value: "={{ $fromAI('Page', ``, 'string') }}" };

function reorderAsOffered(nodeType: INodeTypeDescription): Tool {
	return { parameters: { ...reorder, pageId, ...modelDefined(nodeType, 'blockIdsValue') } };
}

const getPages: Tool = { parameters: { resource: 'pages', operation: 'getAll' } };
const getBlocks: Tool = { parameters: { resource: 'blocks', operation: 'getAll', pageId } };

/** The node reads the order of the page itself. */
const moveBlocks: Tool = {
	name: 'Move blocks to the top of a page',
	parameters: {
		resource: 'blocks',
		operation: 'reorder',
		blockOrder: 'current',
		pageId,
		currentBlocksToMove: "={{ $fromAI('blocks', 'IDs of the blocks, the first on top', 'json') }}",
	},
};

const getLinks: Tool = { parameters: { resource: 'links', operation: 'getAll' } };

function createLink(nodeType: INodeTypeDescription): Tool {
	return {
		parameters: {
			resource: 'links',
			operation: 'create',
			...modelDefined(nodeType, 'title', 'url'),
			additionalFields: { scheduleFrom: "={{ $fromAI('from', 'When it becomes public') }}" },
		},
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	};
}

const deleteLink: Tool = {
	parameters: {
		resource: 'links',
		operation: 'delete',
		linkId: { __rl: true, mode: 'id', value: "={{ $fromAI('Link', 'Its ID', 'number') }}" },
	},
};

/** With a hand-written description for the model. */
const reorderAsDescribed: Tool = {
	name: 'Arrange the home page',
	parameters: {
		...reorder,
		pageId: HOME,
		blockIdsValue: "={{ $fromAI('blockIds', 'All blocks, the top one first', 'json') }}",
	},
};

/** Reads whatever the model asks for. */
function sendRequest(nodeType: INodeTypeDescription): Tool {
	const pageId = "={{ $fromAI('pageId', 'The ID of the page, if needed', 'string', '') }}";
	return {
		parameters: {
			resource: 'api',
			operation: 'request',
			...modelDefined(nodeType, 'path'),
			queryParameters: { parameters: [{ name: 'page_id', value: pageId }] },
		},
	};
}

/** The model names only the blocks to move, so that it cannot leave one out. */
function featureBlocks(nodeType: INodeTypeDescription): Tool {
	return {
		name: 'Feature blocks of the home page',
		parameters: {
			...reorder,
			pageId: HOME,
			blockIdsValue: JSON.stringify(seededPages[0]!.blocks),
			arrangement: 'moveToTop',
			...modelDefined(nodeType, 'blocksToMove'),
		},
	};
}

/** The model fills in only values of one endpoint. */
const addLink: Tool = {
	name: 'Add a link through the API',
	parameters: {
		resource: 'api',
		operation: 'request',
		method: 'POST',
		path: '/oauth/v1/lnk/add',
		bodyParameters: {
			parameters: [
				{ name: 'title', value: "={{ $fromAI('title', 'Its text', 'string') }}" },
				{ name: 'link', value: "={{ $fromAI('url', 'The address it opens', 'string') }}" },
			],
		},
	},
	settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
};

/** The title is not the model's to choose. */
const addPost: Tool = {
	name: 'Add the post',
	parameters: {
		resource: 'links',
		operation: 'create',
		title: '={{ $json.url }}',
		url: "={{ $fromAI('url', 'The address it opens', 'string') }}",
	},
};

describe('the MCP server offers the model', () => {
	test('a tool for each node with a name and a description', async () => {
		const tools = (await model.tools()).map(({ name, description }) => [name, description]);
		expect(new Map(tools as Array<[string, string]>)).toEqual(
			new Map([
				[REORDER, 'Reorder or rotate blocks on page in Profile Page'],
				[GET_INFO, 'Get profile info in Profile Page'],
				[DESCRIBED, 'Reorder or rotate blocks on page in Profile Page'],
				[GET_LINKS, 'Get many links in Profile Page'],
				[CREATE_LINK, 'Create link in Profile Page'],
				[DELETE_LINK, 'Delete link in Profile Page'],
				[SEND_REQUEST, 'Send API request in Profile Page'],
				[FEATURE, 'Reorder or rotate blocks on page in Profile Page'],
				[ADD_LINK, 'Send API request in Profile Page'],
				[ADD_POST, 'Create link in Profile Page'],
				[GET_PAGES, 'Get many pages in Profile Page'],
				[GET_BLOCKS, 'Get many blocks of page in Profile Page'],
				[MOVE, 'Reorder or rotate blocks on page in Profile Page'],
			]),
		);
		// The tool names that model providers accept.
		for (const [name] of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
	});

	test.each([
		[
			'the page and the blocks as required texts',
			REORDER,
			{
				properties: { Page: { type: 'string' }, Block_IDs: { type: 'string' } },
				required: ['Page', 'Block_IDs'],
			},
		],
		[
			'the description of a field by the user',
			DESCRIBED,
			{
				properties: { blockIds: { description: 'All blocks, the top one first' } },
				required: ['blockIds'],
			},
		],
		['a tool without parameters', GET_INFO, { properties: {} }],
		[
			'a required path, and a parameter that may be left out',
			SEND_REQUEST,
			{ properties: { Path: { type: 'string' } }, required: ['Path'] },
		],
		[
			'the blocks to move as a required text',
			FEATURE,
			{ properties: { Blocks_to_Move: { type: 'string' } }, required: ['Blocks_to_Move'] },
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

describe('a model', () => {
	test.each<[string, (ids: string[]) => string]>([
		['a JSON array', (ids) => JSON.stringify(ids)],
		['a JSON array of blocks', (ids) => JSON.stringify(ids.map((id) => ({ id })))],
		['a list with commas', (ids) => ids.join(', ')],
		['lines', (ids) => ids.join('\n')],
	])('reorders a page with the block IDs as %s, and gets the blocks', async (_, write) => {
		const order = sandbox.account.order(HOME).toReversed();
		const { isError, text } = await call(REORDER, { Page: HOME, Block_IDs: write(order) });
		expect(sandbox.account.order(HOME)).toEqual(order);
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual(sandbox.account.page(HOME)?.blocks);
	});

	test('reorders a page with the block IDs as an array, if the field allows it', async () => {
		const order = sandbox.account.order(HOME).toReversed();
		const { isError } = await call(DESCRIBED, { blockIds: order });
		expect(isError).toBe(false);
		expect(sandbox.account.order(HOME)).toEqual(order);
	});

	test('gets the profile', async () => {
		const { isError, text } = await call(GET_INFO);
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([expect.objectContaining({ username: '@sandbox' })]);
	});
});

describe('a model that moves some blocks', () => {
	const listed = seededPages[0]!.blocks.map(({ id }) => id);
	const [first, second, third, fourth] = listed;

	test('keeps all others below them in the listed order', async () => {
		const { isError } = await call(FEATURE, { Blocks_to_Move: `${fourth}, ${second}` });
		expect(isError).toBe(false);
		expect(sandbox.account.order(HOME)).toEqual([fourth, second, first, third]);
	});

	test('gets an error that names a block it invented, and changes nothing', async () => {
		const before = sandbox.account.order(HOME);
		const { isError, text } = await call(FEATURE, { Blocks_to_Move: `${fourth}, invented` });
		expect(isError).toBe(true);
		expect(text).toContain('Blocks to Move: block "invented" is not in the order of the page');
		expect(sandbox.account.order(HOME)).toEqual(before);
	});
});

describe('a model that lists pages and blocks', () => {
	async function list(tool: string, values?: Record<string, unknown>) {
		const { isError, text } = await call(tool, values);
		expect([isError, text]).toEqual([false, text]);
		return JSON.parse(text) as Array<{ id: string; page_id: string; title: string }>;
	}

	test('moves some of them to the top of the current order, and leaves none out', async () => {
		const { page_id: shop } = (await list(GET_PAGES)).find(({ title }) => title === 'Shop')!;
		const listed = (await list(GET_BLOCKS, { Page: shop })).map(({ id }) => id);
		expect(listed).toEqual(sandbox.account.order(shop));
		const moved = [listed[4], listed[2]];
		expect((await call(MOVE, { Page: shop, blocks: moved })).isError).toBe(false);
		const others = listed.filter((id) => !moved.includes(id));
		expect(sandbox.account.order(shop)).toEqual([...moved, ...others]);
	});

	test('reads which block it has invented, and changes nothing', async () => {
		const before = sandbox.account.order(HOME);
		const { isError, text } = await call(MOVE, { Page: HOME, blocks: ['no-such-block'] });
		expect([isError, text]).toEqual([true, expect.stringContaining('no-such-block')]);
		expect(sandbox.account.order(HOME)).toEqual(before);
	});
});

describe('a model that sends API requests', () => {
	const sent = () => sandbox.recorder.requests.length;
	const links = () => sandbox.account.links.all;

	test('looks up a page, and then the blocks of this page', async () => {
		const listed = await call(SEND_REQUEST, { Path: PAGES_PATH });
		expect(listed.isError).toBe(false);
		const pages = JSON.parse(listed.text) as Array<Record<string, string>>;
		const { page_id: pageId } = pages.find(({ title }) => title === 'Home')!;
		expect(pageId).toBe(HOME);

		const { isError, text } = await call(SEND_REQUEST, { Path: BLOCKS_PATH, pageId });
		expect(isError).toBe(false);
		const blocks = JSON.parse(text) as Array<{ id: string }>;
		expect(blocks.map(({ id }) => id)).toEqual(sandbox.account.order(HOME));
	});

	test.each([
		['the address of another host', 'https://example.com/me'],
		['a host without a scheme', '//example.com/me'],
		['a path out of the Base URL', '/oauth/v1/%2e%2e/%2e%2e/token'],
	])('cannot send the access token to %s', async (_, path) => {
		const before = sent();
		const { isError, text } = await call(SEND_REQUEST, { Path: path });
		expect(isError).toBe(true);
		expect(text).toMatch(/Path: the (?:path|address) [^]*Enter the part after the Base URL/);
		expect(sent()).toBe(before);
	});

	test('gets an error for a path that the service does not have', async () => {
		const { isError, text } = await call(SEND_REQUEST, { Path: '/oauth/v1/nothing' });
		expect(isError).toBe(true);
		expect(text).toContain('the service denied access, or has nothing at this path (403)');
		expect(text).toContain('The service said: "There is no GET /oauth/v1/nothing."');
	});

	test('sets only the values of a tool with a fixed path', async () => {
		const title = 'A & B = ü';
		const { isError, text } = await call(ADD_LINK, { title, url: 'https://example.com/?a=1&b=2' });
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([expect.objectContaining({ id: links()[0]?.link_id })]);
		expect(links()[0]).toMatchObject({ title, link: 'https://example.com/?a=1&b=2' });
	});

	test('does not repeat a change of unknown outcome with Retry On Fail', async () => {
		const before = links().length;
		sandbox.faults.add({ path: '/add', fault: 'lost', times: 3 });
		const { text } = await call(ADD_LINK, { title: 'Once', url: 'https://example.com/' });
		sandbox.faults.clear();
		expect(text).toContain('It is unknown whether the request POST /oauth/v1/lnk/add was completed');
		expect(links()).toHaveLength(before + 1);
	});
});

describe('a model that manages links', () => {
	const LINK = { Title: 'By a model', URL: 'https://example.com/', from: '2020-01-01' };
	const links = () => sandbox.account.links.all;

	test('creates a link, finds it in the list, and deletes it', async () => {
		const before = links();
		const created = await call(CREATE_LINK, LINK);
		expect(created.isError).toBe(false);
		const listed = JSON.parse((await call(GET_LINKS)).text) as Array<Record<string, unknown>>;
		const { link_id: id } = listed.find(({ title }) => title === 'By a model')!;
		expect(links()[0]).toMatchObject({ link_id: id, title: 'By a model' });

		const { isError, text } = await call(DELETE_LINK, { Link: id });
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([
			{ link_id: Number(id), action: 'deleted', title: LINK.Title, link: LINK.URL, deleted: true },
		]);
		expect(links()).toEqual(before);
	});

	test('fills in no `$json` through MCP', async () => {
		const before = links();
		const { text } = await call(ADD_POST, { url: 'https://example.com/' });
		expect(text).toContain('Title: the expression returns no value');
		expect(links()).toEqual(before);
	});

	test('does not repeat a link of unknown outcome with Retry On Fail', async () => {
		const before = links().length;
		sandbox.faults.add({ path: '/add', fault: 'lost', times: 3 });
		const { text } = await call(CREATE_LINK, { ...LINK, Title: 'Once' });
		sandbox.faults.clear();
		expect(text).toContain('It is unknown whether the link');
		expect(links()).toHaveLength(before + 1);
		const { isError } = await call(CREATE_LINK, { ...LINK, Title: 'Another' });
		expect(isError).toBe(false);
		expect(links()).toHaveLength(before + 2);
	});

	test.each<[string, string, object, string]>([
		['an invalid date', CREATE_LINK, { from: 'tomorrow' }, 'Public From: "tomorrow" is not a date'],
		['an empty title', CREATE_LINK, { Title: '' }, 'Title: the value is empty\n\nDetails: Enter the text of the link.'],
		['an incomplete URL', CREATE_LINK, { URL: 'example.com' }, 'URL: "example.com" is not a web'],
		['a negative link ID', DELETE_LINK, { Link: -5 }, 'Link: "-5" is not an ID'],
	])('gets an error for %s, and changes nothing', async (_, tool, values, message) => {
		const before = links();
		const { isError, text } = await call(tool, { ...(tool === CREATE_LINK && LINK), ...values });
		expect(isError).toBe(true);
		expect(text).toContain(message);
		expect(links()).toEqual(before);
	});
});

describe('a model that reorders blocks gets an error and changes no page for', () => {
	const [first = '', ...others] = seededPages[0]!.blocks.map(({ id }) => id);
	const all = [first, ...others].join(',');
	const rejected = [
		'were not reordered: the service rejected the request (400)',
		'List every block on the page, each exactly once, and check the Page.',
	];

	test.each<[string, object, string[], number]>([
		[
			'a missing block',
			{ Block_IDs: others.join(',') },
			[...rejected, `The service said: "Block ${first} is missing."`],
			1,
		],
		['an unknown page', { Page: 'PAGE_none' }, [...rejected, 'The service said: "There is no page PAGE_none."'], 1],
		['an empty page ID', { Page: '' }, ['Page: the value is empty', 'Choose a page, or enter its ID.'], 0],
		[
			'an empty list',
			{ Block_IDs: '' },
			[
				'Block IDs: the list is empty',
				'List every block on the page, from top to bottom, or set Block Order to Blocks by Name.',
			],
			0,
		],
		[
			'a repeated block',
			{ Block_IDs: `${all},${first}` },
			[`Block IDs: block "${first}" is listed twice, as entries 1 and 5`, 'List each block once.'],
			0,
		],
		[
			'invalid JSON',
			{ Block_IDs: `["${first}", ` },
			['Block IDs: the text is not valid JSON', 'Check the brackets'],
			0,
		],
		['a missing field', { Block_IDs: undefined }, ['Required', 'Block_IDs'], 0],
	])('%s', async (_, values, messages, calls) => {
		const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));
		const before = { orders: orders(), calls: sandbox.recorder.calls.length };
		const { isError, text } = await call(REORDER, { Page: HOME, Block_IDs: all, ...values });
		expect(isError).toBe(true);
		for (const message of messages) expect(text).toContain(message);
		expect(orders()).toEqual(before.orders);
		expect(sandbox.recorder.calls).toHaveLength(before.calls + calls);
	});
});

describe('the access token of a tool', () => {
	test('is requested once for all calls, and once more after a 403, which may mean that it has ended', () => {
		expect(sandbox.recorder.grants).toBe(2);
	});

	test('is renewed once after a revocation', async () => {
		sandbox.oauth.revokeAccessTokens();
		expect(await call(GET_INFO)).toMatchObject({ isError: false });
		expect(sandbox.recorder.grants).toBe(3);
	});
});
