import type { INodeParameters } from 'n8n-workflow';

import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { batching, GET_INFO } from '../support/parameters';
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
		const isRejected = !isGrant && limit.accept(performance.now()) === undefined;
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
});
