import { type Browser, chromium as playwright } from 'playwright-core';

import { chromium, locate } from './programs';

/** Starts Chromium without a window. It ends with this process. */
export async function openBrowser(): Promise<Browser> {
	return await playwright.launch({
		executablePath: locate(chromium),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
