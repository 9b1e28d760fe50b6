import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { seededPages } from '../../../sandbox/seed';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { letModelDefine, McpClient, type ToolAnswer, toolWorkflow } from '../support/mcp';
import { N8n } from '../support/n8n';
import { type Node, profilePage } from '../support/workflows';

const HOME = 'PAGE_home_65f1c0a2b3d4e';
const PATH = 'tools';

/** The names of the tools: those of the nodes, with an underscore for what a name can't hold. */
const REORDER = 'Reorder_all_blocks_on_a_page_in_Profile_Page';
const GET_INFO = 'Get_the_profile_info_in_Profile_Page';
const DESCRIBED = 'Arrange_the_home_page';
const CREATE_LINK = 'Create_a_link_in_Profile_Page';
const DELETE_LINK = 'Delete_a_link_in_Profile_Page';
const GET_LINKS = 'Get_many_links_in_Profile_Page';

let sandbox: Sandbox;
let n8n: N8n;
let model: McpClient;

beforeAll(async () => {
	sandbox = await startSandbox();
	n8n = await N8n.create({ name: 'n8n-tool' });
	await n8n.start();
	await n8n.rest.setUpOwner();
	const workflow = await n8n.rest.createWorkflow(toolWorkflow(PATH, await makeTools()));
	await n8n.rest.activate(workflow);
	model = await McpClient.connect(n8n, PATH);
});
afterAll(async () => {
	await model.close();
	await n8n.remove();
	await sandbox.close();
});

interface Tool {
	name?: string;
	parameters: INodeParameters;
	settings?: object;
}

async function makeTools(): Promise<Node[]> {
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const type = 'n8n-nodes-profile-page.profilePageTool';
	const nodeType = (await n8n.rest.nodeTypes()).find(({ name }) => name === type)!;
	const tools = [
		getInfo,
		reorderAsOffered(nodeType),
		reorderAsDescribed,
		getLinks,
		createLink(nodeType),
		deleteLink,
	];
	return tools.map(({ name, parameters, settings }) => ({
		...profilePage(credential, parameters, settings),
		type,
		// n8n's own naming of a node that is new in the editor.
		name: name ?? NodeHelpers.makeNodeName(parameters, nodeType),
	}));
}

const reorder = { resource: 'blocks', operation: 'reorder', blockOrder: 'value' };
const getInfo: Tool = { parameters: { resource: 'me', operation: 'getInfo' } };

/** Lets the model fill in some fields, as a few clicks in the editor do. */
function offer({ properties }: INodeTypeDescription, ...names: string[]): INodeParameters {
	const field = (name: string) => properties.find((property) => property.name === name)!;
	return Object.fromEntries(names.map((name) => [name, letModelDefine(field(name))]));
}

function reorderAsOffered(nodeType: INodeTypeDescription): Tool {
	return { parameters: { ...reorder, ...offer(nodeType, 'pageId', 'blockIdsValue') } };
}

const getLinks: Tool = { parameters: { resource: 'links', operation: 'getAll' } };

function createLink(nodeType: INodeTypeDescription): Tool {
	return {
		parameters: {
			resource: 'links',
			operation: 'create',
			...offer(nodeType, 'title', 'url'),
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

/** As someone writes it who wants the model to know more. */
const reorderAsDescribed: Tool = {
	name: 'Arrange the home page',
	parameters: {
		...reorder,
		pageId: HOME,
		blockIdsValue: "={{ $fromAI('blockIds', 'All blocks, the top one first', 'json') }}",
	},
};

describe('what a model is shown', () => {
	test('a tool for each node, with a name and what it does', async () => {
		const tools = (await model.tools()).map(({ name, description }) => [name, description]);
		expect(new Map(tools as Array<[string, string]>)).toEqual(
			new Map([
				[REORDER, 'Reorder all blocks on a page in Profile Page'],
				[GET_INFO, 'Get the profile info in Profile Page'],
				[DESCRIBED, 'Reorder all blocks on a page in Profile Page'],
				[GET_LINKS, 'Get many links in Profile Page'],
				[CREATE_LINK, 'Create a link in Profile Page'],
				[DELETE_LINK, 'Delete a link in Profile Page'],
			]),
		);
		// What the makers of models let the name of a tool be.
		for (const [name] of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
	});

	test.each([
		[
			'the page and the blocks as texts, both required',
			REORDER,
			{
				properties: { Page_ID: { type: 'string' }, Block_IDs: { type: 'string' } },
				required: ['Page_ID', 'Block_IDs'],
			},
		],
		[
			'what the user has said about a field',
			DESCRIBED,
			{
				properties: { blockIds: { description: 'All blocks, the top one first' } },
				required: ['blockIds'],
			},
		],
		['nothing to fill in where nothing is needed', GET_INFO, { properties: {} }],
	])('%s', async (_, name, schema) => {
		const tool = (await model.tools()).find((candidate) => candidate.name === name);
		expect(tool?.inputSchema).toMatchObject({ type: 'object', ...schema });
	});
});

/** Calls a tool, and sees that the answer gives no secret away. */
async function call(tool: string, values?: Record<string, unknown>): Promise<ToolAnswer> {
	const answer = await model.call(tool, values);
	const carried = sandbox.recorder.requests.flatMap(
		({ headers }) => headers.authorization?.split(' ').slice(1) ?? [],
	);
	for (const secret of new Set([sandbox.clientSecret, ...carried])) {
		expect(answer.text).not.toContain(secret);
	}
	return answer;
}

describe('what a model does', () => {
	test.each<[string, (ids: string[]) => string]>([
		['a JSON array', (ids) => JSON.stringify(ids)],
		['a JSON array of blocks', (ids) => JSON.stringify(ids.map((id) => ({ id })))],
		['a list with commas', (ids) => ids.join(', ')],
		['lines', (ids) => ids.join('\n')],
	])(
		'it gives the IDs as %s: the page is reordered, and the blocks come back',
		async (_, write) => {
			const order = sandbox.account.order(HOME).toReversed();
			const { isError, text } = await call(REORDER, { Page_ID: HOME, Block_IDs: write(order) });
			expect(sandbox.account.order(HOME)).toEqual(order);
			expect(isError).toBe(false);
			expect(JSON.parse(text)).toEqual(sandbox.account.page(HOME)?.blocks);
		},
	);

	test('it gives the IDs as a list, where the user lets it', async () => {
		const order = sandbox.account.order(HOME).toReversed();
		const { isError } = await call(DESCRIBED, { blockIds: order });
		expect(isError).toBe(false);
		expect(sandbox.account.order(HOME)).toEqual(order);
	});

	test('it asks for the profile', async () => {
		const { isError, text } = await call(GET_INFO);
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([expect.objectContaining({ username: '@sandbox' })]);
	});
});

describe('what a model does with links', () => {
	const LINK = { Title: 'By a model', URL: 'https://example.com/', from: '2020-01-01' };
	const links = () => sandbox.account.links.all;

	test('it creates one, finds it in the list, and deletes it', async () => {
		const before = links();
		const created = await call(CREATE_LINK, LINK);
		expect(created.isError).toBe(false);
		const listed = JSON.parse((await call(GET_LINKS)).text) as Array<Record<string, unknown>>;
		const { link_id: id } = listed.find(({ title }) => title === 'By a model')!;
		expect(links()[0]).toMatchObject({ link_id: id, title: 'By a model' });

		const { isError, text } = await call(DELETE_LINK, { Link: id });
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([{ deleted: true }]);
		expect(links()).toEqual(before);
	});

	test('with Retry On Fail, a link of which no answer tells whether it was created is created once', async () => {
		const before = links().length;
		sandbox.faults.add({ path: '/add', fault: 'lost', times: 3 });
		const { text } = await call(CREATE_LINK, { ...LINK, Title: 'Once' });
		sandbox.faults.clear();
		expect(text).toContain('It is not known whether the link');
		expect(links()).toHaveLength(before + 1);
		const { isError } = await call(CREATE_LINK, { ...LINK, Title: 'Another' });
		expect(isError).toBe(false);
		expect(links()).toHaveLength(before + 2);
	});

	test.each<[string, string, object, string]>([
		[
			'a date in words',
			CREATE_LINK,
			{ from: 'tomorrow' },
			'Schedule From: "tomorrow" is not a date',
		],
		['no title', CREATE_LINK, { Title: '' }, 'Title: it is empty. Enter what the link is to say.'],
		['half an address', CREATE_LINK, { URL: 'example.com' }, 'URL: "example.com" is not a web'],
		['a link that is not there', DELETE_LINK, { Link: 999 }, 'said: "There is no link 999."'],
	])('it is told of %s, and nothing is changed', async (_, tool, values, words) => {
		const before = links();
		const { isError, text } = await call(tool, { ...(tool === CREATE_LINK && LINK), ...values });
		expect(isError).toBe(true);
		expect(text).toContain(words);
		expect(links()).toEqual(before);
	});
});

describe('what a model is told when a call fails, and no page is changed', () => {
	const [first = '', ...others] = seededPages[0]!.blocks.map(({ id }) => id);
	const all = [first, ...others].join(',');
	const refused = [
		'were not reordered: the service refused the request (HTTP 400)',
		'List every block that is on the page now, each exactly once, and check the Page ID.',
	];

	test.each<[string, object, string[], number]>([
		[
			'a block left out',
			{ Block_IDs: others.join(',') },
			[...refused, `The service said: "Block ${first} is missing."`],
			1,
		],
		[
			'a page that is not there',
			{ Page_ID: 'PAGE_none' },
			[...refused, 'The service said: "There is no page PAGE_none."'],
			1,
		],
		['an empty page ID', { Page_ID: '' }, ['Page ID: it is empty. Enter the ID of the page.'], 0],
		[
			'no block',
			{ Block_IDs: '' },
			['Block IDs: there is none. List every block of the page, the top one first.'],
			0,
		],
		[
			'a block given twice',
			{ Block_IDs: `${all},${first}` },
			[`Block IDs: block "${first}" is listed twice, as entries 1 and 5. List each block once.`],
			0,
		],
		[
			'broken JSON',
			{ Block_IDs: `["${first}", ` },
			['Block IDs: the text begins like JSON and is not.', 'Check its brackets'],
			0,
		],
		['a field left out', { Block_IDs: undefined }, ['Required', 'Block_IDs'], 0],
	])('%s', async (_, values, words, calls) => {
		const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));
		const before = { orders: orders(), calls: sandbox.recorder.calls.length };
		const { isError, text } = await call(REORDER, { Page_ID: HOME, Block_IDs: all, ...values });
		expect(isError).toBe(true);
		for (const part of words) expect(text).toContain(part);
		expect(orders()).toEqual(before.orders);
		expect(sandbox.recorder.calls).toHaveLength(before.calls + calls);
	});
});

describe('the access token', () => {
	test('one served all of these calls', () => {
		expect(sandbox.recorder.grants).toBe(1);
	});

	test('an expired one costs one grant, and the call succeeds', async () => {
		sandbox.oauth.revokeAll();
		expect(await call(GET_INFO)).toMatchObject({ isError: false });
		expect(sandbox.recorder.grants).toBe(2);
	});
});
