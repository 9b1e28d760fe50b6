import { useHarness } from '../support/harness';
import { OIDC_APP, OIDC_PUBLIC_APP, type OidcOptions, OidcProvider } from '../support/oidcProvider';
import { GET_INFO } from '../support/parameters';

const NO_RETRIES = { ...GET_INFO, options: { maxRetries: 0 } };

/** As it must be entered: the provider decodes it, as RFC 6749, section 2.3.1, says. */
const encoded = (secret: string) => encodeURIComponent(secret);

const harness = useHarness();
let provider: OidcProvider;
afterEach(async () => await provider.close());

const start = async (options?: OidcOptions) => (provider = await OidcProvider.start(options));

/** A store with a credential for the provider, which keeps the token from one run to the next. */
function credential(app: Partial<typeof OIDC_APP> = {}) {
	const { clientId, clientSecret } = { ...OIDC_APP, clientSecret: encoded(OIDC_APP.clientSecret), ...app };
	const store = harness.newStore();
	const reference = harness.addCredential(store, { baseUrl: provider.baseUrl, clientId, clientSecret });
	return { store, reference };
}

const run = async (options: ReturnType<typeof credential>, items = [{}]) =>
	await harness.runNode(NO_RETRIES, { ...options, items });

const urls = async () => (await provider.requests()).map(({ url }) => url);
const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

describe('A private app at oidc-provider', () => {
	test.each<[string, OidcOptions, string]>([
		['opaque tokens', {}, ''],
		['JWTs', { isJwt: true }, ''],
		['a path prefix', { prefix: '/api/v2' }, '/api/v2'],
	])('gets a token and reuses it, with %s', async (_what, options, prefix) => {
		await start(options);
		const stored = credential();
		expect((await run(stored, [{}, {}])).items).toHaveLength(2);
		expect((await run(stored)).items[0]?.json).toMatchObject({ username: '@oidc' });
		expect(await urls()).toEqual([TOKEN, ME, ME, ME].map((path) => prefix + path));
		const [, ...calls] = await provider.requests();
		for (const { authorization } of calls) expect(authorization).toMatch(/^Bearer \S+$/);
	});

	test('gets another token when the old one was revoked', async () => {
		await start();
		const stored = credential();
		await run(stored);
		await provider.revoke();
		expect((await run(stored)).error).toBeUndefined();
		expect(await urls()).toEqual([TOKEN, ME, ME, TOKEN, ME]);
	});

	test.each<[string, OidcOptions, Partial<typeof OIDC_APP>, string, string]>([
		[
			'a wrong secret',
			{},
			{ clientSecret: 'wrong' },
			'the service rejected the Client ID or the Client Secret (401)',
			'Check the Client ID, the Client Secret, and the Base URL in the credential.',
		],
		[
			'a secret that is not percent-encoded',
			{},
			OIDC_APP,
			'the service did not give the app a token (400)',
			'The service said: "client_id and client_secret in the authorization header are not properly encoded".',
		],
		[
			'an app without the grant',
			{},
			OIDC_PUBLIC_APP,
			'the service did not give the app a token (400)',
			'The service said: "requested grant type is not allowed for this client".',
		],
		[
			'a service without the grant',
			{ clientCredentials: false },
			OIDC_PUBLIC_APP,
			'the service did not give the app a token (400)',
			'If it is a public app, use a Profile Page Public App OAuth2 API credential.',
		],
	])('is told what is wrong with %s', async (_what, options, app, problem, advice) => {
		await start(options);
		const { error } = await run(credential(app));
		expect(error?.message).toContain(`No access token: ${problem}`);
		expect(error?.description).toContain(advice);
		expect(JSON.stringify(error)).not.toContain(OIDC_PUBLIC_APP.clientSecret);
		expect(await urls()).toEqual([TOKEN]);
	});
});
