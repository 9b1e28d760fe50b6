import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type FaultRule, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, type Tokens, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { pauses } from '../support/pauses';
import { authorizations, requestedUrls } from '../support/requests';
import { waitUntil } from '../support/waitUntil';

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

	test('reorders a page', async () => {
		const [{ id: pageId } = { id: '' }] = harness.sandbox.account.pages;
		const blockIds = harness.sandbox.account.order(pageId).toReversed();
		const parameters = { resource: 'blocks', operation: 'reorder', pageId, blockIds };
		await harness.runNode(parameters, { publicAppTokens: await connect() });
		expect(harness.sandbox.account.order(pageId)).toEqual(blockIds);
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
		const credential = { authentication: 'body' };
		const options = { publicAppTokens: tokens, credential };
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

	test('stores refreshed tokens for the next execution', async () => {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		const first = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
		harness.reset();
		const second = await harness.runNode(GET_INFO, {
			publicAppTokens: first.storedTokens as Tokens,
		});
		expect(second.items).toHaveLength(1);
		expect(urls()).toEqual([ME]);
	});
});

describe('A public app rejects before anything is sent', () => {
	const USE_HTTPS =
		'Use https://, so that secrets and tokens are sent encrypted. Only a service on this machine (localhost) may use http://.';
	const credential = { baseUrl: 'http://example.com' };

	test.each<[name: string, options: RunNodeOptions, message: string, description: string]>([
		[
			'a credential that is not connected',
			{ publicAppTokens: {} },
			'Credential: no account is connected',
			'Open the credential, press Connect, and grant access.',
		],
		[
			'a token that no header can contain',
			{ publicAppTokens: { access_token: 'a\ntoken' } },
			'Credential: no account is connected',
			'Open the credential, press Connect, and grant access.',
		],
		[
			'a Base URL with http',
			{ publicAppTokens: { access_token: 'token' }, credential },
			'Base URL: the address does not start with https://',
			USE_HTTPS,
		],
		[
			'a Base URL with http before an account is connected',
			{ publicAppTokens: {}, credential },
			'Base URL: the address does not start with https://',
			USE_HTTPS,
		],
	])('%s', async (_name, options, message, description) => {
		const { error } = await harness.runNode(GET_INFO, options);
		expect(error).toMatchObject({ name: 'NodeOperationError', message, description });
		expect(urls()).toEqual([]);
	});
});

describe('A token that cannot be refreshed', () => {
	async function runWithRefusedToken(change: (tokens: Tokens) => Tokens, fault?: FaultRule) {
		const tokens = change(await connect());
		harness.sandbox.oauth.revokeAccessTokens();
		if (fault) harness.sandbox.faults.add(fault);
		const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } }, { publicAppTokens: tokens });
		for (const secret of [harness.sandbox.publicApp.clientSecret, ...Object.values(tokens)]) {
			if (String(secret).length > 20) expect(JSON.stringify(error)).not.toContain(secret);
		}
		return { message: error?.message, description: error?.description };
	}

	test('because the owner withdrew the consent: the error advises to connect again', async () => {
		const { message, description } = await runWithRefusedToken((tokens) => {
			harness.sandbox.oauth.revokeConsents();
			return tokens;
		});
		expect(message).toBe('No access token: access to the account was revoked or has ended');
		expect(description).toContain('Open the credential and connect the account again (Switch account, or Connect).');
	});

	test('because another process has used the refresh token: its new tokens are used once they are stored', async () => {
		const tokens = { ...(await connect()), refresh_token: 'used' };
		harness.sandbox.oauth.revokeAccessTokens();
		const oauthTokenData = await connect();
		const store = harness.newStore();
		const reference = harness.addPublicApp(store, tokens);
		pauses.splice(0);
		const running = harness.runNode(GET_INFO, { publicAppTokens: tokens, store, reference });
		await waitUntil(() => pauses.includes(500));
		const credential = { oauthTokenData } as unknown as ICredentialDataDecryptedObject;
		await store.updateCredentialsOauthTokenData(reference, 'profilePageOAuth2Api', credential);
		expect((await running).error).toBeUndefined();
		expect(authorizations(harness.sandbox).at(-1)).toBe(`Bearer ${oauthTokenData.access_token}`);
	});

	test('because of HTTP 429: the error advises to try again', async () => {
		const fault = { path: TOKEN, fault: { status: 429, body: 'Slow down' } };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toEqual({
			message: 'No access token: the service is rate-limiting requests (429)',
			description: 'Try again later.',
		});
	});

	test('because the response is a web page: the error advises to check the Base URL', async () => {
		const fault = { path: TOKEN, fault: namedFaults.html! };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toEqual({
			message: 'No access token: the service responded with a web page instead of data',
			description: 'Check the Base URL in the credential.',
		});
	});

	test('because the response contains no token: the error advises to connect again', async () => {
		const fault = { path: TOKEN, fault: jsonResponse({}) };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toEqual({
			message: 'No access token: the response contains none',
			description:
				'Check the Base URL. If it is right: Open the credential and connect the account again (Switch account, or Connect).',
		});
	});

	test('because n8n cannot store the new one: the error advises to look into the log of n8n', async () => {
		const publicAppTokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		const store = harness.newStore();
		const busy = new Error('SQLITE_BUSY: database is locked');
		jest.spyOn(store, 'updateCredentialsOauthTokenData').mockRejectedValue(busy);
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens, store });
		expect(error).toMatchObject({
			message: 'No access token: n8n could not get or store one',
			description: 'Try again. If that does not help, check the log of your n8n.',
		});
	});

	test('because of HTTP 503: the error advises to try again', async () => {
		const fault = { path: TOKEN, fault: statusFault(503) };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toEqual({
			message: 'No access token: the service failed (503)',
			description: 'Try again later.',
		});
	});

	test('because the connection is reset: the error advises to try again', async () => {
		expect(await runWithRefusedToken((tokens) => tokens, { path: TOKEN, fault: 'reset' })).toEqual({
			message: 'No access token: the service closed the connection before its response was complete',
			description: 'Try again later.',
		});
	});
});

describe('A public app whose requests fail', () => {
	test('a refresh that gets no response fails by the Timeout, and is not sent again', async () => {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
		const { error } = await harness.runNode(
			{ ...GET_INFO, options: { timeout: 500 } },
			{ publicAppTokens: tokens, items: [{}, {}, {}] },
		);
		expect(error).toMatchObject({
			message: 'No access token: the service did not respond to the token request in time – 3 of 3 items failed',
			description: 'The request itself was not sent. Try again later. Failed: items 0–2 (counted from 0).',
		});
		expect(urls()).toEqual([ME, ME, ME, TOKEN]);
	});

	test('canceling the execution ends the wait for a refresh that gets no response', async () => {
		const tokens = await connect();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
		const controller = new AbortController();
		const startedAt = Date.now();
		setTimeout(() => controller.abort(), 500);
		const { run } = await harness.runNode(GET_INFO, {
			publicAppTokens: tokens,
			signal: controller.signal,
		});
		expect(run.status).toBe('canceled');
		expect(Date.now() - startedAt).toBeLessThan(5000);
	});

	test('a refreshed token that is rejected too is not refreshed again', async () => {
		const tokens = await connect();
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(401, 'No.') });
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(error).toMatchObject({ httpCode: '401' });
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
