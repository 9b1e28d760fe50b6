/** A public app: connected in the editor to the sandbox, and in a browser to oidc-provider, a certified OAuth server. */
import { setTimeout as wait } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import type { Sandbox } from '../../../sandbox/server';
import { OIDC_PUBLIC_APP, OidcProvider } from '../../support/oidcProvider';
import { GET_INFO } from '../../support/parameters';
import { CredentialDialog } from '../support/credentialDialog';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { logOf } from '../support/processes';
import type { Stored } from '../support/rest';
import { publish } from '../support/webhook';
import { publicProfilePage } from '../support/workflows';

const NAME = 'n8n-public-app';

/** With everything that n8n logs. */
const harness = useEditor({ name: NAME, env: { N8N_LOG_LEVEL: 'debug' } });
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPublicApp(sandbox);
});

const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

/** The forms of the token requests that the sandbox received. */
const tokenRequests = () =>
	sandbox.recorder.requests
		.filter(({ url }) => url === TOKEN)
		.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

/** Starts to connect the credential, up to the consent page. */
async function openConsentPage(): Promise<Page> {
	const dialog = await editor.openCredential(credential.id);
	const opened = editor.page.waitForEvent('popup');
	await dialog.pressConnect();
	const window = await opened;
	await window.waitForURL('**/manage/access?*');
	return window;
}

test('n8n reports an invalid Base URL before it opens the consent page', async () => {
	const { id } = await harness.n8n.rest.addPublicApp(sandbox, { baseUrl: 'http://example.com' });
	await (await editor.openCredential(id)).pressConnect();
	const reason = 'the-base-url-must-start-with-https-and-contain-no-user-name-or-query';
	await editor.page.getByText(reason).first().waitFor();
	expect(editor.page.context().pages()).toHaveLength(1);
});

test('n8n shows the message of the service when the owner denies access', async () => {
	const window = await openConsentPage();
	await window.getByRole('button', { name: 'Deny' }).click();
	await window.getByText('More details').click();
	await window.getByText('The account owner denied the app access.').waitFor();
	await window.close();
	expect(tokenRequests()).toEqual([]);
});

test('n8n connects the credential with one code when the owner allows access, and its editor loads the links of the account', async () => {
	const window = await openConsentPage();
	const returned = window.waitForRequest('**/rest/oauth2-credential/callback?*');
	await window.getByRole('button', { name: 'Allow' }).click();
	const { origin, pathname, searchParams } = new URL((await returned).url());
	await new CredentialDialog(editor.page).connected();
	const code = { code: searchParams.get('code'), redirect_uri: origin + pathname };
	const code_verifier = expect.any(String) as string;
	expect(tokenRequests()).toEqual([{ grant_type: 'authorization_code', ...code, code_verifier }]);

	await editor.openInWorkflow(publicProfilePage(credential, { resource: 'links', operation: 'delete' }));
	const titles = sandbox.account.links.list().map(({ title }) => title);
	expect(await (await editor.openList()).allTextContents()).toEqual(titles);
});

test('the node asks to connect again after the owner has withdrawn the consent', async () => {
	sandbox.oauth.revokeConsents();
	await editor.openInWorkflow(publicProfilePage(credential, GET_INFO));
	await editor.executeStep();
	// Newer versions of n8n drop the response of the service.
	expect(await editor.error()).toEqual({
		message: expect.stringMatching(
			/^No access token: (n8n could|the service did) not renew access to the account/,
		) as string,
		description: expect.stringContaining('connect the account again (Switch account, or Connect).') as string,
	});
});

describe('at a certified OAuth server', () => {
	let provider: OidcProvider;
	beforeAll(async () => {
		const redirectUri = `${harness.n8n.baseUrl}/rest/oauth2-credential/callback`;
		provider = await OidcProvider.start({ redirectUri });
		await provider.set({ lifetime: 2, requiresPkce: true });
	});
	afterAll(async () => await provider.close());

	/** Adds a credential, and connects it in a browser. */
	async function connect(): Promise<Stored> {
		const { rest } = harness.n8n;
		const app = { baseUrl: provider.baseUrl, publicApp: OIDC_PUBLIC_APP };
		// With these, the provider issues refresh tokens.
		const offline = { scope: 'basic offline_access', authQueryParameters: 'prompt=consent' };
		const added = await rest.addPublicApp(app, offline);
		const page = await editor.openTab(await rest.authorizationUrl(added));
		await page.locator('[name=login]').fill('somebody');
		await page.locator('[name=password]').fill('any');
		await page.locator('[type=submit]').click();
		await page.getByRole('button', { name: 'Continue' }).click();
		await page.getByText('Connection successful').waitFor();
		await page.close();
		return added;
	}

	test('it is connected with PKCE and its secret in the header, and renews its token with the refresh token that was issued last', async () => {
		const connected = await connect();
		const basic = Buffer.from(`${OIDC_PUBLIC_APP.clientId}:${OIDC_PUBLIC_APP.clientSecret}`).toString('base64');
		const exchange = (await provider.requests()).find(({ url }) => url === TOKEN);
		expect(exchange).toMatchObject({ status: 200, authorization: `Basic ${basic}` });
		const form = { grant_type: 'authorization_code', code_verifier: expect.any(String) as string };
		expect(exchange?.form).toMatchObject(form);
		expect(exchange?.form).not.toHaveProperty('client_secret');

		const { run } = await publish(harness.n8n, 'oidc', [publicProfilePage(connected, GET_INFO)]);
		const used = new Set<string | undefined>();
		for (let renewal = 1; renewal <= 2; renewal += 1) {
			await wait(2000);
			const before = (await provider.requests()).length;
			expect(await run()).toContain('@oidc');
			const requests = (await provider.requests()).slice(before);
			expect(requests).toMatchObject([
				{ url: TOKEN, status: 200, form: { grant_type: 'refresh_token' } },
				{ url: ME, status: 200 },
			]);
			used.add(requests[0]?.form?.refresh_token);
		}
		expect(used.size).toBe(2);

		const addresses = (await provider.requests()).map(({ url }) => url).join(' ');
		const log = logOf(NAME);
		expect(log).toContain('OAuth2 callback successful');
		const tokens = await provider.tokens();
		expect(tokens.length).toBeGreaterThanOrEqual(5);
		const secrets = [OIDC_PUBLIC_APP.clientSecret, basic, ...tokens];
		expect(secrets.filter((secret) => addresses.includes(secret) || log.includes(secret))).toEqual([]);
	});
});
