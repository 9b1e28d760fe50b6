import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const GET_INFO = { resource: 'me', operation: 'getInfo', options: { maxRetries: 0 } };

let harness: Harness;
let trickle: Server;
beforeAll(async () => {
	harness = await Harness.open({ faults: [{ fault: 'hang' }] });
	trickle = createServer((_request, response) => drip(response));
	await new Promise<void>((resolve) => trickle.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	trickle.closeAllConnections();
	trickle.close();
	await harness.close();
});

/** Sends a little of an answer every second, and never the end of it. */
function drip(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 1000);
	response.on('close', () => clearInterval(timer));
}

/** A credential with a token that the service is yet to see. */
const withToken = (baseUrl?: string) =>
	storedToken(harness.sandbox, {
		accessToken: 'token',
		...(baseUrl && { credential: { baseUrl } }),
	});

const trickleUrl = () => `http://127.0.0.1:${(trickle.address() as AddressInfo).port}`;

const NOT_READ =
	'The profile info was not read: the service did not answer in time. Try again later.';

// They wait side by side, for the limits are those that users get: 15 and 30 seconds.
test.concurrent(
	'a token that does not come is given up',
	async () => {
		const { error } = await harness.runNode(GET_INFO);
		expect(error!.message).toBe(
			'No access token: the service did not answer the token request in time. The request itself was not sent. Try again later.',
		);
	},
	25_000,
);

test.concurrent(
	'a token that trickles in is given up',
	async () => {
		const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl: trickleUrl() } });
		expect(error!.message).toContain(
			'No access token: the service did not answer the token request in time',
		);
	},
	25_000,
);

test.concurrent(
	'a call that is not answered is given up',
	async () => {
		const { error } = await harness.runNode(GET_INFO, { credential: withToken() });
		expect(error!.message).toBe(NOT_READ);
	},
	40_000,
);

test.concurrent.each([
	['hangs', () => harness.sandbox.baseUrl],
	['trickles in', trickleUrl],
])(
	'a call whose answer %s is given up sooner if the Timeout says so',
	async (_what, baseUrl) => {
		const begin = Date.now();
		const { error } = await harness.runNode(
			{ ...GET_INFO, options: { maxRetries: 0, timeout: 1500 } },
			{ credential: withToken(baseUrl()) },
		);
		expect(error!.message).toBe(NOT_READ);
		expect(Date.now() - begin).toBeGreaterThanOrEqual(1500);
	},
	14_000,
);
