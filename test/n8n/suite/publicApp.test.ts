import { setTimeout as wait } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import type { Sandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { GET_INFO } from '../../support/parameters';
import { CredentialDialog } from '../support/credentialDialog';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import type { Stored } from '../support/rest';
import { publicProfilePage, reorderList } from '../support/workflows';

/** In seconds. */
const TOKEN_LIFETIME = 10;

const harness = useEditor({ name: 'n8n-public-app', sandbox: { tokenLifetime: TOKEN_LIFETIME } });
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

/** Reverses the page in the editor, and expects that it has the new order. */
async function reverse(): Promise<void> {
	const order = sandbox.account.order(HOME).toReversed();
	await editor.openInWorkflow(publicProfilePage(credential, reorderList(HOME, order)));
	await editor.executeStep();
	expect((await editor.outputRows()).map(([id]) => id)).toEqual(order);
	expect(sandbox.account.order(HOME)).toEqual(order);
}

test('n8n reports an invalid Base URL before it opens the consent page', async () => {
	const { id } = await harness.n8n.rest.addPublicApp(sandbox, { baseUrl: 'http://example.com' });
	await (await editor.openCredential(id)).pressConnect();
	const reason = 'the-base-url-must-start-with-https-and-contain-no-user-name-or-query';
	await editor.page.getByText(reason).first().waitFor();
	expect(editor.context.pages()).toHaveLength(1);
});

/** Starts to connect the credential, up to the consent page. */
async function openConsentPage(): Promise<Page> {
	const dialog = await editor.openCredential(credential.id);
	const opened = editor.page.waitForEvent('popup');
	await dialog.pressConnect();
	const window = await opened;
	await window.waitForURL('**/manage/access?*');
	return window;
}

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
	const { origin, pathname, searchParams } = new URL((await returned).url());
	await new CredentialDialog(editor.page).connected();

	const code = { code: searchParams.get('code'), redirect_uri: origin + pathname };
	const verifier = usesPkce && { code_verifier: expect.any(String) as string };
	expect(tokenRequests()).toEqual([{ grant_type: 'authorization_code', ...code, ...verifier }]);
});

test('the node acts for the owner, and renews an expired token without consent', async () => {
	await reverse();
	await wait(TOKEN_LIFETIME * 1000);
	await reverse();
	const grants = tokenRequests().map(({ grant_type: grant }) => grant);
	expect(grants.slice(0, 2)).toEqual(['authorization_code', 'refresh_token']);
});

test('the editor loads the links of the connected account', async () => {
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
