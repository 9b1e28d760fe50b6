/** A public app at oidc-provider, a certified OAuth server, in a complete n8n. */
import { setTimeout as wait } from 'node:timers/promises';

import { OIDC_BODY_APP, OIDC_PUBLIC_APP, OidcProvider, type OidcRequest } from '../../support/oidcProvider';
import { GET_INFO } from '../../support/parameters';
import { useEditor } from '../support/harness';
import { logOf } from '../support/processes';
import type { Stored } from '../support/rest';
import { publish } from '../support/webhook';
import { publicProfilePage } from '../support/workflows';

const NAME = 'n8n-oidc';

/** With everything that n8n logs. */
const harness = useEditor({ name: NAME, env: { N8N_LOG_LEVEL: 'debug' } });

type App = typeof OIDC_PUBLIC_APP;

const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

let provider: OidcProvider;
beforeAll(async () => {
	const redirectUri = `${harness.n8n.baseUrl}/rest/oauth2-credential/callback`;
	provider = await OidcProvider.start({ redirectUri });
	await provider.set({ lifetime: 2 });
});
afterAll(async () => await provider.close());

/** Adds a credential for a public app, and connects it in a browser. */
async function connect(publicApp: App, fields: Record<string, string | boolean> = {}): Promise<Stored> {
	const { rest } = harness.n8n;
	// With these, the provider issues refresh tokens.
	const offline = { scope: 'basic offline_access', authQueryParameters: 'prompt=consent' };
	const credential = await rest.addPublicApp({ baseUrl: provider.baseUrl, publicApp }, { ...offline, ...fields });
	const page = await harness.editor.openTab(await rest.authorizationUrl(credential));
	await page.locator('[name=login]').fill('somebody');
	await page.locator('[name=password]').fill('any');
	await page.locator('[type=submit]').click();
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByText('Connection successful').waitFor();
	await page.close();
	// Signs out at the provider.
	await harness.editor.context.clearCookies({ domain: '127.0.0.1' });
	return credential;
}

/** Returns what the service got during a function. */
async function receivedDuring(act: () => Promise<unknown>): Promise<OidcRequest[]> {
	const before = (await provider.requests()).length;
	await act();
	return (await provider.requests()).slice(before);
}

const basicOf = ({ clientId, clientSecret }: App) => Buffer.from(`${clientId}:${clientSecret}`).toString('base64');

test('a public app is connected with PKCE and its secret in the header, and renews its token with the refresh token that was issued last', async () => {
	await provider.set({ requiresPkce: true });
	let credential!: Stored;
	const connecting = await receivedDuring(async () => (credential = await connect(OIDC_PUBLIC_APP)));
	const exchange = connecting.find(({ url }) => url === TOKEN);
	expect(exchange).toMatchObject({ status: 200, authorization: `Basic ${basicOf(OIDC_PUBLIC_APP)}` });
	expect(exchange?.form).toMatchObject({
		grant_type: 'authorization_code',
		code_verifier: expect.any(String) as string,
	});
	expect(exchange?.form).not.toHaveProperty('client_secret');

	const { run } = await publish(harness.n8n, 'oidc-header', [publicProfilePage(credential, GET_INFO)]);
	const used = new Set<string | undefined>();
	for (let renewal = 1; renewal <= 2; renewal += 1) {
		await wait(2000);
		const requests = await receivedDuring(async () => expect(await run()).toContain('@oidc'));
		expect(requests).toMatchObject([
			{ url: TOKEN, status: 200, form: { grant_type: 'refresh_token' } },
			{ url: ME, status: 200 },
		]);
		used.add(requests[0]?.form?.refresh_token);
	}
	expect(used.size).toBe(2);
});

test('a public app sends its secret in the form instead, also to renew its token, and uses no PKCE, if the credential says so', async () => {
	await provider.set({ requiresPkce: false });
	const { clientId, clientSecret } = OIDC_BODY_APP;
	const requests = await receivedDuring(async () => {
		const credential = await connect(OIDC_BODY_APP, { authentication: 'body', usePkce: false });
		const { run } = await publish(harness.n8n, 'oidc-body', [publicProfilePage(credential, GET_INFO)]);
		await wait(2000);
		expect(await run()).toContain('@oidc');
	});
	const forms = requests.filter(({ url }) => url === TOKEN);
	expect(forms.map(({ form }) => form?.grant_type)).toEqual(['authorization_code', 'refresh_token']);
	for (const { authorization, form } of forms) {
		expect(authorization).toBeUndefined();
		expect(form).toMatchObject({ client_id: clientId, client_secret: clientSecret });
		expect(form).not.toHaveProperty('code_verifier');
	}
});

test('no token or secret is in an address or in the log of n8n', async () => {
	const addresses = (await provider.requests()).map(({ url }) => url).join(' ');
	const log = logOf(NAME);
	expect(log).toContain('OAuth2 callback successful');
	const tokens = await provider.tokens();
	expect(tokens.length).toBeGreaterThanOrEqual(10);
	const secrets = [...[OIDC_PUBLIC_APP, OIDC_BODY_APP].flatMap((app) => [app.clientSecret, basicOf(app)]), ...tokens];
	expect(secrets.filter((secret) => addresses.includes(secret) || log.includes(secret))).toEqual([]);
});
