import { type INode, NodeHelpers } from 'n8n-workflow';

import type { WorkflowFile } from '../../../runner/runWorkflow';
import { useCredential } from '../../../runner/useCredential';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import { McpClient } from '../support/mcp';
import { N8n } from '../support/n8n';
import { newSecret, type Stored } from '../support/rest';
import { chain, exampleFiles, exampleFolder, manualTrigger, readExample, useClientToken } from '../support/workflows';

const AI_AGENT = 'ai-agent.json';

/** n8n's report on what a newer version of it changes. */
interface Report {
	totalWorkflows: number;
	report: Record<'instanceResults' | 'workflowResults', Array<{ ruleId: string; nbAffectedWorkflows?: number }>>;
}

/** n8n's message when it creates its tables. */
const MIGRATIONS = /^Migrations in progress.*\n/;

let n8n: N8n;
let printed: string;

beforeAll(async () => {
	// Everything it prints is then a warning.
	n8n = await N8n.create({ name: 'n8n-examples', env: { N8N_LOG_LEVEL: 'warn' } });
	printed = await n8n.command('import:workflow', '--separate', `--input=${exampleFolder}`);
	await n8n.start();
	await n8n.rest.setUpOwner();
});
afterAll(async () => await n8n.remove());

test("n8n's import command accepts every example without a warning", async () => {
	expect(printed.replace(MIGRATIONS, '')).toBe('');
	const imported = await n8n.rest.send<Stored[]>('GET', '/workflows');
	const names = exampleFiles.map((file) => readExample(file).name);
	expect(imported.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
	for (const file of exampleFiles) {
		const { name, nodes, connections, pinData } = readExample(file);
		const { id } = imported.find((workflow) => workflow.name === name)!;
		const stored = await n8n.rest.send<object>('GET', `/workflows/${id}`);
		expect(stored).toMatchObject({ nodes, connections, pinData });
	}
});

test("n8n's migration report for n8n 3 lists none of the examples, but a workflow with a mode that n8n 3 removes", async () => {
	const perItem = {
		name: 'Execute Sub-workflow',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { mode: 'each' },
	};
	await n8n.rest.createWorkflow(chain('Per item', manualTrigger, perItem));
	const { totalWorkflows, report } = await n8n.rest.send<Report>('POST', '/breaking-changes/report/refresh?version=v3');
	expect(totalWorkflows).toBe(exampleFiles.length + 1);
	expect(report.workflowResults).toMatchObject([{ ruleId: 'execute-workflow-each-mode-v3', nbAffectedWorkflows: 1 }]);
	expect(report.instanceResults.map(({ ruleId }) => ruleId)).toContain('unverified-packages-v3');
});

test('every node of an example exists in n8n with its parameters', async () => {
	// The types of this n8n, which is newer than the one in the integration tests.
	const nodeTypes = await n8n.rest.nodeTypes();
	for (const node of exampleFiles.flatMap((file) => readExample(file).nodes as unknown as INode[])) {
		const { type, typeVersion, parameters } = node;
		const found = nodeTypes.find(({ name, version }) => name === type && [version].flat().includes(typeVersion));
		if (!found) throw new Error(`n8n has no ${type} in version ${typeVersion}`);
		const known = NodeHelpers.getNodeParameters(found.properties, parameters, true, false, node, found);
		expect(known).toMatchObject(parameters);
		expect(NodeHelpers.getNodeParametersIssues(found.properties, node, found)).toBeNull();
	}
});

describe('an imported example with a credential', () => {
	let sandbox: Sandbox;
	let credential: Stored;
	beforeEach(async () => {
		sandbox = await startSandbox();
		credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
	});
	afterEach(async () => await sandbox.close());

	async function add(example: WorkflowFile): Promise<Stored & { versionId: string }> {
		return await n8n.rest.createWorkflow(useCredential(example, 'profilePageApi', credential));
	}

	describe(AI_AGENT, () => {
		const MCP_PATH = 'profile-page';
		const TOKEN = newSecret();

		let workflow: Stored & { versionId: string };
		beforeEach(async () => {
			const token = await n8n.rest.addClientToken(TOKEN);
			workflow = await add(useClientToken(readExample(AI_AGENT), token));
			await n8n.rest.activate(workflow);
		});
		afterEach(async () => await n8n.rest.deactivate(workflow.id));

		test.each([undefined, 'wrong'])('rejects a client whose token is %p', async (token) => {
			const connected = McpClient.connect(n8n, MCP_PATH, token);
			await expect(connected).rejects.toThrow('Authorization data is wrong!');
			expect(sandbox.recorder.requests).toHaveLength(0);
		});

		test('lets a model create a link and put a block on top, twice with the same result', async () => {
			const model = await McpClient.connect(n8n, MCP_PATH, TOKEN);
			const tools = await model.tools();
			const describe = ({ name, description, inputSchema }: (typeof tools)[number]) =>
				[name, description, Object.keys(inputSchema.properties ?? {})] as const;
			expect(tools.map(describe).toSorted()).toEqual([
				['Create_a_Link', expect.stringContaining('Creates a link at the top'), ['title', 'url']],
				['List_the_Links', expect.stringContaining('Lists the public links'), []],
				['Put_Blocks_on_Top', expect.stringContaining('Puts blocks of the page Home on top'), ['blocks']],
			]);
			const link = { title: 'Tickets', url: 'https://example.com/tickets' };
			const [first, second, third, fourth] = sandbox.account.order(HOME);
			for (const action of ['created', 'skipped']) {
				const created = await model.call('Create_a_Link', link);
				expect(JSON.parse(created.text)).toMatchObject([{ action, title: 'Tickets' }]);
				const moved = await model.call('Put_Blocks_on_Top', { blocks: 'Tour dates' });
				expect(JSON.parse(moved.text)).toMatchObject([{ id: third }, { id: first }, { id: second }, { id: fourth }]);
			}
			const { text } = await model.call('List_the_Links', {});
			expect(JSON.parse(text)).toMatchObject([link, ...Array.from({ length: 3 }, () => ({}))]);
			await model.close();
			expect(sandbox.account.order(HOME)).toEqual([third, first, second, fourth]);
		});
	});
});
