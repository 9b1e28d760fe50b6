/** The examples in a complete n8n, and three of them in use whose nodes only a complete n8n has. */
import { readFileSync } from 'node:fs';

// n8n's own.
import { utils, write } from '@e965/xlsx';
import { type IDataObject, type INode, NodeHelpers } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import type { WorkflowFile } from '../../../runner/runWorkflow';
import { useCredential } from '../../../runner/useCredential';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME, LIST_PATHS } from '../../support/pages';
import { openBrowser } from '../support/browser';
import { DataTable } from '../support/dataTable';
import { testSinceN8n2 } from '../support/harness';
import { McpClient } from '../support/mcp';
import { N8n } from '../support/n8n';
import { until } from '../support/processes';
import { newSecret, type Stored } from '../support/rest';
import { chain, exampleFiles, exampleFolder, manualTrigger, readExample, useClientToken } from '../support/workflows';

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

testSinceN8n2("n8n's import command accepts every example without a warning", async () => {
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

testSinceN8n2(
	"n8n's migration report for n8n 3 lists none of the examples, but a workflow with a mode that n8n 3 removes",
	async () => {
		const perItem = {
			name: 'Execute Sub-workflow',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { mode: 'each' },
		};
		await n8n.rest.createWorkflow(chain('Per item', manualTrigger, perItem));
		const { totalWorkflows, report } = await n8n.rest.send<Report>(
			'POST',
			'/breaking-changes/report/refresh?version=v3',
		);
		expect(totalWorkflows).toBe(exampleFiles.length + 1);
		expect(report.workflowResults).toMatchObject([{ ruleId: 'execute-workflow-each-mode-v3', nbAffectedWorkflows: 1 }]);
		expect(report.instanceResults.map(({ ruleId }) => ruleId)).toContain('unverified-packages-v3');
	},
);

testSinceN8n2('every node of an example exists in n8n with its parameters', async () => {
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

const links = () => sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const changes = () => sandbox.recorder.calls.filter(({ method }) => method === 'POST').map(({ url }) => url);

test('the example ai-agent.json lets a model with its token create a link and put a block on top, twice with the same result', async () => {
	const TOKEN = newSecret();
	const example = useClientToken(readExample('ai-agent.json'), await n8n.rest.addClientToken(TOKEN));
	const workflow = await add(example);
	await n8n.rest.activate(workflow);
	await expect(McpClient.connect(n8n, 'profile-page', 'wrong')).rejects.toThrow('Authorization data is wrong!');
	expect(sandbox.recorder.requests).toEqual([]);

	const model = await McpClient.connect(n8n, 'profile-page', TOKEN);
	const link = { title: 'Tickets', url: 'https://example.com/tickets' };
	const [first, second, third, fourth] = sandbox.account.order(HOME);
	for (const action of ['created', 'skipped']) {
		const created = await model.call('Create_a_Link', link);
		expect(JSON.parse(created.text)).toMatchObject([{ action, title: 'Tickets' }]);
		const moved = await model.call('Put_Blocks_on_Top', { blocks: 'Tour dates' });
		expect(JSON.parse(moved.text)).toMatchObject([{ id: third }, { id: first }, { id: second }, { id: fourth }]);
	}
	const { text } = await model.call('List_the_Links', {});
	expect(JSON.parse(text)).toMatchObject([link, {}, {}, {}]);
	await model.close();
	await n8n.rest.deactivate(workflow.id);
});

testSinceN8n2(
	'the example keep-scheduled-links-in-step.json creates, updates, and deletes with the rows of a data table, and sends nothing in a second run',
	async () => {
		const { id } = await add(readExample('keep-scheduled-links-in-step.json'));
		const run = async (trigger = 'Every 15 Minutes') => (await n8n.rest.execute(id, trigger)).status;
		expect([await run('Set Up Once'), await run('Set Up Once')]).toEqual(['success', 'success']);
		const table = await DataTable.find(n8n.rest, 'profile-page-schedule');
		const seeded = titles();
		const row = (title: string): IDataObject => {
			return { title, url: `https://example.com/${title}`, from: '2098-03-01T09:00:00.000Z' };
		};
		await table.add(row('A'), row('B'), row('C'));
		expect(await run()).toBe('success');
		expect(titles()).toEqual(['C', 'B', 'A', "New Year's concert", ...seeded]);

		await table.change('title', 'A', { title: 'A, renamed' });
		await table.delete('title', 'B');
		await table.change('title', 'C', { to: '2098-05-01T00:00:00.000Z' });
		sandbox.recorder.reset();
		expect(await run()).toBe('success');
		expect(
			changes()
				.map((url) => url.split('/').pop())
				.toSorted(),
		).toEqual(['add', 'delete', 'delete', 'edit']);
		expect(titles()).toEqual(['C', 'A, renamed', "New Year's concert", ...seeded]);
		expect(new Date(links()[0]!.schedule_to ?? '')).toEqual(new Date('2098-05-01T00:00:00Z'));
		const ids = (await table.rows()).map(({ link_id }) => Number(link_id));
		expect(ids.toSorted()).toEqual(
			links()
				.slice(0, 3)
				.map(({ link_id }) => link_id)
				.toSorted(),
		);

		sandbox.recorder.reset();
		expect(await run()).toBe('success');
		expect(sandbox.recorder.calls).toEqual([]);
	},
);

describe('the form of the example import-links-from-a-file.json', () => {
	let browser: Browser;
	let page: Page;
	let workflowId: string;
	beforeAll(async () => {
		browser = await openBrowser();
		page = await browser.newPage();
	});
	afterAll(async () => await browser.close());
	beforeEach(async () => {
		const workflow = await add(readExample('import-links-from-a-file.json'));
		workflowId = workflow.id;
		await n8n.rest.activate(workflow);
	});
	afterEach(async () => await n8n.rest.deactivate(workflowId));

	/** Uploads a file in the form. Returns the text of the last page, and the file that comes back. */
	async function upload(name: string, mimeType: string, buffer: Buffer) {
		const downloads: Array<Promise<string>> = [];
		page.removeAllListeners('download');
		page.on('download', (download) => {
			expect(download.suggestedFilename()).toBe('links-to-correct.csv');
			downloads.push(download.path().then((file) => readFileSync(file, 'utf8')));
		});
		await page.goto(`${n8n.baseUrl}/form/import-links`);
		await page.setInputFiles('input[type=file]', { name, mimeType, buffer });
		await page.getByRole('button', { name: 'Submit' }).click();
		await page
			.getByText(/Rows: \d+, created: |No link was created/)
			.first()
			.waitFor({ timeout: 15_000 });
		const text = await page.locator('body').innerText();
		const hasFile = !/All links are there|No link was created/.test(text);
		if (hasFile) await until('the file is there', () => downloads.length > 0);
		return { text, file: (await Promise.all(downloads)).join('') };
	}

	const uploadCsv = async (text: string) => await upload('links.csv', 'text/csv', Buffer.from(text));
	const uploadExcel = async (cells: unknown[][], size?: number) => {
		const book = utils.book_new();
		utils.book_append_sheet(book, utils.aoa_to_sheet(cells));
		const file = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
		const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
		return await upload('links.XLSX', type, file.subarray(0, size));
	};

	test('creates a link for each row of a CSV file, and returns the rows that fail, to upload them again', async () => {
		const rows = [
			'title,url,image,from,to',
			'"First, with a comma",https://example.com/first,https://example.com/first.png,,',
			'No address,example.com,,,',
			'Caf\uFFFD,https://example.com/lost,,,',
			'Later,https://example.com/later,,2098-01-31 18:00,2098-02-28 18:00',
		].join('\n');
		const { text, file } = await uploadCsv(rows);
		expect(text).toContain('Rows: 4, created: 2, there already: 0, failed: 2');
		const [later, first] = links();
		expect(first).toMatchObject({ title: 'First, with a comma', image: 'https://example.com/first.png' });
		expect(later).toMatchObject({
			title: 'Later',
			schedule_from: expect.stringContaining('2098-01-31T18:00') as string,
		});
		expect(file.trim().split('\n')).toEqual([
			expect.stringContaining('title,url,image,from,to,problem') as string,
			expect.stringMatching(/^No address,example\.com,,,,"URL: ""example\.com"" is not a web/) as string,
			expect.stringMatching(/^Caf\uFFFD,https:.*CSV UTF-8/) as string,
		]);
		const corrected = file.replace(',example.com,', ',https://example.com/,').replace('\uFFFD', 'é');
		expect((await uploadCsv(corrected)).text).toContain('Rows: 2, created: 2, there already: 0, failed: 0');
		const again = rows
			.split('\n')
			.filter((row) => /title|First|Later/.test(row))
			.join('\n');
		expect((await uploadCsv(again)).text).toContain('Rows: 2, created: 0, there already: 2, failed: 0');
	});

	test('reads an Excel file with its dates and numbers, and returns titles that Excel has stored as a date', async () => {
		const { text, file } = await uploadExcel([
			['Title', 'URL', 'From', 'Clicks'],
			['Text', 'https://example.com/text', '2098-01-31 18:00', { t: 'e', v: 0x2a }],
			[],
			[{ t: 'n', v: 46_147, z: 'd-mmm' }, 'https://example.com/may'],
			[1984, 'https://example.com/year', { t: 'n', v: 72_350.75, z: 'd/m/yy h:mm' }],
		]);
		expect(text).toContain('Rows: 3, created: 2, there already: 0, failed: 1');
		expect(titles().slice(0, 2)).toEqual(['1984', 'Text']);
		expect(links()[0]).toMatchObject({ schedule_from: expect.stringContaining('2098-01-30T18:00') as string });
		expect(file).toMatch(/\n46147,https:\/\/example\.com\/may,.*Format the column as Text/);
	});

	test.each<[string, () => Promise<{ text: string }>, RegExp]>([
		[
			'with a comma too many',
			() => uploadCsv('title,url\nA,https://example.com/a\nB, too,https://example.com/b'),
			/line 3/,
		],
		['with semicolons', () => uploadCsv('title;url\nA;https://example.com/a'), /separated by commas.*title;url/s],
		['of Excel that is broken', () => uploadExcel([['title', 'url']], 2000), /could not be read/],
		['of another kind', () => upload('a.html', 'text/html', Buffer.from('<A>A</A>')), /must be a CSV or an Excel file/],
	])('creates nothing from a file %s, and says why', async (_, send, reason) => {
		const { text } = await send();
		expect(text).toMatch(reason);
		expect(changes()).toEqual([]);
	});
});
