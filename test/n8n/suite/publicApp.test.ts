import { setTimeout as wait } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { CredentialDialog } from '../support/credentialDialog';
import type { Editor } from '../support/editor';
import type { Stored } from '../support/rest';
import { until } from '../support/processes';
import { Harness } from '../support/harness';
import { chain, httpRequest, manualTrigger, profilePage, reorderList } from '../support/workflows';

const HOME = 'PAGE_home_65f1c0a2b3d4e';

/** In seconds. */
const TOKEN_LIFETIME = 10;

let harness: Harness;
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;

beforeAll(async () => {
	harness = await Harness.open('n8n-public-app', { tokenLifetime: TOKEN_LIFETIME });
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPublicApp(sandbox);
});
afterAll(async () => await harness.close());

/** The forms of the token requests that the service saw. */
function tokenRequests(): Array<Record<string, string>> {
	return sandbox.recorder.requests
		.filter(({ url }) => url === '/oauth/token')
		.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
}

/** Sends a form of a public app to the token endpoint, past n8n. */
async function sendTokenRequest(form: Record<string, string>): Promise<unknown> {
	const { clientId, clientSecret } = sandbox.publicApp;
	const { body } = await request(`${sandbox.baseUrl}/oauth/token`, {
		method: 'POST',
		headers: {
			authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
			'content-type': 'application/x-www-form-urlencoded',
		},
		body: new URLSearchParams(form).toString(),
	});
	return await body.json();
}

/** Opens a workflow in which the node turns the page round, and the panel of that node. */
async function openNode(): Promise<string[]> {
	const order = sandbox.account.order(HOME).toReversed();
	await openWorkflow(reorderList(HOME, order), 1);
	return order;
}

/** Opens a workflow with the node as a public app, and so many items that come in. */
async function openWorkflow(parameters: object, items: number): Promise<void> {
	const node = profilePage(credential, { authentication: 'oAuth2', ...parameters });
	const { id, name } = credential;
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

/** Connects the credential up to the question whether the app may use the account. */
async function openQuestion(): Promise<Page> {
	const dialog = await editor.openCredential(credential.id);
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

/** What brought the owner back to n8n, with its code and its state. */
let callback: string;

test('a credential that nobody has connected says so, and nothing is sent', async () => {
	await openNode();
	await editor.executeStep();
	expect(await editor.errorMessage()).toBe(
		'Credential: it is not connected to an account yet. Open it, connect it, and allow the access.',
	);
	expect(sandbox.recorder.requests).toEqual([]);
});

test('a Base URL that must not be used is named, before anybody is asked', async () => {
	const { id } = await harness.n8n.rest.addPublicApp(sandbox, {
		baseUrl: 'http://example.com',
	});
	const dialog = await editor.openCredential(id);
	await dialog.pressConnect();
	const reason = 'the-base-url-must-begin-with-https-and-hold-no-user-name-or-query';
	await editor.page.getByText(reason).first().waitFor();
	expect(editor.context.pages()).toHaveLength(1);
});

test('when the owner denies, n8n shows the words of the service, and no code is exchanged', async () => {
	const window = await openQuestion();
	await window.getByRole('button', { name: 'Deny' }).click();
	await window.getByText('More details').click();
	await window.getByText('The owner of the account did not allow the app to use it.').waitFor();
	await window.close();
	expect(tokenRequests()).toEqual([]);
});

test('when the owner allows, the credential is connected, by one code for one state', async () => {
	const window = await openQuestion();
	const returned = window.waitForRequest('**/rest/oauth2-credential/callback?*');
	await window.getByRole('button', { name: 'Allow' }).click();
	callback = (await returned).url();
	await new CredentialDialog(editor.page).connected();

	const { code } = Object.fromEntries(new URL(callback).searchParams);
	const redirectUri = callback.slice(0, callback.indexOf('?'));
	expect(tokenRequests()).toEqual([
		{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
	]);
});

test('an answer with a state that n8n did not give is refused, and its code not exchanged', async () => {
	const forged = new URL(callback);
	const state = Buffer.from(forged.searchParams.get('state') ?? '', 'base64').toString();
	const other = JSON.stringify({ ...(JSON.parse(state) as object), token: 'another' });
	forged.searchParams.set('state', Buffer.from(other).toString('base64'));
	const tab = await editor.openTab(forged.href);
	await tab.getByText('Failed to connect').waitFor();
	await tab.close();
	expect(tokenRequests()).toHaveLength(1);
});

test('the node acts for the owner, and goes on without asking when the token has ended', async () => {
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

test('many requests at once, whose token ends midway, cost one refresh', async () => {
	// The new token then does not expire meanwhile.
	sandbox.oauth.revokeAll();
	const before = tokenRequests().length;
	const calls = sandbox.recorder.calls.length;
	sandbox.faults.latency = 200;
	await openWorkflow(
		{ resource: 'me', operation: 'getInfo', options: { batching: { batch: { batchSize: 5 } } } },
		20,
	);
	await editor.executeStep();
	// Five that are refused, the same with the new token, and those that follow them.
	await until('some are done', () => sandbox.recorder.calls.length > calls + 12);
	sandbox.oauth.revokeAll();
	expect(await editor.outputRows()).toHaveLength(20);
	sandbox.faults.latency = 0;
	const grants = tokenRequests().map(({ grant_type: grant }) => grant);
	expect(grants.slice(before)).toEqual(['refresh_token', 'refresh_token']);
});

describe('after an edit of the Base URL, with tokens that were renewed before', () => {
	let elsewhere: Sandbox;
	beforeAll(async () => {
		elsewhere = await startSandbox();
		await harness.n8n.rest.editCredential(credential, { baseUrl: elsewhere.baseUrl });
	});
	afterAll(async () => {
		await harness.n8n.rest.editCredential(credential, { baseUrl: sandbox.baseUrl });
		await elsewhere.close();
	});

	const CONNECT_AGAIN =
		'Credential: its Base URL or Client ID was changed after it was connected. Open it and connect the account again (Switch account, or Connect).';

	test('the node says that the credential must be connected again, and sends nothing', async () => {
		await openNode();
		await editor.executeStep();
		expect(await editor.errorMessage()).toBe(CONNECT_AGAIN);
		expect(elsewhere.recorder.requests).toEqual([]);
	});

	test('the HTTP Request node sends nothing either', async () => {
		const url = `${elsewhere.baseUrl}/oauth/v1/me`;
		const node = httpRequest(credential, { url }, 'profilePageOAuth2Api');
		const workflow = chain('As a public app, by hand', manualTrigger, node);
		await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
		await editor.openNode('HTTP Request');
		await editor.executeStep();
		await editor.panel.getByText(CONNECT_AGAIN).first().waitFor();
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

test('lists that the editor loads for its fields are those of its account', async () => {
	await openWorkflow({ resource: 'links', operation: 'delete' }, 1);
	const titles = sandbox.account.links.list().map(({ title }) => title);
	expect(await (await editor.openList()).allTextContents()).toEqual(titles);
});

test('a code that was used is refused, ends all that came of it, and the node says what to do', async () => {
	const [exchange = {}] = tokenRequests();
	expect(await sendTokenRequest(exchange)).toMatchObject({ error: 'invalid_grant' });

	const before = sandbox.account.order(HOME);
	await openNode();
	await editor.executeStep();
	expect(await editor.errorMessage()).toBe(
		'No access token: the service did not renew the access to the account. Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).',
	);
	expect(sandbox.account.order(HOME)).toEqual(before);
});
