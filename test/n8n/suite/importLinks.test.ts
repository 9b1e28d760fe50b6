/** The example that imports links from a file, in a form of n8n. */
import { readFileSync } from 'node:fs';

// n8n's own.
import { utils, write } from '@e965/xlsx';
import type { Browser, Page } from 'playwright-core';

import { useCredential } from '../../../runner/useCredential';
import { openBrowser } from '../support/browser';
import { useN8n } from '../support/harness';
import { until } from '../support/processes';
import { readExample } from '../support/workflows';

const ADD = 'POST /oauth/v1/lnk/add';

const ROWS = [
	'title,url,image,from,to',
	'First,https://example.com/first,,,',
	'"Second, with a comma",https://example.com/second,https://example.com/second.png,,',
	'No address,example.com,,,',
	'No date,https://example.com/no-date,,soon,',
	'Later,https://example.com/later,,2098-01-31 18:00,2098-02-28 18:00',
].join('\n');

const ALL_THERE = 'All links are there';
const NOTHING = 'No link was created';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const harness = useN8n('n8n-import-links', { links: [] });
let page: Page;
let browser: Browser | undefined;
let workflowId: string;
beforeAll(async () => {
	browser = await openBrowser();
	page = await browser.newPage();
});
afterAll(async () => await browser?.close());
beforeEach(async () => {
	for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
	harness.sandbox.recorder.reset();
	await openForm();
});
afterEach(async () => await harness.n8n.rest.deactivate(workflowId));

/** Publishes the example, with a credential of its own: so it knows no links that others have created. */
async function openForm(): Promise<void> {
	const { rest } = harness.n8n;
	const credential = await rest.addPrivateApp(harness.sandbox);
	const example = useCredential(readExample('import-links-from-a-file.json'), 'profilePageApi', credential);
	const workflow = await rest.createWorkflow(example);
	workflowId = workflow.id;
	await rest.activate(workflow);
}

const links = () => harness.sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const calls = () => harness.sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

/** Uploads a file in the form. Returns the text of the last page, and the file that comes back. */
async function upload(name: string, mimeType: string, buffer: Buffer) {
	const downloads: Array<Promise<string>> = [];
	const names: string[] = [];
	page.removeAllListeners('download');
	page.on('download', (download) => {
		names.push(download.suggestedFilename());
		downloads.push(download.path().then((path) => readFileSync(path, 'utf8')));
	});
	await page.goto(`${harness.n8n.baseUrl}/form/import-links`);
	await page.setInputFiles('input[type=file]', { name, mimeType, buffer });
	await page.getByRole('button', { name: 'Submit' }).click();
	const last = page.getByText(/Rows: \d+, created: \d+, there already: \d+, failed: \d+|No link was created/).first();
	await last.waitFor({ timeout: 15_000 });
	const text = await page.locator('body').innerText();
	if (!text.includes(ALL_THERE) && !text.includes(NOTHING)) {
		await until('the file is there', () => downloads.length > 0);
	}
	return { text, names, file: (await Promise.all(downloads)).join('') };
}

const uploadCsv = async (text: string) => await upload('links.csv', 'text/csv', Buffer.from(text));

/** Makes an Excel file of rows. */
function makeExcel(rows: object[]): Buffer {
	const book = utils.book_new();
	utils.book_append_sheet(book, utils.json_to_sheet(rows));
	return write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

test('creates a link for each row, and returns the rows that fail with their problems', async () => {
	const { text, names, file } = await uploadCsv(ROWS);
	expect(text).toContain('Rows: 5, created: 3, there already: 0, failed: 2');
	expect(names).toEqual(['links-to-correct.csv']);
	expect(text).toMatch(
		/downloaded the file links-to-correct\.csv .* Its column problem says why\..* upload it in the form/,
	);
	expect(titles()).toEqual(['Later', 'Second, with a comma', 'First']);
	expect(links()[1]).toMatchObject({ image: 'https://example.com/second.png' });
	expect(links()[0]).toMatchObject({ schedule_from: expect.stringContaining('2098-01-31T18:00') as string });
	const [header, ...rows] = file.trim().split('\n');
	expect(header).toContain('title,url,image,from,to,problem');
	expect(rows).toEqual([
		expect.stringMatching(/^No address,example\.com,,,,"URL: ""example\.com"" is not a web/),
		expect.stringMatching(/^No date,https:\/\/example\.com\/no-date,,soon,,"?Public From: /),
	]);

	const corrected = file.replace(',example.com,', ',https://example.com/,').replace(',soon,', ',,');
	expect((await uploadCsv(corrected)).text).toContain('Rows: 2, created: 2, there already: 0, failed: 0');
	expect(titles().slice(0, 2)).toEqual(['No date', 'No address']);
});

test('creates no link twice, also a scheduled one, if the same file is uploaded again', async () => {
	const [header, first, , , , later] = ROWS.split('\n');
	const file = [header, first, later].join('\n');
	for (const counts of ['created: 2, there already: 0', 'created: 0, there already: 2']) {
		const { text } = await uploadCsv(file);
		expect(text).toContain(`Rows: 2, ${counts}, failed: 0`);
		expect(text).toContain(ALL_THERE);
		expect(calls().filter((call) => call === ADD)).toHaveLength(2);
	}
	expect(titles()).toEqual(['Later', 'First']);
});

test('reads a header with capitals, spaces and other columns, and no blank rows, of a CSV file that the browser takes for one of Excel', async () => {
	const rows = '\uFEFF TITLE ,Url,Notes\r\n,,\r\nCafé, https://example.com/first,"a, b"\r\n , ,\r\n';
	const { text } = await upload('links.csv', 'application/vnd.ms-excel', Buffer.from(rows));
	expect(text).toContain('Rows: 1, created: 1, there already: 0, failed: 0');
	expect(links()).toMatchObject([{ title: 'Café', link: 'https://example.com/first' }]);
});

test('returns the rows whose characters are lost, so that none is published like that', async () => {
	const rows = 'title,url\nCafé Noël,https://example.com/cafe\nFirst,https://example.com/first';
	const { text, file } = await upload('links.csv', 'text/csv', Buffer.from(rows, 'latin1'));
	expect(text).toContain('Rows: 2, created: 1, there already: 0, failed: 1');
	expect(titles()).toEqual(['First']);
	expect(file).toMatch(/Caf\uFFFD No\uFFFDl,https:\/\/example\.com\/cafe,.*CSV UTF-8/);
	const corrected = file.replace('Caf\uFFFD No\uFFFDl', 'Café Noël');
	expect((await uploadCsv(corrected)).text).toContain('Rows: 1, created: 1, there already: 0, failed: 0');
	expect(titles()).toEqual(['Café Noël', 'First']);
});

test.each<[name: string, csv: string, found: RegExp]>([
	[
		'a row with a comma too many',
		'title,url\nA,https://example.com/a\nB, too,https://example.com/b\nC,https://example.com/c',
		/line 3/,
	],
	['a quote that does not end', 'title,url\nA,https://example.com/a\n"B,https://example.com/b', /line 3/],
	[
		'semicolons',
		'title;url\nFirst;https://example.com/first',
		/columns title and url, separated by commas.*title;url/s,
	],
	['other columns', 'Name,Link\nFirst,https://example.com/first', /title and url.*name, link/s],
	['a header, but no rows', 'title,url\n', /no rows/],
	['nothing in it', '', /could not be read/],
])('creates nothing from a file with %s, and says why', async (_, csv, found) => {
	const { text } = await uploadCsv(csv);
	expect(text).toContain(NOTHING);
	expect(text).toMatch(found);
	expect(calls()).toEqual([]);
});

test.each<[name: string, type: string, text: string]>([
	['bookmarks.html', 'text/html', '<TITLE>Bookmarks</TITLE><DL><DT><A HREF="https://example.com/a">A</A></DL>'],
	['links.json', 'application/json', '[{"title":"A","url":"https://example.com/a"}]'],
])('creates nothing from the file %s, which another program has exported, and says what it takes', async (...file) => {
	const [name, type, content] = file;
	const { text } = await upload(name, type, Buffer.from(content));
	expect(text).toContain(NOTHING);
	expect(text).toContain('It must be a CSV or an Excel file.');
	expect(calls()).toEqual([]);
});

describe('an Excel file', () => {
	test('is read as well, with dates as text and as dates of Excel', async () => {
		const rows = [
			{ Title: 'Text', URL: 'https://example.com/text', From: '2098-01-31 18:00' },
			{ Title: 1984, URL: 'https://example.com/date', From: 72350.75 },
			{ Title: 'No address', URL: 'example.com' },
		];
		const { text, file } = await upload('links.XLSX', XLSX, makeExcel(rows));
		expect(text).toContain('Rows: 3, created: 2, there already: 0, failed: 1');
		expect(file.trim().split('\n')).toHaveLength(2);
		const from = (time: string) => ({ schedule_from: expect.stringContaining(time) as string });
		expect(links()).toMatchObject([
			{ title: '1984', ...from('2098-01-30T18:00') },
			{ title: 'Text', link: 'https://example.com/text', ...from('2098-01-31T18:00') },
		]);
	});

	test('returns titles that Excel has stored as a date, a time, or another number, and reads other formatted cells', async () => {
		const sheet = utils.aoa_to_sheet([
			['Title', 'URL', 'From', 'Clicks'],
			[{ t: 'n', v: 46_147, z: 'd-mmm' }, 'https://example.com/may', '', 1],
			[],
			[{ t: 'n', v: 0.5, z: '0%' }, 'https://example.com/half', '', { t: 'e', v: 0x2a }],
			[{ t: 'b', v: true }, 'https://example.com/true'],
			[{ t: 's', v: 'Site', l: { Target: 'https://example.com/other' } }, 'https://example.com/site'],
			[1984, 'https://example.com/year', { t: 'n', v: 72_350.75, z: 'd/m/yy h:mm' }],
			[],
		]);
		const book = utils.book_new();
		utils.book_append_sheet(book, sheet);
		const { text, file } = await upload(
			'links.xlsx',
			XLSX,
			write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
		);
		expect(text).toContain('Rows: 5, created: 2, there already: 0, failed: 3');
		expect(titles()).toEqual(['1984', 'Site']);
		const [, ...rows] = file.trim().split('\n');
		expect(rows).toEqual([
			expect.stringMatching(/^46147,https:\/\/example\.com\/may,.*Format the column as Text/),
			expect.stringMatching(/^0\.5,https:\/\/example\.com\/half,.*Format the column as Text/),
			expect.stringMatching(/^true,https:\/\/example\.com\/true,.*Format the column as Text/),
		]);
	});

	test('that is broken creates nothing, and the page says so', async () => {
		const file = makeExcel([{ title: 'First', url: 'https://example.com/first' }]);
		const { text } = await upload('links.xlsx', XLSX, file.subarray(0, file.length / 2));
		expect(text).toContain(NOTHING);
		expect(calls()).toEqual([]);
	});
});
