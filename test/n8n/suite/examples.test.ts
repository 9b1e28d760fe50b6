/** The examples in a complete n8n, and two of them in use whose nodes only a complete n8n has. */
import { readFileSync } from 'node:fs';

// n8n's own.
import { utils, write } from '@e965/xlsx';
import { type INode, NodeHelpers } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { useCredential } from '../../../runner/useCredential';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { openBrowser } from '../support/editor';
import { testSinceN8n2 } from '../support/harness';
import { N8n } from '../support/n8n';
import type { StoredWorkflow } from '../support/rest';
import { exampleFiles, exampleFolder, readExample } from '../support/workflows';

/** n8n's report on what a newer version of it changes. */
interface Report {
	totalWorkflows: number;
	report: Record<'workflowResults', unknown[]>;
}

/** n8n's message when it creates its tables. */
const MIGRATIONS = /^Migrations in progress.*\n/;

let n8n: N8n;
let printed: string;

beforeAll(async () => {
	// Everything it prints is then a warning.
	n8n = await N8n.create({ name: 'n8n-examples', env: { N8N_LOG_LEVEL: 'warn' } });
	printed = await n8n.command(['import:workflow', '--separate', `--input=${exampleFolder}`]);
	await n8n.start();
	await n8n.rest.setUpOwner();
});
afterAll(async () => await n8n.remove());

testSinceN8n2(
	"n8n's import command accepts every example without a warning, and n8n's report on n8n 3 lists none",
	async () => {
		expect(printed.replace(MIGRATIONS, '')).toBe('');
		const path = '/breaking-changes/report/refresh?version=v3';
		const { totalWorkflows, report } = await n8n.rest.send<Report>('POST', path);
		expect(totalWorkflows).toBe(exampleFiles.length);
		expect(report.workflowResults).toEqual([]);
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
beforeEach(async () => (sandbox = await startSandbox()));
afterEach(async () => await sandbox.close());

/** Adds an example that uses the sandbox. */
async function add(file: string): Promise<StoredWorkflow> {
	const credential = await n8n.rest.addPrivateApp(sandbox);
	return await n8n.rest.createWorkflow(useCredential(readExample(file), 'profilePageApi', credential));
}

const links = () => sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const changes = () => sandbox.recorder.calls.filter(({ method }) => method === 'POST').map(({ url }) => url);

testSinceN8n2(
	'the example keep-scheduled-links-in-step.json creates the links in a data table, each once',
	async () => {
		const { id } = await add('keep-scheduled-links-in-step.json');
		for (const [trigger, expected] of [
			['Set Up Once', []],
			['Every 15 Minutes', ['/oauth/v1/lnk/add']],
			['Every 15 Minutes', []],
		] as const) {
			sandbox.recorder.reset();
			expect((await n8n.rest.execute(id, trigger)).error).toBeUndefined();
			expect(changes()).toEqual(expected);
		}
		expect(titles()[0]).toBe("New Year's concert");
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
		const workflow = await add('import-links-from-a-file.json');
		workflowId = workflow.id;
		await n8n.rest.activate(workflow);
	});
	afterEach(async () => await n8n.rest.deactivate(workflowId));

	/** Uploads a file in the form. Returns the text of the last page. */
	async function upload(name: string, mimeType: string, buffer: Buffer): Promise<string> {
		await page.goto(`${n8n.baseUrl}/form/import-links`);
		await page.setInputFiles('input[type=file]', { name, mimeType, buffer });
		await page.getByRole('button', { name: 'Submit' }).click();
		const end = page.getByText(/Rows: \d+, created: |No link was created/).first();
		await end.waitFor({ timeout: 15_000 });
		return await page.locator('body').innerText();
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
		];
		const downloading = page.waitForEvent('download');
		expect(await uploadCsv(rows.join('\n'))).toContain('Rows: 4, created: 2, there already: 0, failed: 2');
		const schedule_from = expect.stringContaining('2098-01-31T18:00') as string;
		expect(links().slice(0, 2)).toMatchObject([
			{ title: 'Later', schedule_from },
			{ title: 'First, with a comma', image: 'https://example.com/first.png' },
		]);
		const download = await downloading;
		expect(download.suggestedFilename()).toBe('links-to-correct.csv');
		const file = readFileSync(await download.path(), 'utf8');
		expect(file.trim().split('\n')).toEqual([
			expect.stringContaining('title,url,image,from,to,problem') as string,
			expect.stringMatching(/^No address,example\.com,,,,"URL: ""example\.com"" is not a web/) as string,
			expect.stringMatching(/^Caf\uFFFD,https:.*CSV UTF-8/) as string,
		]);
		const corrected = file.replace(',example.com,', ',https://example.com/,').replace('\uFFFD', 'é');
		expect(await uploadCsv(corrected)).toContain('Rows: 2, created: 2, there already: 0, failed: 0');
	});

	test('reads an Excel file with its dates and numbers', async () => {
		const text = await uploadExcel([
			['Title', 'URL', 'From', 'Clicks'],
			['Text', 'https://example.com/text', '2098-01-31 18:00', { t: 'e', v: 0x2a }],
			[],
			[1984, 'https://example.com/year', { t: 'n', v: 72_350.75, z: 'd/m/yy h:mm' }],
		]);
		expect(text).toContain('Rows: 2, created: 2, there already: 0, failed: 0');
		expect(titles().slice(0, 2)).toEqual(['1984', 'Text']);
		expect(links()[0]).toMatchObject({ schedule_from: expect.stringContaining('2098-01-30T18:00') as string });
	});

	test.each<[string, () => Promise<string>, RegExp]>([
		['with a comma too many', () => uploadCsv('title,url\nA, too,https://example.com/a'), /line 2/],
		['of Excel that is broken', () => uploadExcel([['title', 'url']], 2000), /could not be read/],
		['of another kind', () => upload('a.html', 'text/html', Buffer.from('<A>A</A>')), /must be a CSV or an Excel file/],
	])('creates nothing from a file %s, and says why', async (_, send, reason) => {
		expect(await send()).toMatch(reason);
		expect(changes()).toEqual([]);
	});
});
