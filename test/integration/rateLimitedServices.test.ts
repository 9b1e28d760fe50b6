import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { hasNginx, type NginxLimits, startNginx } from '../support/nginx';
import { batching, REORDER_EACH_ITEM } from '../support/parameters';
import { useRealPauses } from '../support/pauses';

const harness = useHarness();
useRealPauses();

const TOKEN = JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_in: 3600 });
const PAGES = 50;
const LATENCY_MS = 25;

const limitReq = (zone: string, options: string) => ({
	zone: `limit_req_zone $server_port zone=${zone}:1m rate=20r/s`,
	apply: `limit_req zone=${zone} ${options}`,
});
const limitConn = (zone: string, connections: number) => ({
	zone: `limit_conn_zone $server_port zone=${zone}:1m`,
	apply: `limit_conn ${zone} ${connections}`,
});

/** By default, nginx rejects requests with 503, without Retry-After. */
const limits: NginxLimits = {
	burst: limitReq('burst', 'burst=5 nodelay'),
	delay: limitReq('delay', 'burst=20'),
	two: limitConn('two', 2),
};

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
async function reorder(baseUrl: string) {
	const { items } = await harness.runNode(
		{ ...REORDER_EACH_ITEM, options: batching(50) },
		{
			items: Array.from({ length: PAGES }, (_, index) => ({ page: `PAGE_${index}`, ids: ['a'] })),
			credential: { baseUrl },
			settings: { onError: 'continueRegularOutput' },
		},
	);
	expect(items).toHaveLength(PAGES);
	return items.flatMap(({ json }) => (json.error ? [json.error] : []));
}

const testWithNginx = hasNginx ? test : test.skip;

describe('An nginx that limits requests (to install it, run: npm run setup:n8n)', () => {
	testWithNginx(
		'loses none of 50 pages at a time, whether it limits their rate or their number',
		async () => {
			const service = await startSlowService();
			const nginx = await startNginx(service.origin, limits);
			const names = Object.keys(limits);
			const reordered = names.map(async (name) => await reorder(nginx.baseUrlOf(name)));
			const errors = await Promise.all(reordered);
			const rejected = await nginx.stop();
			service.close();
			expect(errors).toEqual(names.map(() => []));
			for (const name of names) {
				expect(rejected.some((url) => url.startsWith(`/${name}/`))).toBe(true);
			}
		},
		90_000,
	);
});
