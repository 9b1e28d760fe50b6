import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';

import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';

const harness = useHarness({ tls: true, links: [] });
const links = () => harness.sandbox.account.links.all;

let proxy: net.Server | undefined;
beforeEach(() => {
	// Node.js reads which certificates it trusts only when it starts.
	const { connect } = tls;
	const trust = { ca: harness.sandbox.certificate };
	jest
		.spyOn(tls, 'connect')
		.mockImplementation((...[options]: unknown[]) => connect({ ...(options as object), ...trust }));
});
afterEach(() => {
	jest.restoreAllMocks();
	proxy?.close();
});

/**
 * Starts a TCP proxy in front of the sandbox, and returns its address. Instead of the response to the creation of a link,
 * it sends `interruption` and closes the connection.
 */
async function startProxy(interruption: string | Buffer): Promise<string> {
	const { port } = new URL(harness.sandbox.baseUrl);
	proxy = net.createServer((client) => {
		const service = net.connect(Number(port), '127.0.0.1');
		for (const socket of [client, service]) socket.on('error', () => undefined);
		client.pipe(service);
		service.on('data', (data) => {
			if (links().length > 0) client.end(interruption);
			else client.write(data);
		});
		client.on('close', () => service.destroy());
	});
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	return `https://localhost:${(proxy.address() as AddressInfo).port}`;
}

test.each<[what: string, interruption: string | Buffer]>([
	['a response without TLS', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'],
	['an alert without encryption', Buffer.from([0x15, 3, 3, 0, 2, 2, 80])],
	['data that is not TLS', Buffer.alloc(100)],
	['the end of the connection', ''],
])('a link is created once if the service creates it and %s follows', async (_what, interruption) => {
	const { error } = await harness.runNode(
		{ resource: 'links', operation: 'create', title: 'Once', url: 'https://example.com' },
		{
			credential: { baseUrl: await startProxy(interruption) },
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		},
	);
	expect(error!.message).toMatch(/^It is unknown whether the link "Once" was created: /);
	expect(links().map(({ title }) => title)).toEqual(['Once']);
});

test('a link is not created if the proxy of n8n closes the connection before it leads to the service, and the error says so', async () => {
	const account = harness.newAccount();
	await harness.runNode(GET_INFO, account);
	proxy = net.createServer((client) => client.once('data', () => client.end()));
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	process.env.HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const parameters = { resource: 'links', operation: 'create', title: 'Once', url: 'https://example.com' };
	const { error } = await harness.runNode(parameters, account).finally(() => delete process.env.HTTPS_PROXY);
	expect(error).toMatchObject({
		message: 'The link "Once" was not created: the proxy of your n8n closed the connection',
		description: 'Check the settings of the proxy.',
	});
	expect(links()).toEqual([]);
});
