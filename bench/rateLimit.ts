import { ItemWorkflow } from './execution';
import type { Harness } from './harness';
import { itemPerPage, type Measurement } from './measure';
import { batching, continuedOnFail, httpReorderInBatches, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import { type Section, table } from './report';
import type { Workload } from './rounds';
import type { RateLimit } from './service';

const PER_SECOND = 20;

/** The most of each that this node may have. */
interface Limits {
	readonly failed: number;
	readonly rejections: number;
	readonly seconds: number;
}

const SERVICES: ReadonlyArray<readonly [retryAfter: string, limit: RateLimit, limits: Limits]> = [
	['1', { perSecond: PER_SECOND, retryAfter: 1 }, { failed: 0, rejections: 200, seconds: 45 }],
	['–', { perSecond: PER_SECOND }, { failed: 3, rejections: Infinity, seconds: Infinity }],
];

const VARIANTS: ReadonlyArray<readonly [name: string, makeNode: MakeNode, isOurs: boolean]> = [
	['This node, batch 10 (default)', reorderByValue(10), true],
	['This node, batch 50', reorderByValue(50), true],
	['This node, batch 20 / 1000 ms', reorderByValue(20, undefined, batching(20, 1000)), true],
	["n8n's HTTP Request node, batch 20 / 1000 ms", httpReorderInBatches(20, 1000), false],
];

/** Measures nodes with Continue on Fail, once each, when the service limits the rate of requests. */
export async function measureRateLimit(
	harness: Harness,
	{ pages, latency }: Omit<Workload, 'rounds'>,
): Promise<{ section: Section; areMet: boolean }> {
	await harness.service.setLatency(latency);
	const rows: string[][] = [];
	let areMet = true;
	for (const [retryAfter, rateLimit, limits] of SERVICES) {
		for (const [name, makeNode, isOurs] of VARIANTS) {
			const { wrongPages, rejections, time } = await run(harness, makeNode, pages, rateLimit);
			const isMet = wrongPages <= limits.failed && rejections <= limits.rejections && time < limits.seconds * 1000;
			if (isOurs && !isMet) areMet = false;
			rows.push([
				name,
				retryAfter,
				String(wrongPages),
				String(rejections),
				(time / 1000).toFixed(1),
				isOurs ? (isMet ? 'yes' : 'no') : '–',
			]);
		}
	}
	const head = ['Variant', 'Retry-After', 'Items failed', '429s', 'Time in s', 'Met'];
	const section = {
		title: `${pages} pages of 10 blocks, latency ${latency} ms, at most ${PER_SECOND} requests per second`,
		table: await table(head, rows),
	};
	return { section, areMet };
}

async function run(harness: Harness, makeNode: MakeNode, pages: number, rateLimit: RateLimit): Promise<Measurement> {
	const { n8n, service } = harness;
	const workflow = await ItemWorkflow.create(n8n, await continuedOnFail(makeNode)(harness));
	const orders = await service.startRun(smallPages(pages));
	await service.limitRate(rateLimit);
	const executionId = await workflow.run(itemPerPage(orders));
	await service.limitRate(undefined);
	const received = await service.finishRun(orders);
	const time = await workflow.nodeTime(executionId);
	await workflow.deactivate();
	return { ...received, time };
}
