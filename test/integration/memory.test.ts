import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';

const harness = useHarness();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const TOKEN = JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 });
const DONE = JSON.stringify({ status: true, data: {} });

/** Starts a service that remembers nothing: what stays in memory is not its own. */
async function startForgetfulService() {
	return await startHttpServer((request, response) => {
		request.resume().on('end', () => {
			response.setHeader('content-type', 'application/json');
			response.end(request.url === '/oauth/token' ? TOKEN : DONE);
		});
	});
}

const ITEMS = 10_000;
/** In bytes: less than a request takes. What n8n and the tests keep varies by half of it. */
const LEFT_OF_AN_ITEM = 200;

test('changes for 10,000 items leave nothing in the memory of n8n', async () => {
	const service = await startForgetfulService();
	const account = harness.newAccount({ baseUrl: service.origin });

	/** Sends a change for each item, and returns the bytes in use afterwards. */
	async function memoryAfter(count: number): Promise<number> {
		const parameters = { resource: 'api', operation: 'request', method: 'POST', path: '={{ $json.path }}' };
		const items = Array.from({ length: count }, (_, id) => ({ path: `/oauth/v1/notes/${id}` }));
		const { error } = await harness.runNode(parameters, { ...account, items });
		expect(error).toBeUndefined();
		// What finalizers release is collected the next time, in a later turn of the event loop.
		for (let time = 0; time < 3; time += 1) {
			await new Promise((resolve) => setTimeout(resolve, 50));
			collectGarbage();
		}
		return process.memoryUsage().heapUsed;
	}

	// Compiled code and caches take memory too.
	const before = await memoryAfter(4000);
	const after = await memoryAfter(ITEMS);
	service.close();
	expect(after - before).toBeLessThan(ITEMS * LEFT_OF_AN_ITEM);
}, 240_000);
