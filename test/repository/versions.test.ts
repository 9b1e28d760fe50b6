import { README, readRows, readVersions, summarize, TESTS, toRow } from '../versions/table';
import { defaultN8n, engines, partsOf, versions } from '../versions/versions';

test('the README has a line for each minor version of n8n, with what it is tested in', () => {
	expect(readVersions(README)).toBe(summarize(versions));
	expect(summarize(versions)).toContain("- **n8n 1.123:** tested in n8n's engine and in a complete installation");
});

test('test/README.md has a row for each engine and each complete n8n, with the packages of its lock file', () => {
	expect(readRows(readVersions(TESTS))).toEqual(versions.map(toRow));
});

test('the engine of the default n8n is tested by itself too', () => {
	const engine = engines.find(({ n8n }) => n8n === defaultN8n.n8n)!;
	expect(partsOf(engine)).toEqual(partsOf(defaultN8n));
});
