import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { batching, GET_INFO } from '../support/parameters';
import { pauses } from '../support/pauses';

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
