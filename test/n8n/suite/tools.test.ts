/** The node as a tool: what a model is offered and reads, over MCP with an example, and in an AI Agent node. */
import { json } from 'node:stream/consumers';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

import { useCredential } from '../../../runner/useCredential';
import type { Sandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { HOME, LIST_PATHS } from '../../support/pages';
import { useN8n } from '../support/harness';
import type { N8n } from '../support/n8n';
import { newSecret, type Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { assemble, manualTrigger, type Node, profilePage, readExample, useClientToken } from '../support/workflows';

const harness = useN8n({ name: 'n8n-tools' });
let sandbox: Sandbox;
let n8n: N8n;
let credential: Stored;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
});

describe('over MCP, the example ai-agent.json', () => {
	const TOKEN = newSecret();
	const link = { title: 'Tickets', url: 'https://example.com/tickets' };

	let model: Client;
	beforeAll(async () => {
		const example = useCredential(readExample('ai-agent.json'), 'profilePageApi', credential);
		const token = await n8n.rest.addClientToken(TOKEN);
		await n8n.rest.activate(await n8n.rest.createWorkflow(useClientToken(example, token)));
		model = await connect(TOKEN);
	});
	afterAll(async () => await model.close());

	/** Connects to the MCP Server Trigger, like an AI application. */
	async function connect(token: string): Promise<Client> {
		const client = new Client({ name: 'the AI application of a test', version: '1.0.0' });
		const requestInit = { headers: { authorization: `Bearer ${token}` } };
		const url = new URL(`${n8n.baseUrl}/mcp/profile-page`);
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
		return client;
	}

	/** Calls a tool. Returns the text that the model reads. */
	async function call(name: string, values: Record<string, unknown> = {}): Promise<string> {
		const { content } = (await model.callTool({ name, arguments: values })) as CallToolResult;
		return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
	}

	test('accepts no model without its token', async () => {
		await expect(connect('wrong')).rejects.toThrow('Authorization data is wrong!');
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
			expect(JSON.parse(await call('Create_a_Link', link))).toMatchObject([{ action, title: 'Tickets' }]);
			const moved = JSON.parse(await call('Put_Blocks_on_Top', { blocks: 'Tour dates' })) as unknown;
			expect(moved).toMatchObject([{ id: third }, { id: first }, { id: second }, { id: fourth }]);
		}
		expect(JSON.parse(await call('List_the_Links'))).toMatchObject([link, {}, {}, {}]);
	});

	test('lets the model read what is wrong and what to do, and changes nothing', async () => {
		const before = sandbox.account.order(HOME);
		const text = await call('Put_Blocks_on_Top', { blocks: 'Tour date' });
		expect(text).toContain('no block of page "Home" is called "Tour date"');
		expect(text).toContain('"Tour dates"');
		expect(sandbox.account.order(HOME)).toEqual(before);
	});
});

/**
 * Starts a chat model with the API of OpenAI, which calls the tool Links once, and then ends the conversation.
 *
 * @param read gets what the tool returned to it
 */
async function startChatModel(values: object, read: (result: string) => void) {
	const toolCall = { id: 'call', type: 'function', function: { name: 'Links', arguments: JSON.stringify(values) } };
	return await startHttpServer((request, response) => {
		void json(request).then((body) => {
			const { messages } = body as { messages: Array<{ role: string; content: string }> };
			const result = messages.find(({ role }) => role === 'tool');
			if (result) read(result.content);
			const message = result ? { content: 'Done' } : { content: null, tool_calls: [toolCall] };
			const finish_reason = result ? 'stop' : 'tool_calls';
			const answer = {
				...{ id: 'answer', object: 'chat.completion', created: 0, model: 'a-model' },
				choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
			response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
		});
	});
}

test('in an AI Agent node, the model reads the link that it has created, and what to do after an unknown outcome', async () => {
	const read: string[] = [];
	const values = { title: 'By an agent', url: 'https://example.com/by-an-agent' };
	const server = await startChatModel(values, (result) => read.push(result));
	const openAiApi = await n8n.rest.addCredential('Model', 'openAiApi', { apiKey: 'a key', url: `${server.origin}/v1` });
	const chatModel: Node = {
		name: 'Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'a-model' }, options: { maxRetries: 0 } },
		credentials: { openAiApi },
	};
	const agent: Node = {
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: isN8n1 ? 2.2 : 3.1,
		parameters: { promptType: 'define', text: 'Go', options: { enableStreaming: false } },
	};
	const title = "={{ $fromAI('title', 'Its text', 'string') }}";
	const url = "={{ $fromAI('url', 'Its address', 'string') }}";
	const create = { resource: 'links', operation: 'create', ifExists: 'create', title, url };
	const settings = { name: 'Links', type: 'n8n-nodes-profile-page.profilePageTool', retryOnFail: true };
	const tool = profilePage(credential, create, settings);
	const to = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	const workflow = assemble('An agent', [manualTrigger, agent, chatModel, tool], {
		[manualTrigger.name]: to('main'),
		[chatModel.name]: to('ai_languageModel'),
		[tool.name]: to('ai_tool'),
	});
	const { id } = await n8n.rest.createWorkflow(workflow);
	const runAgent = async () => expect((await n8n.rest.execute(id, manualTrigger.name)).error).toBeUndefined();

	await runAgent();
	expect(JSON.parse(read[0]!)).toMatchObject([{ link_id: sandbox.account.links.all[0]!.link_id, action: 'created' }]);

	sandbox.recorder.reset();
	sandbox.faults.add({ path: '/add', fault: 'lost' });
	await runAgent();
	const [item] = JSON.parse(read[1]!) as Array<{ error: string }>;
	for (const part of ['It is unknown', 'Look at your profile']) expect(item?.error).toContain(part);
	// No try of Retry On Fail has made the change once more.
	expect(sandbox.recorder.calls).toHaveLength(1);
	server.close();
});
