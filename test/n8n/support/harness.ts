import type { Browser } from 'playwright-core';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server';
import { openBrowser } from './browser';
import { Editor } from './editor';
import { N8n } from './n8n';

/** A sandbox, an n8n that runs, and its editor in a browser. */
export class Harness {
	private constructor(
		readonly sandbox: Sandbox,
		readonly n8n: N8n,
		readonly browser: Browser,
		readonly editor: Editor,
	) {}

	/** @param name names the logs of n8n */
	static async open(name: string, options?: SandboxOptions): Promise<Harness> {
		const sandbox = await startSandbox(options);
		const n8n = await N8n.create({ name });
		await n8n.start();
		await n8n.rest.setUpOwner();
		const browser = await openBrowser();
		return new Harness(sandbox, n8n, browser, await Editor.open(browser, n8n));
	}

	async close(): Promise<void> {
		await this.browser.close();
		await this.n8n.remove();
		await this.sandbox.close();
	}
}
