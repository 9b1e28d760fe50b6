import type { INodeParameters } from 'n8n-workflow';

import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { HOME, SHOP } from '../support/pages';
import { REORDER_EACH_ITEM } from '../support/parameters';
import { pauses } from '../support/pauses';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

const order = (page: string) => harness.sandbox.account.order(page);
const calls = () => harness.sandbox.recorder.calls.length;

/** Reverses the order of the home page. */
async function reorderHome(options: INodeParameters = {}, more: RunNodeOptions = {}) {
	const blockIds = order(HOME).reverse();
	const outcome = await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds, options },
		more,
	);
	return { ...outcome, isReordered: order(HOME).join() === blockIds.join() };
}

const failCalls = (fault: Fault, times = 1) => harness.sandbox.faults.add({ path: '/sort', fault, times });

describe('A request is retried', () => {
	test.each([429, 502])('after HTTP %p', async (status) => {
		failCalls(statusFault(status));
		const { error, isReordered } = await reorderHome();
		expect(error).toBeUndefined();
		expect(isReordered).toBe(true);
		expect(calls()).toBe(2);
	});

	test.each(['lost', 'cut'] as const)('after the connection fault "%s"', async (fault) => {
		failCalls(fault, 2);
		const { error, isReordered, items } = await reorderHome();
		expect(error).toBeUndefined();
		expect(isReordered).toBe(true);
		expect(items).toHaveLength(4);
		expect(calls()).toBe(3);
	});

	test.each(['hang', 'trickle'] as const)(
		'after the response did not end in time, with the connection fault "%s"',
		async (fault) => {
			failCalls(fault);
			const { error, isReordered } = await reorderHome({ timeout: 400 });
			expect(error).toBeUndefined();
			expect(isReordered).toBe(true);
			expect(calls()).toBe(2);
			// The connection of a request that timed out is closed.
			expect(harness.sandbox.recorder.inFlight).toBe(0);
		},
	);

	test('after the token endpoint failed, with another token request', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(503), times: 1 });
		const { error } = await reorderHome();
		expect(error).toBeUndefined();
		expect([harness.sandbox.recorder.grants, calls()]).toEqual([2, 1]);
	});

	test('as often as Max Retries says, and the error reports the attempts', async () => {
		failCalls(statusFault(502, 'Busy.'), Infinity);
		const { error } = await reorderHome({ maxRetries: 1 });
		expect(calls()).toBe(2);
		expect(error).toMatchObject({
			message: `It is unknown whether the blocks of page "${HOME}" were reordered: the service, or a proxy on the way to it, failed (502)`,
			description:
				'Try again later, or raise Max Retries in the options of the node. The service said: "Busy." Attempts: 2.',
		});
	});
});

test('A service that is busy again and again uses up no retry', async () => {
	failCalls(statusFault(503), 8);
	const { error, isReordered } = await reorderHome({ maxRetries: 1 });
	expect(error).toBeUndefined();
	expect([isReordered, calls()]).toEqual([true, 9]);
});

describe('A request is not retried', () => {
	const webPage = (status: number): Fault => ({ ...(namedFaults.html as object), status });

	test.each<[string, Fault]>([
		...[400, 500].map((status): [string, Fault] => [`HTTP ${status}`, statusFault(status)]),
		['a web page', webPage(200)],
		['status false', { status: 200, body: '{"status":false}' }],
	])('after %s', async (_name, fault) => {
		failCalls(fault, Infinity);
		const { error, isReordered } = await reorderHome();
		expect(error).toBeDefined();
		expect(isReordered).toBe(false);
		expect(calls()).toBe(1);
	});

	test('after HTTP 401, except once with a new token', async () => {
		failCalls(statusFault(401), Infinity);
		await reorderHome({}, { credential: storedToken(harness.sandbox, { accessToken: 'old' }) });
		expect([harness.sandbox.recorder.grants, calls()]).toEqual([1, 2]);
	});
});

describe('A retry waits', () => {
	test('longer each time if Retry-After is no wait', async () => {
		failCalls(statusFault(429, '', { 'retry-after': '0' }), 2);
		pauses.length = 0;
		expect((await reorderHome()).error).toBeUndefined();
		const [first, second] = pauses.filter((pause) => pause > 0);
		expect(first).toBeGreaterThanOrEqual(125);
		expect(second).toBeGreaterThanOrEqual(first!);
	});

	test('while other requests are sent', async () => {
		const done: string[] = [];
		harness.sandbox.account.on('change', () => {
			const { body } = harness.sandbox.recorder.calls.at(-1)!;
			done.push(new URLSearchParams(body).get('page_id')!);
		});
		const fault = statusFault(429, '', { 'retry-after': '1' });
		harness.sandbox.faults.add({ page: HOME, fault, times: 1 });
		const { items } = await harness.runNode(REORDER_EACH_ITEM, {
			items: [
				{ page: HOME, ids: order(HOME) },
				{ page: SHOP, ids: order(SHOP) },
			],
		});
		expect(done).toEqual([SHOP, HOME]);
		expect(items.map(({ json }) => json.id)).toEqual([...order(HOME), ...order(SHOP)]);
	});
});

test('a service that restarts during an execution causes no failed item', async () => {
	harness.sandbox.faults.latency = 10;
	let changes = 0;
	harness.sandbox.account.on('change', () => {
		changes += 1;
		if (changes === 5) {
			void harness.sandbox
				.suspend()
				.then(async () => await new Promise((resolve) => setTimeout(resolve, 50)))
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
			...REORDER_EACH_ITEM,
			options: { maxRetries: 5 },
		},
		{ items },
	);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ json }) => json.id)).toEqual(items.flatMap(({ ids }) => ids));
	expect(pages.map(order)).toEqual(items.slice(-2).map(({ ids }) => ids));
});
