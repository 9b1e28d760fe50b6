import { readFileSync } from 'node:fs';

import { README, readResults, readRows, readTable, toRow } from '../versions/table';
import { defaultN8n, engines, partsOf, versions } from '../versions/versions';

const AGAIN = 'Run: npm run test:versions, and npm run test:n8n -- --n8n all';

describe('the table of n8n versions in the README', () => {
	test(`contains the results of the last tests. ${AGAIN}`, () => {
		const table = readTable(readFileSync(README, 'utf8'));
		expect(readRows(table)).toEqual(readResults().map(toRow));
	});

	test(`names the versions that the lock files have. ${AGAIN}`, () => {
		const locked = versions.map((version) => {
			const { core, workflow, node = expect.any(String) as string } = partsOf(version);
			return { n8n: version.n8n, scope: version.scope, core, workflow, node };
		});
		expect(readResults()).toEqual(
			locked.map((version) => ({ ...version, tests: expect.any(Number) as number })),
		);
	});
});

test('the engine of the default n8n is tested by itself too', () => {
	const engine = engines.find(({ n8n }) => n8n === defaultN8n.n8n)!;
	expect(partsOf(engine)).toEqual(partsOf(defaultN8n));
});
