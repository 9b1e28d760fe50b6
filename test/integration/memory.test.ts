import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';

const harness = useHarness();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ITEMS = 100;
/** In bytes. Bodies and responses are long, so that those of a hundred items stand out from what n8n and the tests keep. */
const LENGTH = 10_000;
const LIMIT = (ITEMS * LENGTH) / 2;

const TOKEN = { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 };

/** Starts a service that remembers nothing: what stays in memory is not its own. */
async function startForgetfulService() {
	let count = 0;
	return await startHttpServer((request, response) => {
		request.resume().on('end', () => {
			const done = { status: true, data: { text: `${(count += 1)}-`.padEnd(LENGTH, 'a') } };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(request.url === '/oauth/token' ? TOKEN : done));
		});
	});
}

test('changes for many items, and what the service responds, leave nothing in the memory of n8n', async () => {
	const service = await startForgetfulService();
	const account = harness.newAccount({ baseUrl: service.origin });

	/** Sends a change for each item. */
	async function run(): Promise<void> {
		const body = '={{ { text: $json.text } }}';
		const parameters = { resource: 'api', operation: 'request', method: 'POST', path: '/oauth/v1/notes', body };
		const items = Array.from({ length: ITEMS }, (_, id) => ({ text: `${id}-`.padEnd(LENGTH, 'a') }));
		const { error } = await harness.runNode(parameters, { ...account, items });
		expect(error).toBeUndefined();
	}

	/** Returns the bytes in use after a run. */
	async function memoryAfterRun(): Promise<number> {
		await run();
		// What finalizers release is collected the next time, in a later turn of the event loop.
		for (let time = 0; time < 2; time += 1) {
			await new Promise((resolve) => setTimeout(resolve, 50));
			collectGarbage();
		}
		return process.memoryUsage().heapUsed;
	}

	// Compiled code and caches take memory too.
	await run();
	const before = await memoryAfterRun();
	const after = await memoryAfterRun();
	service.close();
	expect(after - before).toBeLessThan(LIMIT);
}, 60_000);
