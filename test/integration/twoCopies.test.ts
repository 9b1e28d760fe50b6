/** n8n loads the package with another copy of n8n-workflow than its own, as when npm has installed the peer dependency. */
import * as n8nWorkflow from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';

const harness = useHarness();
const copies = new Set<unknown>([n8nWorkflow.ExecutionBaseError]);

beforeAll(async () => {
	await jest.isolateModulesAsync(async () => {
		await harness.load();
		copies.add((await import('n8n-workflow')).ExecutionBaseError);
	});
});

describe('With a second copy of n8n-workflow', () => {
	test('there are two of each class', () => expect(copies.size).toBe(2));

	test('a wrong secret is named', async () => {
		const { error } = await harness.runNode(GET_INFO, { credential: { clientSecret: 'wrong' } });
		expect(error).toMatchObject({
			message: 'No access token: the service rejected the Client ID or the Client Secret (401)',
			description: expect.stringContaining('Check the Client ID, the Client Secret') as string,
		});
	});

	test.each([statusFault(503), statusFault(429), 'reset'] as const)(
		'a single failure of the token endpoint (%j) loses none of 20 items',
		async (fault) => {
			harness.sandbox.faults.add({ path: '/token', fault, times: 1 });
			const items = Array.from({ length: 20 }, () => ({}));
			const outcome = await harness.runNode(GET_INFO, { items });
			expect([outcome.error, outcome.items.length]).toEqual([undefined, 20]);
		},
	);

	test('the tokens of a public app are renewed', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(503), times: 1 });
		expect((await harness.runNode(GET_INFO, { publicAppTokens })).error).toBeUndefined();
	});

	test('an error of an expression stays one of n8n', async () => {
		const parameters = {
			resource: 'links',
			operation: 'create',
			title: '={{ $("Nowhere").item.json.a }}',
			url: 'https://a.example',
		};
		const { error } = await harness.runNode(parameters);
		expect(error).toMatchObject({ name: 'ExpressionError', context: { nodeCause: 'Nowhere' } });
	});
});
