import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ICredentialDataDecryptedObject, INodeCredentialsDetails } from 'n8n-workflow';

import { type CredentialStore, testCredential } from '../../runner';
import { jsonAnswer, namedFaults } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { requestAsHttpRequestNode } from '../support/httpRequestNode';
import { Harness } from '../support/harness';

const GET_INFO = { resource: 'me', operation: 'getInfo', options: { maxRetries: 0 } };
const PRIVATE_APP = 'profilePageApi';
const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

let harness: Harness;
let elsewhere: Sandbox;
let store: CredentialStore;
let reference: INodeCredentialsDetails;
beforeAll(async () => {
	harness = await Harness.open({ privateApps: [OTHER_APP] });
	elsewhere = await startSandbox({ clientId: 'sandbox-client-id' });
});
afterAll(async () => {
	await elsewhere.close();
	await harness.close();
});
beforeEach(async () => {
	harness.reset();
	elsewhere.recorder.reset();
	elsewhere.faults.clear();
	store = harness.newStore();
	reference = harness.addCredential(store);
	await run();
	harness.sandbox.recorder.reset();
});

const run = async () => await harness.runNode(GET_INFO, { store, reference });

/** Changes fields of the stored credential, as saving it in the editor does. */
async function edit(fields: ICredentialDataDecryptedObject): Promise<void> {
	await store.updateCredentials(reference, PRIVATE_APP, { ...store.read(reference), ...fields });
}

const bearers = ({ recorder }: Sandbox) =>
	recorder.calls.map(({ headers }) => headers.authorization);

const storedToken = () => store.read(reference).accessToken as string;

describe('after an edit of a credential that was used', () => {
	test('a new Base URL never receives the token of the old one', async () => {
		const oldToken = storedToken();
		await edit({ baseUrl: elsewhere.baseUrl });
		const { error } = await run();
		expect(error).toBeUndefined();
		expect(harness.sandbox.recorder.requests).toEqual([]);
		expect(elsewhere.recorder.grants).toBe(1);
		expect(bearers(elsewhere)).toEqual([`Bearer ${storedToken()}`]);
		expect(JSON.stringify(elsewhere.recorder.requests)).not.toContain(oldToken);
	});

	test('the node acts for the new app', async () => {
		await edit(OTHER_APP);
		const { items } = await run();
		expect(items[0]?.json.username).toBe('@other-id');
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test.each(['clientId', 'clientSecret'])('a wrong %s is refused', async (field) => {
		await edit({ [field]: 'wrong' });
		const { error } = await run();
		expect(error?.message).toContain('refused the Client ID or the Client Secret (HTTP 401)');
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});

	test('the HTTP Request node sends no token of the old Base URL to the new one', async () => {
		await edit({ baseUrl: elsewhere.baseUrl });
		const uri = `${elsewhere.baseUrl}/oauth/v1/me`;
		const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
		expect(error).toBeUndefined();
		expect(bearers(elsewhere)).toEqual([`Bearer ${storedToken()}`]);
	});

	test('a list sends no token of the old Base URL to the new one', async () => {
		await edit({ baseUrl: elsewhere.baseUrl });
		await harness.loadList('groupsOrNone', undefined, { store, reference });
		expect(bearers(elsewhere)).toEqual([`Bearer ${storedToken()}`]);
	});
});

describe('the Test button, pressed for a credential that was used and then edited', () => {
	const press = async (edited: ICredentialDataDecryptedObject) =>
		await testCredential(harness.loaded, store, PRIVATE_APP, reference, edited);

	test('says that a credential without edits works, and requests no token', async () => {
		expect(await press({})).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(harness.sandbox.recorder.grants).toBe(0);
	});

	test.each(['clientId', 'clientSecret'])('says that a wrong %s is refused', async (field) => {
		expect(await press({ [field]: 'wrong' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('refused the Client ID or the Client Secret') as unknown,
		});
	});

	test('says that another app works, and leaves what is stored usable', async () => {
		expect(await press(OTHER_APP)).toMatchObject({ status: 'OK' });
		const { items } = await run();
		expect(items[0]?.json.username).toBe('@sandbox');
	});

	test('sends no token to a new Base URL that it does not belong to', async () => {
		const oldToken = storedToken();
		expect(await press({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'OK' });
		expect(JSON.stringify(elsewhere.recorder.requests)).not.toContain(oldToken);
	});

	test.each([
		['a web page', namedFaults.html!],
		['JSON of its own', { status: 200, body: '{"hello":"world"}' }],
		['a status that is not true', { status: 200, body: '{"status":"error"}' }],
	])('does not take a stranger that answers 200 with %s for the service', async (_what, fault) => {
		elsewhere.faults.add({ fault });
		expect(await press({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'Error' });
		expect(bearers(elsewhere)).toEqual([]);
	});

	test('says that a Base URL that nobody listens at does not work', async () => {
		const gone = await startSandbox();
		await gone.close();
		expect(await press({ baseUrl: gone.baseUrl })).toMatchObject({ status: 'Error' });
	});
});

test('a token stored by a version that kept no digest is replaced without being sent', async () => {
	await edit({
		accessToken: 'from-an-earlier-version',
		accessTokenApp: '',
		accessTokenRenewAt: '',
	});
	const { error } = await run();
	expect(error).toBeUndefined();
	expect(harness.sandbox.recorder.grants).toBe(1);
	expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain(
		'from-an-earlier-version',
	);
});

describe('a token that has expired by its lifetime', () => {
	beforeEach(async () => await edit({ accessTokenRenewAt: String(Date.now() - 1) }));

	test('is renewed by the node before a request is refused', async () => {
		const expired = storedToken();
		expect((await run()).error).toBeUndefined();
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(bearers(harness.sandbox)).toEqual([`Bearer ${storedToken()}`]);
		expect(storedToken()).not.toBe(expired);
	});

	test('is not sent by the HTTP Request node either', async () => {
		const expired = storedToken();
		const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
		const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
		expect(error).toBeUndefined();
		expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain(expired);
	});
});

describe('a credential whose fields are expressions', () => {
	const items = [{ app: 'sandbox-client' }, { app: 'other' }, { app: 'sandbox-client' }];

	beforeEach(async () => {
		await edit({
			clientId: '={{ $json.app }}-id',
			clientSecret: '={{ $json.app }}-secret',
			accessToken: '',
		});
	});

	const runFor = async (...input: typeof items) =>
		await harness.runNode(GET_INFO, { store, reference, items: input });

	test('acts for the app that each item asks for', async () => {
		const outcome = await runFor(...items);
		expect(outcome.items.map(({ json }) => json.username)).toEqual([
			'@sandbox',
			'@other-id',
			'@sandbox',
		]);
		expect(harness.sandbox.recorder.grants).toBe(2);
	});

	test('never acts for the app of an earlier execution', async () => {
		await runFor({ app: 'sandbox-client' });
		const outcome = await runFor({ app: 'other' });
		expect(outcome.items.map(({ json }) => json.username)).toEqual(['@other-id']);
	});

	test('is refused where the items of one page ask for different apps', async () => {
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
		expect(outcome.error?.message).toContain(
			'Credential: its expressions give different accounts for items 0 and 2',
		);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test('costs nothing where no field is an expression: the credential is read once, and once for the grant', async () => {
		const counting = harness.countingStore();
		const plain = harness.addCredential(counting.store);
		await harness.runNode(GET_INFO, { store: counting.store, reference: plain, items });
		expect(counting.reads()).toBe(2);
	});
});

describe('a public app whose tokens are bound to its Base URL', () => {
	async function renewTokens() {
		const publicAppTokens = await harness.connectPublicApp();
		const publicStore = harness.newStore();
		const publicReference = harness.addPublicApp(publicStore, publicAppTokens);
		const options = { publicAppTokens, store: publicStore, reference: publicReference };
		harness.sandbox.oauth.revokeAll();
		const { error } = await harness.runNode(GET_INFO, options);
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
		['client ID', () => ({ clientId: 'another' })],
	])('sends none of them after an edit of the %s', async (_what, fields) => {
		const { options, change } = await renewTokens();
		await change(fields());
		const { error } = await harness.runNode(GET_INFO, options);
		expect(error?.message).toBe(
			'Credential: its Base URL or Client ID was changed after it was connected. Open it and connect the account again (Switch account, or Connect).',
		);
		expect([...elsewhere.recorder.requests, ...harness.sandbox.recorder.requests]).toEqual([]);
	});

	test('goes on after it was connected again, and after a new client secret', async () => {
		const { options, change } = await renewTokens();
		const old = options.store.read(options.reference).oauthTokenData as object;
		// n8n keeps the fields of the old tokens that the new ones do not have.
		const oauthTokenData = { ...old, ...(await harness.connectPublicApp()) };
		await change({ oauthTokenData, clientSecret: 'rotated' });
		const { error } = await harness.runNode(GET_INFO, options);
		expect(error).toBeUndefined();
	});

	test('sends none of them to a Base URL that an expression gives', async () => {
		const { options, change } = await renewTokens();
		await change({ baseUrl: '={{ $json.host }}' });
		const items = [{ host: elsewhere.baseUrl }];
		const { error } = await harness.runNode(GET_INFO, { ...options, items });
		expect(error?.message).toContain('Credential: its Base URL or Client ID was changed');
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

describe('what a service answers is never evaluated', () => {
	const EXPRESSION = '={{ $json.private }}';

	test('where it grants an n8n expression as a token', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: jsonAnswer({ access_token: EXPRESSION }) });
		await edit({ accessToken: '' });
		const { error } = await run();
		expect(error?.message).toContain('No access token: the answer of the service contains none');
		expect(storedToken()).toBe('');
	});

	test('where n8n has stored one from before', async () => {
		await edit({ accessToken: EXPRESSION });
		const { error } = await harness.runNode(GET_INFO, {
			store,
			reference,
			items: [{ private: 'of the workflow' }],
		});
		expect(error).toBeUndefined();
		expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain('of the workflow');
	});

	test('where it renews the token of a public app with one', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAll();
		const tokens = { access_token: 'new', refresh_token: EXPRESSION, token_type: 'Bearer' };
		harness.sandbox.faults.add({ path: '/token', fault: jsonAnswer(tokens) });
		const { error, storedTokens } = await harness.runNode(GET_INFO, { publicAppTokens });
		expect(error?.message).toContain('contains an n8n expression, which is not evaluated');
		expect(JSON.stringify(storedTokens)).not.toContain('$json');
	});

	test('where it lists a link or a group whose ID is one', async () => {
		const data = [{ link_id: EXPRESSION, title: 'A link' }];
		const info = { groups: [{ group_id: EXPRESSION, group_name: 'A group' }] };
		harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonAnswer({ status: true, data }) });
		harness.sandbox.faults.add({ path: '/group/list', fault: jsonAnswer({ status: true, info }) });
		expect(await harness.loadList('links', '', { store, reference })).toEqual([]);
		const groups = await harness.loadList('groupsOrNone', undefined, { store, reference });
		expect(groups.map(({ name }) => name)).toEqual(['No Group']);
	});
});

test('the HTTP Request node sends the token to no other host than that of the Base URL', async () => {
	const uri = `${elsewhere.baseUrl}/oauth/v1/me`;
	const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
	expect(error?.message).toContain('URL: it must be on the host of the Base URL in the credential');
	expect(elsewhere.recorder.requests).toEqual([]);
});

test('a stranger at the old port of a service is not given its token', async () => {
	const stranger = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
	});
	const heard: unknown[] = [];
	stranger.on('request', ({ headers }: { headers: unknown }) => heard.push(headers));
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
	const { port } = stranger.address() as AddressInfo;
	await edit({ baseUrl: `http://127.0.0.1:${port}` });
	const { error } = await run();
	stranger.close();
	expect(error?.message).toContain('No access token: the service answered with a web page');
	expect(JSON.stringify(heard)).not.toContain('Bearer');
});
