import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { hasNginx, type NginxLimits, startNginx } from '../support/nginx';
import { batching, GET_INFO, REORDER_EACH_ITEM } from '../support/parameters';
import { pauses, useRealPauses } from '../support/pauses';

const harness = useHarness();

const CONTINUE = { settings: { onError: 'continueRegularOutput' } } as const;
const emptyItems = (count: number) => Array.from({ length: count }, () => ({}));

describe('A Retry-After', () => {
	const me = () => harness.sandbox.recorder.calls;

	test('makes all requests of the account wait', async () => {
		const fault = statusFault(429, '', { 'retry-after': '40' });
		harness.sandbox.faults.add({ path: '/me', fault, times: 1 });
		pauses.length = 0;
		const options = batching(2);
		const { error } = await harness.runNode({ ...GET_INFO, options }, { items: emptyItems(20) });
		expect(error).toBeUndefined();
		expect(me()).toHaveLength(21);
		// One pause for all, as long as the service asks.
		const long = pauses.filter((milliseconds) => milliseconds > 0);
		expect(long).toHaveLength(1);
		expect(long[0]).toBeGreaterThanOrEqual(40_000);
	});

	test('that is longer than the node may wait fails at once, says until when, and sends no more', async () => {
		const fault = statusFault(429, '', { 'retry-after': '86400' });
		harness.sandbox.faults.add({ path: '/me', fault });
		pauses.length = 0;
		const { items } = await harness.runNode(
			{ ...GET_INFO, options: batching(2) },
			{ items: emptyItems(40), ...CONTINUE },
		);
		expect(me().length).toBeLessThanOrEqual(2);
		const until = /until \d{4}-\d\d-\d\d \d\d:\d\d UTC/;
		expect(items[0]!.json.error).toMatch(/\(429\).* The service asks to wait until /);
		for (const { json } of items) expect(json.error).toMatch(until);
		expect(items[39]!.json.error).toMatch(
			/^The profile info was not read: the service asks to wait until .* Try again later\.$/,
		);
	});

	test('of 91 s is not waited for, and the error says so, and what the service said', async () => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(429, 'Slow down.', { 'retry-after': '91' }) });
		const { error } = await harness.runNode(GET_INFO);
		expect(me()).toHaveLength(1);
		expect(error).toMatchObject({
			message: 'The profile info was not read: the service is rate-limiting requests (429)',
			description: expect.stringMatching(
				/^The service asks to wait until .* UTC\. Try again after that\. Run the workflow less often, or set Items per Batch and Batch Interval in the options of the node\. The service said: "Slow down\."$/,
			) as unknown,
		});
	});

	test('is not waited for if Max Retries is 0', async () => {
		const fault = statusFault(429, '', { 'retry-after': '1' });
		harness.sandbox.faults.add({ path: '/me', fault, times: 1 });
		const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } });
		expect(error!.message).toContain('the service is rate-limiting requests (429)');
		expect(me()).toHaveLength(1);
	});
});

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
			...CONTINUE,
		},
	);
	expect(items).toHaveLength(PAGES);
	return items.flatMap(({ json }) => (json.error ? [json.error] : []));
}

const testWithNginx = hasNginx ? test : test.skip;

describe('An nginx that limits requests (to install it, run: npm run setup:n8n)', () => {
	useRealPauses();

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
