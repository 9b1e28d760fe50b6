import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type INode, type INodeTypeDescription, type IRunData, NodeHelpers } from 'n8n-workflow';

import type { WorkflowFile } from '../../../runner/runWorkflow';
import { useCredential } from '../../../runner/useCredential';
import { seededLinks, seededPages } from '../../../sandbox/seed';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import { McpClient } from '../support/mcp';
import { firstOutput, N8n } from '../support/n8n';
import { until } from '../support/processes';
import { isFinished, newSecret, type Stored } from '../support/rest';
import {
	exampleFiles,
	exampleFolder,
	ordersByClicks,
	readExample,
	scheduleTrigger,
	useClientToken,
} from '../support/workflows';

const SORT = 'POST /oauth/v1/page/blocks/sort';
const ADD = 'POST /oauth/v1/lnk/add';
const LIST = 'GET /oauth/v1/lnk/list';

const AI_AGENT = 'reorder-by-ai-agent.json';
const ERRORS = 'handle-errors.json';
const FEED = 'create-links-from-a-feed.json';
const ROTATION = 'rotate-on-a-schedule.json';
const SPREADSHEET = 'reorder-from-a-spreadsheet.json';

/** See importLinks.test.ts and wholeJobs.test.ts. */
const WHOLE_JOBS = ['find-broken-links.json', 'import-links-from-a-file.json', 'keep-scheduled-links-in-step.json'];

type ExampleNode = WorkflowFile['nodes'][number];

/** In milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

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

describe('every node of an example', () => {
	let nodeTypes: INodeTypeDescription[];
	beforeAll(async () => (nodeTypes = await n8n.rest.nodeTypes()));

	function typeOf({ type, typeVersion }: INode): INodeTypeDescription {
		const found = nodeTypes.find(({ name, version }) => name === type && [version].flat().includes(typeVersion));
		if (!found) throw new Error(`n8n has no ${type} in version ${typeVersion}`);
		return found;
	}

	test.each(exampleFiles)('exists in n8n with these parameters: %s', (file) => {
		// The types of this n8n, which is newer than the one in the integration tests.
		for (const node of readExample(file).nodes as unknown as INode[]) {
			const type = typeOf(node);
			const fields = node.parameters;
			expect(NodeHelpers.getNodeParameters(type.properties, fields, true, false, node, type)).toMatchObject(fields);
			expect(NodeHelpers.getNodeParametersIssues(type.properties, node, type)).toBeNull();
		}
	});
});

describe('an imported example with a credential', () => {
	let sandbox: Sandbox;
	let credential: Stored;
	beforeEach(async () => {
		sandbox = await startSandbox();
		credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
	});
	afterEach(async () => await sandbox.close());

	const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));
	const calls = () => sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

	async function add(example: WorkflowFile): Promise<Stored & { versionId: string }> {
		return await n8n.rest.createWorkflow(useCredential(example, 'profilePageApi', credential));
	}

	/** Executes an example like the button "Execute workflow", and returns the final status. */
	async function run(file: string, settings: WorkflowFile['settings'] = {}): Promise<string> {
		const example = readExample(file);
		return await runExample({ ...example, settings: { ...example.settings, ...settings } });
	}

	async function runExample(example: WorkflowFile): Promise<string> {
		const { id } = await add(example);
		const trigger = example.nodes.find(({ type }) => type.endsWith('Trigger'));
		await n8n.rest.send('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger?.name },
		});
		let status = '';
		await until(`the workflow "${example.name}" has finished`, async () => {
			const [execution] = await n8n.rest.executions(id);
			status = execution?.status ?? '';
			return execution !== undefined && isFinished(execution);
		});
		return status;
	}

	// The example for AI agents runs when its tool is called, and the others have tests of their own.
	test.each(exampleFiles.filter((file) => file !== AI_AGENT && !WHOLE_JOBS.includes(file)))(
		'succeeds with one token: %s',
		async (file) => {
			expect(await run(file)).toBe('success');
			expect(sandbox.recorder.grants).toBe(1);
			expect(sandbox.recorder.calls).not.toHaveLength(0);
		},
	);

	test('get-info.json gets the profile and changes nothing', async () => {
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

	test(`${SPREADSHEET} moves the blocks with the most clicks to the top, with one call per page`, async () => {
		const wanted = ordersByClicks(readExample(SPREADSHEET));
		const before = orders();
		await run(SPREADSHEET);
		expect(new Map(sandbox.account.pages.map(({ id }) => [id, sandbox.account.order(id)]))).toEqual(wanted);
		for (const order of orders()) expect(before).not.toContainEqual(order);
		expect(calls()).toEqual([SORT, SORT]);
	});

	describe(ROTATION, () => {
		/** Two time zones with different dates at any time: 25 hours apart. */
		const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

		test('starts the list one block later each day, in the time zone of the workflow', async () => {
			const listed = sandbox.account.order(HOME);
			for (const timezone of ZONES) {
				const daysBefore = dayNumber(timezone);
				expect(await run(ROTATION, { timezone })).toBe('success');
				const days = [daysBefore, dayNumber(timezone)];
				expect(days.map((day) => rotate(listed, day))).toContainEqual(sandbox.account.order(HOME));
			}
			expect(calls()).toEqual([SORT, SORT]);
		});

		test('runs on its schedule when it is published, and sends the same order each day', async () => {
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
			await until('three calls', () => sandbox.recorder.calls.length >= 3);
			await n8n.rest.deactivate(workflow.id);
			const days = new Set([daysBefore, dayNumber(timezone)]);
			expect([...days].map((day) => rotate(listed, day))).toContainEqual(sandbox.account.order(HOME));
			const sent = new Set(sandbox.recorder.calls.map(({ body }) => body));
			expect(sent.size).toBeLessThanOrEqual(days.size);
		});

		const { type: schedule, parameters: everySecond } = scheduleTrigger(1);

		function hasten(node: ExampleNode): ExampleNode {
			const parameters = everySecond as ExampleNode['parameters'];
			return node.type === schedule ? { ...node, parameters } : node;
		}

		/** Moves blocks from the top to the bottom. */
		function rotate(order: readonly string[], count: number): string[] {
			const start = count % order.length;
			return [...order.slice(start), ...order.slice(0, start)];
		}
	});

	describe(FEED, () => {
		const newLinks = () => sandbox.account.links.all.slice(0, -seededLinks.length);

		let items: string[];
		let feed: Server;
		beforeEach(async () => {
			items = [];
			feed = createServer((_request, response) => {
				response.setHeader('content-type', 'application/rss+xml');
				response.end(`<rss version="2.0"><channel>${items.join('')}</channel></rss>`);
			}).listen(0, '127.0.0.1');
			await once(feed, 'listening');
		});
		afterEach(() => feed.close());

		function toXml(title: string, day: number): string {
			const date = new Date(day * DAY).toUTCString();
			const link = `https://example.com/${title}`;
			return `<item><title>${title}</title><link>${link}</link><pubDate>${date}</pubDate><enclosure url="${link}.png" type="image/png" length="1" /></item>`;
		}

		function readFeed(node: ExampleNode): ExampleNode {
			if (node.type !== 'n8n-nodes-base.rssFeedRead') return node;
			const url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/`;
			return { ...node, parameters: { ...node.parameters, url } };
		}

		test('creates one link for each item of the feed, however often it runs', async () => {
			const example = readExample(FEED);
			const withFeed = { ...example, nodes: example.nodes.map(readFeed), pinData: {} };
			items.unshift(toXml('Second', 2), toXml('First', 1));
			expect(await runExample(withFeed)).toBe('success');
			expect(await runExample(withFeed)).toBe('success');
			items.unshift(toXml('Third', 3));
			expect(await runExample(withFeed)).toBe('success');

			expect(newLinks()).toMatchObject(
				['Third', 'Second', 'First'].map((title) => ({
					title,
					link: `https://example.com/${title}`,
					image: `https://example.com/${title}.png`,
				})),
			);
			expect(calls()).toEqual([LIST, ADD, ADD, LIST, LIST, ADD]);
		});

		test('creates the links of the other items while one is faulty, without dates in the order of the feed', async () => {
			const example = readExample(FEED);
			const withFeed = { ...example, nodes: example.nodes.map(readFeed), pinData: {} };
			const undated = ['Third', 'Second', 'First'].map((title) =>
				toXml(title, 1).replace(/<pubDate>.*<\/pubDate>/, ''),
			);
			items.push(...undated);
			items[1] = items[1]!.replace(/<link>.*<\/link>/, '<link>second</link>');
			for (let count = 0; count < 2; count += 1) {
				expect(await runExample(withFeed)).toBe('error');
				expect(newLinks().map(({ title }) => title)).toEqual(['Third', 'First']);
			}
		});
	});

	describe(AI_AGENT, () => {
		const MCP_PATH = 'profile-page';
		const TOKEN = newSecret();
		const TOOL = 'Reorder_Blocks_on_a_Page';

		let workflow: Stored & { versionId: string };
		beforeEach(async () => {
			const token = await n8n.rest.addClientToken(TOKEN);
			workflow = await add(useClientToken(readExample(AI_AGENT), token));
			await n8n.rest.activate(workflow);
		});
		afterEach(async () => await n8n.rest.deactivate(workflow.id));

		test.each<[string, string | undefined]>([
			['a missing token', undefined],
			['a wrong token', 'wrong'],
		])('rejects a client with %s', async (_, token) => {
			const connected = McpClient.connect(n8n, MCP_PATH, token);
			await expect(connected).rejects.toThrow('Authorization data is wrong!');
			expect(sandbox.recorder.requests).toHaveLength(0);
		});

		test('describes the pages, the blocks and the parameters to the model', async () => {
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

		test('lets a model reorder a page, and returns the error of the service', async () => {
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

describe(`${ERRORS}, executed from the command line,`, () => {
	const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };
	const ID = 'an-example';

	let sandbox: Sandbox;
	let outputs: IRunData;

	// With the log level of the other n8n, the command would not print the output.
	let commandLine: N8n;
	beforeAll(async () => {
		sandbox = await startSandbox();
		commandLine = await N8n.create({ name: 'n8n-examples-command-line' });
		const { baseUrl, clientId, clientSecret } = sandbox;
		const data = { baseUrl, clientId, clientSecret, ...LIST_PATHS };
		await commandLine.import('credentials', [{ ...CREDENTIAL, type: 'profilePageApi', data }]);
		const example = useCredential(readExample(ERRORS), 'profilePageApi', CREDENTIAL);
		await commandLine.import('workflow', [{ ...example, id: ID }]);
		outputs = await commandLine.executeAll(ID);
	});
	afterAll(async () => {
		await commandLine.remove();
		await sandbox.close();
	});

	const outputOf = (node: string) => firstOutput(outputs, node).map(({ json }) => json);

	test('reorders the valid pages, and names the page of each block', () => {
		const [home, shop] = seededPages.map(({ blocks }) => blocks.map(({ id }) => id).toReversed());
		expect(sandbox.account.pages.map(({ id }) => sandbox.account.order(id))).toEqual([home, shop]);
		const log = (page: string, order: string[] = []) => order.map((block, position) => ({ page, block, position }));
		expect(outputOf('Name the Page')).toEqual([...log('Home', home), ...log('Shop', shop)]);
	});

	test('reports on the error branch which page failed and why', () => {
		const [{ message } = {}, ...others] = outputOf('Write the Message');
		expect(others).toEqual([]);
		expect(message).toMatch(/^Page Summer sale: The blocks of page "PAGE_sale_65f1c0d1e2f3a" were/);
		expect(message).toContain('The service said: "There is no page PAGE_sale_65f1c0d1e2f3a."');
	});
});

/** Returns the number of days from 1 January 1970 to the current date in a time zone. */
function dayNumber(timeZone: string): number {
	const date = new Intl.DateTimeFormat('sv', { timeZone }).format(new Date());
	return Date.parse(date) / DAY;
}
