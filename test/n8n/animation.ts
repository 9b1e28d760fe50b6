/**
 * Makes the animated picture of the README: a block is chosen by name in n8n's editor, the step is executed, and the
 * blocks change places on the page of the sandbox. Both are real; only the pointer is drawn.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME, LIST_PATHS } from '../support/pages';
import { openBrowser } from './support/browser';
import { Editor } from './support/editor';
import { N8n } from './support/n8n';
import { packPackage } from './support/packageUnderTest';
import { folder, img2webp, locate } from './support/programs';
import { chain, manualTrigger, profilePage } from './support/workflows';

const FILE = path.resolve(folder, '../../docs/pictures/move-a-block.webp');

/** The width of a README on a wide screen. The picture has twice as many pixels, for sharp screens. */
const STAGE = { width: 830, height: 633 };

/** The part of the editor that is shown: the fields of the node. */
const FIELDS = { x: 431, y: 66, width: 420, height: 609 };

/** Around the fields. */
const MARGIN = 12;

const SCALE = { deviceScaleFactor: 2 };

const BLOCK = 'Tour dates';

interface Point {
	x: number;
	y: number;
}

/** The picture, frame by frame. */
class Animation {
	readonly #stage: Page;
	readonly #editor: Editor;
	readonly #phone: Locator;
	readonly #frames: Array<{ picture: Buffer; milliseconds: number }> = [];
	#shown = '';
	#pointer: Point = { x: 330, y: 350 };

	private constructor(stage: Page, editor: Editor, phone: Locator) {
		this.#stage = stage;
		this.#editor = editor;
		this.#phone = phone;
	}

	static async open(browser: Browser, editor: Editor, sandbox: Sandbox): Promise<Animation> {
		const stage = await browser.newPage({ viewport: STAGE, ...SCALE });
		const viewer = await browser.newPage({ viewport: { width: 390, height: 900 }, ...SCALE });
		await viewer.goto(`${sandbox.baseUrl}/pages/${HOME}`);
		return new Animation(stage, editor, viewer.locator('.phone'));
	}

	/** Adds a frame with what the editor and the sandbox show now. */
	async show(milliseconds: number): Promise<void> {
		const fields = await this.#editor.page.screenshot({ clip: FIELDS, caret: 'hide', animations: 'disabled' });
		const phone = await this.#phone.screenshot();
		this.#shown = `${image('fields', fields)} ${image('phone', phone)}`;
		await this.#addFrame(milliseconds);
	}

	async #addFrame(milliseconds: number): Promise<void> {
		const { x, y } = this.#pointer;
		await this.#stage.setContent(`
			<style>
				body { margin: 0; background: #eceaf6; overflow: hidden }
				img, svg { position: absolute }
				.fields { left: ${MARGIN}px; top: ${MARGIN}px; width: ${FIELDS.width}px; border-radius: 10px }
				.phone { left: 464px; top: 20px; width: 340px; border-radius: 38px }
			</style>
			${this.#shown}
			<svg style="left: ${x}px; top: ${y}px" width="26" height="26" viewBox="3 2 24 24">
				<path d="M3 2v17l4.5-4.2 2.8 6.4 2.9-1.3-2.8-6.3H17z" fill="#111" stroke="#fff" stroke-width="1.5" />
			</svg>`);
		this.#frames.push({ picture: await this.#stage.screenshot(), milliseconds });
	}

	/** Moves the pointer to an element of the editor. */
	async pointAt(target: Locator): Promise<void> {
		const { x, y, width, height } = (await target.boundingBox())!;
		const from = this.#pointer;
		const to = { x: x + width / 2 - FIELDS.x + MARGIN, y: y + height / 2 - FIELDS.y + MARGIN };
		for (const part of [0.1, 0.35, 0.65, 0.9, 1]) {
			this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
			await this.#addFrame(50);
		}
		await this.#editor.page.mouse.move(x + width / 2, y + height / 2);
	}

	/** Shows the steps in which the blocks change places while something is done. */
	async showMoves(action: () => Promise<void>): Promise<void> {
		const page = this.#phone.page();
		const session = await page.context().newCDPSession(page);
		await session.send('Animation.enable');
		// The transition of the page stands still, so that it can be moved step by step.
		await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
		await action();
		await page.waitForFunction(() => document.getAnimations().length > 0);
		for (const part of [0.15, 0.3, 0.45, 0.6, 0.75, 0.9]) {
			await page.evaluate((done) => {
				for (const animation of document.getAnimations()) {
					animation.currentTime = Number(animation.effect?.getComputedTiming().endTime) * done;
				}
			}, part);
			await this.show(60);
		}
		await session.send('Animation.setPlaybackRate', { playbackRate: 1 });
		await page.waitForFunction(() => document.getAnimations().length === 0);
	}

	/** Writes the file, in which the frames repeat forever. */
	save(file: string): void {
		const frames = mkdtempSync(path.join(tmpdir(), 'profile-page-frames-'));
		try {
			const options = this.#frames.flatMap(({ picture, milliseconds }, index) => {
				const name = path.join(frames, `${index}.png`);
				writeFileSync(name, picture);
				return ['-d', String(milliseconds), name];
			});
			execFileSync(locate(img2webp), ['-loop', '0', '-lossy', '-q', '85', ...options, '-o', file]);
		} finally {
			rmSync(frames, { recursive: true });
		}
	}
}

const image = (name: string, picture: Buffer) =>
	`<img class="${name}" src="data:image/png;base64,${picture.toString('base64')}">`;

/** Opens a node for which only the block is left to choose. */
async function openNode(editor: Editor, { rest }: N8n, sandbox: Sandbox): Promise<void> {
	const credential = await rest.addPrivateApp(sandbox, LIST_PATHS);
	const node = profilePage(credential, {
		resource: 'blocks',
		operation: 'move',
		pageId: { __rl: true, mode: 'list', value: HOME, cachedResultName: 'Home' },
	});
	const { id } = await rest.createWorkflow(chain('Move a block', manualTrigger, node));
	await editor.openWorkflow(id);
	await editor.openNode(node.name);
}

async function play(animation: Animation, editor: Editor): Promise<void> {
	const path = 'blocksToMove';
	// At first, nothing is highlighted, and the list is loaded.
	await editor.page.mouse.move(0, 0);
	await editor.field(path).and(editor.page.locator(':enabled')).waitFor({ state: 'attached' });
	await animation.show(900);
	await animation.pointAt(editor.field(path));
	await editor.openChoices(path);
	await animation.show(900);
	await animation.pointAt(editor.openOptions.filter({ hasText: BLOCK }));
	await animation.show(500);
	await editor.chooseAlso(path, BLOCK);
	// Closes the list.
	await editor.byTestId('tab-params').click();
	await animation.show(700);
	const button = editor.byTestId('node-execute-button').first();
	await animation.pointAt(button);
	await animation.show(500);
	await animation.showMoves(async () => await editor.executeStep());
	await animation.show(2500);
}

async function main(): Promise<void> {
	locate(img2webp);
	packPackage();
	const sandbox = await startSandbox();
	const n8n = await N8n.create({ name: 'animation' });
	const browser = await openBrowser();
	try {
		await n8n.start();
		await n8n.rest.setUpOwner();
		const editor = await Editor.open(browser, n8n, { viewport: { width: 1280, height: 700 }, ...SCALE });
		await openNode(editor, n8n, sandbox);
		const animation = await Animation.open(browser, editor, sandbox);
		await play(animation, editor);
		animation.save(FILE);
	} finally {
		await browser.close();
		await n8n.remove();
		await sandbox.close();
	}
}

void main();
