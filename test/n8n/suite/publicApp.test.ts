import { setTimeout as wait } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { requestToken } from '../../support/serviceClient';
import { CredentialDialog } from '../support/credentialDialog';
import type { Editor } from '../support/editor';
import type { Stored } from '../support/rest';
import { until } from '../support/processes';
import { useEditor } from '../support/harness';
import { chain, manualTrigger, profilePage, reorderList } from '../support/workflows';

/** In seconds. */
const TOKEN_LIFETIME = 10;

const harness = useEditor('n8n-public-app', { tokenLifetime: TOKEN_LIFETIME });
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;

beforeAll(async () => {
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPublicApp(sandbox);
});

/** The forms of the token requests that the service received. */
function tokenRequests(): Array<Record<string, string>> {
	return sandbox.recorder.requests
		.filter(({ url }) => url === '/oauth/token')
		.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
}

/** Opens the node in a workflow that reverses the page, and returns the new order. */
async function openNode(): Promise<string[]> {
	const order = sandbox.account.order(HOME).toReversed();
	await openWorkflow(reorderList(HOME, order), 1);
	return order;
}

/** Opens the node as a public app in a workflow with this many input items. */
async function openWorkflow(parameters: object, items: number, as = credential): Promise<void> {
	const node = profilePage(as, { authentication: 'oAuth2', ...parameters });
	const { id, name } = as;
	const workflow = {
		...chain('As a public app', manualTrigger, {
			...node,
			credentials: { profilePageOAuth2Api: { id, name } },
		}),
		pinData: { [manualTrigger.name]: Array.from({ length: items }, () => ({ json: {} })) },
	};
	await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
	await editor.openNode('Profile Page');
}

/** Starts to connect the credential, and signs in up to the consent page. */
async function openConsentPage({ id } = credential): Promise<Page> {
	const dialog = await editor.openCredential(id);
	const window = await dialog.connect();
	await window.waitForURL('**/manage/access?*');
	const password = window.locator('input[type=password]');
	await password.or(window.getByRole('button', { name: 'Allow' })).waitFor();
	if (await password.isVisible()) {
		await window.getByLabel('User name').fill(sandbox.owner.userName);
		await password.fill(sandbox.owner.password);
		await window.getByRole('button', { name: 'Sign in' }).click();
	}
	return window;
}

/** The redirect to n8n with the code and the state. */
let callback: string;

test('the node reports a credential that is not connected, and sends nothing', async () => {
	await openNode();
	await editor.executeStep();
	expect(await editor.error()).toEqual({
		message: 'Credential: no account is connected',
		description: 'Open the credential, press Connect, and grant access.',
	});
	expect(sandbox.recorder.requests).toEqual([]);
});

test('n8n reports an invalid Base URL before it opens the consent page', async () => {
	const { id } = await harness.n8n.rest.addPublicApp(sandbox, {
		baseUrl: 'http://example.com',
	});
	const dialog = await editor.openCredential(id);
	await dialog.pressConnect();
	const reason = 'the-base-url-must-start-with-https-and-contain-no-user-name-or-query';
	await editor.page.getByText(reason).first().waitFor();
	expect(editor.context.pages()).toHaveLength(1);
});

test('n8n shows the message of the service when the owner denies access', async () => {
	const window = await openConsentPage();
	await window.getByRole('button', { name: 'Deny' }).click();
	await window.getByText('More details').click();
	await window.getByText('The account owner denied the app access.').waitFor();
	await window.close();
	expect(tokenRequests()).toEqual([]);
});

test('n8n connects the credential with one code when the owner allows access', async () => {
	const window = await openConsentPage();
	// n8n 1 does not use PKCE. The service checks the verifier.
	const usesPkce = window.url().includes('code_challenge=');
	const returned = window.waitForRequest('**/rest/oauth2-credential/callback?*');
	await window.getByRole('button', { name: 'Allow' }).click();
	callback = (await returned).url();
	await new CredentialDialog(editor.page).connected();

	const { code } = Object.fromEntries(new URL(callback).searchParams);
	const redirectUri = callback.slice(0, callback.indexOf('?'));
	const verifier = usesPkce && { code_verifier: expect.any(String) as string };
	expect(tokenRequests()).toEqual([{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...verifier }]);
});

test('n8n rejects a redirect with a forged state and does not exchange its code', async () => {
	const forged = new URL(callback);
	const state = Buffer.from(forged.searchParams.get('state') ?? '', 'base64').toString();
	const other = JSON.stringify({ ...(JSON.parse(state) as object), token: 'another' });
	forged.searchParams.set('state', Buffer.from(other).toString('base64'));
	const tab = await editor.openTab(forged.href);
	await tab.getByText('Failed to connect').waitFor();
	await tab.close();
	expect(tokenRequests()).toHaveLength(1);
});

test('the node acts for the owner, and renews an expired token without consent', async () => {
	const order = await openNode();
	await editor.executeStep();
	expect((await editor.outputRows()).map(([id]) => id)).toEqual(order);
	expect(sandbox.account.order(HOME)).toEqual(order);

	await wait(TOKEN_LIFETIME * 1000);
	const next = await openNode();
	await editor.executeStep();
	expect((await editor.outputRows()).map(([id]) => id)).toEqual(next);
	const grants = tokenRequests().map(({ grant_type: grant }) => grant);
	expect(grants.slice(0, 2)).toEqual(['authorization_code', 'refresh_token']);
	expect(sandbox.account.order(HOME)).toEqual(next);
});

test('concurrent requests refresh a revoked token once', async () => {
	// The new token then does not expire during the test.
	sandbox.oauth.revokeAccessTokens();
	const before = tokenRequests().length;
	const calls = sandbox.recorder.calls.length;
	sandbox.faults.latency = 200;
	await openWorkflow({ resource: 'me', operation: 'getInfo', options: { batching: { batch: { batchSize: 5 } } } }, 20);
	await editor.executeStep();
	// One rejected batch of five, its repetition with the new token, and some more.
	await until('some calls have succeeded', () => sandbox.recorder.calls.length > calls + 12);
	sandbox.oauth.revokeAccessTokens();
	expect(await editor.outputRows()).toHaveLength(20);
	sandbox.faults.latency = 0;
	const grants = tokenRequests().map(({ grant_type: grant }) => grant);
	expect(grants.slice(before)).toEqual(['refresh_token', 'refresh_token']);
});

test('the editor loads the links of the connected account', async () => {
	await openWorkflow({ resource: 'links', operation: 'delete' }, 1);
	const titles = sandbox.account.links.list().map(({ title }) => title);
	expect(await (await editor.openList()).allTextContents()).toEqual(titles);
});

test('the node asks to connect again after its tokens were revoked by a reused code', async () => {
	const [exchange = {}] = tokenRequests();
	const { body } = await requestToken(sandbox, exchange, sandbox.publicApp);
	expect(body).toMatchObject({ error: 'invalid_grant' });

	const before = sandbox.account.order(HOME);
	await openNode();
	await editor.executeStep();
	// Newer versions of n8n drop the response of the service.
	expect(await editor.error()).toEqual({
		message: expect.stringMatching(
			/^No access token: (n8n could|the service did) not renew access to the account/,
		) as string,
		description: expect.stringContaining(
			'Open the credential and connect the account again (Switch account, or Connect).',
		) as string,
	});
	expect(sandbox.account.order(HOME)).toEqual(before);
});

describe('with Authentication set to Body', () => {
	let inBody: Stored;
	beforeAll(async () => {
		inBody = await harness.n8n.rest.addPublicApp(sandbox, { authentication: 'body' });
	});

	/** The last token request, with what identifies the app in its form. */
	const expectLastGrant = (grant: string) => {
		const last = sandbox.recorder.requests.filter(({ url }) => url === '/oauth/token').at(-1)!;
		expect(last.headers.authorization).toBeUndefined();
		const { clientId, clientSecret } = sandbox.publicApp;
		expect(Object.fromEntries(new URLSearchParams(last.body))).toMatchObject({
			grant_type: grant,
			client_id: clientId,
			client_secret: clientSecret,
		});
	};

	test('n8n connects the account with the app in the form', async () => {
		const window = await openConsentPage(inBody);
		await window.getByRole('button', { name: 'Allow' }).click();
		await new CredentialDialog(editor.page).connected();
		expectLastGrant('authorization_code');
	});

	test('the node renews a rejected token in the same way, and continues', async () => {
		sandbox.oauth.revokeAccessTokens();
		await openWorkflow({ resource: 'me', operation: 'getInfo' }, 1, inBody);
		await editor.executeStep();
		expect(await editor.outputRows()).toHaveLength(1);
		expectLastGrant('refresh_token');
	});
});
