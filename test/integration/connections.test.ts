import dns from 'node:dns';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

import { type RunNodeOptions, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness({ links: [] });

const titles = () => harness.sandbox.account.links.all.map(({ title }) => title);
/** By name, so that it is looked up. */
const byName = () => ({ baseUrl: harness.sandbox.baseUrl.replace('127.0.0.1', 'localhost') });

/** What certainly did not reach the service, and what an error says of it. */
const UNREACHED = [
	['getaddrinfo EAI_AGAIN localhost', 'the service cannot be reached'],
	['getaddrinfo EMFILE localhost', 'your n8n has too many files open'],
	['connect ETIMEDOUT 192.0.2.1:443 - Local (0.0.0.0:0)', 'the service did not respond in time'],
	// A host of several addresses.
	['connect ENETUNREACH 192.0.2.1:443 | connect ETIMEDOUT 192.0.2.2:443', 'the service cannot be reached'],
	[
		'Client network socket disconnected before secure TLS connection was established',
		'the connection to the service broke',
	],
] as const;

const codeOf = (message: string) => / (E[A-Z_]+) /.exec(message)?.[1] ?? 'ECONNRESET';

function connectionError(message: string): Error {
	const code = codeOf(message);
	const errors = message.split(' | ').map((each) => Object.assign(new Error(each), { code: codeOf(each) }));
	return Object.assign(errors.length > 1 ? new AggregateError(errors) : errors[0]!, { code });
}

/** Makes the next connections fail with such an error. */
function failConnections(message: string, times = 1): void {
	const lookup = jest.spyOn(dns, 'lookup');
	const fail = (...args: unknown[]) => process.nextTick(args.at(-1) as () => void, connectionError(message));
	for (let count = 0; count < times; count += 1) lookup.mockImplementationOnce(fail);
}

/** An account whose token is stored. */
async function connectedAccount() {
	const account = harness.newAccount(byName());
	await harness.runNode(GET_INFO, account);
	return account;
}

const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: 'https://example.com' };

afterEach(() => jest.restoreAllMocks());

describe('A connection that certainly did not reach the service, and may work a moment later', () => {
	test.each(UNREACHED)('is made again for a link: %s', async (message) => {
		const account = await connectedAccount();
		failConnections(message, 2);
		const { error } = await harness.runNode(create, { ...account, items: [{ title: 'A' }] });
		expect([error, titles()]).toEqual([undefined, ['A']]);
	});

	test.each(UNREACHED)('leaves nothing unknown if it does not: %s', async (message, words) => {
		const account = await connectedAccount();
		failConnections(message, 3);
		const { error } = await harness.runNode(create, { ...account, items: [{ title: 'A' }] });
		expect(error?.message).toBe(`The link "A" was not created: ${words}`);
		expect(titles()).toEqual([]);
	});

	const [[message]] = UNREACHED;

	test('is made again for a token', async () => {
		failConnections(message, 2);
		const items = Array.from({ length: 40 }, (_, index) => ({ title: `${index}` }));
		const options: RunNodeOptions = { credential: byName(), settings: { onError: 'continueRegularOutput' }, items };
		await harness.runNode(create, options);
		expect(titles()).toHaveLength(40);
	});

	test('is made again for the token of a public app', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		const lookup = jest.spyOn(dns, 'lookup');
		harness.sandbox.faults.add({ path: '/me', latency: 0, when: () => (failConnections(message), false) });
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens, credential: byName() });
		expect(lookup.mock.calls.length).toBeGreaterThan(1);
		expect(error).toBeUndefined();
	});

	test('does not keep a trigger from being activated', async () => {
		const trigger = harness.newTrigger({}, { credential: byName() });
		failConnections(message);
		await expect(trigger.activate('activate')).resolves.not.toThrow();
		trigger.deactivate();
	});
});

test('A host of several addresses that cannot be reached leaves nothing unknown', async () => {
	const stopped = await harness.stoppedSandbox();
	const baseUrl = stopped.baseUrl.replace('127.0.0.1', 'localhost');
	const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
	const found = (...args: unknown[]) => (args.at(-1) as (error: null, found: unknown) => void)(null, addresses);
	jest.spyOn(dns, 'lookup').mockImplementation(found);
	const credential = storedToken(stopped, { accessToken: 'a-token', credential: { baseUrl } });
	const { error } = await harness.runNode(create, { credential, items: [{ title: 'A' }] });
	expect(error?.message).toBe('The link "A" was not created: the service cannot be reached');
});

test.each([
	['getaddrinfo ENOTFOUND localhost', 'The link "A" was not created: the host of the service was not found'],
	['write EHOSTUNREACH 192.0.2.1:443', 'It is unknown whether the link "A" was created: the service cannot be reached'],
	[
		'read ETIMEDOUT 192.0.2.1:443',
		'It is unknown whether the link "A" was created: the service did not respond in time',
	],
])('A connection for a link is not made again after %s', async (message, words) => {
	const account = await connectedAccount();
	failConnections(message);
	const { error } = await harness.runNode(create, { ...account, items: [{ title: 'A' }] });
	expect(error?.message).toBe(words);
	expect(titles()).toEqual([]);
});

describe('A server', () => {
	let server: net.Server | undefined;
	afterEach(() => server?.close());

	async function startServer(onConnection: (socket: net.Socket) => void): Promise<string> {
		server = net.createServer((socket) => {
			socket.on('error', () => undefined);
			onConnection(socket);
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
		return `localhost:${(server.address() as AddressInfo).port}`;
	}

	test.each([
		['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'HPE_INVALID_CONSTANT'],
		['has a header that is too long', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 'HPE_HEADER_OVERFLOW'],
	])('whose response %s was reached, and the error has the code', async (_what, response, code) => {
		const host = await startServer((socket) => socket.end(response));
		const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl: `http://${host}` } });
		expect(error).toMatchObject({
			message: `No access token: the service sent no usable response (${code})`,
			description: 'Check the Base URL and the network of your n8n.',
		});
	});

	test('that closes a connection before it is encrypted gets the request once more', async () => {
		let connections = 0;
		const host = await startServer((socket) => {
			connections += 1;
			socket.end();
		});
		const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl: `https://${host}` } });
		expect(error?.message).toBe('No access token: the connection to the service broke');
		expect(connections).toBe(3);
	});
});
