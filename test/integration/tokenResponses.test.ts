import fc from 'fast-check';

import { type CannedResponse, jsonResponse } from '../../sandbox/faults';
import { type RunNodeOptions, type Tokens, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { authorizations, requestedUrls } from '../support/requests';

const harness = useHarness();

const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];
const NO_RETRIES = { ...GET_INFO, options: { maxRetries: 0 } };

/** How a kind of app gets the next token from the token endpoint. */
const kinds = {
	'private app': async (): Promise<RunNodeOptions> => await Promise.resolve({}),
	'public app': async (): Promise<RunNodeOptions> => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		return { publicAppTokens };
	},
};

type Kind = keyof typeof kinds;
const KINDS = Object.keys(kinds) as Kind[];

/** Runs the node with an app whose token request gets this response. */
async function runWith(kind: Kind, response: CannedResponse) {
	const options = await kinds[kind]();
	harness.sandbox.faults.add({ path: TOKEN, fault: response });
	return await harness.runNode(NO_RETRIES, options);
}

const NOT_RENEWED = 'No access token: the service did not renew access to the account';
const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

/** Expects that no request had this token anywhere but in its Authorization header. */
function expectTokenInHeaderOnly(token: string): void {
	for (const { url, body } of harness.sandbox.recorder.requests) expect(url + body).not.toContain(token);
}

const FOREIGN_TYPE = 'the service sent a token of a type other than Bearer';

describe.each(KINDS)('A new token of a %s', (kind) => {
	const token = 'token-of-any-type';
	const responseWith = (token_type: unknown) => jsonResponse({ access_token: token, token_type });

	test.each([undefined, ' BEARER\t'])('is sent as a bearer if its type is %j', async (type) => {
		await runWith(kind, responseWith(type));
		expect(requestedUrls(harness.sandbox).at(-1)).toBe(ME);
		expect(authorizations(harness.sandbox).at(-1)).toBe(`Bearer ${token}`);
		expectTokenInHeaderOnly(token);
	});

	test.each(['mac', 5])('is not sent if its type is %j', async (type) => {
		const { error, storedToken } = await runWith(kind, responseWith(type));
		// n8n's OAuth client itself fails at a type that is no text.
		const isUnreadable = kind === 'public app' && typeof type !== 'string';
		expect(error?.message).toBe(isUnreadable ? NOT_RENEWED : `No access token: ${FOREIGN_TYPE}`);
		expect(error?.description).toBe(isUnreadable ? CONNECT_AGAIN : 'Check the Base URL.');
		expect(requestedUrls(harness.sandbox).at(-1)).toBe(TOKEN);
		expect(storedToken).not.toBe(token);
	});
});

describe.each(KINDS)('A %s that is granted the token again which was rejected', (kind) => {
	test('stops asking, and says that the service rejects it', async () => {
		const fault = jsonResponse({ access_token: 'the-same', token_type: 'Bearer' });
		const { error } = await runWith(kind, fault);
		expect(error).toMatchObject({
			message: 'The profile info was not read: the service rejected the access token (401)',
		});
		expect(requestedUrls(harness.sandbox).filter((url) => url === TOKEN).length).toBeLessThanOrEqual(3);
	});
});

describe('A token that n8n stored when a public app was connected', () => {
	const connectedWith = async (change: object) => ({ ...(await harness.connectPublicApp()), ...change });

	test.each([undefined, ' BEARER\t'])('is sent as a bearer if its type is %j', async (token_type) => {
		const publicAppTokens = await connectedWith({ token_type });
		const { error } = await harness.runNode(NO_RETRIES, { publicAppTokens });
		expect(error).toBeUndefined();
		expect(requestedUrls(harness.sandbox)).toEqual([ME]);
		expect(authorizations(harness.sandbox)).toEqual([`Bearer ${publicAppTokens.access_token}`]);
	});

	test('is not sent if its type is none of a bearer', async () => {
		const { error } = await harness.runNode(NO_RETRIES, {
			publicAppTokens: await connectedWith({ token_type: 'mac' }),
		});
		expect(error).toMatchObject({ message: `No access token: ${FOREIGN_TYPE}`, description: 'Check the Base URL.' });
		expect(requestedUrls(harness.sandbox)).toEqual([]);
	});
});

/** In the data of the workflow that the next property reads by expressions. */
const WORKFLOW_DATA = 'data-of-the-workflow';

describe('Whatever a token endpoint responds', () => {
	const expression = fc.constantFrom(
		"={{ JSON.stringify($('Start').all()) }}",
		'={{ $json.secret }}',
		'={{ $self["clientSecret"] }}',
		`=${WORKFLOW_DATA}`,
	);
	const text = fc.oneof(
		expression,
		fc.constantFrom('Bearer', '', ' Bearer ', 'mac', 'next-token', '3600'),
		fc.string(),
	);
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 3, withCrossShrink: true },
			text,
			fc.constantFrom(null, 0, 3600, true),
			fc.array(tie('value'), { maxLength: 2 }),
			fc.dictionary(text, tie('value'), { maxKeys: 2 }),
		),
	}));
	const names = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'accessToken', 'tokenType'];
	const response = fc.record(
		{ ...Object.fromEntries(names.map((name) => [name, value])), other: value },
		{ requiredKeys: [] },
	);
	const likely = fc.record({ access_token: fc.constant('next-token'), refresh_token: value, other: value });

	test('no request contains data of the workflow or a secret, and no address a token', async () => {
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...KINDS), fc.oneof(likely, response), async (kind, body) => {
				harness.reset();
				const store = harness.newStore();
				const { publicAppTokens } = await kinds[kind]();
				const reference = publicAppTokens ? harness.addPublicApp(store, publicAppTokens) : harness.addCredential(store);
				const items = [{ secret: WORKFLOW_DATA }];
				harness.sandbox.faults.add({ path: TOKEN, fault: jsonResponse(body) });
				for (let run = 1; run <= 2; run += 1) {
					await harness.runNode(NO_RETRIES, { store, reference, items, publicAppTokens });
				}
				const { requests } = harness.sandbox.recorder;
				const { clientSecret } = publicAppTokens ? harness.sandbox.publicApp : harness.sandbox;
				for (const { url, body: sent, headers } of requests) {
					expect(url + sent + JSON.stringify(headers)).not.toContain(WORKFLOW_DATA);
					expect(url + sent).not.toContain(clientSecret);
					expect([ME, TOKEN]).toContain(url);
				}
			}),
			{ numRuns: 30 },
		);
	}, 60_000);

	test('a response with nested expressions is refused, and the old tokens stay', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		const nested = { access_token: 'next', refresh_token: ["={{ JSON.stringify($('Start').all()) }}"] };
		harness.sandbox.faults.add({ path: TOKEN, fault: jsonResponse(nested) });
		const { error, storedTokens } = await harness.runNode(NO_RETRIES, { publicAppTokens });
		expect(error?.message).toBe('No access token: the response contains an n8n expression');
		expect(storedTokens).toEqual(publicAppTokens);
	});

	test.each([{}, { refresh_token: '' }])(
		'the stored refresh token is kept if the response contains none: %j',
		async (none) => {
			const publicAppTokens = await harness.connectPublicApp();
			harness.sandbox.oauth.revokeAccessTokens();
			const fault = jsonResponse({ access_token: 'next', token_type: 'Bearer', ...none });
			harness.sandbox.faults.add({ path: TOKEN, fault });
			const { storedTokens } = await harness.runNode(NO_RETRIES, { publicAppTokens });
			expect(storedTokens).toMatchObject({ access_token: 'next', refresh_token: publicAppTokens.refresh_token });
		},
	);

	test('an error does not quote the service if it repeats something that it sent as a token before', async () => {
		const publicAppTokens: Tokens = { ...(await harness.connectPublicApp()), id_token: 'identity-token' };
		for (const words of ['It was identity-token.', `It was ${String(publicAppTokens.refresh_token)}.`]) {
			harness.reset();
			harness.sandbox.faults.add({ path: ME, fault: jsonResponse({ errors: [words] }, { status: 400 }) });
			const { error } = await harness.runNode(NO_RETRIES, { publicAppTokens });
			expect(error?.message).toBe('The profile info was not read: the service rejected the request (400)');
			expect(error?.description).not.toContain('The service said');
		}
	});
});

const NO_TOKEN = 'No access token: the service did not give the app a token (400)';
const CHECK_APP =
	'Check the Base URL in the credential, and the app in the settings of the service. If it is a public app, use a Profile Page Public App OAuth2 API credential.';

describe('A token endpoint that rejects', () => {
	const rejection = (error: string) => jsonResponse({ error, error_description: 'Not\ntoday.' }, { status: 400 });

	test('a private app is quoted, or its code, with advice', async () => {
		const { error } = await runWith('private app', rejection('access_denied'));
		expect(error).toMatchObject({ message: NO_TOKEN, description: `${CHECK_APP} The service said: "Not today."` });
		harness.reset();
		const coded = await runWith('private app', jsonResponse({ error: 'access_denied' }, { status: 400 }));
		expect(coded.error?.description).toBe(`${CHECK_APP} The service said: "access_denied".`);
	});

	test('a public app with a description that repeats its secret is not quoted', async () => {
		const { clientId, clientSecret } = harness.sandbox.publicApp;
		for (const form of [clientSecret, Buffer.from(`${clientId}:${clientSecret}`).toString('base64')]) {
			harness.reset();
			const body = { error: 'invalid_client', error_description: `Wrong: ${form}` };
			const { error } = await runWith('public app', jsonResponse(body, { status: 400 }));
			expect(error?.description).not.toContain('The service said');
			expect(JSON.stringify(error)).not.toContain(form);
		}
	});

	test('a public app that was never given a refresh token is not asked for one', async () => {
		const { access_token, token_type } = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		const { error } = await harness.runNode(NO_RETRIES, {
			publicAppTokens: { access_token, token_type } as Tokens,
		});
		expect(error).toMatchObject({
			message: 'No access token: it has ended or was rejected, and the service issued no refresh token',
			description: CONNECT_AGAIN,
		});
		expect(requestedUrls(harness.sandbox)).toEqual([ME]);
	});
});

test.each(KINDS)('A token endpoint that answers a %s with 200 and an error gives no token', async (kind) => {
	const body = { status: false, errors: ['The app is blocked.'] };
	const { error, storedTokens } = await runWith(kind, jsonResponse(body));
	expect(error?.message).toMatch(/^No access token: the response contains (none|no new one)$/);
	// n8n adds a response to what it has stored of a public app, and the words among it are not searched.
	if (kind === 'private app') expect(error?.description).toContain('The service said: "The app is blocked."');
	expect(JSON.stringify(storedTokens ?? {})).not.toContain('The app is blocked.');
});

test('A challenge is not quoted', async () => {
	const headers = { 'www-authenticate': `Bearer error_description="Not with ${harness.sandbox.clientSecret}"` };
	harness.sandbox.faults.add({ path: ME, fault: { status: 403, headers } });
	const { error } = await harness.runNode(NO_RETRIES);
	expect(error?.message).toContain('denied access (403)');
	expect(error?.description).not.toContain('The service said');
});
