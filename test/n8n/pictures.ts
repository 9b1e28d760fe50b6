/**
 * Takes all pictures of the documents anew, which takes 10 minutes: `npm run setup:n8n && npm run build`, then
 * `npx tsx test/n8n/pictures.ts`. Most are taken by the suite of the editor.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { useCredential } from '../../runner/useCredential';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, LIST_PATHS } from '../support/pages';
import { passesJest } from '../versions/jestRun';
import { Editor, openBrowser, takePicture } from './support/editor';
import { N8n } from './support/n8n';
import { newSecret, type Stored } from './support/rest';
import { exampleFolder, profilePage, readExample, useClientToken } from './support/workflows';

/** Around the nodes, with room for their names. */
const MARGIN = { x: 80, top: 30, bottom: 60 };

/** The part of the editor with the fields of the node, in a window of 1280 × 700 pixels. */
const FIELDS = { x: 431, y: 66, width: 420, height: 609 };

/** Hides the buttons of the editor, which lie above the canvas. */
const WITHOUT_BUTTONS = 'button { visibility: hidden } .vue-flow__container button { visibility: visible }';

/** The pictures that the cookbook shows, by the names of the examples. */
const examples = readFileSync(path.join(exampleFolder, 'README.md'), 'utf8').matchAll(/\(pictures\/([\w-]+)\.png\)/g);

/** The picture of the README: the node after it has moved a block, beside the page. */
async function takeFirstPicture(editor: Editor, credential: Stored, sandbox: Sandbox): Promise<void> {
	const pageId = { __rl: true, mode: 'list', value: HOME, cachedResultName: 'Home' };
	await editor.openInWorkflow(profilePage(credential, { resource: 'blocks', operation: 'move', pageId }));
	await editor.chooseAlso('blocksToMove', 'Tour dates');
	await editor.byTestId('tab-params').click();
	await editor.executeStep();
	await editor.outputRows();
	await editor.page.setViewportSize({ width: 1280, height: 700 });
	const fields = await editor.page.screenshot({ clip: FIELDS, caret: 'hide', animations: 'disabled' });
	const profile = await editor.openTab(sandbox.baseUrl);
	const pictures = [fields, await profile.locator('.phone').screenshot()].map((picture) => picture.toString('base64'));
	// The page of the sandbox takes no style but its own.
	const stage = await editor.page.context().newPage();
	await stage.setContent(`
		<body style="display: inline-flex; gap: 24px; align-items: center; margin: 0; padding: 12px; background: #eceaf6">
		${pictures.map((picture) => `<img src="data:image/png;base64,${picture}" style="border-radius: 12px">`).join('')}`);
	await takePicture(stage.locator('body'), 'move-a-block');
	for (const page of [stage, profile]) await page.close();
}

/** Returns the part of the page with all nodes. */
async function findNodes(page: Page) {
	const boxes = await page.locator('.vue-flow__node').all();
	const found = (await Promise.all(boxes.map(async (box) => await box.boundingBox()))).flatMap((box) => box ?? []);
	const left = Math.min(...found.map(({ x }) => x)) - MARGIN.x;
	const top = Math.min(...found.map(({ y }) => y)) - MARGIN.top;
	const right = Math.max(...found.map(({ x, width }) => x + width)) + MARGIN.x;
	const bottom = Math.max(...found.map(({ y, height }) => y + height)) + MARGIN.bottom;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The picture of an example: its workflow on the canvas, without its notes. */
async function takeExample(name: string, { rest }: N8n, editor: Editor, credential: Stored): Promise<void> {
	const { nodes, ...example } = useCredential(readExample(`${name}.json`), 'profilePageApi', credential);
	const withoutNotes = { ...example, nodes: nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote') };
	// A node without a credential is marked.
	const token = await rest.addClientToken(newSecret());
	const { id } = await rest.createWorkflow({ ...useClientToken(withoutNotes, token), pinData: {} });
	await editor.openWorkflow(id);
	await editor.byTestId('zoom-to-fit').click();
	await editor.page.mouse.move(0, 0);
	await editor.page.waitForTimeout(1000);
	const file = path.join(exampleFolder, 'pictures', `${name}.png`);
	const clip = await findNodes(editor.page);
	await editor.page.screenshot({ path: file, clip, animations: 'disabled', style: WITHOUT_BUTTONS });
}

async function main(): Promise<void> {
	process.env.PICTURES = 'true';
	const passed = passesJest(['--config', path.join(__dirname, 'jest.config.js'), 'suite/editor'], {});
	if (!passed) process.exitCode = 1;
	// Jest has packed the package.
	const sandbox = await startSandbox();
	const n8n = await N8n.create({ name: 'pictures' });
	const browser = await openBrowser();
	try {
		await n8n.start();
		await n8n.rest.setUpOwner();
		const credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
		const editor = await Editor.open(browser, n8n, { width: 1500, height: 900 });
		for (const [, name = ''] of examples) await takeExample(name, n8n, editor, credential);
		await takeFirstPicture(editor, credential, sandbox);
	} finally {
		await browser.close();
		await n8n.remove();
		await sandbox.close();
	}
}

void main();
