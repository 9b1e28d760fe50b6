/** What an app sends to the token endpoint, and what it makes of the response. */

import { type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { type RunNodeOptions, type Tokens, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { authorizations, requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';

const harness = useHarness();
afterEach(() => jest.useRealTimers());

const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];
const NO_RETRIES = { ...GET_INFO, options: { maxRetries: 0 } };
const MINUTE = 60_000;

const connect = async () => await harness.connectPublicApp();
const urls = () => requestedUrls(harness.sandbox);
const basicOf = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
	Buffer.from(`${clientId}:${clientSecret}`).toString('base64');

/** How a kind of app gets the next token from the token endpoint. */
const kinds = {
	'private app': async (): Promise<RunNodeOptions> => await Promise.resolve({}),
	'public app': async (): Promise<RunNodeOptions> => {
		const publicAppTokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		return { publicAppTokens };
	},
};

type Kind = keyof typeof kinds;
const KINDS = Object.keys(kinds) as Kind[];

/** Runs the node with an app whose token request gets this response. */
async function runWith(kind: Kind, response: Fault) {
	const options = await kinds[kind]();
	harness.sandbox.faults.add({ path: TOKEN, fault: response });
	return await harness.runNode(NO_RETRIES, options);
}

describe('The token request of a private app', () => {
	test('sends only grant_type, with ID and secret by HTTP Basic, for the token that the call sends and n8n stores', async () => {
		const { storedToken: token } = await harness.runNode(GET_INFO, { items: [{}, {}, {}] });
		const [grant] = harness.sandbox.recorder.requests;
		expect(grant).toMatchObject({ method: 'POST', url: TOKEN, body: 'grant_type=client_credentials' });
		expect(grant!.headers).toMatchObject({
			authorization: `Basic ${basicOf(harness.sandbox)}`,
			'content-type': 'application/x-www-form-urlencoded',
			accept: 'application/json',
		});
		const credential = storedToken(harness.sandbox, { accessToken: token as string });
		await harness.runNode(GET_INFO, { credential });
		expect(urls()).toEqual([TOKEN, ME, ME, ME, ME]);
		expect(authorizations(harness.sandbox)).toEqual(Array(4).fill(`Bearer ${token as string}`));
	});

	test('is sent before a call whose token was stored without a digest, and that token is not sent', async () => {
		const { items } = await harness.runNode(GET_INFO, { credential: { accessToken: 'old' } });
		expect(items).toHaveLength(1);
		expect(urls()).toEqual([TOKEN, ME]);
	});

	test('sends a Client ID and a Client Secret of any characters unchanged', async () => {
		const app = { clientId: 'my:id 100%', clientSecret: 'a:b c%20d+&="/ pässwörd ✓ 秘密' };
		const { baseUrl, recorder } = await harness.startSandbox(app);
		const { error } = await harness.runNode(GET_INFO, { credential: { baseUrl, ...app } });
		expect(error).toBeUndefined();
		expect(recorder.requests[0]!.headers.authorization).toBe(`Basic ${basicOf(app)}`);
	});

	test('is shared by 20 executions that start without a token', async () => {
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, { executions: 20, between: 10 });
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(20).fill(undefined));
		expect(urls()).toEqual([TOKEN, ...Array<string>(20).fill(ME)]);
	});

	test('is not shared by executions at the same time for other accounts or with another Client Secret', async () => {
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
		expect([harness.sandbox.recorder.grants, other.recorder.grants]).toEqual([2, 1]);
	});
});

describe('The lifetime of a private app’s token', () => {
	const account = async (expiresIn: unknown = 3600) => {
		harness.sandbox.oauth.expiresIn = () => expiresIn;
		const credential = harness.newAccount();
		expect((await harness.runNode(GET_INFO, credential)).error).toBeUndefined();
		harness.sandbox.recorder.reset();
		return credential;
	};

	test.each([3600, ' 3600 '])('of %j seconds ends a minute early, before it is sent', async (expiresIn) => {
		const credential = await account(expiresIn);
		advanceDate(59 * MINUTE - 5000);
		await harness.runNode(GET_INFO, credential);
		expect(urls()).toEqual([ME]);
		advanceDate(5000);
		const { storedToken: renewed } = await harness.runNode(GET_INFO, credential);
		await harness.runNode(GET_INFO, credential);
		expect(urls()).toEqual([ME, TOKEN, ME, ME]);
		expect(authorizations(harness.sandbox).slice(1)).toEqual(Array(2).fill(`Bearer ${String(renewed)}`));
	});

	test('does not end for a process whose clock is behind that of the one that got it', async () => {
		const credential = await account();
		advanceDate(70 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		advanceDate(-70 * MINUTE);
		await harness.runNode(GET_INFO, credential);
		expect(urls()).toEqual([TOKEN, ME, ME]);
	});

	test.each([undefined, 'soon', 0, 100, 1e300])(
		'of %j seconds is unknown: the token is used until it is rejected',
		async (expiresIn) => {
			const credential = await account(expiresIn);
			advanceDate(50 * MINUTE);
			await harness.runNode(GET_INFO, credential);
			expect(urls()).toEqual([ME]);
			harness.sandbox.oauth.revokeAccessTokens();
			expect((await harness.runNode(GET_INFO, credential)).error).toBeUndefined();
		},
	);
});

describe('A public app', () => {
	test('sends the access token that it was granted', async () => {
		const publicAppTokens = await connect();
		const { items } = await harness.runNode(GET_INFO, { publicAppTokens });
		expect(items).toHaveLength(1);
		expect(urls()).toEqual([ME]);
		expect(authorizations(harness.sandbox)).toEqual([`Bearer ${publicAppTokens.access_token}`]);
	});

	test.each([
		['by HTTP Basic', {}, true],
		['in the form, if Authentication is set to Body', { authentication: 'body' }, false],
	])('refreshes a rejected token once, with the app %s, and sends the rejected calls again', async (...given) => {
		const [, credential, isBasic] = given;
		const { publicAppTokens } = await kinds['public app']();
		const options = { publicAppTokens, credential, items: [{}, {}, {}] };
		const { items, storedTokens } = await harness.runNode(GET_INFO, options);
		expect(items).toHaveLength(3);
		expect(urls()).toEqual([...[ME, ME, ME], TOKEN, ...[ME, ME, ME]]);

		const { publicApp } = harness.sandbox;
		const { headers, body } = harness.sandbox.recorder.requests[3]!;
		expect(headers.authorization).toBe(isBasic ? `Basic ${basicOf(publicApp)}` : undefined);
		expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
			grant_type: 'refresh_token',
			refresh_token: publicAppTokens!.refresh_token,
			...(!isBasic && { client_id: publicApp.clientId, client_secret: publicApp.clientSecret }),
		});
		expect((storedTokens as Tokens).refresh_token).not.toBe(publicAppTokens!.refresh_token);
	});

	test('uses the token that another process of n8n has stored, while n8n waited for it instead of refreshing', async () => {
		const { publicAppTokens } = await kinds['public app']();
		const stored = { oauthTokenData: await connect() };
		const store = harness.newStore();
		const update = store.updateCredentialsOauthTokenData.bind(store);
		jest
			.spyOn(store, 'updateCredentialsOauthTokenData')
			.mockImplementation(async (reference, type) => await update(reference, type, stored));
		harness.sandbox.faults.add({ path: TOKEN, fault: jsonResponse({}) });
		const { items, error } = await harness.runNode(GET_INFO, { publicAppTokens, store });
		expect([error, items.length]).toEqual([undefined, 1]);
	});

	test('sends a refresh that gets no response once, also for the next execution, and waits as Timeout and Max Retries say', async () => {
		const { publicAppTokens } = await kinds['public app']();
		harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
		const store = harness.newStore();
		const reference = harness.addPublicApp(store, publicAppTokens!);
		const parameters = { ...GET_INFO, options: { timeout: 500, maxRetries: 1 } };
		for (let run = 1; run <= 2; run += 1) {
			const { error } = await harness.runNode(parameters, { publicAppTokens, store, reference, items: [{}, {}] });
			expect(error).toMatchObject({
				message: 'No access token: the service did not respond in time – 2 of 2 items failed',
				description: expect.stringMatching(/^Try again later. .* Attempts to get a token: 2. /) as unknown,
			});
			advanceDate(30_000);
		}
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test('sends a refresh again after a rate limit, also if the response has an error of its own', async () => {
		const { publicAppTokens } = await kinds['public app']();
		const fault = jsonResponse({ error: 'rate_limited', error_description: 'Slow down.' }, { status: 429 });
		harness.sandbox.faults.add({ path: TOKEN, fault, times: 1 });
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens });
		expect([error, harness.sandbox.recorder.grants]).toEqual([undefined, 2]);
	});

	test('that was never given a refresh token does not ask for another token', async () => {
		const { access_token, token_type } = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		const publicAppTokens = { access_token, token_type } as Tokens;
		const { error } = await harness.runNode(NO_RETRIES, { publicAppTokens });
		expect(error).toMatchObject({
			message: 'No access token: it has ended or was rejected, and the service issued no refresh token',
			description: CONNECT_AGAIN,
		});
		expect(urls()).toEqual([ME]);
	});

	test('is not quoted if an error repeats a token or the secret', async () => {
		const publicAppTokens = await connect();
		const { access_token, refresh_token } = publicAppTokens;
		for (const word of [access_token, refresh_token, harness.sandbox.publicApp.clientSecret]) {
			harness.reset();
			harness.sandbox.faults.add({ path: ME, fault: statusFault(400, `It was ${String(word)}.`) });
			const { error } = await harness.runNode(NO_RETRIES, { publicAppTokens });
			expect(error?.message).toBe('The profile info was not read: the service rejected the request (400)');
			expect(error?.description).not.toContain('The service said');
		}
	});
});

test.each<[what: string, options: RunNodeOptions, message: string, description: unknown]>([
	[
		'a Base URL with a password',
		{ credential: { baseUrl: 'https://me:s3cret@127.0.0.1' } },
		'Base URL: the value is not a web address that starts with https://',
		expect.stringMatching(/without user name, password/),
	],
	[
		'an empty Client ID, and a token',
		{ credential: { clientId: '', accessToken: 'token' } },
		'Client ID: the value is empty',
		'Enter it in the credential, or check the expression there.',
	],
	[
		'an invisible character in the secret',
		{ credential: { clientSecret: 'wr\u00ADong' } },
		'Client Secret: the value contains an invisible character (U+00AD)',
		expect.any(String),
	],
	...[{}, { access_token: 'a\ntoken' } as Tokens].map(
		(publicAppTokens: Tokens): [string, RunNodeOptions, string, string] => [
			`the tokens ${JSON.stringify(publicAppTokens)} of a public app`,
			{ publicAppTokens },
			'Credential: no account is connected',
			'Open the credential, press Connect, and grant access.',
		],
	),
])('A credential with %s is rejected before anything is sent', async (_what, options, message, description) => {
	const { error } = await harness.runNode(GET_INFO, options);
	expect(error).toMatchObject({ name: 'NodeOperationError', message, description });
	expect(JSON.stringify(error)).not.toContain('s3cret');
	expect(harness.sandbox.recorder.requests).toEqual([]);
});

const NOT_RENEWED = 'the service did not renew access to the account';
const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';
const CHECK_APP =
	'Check the Base URL in the credential, and the app in the settings of the service. If it is a public app, use a Profile Page Public App OAuth2 API credential.';
const CHECK_CLIENT = 'Check the Client ID, the Client Secret, and the Base URL in the credential.';
const INVALID_CLIENT = jsonResponse({ error: 'invalid_client' }, { status: 400 });
const DENIED = jsonResponse({ error: 'access_denied', error_description: 'Not\ntoday.' }, { status: 400 });

describe('A token request that returns no token is not repeated, and the error explains', () => {
	test.each<[Kind, string, Fault, problem: string, description: string]>([
		[
			'private app',
			'invalid_client',
			INVALID_CLIENT,
			'the service rejected the Client ID or the Client Secret (400)',
			`${CHECK_CLIENT} The service said: "invalid_client".`,
		],
		[
			'private app',
			'a rejection in words',
			DENIED,
			'the service did not give the app a token (400)',
			`${CHECK_APP} The service said: "Not today."`,
		],
		[
			'private app',
			'a web page',
			namedFaults.html!,
			'the service responded with a web page instead of data',
			expect.stringMatching(/^Check the Base URL in the credential\. If the response came from a CDN or firewall/),
		],
		[
			'private app',
			'a success that is none',
			jsonResponse({ status: false, errors: ['Blocked.'] }),
			'the response contains none',
			'Check the Base URL, and that the app may get tokens. The service said: "Blocked."',
		],
		['private app', 'a connection that is reset', 'reset', 'the connection to the service broke', 'Try again later.'],
		['public app', 'invalid_client', INVALID_CLIENT, NOT_RENEWED, CONNECT_AGAIN],
		[
			'public app',
			'a busy service',
			{ status: 429, body: 'Slow down' },
			'the service is rate-limiting requests (429)',
			'Try again later. Run workflows less often, or lower Items per Batch in the options of Profile Page nodes. The service said: "Slow down".',
		],
		['public app', 'a web page', namedFaults.html!, `${NOT_RENEWED} (200)`, CONNECT_AGAIN],
		[
			'public app',
			'a success that is none',
			jsonResponse({ status: false }),
			'the response contains no new one',
			CONNECT_AGAIN,
		],
		['public app', 'a connection that is reset', 'reset', 'the connection to the service broke', 'Try again later.'],
	])('to a %s %s', async (kind, _what, fault, problem, description) => {
		const { error, storedToken: token } = await runWith(kind, fault);
		expect(error).toMatchObject({ name: 'NodeApiError', message: `No access token: ${problem}`, description });
		expect([token, harness.sandbox.recorder.grants]).toEqual([undefined, 1]);
	});

	test('that the owner of a public app has withdrawn consent', async () => {
		const options = await kinds['public app']();
		harness.sandbox.oauth.revokeConsents();
		const { error } = await harness.runNode(NO_RETRIES, options);
		expect(error?.message).toBe(`No access token: ${NOT_RENEWED}`);
		expect(error?.description).toContain(CONNECT_AGAIN);
	});

	test('and does not quote a response that repeats the secret of a public app', async () => {
		const { publicApp } = harness.sandbox;
		for (const form of [publicApp.clientSecret, basicOf(publicApp)]) {
			harness.reset();
			const { error } = await runWith('public app', { status: 429, body: `Wrong: ${form}` });
			expect(error?.description).not.toContain('The service said');
			expect(JSON.stringify(error)).not.toContain(form);
		}
	});

	test.each(KINDS)(
		'to a %s, and does not quote a success that is no JSON object, as it may contain a token',
		async (kind) => {
			const form = 'access_token=new-token&token_type=bearer';
			for (const body of [
				form,
				`Warning: no key on line 3\n{"access_token":"new-token"}`,
				'"new-token"',
				'new-token',
			]) {
				const { error } = await runWith(kind, { status: 200, body });
				expect(error?.message).toMatch(/^No access token: the service /);
				expect(JSON.stringify(error)).not.toContain('new-token');
				harness.reset();
			}
		},
	);
});

test.each<[string, string, Kind]>([
	['a token request', TOKEN, 'private app'],
	['a call', ME, 'private app'],
	['a call of a public app', ME, 'public app'],
])('A redirect is not followed by %s', async (_what, path, kind) => {
	const elsewhere = await harness.startSandbox();
	const publicAppTokens = kind === 'public app' ? await connect() : undefined;
	const headers = { location: `${elsewhere.baseUrl}/oauth/v1/me` };
	harness.sandbox.faults.add({ path, fault: { status: 307, headers } });
	const { error } = await harness.runNode(GET_INFO, { publicAppTokens });
	expect(error!.message).toContain('responded with a redirect (307)');
	expect(elsewhere.recorder.requests).toEqual([]);
});

describe.each(KINDS)('A new token of a %s', (kind) => {
	const token = 'token-of-any-type';
	const responseWith = (token_type: string) => jsonResponse({ access_token: token, token_type });

	test('is sent as a bearer if it is one, in the header only', async () => {
		await runWith(kind, responseWith(' BEARER\t'));
		expect(urls().at(-1)).toBe(ME);
		expect(authorizations(harness.sandbox).at(-1)).toBe(`Bearer ${token}`);
		for (const { url, body } of harness.sandbox.recorder.requests) expect(url + body).not.toContain(token);
	});

	test('is not sent if it is of another type', async () => {
		const { error, storedToken: stored } = await runWith(kind, responseWith('mac'));
		expect(error).toMatchObject(FOREIGN_TYPE);
		expect(urls().at(-1)).toBe(TOKEN);
		expect(stored).not.toBe(token);
	});

	test('that is the one which was rejected is not asked for again, and the error says that it is rejected', async () => {
		const { error } = await runWith(kind, responseWith('Bearer'));
		expect(error?.message).toBe('The profile info was not read: the service rejected the access token (401)');
		expect(urls().filter((url) => url === TOKEN).length).toBeLessThanOrEqual(3);
	});
});

const FOREIGN_TYPE = {
	message: 'No access token: the service sent a token of a type other than Bearer',
	description: 'Check the Base URL.',
};

describe('A token that n8n stored when a public app was connected', () => {
	const runConnected = async (token_type?: string) =>
		await harness.runNode(NO_RETRIES, { publicAppTokens: { ...(await connect()), token_type } as Tokens });

	test.each([undefined, ' BEARER\t'])('is sent as a bearer if its type is %j', async (type) => {
		expect((await runConnected(type)).error).toBeUndefined();
		expect(urls()).toEqual([ME]);
		expect(authorizations(harness.sandbox)).toEqual([expect.stringMatching(/^Bearer \S+$/)]);
	});

	test('is not sent if its type is none of a bearer', async () => {
		expect((await runConnected('mac')).error).toMatchObject(FOREIGN_TYPE);
		expect(urls()).toEqual([]);
	});
});

test.each([{}, { refresh_token: '' }, { refresh_token: '={{ $json }}' }])(
	'A refresh token is kept if the response has none that can be sent: %j',
	async (none) => {
		const { publicAppTokens } = await kinds['public app']();
		const fault = jsonResponse({ access_token: 'next', token_type: 'Bearer', ...none });
		harness.sandbox.faults.add({ path: TOKEN, fault });
		const { storedTokens } = await harness.runNode(NO_RETRIES, { publicAppTokens });
		const { refresh_token } = publicAppTokens!;
		expect(storedTokens).toMatchObject({ access_token: 'next', refresh_token });
	},
);
