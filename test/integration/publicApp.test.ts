import { type FaultRule, jsonAnswer, namedFaults, statusFault } from '../../sandbox/faults';
import { Harness, type Tokens } from '../support/harness';

const GET_INFO = { resource: 'me', operation: 'getInfo' };

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => harness.reset());

const connect = async () => await harness.connectPublicApp();

const seen = () => harness.sandbox.recorder.requests.map(({ url }) => url);
const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

test('a call carries the access token that the owner allowed', async () => {
	const tokens = await connect();
	const { items } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
	expect(items).toHaveLength(1);
	expect(seen()).toEqual([ME]);
	expect(harness.sandbox.recorder.calls[0]!.headers.authorization).toBe(
		`Bearer ${tokens.access_token}`,
	);
});

test('a page is reordered', async () => {
	const [{ id: pageId } = { id: '' }] = harness.sandbox.account.pages;
	const blockIds = harness.sandbox.account.order(pageId).toReversed();
	const parameters = { resource: 'blocks', operation: 'reorder', pageId, blockIds };
	await harness.runNode(parameters, { publicAppTokens: await connect() });
	expect(harness.sandbox.account.order(pageId)).toEqual(blockIds);
});

test('a refused token is refreshed once, with the app by HTTP Basic, and the refused calls are sent again', async () => {
	const tokens = await connect();
	harness.sandbox.oauth.revokeAll();
	const options = { publicAppTokens: tokens, items: [{}, {}, {}] };
	const { items, storedTokens } = await harness.runNode(GET_INFO, options);
	expect(items).toHaveLength(3);
	expect(seen()).toEqual([...[ME, ME, ME], TOKEN, ...[ME, ME, ME]]);

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

test('what a refresh brought is stored, and used by the next run', async () => {
	const tokens = await connect();
	harness.sandbox.oauth.revokeAll();
	const first = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
	harness.reset();
	const second = await harness.runNode(GET_INFO, { publicAppTokens: first.storedTokens as Tokens });
	expect(second.items).toHaveLength(1);
	expect(seen()).toEqual([ME]);
});

describe('refused before anything is sent', () => {
	test.each([
		[
			'a credential that nobody has connected',
			{ publicAppTokens: {} },
			'Credential: it is not connected to an account yet. Open it, connect it, and allow the access.',
		],
		[
			'a Base URL of plain http',
			{ publicAppTokens: { access_token: 'token' }, credential: { baseUrl: 'http://example.com' } },
			'Base URL: it must start with https://, so that the secret and the tokens travel encrypted. Only a service on this machine (localhost) may use http://.',
		],
	])('%s', async (_what, options, message) => {
		const { error } = await harness.runNode(GET_INFO, options);
		expect(error).toMatchObject({ name: 'NodeOperationError', message });
		expect(seen()).toEqual([]);
	});
});

describe('a token that cannot be refreshed', () => {
	async function runWithRefusedToken(change: (tokens: Tokens) => Tokens, fault?: FaultRule) {
		const tokens = change(await connect());
		harness.sandbox.oauth.revokeAll();
		if (fault) harness.sandbox.faults.add(fault);
		const { error } = await harness.runNode(
			{ ...GET_INFO, options: { maxRetries: 0 } },
			{ publicAppTokens: tokens },
		);
		for (const secret of [harness.sandbox.publicApp.clientSecret, ...Object.values(tokens)]) {
			if (String(secret).length > 20) expect(JSON.stringify(error)).not.toContain(secret);
		}
		return error?.message;
	}

	const NOT_RENEWED =
		'No access token: the service did not renew the access to the account. Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

	test('because the owner has withdrawn the consent: check and connect again', async () => {
		expect(
			await runWithRefusedToken((tokens) => {
				harness.sandbox.oauth.withdrawConsent();
				return tokens;
			}),
		).toMatch(/^No access token: the service did not renew the access to the account\./);
	});

	test('because the service gave no refresh token: check and connect again', async () => {
		const withoutRefresh = ({ access_token, token_type }: Tokens) =>
			({ access_token, token_type }) as Tokens;
		expect(await runWithRefusedToken(withoutRefresh)).toBe(NOT_RENEWED);
	});

	test('because the token endpoint is rate-limiting requests: try again', async () => {
		const fault = { path: TOKEN, fault: { status: 429, body: 'Slow down' } };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toBe(
			'No access token: the service is rate-limiting requests (HTTP 429). Try again later.',
		);
	});

	test('because the token endpoint answers with a page: check the Base URL', async () => {
		const fault = { path: TOKEN, fault: namedFaults.html! };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toBe(
			'No access token: the service answered with a web page instead of data. Check the Base URL in the credential.',
		);
	});

	test('because the answer contains no token: check and connect again', async () => {
		const fault = { path: TOKEN, fault: jsonAnswer({}) };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toBe(
			'No access token: the answer of the service contains none. Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).',
		);
	});

	test('because the token endpoint fails: try again', async () => {
		const fault = { path: TOKEN, fault: statusFault(503) };
		expect(await runWithRefusedToken((tokens) => tokens, fault)).toBe(
			'No access token: the service failed (HTTP 503). Try again later.',
		);
	});

	test('because the connection to it breaks: try again', async () => {
		expect(await runWithRefusedToken((tokens) => tokens, { path: TOKEN, fault: 'reset' })).toBe(
			'No access token: the service closed the connection before its answer was complete. Try again later.',
		);
	});
});

test('a refresh that is not answered is given up, and not sent twice', async () => {
	const tokens = await connect();
	harness.sandbox.oauth.revokeAll();
	harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
	const { error } = await harness.runNode(
		{ ...GET_INFO, options: { timeout: 500 } },
		{ publicAppTokens: tokens, items: [{}, {}, {}] },
	);
	expect(error?.message).toContain(
		'No access token: the service did not answer the token request in time. The request itself was not sent. Try again later. Failed: items 0–2 ',
	);
	expect(seen()).toEqual([ME, ME, ME, TOKEN]);
});

test('a refresh that is not answered is not waited for when the execution is stopped', async () => {
	const tokens = await connect();
	harness.sandbox.oauth.revokeAll();
	harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
	const controller = new AbortController();
	const begin = Date.now();
	setTimeout(() => controller.abort(), 500);
	const { run } = await harness.runNode(GET_INFO, {
		publicAppTokens: tokens,
		signal: controller.signal,
	});
	expect(run.status).toBe('canceled');
	expect(Date.now() - begin).toBeLessThan(5000);
});

test('a token that is refused again after a refresh is no reason for another', async () => {
	const tokens = await connect();
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(401, 'No.') });
	const { error } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
	expect(harness.sandbox.recorder.grants).toBe(1);
	expect(error).toMatchObject({ httpCode: '401' });
});

test('a token that the service repeats is kept out of the message', async () => {
	const tokens = await connect();
	const words = `Token ${tokens.access_token} of ${harness.sandbox.publicApp.clientSecret}`;
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(400, words) });
	const { error } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
	expect(error?.message).toContain('the service refused the request (HTTP 400)');
	expect(error?.message).not.toContain('The service said');
});

test('a redirect is not followed with the token', async () => {
	const elsewhere = await Harness.open();
	const tokens = await connect();
	harness.sandbox.faults.add({
		path: '/me',
		fault: { status: 302, headers: { location: `${elsewhere.sandbox.baseUrl}/oauth/v1/me` } },
	});
	const { error } = await harness.runNode(GET_INFO, { publicAppTokens: tokens });
	expect(error?.message).toContain('answered with a redirect (HTTP 302), which is not followed');
	expect(elsewhere.sandbox.recorder.requests).toEqual([]);
	await elsewhere.close();
});
