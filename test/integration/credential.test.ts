import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Fault, jsonAnswer, namedFaults, statusFault } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const GET_INFO = { resource: 'me', operation: 'getInfo' };
const SEND_ONCE = { ...GET_INFO, options: { maxRetries: 0 } };
const TOKEN = '/oauth/token';
const ME = '/oauth/v1/me';

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => harness.reset());

/** Fields of a credential in which n8n has stored this token for the app. */
const withToken = (accessToken: string, credential?: Record<string, string>) =>
	storedToken(harness.sandbox, { accessToken, credential });

describe('the grant', () => {
	test('is one POST of the one field grant_type, with ID and secret by HTTP Basic', async () => {
		await harness.runNode(GET_INFO);
		const [grant] = harness.sandbox.recorder.requests;
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
		const { storedToken: token } = await harness.runNode(GET_INFO);
		expect(token).toMatch(/^[0-9a-f]{64}$/);
		expect(harness.sandbox.recorder.calls[0]!.headers.authorization).toBe(
			`Bearer ${String(token)}`,
		);
	});

	test('is not repeated while the token is accepted', async () => {
		const { storedToken: token } = await harness.runNode(GET_INFO, { items: [{}, {}, {}] });
		await harness.runNode(GET_INFO, { credential: withToken(token as string) });
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(4);
	});

	test('comes once more after a 401, and the refused calls are sent once more', async () => {
		const { items, storedToken: token } = await harness.runNode(GET_INFO, {
			items: [{}, {}],
			credential: withToken('revoked'),
		});
		expect(items).toHaveLength(2);
		expect(token).not.toBe('revoked');
		expect(harness.sandbox.recorder.requests.map(({ url }) => url)).toEqual([
			...[ME, ME],
			TOKEN,
			...[ME, ME],
		]);
	});

	test('comes before a call whose token has expired, and the old token is not sent', async () => {
		const credential = storedToken(harness.sandbox, { accessToken: 'expired', expiresIn: 0.001 });
		const { items } = await harness.runNode(GET_INFO, { items: [{}, {}], credential });
		expect(items).toHaveLength(2);
		expect(harness.sandbox.recorder.requests.map(({ url }) => url)).toEqual([TOKEN, ME, ME]);
	});

	test('comes before a call whose token was stored without a digest, which is not sent', async () => {
		const { items } = await harness.runNode(GET_INFO, { credential: { accessToken: 'old' } });
		expect(items).toHaveLength(1);
		expect(harness.sandbox.recorder.requests.map(({ url }) => url)).toEqual([TOKEN, ME]);
	});

	test('comes no third time where a new token is refused too', async () => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(401, 'Access was withdrawn') });
		const { error } = await harness.runNode(GET_INFO, { credential: withToken('old') });
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(2);
		expect(error).toMatchObject({
			httpCode: '401',
			message:
				'The profile info was not read: the service refused a new access token (HTTP 401). Check that the app still has access to the account, and that the credential is that of the right app. The service said: "Access was withdrawn".',
		});
	});

	test.each([
		['colons, spaces and percent signs', 'my:id 100%', 'a:b c%20d+&="/'],
		['characters that are not ASCII', 'id', 'pässwörd ✓ 秘密'],
		['white space around them', ' id ', '\tsecret\n'],
	])('brings an ID and a secret with %s intact', async (_what, clientId, clientSecret) => {
		const sandbox = await startSandbox({ clientId, clientSecret });
		const { error } = await harness.runNode(GET_INFO, {
			credential: { baseUrl: sandbox.baseUrl, clientId, clientSecret },
		});
		await sandbox.close();
		expect(error).toBeUndefined();
		const basic = sandbox.recorder.requests[0]!.headers.authorization!.replace('Basic ', '');
		expect(Buffer.from(basic, 'base64').toString('utf8')).toBe(`${clientId}:${clientSecret}`);
	});

	test('brings a secret that begins with = if it is given as an expression', async () => {
		const sandbox = await startSandbox({ clientSecret: '=abc' });
		const { error } = await harness.runNode(GET_INFO, {
			credential: { baseUrl: sandbox.baseUrl, clientSecret: '={{ "=abc" }}' },
		});
		await sandbox.close();
		expect(error).toBeUndefined();
	});

	test.each([0, 10])('is shared by executions that find no token, %p ms apart', async (between) => {
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, { executions: 20, between });
		harness.sandbox.faults.latency = 0;
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(20).fill(undefined));
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(20);
	});

	test.each([0, 10])(
		'is shared by executions whose common token is refused, %p ms apart',
		async (between) => {
			harness.sandbox.faults.latency = 30;
			const runs = await harness.runInParallel(GET_INFO, {
				executions: 30,
				between,
				credential: withToken('revoked'),
			});
			harness.sandbox.faults.latency = 0;
			expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(30).fill(undefined));
			expect(harness.sandbox.recorder.grants).toBe(1);
		},
	);
});

describe('the Base URL', () => {
	test.each(['/', '///', ' '])('may end in %p', async (end) => {
		const { error } = await harness.runNode(GET_INFO, {
			credential: { baseUrl: harness.sandbox.baseUrl + end },
		});
		expect(error).toBeUndefined();
	});

	test('may have a path prefix, for the token and the calls alike', async () => {
		const heard = await listen(async (origin) => {
			await harness.runNode(GET_INFO, {
				credential: withToken('token', { baseUrl: `${origin}/some/prefix/` }),
			});
			await harness.runNode(GET_INFO, { credential: { baseUrl: `${origin}/some/prefix` } });
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
			const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl, accessToken } });
			expect(error!.message).toMatch(/^Base URL: /);
			expect(error!.message).toContain(message);
			expect(error!.message).not.toContain('s3cret');
		}
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

test.each([
	['clientId', 'Client ID: it is empty.'],
	['clientSecret', 'Client Secret: it is empty.'],
])('an empty %s is refused before anything is sent', async (field, message) => {
	const { error } = await harness.runNode(GET_INFO, { credential: { [field]: '' } });
	expect(error!.message).toContain(message);
	expect(harness.sandbox.recorder.requests).toEqual([]);
});

describe('a grant that brings no token costs one request and says why', () => {
	const json = (body: unknown, status = 200) => jsonAnswer(body, { status });

	test.each<[string, Fault, string]>([
		[
			'a refused app',
			json({ error: 'invalid_client' }, 401),
			'refused the Client ID or the Client Secret (HTTP 401). Check both in the credential. The service said: "invalid_client".',
		],
		[
			'a bad request',
			json({ error: 'invalid_client' }, 400),
			'refused the Client ID or the Client Secret (HTTP 400)',
		],
		['an answer that is none', { status: 300 }, 'a redirect (HTTP 300)'],
		[
			'a refusal',
			json({}, 403),
			'does not allow the token request (HTTP 403). Check the Base URL, the Client ID and the Client Secret.',
		],
		['no such path', json({}, 404), 'has no token endpoint at this Base URL (HTTP 404)'],
		[
			'a proxy that asks for a password',
			json({}, 407),
			'the proxy between n8n and the service asks for a password (HTTP 407). Check the proxy settings of your n8n.',
		],
		['too many requests', json({}, 429), 'is rate-limiting requests (HTTP 429)'],
		['a failing service', json({}, 503), 'the service failed (HTTP 503)'],
		['a page', namedFaults.html!, 'a web page instead of data'],
		['broken JSON', namedFaults.malformed!, 'something other than a JSON object'],
		['no token', json({ token_type: 'Bearer' }), 'the answer of the service contains none'],
		['an empty token', json({ access_token: '', token_type: 'Bearer' }), 'contains none'],
		...['a\nb', ' ab', 'ab ', 'a\u0000', 'ä'].map((token): [string, Fault, string] => [
			`a token that no header can carry: ${JSON.stringify(token)}`,
			json({ access_token: token, token_type: 'Bearer' }),
			'contains none',
		]),
		[
			'another type of token',
			json({ access_token: 'x', token_type: 'mac' }),
			'a type other than Bearer',
		],
		[
			'a redirect',
			{ status: 302, headers: { location: '/oauth/elsewhere' } },
			'a redirect (HTTP 302)',
		],
		[
			'a broken connection',
			'reset' as const,
			'closed the connection before its answer was complete',
		],
	])('for %s', async (_what, fault, words) => {
		harness.sandbox.faults.add({ path: '/token', fault });
		const { error, storedToken: token } = await harness.runNode(SEND_ONCE);
		expect(error!.message).toMatch(/^No access token: the (service|answer|proxy) /);
		expect(error!.message).toContain(words);
		expect(error!.name).toBe('NodeApiError');
		expect(token).toBeUndefined();
		expect(harness.sandbox.recorder.requests.map(({ url }) => url)).toEqual([TOKEN]);
	});

	test('for a service that is not there', async () => {
		const gone = await startSandbox();
		await gone.close();
		const { error } = await harness.runNode(SEND_ONCE, { credential: { baseUrl: gone.baseUrl } });
		expect(error!.message).toBe(
			'No access token: the service refused the connection. Check the Base URL, and whether the service is running.',
		);
	});

	test('for a wrong secret, with a hint if it looks mistyped', async () => {
		const { error } = await harness.runNode(GET_INFO, { credential: { clientSecret: 'wrong ' } });
		expect(error!.message).toContain('refused the Client ID or the Client Secret (HTTP 401)');
		expect(error!.message).toContain('The Client Secret begins or ends with white space.');
		expect(harness.sandbox.recorder.requests).toHaveLength(1);
	});

	test.each([
		[{ clientId: ' app' }, ' The Client ID begins or ends with white space.'],
		[{ clientId: 'app\n' }, ' The Client ID begins or ends with white space.'],
		[
			{ clientSecret: '100%' },
			' The Client ID or the Client Secret contains "%" or "+", which some services decode. If so, enter them percent-encoded ("%25", "%2B").',
		],
		[{ clientId: 'a+b' }, ' The Client ID or the Client Secret contains "%" or "+"'],
		[{ clientId: 'my:app' }, ' The Client ID contains a colon, which some services cannot tell'],
	])('for %j, with a hint at what looks mistyped', async (credential, hint) => {
		const { error } = await harness.runNode(GET_INFO, { credential });
		expect(error!.message).toContain(`Check both in the credential.${hint}`);
	});

	test('a token type in any case is fine, and so is none', async () => {
		for (const token_type of ['bearer', 'BEARER', undefined]) {
			harness.sandbox.faults.clear();
			const fault = json({ access_token: 'some-token', token_type });
			harness.sandbox.faults.add({ path: '/token', fault });
			const { storedToken: token } = await harness.runNode(GET_INFO);
			expect(token).toBe('some-token');
		}
	});
});

test('parallel runs for other accounts, or with another secret, share no token', async () => {
	const other = await startSandbox({ latency: 50 });
	harness.sandbox.faults.latency = 50;
	const { baseUrl, clientId, clientSecret } = other;
	const [first, second, wrong] = await Promise.all([
		harness.runNode(GET_INFO),
		harness.runNode(GET_INFO, { credential: { baseUrl, clientId, clientSecret } }),
		harness.runNode(GET_INFO, { credential: { clientSecret: 'wrong' } }),
	]);
	harness.sandbox.faults.latency = 0;
	await other.close();
	expect([first.error, second.error]).toEqual([undefined, undefined]);
	expect(second.storedToken).not.toBe(first.storedToken);
	expect(wrong.error?.message).toContain('refused the Client ID or the Client Secret (HTTP 401)');
	// The right secret and the wrong one, each once.
	expect([harness.sandbox.recorder.grants, other.recorder.grants]).toEqual([2, 1]);
});

describe('redirects', () => {
	let elsewhere: Sandbox;
	beforeAll(async () => (elsewhere = await startSandbox()));
	afterAll(async () => await elsewhere.close());

	test.each([301, 302, 303, 307, 308])('of status %p are never followed', async (status) => {
		for (const path of ['/token', '/me']) {
			harness.sandbox.faults.clear();
			const location = `${elsewhere.baseUrl}/oauth/v1/me`;
			harness.sandbox.faults.add({ path, fault: { status, headers: { location } } });
			const { error } = await harness.runNode(GET_INFO);
			expect(error!.message).toContain(`answered with a redirect (HTTP ${status})`);
		}
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

describe('what n8n keeps of a run contains no secret and no token', () => {
	/** What the service answers, which repeats all that it was sent, in several encodings. */
	const repeat = (...secrets: string[]) =>
		statusFault(
			400,
			secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]).join(' and '),
		);

	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'if the token endpoint repeats them, with On Error %p',
		async (onError) => {
			const { clientId, clientSecret } = harness.sandbox;
			harness.sandbox.faults.add({
				path: '/token',
				fault: repeat(clientSecret, `${clientId}:${clientSecret}`),
			});
			const { run } = await harness.runNode(GET_INFO, { settings: { onError } });
			const kept = JSON.stringify(run);
			expect(kept).toContain('refused the Client ID or the Client Secret (HTTP 400)');
			expect(kept).not.toContain('The service said');
			for (const secret of [clientSecret, `${clientId}:${clientSecret}`]) {
				expect(kept).not.toContain(secret);
				expect(kept).not.toContain(Buffer.from(secret).toString('base64'));
			}
		},
	);

	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'if the service repeats them, with On Error %p',
		async (onError) => {
			const [old, secret] = ['stored-token-1234567890', harness.sandbox.clientSecret];
			harness.sandbox.faults.add({ path: '/me', fault: statusFault(401), times: 1 });
			const fault = statusFault(400, `You sent ${secret} and Bearer ${old}`);
			harness.sandbox.faults.add({ path: '/me', fault });
			const { run } = await harness.runNode(GET_INFO, {
				settings: { onError },
				credential: withToken(old),
			});
			const kept = JSON.stringify(run);
			expect(kept).toContain('the service refused the request (HTTP 400)');
			expect(kept).not.toContain('You sent');
			expect(kept).not.toContain(secret);
			expect(kept).not.toContain(old);
		},
	);
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
