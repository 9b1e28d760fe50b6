import { README, readResults, readRows, readVersions, summarize, TESTS, toRow } from '../versions/table';
import { defaultN8n, engines, partsOf, versions } from '../versions/versions';

const AGAIN = 'Run: npm run test:versions, and npm run test:n8n -- --n8n all';

test(`the README has a line for each minor version of n8n, with what it was tested in. ${AGAIN}`, () => {
	expect(readVersions(README)).toBe(summarize(readResults()));
	expect(summarize(readResults())).toContain("- **n8n 1.123:** tested in n8n's engine and in a complete installation");
});

describe('the table of n8n versions in test/README.md', () => {
	test(`contains the results of the last tests. ${AGAIN}`, () => {
		expect(readRows(readVersions(TESTS))).toEqual(readResults().map(toRow));
	});

	test(`has a row for each engine and each complete n8n, with the versions of its lock file. ${AGAIN}`, () => {
		const locked = versions.map((version) => {
			const { core, workflow, node = expect.stringMatching(/^\d+\.\d+\.\d+$/) as string } = partsOf(version);
			const tests = expect.any(Number) as number;
			return { n8n: version.n8n, scope: version.scope, core, workflow, node, tests };
		});
		expect(readResults()).toEqual(locked);
	});

	test(`has the number of tests that passed, which is the same for all engines. ${AGAIN}`, () => {
		for (const { tests } of readResults()) expect(tests).toBeGreaterThan(0);
		const ofEngines = readResults().filter(({ scope }) => scope === 'engine');
		expect(new Set(ofEngines.map(({ tests }) => tests)).size).toBe(1);
	});
});

test('the engine of the default n8n is tested by itself too', () => {
	const engine = engines.find(({ n8n }) => n8n === defaultN8n.n8n)!;
	expect(partsOf(engine)).toEqual(partsOf(defaultN8n));
});
