import { startNginx } from '../test/support/nginx';
import type { Harness } from './harness';
import { atMostRejections, rowOf, tableOf } from './limits';
import { measureNode } from './measure';
import { continuedOnFail, type MakeNode, reorderByValue } from './nodes';
import { smallPages } from './pages';
import type { Section, Target } from './report';

const LIMIT = 'limit';

/** What nginx is told about the requests to the API: the zone that counts them, and how it applies. */
const CASES = [
	{ name: 'limit_req, 503', zone: requests(20), apply: `limit_req zone=${LIMIT} burst=5 nodelay` },
	{
		name: 'limit_req, 429',
		zone: requests(20),
		apply: `limit_req zone=${LIMIT} burst=5 nodelay; limit_req_status 429`,
	},
	{ name: 'limit_req, delayed', zone: requests(20), apply: `limit_req zone=${LIMIT} burst=20` },
	{ name: 'limit_conn 4', zone: `limit_conn_zone $server_port zone=${LIMIT}:1m`, apply: `limit_conn ${LIMIT} 4` },
];

function requests(perSecond: number): string {
	return `limit_req_zone $server_port zone=${LIMIT}:1m rate=${perSecond}r/s`;
}

/** Measures the node with Continue on Fail, once each, behind an nginx that limits requests. */
export async function measureNginx(harness: Harness, pages: number, latency: number): Promise<Section> {
	await harness.service.setLatency(latency);
	const rows: string[][] = [];
	const targets: Target[] = [];
	let lost = 0;
	for (const { name, ...limit } of CASES) {
		const run = async (label: string, makeNode: MakeNode) => {
			const measurement = await measureBehind(limit, harness, continuedOnFail(makeNode), pages);
			rows.push([`${name}: ${label}`, ...rowOf(measurement)]);
			return measurement;
		};
		const ours = await run('this node', reorderByValue());
		const ten = await run('this node, Items per Batch 10', reorderByValue(10));
		lost += ours.wrongPages;
		targets.push(atMostRejections(`nginx, ${name}`, ours, ten));
	}
	targets.push({ name: 'nginx: items lost', value: lost, limit: 0 });
	return { title: `${pages} pages, nginx`, table: await tableOf(rows), targets };
}

/** An nginx of its own for each run, so that no request counts twice. */
async function measureBehind(
	limit: { zone: string; apply: string },
	harness: Harness,
	makeNode: MakeNode,
	pages: number,
) {
	const nginx = await startNginx(harness.address.baseUrl, { [LIMIT]: limit });
	const address = { ...harness.address, baseUrl: nginx.baseUrlOf(LIMIT) };
	const limited = { ...harness, address };
	const measurement = await measureNode(limited, await makeNode(limited), smallPages(pages));
	return { ...measurement, rejections: (await nginx.stop()).length };
}
