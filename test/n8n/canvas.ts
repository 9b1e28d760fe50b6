/** Takes the pictures of the cookbook: its workflows on the canvas of n8n's editor, without their notes. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import type { WorkflowFile } from '../../runner/runWorkflow';
import { useCredential } from '../../runner/useCredential';
import { startSandbox } from '../../sandbox/server';
import { LIST_PATHS } from '../support/pages';
import { openBrowser } from './support/browser';
import { Editor } from './support/editor';
import { N8n } from './support/n8n';
import { packPackage } from './support/packageUnderTest';
import { newSecret } from './support/rest';
import { exampleFolder, readExample, useClientToken } from './support/workflows';

/** Around the nodes, with room for their names. */
const MARGIN = { x: 80, top: 30, bottom: 60 };

const NOTE = 'n8n-nodes-base.stickyNote';

/** Hides the buttons of the editor, which lie above the canvas. */
const WITHOUT_BUTTONS = 'button { visibility: hidden } .vue-flow__container button { visibility: visible }';

/** The pictures that the cookbook shows. */
const names = [...readFileSync(path.join(exampleFolder, 'README.md'), 'utf8').matchAll(/\(pictures\/([\w-]+)\.png\)/g)];

const withoutNotes = ({ nodes, ...example }: WorkflowFile): WorkflowFile => ({
	...example,
	nodes: nodes.filter(({ type }) => type !== NOTE),
	pinData: {},
});

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

async function main(): Promise<void> {
	packPackage();
	const sandbox = await startSandbox();
	mkdirSync(path.join(exampleFolder, 'pictures'), { recursive: true });
	const n8n = await N8n.create({ name: 'canvas' });
	const browser = await openBrowser();
	try {
		await n8n.start();
		await n8n.rest.setUpOwner();
		// A node without one is marked.
		const credential = await n8n.rest.addPrivateApp(sandbox, LIST_PATHS);
		const token = await n8n.rest.addClientToken(newSecret());
		const editor = await Editor.open(browser, n8n, { viewport: { width: 1500, height: 900 } });
		for (const [, name = ''] of names) {
			const example = useCredential(withoutNotes(readExample(`${name}.json`)), 'profilePageApi', credential);
			const { id } = await n8n.rest.createWorkflow(useClientToken(example, token));
			await editor.openWorkflow(id);
			await editor.byTestId('zoom-to-fit').click();
			await editor.page.mouse.move(0, 0);
			await editor.page.waitForTimeout(1000);
			const file = path.join(exampleFolder, 'pictures', `${name}.png`);
			const clip = await findNodes(editor.page);
			await editor.page.screenshot({ path: file, clip, animations: 'disabled', style: WITHOUT_BUTTONS });
		}
	} finally {
		await browser.close();
		await n8n.remove();
		await sandbox.close();
	}
}

void main();
