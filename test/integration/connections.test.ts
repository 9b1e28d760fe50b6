/** What the node makes of connections that fail, also over TLS. */
import dns from 'node:dns';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';

import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness({ links: [] });

let server: net.Server | undefined;
afterEach(() => {
	jest.restoreAllMocks();
	server?.close();
});

/** Starts a TCP server, and returns its port. */
async function startServer(onConnection: (socket: net.Socket) => void): Promise<number> {
	server = net.createServer((socket) => {
		socket.on('error', () => undefined);
		onConnection(socket);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return (server.address() as AddressInfo).port;
}

const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: 'https://example.com' };
const A = { items: [{ title: 'A' }] };
const NOT_CREATED = 'The link "A" was not created: ';
const UNKNOWN = 'It is unknown whether the link "A" was created: ';
const titles = () => harness.sandbox.account.links.all.map(({ title }) => title);
/** By name, so that it is looked up. */
const byName = (baseUrl: string) => ({ baseUrl: baseUrl.replace('127.0.0.1', 'localhost') });

/** An account whose token is stored. */
async function connectedAccount() {
	const account = harness.newAccount(byName(harness.sandbox.baseUrl));
	await harness.runNode(GET_INFO, account);
	return account;
}

const codeOf = (message: string) => / (E[A-Z_]+) /.exec(message)?.[1] ?? 'ECONNRESET';

/** Makes the next connections fail with such an error. */
function failConnections(message: string, times = 1): void {
	const errors = message.split(' | ').map((each) => Object.assign(new Error(each), { code: codeOf(each) }));
	const error = Object.assign(errors.length > 1 ? new AggregateError(errors) : errors[0]!, { code: codeOf(message) });
	const lookup = jest.spyOn(dns, 'lookup');
	const fail = (...args: unknown[]) => process.nextTick(args.at(-1) as () => void, error);
	for (let count = 0; count < times; count += 1) lookup.mockImplementationOnce(fail);
}

const LOOKUP_FAILED = 'getaddrinfo EAI_AGAIN localhost';

describe('A connection that certainly did not reach the service, and may work a moment later', () => {
	test.each([
		[LOOKUP_FAILED, 'the service cannot be reached'],
		['getaddrinfo EMFILE localhost', 'the service cannot be reached'],
		['connect ETIMEDOUT 192.0.2.1:443 - Local (0.0.0.0:0)', 'the service did not respond in time'],
		// A host of several addresses.
		['connect ENETUNREACH 192.0.2.1:443 | connect ETIMEDOUT 192.0.2.2:443', 'the service cannot be reached'],
		[
			'Client network socket disconnected before secure TLS connection was established',
			'the connection to the service broke',
		],
	])('is made again for a link, and if it does not, leaves nothing unknown: %s', async (message, words) => {
		const account = await connectedAccount();
		failConnections(message, 3);
		expect((await harness.runNode(create, { ...account, ...A })).error?.message).toBe(NOT_CREATED + words);
		expect(titles()).toEqual([]);
		failConnections(message, 2);
		expect((await harness.runNode(create, { ...account, ...A })).error).toBeUndefined();
		expect(titles()).toEqual(['A']);
	});

	test('is made again for the token of many items', async () => {
		failConnections(LOOKUP_FAILED, 2);
		const items = Array.from({ length: 20 }, (_, index) => ({ title: `${index}` }));
		await harness.runNode(create, { credential: byName(harness.sandbox.baseUrl), items });
		expect(titles()).toHaveLength(20);
	});

	test('is made again for the token of a public app', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		const lookup = jest.spyOn(dns, 'lookup');
		harness.sandbox.faults.add({ path: '/me', when: () => (failConnections(LOOKUP_FAILED), false) });
		const credential = byName(harness.sandbox.baseUrl);
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens, credential });
		expect(lookup.mock.calls.length).toBeGreaterThan(1);
		expect(error).toBeUndefined();
	});

	test('does not keep a trigger from being activated', async () => {
		const trigger = harness.newTrigger({}, { credential: byName(harness.sandbox.baseUrl) });
		failConnections(LOOKUP_FAILED);
		await expect(trigger.activate('activate')).resolves.not.toThrow();
		trigger.deactivate();
	});
});

test.each([
	['getaddrinfo ENOTFOUND localhost', `${NOT_CREATED}the host of the service was not found`],
	['write EHOSTUNREACH 192.0.2.1:443', `${UNKNOWN}the service cannot be reached`],
	['read ETIMEDOUT 192.0.2.1:443', `${UNKNOWN}the service did not respond in time`],
])('A connection for a link is not made again after %s', async (error, message) => {
	const account = await connectedAccount();
	failConnections(error);
	expect((await harness.runNode(create, { ...account, ...A })).error?.message).toBe(message);
	expect(titles()).toEqual([]);
});

test.each([1, 2])('A host of %i addresses that refuse the connection leaves nothing unknown', async (count) => {
	const stopped = await harness.stoppedSandbox();
	const addresses = ['127.0.0.1', '127.0.0.2'].slice(0, count).map((address) => ({ address, family: 4 }));
	const found = (...args: unknown[]) => (args.at(-1) as (error: null, found: unknown) => void)(null, addresses);
	jest.spyOn(dns, 'lookup').mockImplementation(found);
	const credential = storedToken(stopped, { accessToken: 'a-token', credential: byName(stopped.baseUrl) });
	const { error } = await harness.runNode({ ...create, options: { maxRetries: 0 } }, { credential, ...A });
	expect(error).toMatchObject({
		message: `${NOT_CREATED}the service cannot be reached`,
		description: 'Check the Base URL, whether the service is running, and the network of your n8n.',
	});
});

describe('A server', () => {
	test.each([
		['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'HPE_INVALID_CONSTANT'],
		['has a header that is too long', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 'HPE_HEADER_OVERFLOW'],
	])('whose response %s was reached, and the error has the code', async (_what, response, code) => {
		const port = await startServer((socket) => socket.end(response));
		const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl: `http://localhost:${port}` } });
		expect(error).toMatchObject({
			message: `No access token: the service sent no usable response (${code})`,
			description: 'Check the Base URL and the network of your n8n.',
		});
	});

	test('that closes a connection before it is encrypted gets the request again', async () => {
		let connections = 0;
		const port = await startServer((socket) => {
			connections += 1;
			socket.end();
		});
		const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl: `https://localhost:${port}` } });
		expect(error?.message).toBe('No access token: the connection to the service broke');
		expect(connections).toBe(3);
	});
});

describe('If the service does not respond in time', () => {
	/** Makes time limits shorter than for users; the tests check the limits that the node asks for. */
	function shortenTimeLimits() {
		const startTimeout = AbortSignal.timeout.bind(AbortSignal);
		const shorter = (milliseconds: number) => startTimeout(Math.ceil(milliseconds / 100));
		return jest.spyOn(AbortSignal, 'timeout').mockImplementation(shorter);
	}

	test.each([
		['a token request fails after 30 s', false, 30_000, 'No access token'],
		['a call fails after the Timeout that is set', true, 1500, 'The profile info was not read'],
	])('%s', async (_what, hasToken, milliseconds, what) => {
		harness.sandbox.faults.add({ fault: 'hang' });
		const timeout = shortenTimeLimits();
		const options = { maxRetries: 0, ...(hasToken && { timeout: milliseconds }) };
		const credential = hasToken ? storedToken(harness.sandbox, { accessToken: 'token' }) : {};
		const { error } = await harness.runNode({ ...GET_INFO, options }, { credential });
		expect(error).toMatchObject({
			message: `${what}: the service did not respond in time`,
			description:
				'Try again later. If it happens often, raise Timeout (ms) in the options of Profile Page nodes; lists and triggers wait for 15 seconds.',
		});
		expect(timeout).toHaveBeenCalledWith(milliseconds);
	});
});

describe('Over TLS, a link', () => {
	beforeEach(async () => {
		await harness.restart({ tls: true, links: [] });
		// Node.js reads which certificates it trusts only when it starts.
		const { connect } = tls;
		const trust = { ca: harness.sandbox.certificate };
		jest
			.spyOn(tls, 'connect')
			.mockImplementation((...[options]: unknown[]) => connect({ ...(options as object), ...trust }));
	});

	test.each<[what: string, interruption: string | Buffer]>([
		['a response without TLS', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'],
		['an alert without encryption', Buffer.from([0x15, 3, 3, 0, 2, 2, 80])],
		['data that is not TLS', Buffer.alloc(100)],
		['the end of the connection', ''],
	])('is created once if the service creates it and %s follows', async (_what, interruption) => {
		const port = await startServer((client) => {
			const service = net.connect(Number(new URL(harness.sandbox.baseUrl).port), '127.0.0.1');
			service.on('error', () => undefined);
			client.pipe(service);
			service.on('data', (data) => (titles().length > 0 ? client.end(interruption) : client.write(data)));
			client.on('close', () => service.destroy());
		});
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { error } = await harness.runNode(create, {
			...A,
			credential: { baseUrl: `https://localhost:${port}` },
			settings,
		});
		expect(error!.message).toMatch(new RegExp(`^${UNKNOWN}`));
		expect(titles()).toEqual(['A']);
	});

	test('is not created if the proxy of n8n closes the connection before it leads to the service, and the error says so', async () => {
		// n8n passes an IP address as TLS server name, which Node.js 26 refuses.
		const account = harness.newAccount({ baseUrl: harness.sandbox.baseUrl.replace('127.0.0.1', 'localhost') });
		await harness.runNode(GET_INFO, account);
		const port = await startServer((client) => client.once('data', () => client.end()));
		process.env.HTTPS_PROXY = `http://127.0.0.1:${port}`;
		const { error } = await harness.runNode(create, { ...account, ...A }).finally(() => delete process.env.HTTPS_PROXY);
		expect(error).toMatchObject({
			message: `${NOT_CREATED}the proxy of your n8n closed the connection`,
			description: 'Check the settings of the proxy.',
		});
		expect(titles()).toEqual([]);
	});
});
