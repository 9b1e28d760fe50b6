import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { logFolder } from './processes';

/** Where pictures go: beside the logs, or where they are wanted for the README. */
const pictureFolder = path.resolve(process.env.PICTURES ?? path.join(logFolder, 'pictures'));

/** Takes a picture of what a page, or a part of it, shows. */
export async function takePicture(subject: Page | Locator, name: string): Promise<void> {
	mkdirSync(pictureFolder, { recursive: true });
	await subject.screenshot({
		path: path.join(pictureFolder, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
	});
}
