import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { get, newToken, post, sendOrder } from '../../support/serviceClient';
import { openBrowser } from '../support/browser';
import { until } from '../support/processes';

/** The page of the sandbox in a real browser. It needs no n8n. */

const ME = '/oauth/v1/me';

const SEEDED = ['New single', 'Follow the band', 'Tour dates', 'Listen on'];

let browser: Browser;
let sandbox: Sandbox;
let token: string;
let page: Page;
/** What the page has loaded, and what the browser says is wrong with it. */
let loaded: string[];
let problems: string[];

beforeAll(async () => (browser = await openBrowser()));
afterAll(async () => await browser.close());
beforeEach(async () => {
	sandbox = await startSandbox();
	token = await newToken(sandbox);
	page = await open('light', 1600);
});
afterEach(async () => {
	expect(problems).toEqual([]);
	expect(loaded.filter((url) => !url.startsWith(`${sandbox.baseUrl}/`) && url !== 'data:,')).toEqual([]);
	await page.context().close();
	await sandbox.close();
});

async function open(colorScheme: 'light' | 'dark', width: number): Promise<Page> {
	const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
	const opened = await context.newPage();
	[loaded, problems] = [[], []];
	opened.on('request', (request) => loaded.push(request.url()));
	opened.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
	opened.on('pageerror', ({ message }) => problems.push(message));
	await opened.goto(sandbox.baseUrl);
	return opened;
}

/** Reorders the home page with a request, so that its last block is on top. */
async function moveLastToTop(): Promise<void> {
	const ids = sandbox.account.order(HOME);
	await sendOrder(sandbox, HOME, [...ids.slice(-1), ...ids.slice(0, -1)], token);
}

/** Makes the next read fail. */
async function failRead(failure: string): Promise<void> {
	await page.getByLabel('Failure').selectOption(failure);
	await page.getByRole('button', { name: 'Fail the next read' }).click();
	await page.getByText(`The next read will fail: ${failure}`).waitFor();
}

const titles = async () => await page.locator('.blocks li').allTextContents();
const marks = async () => await page.locator('#profile em:not(:empty)').count();

test('The profile changes while a workflow runs, beside its requests, and every change is marked', async () => {
	expect((await titles()).map((title) => title.trim())).toEqual(SEEDED);
	await moveLastToTop();
	for (let row = 1; row <= 7; row += 1) {
		await post(sandbox, '/oauth/v1/lnk/add', { title: `Row ${row}`, link: 'https://example.com/' }, { token });
	}
	await until('all marks', async () => (await marks()) === 4 + 7);
	expect((await titles())[0]).toMatch(/^\s*Listen on ↑ 3\s*$/);
	expect(await page.locator('#requests tr').count()).toBe(9);
});

test('A button fails the next request, and the log shows that one and the next', async () => {
	await failRead('Busy (503)');
	for (const status of [503, 200]) expect((await get(sandbox, ME, token)).status).toBe(status);
	const statuses = async () => (await page.locator('#requests td:nth-child(3)').allInnerTexts()).join();
	await until('both requests', async () => (await statuses()).startsWith('200,503,'));
});

test.each([
	['light', 1600],
	['dark', 390],
] as const)(
	'In the %s color scheme at a width of %i pixels, nothing overflows, and axe finds nothing',
	async (scheme, width) => {
		await page.context().close();
		page = await open(scheme, width);
		await failRead('Busy (503)');
		await get(sandbox, ME, token);
		await moveLastToTop();
		await until('the marks', async () => (await marks()) === 4);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		expect(await findings(page)).toEqual([]);
		const query = new URLSearchParams({
			client_id: sandbox.publicApp.clientId,
			redirect_uri: 'http://localhost:5678/rest/oauth2-credential/callback',
			response_type: 'code',
			state: 'state',
		});
		await page.goto(`${sandbox.baseUrl}/manage/access?${query.toString()}`);
		expect(await findings(page)).toEqual([]);
	},
);

/** Returns what axe finds on a page: the rule, and the elements. */
async function findings(tested: Page): Promise<object[]> {
	await tested.evaluate(axe.source);
	return await tested.evaluate(async () => {
		const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
		return violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) }));
	});
}
