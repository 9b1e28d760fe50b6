/**
 * Measures this package in a real n8n and compares it with n8n's HTTP Request node and with n8n's request helper alone.
 * Prints Markdown tables, and writes them into the README and a second page.
 */
import { cpus, loadavg } from 'node:os';
import path from 'node:path';

import { logFolder } from '../test/n8n/support/processes';
import { chartOf, compare, compareFew, compareReads } from './comparison';
import { measureCurrentOrder } from './currentOrder';
import { measureEnds } from './ends';
import { type Harnesses, withHarnesses } from './harness';
import { measureOutages, measureRateLimits } from './limits';
import { measureLinks } from './links';
import { measureNginx } from './nginx';
import { isMet, type Section } from './report';
import { writeResults } from './results';
import { measureRetries } from './retry';
import { measureRevocation } from './revocation';
import { measureScaling } from './scaling';
import { measurePolls } from './trigger';
import { versions } from './versions';

/** Checks that everything works; the times mean little. */
const isQuick = process.argv.includes('--quick');

const WORKLOAD = { latency: 25, ...(isQuick ? { pages: 20, rounds: 1 } : { pages: 300, rounds: 5 }) };
const WITHOUT_LATENCY = { ...WORKLOAD, latency: 0 };
/** A few pages take so short that more rounds are needed. */
const FEW_ROUNDS = isQuick ? 1 : 15;
const LINKS = { ...WORKLOAD, pages: isQuick ? 50 : 1000 };
const POLLS = { latency: 25, polls: isQuick ? 3 : 30 };
const SCALING = isQuick ? { rounds: 1, limit: 100 } : { rounds: 5, limit: 10_000 };

/** Quick results do not replace the others. */
const FOLDER = isQuick ? path.join(logFolder, 'bench') : __dirname;

async function main(): Promise<void> {
	const start = Date.now();
	const processors = `${cpus().length} processors`;
	console.log(`${processors}, load ${loadavg()[0]?.toFixed(1)} at the start`);
	const sections: Section[] = [];
	await withHarnesses(async (harnesses) => {
		for await (const section of measure(harnesses)) {
			console.log(`\n${section.title}\n\n${section.table}`);
			sections.push(section);
		}
	});
	await writeResults(FOLDER, `${versions}, on ${processors}, all from the same run.`, sections);
	const missed = sections.flatMap(({ targets = [] }) => targets).filter((target) => !isMet(target));
	for (const { name, value, limit } of missed) console.log(`Missed: ${name}: ${value.toFixed(2)}, at most ${limit}`);
	// The times of a quick run say nothing about the targets.
	if (missed.length > 0 && !isQuick) process.exitCode = 1;
	const minutes = ((Date.now() - start) / 60_000).toFixed(1);
	console.log(`\n${minutes} minutes. Results: ${path.join(FOLDER, 'README.md')}`);
}

async function* measure({ http, tls }: Harnesses): AsyncGenerator<Section> {
	const plain = await compare(http, WORKLOAD, { ten: 0.5, helper: 1.3 });
	const secure = await compare(tls, WORKLOAD, { ten: 0.75, helper: 1.2 });
	yield { ...plain.section, chart: chartOf([plain, secure]) };
	yield secure.section;
	yield (await compare(http, WITHOUT_LATENCY, { ten: 1.05 })).section;
	yield await compareFew(http, { ...WORKLOAD, pages: 30, rounds: FEW_ROUNDS }, 0.85);
	yield await compareFew(http, { ...WORKLOAD, pages: 3, rounds: FEW_ROUNDS }, 1.05);
	yield await compareReads(http, WORKLOAD, 0.5);
	yield await measureRetries(http, WORKLOAD);
	yield await measureRevocation(http, WORKLOAD);
	yield await measureCurrentOrder(http, WORKLOAD);
	yield await measureRateLimits(http, WORKLOAD.pages);
	yield await measureNginx(http, WORKLOAD.pages, WORKLOAD.latency);
	yield await measureOutages(http, WORKLOAD.pages);
	yield await measureEnds(http, WORKLOAD.pages, WORKLOAD.rounds);
	yield await measurePolls(http, POLLS);
	yield await measureLinks(http, LINKS);
	yield* measureScaling(http, SCALING);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
