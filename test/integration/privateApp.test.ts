import { type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
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

	test.each([
		['colons, spaces and percent signs', 'my:id 100%', 'a:b c%20d+&="/'],
		['characters that are not ASCII', 'id', 'pässwörd ✓ 秘密'],
	])('sends a Client ID and a Client Secret with %s unchanged', async (_name, clientId, clientSecret) => {
		const sandbox = await harness.startSandbox({ clientId, clientSecret });
		const { error } = await harness.runNode(GET_INFO, {
			credential: { baseUrl: sandbox.baseUrl, clientId, clientSecret },
		});
		expect(error).toBeUndefined();
		const basic = sandbox.recorder.requests[0]!.headers.authorization!.replace('Basic ', '');
		expect(Buffer.from(basic, 'base64').toString('utf8')).toBe(`${clientId}:${clientSecret}`);
	});

	test.each([0, 10])('is shared by 20 executions that start %p ms apart without a token', async (between) => {
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, { executions: 20, between });
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

	test('is replaced once for 20 executions if it has ended', async () => {
		const { storedToken: accessToken } = await harness.runNode(GET_INFO);
		harness.reset();
		const accessTokenExpiresAt = new Date().toISOString();
		const credential = { ...withToken(accessToken as string), accessTokenExpiresAt };
		const runs = await harness.runInParallel(GET_INFO, { executions: 20, credential });
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(20).fill(undefined));
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test('is used by a process whose clock is behind that of the one that got it', async () => {
		const credential = await account();
		advanceDate(70 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		advanceDate(-70 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN, ME, ME]);
	});

	test.each([undefined, null, '', 'soon', 0, -3600, 1, 100, 1e300, [3600], { seconds: 3600 }])(
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

	test.each(['3600', ' 3600 ', 3600.5])('may have its lifetime as %j', async (expiresIn) => {
		const credential = await account(expiresIn);
		advanceDate(59.1 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN, ME]);
	});
});

describe('The Base URL', () => {
	test.each([
		[
			'http://example.com',
			'the address does not start with https://',
			'Use https://, so that secrets and tokens are sent encrypted. Only a service on this machine (localhost) may use http://.',
		],
		[
			'https://me:s3cret@127.0.0.1',
			'the address contains a user name or password',
			'Enter them as Client ID and Client Secret.',
		],
		['https://127.0.0.1/?a=b', 'the address contains "?" or "#"', 'Remove everything from the ? or # on.'],
		['not an address', 'the value is not a web address', 'Enter the full address, starting with https://.'],
		['', 'the value is empty', 'Enter the address of the service in the credential.'],
	])('is rejected before anything is sent if it is %p', async (baseUrl, problem, description) => {
		for (const accessToken of ['', 'token']) {
			const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl, accessToken } });
			expect(error).toMatchObject({ message: `Base URL: ${problem}`, description });
			expect(JSON.stringify(error)).not.toContain('s3cret');
		}
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

test.each([
	['clientId', 'Client ID: the value is empty'],
	['clientSecret', 'Client Secret: the value is empty'],
])('an empty %s is rejected before anything is sent', async (field, message) => {
	const { error } = await harness.runNode(GET_INFO, { credential: { [field]: '' } });
	const description = 'Enter it in the credential, or check the expression there.';
	expect(error).toMatchObject({ message, description });
	expect(harness.sandbox.recorder.requests).toEqual([]);
});

describe('A token request that returns no token', () => {
	const json = (body: unknown, status = 200) => jsonResponse(body, { status });

	const CHECK_BASE_URL = 'Check the Base URL in the credential.';
	const REJECTED = 'the service rejected the Client ID or the Client Secret';
	const CHECK_BOTH = 'Check both, and the Base URL, in the credential. The service said: "invalid_client".';
	const CONTAINS_NONE = ['the response contains none', 'Check the Base URL, and that the app may get tokens.'] as const;

	test.each<[name: string, fault: Fault, problem: string, description: string]>([
		['invalid_client', json({ error: 'invalid_client' }, 400), `${REJECTED} (400)`, CHECK_BOTH],
		[
			'HTTP 403',
			json({}, 403),
			'the service denied the token request (403)',
			'Check the Base URL. Check the permissions of the app in the settings of the service.',
		],
		['HTTP 404', json({}, 404), 'the service has no token endpoint at this Base URL (404)', 'Check the Base URL.'],
		[
			'HTTP 407 from a proxy',
			json({}, 407),
			'the proxy between n8n and the service requires a password (407)',
			'Check the proxy settings of your n8n.',
		],
		[
			'a web page',
			namedFaults.html!,
			'the service responded with a web page instead of data',
			`${CHECK_BASE_URL} The service said: "Error".`,
		],
		[
			'malformed JSON',
			namedFaults.malformed!,
			'the service responded with something other than a JSON object',
			CHECK_BASE_URL,
		],
		['a response without a token', json({ token_type: 'Bearer' }), ...CONTAINS_NONE],
		...['', 'a\nb', ' ab', 'ab ', 'a\u0000', 'ä'].map((token): [string, Fault, string, string] => [
			`a token that is not valid in a header: ${JSON.stringify(token)}`,
			json({ access_token: token, token_type: 'Bearer' }),
			...CONTAINS_NONE,
		]),
		[
			'a redirect with HTTP 302',
			{ status: 302, headers: { location: '/oauth/elsewhere' } },
			'the service responded with a redirect (302)',
			CHECK_BASE_URL,
		],
		['a connection that is reset', 'reset' as const, 'the connection to the service broke', 'Try again later.'],
	])('is not retried and explains %s', async (_name, fault, problem, description) => {
		harness.sandbox.faults.add({ path: '/token', fault });
		const { error, storedToken: token } = await harness.runNode(SEND_ONCE);
		expect(error).toMatchObject({ name: 'NodeApiError', message: `No access token: ${problem}`, description });
		expect(token).toBeUndefined();
		expect(requestedUrls(harness.sandbox)).toEqual([TOKEN]);
	});

	test('explains a refused connection', async () => {
		const { baseUrl } = await harness.stoppedSandbox();
		const { error } = await harness.runNode(SEND_ONCE, { credential: { baseUrl } });
		expect(error).toMatchObject({
			message: 'No access token: the service cannot be reached',
			description: 'Check the Base URL, whether the service is running, and whether a DNS filter blocks it.',
		});
	});

	test.each([
		[{ clientId: 'a\u200Bpp' }, 'Client ID: the value contains an invisible character (U+200B)'],
		[{ clientSecret: 'wr\u00ADong' }, 'Client Secret: the value contains an invisible character (U+00AD)'],
	])('is not requested with %j', async (credential, message) => {
		const { error } = await harness.runNode(GET_INFO, { credential });
		expect(error?.message).toBe(message);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test('is explained if a firewall answers the token request', async () => {
		const fault = { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Attention Required!</h1>' };
		harness.sandbox.faults.add({ path: '/token', fault });
		const { error } = await harness.runNode(GET_INFO);
		expect(error?.message).toBe('No access token: the service denied the token request (403)');
		expect(error?.description).toContain('set N8N_ENFORCE_GLOBAL_USER_AGENT to true');
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

test.each([301, 307])(
	'a redirect with HTTP %p is not followed, neither by a token request nor by a call',
	async (status) => {
		const elsewhere = await harness.startSandbox();
		for (const path of ['/token', '/me']) {
			harness.sandbox.faults.clear();
			const location = `${elsewhere.baseUrl}/oauth/v1/me`;
			harness.sandbox.faults.add({ path, fault: { status, headers: { location } } });
			const { error } = await harness.runNode(GET_INFO);
			expect(error!.message).toContain(`responded with a redirect (${status})`);
		}
		expect(elsewhere.recorder.requests).toEqual([]);
	},
);

describe('The data that n8n stores of a run contains no secret and no token that the service repeats', () => {
	test.each(['stopWorkflow', 'continueErrorOutput'] as const)('if On Error is %p', async (onError) => {
		const { clientId, clientSecret: secret } = harness.sandbox;
		const [old, basic] = ['stored-token-1234567890', Buffer.from(`${clientId}:${secret}`).toString('base64')];
		const words = `You sent ${secret} and ${basic} and Bearer ${old}`;
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(400, words), times: 1 });
		const { run: first } = await harness.runNode(GET_INFO, { settings: { onError } });
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(401), times: 1 });
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(400, words) });
		const { run: second } = await harness.runNode(GET_INFO, { settings: { onError }, credential: withToken(old) });
		const stored = JSON.stringify([first, second]);
		expect(stored).toContain('the service did not give the app a token (400)');
		expect(stored).toContain('the service rejected the request (400)');
		for (const text of ['You sent', secret, basic, old]) expect(stored).not.toContain(text);
	});
});
