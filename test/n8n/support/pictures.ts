import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { logFolder } from './processes';

/** Pictures are saved with the logs. Those that the folder `PICTURES` contains are replaced there instead. */
function pathOf(name: string): string {
	const shown = path.resolve(process.env.PICTURES ?? '', `${name}.png`);
	if (process.env.PICTURES && existsSync(shown)) return shown;
	const folder = path.join(logFolder, 'pictures');
	mkdirSync(folder, { recursive: true });
	return path.join(folder, `${name}.png`);
}

/** Saves a screenshot of a page or an element. */
export async function takePicture(subject: Page | Locator, name: string): Promise<void> {
	await subject.screenshot({
		path: pathOf(name),
		animations: 'disabled',
		caret: 'hide',
		// n8n's messages, such as that a credential was saved, and its advice, such as to pin an output.
		style: '.el-notification, [data-reka-popper-content-wrapper] { visibility: hidden }',
	});
}
