import { type INode, NodeHelpers } from 'n8n-workflow';

import type { WorkflowFile } from '../../../runner/runWorkflow';
import { useCredential } from '../../../runner/useCredential';
import { seededLinks } from '../../../sandbox/seed';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { addLinks } from '../../support/links';
import { HOME, LIST_PATHS } from '../../support/pages';
import { McpClient } from '../support/mcp';
import { firstOutput, N8n } from '../support/n8n';
import { until } from '../support/processes';
import { newSecret, type Stored } from '../support/rest';
import {
	chain,
	exampleFiles,
	exampleFolder,
	manualTrigger,
	profilePageTrigger,
	readExample,
	scheduleTrigger,
	useClientToken,
} from '../support/workflows';

const ADD = 'POST /oauth/v1/lnk/add';

const AI_AGENT = 'ai-agent.json';
const ANNOUNCEMENT = 'announce-new-links.json';
const FEED = 'create-links-from-a-feed.json';
const ROTATION = 'rotate-a-fixed-order-by-day.json';
const WEEKLY = 'rotate-every-week.json';

/** See importLinks.test.ts, jobs.test.ts, and wholeJobs.test.ts. */
const WHOLE_JOBS = [
	'add-tracking-tags.json',
	'campaign.json',
	'export-links.json',
	'find-broken-links.json',
	'import-links-from-a-file.json',
	'keep-scheduled-links-in-step.json',
	'links-for-events.json',
	'show-a-link-while-live.json',
];

type ExampleNode = WorkflowFile['nodes'][number];

/** n8n's report on what a newer version of it changes. */
interface Report {
	totalWorkflows: number;
	report: Record<'instanceResults' | 'workflowResults', Array<{ ruleId: string; nbAffectedWorkflows?: number }>>;
}

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

	const calls = () => sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

	async function add(example: WorkflowFile): Promise<Stored & { versionId: string }> {
		return await n8n.rest.createWorkflow(useCredential(example, 'profilePageApi', credential));
	}

	/** Executes an example twice, like the button "Execute workflow". Returns what is on the profile after each time. */
	async function run(example: WorkflowFile): Promise<unknown[]> {
		const { id } = await add(example);
		const trigger = example.nodes.find(({ type }) => type.endsWith('Trigger'));
		const states: unknown[] = [];
		while (states.length < 2) {
			expect(await n8n.rest.execute(id, trigger!.name)).toMatchObject({ status: 'success', error: undefined });
			states.push(state());
		}
		return states;
	}

	/** The IDs of the blocks of each page, and of the links, from top to bottom. */
	function state(): unknown[] {
		const { pages, links } = sandbox.account;
		return [...pages.map(({ id }) => sandbox.account.order(id)), links.all.map(({ link_id: id }) => id)];
	}

	// The example for AI agents runs when its tool is called, and the others have tests of their own.
	test.each(exampleFiles.filter((file) => file !== AI_AGENT && !WHOLE_JOBS.includes(file)))(
		'does its job twice in a row with one token, and changes nothing the second time unless it rotates: %s',
		async (file) => {
			// So that the newest 10 are not all.
			addLinks(sandbox, 10);
			const before = state();
			const [first, second] = await run(readExample(file));
			if (file === WEEKLY) expect(second).not.toEqual(first);
			else expect(second).toEqual(first);
			// The messages change nothing, and the order of the day may be the one that is there.
			if (![ANNOUNCEMENT, ROTATION].includes(file)) expect(first).not.toEqual(before);
			expect(sandbox.recorder.grants).toBe(1);
			expect(sandbox.recorder.calls).not.toHaveLength(0);
		},
	);

	test(`${ANNOUNCEMENT} writes one message for each new link while it is published`, async () => {
		const { nodes, ...example } = readExample(ANNOUNCEMENT);
		const { parameters: often } = profilePageTrigger(credential, 2);
		const hastened = nodes.map((node) =>
			node.name === 'New Link' ? { ...node, parameters: { ...node.parameters, ...often } } : node,
		);
		const workflow = await add({ ...example, nodes: hastened });
		const polls = async (count: number) => {
			const wanted = sandbox.recorder.calls.length + count;
			await until(`${count} polls`, () => sandbox.recorder.calls.length >= wanted);
		};
		await n8n.rest.activate(workflow);
		await polls(2);
		for (const title of ['First', 'Second']) {
			sandbox.account.links.add({ title, link: 'https://example.com/' });
			await polls(3);
		}
		await n8n.rest.deactivate(workflow.id);
		const messages: unknown[] = [];
		for (const { id } of (await n8n.rest.allExecutions(workflow.id)).toReversed()) {
			const { runData } = (await n8n.rest.executionData(id)).resultData;
			messages.push(firstOutput(runData, 'Send the Message').map(({ json }) => json.message));
		}
		expect(messages).toEqual([
			['New on our profile: First https://example.com/'],
			['New on our profile: Second https://example.com/'],
		]);
	});

	test(`${ROTATION} runs on its schedule when it is published, and sends the same order each day`, async () => {
		const timezone = 'Pacific/Kiritimati';
		const { type: schedule, parameters } = scheduleTrigger(1);
		const { nodes, settings, ...example } = readExample(ROTATION);
		const hastened = nodes.map((node) => (node.type === schedule ? { ...node, parameters } : node));
		const workflow = await add({ ...example, nodes: hastened as ExampleNode[], settings: { ...settings, timezone } });
		const [first, ...others] = sandbox.account.order(HOME);
		/** The order of the day: below the first block, it starts one block later than that of the day before. */
		const ofToday = () => {
			const days = dayNumber(timezone) - Date.parse('2026-11-01') / DAY;
			return [first, ...others.map((_, index) => others[(index + days) % others.length])];
		};
		const before = ofToday();
		await n8n.rest.activate(workflow);
		await until('three calls', () => sandbox.recorder.calls.length >= 3);
		await n8n.rest.deactivate(workflow.id);
		const orders = [before, ofToday()];
		expect(orders).toContainEqual(sandbox.account.order(HOME));
		const sent = new Set(sandbox.recorder.calls.map(({ body }) => body));
		expect(sent.size).toBeLessThanOrEqual(new Set(orders.map(String)).size);
	});

	test(`${FEED} creates one link for each item of the feed, as a person reads it, however often it runs`, async () => {
		const items: string[] = [];
		const feed = await startHttpServer((_request, response) => {
			response.setHeader('content-type', 'application/rss+xml');
			response.end(
				`<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>${items.join('')}</channel></rss>`,
			);
		});
		/** Adds an item on top. */
		const add = (day: number, fields: string) =>
			items.unshift(`<item>${fields}<pubDate>${new Date(day * DAY).toUTCString()}</pubDate></item>`);
		const { nodes, ...example } = readExample(FEED);
		const readFeed = (node: ExampleNode): ExampleNode =>
			node.type === 'n8n-nodes-base.rssFeedRead'
				? { ...node, parameters: { ...node.parameters, url: `${feed.origin}/blog/feed.xml` } }
				: node;
		const withFeed = { ...example, nodes: nodes.map(readFeed), pinData: {} };
		add(
			1,
			'<title>Apple&amp;#8217;s &amp;lt;b&amp;gt;new&amp;lt;/b&amp;gt; iPad</title><guid>https://example.com/?p=1</guid>',
		);
		add(2, '<title>Podcast</title><enclosure url="https://example.com/2.mp3" type="audio/mpeg" length="1" />');
		add(
			3,
			`<title>Video</title><link>https://www.youtube.com/watch?v=a</link><guid>yt:video:a</guid>
			<media:group><media:thumbnail url="https://i.ytimg.com/vi/a/hqdefault.jpg" width="480" /></media:group>`,
		);
		await run(withFeed);
		add(4, '<title>Relative</title><link>../four</link><enclosure url="/four.png" type="image/png" length="1" />');
		await run(withFeed);
		feed.close();

		expect(
			sandbox.account.links.all.slice(0, -seededLinks.length).map(({ title, link, image }) => [title, link, image]),
		).toEqual([
			['Relative', `${feed.origin}/blog/../four`, `${feed.origin}/four.png`],
			['Video', 'https://www.youtube.com/watch?v=a', 'https://i.ytimg.com/vi/a/hqdefault.jpg'],
			['Podcast', 'https://example.com/2.mp3', undefined],
			['Apple’s new iPad', 'https://example.com/?p=1', undefined],
		]);
		expect(calls().filter((call) => call === ADD)).toHaveLength(4);
	});

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

/** Returns the number of days from 1 January 1970 to the current date in a time zone. */
function dayNumber(timeZone: string): number {
	const date = new Intl.DateTimeFormat('sv', { timeZone }).format(new Date());
	return Date.parse(date) / DAY;
}
