import type { ICredentialDataDecryptedObject, INodeCredentialsDetails } from 'n8n-workflow';

import { type CredentialStore, testCredential } from '../../runner';
import { jsonResponse, namedFaults } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { requestAsHttpRequestNode } from '../support/httpRequestNode';
import { useHarness } from '../support/harness';
import { startHttpServer } from '../support/httpServer';
import { GET_INFO } from '../support/parameters';
import { authorizations } from '../support/requests';

const SEND_ONCE = { ...GET_INFO, options: { maxRetries: 0 } };
const PRIVATE_APP = 'profilePageApi';
const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

const harness = useHarness({ privateApps: [OTHER_APP] });
let elsewhere: Sandbox;
let store: CredentialStore;
let reference: INodeCredentialsDetails;
beforeEach(async () => {
	elsewhere = await harness.startSandbox({ clientId: 'sandbox-client-id' });
	store = harness.newStore();
	reference = harness.addCredential(store);
	await run();
	harness.sandbox.recorder.reset();
});

const run = async () => await harness.runNode(SEND_ONCE, { store, reference });

/** Changes fields of the stored credential, as saving it in the editor does. */
async function edit(fields: ICredentialDataDecryptedObject): Promise<void> {
	await store.updateCredentials(reference, PRIVATE_APP, { ...store.read(reference), ...fields });
}

const storedToken = () => store.read(reference).accessToken as string;

describe('After a credential that was used is edited', () => {
	test('a new Base URL does not receive the token of the old one', async () => {
		const oldToken = storedToken();
		await edit({ baseUrl: elsewhere.baseUrl });
		const { error } = await run();
		expect(error).toBeUndefined();
		expect(harness.sandbox.recorder.requests).toEqual([]);
		expect(elsewhere.recorder.grants).toBe(1);
		expect(authorizations(elsewhere)).toEqual([`Bearer ${storedToken()}`]);
		expect(JSON.stringify(elsewhere.recorder.requests)).not.toContain(oldToken);
	});

	test('the node uses the new app', async () => {
		await edit(OTHER_APP);
		const { items } = await run();
		expect(items[0]?.json.username).toBe('@other-id');
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test.each(['clientId', 'clientSecret'])('a wrong %s is rejected', async (field) => {
		await edit({ [field]: 'wrong' });
		const { error } = await run();
		expect(error?.message).toContain('rejected the Client ID or the Client Secret (401)');
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});

	test('the HTTP Request node sends no token of the old Base URL to the new one', async () => {
		await edit({ baseUrl: elsewhere.baseUrl });
		const uri = `${elsewhere.baseUrl}/oauth/v1/me`;
		const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
		expect(error).toBeUndefined();
		expect(authorizations(elsewhere)).toEqual([`Bearer ${storedToken()}`]);
	});

	test('parallel requests of the HTTP Request node report a rejected app in the same words', async () => {
		await edit({ clientSecret: 'wrong' });
		harness.sandbox.faults.latency = 50;
		const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
		const outcomes = await Promise.all(
			[1, 2].map(async () => await requestAsHttpRequestNode(harness, uri, { store, reference })),
		);
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(outcomes.map(({ error }) => error?.message)).toEqual(
			Array(2).fill(
				'No access token: the service rejected the Client ID or the Client Secret (401). Check both, and the Base URL, in the credential. The service said: "invalid_client".',
			),
		);
	});

	test('a list in the editor sends no token of the old Base URL to the new one', async () => {
		await edit({ baseUrl: elsewhere.baseUrl });
		await harness.loadList('groupsOrNone', undefined, { store, reference });
		expect(authorizations(elsewhere)).toEqual([`Bearer ${storedToken()}`]);
	});
});

describe('The credential test, after a credential that was used is edited', () => {
	const pressTest = async (edited: ICredentialDataDecryptedObject) =>
		await testCredential(harness.loaded, store, PRIVATE_APP, reference, edited);

	test('reports that a credential without edits works, and requests no token', async () => {
		expect(await pressTest({})).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(harness.sandbox.recorder.grants).toBe(0);
	});

	test.each(['clientId', 'clientSecret'])('reports that a wrong %s is rejected', async (field) => {
		expect(await pressTest({ [field]: 'wrong' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('rejected the Client ID or the Client Secret') as unknown,
		});
	});

	test('reports that another app works, and leaves the stored credential usable', async () => {
		expect(await pressTest(OTHER_APP)).toMatchObject({ status: 'OK' });
		const { items } = await run();
		expect(items[0]?.json.username).toBe('@sandbox');
	});

	test('does not send the token of the old Base URL to a new one', async () => {
		const oldToken = storedToken();
		expect(await pressTest({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'OK' });
		expect(JSON.stringify(elsewhere.recorder.requests)).not.toContain(oldToken);
	});

	test.each([
		['a web page', namedFaults.html!],
		['other JSON', { status: 200, body: '{"hello":"world"}' }],
		['a status that is not true', { status: 200, body: '{"status":"error"}' }],
	])('reports a server that is not the service and responds 200 with %s', async (_name, fault) => {
		elsewhere.faults.add({ fault });
		expect(await pressTest({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'Error' });
		expect(authorizations(elsewhere)).toEqual([]);
	});

	test('reports a Base URL that refuses connections', async () => {
		const { baseUrl } = await harness.stoppedSandbox();
		expect(await pressTest({ baseUrl })).toMatchObject({ status: 'Error' });
	});
});

test('a token that an earlier version stored without a digest is replaced without being sent', async () => {
	await edit({
		accessToken: 'from-an-earlier-version',
		accessTokenBinding: '',
		accessTokenRenewAt: '',
	});
	const { error } = await run();
	expect(error).toBeUndefined();
	expect(harness.sandbox.recorder.grants).toBe(1);
	expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain('from-an-earlier-version');
});

describe('A token whose lifetime has ended', () => {
	beforeEach(async () => await edit({ accessTokenRenewAt: String(Date.now() - 1) }));

	test('is renewed by the node before it is sent', async () => {
		const expired = storedToken();
		expect((await run()).error).toBeUndefined();
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(authorizations(harness.sandbox)).toEqual([`Bearer ${storedToken()}`]);
		expect(storedToken()).not.toBe(expired);
	});

	test('is not sent by the HTTP Request node', async () => {
		const expired = storedToken();
		const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
		const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
		expect(error).toBeUndefined();
		expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain(expired);
	});
});

describe('A credential whose fields are expressions', () => {
	const items = [{ app: 'sandbox-client' }, { app: 'other' }, { app: 'sandbox-client' }];

	beforeEach(async () => {
		await edit({
			clientId: '={{ $json.app }}-id',
			clientSecret: '={{ $json.app }}-secret',
			accessToken: '',
		});
	});

	const runFor = async (...input: typeof items) => await harness.runNode(SEND_ONCE, { store, reference, items: input });

	test('uses the app that the expressions give for each item', async () => {
		const outcome = await runFor(...items);
		expect(outcome.items.map(({ json }) => json.username)).toEqual(['@sandbox', '@other-id', '@sandbox']);
		expect(harness.sandbox.recorder.grants).toBe(2);
	});

	test('does not use the app of an earlier execution', async () => {
		await runFor({ app: 'sandbox-client' });
		const outcome = await runFor({ app: 'other' });
		expect(outcome.items.map(({ json }) => json.username)).toEqual(['@other-id']);
	});

	test('is rejected if the items of one page use different apps', async () => {
		const [page] = harness.sandbox.account.pages;
		const outcome = await harness.runNode(
			{
				resource: 'blocks',
				operation: 'reorder',
				pageId: page!.id,
				blockOrder: 'inputItems',
				blockIdField: 'id',
			},
			{
				store,
				reference,
				items: harness.sandbox.account
					.order(page!.id)
					.map((id, index) => ({ id, app: index === 2 ? 'other' : 'sandbox-client' })),
			},
		);
		expect(outcome.error).toMatchObject({
			message: 'Credential: its expressions give different accounts for items 0 and 2, which are sent in one request',
			description: 'Use expressions that give the same account for all items of a request.',
		});
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

test('a credential without expressions is read once for all items, and once for the token', async () => {
	const counting = harness.countingStore();
	const plain = harness.addCredential(counting.store);
	await harness.runNode(SEND_ONCE, {
		store: counting.store,
		reference: plain,
		items: [{}, {}, {}],
	});
	expect(counting.reads()).toBe(2);
});

describe('A public app whose tokens are bound to its Base URL', () => {
	async function renewTokens() {
		const publicAppTokens = await harness.connectPublicApp();
		const publicStore = harness.newStore();
		const publicReference = harness.addPublicApp(publicStore, publicAppTokens);
		const options = { publicAppTokens, store: publicStore, reference: publicReference };
		harness.sandbox.oauth.revokeAccessTokens();
		const { error } = await harness.runNode(SEND_ONCE, options);
		expect(error).toBeUndefined();
		harness.sandbox.recorder.reset();
		const change = async (fields: ICredentialDataDecryptedObject) =>
			await publicStore.updateCredentials(publicReference, 'profilePageOAuth2Api', {
				...publicStore.read(publicReference),
				...fields,
			});
		return { options, change };
	}

	test.each([
		['Base URL', () => ({ baseUrl: elsewhere.baseUrl })],
		['Client ID', () => ({ clientId: 'another' })],
	])('sends no token after the %s is edited', async (_name, fields) => {
		const { options, change } = await renewTokens();
		await change(fields());
		const { error } = await harness.runNode(SEND_ONCE, options);
		expect(error).toMatchObject({
			message: 'Credential: its Base URL or Client ID was changed after the account was connected',
			description: 'Open it and connect the account again (Switch account, or Connect).',
		});
		expect([...elsewhere.recorder.requests, ...harness.sandbox.recorder.requests]).toEqual([]);
	});

	test('works after it is connected again with a new Client Secret', async () => {
		const { options, change } = await renewTokens();
		const old = options.store.read(options.reference).oauthTokenData as object;
		// n8n keeps the fields of the old tokens that the new ones do not have.
		const oauthTokenData = { ...old, ...(await harness.connectPublicApp()) };
		await change({ oauthTokenData, clientSecret: 'rotated' });
		const { error } = await harness.runNode(SEND_ONCE, options);
		expect(error).toBeUndefined();
	});

	test('sends no token to a Base URL that is an expression', async () => {
		const { options, change } = await renewTokens();
		await change({ baseUrl: '={{ $json.host }}' });
		const items = [{ host: elsewhere.baseUrl }];
		const { error } = await harness.runNode(SEND_ONCE, { ...options, items });
		expect(error?.message).toContain('Credential: its Base URL or Client ID was changed');
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

describe('An n8n expression in a response is not evaluated', () => {
	const EXPRESSION = '={{ $json.private }}';

	test('if it is the token of a private app', async () => {
		harness.sandbox.faults.add({
			path: '/token',
			fault: jsonResponse({ access_token: EXPRESSION }),
		});
		await edit({ accessToken: '' });
		const { error } = await run();
		expect(error?.message).toContain('No access token: the response contains none');
		expect(storedToken()).toBe('');
	});

	test('if n8n has already stored it as a token', async () => {
		await edit({ accessToken: EXPRESSION });
		const { error } = await harness.runNode(SEND_ONCE, {
			store,
			reference,
			items: [{ private: 'of the workflow' }],
		});
		expect(error).toBeUndefined();
		expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain('of the workflow');
	});

	test('if it is the new token of a public app', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		const tokens = { access_token: 'new', refresh_token: EXPRESSION, token_type: 'Bearer' };
		harness.sandbox.faults.add({ path: '/token', fault: jsonResponse(tokens) });
		const { error, storedTokens } = await harness.runNode(SEND_ONCE, { publicAppTokens });
		expect(error).toMatchObject({
			message: 'No access token: the response contains an n8n expression',
			description: 'Check the Base URL.',
		});
		expect(JSON.stringify(storedTokens)).not.toContain('$json');
	});

	test('if it is the ID of a link or a group in a list', async () => {
		const data = [{ link_id: EXPRESSION, title: 'A link' }];
		const info = { groups: [{ group_id: EXPRESSION, group_name: 'A group' }] };
		harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonResponse({ status: true, data }) });
		harness.sandbox.faults.add({
			path: '/group/list',
			fault: jsonResponse({ status: true, info }),
		});
		expect(await harness.loadList('links', '', { store, reference })).toEqual([]);
		const groups = await harness.loadList('groupsOrNone', undefined, { store, reference });
		expect(groups.map(({ name }) => name)).toEqual(['Not Set', 'No Group']);
	});
});

test('the HTTP Request node does not send the token to another host than that of the Base URL', async () => {
	const uri = `${elsewhere.baseUrl}/oauth/v1/me`;
	const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
	expect(error?.message).toContain(
		'URL: the request goes to a different host than the Base URL of the credential. The access token is for that service only.',
	);
	expect(elsewhere.recorder.requests).toEqual([]);
});

test('another server on the old port of the service does not receive the token', async () => {
	const received: unknown[] = [];
	const other = await startHttpServer(({ headers }, response) => {
		received.push(headers);
		response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
	});
	await edit({ baseUrl: other.origin });
	const { error } = await run();
	other.close();
	expect(error?.message).toContain('No access token: the service responded with a web page');
	expect(JSON.stringify(received)).not.toContain('Bearer');
});

describe('The HTTP Request node sends no token of a private app', () => {
	const trust = 'To trust a certificate, set NODE_EXTRA_CA_CERTS in the environment of your n8n.';

	test.each([
		['through a proxy of its own', () => ({ proxy: elsewhere.baseUrl }), 'Proxy: the access token is not sent'],
		['without a check of certificates', () => ({ rejectUnauthorized: false }), trust],
		['with a certificate authority of its own', () => ({ agentOptions: { ca: 'PEM' } }), trust],
		['with another Host', () => ({ headers: { Host: 'example.org' } }), 'Headers: the header Host names another host'],
	])('%s', async (_what, options, words) => {
		const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
		const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference }, options());
		expect(error?.message).toContain(words);
		// n8n's older helper gets a new token after any error, with a request of its own.
		expect(harness.sandbox.recorder.calls).toEqual([]);
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});
