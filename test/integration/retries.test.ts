import type { INodeParameters } from 'n8n-workflow';

import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const HOME = 'PAGE_home_65f1c0a2b3d4e';
const SHOP = 'PAGE_shop_65f1c0c7d8e9f';

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const { order, calls } = {
	order: (page: string) => harness.sandbox.account.order(page),
	calls: () => harness.sandbox.recorder.calls.length,
};

/** Turns the order of the home page round. */
async function reorderHome(options: INodeParameters = {}, more: RunNodeOptions = {}) {
	const blockIds = order(HOME).reverse();
	const outcome = await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds, options },
		more,
	);
	return { ...outcome, isDone: order(HOME).join() === blockIds.join() };
}

const strike = (fault: Fault, times = 1) =>
	harness.sandbox.faults.add({ path: '/sort', fault, times });

describe('is sent again', () => {
	test.each([429, 502, 503, 504])('after HTTP %p', async (status) => {
		strike(statusFault(status));
		const { error, isDone } = await reorderHome();
		expect(error).toBeUndefined();
		expect(isDone).toBe(true);
		expect(calls()).toBe(2);
	});

	test.each(['reset', 'lost', 'cut'] as const)('after the connection broke: %s', async (fault) => {
		strike(fault, 2);
		const { error, isDone, items } = await reorderHome();
		expect(error).toBeUndefined();
		expect(isDone).toBe(true);
		expect(items).toHaveLength(4);
		expect(calls()).toBe(3);
	});

	test.each(['hang', 'trickle'] as const)(
		'after no whole answer came in time: %s',
		async (fault) => {
			strike(fault);
			const { error, isDone } = await reorderHome({ timeout: 400 });
			expect(error).toBeUndefined();
			expect(isDone).toBe(true);
			expect(calls()).toBe(2);
			// What was given up is ended, not left to the service.
			expect(harness.sandbox.recorder.inFlight).toBe(0);
		},
	);

	test('after the token endpoint failed, which costs another grant', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(503), times: 1 });
		const { error } = await reorderHome();
		expect(error).toBeUndefined();
		expect([harness.sandbox.recorder.grants, calls()]).toEqual([2, 1]);
	});

	test('as often as Max Retries says, and the message then says how often', async () => {
		strike(statusFault(503, 'Busy.'), Infinity);
		const { error } = await reorderHome({ maxRetries: 1 });
		expect(calls()).toBe(2);
		expect(error!.message).toMatch(/The service said: "Busy\." Attempts: 2\.$/);
	});

	test('twice unless Max Retries is set, for Get Info too', async () => {
		harness.sandbox.faults.add({ path: '/me', fault: 'reset' });
		const { error } = await harness.runNode({ resource: 'me', operation: 'getInfo' });
		expect(calls()).toBe(3);
		expect(error!.message).toMatch(/Attempts: 3\.$/);
	});
});

describe('is not sent again', () => {
	test('if Max Retries is 0', async () => {
		strike(statusFault(503));
		const { error } = await reorderHome({ maxRetries: 0 });
		expect(calls()).toBe(1);
		expect(error!.message).not.toContain('tried');
	});

	const page = (status: number): Fault => ({ ...(namedFaults.html as object), status });

	test.each<[string, Fault]>([
		...[400, 403, 404, 409, 422, 500, 501].map((status): [string, Fault] => [
			`HTTP ${status}`,
			statusFault(status),
		]),
		['a page', page(200)],
		['a page with HTTP 403', page(403)],
		['broken JSON', namedFaults.malformed!],
		['success that says it is none', { status: 200, body: '{"status":false}' }],
		['success without blocks', { status: 200, body: '{"status":true,"data":{}}' }],
	])('after %s', async (_what, fault) => {
		strike(fault, Infinity);
		const { error, isDone } = await reorderHome();
		expect(error).toBeDefined();
		expect(isDone).toBe(false);
		expect(calls()).toBe(1);
	});

	test('after HTTP 401, but with a new token', async () => {
		strike(statusFault(401), Infinity);
		await reorderHome({}, { credential: storedToken(harness.sandbox, { accessToken: 'old' }) });
		expect([harness.sandbox.recorder.grants, calls()]).toEqual([1, 2]);
	});
});

describe('waits', () => {
	/** Runs a reorder whose first answer is this one; tells how long the second request was waited for. */
	async function measureWait(fault: Fault): Promise<number> {
		strike(fault);
		const begin = Date.now();
		const { error } = await reorderHome();
		expect(error).toBeUndefined();
		return Date.now() - begin;
	}

	test('as long as the service asks, in seconds', async () => {
		const wait = await measureWait(statusFault(429, '', { 'retry-after': '2' }));
		expect(wait).toBeGreaterThanOrEqual(2000);
	});

	test('as long as the service asks, as a date', async () => {
		// A date has no fraction of a second.
		const date = new Date(Date.now() + 3000).toUTCString();
		const wait = await measureWait(statusFault(503, '', { 'retry-after': date }));
		expect(wait).toBeGreaterThanOrEqual(1900);
	});

	test('while the other requests go on', async () => {
		const done: string[] = [];
		harness.sandbox.account.on('change', () => {
			const { body } = harness.sandbox.recorder.calls.at(-1)!;
			done.push(new URLSearchParams(body).get('page_id')!);
		});
		const fault = statusFault(429, '', { 'retry-after': '1' });
		harness.sandbox.faults.add({ page: HOME, fault, times: 1 });
		const { items } = await harness.runNode(
			{
				resource: 'blocks',
				operation: 'reorder',
				pageId: '={{ $json.page }}',
				blockOrder: 'value',
				blockIdsValue: '={{ $json.ids }}',
			},
			{
				items: [
					{ page: HOME, ids: order(HOME) },
					{ page: SHOP, ids: order(SHOP) },
				],
			},
		);
		expect(done).toEqual([SHOP, HOME]);
		expect(items.map(({ json }) => json.id)).toEqual([...order(HOME), ...order(SHOP)]);
	});
});

test('a service that restarts in the middle loses nothing', async () => {
	harness.sandbox.faults.latency = 10;
	let changes = 0;
	harness.sandbox.account.on('change', () => {
		changes += 1;
		if (changes === 5) {
			void harness.sandbox
				.suspend()
				.then(async () => await new Promise((resolve) => setTimeout(resolve, 700)))
				.then(async () => await harness.sandbox.resume());
		}
	});
	const pages = [HOME, SHOP];
	const items = Array.from({ length: 40 }, (_, index) => ({
		page: pages[index % 2],
		ids: index < 38 ? order(pages[index % 2]!) : order(pages[index % 2]!).reverse(),
	}));
	const outcome = await harness.runNode(
		{
			resource: 'blocks',
			operation: 'reorder',
			pageId: '={{ $json.page }}',
			blockOrder: 'value',
			blockIdsValue: '={{ $json.ids }}',
			options: { maxRetries: 5 },
		},
		{ items },
	);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ json }) => json.id)).toEqual(items.flatMap(({ ids }) => ids));
	expect(pages.map(order)).toEqual(items.slice(-2).map(({ ids }) => ids));
});
