/**
 * Measures this package in a real n8n and compares it with n8n's HTTP Request node and with minimal
 * clients. Prints Markdown tables, and writes them with charts into the README.
 */
import { cpus, loadavg } from 'node:os';
import path from 'node:path';

import { logFolder } from '../test/n8n/support/processes';
import { breakDown, compare } from './comparison';
import { measureCurrentOrder } from './currentOrder';
import { type Harnesses, withHarnesses } from './harness';
import type { Section } from './report';
import { writeResults } from './results';
import { measureRateLimit } from './rateLimit';
import { measureRetries } from './retry';
import { measureRevocation } from './revocation';
import { measureScaling } from './scaling';
import { measureSendRequest } from './sendRequest';
import { checkTargets } from './targets';
import { measurePolls } from './trigger';
import { versions } from './versions';

/** Checks that everything works; the times mean little. */
const isQuick = process.argv.includes('--quick');

const WORKLOAD = {
	latency: 25,
	...(isQuick ? { pages: 20, rounds: 1 } : { pages: 300, rounds: 5 }),
};
const POLLS = { latency: 25, polls: isQuick ? 3 : 30 };
const SCALING = isQuick ? { rounds: 1, limit: 100 } : { rounds: 3, limit: 10_000 };

/** Quick results do not replace those in the README. */
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
	writeResults(FOLDER, `${versions}, on ${processors}, all from the same run.`, sections);
	const minutes = ((Date.now() - start) / 60_000).toFixed(1);
	console.log(`\n${minutes} minutes. Results: ${path.join(FOLDER, 'README.md')}`);
}

async function* measure({ http, tls }: Harnesses): AsyncGenerator<Section> {
	const withoutTls = await compare(http, WORKLOAD);
	yield withoutTls.section;
	const withTls = await compare(tls, WORKLOAD);
	yield withTls.section;
	const withoutLatency = await compare(http, { ...WORKLOAD, latency: 0 });
	yield withoutLatency.section;
	yield await breakDown([withoutTls, withTls, withoutLatency]);
	const speed = await checkTargets({ http: withoutTls, tls: withTls, withoutLatency });
	yield speed.section;
	const patience = await measureRateLimit(http, WORKLOAD);
	yield patience.section;
	const reading = await measureCurrentOrder(http, WORKLOAD);
	yield reading.section;
	// The times of a quick run say nothing about the targets.
	const areMet = [speed, patience, reading].every((each) => each.areMet);
	if (!areMet && !isQuick) process.exitCode = 1;
	yield await measureRetries(http, WORKLOAD);
	yield await measureSendRequest(http, WORKLOAD);
	yield await measurePolls(http, POLLS);
	yield await measureRevocation(http, WORKLOAD);
	yield* measureScaling(http, SCALING);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
