import dns from 'node:dns';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { testCredential } from '../../runner';
import { type CannedResponse, type Fault, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { HOME } from '../support/pages';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const NOT_APPLIED = `The blocks of page "${HOME}" were not reordered: `;
const UNKNOWN_OUTCOME = `It is unknown whether the blocks of page "${HOME}" were reordered: `;

/** Retries are tested in retries.test.ts. */
const SEND_ONCE = { maxRetries: 0 };

const harness = useHarness({ links: [] });

async function reorderWith(fault: Fault, items = [{}]) {
	harness.sandbox.faults.add({ path: '/sort', fault });
	const blockIds = harness.sandbox.account.order(HOME);
	return await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds, options: SEND_ONCE },
		{ items },
	);
}

const ok = (body: string, contentType = 'application/json'): CannedResponse => ({
	status: 200,
	headers: { 'content-type': contentType },
	body,
});

const webPage = (status: number): CannedResponse => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<!DOCTYPE html><html><head><title>Oops</title></head><body><h1>Nope</h1></body></html>',
});

const LIST_BLOCKS = 'List every block on the page, each exactly once, and check the Page.';
const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const CHECK_ORDER = 'Check the order of the page, and the Base URL in the credential.';

const PERMISSIONS =
	'Check the permissions of the app in the settings of the service. Check the Base URL in the credential. Public app: connect the account again.';
const FIREWALL =
	'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.';

type TestCase = [name: string, fault: CannedResponse, problem: string, advice: string];

/** Responses after which the blocks certainly were not reordered. */
const notAppliedResponses: TestCase[] = [
	[
		'HTTP 400 with an error text',
		statusFault(400, 'Block 1.2 is missing.'),
		'the service rejected the request (400)',
		`${LIST_BLOCKS} The service said: "Block 1.2 is missing."`,
	],
	[
		'HTTP 403',
		statusFault(403, 'Not yours.'),
		'the service denied access (403)',
		`${PERMISSIONS} The service said: "Not yours."`,
	],
	[
		'HTTP 403 with a web page',
		webPage(403),
		'the service denied access (403)',
		`${PERMISSIONS} ${FIREWALL} The service said: "Oops".`,
	],
	['HTTP 403 without a body', { status: 403 }, 'the service denied access (403)', `${PERMISSIONS} ${FIREWALL}`],
	[
		'HTTP 521 of a CDN that had no connection to the service',
		webPage(521),
		'the service, or a proxy on the way to it, failed (521)',
		'Try again later, or raise Max Retries in the options of the node. The service said: "Oops".',
	],
	[
		'HTTP 404',
		statusFault(404, 'Not here.'),
		'the service has nothing at this address (404)',
		`${CHECK_BASE_URL} The service said: "Not here."`,
	],
	[
		'HTTP 429',
		statusFault(429, 'Slow down.'),
		'the service is rate-limiting requests (429)',
		'Try again later. Run the workflow less often, or set Items per Batch and Batch Interval in the options of the node. The service said: "Slow down."',
	],
	[
		'HTTP 200 with status false',
		ok('{"status": false, "errors": [{"message": "Page is locked"}]}'),
		'the service reported a failure (status: false)',
		`${LIST_BLOCKS} The service said: "Page is locked".`,
	],
	[
		'HTTP 407 from a proxy',
		webPage(407),
		'the proxy between n8n and the service requires a password (407)',
		'Check the proxy settings of your n8n. The service said: "Oops".',
	],
];

/** Responses after which it is unknown whether the blocks were reordered. */
const unknownOutcomeResponses: TestCase[] = [
	[
		'a redirect',
		{ status: 307, headers: { location: 'https://example.com/' } },
		'the service responded with a redirect (307)',
		`${CHECK_BASE_URL} ${LOOK_FIRST} The service said: "https://example.com/".`,
	],
	['HTTP 503 with a web page', webPage(503), 'the service failed (503)', 'Try again later. The service said: "Oops".'],
	[
		'success with blocks that are not objects',
		ok('{"status": true, "data": {"blocks": ["1.2"]}, "message": "Sorted"}'),
		'the response contains no list of blocks (data.blocks)',
		`${CHECK_ORDER} ${LOOK_FIRST} The service said: "Sorted".`,
	],
];

describe('The error of Reorder Blocks', () => {
	test.each([
		...notAppliedResponses.map(([name, ...response]) => [name, NOT_APPLIED, ...response] as const),
		...unknownOutcomeResponses.map(([name, ...response]) => [name, UNKNOWN_OUTCOME, ...response] as const),
	])('explains %s, with the status', async (_name, outcome, fault, problem, advice) => {
		const { error } = await reorderWith(fault);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: String(fault.status),
			message: outcome + problem,
			description: advice,
		});
		expect(JSON.stringify(error)).not.toMatch(/<h1>|<html/);
	});

	test('explains a connection that is reset before the response', async () => {
		const { error } = await reorderWith('reset');
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `${UNKNOWN_OUTCOME}the connection to the service broke`,
			description: 'Try again later, or raise Max Retries in the options of the node.',
		});
	});

	test('explains a refused connection', async () => {
		const stopped = await harness.stoppedSandbox();
		const parameters = { resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds: ['a'], options: SEND_ONCE };
		const { error } = await harness.runNode(parameters, {
			credential: storedToken(stopped, { accessToken: 'token' }),
		});
		expect(error).toMatchObject({
			message: `${NOT_APPLIED}the service cannot be reached`,
			description: 'Check the Base URL, whether the service is running, and whether a DNS filter blocks it.',
		});
	});

	test('quotes the service where n8n would replace its words with a message of its own', async () => {
		const { error } = await reorderWith(statusFault(400, 'A preexisting block is missing'));
		expect(error!.description).toBe(`${LIST_BLOCKS} The service said: "A preexisting block is missing".`);
	});

	test('names no item if there is only one, which the editor would add to the message', async () => {
		const { error } = await reorderWith(statusFault(400));
		expect(error).toMatchObject({ context: {} });
		expect(error).not.toHaveProperty('context.itemIndex', expect.anything());
	});
});

const OTHER = 'https://www.example.com';

const redirect = (path: string, location: string, status = 301) =>
	harness.sandbox.faults.add({ path, fault: { status, headers: { location } } });

const signedIn = () => ({ credential: storedToken(harness.sandbox, { accessToken: 'stored-token' }) });

describe('A redirect', () => {
	test.each([
		['/oauth/token', 'No access token', () => ({})],
		['/oauth/v1/me', 'The profile info was not read', signedIn],
	])('of %s is quoted without what may be secret', async (path, what, options) => {
		redirect(path, `https://user:s3cret@www.example.com${path}?key=s3cret#top`);
		const { error } = await harness.runNode(GET_INFO, options());
		expect(error).toMatchObject({
			message: `${what}: the service responded with a redirect (301)`,
			description: `${CHECK_BASE_URL} The service said: "${OTHER}${path}".`,
		});
		expect(JSON.stringify(error)).not.toContain('s3cret');
	});

	test.each<[INodeParameters, string, string]>([
		[
			{ resource: 'links', operation: 'getAll', filters: { groupId: '7' } },
			'/oauth/v1/lnk/list',
			`${CHECK_BASE_URL} If it is right`,
		],
		[
			{ resource: 'api', operation: 'request', path: '/oauth/v1/a b?c=d' },
			'/oauth/v1/a%20b',
			'Check the Method and the Path',
		],
	])('of a request to a path that may be wrong says so: %j', async (parameters, path, advice) => {
		redirect(path, `${OTHER}${path}?c=d`, 308);
		const { error } = await harness.runNode(parameters, signedIn());
		expect(error?.message).toMatch(/: the service responded with a redirect, or has nothing at this path \(308\)$/);
		expect(error?.description).toMatch(advice);
		expect(error?.description).toMatch(new RegExp(` The service said: "${OTHER}${path}"\\.$`));
	});

	test('is quoted when the credential is tested', async () => {
		const store = harness.newStore();
		redirect('/token', `${OTHER}/oauth/token`);
		const { message } = await testCredential(
			harness.loaded,
			store,
			'profilePageApi',
			harness.addCredential(store),
			undefined,
		);
		expect(message).toBe(
			`No access token: the service responded with a redirect (301). ${CHECK_BASE_URL} The service said: "${OTHER}/oauth/token".`,
		);
	});

	test('of a status that is none is not quoted', async () => {
		redirect('/me', OTHER, 400);
		const { error } = await harness.runNode(GET_INFO, signedIn());
		expect(error?.message).toBe('The profile info was not read: the service rejected the request (400)');
	});
});

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

/** Sends one byte of a response after another, without end. */
function drip(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 5);
	response.on('close', () => clearInterval(timer));
}

describe('If the service does not respond in time', () => {
	/** Time limits are shorter than for users; the tests check the limits that the node asks for. */
	const DIVISOR = 100;
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	let timeout: jest.SpiedFunction<typeof AbortSignal.timeout>;
	let slowServer: Awaited<ReturnType<typeof startHttpServer>>;
	beforeEach(async () => {
		harness.sandbox.faults.add({ fault: 'hang' });
		slowServer = await startHttpServer((_request, response) => drip(response));
		timeout = jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) => startTimeout(Math.ceil(milliseconds / DIVISOR)));
	});
	afterEach(() => slowServer.close());

	const responses: Array<[what: string, baseUrl: () => string]> = [
		['never begins', () => harness.sandbox.baseUrl],
		['never ends', () => slowServer.origin],
	];

	test.each(responses)('and the response %s, a token request fails after 30 s', async (_what, baseUrl) => {
		const parameters = { ...GET_INFO, options: SEND_ONCE };
		const { error } = await harness.runNode(parameters, { credential: { baseUrl: baseUrl() } });
		expect(error).toMatchObject({
			message: 'No access token: the service did not respond in time',
			description: 'Try again later.',
		});
		expect(timeout).toHaveBeenCalledWith(30_000);
	});

	test.each(responses)('and the response %s, a call fails after the Timeout that is set', async (_what, baseUrl) => {
		const token = storedToken(harness.sandbox, { accessToken: 'token', credential: { baseUrl: baseUrl() } });
		const options = { ...SEND_ONCE, timeout: 1500 };
		const { error } = await harness.runNode({ ...GET_INFO, options }, { credential: token });
		expect(error).toMatchObject({
			message: 'The profile info was not read: the service did not respond in time',
			description: 'Try again later. If it happens often, raise Timeout (ms) in the options of the node.',
		});
		expect(timeout).toHaveBeenCalledWith(1500);
	});
});
