import { setTimeout as wait } from 'node:timers/promises';

import {
	CredentialStore,
	type LoadedPackage,
	loadPackage,
	runWorkflow,
	stopEngine,
	type WorkflowFile,
} from '../runner';
import { chain, manualTrigger, profilePage } from '../test/n8n/support/workflows';
import type { Harness } from './harness';
import { itemPerPage } from './measure';
import { FROM_ITEM } from './nodes';
import { smallPages } from './pages';
import { type Section, spread, table, type Target } from './report';

/** Until all requests wait, in milliseconds. */
const UNTIL_ALL_WAIT = 1500;

const LONGEST_MS = 100;

/**
 * Measures how long the node goes on when its execution is canceled while all requests wait, and when the service asks
 * for a longer wait than the node accepts. In n8n's engine alone, because a complete n8n does not store when a node
 * ended.
 */
export async function measureEnds(harness: Harness, pages: number, rounds: number): Promise<Section> {
	const loaded = await loadPackage();
	const cases = [
		{ name: 'Canceled while all wait', retryAfter: 60, timeEnd: timeCanceled },
		{ name: 'Retry-After: 120', retryAfter: 120, timeEnd: timeFailed },
	];
	const rows: string[][] = [];
	const targets: Target[] = [];
	for (const { name, retryAfter, timeEnd } of cases) {
		const times: number[] = [];
		await harness.service.limit({ perSecond: 0, retryAfter });
		for (let round = 0; round < rounds; round += 1)
			times.push(await timeEnd(harness, await start(loaded, harness, pages)));
		await harness.service.unlimit();
		const { median, text } = spread(times, (time) => time);
		rows.push([name, text]);
		targets.push({ name: `${name}: ms until the node ends`, value: Math.round(median), limit: LONGEST_MS });
	}
	stopEngine();
	const title = `${pages} pages, ends early`;
	return { title, table: await table(['Reason', 'Time in ms'], rows), targets };
}

interface Running {
	readonly controller: AbortController;
	readonly run: ReturnType<typeof runWorkflow>;
}

async function start(loaded: LoadedPackage, { address, service }: Harness, pages: number): Promise<Running> {
	const { baseUrl, clientId, clientSecret } = address;
	const store = new CredentialStore(loaded);
	const { id, name } = store.add('profilePageApi', { baseUrl, clientId, clientSecret });
	const node = profilePage(
		{ id: id ?? '', name },
		{ resource: 'blocks', operation: 'reorder', blockOrder: 'value', ...FROM_ITEM },
	);
	const file = chain('Ends', manualTrigger, node) as WorkflowFile;
	const input = itemPerPage(await service.startRun(smallPages(pages))).map((json) => ({ json: { ...json } }));
	const controller = new AbortController();
	return { controller, run: runWorkflow(loaded, store, file, { input, signal: controller.signal }) };
}

/** Returns the time from the cancellation to the end, in milliseconds. */
async function timeCanceled(_harness: Harness, { controller, run }: Running): Promise<number> {
	await wait(UNTIL_ALL_WAIT);
	const canceledAt = Date.now();
	controller.abort();
	await expectStatus(run, 'canceled');
	return Date.now() - canceledAt;
}

/** Returns the time from the first rejection to the end, in milliseconds. */
async function timeFailed({ service }: Harness, { run }: Running): Promise<number> {
	await expectStatus(run, 'error');
	const endedAt = Date.now();
	return endedAt - (await service.firstRejection());
}

async function expectStatus(run: Running['run'], expected: string): Promise<void> {
	const { status } = await run;
	if (status !== expected) throw new Error(`The execution ended as ${status}`);
}
