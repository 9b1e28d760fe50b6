/** The node as a tool: what a model is offered and reads, over MCP with an example, and in an AI Agent node. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { IDataObject } from 'n8n-workflow';

import { useCredential } from '../../../runner/useCredential';
import type { Fault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import { ChatModel } from '../support/chatModel';
import { useN8n } from '../support/harness';
import { callTool, connectMcp } from '../support/mcp';
import type { N8n } from '../support/n8n';
import { newSecret, type Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import {
	assemble,
	manualTrigger,
	type Node,
	place,
	profilePage,
	readExample,
	useClientToken,
} from '../support/workflows';

const harness = useN8n({ name: 'n8n-tools' });
let sandbox: Sandbox;
let n8n: N8n;
let credential: Stored;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
});
beforeEach(() => sandbox.faults.clear());

const links = () => sandbox.account.links.all;

describe('over MCP, the example ai-agent.json', () => {
	const TOKEN = newSecret();
	const link = { title: 'Tickets', url: 'https://example.com/tickets' };

	let url: string;
	let model: Client;
	beforeAll(async () => {
		const example = useCredential(readExample('ai-agent.json'), 'profilePageApi', credential);
		const token = await n8n.rest.addClientToken(TOKEN);
		await n8n.rest.activate(await n8n.rest.createWorkflow(useClientToken(example, token)));
		url = `${n8n.baseUrl}/mcp/profile-page`;
		model = await connectMcp(url, TOKEN);
	});
	afterAll(async () => await model.close());

	test('accepts no model without its token', async () => {
		await expect(connectMcp(url, 'wrong')).rejects.toThrow('Authorization data is wrong!');
	});

	test('offers each tool with a description, and with what the model has to fill in', async () => {
		const { tools } = await model.listTools();
		const found = new Map(tools.map(({ name, ...others }) => [name, others]));
		expect([...found.keys()].toSorted()).toEqual(['Create_a_Link', 'List_the_Links', 'Put_Blocks_on_Top']);
		const description: unknown = expect.stringContaining('The names of the blocks');
		expect(found.get('Put_Blocks_on_Top')).toMatchObject({
			description: expect.stringContaining('Puts blocks of the page Home on top') as string,
			inputSchema: { type: 'object', properties: { blocks: { description } }, required: ['blocks'] },
		});
		expect(found.get('List_the_Links')?.inputSchema.properties).toEqual({});
	});

	test('lets the model create a link and put a block on top, twice with the same result', async () => {
		const [first, second, third, fourth] = sandbox.account.order(HOME);
		for (const action of ['created', 'skipped']) {
			const created = await callTool(model, 'Create_a_Link', link);
			expect(JSON.parse(created.text)).toMatchObject([{ action, title: 'Tickets' }]);
			const moved = await callTool(model, 'Put_Blocks_on_Top', { blocks: 'Tour dates' });
			expect(JSON.parse(moved.text)).toMatchObject([{ id: third }, { id: first }, { id: second }, { id: fourth }]);
		}
		expect(JSON.parse((await callTool(model, 'List_the_Links')).text)).toMatchObject([link, {}, {}, {}]);
	});

	test('lets the model read what is wrong and what to do, and changes nothing', async () => {
		const before = sandbox.account.order(HOME);
		const { isError, text } = await callTool(model, 'Put_Blocks_on_Top', { blocks: 'Tour date' });
		expect([isError, text]).toEqual([true, expect.stringContaining('no block of page "Home" is called "Tour date"')]);
		expect(text).toContain('"Tour dates"');
		expect(sandbox.account.order(HOME)).toEqual(before);
	});
});

describe('in an AI Agent node', () => {
	const NAME = 'Links';
	const GOOD = { title: 'By an agent', url: 'https://example.com/by-an-agent' };

	let model: ChatModel;
	let chatModel: Node;
	beforeAll(async () => {
		model = await ChatModel.start();
		const openAiApi = await n8n.rest.addCredential('Model', 'openAiApi', { apiKey: 'a key', url: model.baseUrl });
		chatModel = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'a-model' }, options: { maxRetries: 0 } },
			credentials: { openAiApi },
		};
	});
	afterAll(() => model.close());

	const agent: Node = {
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: isN8n1 ? 2.2 : 3.1,
		parameters: { promptType: 'define', text: 'Go', options: { enableStreaming: false } },
	};

	/** Lets an agent create a link. Returns what the model reads as the result. */
	async function createLink(onError: string, values: object): Promise<IDataObject[]> {
		const title = "={{ $fromAI('title', 'Its text', 'string') }}";
		const url = "={{ $fromAI('url', 'Its address', 'string') }}";
		const tool = profilePage(
			credential,
			{ resource: 'links', operation: 'create', title, url },
			{ onError, name: NAME, type: 'n8n-nodes-profile-page.profilePageTool' },
		);
		const nodes = [manualTrigger, agent, chatModel, tool].map((node, index) => place(node, index, 0));
		const to = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
		const workflow = assemble('An agent', nodes, [
			[manualTrigger.name, to('main')],
			[chatModel.name, to('ai_languageModel')],
			[tool.name, to('ai_tool')],
		]);
		model.toolCall = { name: NAME, values };
		const { id } = await n8n.rest.createWorkflow(workflow);
		expect((await n8n.rest.execute(id, manualTrigger.name)).error).toBeUndefined();
		return JSON.parse(model.result) as IDataObject[];
	}

	test('the model reads the link that it has created', async () => {
		const created = await createLink('stopWorkflow', GOOD);
		expect(created).toMatchObject([{ link_id: links()[0]!.link_id, action: 'created' }]);
	});

	test.each<[string, string, Fault | undefined, string, string]>([
		['Continue', 'continueRegularOutput', undefined, 'URL: "nowhere" is not', 'Enter a full web address'],
		// So that no try of Retry On Fail makes the change once more.
		['Stop Workflow, after an unknown outcome,', 'stopWorkflow', 'lost', 'It is unknown', 'Look at your profile'],
	])('the model reads what happened and what to do if On Error is %s', async (_, onError, fault, message, advice) => {
		if (fault) sandbox.faults.add({ path: '/add', fault });
		const [item, ...others] = await createLink(onError, fault ? GOOD : { ...GOOD, url: 'nowhere' });
		for (const part of [message, advice]) expect(item?.error).toContain(part);
		expect(others).toEqual([]);
	});
});
