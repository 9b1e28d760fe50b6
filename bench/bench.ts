/**
 * Measures how long Reorder Blocks takes in a real n8n, beside n8n's own HTTP Request node and beside
 * clients that do as little as can be. Prints tables.
 */
import { cpus, loadavg } from 'node:os';

import { compare } from './comparison';
import { revokeBetween } from './revocation';
import { scale } from './scaling';
import { onStage } from './harness';

/** Enough to see that everything works; the times mean little. */
const isQuick = process.argv.includes('--quick');

const PAGES = isQuick ? 20 : 300;
const ROUNDS = isQuick ? 1 : 5;
const LATENCY_MS = 25;
const SCALING = isQuick ? { rounds: 1, limit: 100 } : { rounds: 3, limit: 10_000 };

const show = (title: string, table: string) => console.log(`\n${title}\n\n${table}`);

async function main(): Promise<void> {
	const start = Date.now();
	const [load = 0] = loadavg();
	console.log(`${cpus().length} processors, load ${load.toFixed(1)} before`);
	await onStage(async (harness) => {
		for (const latency of [LATENCY_MS, 0]) {
			const title = `${PAGES} pages of 10 blocks, latency ${latency} ms, no token yet`;
			show(title, await compare(harness, { pages: PAGES, latency, rounds: ROUNDS }));
		}
		show(
			`The same, latency ${LATENCY_MS} ms, after the token was revoked`,
			await revokeBetween(harness, PAGES, LATENCY_MS),
		);
		await scale(harness, SCALING, show);
	});
	console.log(`\n${((Date.now() - start) / 60_000).toFixed(1)} minutes`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
