import type { Harness } from './harness';
import { type Measurement, measureNode } from './measure';
import { batching, continuedOnFail, httpReorderInBatches, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import { type Section, table, type Target } from './report';
import type { Limit } from './service';

/** How many more rejections than with Items per Batch 10. */
const MORE_REJECTIONS = 1.5;

interface Case {
	readonly name: string;
	/** Of 300; fewer take as long where fewer are accepted. */
	readonly part: number;
	readonly limit: Limit;
}

const CASES: readonly Case[] = [
	{ name: '20 a second, Retry-After', part: 1, limit: { perSecond: 20, retryAfter: 1 } },
	{ name: '20 a second', part: 1, limit: { perSecond: 20 } },
	{ name: '5 a second', part: 1 / 3, limit: { perSecond: 5 } },
	{ name: '2 at once', part: 1 / 3, limit: { atOnce: 2 } },
];

const OURS = { default: reorderByValue(), ten: reorderByValue(10) };

const OTHERS: ReadonlyArray<readonly [string, MakeNode]> = [
	['This node, batch 20 / 1000 ms', reorderByValue(20, batching(20, 1000))],
	["n8n's HTTP Request node, batch 20 / 1000 ms", httpReorderInBatches(20, 1000)],
];

/** Measures nodes with Continue on Fail, once each, when the service limits the rate of requests. */
export async function measureRateLimits(harness: Harness, pages: number): Promise<Section> {
	const rows: string[][] = [];
	const targets: Target[] = [];
	let lost = 0;
	for (const { name, part, limit } of CASES) {
		const run = async (label: string, makeNode: MakeNode) => {
			const measurement = await runLimited(harness, continuedOnFail(makeNode), Math.ceil(pages * part), limit);
			rows.push([`${name}: ${label}`, ...rowOf(measurement)]);
			return measurement;
		};
		const ours = await run('this node', OURS.default);
		const ten = await run('this node, Items per Batch 10', OURS.ten);
		lost += ours.wrongPages;
		targets.push(atMostRejections(name, ours, ten));
		if (limit.perSecond === 20) for (const [label, makeNode] of OTHERS) await run(label, makeNode);
	}
	targets.push({ name: 'Rate limits: items lost', value: lost, limit: 0 });
	return { title: `${pages} or ${Math.ceil(pages / 3)} pages, rate limits`, table: await tableOf(rows), targets };
}

/** In milliseconds. */
const SHORT_OUTAGE = 700;
const LONG_OUTAGE = 5000;
/** A service that answers nothing is down after 90 seconds. The last pause may take 30 more. */
const LONGEST_STOP_S = 120;

/** Measures the node when the service is down, from the start or after a third of the pages. */
export async function measureOutages(harness: Harness, pages: number): Promise<Section> {
	const third = Math.ceil(pages / 3);
	const rows: string[][] = [];
	let lost = 0;
	const outages = [
		...[1, 10, pages].map((items) => ({ items, limit: { downAfter: 0, downFor: SHORT_OUTAGE } })),
		{ items: pages, limit: { downAfter: third, downFor: LONG_OUTAGE } },
	];
	for (const { items, limit } of outages) {
		const { downAfter, downFor } = limit;
		const name = `Down for ${downFor / 1000} s after ${downAfter} of ${items}`;
		const measurement = await runLimited(harness, continuedOnFail(reorderByValue()), items, limit);
		rows.push([name, ...rowOf(measurement)]);
		lost += measurement.wrongPages;
	}
	const name = `Down after ${third} of ${pages}`;
	const limit = { downAfter: third, downFor: 600_000 };
	const stopped = await runLimited(harness, reorderByValue(), pages, limit, 'error');
	rows.push([name, ...rowOf(stopped)]);
	const targets = [
		{ name: 'Outages that end: items lost', value: lost, limit: 0 },
		{ name: `${name}: seconds until the node stops`, value: stopped.time / 1000, limit: LONGEST_STOP_S },
	];
	return { title: 'Outages', table: await tableOf(rows), targets };
}

async function runLimited(
	harness: Harness,
	makeNode: MakeNode,
	pages: number,
	limit: Limit,
	status: 'success' | 'error' = 'success',
): Promise<Measurement> {
	const { service } = harness;
	await service.limit(limit);
	try {
		return await measureNode(harness, await makeNode(harness), smallPages(pages), { status });
	} finally {
		await service.unlimit();
	}
}

/** How many rejections the default may have, compared with Items per Batch 10. */
export function atMostRejections(name: string, ours: Measurement, ten: Measurement): Target {
	const limit = Math.ceil(MORE_REJECTIONS * ten.rejections);
	return { name: `${name}: rejections, with ${ten.rejections} at 10`, value: ours.rejections, limit };
}

export const rowOf = ({ wrongPages, rejections, time }: Measurement) => [
	String(wrongPages),
	String(rejections),
	(time / 1000).toFixed(1),
];

export const tableOf = async (rows: readonly string[][]) =>
	await table(['Service', 'Items lost', 'Rejections', 'Time in s'], rows);
