import path from 'node:path';

import { type Browser, chromium as playwright, type Locator, type Page } from 'playwright-core';

import { CredentialDialog } from './credentialDialog';
import type { N8n } from './n8n';
import { chromium, folder, locate } from './programs';
import type { Owner, Rest } from './rest';
import { isN8n1 } from './versions';
import { chain, manualTrigger, type Node, type Workflow } from './workflows';

/** The window size of a small laptop. */
export const VIEWPORT = { width: 1280, height: 800 };

const PICTURES = path.resolve(folder, '../../docs/pictures');

/** Starts Chromium without a window. It ends with this process. */
export async function openBrowser(): Promise<Browser> {
	const settings = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-sync'];
	const quietly = ['disable-background-networking', 'disable-component-update'];
	const args = [...settings, ...quietly].map((name) => `--${name}`);
	return await playwright.launch({ executablePath: locate(chromium), args });
}

/** Saves a screenshot of a page or an element for the documents, if `PICTURES` is set in the environment. */
export async function takePicture(subject: Page | Locator, name: string): Promise<void> {
	if (!process.env.PICTURES) return;
	await subject.screenshot({
		path: path.join(PICTURES, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
		// n8n's messages, such as that a credential was saved, and its advice, such as to pin an output.
		style: '.el-notification, [data-reka-popper-content-wrapper] { visibility: hidden }',
	});
}

/** Fills in n8n's sign-in page. */
export async function signIn(page: Page, { email, password }: Owner): Promise<void> {
	await page.fill('input[type=email]', email);
	await page.fill('input[type=password]', password);
	await page.getByRole('button', { name: 'Sign in' }).click();
}

/** n8n's editor in a browser, signed in as the owner. */
export class Editor {
	readonly #rest: Rest;

	private constructor(
		readonly page: Page,
		rest: Rest,
	) {
		this.#rest = rest;
	}

	static async open(browser: Browser, { baseUrl, rest }: N8n, viewport = VIEWPORT): Promise<Editor> {
		const context = await browser.newContext({ baseURL: baseUrl, viewport, reducedMotion: 'reduce' });
		context.setDefaultTimeout(60_000);
		const page = await context.newPage();
		await page.goto('/signin');
		await signIn(page, rest.owner);
		await page.waitForURL(({ pathname }) => pathname.startsWith('/home'));
		return new Editor(page, rest);
	}

	/** Opens another page. */
	async openTab(url: string): Promise<Page> {
		const tab = await this.page.context().newPage();
		await tab.goto(url);
		return tab;
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`/workflow/${id}`);
		await this.byTestId('canvas-node').first().waitFor();
	}

	async openCredential(id: string): Promise<CredentialDialog> {
		await this.page.goto(`/home/credentials/${id}`);
		return new CredentialDialog(this.page);
	}

	/** Opens the node panel, searches it, and waits until it lists a node of that name. */
	async findNode(text: string, name: string): Promise<Locator> {
		const plus = '[data-test-id=canvas-add-button] button, [data-test-id=node-creator-plus-button]';
		await this.page.locator(plus).first().click();
		await this.byTestId('node-creator').getByRole('textbox').fill(text);
		const found = this.byTestId('item-iterator-item').filter({ hasText: name }).first();
		await found.waitFor();
		return found;
	}

	/** Opens a node in a new workflow, whose trigger returns these items. Returns the ID of the workflow. */
	async openInWorkflow(node: Node, items: object[] = [{}], settings?: Workflow['settings']): Promise<string> {
		const workflow = chain(node.name, manualTrigger, node);
		const { id } = await this.#rest.createWorkflow({
			...workflow,
			pinData: { [manualTrigger.name]: items.map((json) => ({ json })) },
			settings: { ...workflow.settings, ...settings },
		});
		await this.openWorkflow(id);
		await this.openNode(node.name);
		return id;
	}

	async openNode(name: string): Promise<void> {
		await this.byTestId('canvas-node').filter({ hasText: name }).first().dblclick();
		await this.panel.waitFor();
	}

	get panel(): Locator {
		return this.byTestId('ndv');
	}

	/** Opens the dialog that creates a credential for the node, for a kind of app, such as "Private App". */
	async createCredential(mode: string): Promise<CredentialDialog> {
		const dialog = new CredentialDialog(this.page);
		if (isN8n1) {
			// The node itself selects the kind of app, with its field Authentication.
			await this.byTestId('node-credentials-select').click();
			await this.byTestId('node-credentials-select-item-new').click();
		} else {
			await this.byTestId('node-credentials-empty-state').getByRole('button').click();
			await dialog.chooseMode(mode);
		}
		return dialog;
	}

	/** Shows the dialog after its credential is saved. n8n 2 closes it then. */
	async reopenCredential(dialog: CredentialDialog): Promise<void> {
		if (isN8n1) return;
		await dialog.closed();
		await this.byTestId('credential-edit-button').click();
	}

	/** The input of a field, such as `pageId`. */
	field(path: string): Locator {
		return this.#fieldOf(path).locator('input, textarea, .cm-content').first();
	}

	#fieldOf(path: string): Locator {
		return this.panel.locator(`[data-parameter-path="parameters.${path}"]`);
	}

	/** Enters a text or an expression. */
	async enter(path: string, value: string): Promise<void> {
		const field = this.field(path);
		await field.fill(value);
		// While a field is edited, a hint about expressions covers the fields below it.
		await field.blur();
	}

	/** Chooses an option of a field, by the option's name. */
	async choose(path: string, option: string): Promise<void> {
		await this.field(path).click();
		await this.#chooseFromOpenList(option);
	}

	/** Opens the list of a field in which several options can be chosen, and waits until it is loaded. */
	async openChoices(path: string): Promise<void> {
		await this.#fieldOf(path).locator('.el-select__input:enabled').click();
		await this.openOptions.first().waitFor();
	}

	/** Chooses one more option of such a field, by the option's name. */
	async chooseAlso(path: string, option: string): Promise<void> {
		await this.openChoices(path);
		await this.#chooseFromOpenList(option);
	}

	async #chooseFromOpenList(option: string): Promise<void> {
		const choice = this.openOptions.filter({ has: this.page.getByText(option, { exact: true }) });
		// Not `click`, which waits until the list no longer moves; a long one may never stop.
		await choice.dispatchEvent('click');
	}

	/** The options of the list that is open. */
	get openOptions(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	/** Enters a value by ID in a resource locator. */
	async enterId(path: string, id: string): Promise<void> {
		const locator = this.#fieldOf(path);
		await locator.locator('[data-test-id="rlc-mode-selector"]').click();
		await this.#chooseFromOpenList('By ID');
		await locator.locator('input:not([readonly])').last().fill(id);
		await this.page.keyboard.press('Tab');
	}

	/** Opens the list of the resource locator. Returns its entries once they are loaded. */
	async openList(): Promise<Locator> {
		await this.byTestId('rlc-input').click();
		const entries = this.byTestId('rlc-item');
		await entries.or(this.listError).first().waitFor();
		return entries;
	}

	/** Chooses an entry of that list, by its name. */
	async chooseFromList(name: string): Promise<void> {
		await (await this.openList()).filter({ hasText: name }).click();
	}

	/** The error that the editor shows instead of a list. */
	get listError(): Locator {
		return this.page.getByText('Could not load list').locator('..');
	}

	/** Presses Execute Step. */
	async executeStep(): Promise<void> {
		await this.byTestId('node-execute-button').first().click();
	}

	/** Waits for the output of the node. Returns the cells of its table, by row. */
	async outputRows(): Promise<string[][]> {
		await this.byTestId('node-run-status-success').waitFor();
		await this.output.locator('[data-test-id="radio-button-table"]').click();
		const rows = await this.output.locator('tbody tr').all();
		return await Promise.all(
			rows.map(async (row) => {
				const cells = await row.locator('td').allTextContents();
				return cells.map((cell) => cell.trim()).filter(Boolean);
			}),
		);
	}

	/** Waits until the node has failed. Returns the heading of the error, and the text below it, if there is one. */
	async error(): Promise<{ message: string; description: string }> {
		const read = async (part: string) => (await this.byTestId(`node-error-${part}`).allInnerTexts()).join().trim();
		await this.byTestId('node-error-message').waitFor();
		return { message: await read('message'), description: await read('description') };
	}

	get output(): Locator {
		return this.byTestId('output-panel');
	}

	byTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}
}
