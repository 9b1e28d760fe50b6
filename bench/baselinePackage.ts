import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { transformFileSync } from '@swc/core';

import manifest from './baseline/package.json';

const SOURCE = path.join(__dirname, 'baseline');
const FILES = ['Baseline.node', 'sendOrders'];

/** The type of the baseline node in n8n. */
export const baselineType = `${manifest.name}.baseline`;

/** Installs the package with the baseline node in the community package folder of an n8n. */
export function installBaseline(userFolder: string): void {
	const target = path.join(userFolder, '.n8n/nodes/node_modules', manifest.name);
	mkdirSync(target, { recursive: true });
	cpSync(path.join(SOURCE, 'package.json'), path.join(target, 'package.json'));
	for (const name of FILES) {
		const { code } = transformFileSync(path.join(SOURCE, `${name}.ts`));
		writeFileSync(path.join(target, `${name}.js`), code);
	}
}
