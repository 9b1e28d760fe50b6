import { type INode, type INodeTypeDescription, type IRunData, NodeHelpers } from 'n8n-workflow';

import type { WorkflowFile } from '../../../engine/runWorkflow';
import { useCredential } from '../../../engine/useCredential';
import { seededPages } from '../../../sandbox/seed';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { McpClient, useClientToken } from '../harness/mcp';
import { firstOutput, N8n } from '../harness/n8n';
import { until } from '../harness/processes';
import type { Stored } from '../harness/rest';
import {
	exampleFiles,
	exampleFolder,
	ordersByClicks,
	readExample,
	scheduleTrigger,
} from '../harness/workflows';

const HOME = 'PAGE_home_65f1c0a2b3d4e';
const SORT = 'POST /oauth/v1/page/blocks/sort';

const AI_AGENT = 'reorder-by-ai-agent.json';
const ERRORS = 'handle-errors.json';
const ROTATION = 'rotate-on-a-schedule.json';
const SPREADSHEET = 'reorder-from-a-spreadsheet.json';

/** What n8n says, before anything else, when it makes its tables. */
const MIGRATIONS = /^Migrations in progress.*\n/;

let n8n: N8n;
let printed: string;

beforeAll(async () => {
	// So that whatever it prints is a warning.
	n8n = await N8n.create({ name: 'n8n-examples', env: { N8N_LOG_LEVEL: 'warn' } });
	printed = await n8n.command('import:workflow', '--separate', `--input=${exampleFolder}`);
	await n8n.start();
	await n8n.rest.setUpOwner();
});
afterAll(async () => await n8n.remove());

test("n8n's import command takes every example, without a warning", async () => {
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

describe('every node of the examples', () => {
	let nodeTypes: INodeTypeDescription[];
	beforeAll(async () => (nodeTypes = await n8n.rest.nodeTypes()));

	function typeOf({ type, typeVersion }: INode): INodeTypeDescription {
		const found = nodeTypes.find(
			({ name, version }) => name === type && [version].flat().includes(typeVersion),
		);
		if (!found) throw new Error(`n8n has no ${type} in version ${typeVersion}`);
		return found;
	}

	test.each(exampleFiles)('is one that n8n has, with fields that it shows: %s', (file) => {
		// What this n8n takes for a node, which is newer than the engine of the other tests.
		for (const node of readExample(file).nodes as unknown as INode[]) {
			const type = typeOf(node);
			const fields = node.parameters;
			expect(
				NodeHelpers.getNodeParameters(type.properties, fields, true, false, node, type),
			).toMatchObject(fields);
			expect(NodeHelpers.getNodeParametersIssues(type.properties, node, type)).toBeNull();
		}
	});
});

describe('imported in the editor and given a credential', () => {
	let sandbox: Sandbox;
	let credential: Stored;
	beforeEach(async () => {
		sandbox = await startSandbox();
		credential = await n8n.rest.addPrivateApp(sandbox);
	});
	afterEach(async () => await sandbox.close());

	const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));
	const calls = () => sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

	async function add(example: WorkflowFile): Promise<Stored & { versionId: string }> {
		return await n8n.rest.createWorkflow(useCredential(example, 'profilePageApi', credential));
	}

	/** Executes an example as the button "Execute workflow" does; returns how it ended. */
	async function run(file: string, settings: WorkflowFile['settings'] = {}): Promise<string> {
		const example = readExample(file);
		const { id } = await add({ ...example, settings: { ...example.settings, ...settings } });
		const trigger = example.nodes.find(({ type }) => type.endsWith('Trigger'));
		await n8n.rest.send('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger?.name },
		});
		let status = '';
		await until(`${file} has ended`, async () => {
			status = (await n8n.rest.executions(id))[0]?.status ?? 'new';
			return !['new', 'running'].includes(status);
		});
		return status;
	}

	// The one for AI agents is run by a call of its tool.
	test.each(exampleFiles.filter((file) => file !== AI_AGENT))(
		'%s runs, with one token',
		async (file) => {
			expect(await run(file)).toBe('success');
			expect(sandbox.recorder.grants).toBe(1);
			expect(sandbox.recorder.calls).not.toHaveLength(0);
		},
	);

	test('get-info.json asks for the profile, and changes nothing', async () => {
		const before = orders();
		await run('get-info.json');
		expect(calls()).toEqual(['GET /oauth/v1/me']);
		expect(orders()).toEqual(before);
	});

	test('reorder-blocks.json moves the last block of a page to the top', async () => {
		const [home = [], ...others] = orders();
		await run('reorder-blocks.json');
		expect(orders()).toEqual([[home.at(-1), ...home.slice(0, -1)], ...others]);
		expect(calls()).toEqual([SORT]);
	});

	test(`${SPREADSHEET} puts the blocks with the most clicks on top, with one call for each page`, async () => {
		const wanted = ordersByClicks(readExample(SPREADSHEET));
		const before = orders();
		await run(SPREADSHEET);
		expect(new Map(sandbox.account.pages.map(({ id }) => [id, sandbox.account.order(id)]))).toEqual(
			wanted,
		);
		for (const order of orders()) expect(before).not.toContainEqual(order);
		expect(calls()).toEqual([SORT, SORT]);
	});

	describe(ROTATION, () => {
		/** Two time zones in which it is never the same day: 25 hours apart. */
		const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

		test('begins the list one block later for each day, by the date of its time zone', async () => {
			const listed = sandbox.account.order(HOME);
			for (const timezone of ZONES) {
				const daysBefore = dayNumber(timezone);
				expect(await run(ROTATION, { timezone })).toBe('success');
				const days = [daysBefore, dayNumber(timezone)];
				expect(days.map((day) => turn(listed, day))).toContainEqual(sandbox.account.order(HOME));
			}
			expect(calls()).toEqual([SORT, SORT]);
		});

		test('runs on its schedule once it is published, and sends the same order each time', async () => {
			const timezone = 'Pacific/Kiritimati';
			const { nodes, ...example } = readExample(ROTATION);
			const workflow = await add({
				...example,
				nodes: nodes.map(hasten),
				settings: { ...example.settings, timezone },
			});
			const listed = sandbox.account.order(HOME);
			const daysBefore = dayNumber(timezone);
			await n8n.rest.activate(workflow);
			await until('three runs', () => sandbox.recorder.calls.length >= 3);
			await n8n.rest.deactivate(workflow.id);
			const days = new Set([daysBefore, dayNumber(timezone)]);
			expect([...days].map((day) => turn(listed, day))).toContainEqual(sandbox.account.order(HOME));
			const sent = new Set(sandbox.recorder.calls.map(({ body }) => body));
			expect(sent.size).toBeLessThanOrEqual(days.size);
		});

		type ExampleNode = WorkflowFile['nodes'][number];
		const { type: schedule, parameters: everySecond } = scheduleTrigger(1);

		function hasten(node: ExampleNode): ExampleNode {
			const parameters = everySecond as ExampleNode['parameters'];
			return node.type === schedule ? { ...node, parameters } : node;
		}

		/** How many days lie between the date in a time zone and 1 January 1970. */
		function dayNumber(timeZone: string): number {
			const date = new Intl.DateTimeFormat('sv', { timeZone }).format(new Date());
			return Date.parse(date) / (24 * 60 * 60 * 1000);
		}

		/** Moves the top block to the bottom, so many times. */
		function turn(order: readonly string[], times: number): string[] {
			const turned = [...order];
			for (let time = 0; time < times % order.length; time++) turned.push(turned.shift()!);
			return turned;
		}
	});

	describe(AI_AGENT, () => {
		const MCP_PATH = 'profile-page';
		const TOKEN = 'the-token-of-the-clients';
		const TOOL = 'Reorder_Blocks_on_a_Page';

		let workflow: Stored & { versionId: string };
		beforeEach(async () => {
			const token = await n8n.rest.addClientToken(TOKEN);
			workflow = await add(useClientToken(readExample(AI_AGENT), token));
			await n8n.rest.activate(workflow);
		});
		afterEach(async () => await n8n.rest.deactivate(workflow.id));

		test.each<[string, string | undefined]>([
			['no token', undefined],
			['a wrong token', 'wrong'],
		])('lets in no client with %s', async (_, token) => {
			const connected = McpClient.connect(n8n, MCP_PATH, token);
			await expect(connected).rejects.toThrow('Authorization data is wrong!');
			expect(sandbox.recorder.requests).toHaveLength(0);
		});

		test('tells a model which pages and blocks there are, and what to fill in', async () => {
			const model = await McpClient.connect(n8n, MCP_PATH, TOKEN);
			const [tool, ...others] = await model.tools();
			await model.close();
			expect(others).toEqual([]);
			expect(tool).toMatchObject({
				name: TOOL,
				inputSchema: {
					properties: {
						pageId: { type: 'string', description: 'The ID of the page' },
						blockIds: {
							description: 'The IDs of all blocks of the page, the top one first',
						},
					},
					required: ['pageId', 'blockIds'],
				},
			});
			for (const { id, blocks } of sandbox.account.pages) {
				const named = [id, ...blocks.map((block) => block.id)];
				for (const one of named) expect(tool?.description).toContain(one);
			}
		});

		test('lets a model set the order of a page, and tells it when the service refuses', async () => {
			const model = await McpClient.connect(n8n, MCP_PATH, TOKEN);
			const wanted = sandbox.account.order(HOME).toReversed();
			const good = await model.call(TOOL, { pageId: HOME, blockIds: wanted });
			const bad = await model.call(TOOL, { pageId: HOME, blockIds: wanted.slice(1) });
			await model.close();
			expect(good.isError).toBe(false);
			expect(JSON.parse(good.text)).toEqual(sandbox.account.page(HOME)?.blocks);
			expect(sandbox.account.order(HOME)).toEqual(wanted);
			expect(bad.isError).toBe(true);
			expect(bad.text).toContain(`The service said: "Block ${wanted[0]} is missing."`);
		});
	});
});

describe(`${ERRORS}, run from the command line`, () => {
	const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };
	const ID = 'an-example';

	let sandbox: Sandbox;
	let outputs: IRunData;

	// The command prints what each node has put out, unless only warnings are wanted.
	let commandLine: N8n;
	beforeAll(async () => {
		sandbox = await startSandbox();
		commandLine = await N8n.create({ name: 'n8n-examples-command-line' });
		const { baseUrl, clientId, clientSecret } = sandbox;
		const data = { baseUrl, clientId, clientSecret };
		await commandLine.import('credentials', [{ ...CREDENTIAL, type: 'profilePageApi', data }]);
		const example = useCredential(readExample(ERRORS), 'profilePageApi', CREDENTIAL);
		await commandLine.import('workflow', [{ ...example, id: ID }]);
		outputs = await commandLine.executeAll(ID);
	});
	afterAll(async () => {
		await commandLine.remove();
		await sandbox.close();
	});

	const putOut = (node: string) => firstOutput(outputs, node).map(({ json }) => json);

	test('puts the good pages in order, and names their page with each block', () => {
		const [home, shop] = seededPages.map(({ blocks }) => blocks.map(({ id }) => id).toReversed());
		expect(sandbox.account.pages.map(({ id }) => sandbox.account.order(id))).toEqual([home, shop]);
		const log = (page: string, order: string[] = []) =>
			order.map((block, position) => ({ page, block, position }));
		expect(putOut('Name the Page')).toEqual([...log('Home', home), ...log('Shop', shop)]);
	});

	test('says on the error branch which page failed, and why', () => {
		const [{ message } = {}, ...others] = putOut('Write the Message');
		expect(others).toEqual([]);
		expect(message).toMatch(/^Page Summer sale: The blocks of page "PAGE_sale_65f1c0d1e2f3a" were/);
		expect(message).toContain('The service said: "There is no page PAGE_sale_65f1c0d1e2f3a."');
	});
});
