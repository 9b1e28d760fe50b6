import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Stage } from '../support/setup';

const GET_INFO = { resource: 'me', operation: 'getInfo' };

let stage: Stage;
let trickle: Server;
beforeAll(async () => {
	stage = await Stage.open({ faults: [{ fault: 'hang' }] });
	trickle = createServer((_request, response) => drip(response));
	await new Promise<void>((resolve) => trickle.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	trickle.closeAllConnections();
	trickle.close();
	await stage.close();
});

/** Sends a little of an answer every second, and never the end of it. */
function drip(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 1000);
	response.on('close', () => clearInterval(timer));
}

// They wait side by side, for the limits are those that users get: 15 and 30 seconds.
test.concurrent(
	'a token that does not come is given up',
	async () => {
		const { error } = await stage.runNode(GET_INFO);
		expect(error!.message).toBe(
			'No access token: the service did not answer in time. Try again later.',
		);
	},
	25_000,
);

test.concurrent(
	'a token that trickles in is given up',
	async () => {
		const baseUrl = `http://127.0.0.1:${(trickle.address() as AddressInfo).port}`;
		const { error } = await stage.runNode(GET_INFO, { credential: { baseUrl } });
		expect(error!.message).toContain('No access token: the service did not answer in time');
	},
	25_000,
);

test.concurrent(
	'a call that is not answered is given up',
	async () => {
		const { error } = await stage.runNode(GET_INFO, { credential: { accessToken: 'token' } });
		expect(error!.message).toBe(
			'The profile info was not read: the service did not answer in time. Try again later.',
		);
	},
	40_000,
);
