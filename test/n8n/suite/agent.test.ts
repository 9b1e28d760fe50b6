/** What the model of an AI Agent node reads. The MCP Server Trigger has more tests of its own. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { LIST_PATHS } from '../../support/pages';
import { ChatModel } from '../support/chatModel';
import { useN8n } from '../support/harness';
import { McpClient, toolWorkflow } from '../support/mcp';
import type { Stored } from '../support/rest';
import { assemble, manualTrigger, type Node, place, profilePage, readExample } from '../support/workflows';

const TOOL = 'Links';

const harness = useN8n('n8n-agent');
let sandbox: Sandbox;
let credential: Stored;
let modelCredential: Stored;
let model: ChatModel;
beforeAll(async () => {
	({ sandbox } = harness);
	model = await ChatModel.start();
	credential = await harness.n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
	modelCredential = await harness.n8n.rest.addChatModel(model.baseUrl);
});
afterAll(() => model.close());
beforeEach(() => {
	model.read.length = 0;
	sandbox.faults.clear();
});

const createLink: INodeParameters = {
	resource: 'links',
	operation: 'create',
	title: "={{ $fromAI('title', 'Its text', 'string') }}",
	url: "={{ $fromAI('url', 'Its address', 'string') }}",
};

const makeTool = (settings?: object): Node => ({
	...profilePage(credential, createLink, settings),
	name: TOOL,
	type: 'n8n-nodes-profile-page.profilePageTool',
});

interface AgentOptions {
	version: number;
	settings?: object;
	values: object;
	tool?: Node;
}

/** Lets an agent call the tool once. Returns what the model reads as its results. */
async function callTool({ version, settings, values, tool = makeTool(settings) }: AgentOptions) {
	const { rest } = harness.n8n;
	const agent: Node = {
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: version,
		parameters: { promptType: 'define', text: 'Go', options: { enableStreaming: false } },
	};
	const chatModel: Node = {
		name: 'Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'a-model' }, options: { maxRetries: 0 } },
		credentials: { openAiApi: modelCredential },
	};
	const nodes = [manualTrigger, agent, chatModel, tool].map((node, index) =>
		place({ typeVersion: 1, ...node }, index, 0),
	);
	const to = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	const workflow = assemble(`An agent of version ${version}`, nodes, [
		[manualTrigger.name, to('main')],
		[chatModel.name, to('ai_languageModel')],
		[tool.name, to('ai_tool')],
	]);
	const { id } = await rest.createWorkflow(workflow);
	model.toolCall = { name: tool.name.replaceAll(' ', '_'), values };
	expect((await rest.execute(id, manualTrigger.name)).status).toBe('success');
	return [...model.read];
}

const GOOD = { title: 'By a model', url: 'https://example.com/by-a-model' };
const CONTINUE = { onError: 'continueRegularOutput' };

/** What the model fills in, how the service answers, and what the node reports. */
type FailureCase = [what: string, values: object, fault: Fault | undefined, message: string, advice: string];

const WRONG: FailureCase = [
	'a wrong value',
	{ ...GOOD, url: 'nowhere' },
	undefined,
	'URL: "nowhere" is not a web address',
	'Enter a full web address',
];
const OF_UNKNOWN_OUTCOME: FailureCase = [
	'an unknown outcome',
	GOOD,
	'lost',
	'It is unknown whether the link "By a model" was created',
	'Look at your profile',
];

const errorsOf = (texts: string[]) =>
	texts.flatMap((text) => JSON.parse(text) as IDataObject[]).map(({ error }) => error);

describe.each([2.2, 3.1])('The model of an AI Agent node of version %d', (version) => {
	test('reads the link that it has created', async () => {
		const [text = ''] = await callTool({ version, values: GOOD });
		const { link_id: id } = sandbox.account.links.all[0]!;
		expect(JSON.parse(text)).toEqual([expect.objectContaining({ link_id: id, action: 'created' })]);
	});

	test.each([
		['continueRegularOutput', ...WRONG] as const,
		['continueRegularOutput', ...OF_UNKNOWN_OUTCOME] as const,
		// So that no try of Retry On Fail makes the change once more.
		['stopWorkflow', ...OF_UNKNOWN_OUTCOME] as const,
	])('reads the whole error with onError: %s after %s', async (onError, _what, values, fault, message, advice) => {
		if (fault) sandbox.faults.add({ path: '/add', fault });
		const errors = errorsOf(await callTool({ version, values, settings: { onError } }));
		expect(errors).toHaveLength(1);
		for (const text of [message, advice]) expect(errors[0]).toContain(text);
	});
});

test.each([2.2, 3.1])(
	'If On Error is Stop Workflow, the model of an AI Agent node of version %d does not read what to do',
	async (version) => {
		const [, values, , message, advice] = WRONG;
		const [text = ''] = await callTool({ version, values });
		expect(text).not.toContain(advice);
		if (version === 2.2) expect(text).toBe('');
		else expect(errorsOf([text])).toEqual([expect.stringContaining(message)]);
	},
);

test.each([
	['Create a Link', { title: 'Tickets', url: 'https://example.com/tickets' }],
	['Put Blocks on Top', { blocks: 'Tour dates' }],
])('The tool "%s" of the example works in an AI Agent node, and its model reads the result', async (name, values) => {
	const { nodes } = readExample('ai-agent.json');
	const example = nodes.find((node) => node.name === name)!;
	const tool = { ...profilePage(credential, example.parameters, CONTINUE), type: example.type, name };
	const [text = ''] = await callTool({ version: 3.1, values, tool });
	const results = JSON.parse(text) as IDataObject[];
	expect(results[0]).toMatchObject('blocks' in values ? { title: values.blocks } : { action: 'created' });
});

test('An MCP client reads the whole error, and no sign of a failure, if On Error is Continue', async () => {
	const { n8n } = harness;
	const [, values, , message, advice] = WRONG;
	await n8n.rest.activate(await n8n.rest.createWorkflow(toolWorkflow('continue', [makeTool(CONTINUE)])));
	const client = await McpClient.connect(n8n, 'continue');
	const { isError, text } = await client.call(TOOL, { ...values });
	await client.close();
	expect(isError).toBe(false);
	expect(errorsOf([text])).toEqual([expect.stringContaining(`${message}. ${advice}`)]);
});
