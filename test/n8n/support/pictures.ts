import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { folder } from './programs';

const PICTURES = path.resolve(folder, '../../docs/pictures');

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
