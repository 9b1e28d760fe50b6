import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Fault, jsonAnswer, namedFaults, statusFault } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { Stage } from '../support/stage';

const GET_INFO = { resource: 'me', operation: 'getInfo' };
const SEND_ONCE = { ...GET_INFO, options: { maxRetries: 0 } };
const TOKEN = '/oauth/token';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(async () => await stage.close());
beforeEach(() => stage.reset());

describe('the grant', () => {
	test('is one POST of the one field grant_type, with ID and secret by HTTP Basic', async () => {
		await stage.runNode(GET_INFO);
		const [grant] = stage.sandbox.recorder.requests;
		expect(grant).toMatchObject({
			method: 'POST',
			url: TOKEN,
			body: 'grant_type=client_credentials',
		});
		const basic = Buffer.from('sandbox-client-id:sandbox-client-secret').toString('base64');
		expect(grant!.headers).toMatchObject({
			authorization: `Basic ${basic}`,
			'content-type': 'application/x-www-form-urlencoded',
			accept: 'application/json',
		});
	});

	test('gives the token that the call carries and that n8n stores', async () => {
		const { storedToken } = await stage.runNode(GET_INFO);
		expect(storedToken).toMatch(/^[0-9a-f]{64}$/);
		expect(stage.sandbox.recorder.calls[0]!.headers.authorization).toBe(
			`Bearer ${String(storedToken)}`,
		);
	});

	test('is not repeated while the token is accepted', async () => {
		const { storedToken } = await stage.runNode(GET_INFO, { items: [{}, {}, {}] });
		await stage.runNode(GET_INFO, { credential: { accessToken: storedToken as string } });
		expect(stage.sandbox.recorder.grants).toBe(1);
		expect(stage.sandbox.recorder.calls).toHaveLength(4);
	});

	test('comes once more after a 401, and the call is sent once more', async () => {
		const { items, storedToken } = await stage.runNode(GET_INFO, {
			items: [{}, {}],
			credential: { accessToken: 'expired' },
		});
		expect(items).toHaveLength(2);
		expect(storedToken).not.toBe('expired');
		expect(stage.sandbox.recorder.requests.map(({ url }) => url)).toEqual([
			'/oauth/v1/me',
			TOKEN,
			'/oauth/v1/me',
			'/oauth/v1/me',
		]);
	});

	test('comes no third time where a new token is refused too', async () => {
		stage.sandbox.faults.add({ path: '/me', fault: statusFault(401, 'Access was withdrawn') });
		const { error } = await stage.runNode(GET_INFO, { credential: { accessToken: 'old' } });
		expect(stage.sandbox.recorder.grants).toBe(1);
		expect(stage.sandbox.recorder.calls).toHaveLength(2);
		expect(error).toMatchObject({
			httpCode: '401',
			message:
				'The profile info was not read: the service refused the access token, and a new one too (HTTP 401). Check that the app still has access to the account, and that the credential is that of the right app. The service said: "Access was withdrawn"',
		});
	});

	test.each([
		['colons, spaces and percent signs', 'my:id 100%', 'a:b c%20d+&="/'],
		['characters that are not ASCII', 'id', 'pässwörd ✓ 秘密'],
		['white space around them', ' id ', '\tsecret\n'],
	])('brings an ID and a secret with %s intact', async (_what, clientId, clientSecret) => {
		const sandbox = await startSandbox({ clientId, clientSecret });
		const { error } = await stage.runNode(GET_INFO, {
			credential: { baseUrl: sandbox.baseUrl, clientId, clientSecret },
		});
		await sandbox.close();
		expect(error).toBeUndefined();
		const basic = sandbox.recorder.requests[0]!.headers.authorization!.replace('Basic ', '');
		expect(Buffer.from(basic, 'base64').toString('utf8')).toBe(`${clientId}:${clientSecret}`);
	});

	test('brings a secret that begins with = if it is given as an expression', async () => {
		const sandbox = await startSandbox({ clientSecret: '=abc' });
		const { error } = await stage.runNode(GET_INFO, {
			credential: { baseUrl: sandbox.baseUrl, clientSecret: '={{ "=abc" }}' },
		});
		await sandbox.close();
		expect(error).toBeUndefined();
	});

	test.each([0, 10])('is shared by executions that find no token, %p ms apart', async (between) => {
		stage.sandbox.faults.latency = 30;
		const runs = await stage.runInParallel(GET_INFO, { executions: 20, between });
		stage.sandbox.faults.latency = 0;
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(20).fill(undefined));
		expect(stage.sandbox.recorder.grants).toBe(1);
		expect(stage.sandbox.recorder.calls).toHaveLength(20);
	});

	test.each([0, 10])(
		'is shared by executions whose common token is refused, %p ms apart',
		async (between) => {
			stage.sandbox.faults.latency = 30;
			const runs = await stage.runInParallel(GET_INFO, {
				executions: 30,
				between,
				credential: { accessToken: 'revoked' },
			});
			stage.sandbox.faults.latency = 0;
			expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(30).fill(undefined));
			expect(stage.sandbox.recorder.grants).toBe(1);
		},
	);

	test('is asked for again by those that waited for one that failed', async () => {
		stage.sandbox.faults.add({ path: TOKEN, fault: statusFault(503), times: 1 });
		const runs = await stage.runInParallel(SEND_ONCE, { executions: 5 });
		const errors = runs.map(({ data }) => data.resultData.error?.message);
		expect(errors.filter(Boolean)).toEqual([
			expect.stringContaining('No access token: the service failed (HTTP 503)'),
		]);
		expect(stage.sandbox.recorder.grants).toBe(2);
	});
});

describe('the Base URL', () => {
	test.each(['/', '///', ' '])('may end in %p', async (end) => {
		const { error } = await stage.runNode(GET_INFO, {
			credential: { baseUrl: stage.sandbox.baseUrl + end },
		});
		expect(error).toBeUndefined();
	});

	test('may have a path prefix, for the token and the calls alike', async () => {
		const heard = await listen(async (origin) => {
			await stage.runNode(GET_INFO, {
				credential: { baseUrl: `${origin}/some/prefix/`, accessToken: 'token' },
			});
			await stage.runNode(GET_INFO, { credential: { baseUrl: `${origin}/some/prefix` } });
		});
		expect(heard).toEqual([
			'GET /some/prefix/oauth/v1/me',
			'POST /some/prefix/oauth/token',
			'POST /some/prefix/oauth/token',
		]);
	});

	test.each([
		['http://example.com', 'must start with https://'],
		['https://me:s3cret@127.0.0.1', 'must not hold a user name or password'],
		['https://127.0.0.1/?a=b', 'must not hold a "?" or "#" part'],
		['not an address', 'it is not a web address'],
		['', 'it is empty'],
	])('%p is refused before anything is sent', async (baseUrl, message) => {
		for (const accessToken of ['', 'token']) {
			const { error } = await stage.runNode(GET_INFO, { credential: { baseUrl, accessToken } });
			expect(error!.message).toMatch(/^Base URL: /);
			expect(error!.message).toContain(message);
			expect(error!.message).not.toContain('s3cret');
		}
		expect(stage.sandbox.recorder.requests).toEqual([]);
	});
});

test.each([
	['clientId', 'Client ID: it is empty.'],
	['clientSecret', 'Client Secret: it is empty.'],
])('an empty %s is refused before anything is sent', async (field, message) => {
	const { error } = await stage.runNode(GET_INFO, { credential: { [field]: '' } });
	expect(error!.message).toContain(message);
	expect(stage.sandbox.recorder.requests).toEqual([]);
});

describe('a grant that brings no token costs one request and says why', () => {
	const json = (body: unknown, status = 200) => jsonAnswer(body, { status });

	test.each<[string, Fault, string]>([
		[
			'a refused app',
			json({ error: 'invalid_client' }, 401),
			'refused the Client ID or the Client Secret (HTTP 401). Check both in the credential. The service said: "invalid_client"',
		],
		[
			'a bad request',
			json({ error: 'invalid_client' }, 400),
			'refused the Client ID or the Client Secret (HTTP 400)',
		],
		['an answer that is none', { status: 300 }, 'a redirect (HTTP 300), which is not followed'],
		[
			'a refusal',
			json({}, 403),
			'refused the Client ID or the Client Secret (HTTP 403). Check both in the credential.',
		],
		['no such path', json({}, 404), 'has no token endpoint at this Base URL (HTTP 404)'],
		['too many requests', json({}, 429), 'has had too many requests (HTTP 429)'],
		['a failing service', json({}, 503), 'the service failed (HTTP 503)'],
		['a page', namedFaults.html!, 'something other than JSON'],
		['broken JSON', namedFaults.malformed!, 'something other than JSON'],
		['no token', json({ token_type: 'Bearer' }), 'the answer of the service holds none'],
		['an empty token', json({ access_token: '', token_type: 'Bearer' }), 'holds none'],
		...['a\nb', ' ab', 'ab ', 'a\u0000', 'ä'].map((token): [string, Fault, string] => [
			`a token that no header can carry: ${JSON.stringify(token)}`,
			json({ access_token: token, token_type: 'Bearer' }),
			'holds none',
		]),
		[
			'another type of token',
			json({ access_token: 'x', token_type: 'mac' }),
			'a type other than Bearer',
		],
		[
			'a redirect',
			{ status: 302, headers: { location: '/oauth/elsewhere' } },
			'a redirect (HTTP 302), which is not followed',
		],
		[
			'a broken connection',
			'reset' as const,
			'closed the connection before its answer was complete',
		],
	])('for %s', async (_what, fault, words) => {
		stage.sandbox.faults.add({ path: '/token', fault });
		const { error, storedToken } = await stage.runNode(SEND_ONCE);
		expect(error!.message).toMatch(/^No access token: the service |^No access token: the answer /);
		expect(error!.message).toContain(words);
		expect(error!.name).toBe('NodeApiError');
		expect(storedToken).toBeUndefined();
		expect(stage.sandbox.recorder.requests.map(({ url }) => url)).toEqual([TOKEN]);
	});

	test('for a service that is not there', async () => {
		const gone = await startSandbox();
		await gone.close();
		const { error } = await stage.runNode(SEND_ONCE, { credential: { baseUrl: gone.baseUrl } });
		expect(error!.message).toBe(
			'No access token: the service refused the connection. Check the Base URL, and whether the service is running.',
		);
	});

	test('for a wrong secret, with a hint if it looks mistyped', async () => {
		const { error } = await stage.runNode(GET_INFO, { credential: { clientSecret: 'wrong ' } });
		expect(error!.message).toContain('refused the Client ID or the Client Secret (HTTP 401)');
		expect(error!.message).toContain('The Client Secret begins or ends with white space.');
		expect(stage.sandbox.recorder.requests).toHaveLength(1);
	});

	test.each([
		[{ clientId: ' app' }, ' The Client ID begins or ends with white space.'],
		[{ clientId: 'app\n' }, ' The Client ID begins or ends with white space.'],
		[{ clientId: 'my:app' }, ' The Client ID holds a colon, which some services cannot tell'],
	])('for %j, with a hint at what looks mistyped', async (credential, hint) => {
		const { error } = await stage.runNode(GET_INFO, { credential });
		expect(error!.message).toContain(`Check both in the credential.${hint}`);
	});

	test('a token type in any case is fine, and so is none', async () => {
		for (const token_type of ['bearer', 'BEARER', undefined]) {
			stage.sandbox.faults.clear();
			const fault = json({ access_token: 'some-token', token_type });
			stage.sandbox.faults.add({ path: '/token', fault });
			const { storedToken } = await stage.runNode(GET_INFO);
			expect(storedToken).toBe('some-token');
		}
	});
});

test('parallel runs for other accounts, or with another secret, share no token', async () => {
	const other = await startSandbox({ latency: 50 });
	stage.sandbox.faults.latency = 50;
	const { baseUrl, clientId, clientSecret } = other;
	const [first, second, wrong] = await Promise.all([
		stage.runNode(GET_INFO),
		stage.runNode(GET_INFO, { credential: { baseUrl, clientId, clientSecret } }),
		stage.runNode(GET_INFO, { credential: { clientSecret: 'wrong' } }),
	]);
	stage.sandbox.faults.latency = 0;
	await other.close();
	expect([first.error, second.error]).toEqual([undefined, undefined]);
	expect(second.storedToken).not.toBe(first.storedToken);
	expect(wrong.error?.message).toContain('refused the Client ID or the Client Secret (HTTP 401)');
	// The right secret and the wrong one, each once.
	expect([stage.sandbox.recorder.grants, other.recorder.grants]).toEqual([2, 1]);
});

describe('redirects', () => {
	let elsewhere: Sandbox;
	beforeAll(async () => (elsewhere = await startSandbox()));
	afterAll(async () => await elsewhere.close());

	test.each([301, 302, 303, 307, 308])('of status %p are never followed', async (status) => {
		for (const path of ['/token', '/me']) {
			stage.sandbox.faults.clear();
			const location = `${elsewhere.baseUrl}/oauth/v1/me`;
			stage.sandbox.faults.add({ path, fault: { status, headers: { location } } });
			const { error } = await stage.runNode(GET_INFO);
			expect(error!.message).toContain(`answered with a redirect (HTTP ${status})`);
		}
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

test('no secret and no token stands in what n8n keeps of a run, even if the service repeats them', async () => {
	const stored = 'stored-token-1234567890';
	const secret = stage.sandbox.clientSecret;
	const basic = Buffer.from(`${stage.sandbox.clientId}:${secret}`).toString('base64');
	const echo = statusFault(400, `You sent ${secret}, ${basic} and Bearer ${stored}`);
	for (const path of ['/token', '/me']) {
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			stage.sandbox.faults.clear();
			stage.sandbox.faults.add({ path, fault: echo });
			const { run } = await stage.runNode(GET_INFO, {
				settings: { onError },
				credential: { accessToken: path === '/me' ? stored : '' },
			});
			const kept = JSON.stringify(run);
			expect(kept).toContain('•••');
			expect(kept).not.toContain(secret);
			expect(kept).not.toContain(path === '/me' ? stored : basic);
		}
	}
});

/** Runs something against a bare server that refuses everything, and returns what it heard. */
async function listen(run: (origin: string) => Promise<void>): Promise<string[]> {
	const heard: string[] = [];
	const server = createServer((request, response) => {
		heard.push(`${request.method ?? ''} ${request.url ?? ''}`);
		response.writeHead(401).end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	server.close();
	return heard;
}
