import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { logFolder } from './processes';

/** Pictures are saved with the logs, unless `PICTURES` names another folder. */
const pictureFolder = path.resolve(process.env.PICTURES ?? path.join(logFolder, 'pictures'));

/** Saves a screenshot of a page or an element. */
export async function takePicture(subject: Page | Locator, name: string): Promise<void> {
	mkdirSync(pictureFolder, { recursive: true });
	await subject.screenshot({
		path: path.join(pictureFolder, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
		// n8n's messages, such as that a credential was saved, and its advice, such as to pin an output.
		style: '.el-notification, [data-reka-popper-content-wrapper] { visibility: hidden }',
	});
}
