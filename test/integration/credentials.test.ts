import { ApplicationError, type ICredentialDataDecryptedObject, type INodeCredentialsDetails } from 'n8n-workflow';

import { type CredentialStore, testCredential } from '../../runner';
import { jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { useHarness } from '../support/harness';
import { requestAsHttpRequestNode } from '../support/httpRequestNode';
import { GET_INFO } from '../support/parameters';
import { authorizations, requestedUrls } from '../support/requests';

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

	test('a wrong secret is rejected', async () => {
		await edit({ clientSecret: 'wrong' });
		const { error } = await run();
		expect(error?.message).toContain('rejected the Client ID or the Client Secret (401)');
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});
});

describe('A credential that is edited while the node runs, before a rejected token is renewed,', () => {
	beforeEach(() => harness.sandbox.faults.add({ path: '/me', fault: statusFault(401), times: 1 }));

	/** Makes n8n read something else when the token is renewed. */
	function readLater(read: () => ICredentialDataDecryptedObject): void {
		const getDecrypted = store.getDecrypted.bind(store);
		jest
			.spyOn(store, 'getDecrypted')
			.mockImplementationOnce(getDecrypted)
			.mockImplementation(async () => await Promise.resolve().then(read));
	}

	test.each([
		[
			'a Base URL that is none',
			{ baseUrl: 'not an address' },
			/^No access token: Base URL: the value is not a web address/,
		],
	])('is reported if it has %s, and nothing else is sent', async (_what, fields, message) => {
		readLater(() => ({ ...store.read(reference), ...fields }));
		const { error } = await run();
		expect(error?.message).toMatch(message);
		expect(requestedUrls(harness.sandbox)).toEqual(['/oauth/v1/me']);
	});

	test.each([
		['another app', () => OTHER_APP],
		['another Base URL', () => ({ baseUrl: elsewhere.baseUrl })],
	])('is not used for the rest of the run if it is of %s', async (_what, fields) => {
		readLater(() => ({ ...store.read(reference), ...fields() }));
		const { error } = await run();
		expect(error?.message).toBe('No access token: the credential was changed meanwhile');
		expect(harness.sandbox.recorder.calls.length + elsewhere.recorder.calls.length).toBe(1);
	});

	test('and cannot be read any more, is reported in the words of n8n', async () => {
		readLater(() => {
			throw new ApplicationError('Credentials could not be decrypted');
		});
		const { error } = await run();
		expect(error?.message).toMatch(/Credentials could not be decrypted/);
		expect(requestedUrls(harness.sandbox)).toEqual(['/oauth/v1/me']);
	});
});

describe('The credential test, after a credential that was used is edited', () => {
	const pressTest = async (edited: ICredentialDataDecryptedObject) =>
		await testCredential(harness.loaded, store, PRIVATE_APP, reference, edited);

	test('reports that a credential without edits works, and requests no token', async () => {
		expect(await pressTest({})).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(harness.sandbox.recorder.grants).toBe(0);
	});

	test('reports that another app works, and leaves the stored credential usable', async () => {
		expect(await pressTest(OTHER_APP)).toMatchObject({ status: 'OK' });
		const { items } = await run();
		expect(items[0]?.json.username).toBe('@sandbox');
	});

	test.each([
		['a web page', namedFaults.html!],
		['a status that is not true', { status: 200, body: '{"status":"error"}' }],
	])('reports a server that is not the service and responds 200 with %s', async (_name, fault) => {
		elsewhere.faults.add({ fault });
		expect(await pressTest({ baseUrl: elsewhere.baseUrl })).toMatchObject({ status: 'Error' });
		expect(authorizations(elsewhere)).toEqual([]);
	});
});

test('a credential with expressions does not use the app of an earlier execution', async () => {
	await edit({ clientId: '={{ $json.app }}-id', clientSecret: '={{ $json.app }}-secret', accessToken: '' });
	for (const [app, username] of [
		['sandbox-client', '@sandbox'],
		['other', '@other-id'],
	]) {
		const { items } = await harness.runNode(SEND_ONCE, { store, reference, items: [{ app }] });
		expect(items.map(({ json }) => json.username)).toEqual([username]);
	}
});

describe('An n8n expression in a response is not evaluated', () => {
	const EXPRESSION = '={{ $json.private }}';

	test('if it is the token of a private app', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: jsonResponse({ access_token: EXPRESSION }) });
		await edit({ accessToken: '' });
		const { error } = await run();
		expect(error?.message).toContain('No access token: the response contains none');
		expect(storedToken()).toBe('');
	});

	test('if n8n has already stored it as a token', async () => {
		await edit({ accessToken: EXPRESSION });
		const items = [{ private: 'of the workflow' }];
		const { error } = await harness.runNode(SEND_ONCE, { store, reference, items });
		expect(error).toBeUndefined();
		expect(JSON.stringify(harness.sandbox.recorder.requests)).not.toContain('of the workflow');
	});

	test('if it is the ID of a link or a group in a list', async () => {
		const data = [{ link_id: EXPRESSION, title: 'A link' }];
		const info = { groups: [{ group_id: EXPRESSION, group_name: 'A group' }] };
		harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonResponse({ status: true, data }) });
		harness.sandbox.faults.add({ path: '/group/list', fault: jsonResponse({ status: true, info }) });
		expect(await harness.loadList('links', '', { store, reference })).toEqual([]);
		const groups = await harness.loadList('groupsOrNone', undefined, { store, reference });
		expect(groups.map(({ name }) => name)).toEqual(['Not Set', 'No Group']);
	});
});

test('the HTTP Request node does not send the token to another host than that of the Base URL', async () => {
	const uri = `${elsewhere.baseUrl}/oauth/v1/me`;
	const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
	expect(error?.message).toContain(
		'URL: the request does not go to the Base URL of the credential. The access token is for that service only.',
	);
	expect(elsewhere.recorder.requests).toEqual([]);
});

test('the HTTP Request node does not follow a redirect with the token, even if it is set to follow redirects', async () => {
	const location = `${elsewhere.baseUrl}/oauth/v1/me`;
	harness.sandbox.faults.add({ path: '/me', fault: { status: 302, headers: { location } } });
	const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
	const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference });
	expect(error).toBeDefined();
	expect(elsewhere.recorder.requests).toEqual([]);
});

describe('The HTTP Request node sends no token of a private app', () => {
	test.each([
		['through a proxy of its own', () => ({ proxy: elsewhere.baseUrl })],
		['without a check of certificates', () => ({ rejectUnauthorized: false })],
		['with a certificate authority of its own', () => ({ agentOptions: { ca: 'PEM' } })],
	])('%s', async (_what, options) => {
		const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
		const { error } = await requestAsHttpRequestNode(harness, uri, { store, reference }, options());
		expect(error?.message).toContain(
			'Proxy or SSL: the access token is not sent through a proxy of the request, or without verified certificates. Use the environment of your n8n instead (HTTPS_PROXY, NODE_EXTRA_CA_CERTS).',
		);
		// n8n's older helper gets a new token after any error, with a request of its own.
		expect(harness.sandbox.recorder.calls).toEqual([]);
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});

const CREATE = {
	resource: 'links',
	operation: 'create',
	title: '={{ $json.title }}',
	url: 'https://example.com',
};

const REFUSED = 'Credential: its expressions give different accounts for the first and the last item';
const ADVICE = 'Use one credential for each account.';

describe('A credential that gives two accounts', () => {
	const settings = { onError: 'continueRegularOutput' } as const;

	test.each([
		['Base URLs', 'baseUrl', 'https://localhost:1'],
		['client secrets', 'clientSecret', 'other'],
	] as const)('by different %s is refused before anything is sent', async (_what, field, other) => {
		const values = [harness.sandbox[field], harness.sandbox[field], other];
		const items = values.map((value, index) => ({ value, title: `${index}` }));
		const credential = { [field]: '={{ $json.value }}' };
		const { error } = await harness.runNode(CREATE, { items, credential });
		expect(error).toMatchObject({ message: expect.stringContaining(REFUSED) as unknown });
		expect(error?.description).toContain(ADVICE);
		const { items: output } = await harness.runNode(CREATE, { items, credential, settings });
		expect(output.map(({ json }) => json)).toEqual(Array(3).fill({ error: `${REFUSED}. ${ADVICE}` }));
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test('by different client IDs of a public app is refused before anything is sent', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		const items = [{ id: harness.sandbox.publicApp.clientId }, { id: 'other' }];
		const credential = { clientId: '={{ $json.id }}' };
		const { error } = await harness.runNode({ ...CREATE, title: 'A' }, { items, credential, publicAppTokens });
		expect(error?.message).toContain(REFUSED);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

test('A credential with expressions that give one account is used for all items', async () => {
	const items = ['a', 'b', 'c'].map((title) => ({ title, secret: harness.sandbox.clientSecret }));
	const { items: output } = await harness.runNode(CREATE, {
		items,
		credential: { clientSecret: '={{ $json.secret }}' },
	});
	expect(output.map(({ json }) => json.title)).toEqual(['a', 'b', 'c']);
	expect(harness.sandbox.recorder.grants).toBe(1);
});
