import { readFileSync } from 'node:fs';

import { README, readResults, readRows, readTable, toRow } from '../versions/table';
import { defaultN8n, engines, partsOf, versions } from '../versions/versions';

const AGAIN = 'Run: npm run test:versions, and npm run test:n8n -- --n8n all';

describe('the table of n8n versions in the README', () => {
	test(`contains the results of the last tests. ${AGAIN}`, () => {
		const table = readTable(readFileSync(README, 'utf8'));
		expect(readRows(table)).toEqual(readResults().map(toRow));
	});

	test(`has a row for each engine. ${AGAIN}`, () => {
		const tested = readResults().filter(({ scope }) => scope === 'engine');
		expect(tested.map(({ n8n }) => n8n)).toEqual(engines.map(({ n8n }) => n8n));
	});

	test(`names the versions that the lock files have. ${AGAIN}`, () => {
		for (const { n8n, scope, core, workflow, node } of readResults()) {
			const version = versions.find((one) => one.n8n === n8n && one.scope === scope)!;
			expect(partsOf(version)).toMatchObject({ core, workflow });
			expect(partsOf(version).node ?? node).toBe(node);
		}
	});
});

test('the engine of the default n8n is tested by itself too', () => {
	const engine = engines.find(({ n8n }) => n8n === defaultN8n.n8n)!;
	expect(partsOf(engine)).toEqual(partsOf(defaultN8n));
});
