import { type FaultRule, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, type Tokens, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { authorizations, requestedUrls } from '../support/requests';

const harness = useHarness();

const connect = async () => await harness.connectPublicApp();

const urls = () => requestedUrls(harness.sandbox);
const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

describe('A public app', () => {
	test('sends the access token that it was granted', async () => {
		const tokens = await connect();
		const { items } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
		expect(items).toHaveLength(1);
		expect(urls()).toEqual([ME]);
		expect(authorizations(harness.sandbox)).toEqual([`Bearer ${tokens.access_token}`]);
	});

	test('refreshes a rejected token once, with the app by HTTP Basic, and sends the rejected calls again', async () => {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		const options = { publicAppTokens: tokens, items: [{}, {}, {}] };
		const { items, storedTokens } = await harness.runNode(GET_INFO, options);
		expect(items).toHaveLength(3);
		expect(urls()).toEqual([...[ME, ME, ME], TOKEN, ...[ME, ME, ME]]);

		const { clientId, clientSecret } = harness.sandbox.publicApp;
		const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
		const refresh = harness.sandbox.recorder.requests[3]!;
		expect(refresh.headers.authorization).toBe(`Basic ${basic}`);
		expect(Object.fromEntries(new URLSearchParams(refresh.body))).toEqual({
			grant_type: 'refresh_token',
			refresh_token: tokens.refresh_token,
		});
		expect((storedTokens as Tokens).refresh_token).not.toBe(tokens.refresh_token);
	});

	test('sends the app in the form instead, if Authentication is set to Body', async () => {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		const options = { publicAppTokens: tokens, credential: { authentication: 'body' } };
		const { items } = await harness.runNode(GET_INFO, options);
		expect(items).toHaveLength(1);
		const { clientId, clientSecret } = harness.sandbox.publicApp;
		const refresh = harness.sandbox.recorder.requests[1]!;
		expect(refresh.headers.authorization).toBeUndefined();
		expect(Object.fromEntries(new URLSearchParams(refresh.body))).toEqual({
			grant_type: 'refresh_token',
			refresh_token: tokens.refresh_token,
			client_id: clientId,
			client_secret: clientSecret,
		});
	});

	test('uses the token that another process of n8n has stored, while n8n waited for it instead of refreshing', async () => {
		const publicAppTokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		const stored = { oauthTokenData: await connect() };
		const store = harness.newStore();
		const update = store.updateCredentialsOauthTokenData.bind(store);
		jest
			.spyOn(store, 'updateCredentialsOauthTokenData')
			.mockImplementation(async (reference, type) => await update(reference, type, stored));
		harness.sandbox.faults.add({ path: TOKEN, fault: jsonResponse({}) });
		const { items, error } = await harness.runNode(GET_INFO, { publicAppTokens, store });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

describe('A public app rejects before anything is sent', () => {
	const NOT_CONNECTED = [
		'Credential: no account is connected',
		'Open the credential, press Connect, and grant access.',
	] as const;

	test.each<[name: string, options: RunNodeOptions, message: string, description: string]>([
		['a credential that is not connected', { publicAppTokens: {} }, ...NOT_CONNECTED],
		['a token that no header can contain', { publicAppTokens: { access_token: 'a\ntoken' } }, ...NOT_CONNECTED],
	])('%s', async (_name, options, message, description) => {
		const { error } = await harness.runNode(GET_INFO, options);
		expect(error).toMatchObject({ name: 'NodeOperationError', message, description });
		expect(urls()).toEqual([]);
	});
});

const NOT_RENEWED = 'No access token: the service did not renew access to the account';
const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

describe('A token that cannot be refreshed', () => {
	async function runWithRefusedToken(fault?: FaultRule['fault']) {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		if (!fault) harness.sandbox.oauth.revokeConsents();
		harness.sandbox.faults.add({ path: TOKEN, fault });
		const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } }, { publicAppTokens: tokens });
		for (const secret of [harness.sandbox.publicApp.clientSecret, ...Object.values(tokens)]) {
			if (String(secret).length > 20) expect(JSON.stringify(error)).not.toContain(secret);
		}
		expect(harness.sandbox.recorder.grants).toBe(1);
		return { message: error?.message, description: error?.description };
	}

	test('because the owner withdrew the consent: the error advises to connect again', async () => {
		const { message, description } = await runWithRefusedToken();
		expect(message).toBe(NOT_RENEWED);
		expect(description).toContain(CONNECT_AGAIN);
	});

	test('because its app was refused: the error advises to check the app, and to connect again', async () => {
		const { message, description } = await runWithRefusedToken(
			jsonResponse({ error: 'invalid_client' }, { status: 401 }),
		);
		expect(message).toContain(NOT_RENEWED);
		expect(description).toContain(CONNECT_AGAIN);
	});

	test.each<[string, FaultRule['fault'], string, string]>([
		[
			'HTTP 429',
			{ status: 429, body: 'Slow down' },
			'No access token: the service is rate-limiting requests (429)',
			'Try again later. The service said: "Slow down".',
		],
		['a connection that is reset', 'reset', 'No access token: the connection to the service broke', 'Try again later.'],
		['a web page', namedFaults.html, `${NOT_RENEWED} (200)`, `${CONNECT_AGAIN} The service said: "Error".`],
	])('because of %s: the error says so, and what to do', async (_what, fault, message, description) => {
		expect(await runWithRefusedToken(fault)).toEqual({ message, description });
	});
});

describe('A public app whose requests fail', () => {
	test('a refresh that gets no response is waited for as Timeout and Max Retries say, and not sent again', async () => {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
		const { error } = await harness.runNode(
			{ ...GET_INFO, options: { timeout: 300, maxRetries: 1 } },
			{ publicAppTokens: tokens, items: [{}, {}, {}] },
		);
		expect(error).toMatchObject({
			message: 'No access token: the service did not respond in time – 3 of 3 items failed',
			description: expect.stringMatching(/^Try again later. Attempts: 2. /) as unknown,
		});
		expect(urls()).toEqual([ME, ME, ME, TOKEN]);
	});

	test('an error does not quote the service if its response repeats the token', async () => {
		const tokens = await connect();
		const words = `Token ${tokens.access_token} of ${harness.sandbox.publicApp.clientSecret}`;
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(400, words) });
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
		expect(error?.message).toBe('The profile info was not read: the service rejected the request (400)');
		expect(error?.description).not.toContain('The service said');
	});

	test('a redirect is not followed with the token', async () => {
		const elsewhere = await harness.startSandbox();
		const tokens = await connect();
		harness.sandbox.faults.add({
			path: '/me',
			fault: { status: 302, headers: { location: `${elsewhere.baseUrl}/oauth/v1/me` } },
		});
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
		expect(error?.message).toContain('responded with a redirect (302)');
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});
