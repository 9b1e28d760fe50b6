import { type Fault, jsonResponse, namedFaults } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { authorizations, requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';

const SEND_ONCE = { ...GET_INFO, options: { maxRetries: 0 } };
const TOKEN = '/oauth/token';
const ME = '/oauth/v1/me';

const harness = useHarness();

/** Fields of a credential in which n8n has stored this token. */
const withToken = (accessToken: string, credential?: Record<string, string>) =>
	storedToken(harness.sandbox, { accessToken, credential });

describe('The token request of a private app', () => {
	test('sends only grant_type, with Client ID and Client Secret by HTTP Basic', async () => {
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

	test('returns the token that is sent with the call and stored by n8n', async () => {
		const { storedToken: token } = await harness.runNode(GET_INFO);
		expect(token).toMatch(/^[0-9a-f]{64}$/);
		expect(authorizations(harness.sandbox)).toEqual([`Bearer ${String(token)}`]);
	});

	test('is not sent again while the service accepts the token', async () => {
		const { storedToken: token } = await harness.runNode(GET_INFO, { items: [{}, {}, {}] });
		await harness.runNode(GET_INFO, { credential: withToken(token as string) });
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(4);
	});

	test('is sent before a call whose token was stored without a digest, and that token is not sent', async () => {
		const { items } = await harness.runNode(GET_INFO, { credential: { accessToken: 'old' } });
		expect(items).toHaveLength(1);
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN, ME]);
	});

	test('sends a Client ID and a Client Secret of any characters unchanged', async () => {
		const [clientId, clientSecret] = ['my:id 100%', 'a:b c%20d+&="/ pässwörd ✓ 秘密'];
		const sandbox = await harness.startSandbox({ clientId, clientSecret });
		const { error } = await harness.runNode(GET_INFO, {
			credential: { baseUrl: sandbox.baseUrl, clientId, clientSecret },
		});
		expect(error).toBeUndefined();
		const basic = sandbox.recorder.requests[0]!.headers.authorization!.replace('Basic ', '');
		expect(Buffer.from(basic, 'base64').toString('utf8')).toBe(`${clientId}:${clientSecret}`);
	});

	test('is shared by 20 executions that start without a token', async () => {
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, { executions: 20, between: 10 });
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(20).fill(undefined));
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(20);
	});
});

describe('A stored token', () => {
	const MINUTE = 60_000;
	const account = async (expiresIn: unknown = 3600) => {
		harness.sandbox.oauth.expiresIn = () => expiresIn;
		const credential = harness.newAccount();
		expect((await harness.runNode(GET_INFO, credential)).error).toBeUndefined();
		harness.sandbox.recorder.reset();
		return credential;
	};
	afterEach(() => jest.useRealTimers());

	test('is replaced a minute before it ends, before it is sent', async () => {
		const credential = await account();
		advanceDate(59 * MINUTE - 5000);
		await harness.runNode(GET_INFO, credential);
		expect(requestedUrls(harness.sandbox)).toEqual([ME]);
		advanceDate(5000);
		const { storedToken: renewed } = await harness.runNode(GET_INFO, credential);
		await harness.runNode(GET_INFO, credential);
		expect(requestedUrls(harness.sandbox)).toEqual([ME, TOKEN, ME, ME]);
		expect(authorizations(harness.sandbox).slice(1)).toEqual(Array(2).fill(`Bearer ${String(renewed)}`));
	});

	test('is used by a process whose clock is behind that of the one that got it', async () => {
		const credential = await account();
		advanceDate(70 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		advanceDate(-70 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN, ME, ME]);
	});

	test.each([undefined, 'soon', 0, 100, 1e300])(
		'is used until it is rejected if the service says that it ends in %j seconds',
		async (expiresIn) => {
			const credential = await account(expiresIn);
			advanceDate(50 * MINUTE);
			await harness.runNode(GET_INFO, credential);
			expect(requestedUrls(harness.sandbox)).toEqual([ME]);
			harness.sandbox.oauth.revokeAccessTokens();
			expect((await harness.runNode(GET_INFO, credential)).error).toBeUndefined();
		},
	);

	test('may have its lifetime as a text', async () => {
		const credential = await account(' 3600 ');
		advanceDate(59.1 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN, ME]);
	});
});

test.each([
	[
		{ baseUrl: 'https://me:s3cret@127.0.0.1' },
		'Base URL: the address contains a user name or password',
		'Enter them as Client ID and Client Secret.',
	],
	[{ clientId: '' }, 'Client ID: the value is empty', 'Enter it in the credential, or check the expression there.'],
	[
		{ clientSecret: 'wr\u00ADong' },
		'Client Secret: the value contains an invisible character (U+00AD)',
		expect.any(String),
	],
])('a credential with %j is rejected before anything is sent', async (credential, message, description) => {
	for (const accessToken of ['', 'token']) {
		const { error } = await harness.runNode(GET_INFO, { credential: { ...credential, accessToken } });
		expect(error).toMatchObject({ message, description: description as string });
		expect(JSON.stringify(error)).not.toContain('s3cret');
	}
	expect(harness.sandbox.recorder.requests).toEqual([]);
});

describe('A token request that returns no token', () => {
	const json = (body: unknown, status = 200) => jsonResponse(body, { status });

	const CHECK_BASE_URL = 'Check the Base URL in the credential.';
	const REJECTED = 'the service rejected the Client ID or the Client Secret';
	const CHECK_BOTH =
		'Check the Client ID, the Client Secret, and the Base URL in the credential. The service said: "invalid_client".';
	const CONTAINS_NONE = ['the response contains none', 'Check the Base URL, and that the app may get tokens.'] as const;

	test.each<[name: string, fault: Fault, problem: string, description: string]>([
		['invalid_client', json({ error: 'invalid_client' }, 400), `${REJECTED} (400)`, CHECK_BOTH],
		[
			'a web page',
			namedFaults.html!,
			'the service responded with a web page instead of data',
			`${CHECK_BASE_URL} The service said: "Error".`,
		],
		['a response without a token', json({ token_type: 'Bearer' }), ...CONTAINS_NONE],
		['a token with a line break', json({ access_token: 'a\nb', token_type: 'Bearer' }), ...CONTAINS_NONE],
		['a connection that is reset', 'reset' as const, 'the connection to the service broke', 'Try again later.'],
	])('is not retried and explains %s', async (_name, fault, problem, description) => {
		harness.sandbox.faults.add({ path: '/token', fault });
		const { error, storedToken: token } = await harness.runNode(SEND_ONCE);
		expect(error).toMatchObject({ name: 'NodeApiError', message: `No access token: ${problem}`, description });
		expect(token).toBeUndefined();
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN]);
	});
});

test('parallel executions for other accounts or with another Client Secret share no token', async () => {
	const other = await harness.startSandbox({ latency: 50 });
	harness.sandbox.faults.latency = 50;
	const { baseUrl, clientId, clientSecret } = other;
	const [first, second, wrong] = await Promise.all([
		harness.runNode(GET_INFO),
		harness.runNode(GET_INFO, { credential: { baseUrl, clientId, clientSecret } }),
		harness.runNode(GET_INFO, { credential: { clientSecret: 'wrong' } }),
	]);
	expect([first.error, second.error]).toEqual([undefined, undefined]);
	expect(second.storedToken).not.toBe(first.storedToken);
	expect(wrong.error?.message).toContain('rejected the Client ID or the Client Secret (401)');
	// One request with the right secret and one with the wrong secret.
	expect([harness.sandbox.recorder.grants, other.recorder.grants]).toEqual([2, 1]);
});

test('a redirect is not followed, neither by a token request nor by a call', async () => {
	const elsewhere = await harness.startSandbox();
	for (const path of ['/token', '/me']) {
		harness.sandbox.faults.clear();
		const location = `${elsewhere.baseUrl}/oauth/v1/me`;
		harness.sandbox.faults.add({ path, fault: { status: 307, headers: { location } } });
		const { error } = await harness.runNode(GET_INFO);
		expect(error!.message).toContain('responded with a redirect (307)');
	}
	expect(elsewhere.recorder.requests).toEqual([]);
});
