import type { Browser } from 'playwright-core';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server';
import { openBrowser } from './browser';
import { Editor } from './editor';
import { N8n } from './n8n';
import { isN8n1 } from './versions';

/** A sandbox and a running n8n. */
class Harness {
	sandbox!: Sandbox;
	n8n!: N8n;

	/** One for each thing that has been started: a later start may fail. */
	readonly #closers: Array<() => Promise<void>> = [];
	readonly #name: string;
	readonly #options?: SandboxOptions;

	/** @param name names the logs of n8n */
	constructor(name: string, options?: SandboxOptions) {
		this.#name = name;
		this.#options = options;
	}

	async open(): Promise<void> {
		this.sandbox = await startSandbox(this.#options);
		this.onClose(async () => await this.sandbox.close());
		this.n8n = await N8n.create({ name: this.#name });
		this.onClose(async () => await this.n8n.remove());
		await this.n8n.start();
		await this.n8n.rest.setUpOwner();
	}

	/** Closes what has been started, in reverse. */
	async close(): Promise<void> {
		for (const close of this.#closers.splice(0).reverse()) await close();
	}

	protected onClose(close: () => Promise<void>): void {
		this.#closers.push(close);
	}
}

/** The same, with n8n's editor in a browser. */
class EditorHarness extends Harness {
	browser!: Browser;
	editor!: Editor;

	override async open(): Promise<void> {
		await super.open();
		this.browser = await openBrowser();
		this.onClose(async () => await this.browser.close());
		this.editor = await Editor.open(this.browser, this.n8n);
	}
}

/** A test of something that n8n 1 does not have. */
export const testSinceN8n2 = isN8n1 ? test.skip : test;

/** Opens a harness before the tests of a file, and closes it after them. */
function use<T extends Harness>(harness: T): T {
	beforeAll(async () => await harness.open());
	afterAll(async () => await harness.close());
	return harness;
}

/** Gives the tests of a file a sandbox and an n8n, once they run. */
export const useN8n = (...options: ConstructorParameters<typeof Harness>) => use(new Harness(...options));

/** Gives the tests of a file a sandbox, an n8n and its editor, once they run. */
export const useEditor = (...options: ConstructorParameters<typeof EditorHarness>) =>
	use(new EditorHarness(...options));
