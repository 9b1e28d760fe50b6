/**
 * Measures Reorder Blocks in a real n8n and compares it with n8n's HTTP Request node and with minimal
 * clients. Prints Markdown tables.
 */
import { cpus, loadavg } from 'node:os';

import { compare } from './comparison';
import { withHarness } from './harness';
import { measureRevocation } from './revocation';
import { measureScaling } from './scaling';

/** Checks that everything works; the times mean little. */
const isQuick = process.argv.includes('--quick');

const PAGES = isQuick ? 20 : 300;
const ROUNDS = isQuick ? 1 : 5;
const LATENCY_MS = 25;
const SCALING = isQuick ? { rounds: 1, limit: 100 } : { rounds: 3, limit: 10_000 };

const print = (title: string, table: string) => console.log(`\n${title}\n\n${table}`);

async function main(): Promise<void> {
	const start = Date.now();
	const [load = 0] = loadavg();
	console.log(`${cpus().length} processors, load ${load.toFixed(1)} at the start`);
	await withHarness(async (harness) => {
		for (const latency of [LATENCY_MS, 0]) {
			const title = `${PAGES} pages of 10 blocks, latency ${latency} ms, no token yet`;
			print(title, await compare(harness, { pages: PAGES, latency, rounds: ROUNDS }));
		}
		print(
			`${PAGES} pages of 10 blocks, latency ${LATENCY_MS} ms, revoked token`,
			await measureRevocation(harness, PAGES, LATENCY_MS),
		);
		await measureScaling(harness, SCALING, print);
	});
	console.log(`\n${((Date.now() - start) / 60_000).toFixed(1)} minutes`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
