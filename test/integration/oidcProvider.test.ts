import { useHarness } from '../support/harness';
import { OIDC_APP, OIDC_PUBLIC_APP, OidcProvider } from '../support/oidcProvider';
import { GET_INFO } from '../support/parameters';

const harness = useHarness();
let provider: OidcProvider;
beforeEach(async () => (provider = await OidcProvider.start()));
afterEach(async () => await provider.close());

/** With the secret as it must be entered: the provider decodes it, as RFC 6749, section 2.3.1, says. */
const APP = { ...OIDC_APP, clientSecret: encodeURIComponent(OIDC_APP.clientSecret) };

/** Returns what runs the node with a credential for the provider, which keeps the token from one run to the next. */
function runWith(app: typeof OIDC_APP) {
	const account = harness.newAccount({ baseUrl: provider.baseUrl, ...app });
	return async (items = [{}]) =>
		await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } }, { ...account, items });
}

const urls = async () => (await provider.requests()).map(({ url }) => url);
const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

describe('A private app at oidc-provider', () => {
	test('gets a token, reuses it, and gets another one when that was revoked', async () => {
		const run = runWith(APP);
		expect((await run([{}, {}])).items).toHaveLength(2);
		expect((await run()).items[0]?.json).toMatchObject({ username: '@oidc' });
		await provider.revoke();
		expect((await run()).error).toBeUndefined();
		expect(await urls()).toEqual([TOKEN, ME, ME, ME, ME, TOKEN, ME]);
	});

	test.each([
		[
			'a wrong secret',
			{ ...APP, clientSecret: 'wrong' },
			'the service rejected the Client ID or the Client Secret (401)',
			'Check the Client ID, the Client Secret, and the Base URL in the credential.',
		],
		[
			'a secret that is not percent-encoded',
			OIDC_APP,
			'the service did not give the app a token (400)',
			'The service said: "client_id and client_secret in the authorization header are not properly encoded".',
		],
		[
			'an app without the grant',
			OIDC_PUBLIC_APP,
			'the service did not give the app a token (400)',
			'The service said: "requested grant type is not allowed for this client".',
		],
	])('is told what is wrong with %s', async (_what, app, problem, advice) => {
		const { error } = await runWith(app)();
		expect(error?.message).toContain(`No access token: ${problem}`);
		expect(error?.description).toContain(advice);
		expect(JSON.stringify(error)).not.toContain(OIDC_PUBLIC_APP.clientSecret);
		expect(await urls()).toEqual([TOKEN]);
	});
});
