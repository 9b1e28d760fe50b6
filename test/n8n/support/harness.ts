import type { Browser } from 'playwright-core';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server';
import { Editor, openBrowser } from './editor';
import { N8n, type N8nOptions } from './n8n';
import { isN8n1 } from './versions';

type HarnessOptions = N8nOptions & { sandbox?: SandboxOptions };

/** A sandbox and a running n8n, whose owner is signed in. */
export interface Harness {
	sandbox: Sandbox;
	n8n: N8n;
}

/** A test of something that n8n 1 does not have. */
export const testSinceN8n2 = isN8n1 ? test.skip : test;

/** Gives the tests of a file a sandbox and an n8n, once they run. */
export function useN8n({ sandbox, ...options }: HarnessOptions): Harness {
	const harness = {} as Harness;
	beforeAll(async () => {
		harness.sandbox = await startSandbox(sandbox);
		harness.n8n = await N8n.create(options);
		await harness.n8n.start();
		await harness.n8n.rest.setUpOwner();
	});
	afterAll(async () => {
		await harness.sandbox.close();
		await harness.n8n.remove();
	});
	return harness;
}

/** Gives the tests of a file a sandbox, an n8n and its editor in a browser, once they run. */
export function useEditor(options: HarnessOptions): Harness & { editor: Editor } {
	const harness = useN8n(options) as Harness & { editor: Editor };
	let browser: Browser;
	beforeAll(async () => {
		browser = await openBrowser();
		harness.editor = await Editor.open(browser, harness.n8n);
	});
	afterAll(async () => await browser.close());
	return harness;
}
