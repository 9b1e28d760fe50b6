import type { ServerResponse } from 'node:http';

import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const SEND_ONCE = { ...GET_INFO, options: { maxRetries: 0 } };

const harness = useHarness({ faults: [{ fault: 'hang' }] });
let slowServer: Awaited<ReturnType<typeof startHttpServer>>;
beforeAll(async () => {
	slowServer = await startHttpServer((_request, response) => drip(response));
});
afterAll(() => slowServer.close());

/** Time limits are shorter than for users; the tests check the limits that the node asks for. */
const DIVISOR = 100;
const startTimeout = AbortSignal.timeout.bind(AbortSignal);
let timeout: jest.SpiedFunction<typeof AbortSignal.timeout>;
beforeEach(() => {
	timeout = jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((milliseconds) => startTimeout(Math.ceil(milliseconds / DIVISOR)));
});
afterEach(() => timeout.mockRestore());

/** Sends one byte of a response after another, without end. */
function drip(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 5);
	response.on('close', () => clearInterval(timer));
}

/** A credential with a stored token. */
const withToken = (baseUrl: string) => storedToken(harness.sandbox, { accessToken: 'token', credential: { baseUrl } });

const NOT_READ = {
	message: 'The profile info was not read: the service did not respond in time',
	description: 'Try again later. If it happens often, raise Timeout (ms) in the options of the node.',
};

describe.each([
	['never begins', () => harness.sandbox.baseUrl],
	['never ends', () => slowServer.origin],
])('If a response %s,', (_name, baseUrl) => {
	test('a token request fails after 30 s', async () => {
		const { error } = await harness.runNode(SEND_ONCE, { credential: { baseUrl: baseUrl() } });
		expect(error).toMatchObject({
			message: 'No access token: the service did not respond in time',
			description: 'Try again later.',
		});
		expect(timeout).toHaveBeenCalledWith(30_000);
	});

	test('a call fails after the Timeout that is set', async () => {
		const { error } = await harness.runNode(
			{ ...GET_INFO, options: { maxRetries: 0, timeout: 1500 } },
			{ credential: withToken(baseUrl()) },
		);
		expect(error).toMatchObject(NOT_READ);
		expect(timeout).toHaveBeenCalledWith(1500);
	});
});
