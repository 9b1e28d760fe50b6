import type { INodeParameters } from 'n8n-workflow';

import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { hasNginx, type NginxLimits, startNginx } from '../support/nginx';
import { HOME, SHOP } from '../support/pages';
import { batching, GET_INFO, REORDER_EACH_ITEM } from '../support/parameters';
import { pauses, useRealPauses } from '../support/pauses';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

const order = (page: string) => harness.sandbox.account.order(page);
const calls = () => harness.sandbox.recorder.calls.length;
const CONTINUE = { settings: { onError: 'continueRegularOutput' } } as const;
const emptyItems = (count: number) => Array.from({ length: count }, () => ({}));

/** Reverses the order of the home page. */
async function reorderHome(options: INodeParameters = {}, more: RunNodeOptions = {}) {
	const blockIds = order(HOME).reverse();
	const outcome = await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds, options },
		more,
	);
	return { ...outcome, isReordered: order(HOME).join() === blockIds.join() };
}

const failCalls = (fault: Fault, times = Infinity, path = '/sort') =>
	harness.sandbox.faults.add({ path, fault, times });

describe('A request is retried', () => {
	const BUSY = statusFault(503);

	test.each<[string, Fault, times: number, INodeParameters]>([
		['HTTP 429', statusFault(429), 1, {}],
		['no response in time', 'hang', 1, { timeout: 500 }],
		['no end of the response in time', 'trickle', 1, { timeout: 500 }],
		['a service that is busy again and again, which uses up no retry', BUSY, 4, { maxRetries: 1 }],
	])('after %s', async (_what, fault, times, options) => {
		failCalls(fault, times);
		const { error, isReordered } = await reorderHome(options);
		expect([error, isReordered, calls()]).toEqual([undefined, true, times + 1]);
		// The connection of a request that timed out is closed.
		expect(harness.sandbox.recorder.inFlight).toBe(0);
	});

	test('after the token endpoint failed, with another token request', async () => {
		failCalls(statusFault(503), 1, '/token');
		const { error } = await reorderHome();
		expect([error, harness.sandbox.recorder.grants, calls()]).toEqual([undefined, 2, 1]);
	});

	test('as often as Max Retries says, and the error reports the attempts', async () => {
		failCalls(statusFault(502, 'Busy.'));
		const { error } = await reorderHome({ maxRetries: 1 });
		expect(calls()).toBe(2);
		expect(error).toMatchObject({
			message: `It is unknown whether the blocks of page "${HOME}" were reordered: the service failed (502)`,
			description: 'Try again later. The service said: "Busy." Attempts: 2.',
		});
	});

	test('while other requests are sent', async () => {
		const done: string[] = [];
		harness.sandbox.account.on('change', () => {
			const { body } = harness.sandbox.recorder.calls.at(-1)!;
			done.push(new URLSearchParams(body).get('page_id')!);
		});
		harness.sandbox.faults.add({ page: HOME, fault: statusFault(429, '', { 'retry-after': '1' }), times: 1 });
		const items = [HOME, SHOP].map((page) => ({ page, ids: order(page) }));
		const { items: output } = await harness.runNode(REORDER_EACH_ITEM, { items });
		expect(done).toEqual([SHOP, HOME]);
		expect(output.map(({ json }) => json.id)).toEqual([...order(HOME), ...order(SHOP)]);
	});

	test('after the service has restarted during an execution, and no item fails', async () => {
		harness.sandbox.faults.latency = 10;
		let changes = 0;
		harness.sandbox.account.on('change', () => {
			changes += 1;
			if (changes !== 5) return;
			void harness.sandbox.suspend().then(async () => {
				await new Promise((resolve) => setTimeout(resolve, 50));
				await harness.sandbox.resume();
			});
		});
		const pages = [HOME, SHOP];
		const items = Array.from({ length: 40 }, (_, index) => {
			const ids = order(pages[index % 2]!);
			return { page: pages[index % 2], ids: index < 38 ? ids : ids.reverse() };
		});
		const outcome = await harness.runNode({ ...REORDER_EACH_ITEM, options: { maxRetries: 5 } }, { items });
		expect(outcome.error).toBeUndefined();
		expect(outcome.items.map(({ json }) => json.id)).toEqual(items.flatMap(({ ids }) => ids));
		expect(pages.map(order)).toEqual(items.slice(-2).map(({ ids }) => ids));
	});
});

describe('A request is not retried', () => {
	test.each<[string, Fault]>([
		['HTTP 400', statusFault(400)],
		['HTTP 500', statusFault(500)],
		['a web page', namedFaults.html!],
		['status false', { status: 200, body: '{"status":false}' }],
	])('after %s', async (_name, fault) => {
		failCalls(fault);
		const { error, isReordered } = await reorderHome();
		expect(error).toBeDefined();
		expect([isReordered, calls()]).toEqual([false, 1]);
	});

	test('after HTTP 401, except once with a new token', async () => {
		failCalls(statusFault(401));
		await reorderHome({}, { credential: storedToken(harness.sandbox, { accessToken: 'old' }) });
		expect([harness.sandbox.recorder.grants, calls()]).toEqual([1, 2]);
	});
});

describe('A request that may have been applied, and then gets no token', () => {
	const NO_TOKEN = /^No access token: /;
	const UNKNOWN = /^It is unknown whether the blocks of page ".*" were reordered: no access token: /;

	test.each<[string, Fault | undefined, Fault, RegExp]>([
		['has an unknown outcome after HTTP 400', statusFault(504), statusFault(400), UNKNOWN],
		['has an unknown outcome after a reset', statusFault(504), 'reset', UNKNOWN],
		['is not one if the first attempt was rejected', undefined, statusFault(400), NO_TOKEN],
	])('%s', async (_what, first, tokenFault, message) => {
		if (first) failCalls(first, 1);
		failCalls(statusFault(401));
		failCalls(tokenFault, Infinity, '/token');
		const credential = storedToken(harness.sandbox, { accessToken: 'revoked' });
		const { error } = await reorderHome({ maxRetries: 2 }, { credential });
		expect(error!.message).toMatch(message);
		if (first) expect(error!.description).not.toContain('The request itself was not sent');
	});
});

describe('A Retry-After', () => {
	const failInfo = (seconds: number, times?: number) =>
		failCalls(statusFault(429, 'Slow down.', { 'retry-after': `${seconds}` }), times, '/me');

	test('makes all requests of the account wait', async () => {
		failInfo(10, 1);
		pauses.length = 0;
		const { error } = await harness.runNode({ ...GET_INFO, options: batching(2) }, { items: emptyItems(20) });
		expect([error, calls()]).toEqual([undefined, 21]);
		// One pause for all, as long as the service asks.
		const long = pauses.filter((milliseconds) => milliseconds > 0);
		expect(long).toHaveLength(1);
		expect(long[0]).toBeGreaterThanOrEqual(10_000);
	});

	test('of 91 s is not waited for, and the error says so, and what the service said; no more is sent', async () => {
		failInfo(91);
		const parameters = { ...GET_INFO, options: batching(2) };
		const { items } = await harness.runNode(parameters, { items: emptyItems(40), ...CONTINUE });
		expect(calls()).toBeLessThanOrEqual(2);
		const until = 'he service asks to wait until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
		expect(items[0]!.json.error).toMatch(
			new RegExp(
				`^The profile info was not read: the service is rate-limiting requests \\(429\\)\\. T${until}\\. Try again after that\\. Run workflows less often, or lower Items per Batch in the options of Profile Page nodes\\. The service said: "Slow down\\."$`,
			),
		);
		const refused = new RegExp(`^The profile info was not read: t${until}\\. Try again later\\.$`);
		for (const { json } of items.slice(2)) expect(json.error).toMatch(refused);
	});

	test('is not waited for if Max Retries is 0', async () => {
		failInfo(1, 1);
		const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } });
		expect(error!.message).toContain('the service is rate-limiting requests (429)');
		expect(calls()).toBe(1);
	});
});

const limitReq = (zone: string, options: string) => ({
	zone: `limit_req_zone $server_port zone=${zone}:1m rate=20r/s`,
	apply: `limit_req zone=${zone} ${options}`,
});

/** By default, nginx rejects requests with 503, without Retry-After. */
const limits: NginxLimits = {
	burst: limitReq('burst', 'burst=5 nodelay'),
	delay: limitReq('delay', 'burst=20'),
	two: { zone: 'limit_conn_zone $server_port zone=two:1m', apply: 'limit_conn two 2' },
};

/** Starts a service that grants tokens and reorders pages, and takes 25 ms for each request. */
async function startSlowService() {
	const token = { access_token: 'a', token_type: 'Bearer', expires_in: 3600 };
	const reordered = { status: true, data: { blocks: [{ id: 'a', position: 0 }] } };
	return await startHttpServer((request, reply) => {
		request.resume();
		const body = JSON.stringify(request.url === '/oauth/token' ? token : reordered);
		reply.setHeader('content-type', 'application/json');
		setTimeout(() => reply.end(body), 25);
	});
}

describe('An nginx that limits requests (to install it, run: npm run setup:n8n)', () => {
	useRealPauses();

	(hasNginx ? test : test.skip)(
		'loses none of 40 pages at a time, whether it limits their rate or their number',
		async () => {
			const service = await startSlowService();
			const nginx = await startNginx(service.origin, limits);
			const names = Object.keys(limits);
			const items = Array.from({ length: 40 }, (_, index) => ({ page: `PAGE_${index}`, ids: ['a'] }));
			const parameters = { ...REORDER_EACH_ITEM, options: batching(40) };
			const runs = names.map(async (name) => {
				const credential = { baseUrl: nginx.baseUrlOf(name) };
				return (await harness.runNode(parameters, { items, credential, ...CONTINUE })).items;
			});
			const outputs = await Promise.all(runs);
			const rejected = await nginx.stop();
			service.close();
			for (const output of outputs) {
				expect(output).toHaveLength(40);
				expect(output.filter(({ json }) => json.error)).toEqual([]);
			}
			for (const name of names) expect(rejected.some((url) => url.startsWith(`/${name}/`))).toBe(true);
		},
		90_000,
	);
});
