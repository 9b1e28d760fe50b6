import type { INodeParameters } from 'n8n-workflow';

import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { hasNginx, type NginxLimits, startNginx } from '../support/nginx';
import { batching, GET_INFO, REORDER_EACH_ITEM } from '../support/parameters';
import { useRealPauses } from '../support/pauses';
import { fixedWindow } from '../support/rateLimits';

const harness = useHarness();
useRealPauses();

const ITEMS = 120;

const TOKEN = JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_in: 3600 });
const PROFILE = JSON.stringify({ status: true, info: { username: '@a' } });

/** Runs the node for many items with a service that allows 20 requests a second, and counts what it rejects and loses. */
async function runLimited(options: INodeParameters, headers: Record<string, string>) {
	const limit = fixedWindow(20);
	let rejected = 0;
	const { origin, close } = await startHttpServer((request, reply) => {
		request.resume();
		reply.setHeader('content-type', 'application/json');
		const isGrant = request.url === '/oauth/token';
		const isRejected = !isGrant && limit.accept(performance.now(), request.url ?? '') === undefined;
		if (isRejected) rejected += 1;
		if (isRejected) reply.writeHead(429, headers);
		reply.end(isGrant ? TOKEN : PROFILE);
	});
	const { items } = await harness.runNode(
		{ ...GET_INFO, options },
		{
			items: Array.from({ length: ITEMS }, () => ({})),
			credential: { baseUrl: origin },
			settings: { onError: 'continueRegularOutput' },
		},
	);
	close();
	return { rejected, lost: items.filter(({ json }) => json.error).length };
}

test('A service that allows 20 requests a second performs each of 120 items, whatever the options', async () => {
	const results = await Promise.all([
		runLimited(batching(50), { 'retry-after': '1' }),
		runLimited({}, { 'retry-after': '1' }),
		runLimited(batching(20, 1000), { 'retry-after': '1' }),
		runLimited(batching(50), {}),
	]);
	expect(results.map(({ lost }) => lost)).toEqual([0, 0, 0, 0]);
	// The exact numbers depend on the speed of the machine: test/unit/service/rateLimits.test.ts has them.
	for (const { rejected } of results) expect(rejected).toBeLessThan(2 * ITEMS);
}, 60_000);

const PAGES = 100;
const LATENCY_MS = 25;
const BATCH_SIZES = [10, 50];

const limitReq = (zone: string, options = '', rate = 20) => ({
	zone: `limit_req_zone $server_port zone=${zone}:1m rate=${rate}r/s`,
	apply: `limit_req zone=${zone} ${options}`,
});
const limitConn = (zone: string) => ({
	zone: `limit_conn_zone $server_port zone=${zone}:1m`,
	apply: `limit_conn ${zone} 4`,
});

/** By default, nginx rejects requests with 503, without Retry-After. Each size of batches has limits of its own. */
const limits: NginxLimits = Object.fromEntries(
	BATCH_SIZES.flatMap((size) => [
		[`burst-${size}`, limitReq(`burst-${size}`, 'burst=5 nodelay')],
		[`delay-${size}`, limitReq(`delay-${size}`, 'burst=20')],
		[`connections-${size}`, limitConn(`connections-${size}`)],
	]),
);

/** Starts a service that takes 25 ms for each request. */
async function startSlowService() {
	const REORDERED = JSON.stringify({ status: true, data: { blocks: [{ id: 'a', position: 0 }] } });
	return await startHttpServer((request, reply) => {
		request.resume();
		const isGrant = request.url === '/oauth/token';
		reply.setHeader('content-type', 'application/json');
		setTimeout(() => reply.end(isGrant ? TOKEN : REORDERED), LATENCY_MS);
	});
}

/** Reorders pages, and returns the errors. */
async function reorder(baseUrl: string, batchSize: number, pages = PAGES) {
	const { items } = await harness.runNode(
		{ ...REORDER_EACH_ITEM, options: batching(batchSize) },
		{
			items: Array.from({ length: pages }, (_, index) => ({ page: `PAGE_${index}`, ids: ['a'] })),
			credential: { baseUrl },
			settings: { onError: 'continueRegularOutput' },
		},
	);
	expect(items).toHaveLength(pages);
	return items.flatMap(({ json }) => (json.error ? [json.error] : []));
}

const testWithNginx = hasNginx ? test : test.skip;

describe('An nginx that limits requests (to install it, run: npm run setup:n8n)', () => {
	testWithNginx(
		'loses none of 100 pages, whether it limits their rate or their number, at 10 and at 50 at a time',
		async () => {
			const service = await startSlowService();
			const nginx = await startNginx(service.origin, limits);
			const names = Object.keys(limits);
			const reordered = names.map(async (name) => await reorder(nginx.baseUrlOf(name), Number(name.split('-')[1])));
			const errors = await Promise.all(reordered);
			const rejected = await nginx.stop();
			service.close();
			expect(errors).toEqual(names.map(() => []));
			for (const name of ['burst-50', 'delay-50', 'connections-50']) {
				expect(rejected.some((url) => url.startsWith(`/${name}/`))).toBe(true);
			}
		},
		90_000,
	);

	testWithNginx(
		'loses no page if it allows one request a second, at 1 and at 10 at a time',
		async () => {
			const service = await startSlowService();
			const slow = { 'slow-1': limitReq('slow-1', '', 1), 'slow-10': limitReq('slow-10', '', 1) };
			const nginx = await startNginx(service.origin, slow);
			const reordered = [1, 10].map(async (size) => await reorder(nginx.baseUrlOf(`slow-${size}`), size, 10));
			const errors = await Promise.all(reordered);
			await nginx.stop();
			service.close();
			expect(errors).toEqual([[], []]);
		},
		90_000,
	);
});
