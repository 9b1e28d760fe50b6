import {
	ApplicationError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INodeCredentialsDetails,
} from 'n8n-workflow';

import { type CredentialStore, describePlainNode, runWorkflow, testCredential } from '../../runner';
import { type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { oneNodeWorkflow, profilePageNode, useHarness } from '../support/harness';
import { withNodes } from '../support/n8nNodes';
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
	const unreadable = () => {
		throw new ApplicationError('Credentials could not be decrypted');
	};

	test.each<[string, () => ICredentialDataDecryptedObject, RegExp]>([
		[
			'is reported if its Base URL is none',
			() => ({ baseUrl: 'not an address' }),
			/^No access token: Base URL: the value is not a web address/,
		],
		['is reported in the words of n8n if it cannot be read', unreadable, /Credentials could not be decrypted/],
		['is not used if it is of another app', () => OTHER_APP, /^No access token: the credential was changed meanwhile$/],
		[
			'is not used if it is of another service',
			() => ({ baseUrl: elsewhere.baseUrl }),
			/^No access token: the credential was changed meanwhile$/,
		],
	])('%s', async (_what, edited, message) => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(401), times: 1 });
		const getDecrypted = store.getDecrypted.bind(store);
		jest
			.spyOn(store, 'getDecrypted')
			.mockImplementationOnce(getDecrypted)
			.mockImplementation(async () => await Promise.resolve().then(() => ({ ...store.read(reference), ...edited() })));
		const { error } = await run();
		expect(error?.message).toMatch(message);
		expect(harness.sandbox.recorder.calls.length + elsewhere.recorder.calls.length).toBe(1);
	});
});

const FAILED = 'The service reported a failure. Check that the app still has access to the account.';

describe('The credential test', () => {
	const pressTest = async (edited?: ICredentialDataDecryptedObject, tested = reference) =>
		await testCredential(harness.loaded, store, PRIVATE_APP, tested, edited);
	const add = (fields: Record<string, string> = {}) => harness.addCredential(store, fields);
	const urls = () => requestedUrls(harness.sandbox);

	test('requests a token and the profile with it, stores the token, and uses it for another test', async () => {
		const tested = add();
		const OK = { status: 'OK', message: 'Connection successful!' };
		expect([await pressTest(undefined, tested), await pressTest({}, tested)]).toEqual([OK, OK]);
		expect(urls()).toEqual(['/oauth/token', '/oauth/v1/me', '/oauth/v1/me']);
		const { accessToken } = store.read(tested);
		expect(authorizations(harness.sandbox)).toEqual(Array(2).fill(`Bearer ${accessToken as string}`));
	});

	test('uses fields that are edited but not saved, and leaves the stored credential usable', async () => {
		const baseUrl = ` ${elsewhere.baseUrl}// `;
		expect(await pressTest({ baseUrl })).toMatchObject({ status: 'OK' });
		expect([elsewhere.recorder.calls.length, urls()]).toEqual([1, []]);
		expect(await pressTest(OTHER_APP)).toMatchObject({ status: 'OK' });
		const { items } = await run();
		expect(items[0]?.json.username).toBe('@sandbox');
	});

	test.each([
		[
			'a wrong secret',
			{ clientSecret: 'wrong' },
			'No access token: the service rejected the Client ID or the Client Secret (401). Check the Client ID, the Client Secret, and the Base URL in the credential. The service said: "Invalid client: client is invalid".',
		],
		[
			'an empty secret',
			{ clientSecret: '' },
			'Client Secret: the value is empty. Enter it in the credential, or check the expression there.',
		],
	])('explains %s', async (_name, fields, message) => {
		expect(await pressTest(undefined, add(fields))).toEqual({ status: 'Error', message });
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});

	test.each<[string, Fault, string]>([
		[
			'401',
			statusFault(401),
			'The service rejected the access token (401). Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.',
		],
		[
			'403',
			statusFault(403),
			'The service denied access (403). Check the Base URL in the credential. Check the permissions of the app in the settings of the service. Public app: connect the account again.',
		],
		['200 and status false', statusFault(200), FAILED],
	])('explains a profile response with %s', async (_what, fault, message) => {
		harness.sandbox.faults.add({ path: '/me', fault });
		expect(await pressTest()).toEqual({ status: 'Error', message });
	});

	test('reports a server that is not the service and responds 200 with a web page', async () => {
		elsewhere.faults.add({ fault: namedFaults.html! });
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
});

describe('The HTTP Request node', () => {
	/** Requests the profile with the credential, by n8n's older request helper, as that node does. */
	async function request({ baseUrl }: Sandbox, options: object = {}): Promise<string | undefined> {
		const httpRequest = {
			description: describePlainNode('httpRequest', { credentials: [{ name: PRIVATE_APP, required: true }] }),
			async execute(this: IExecuteFunctions) {
				const follow = { json: true, followRedirect: true, followAllRedirects: true };
				const sent = { uri: `${baseUrl}/oauth/v1/me`, ...follow, ...options };
				await this.helpers.requestWithAuthentication.call(this, PRIVATE_APP, sent);
				return [];
			},
		};
		const node = profilePageNode({}, { type: 'n8n-nodes-base.httpRequest', credentials: { [PRIVATE_APP]: reference } });
		const loaded = withNodes(harness.loaded, { httpRequest });
		const { error } = (await runWorkflow(loaded, store, oneNodeWorkflow(node))).data.resultData;
		expect(elsewhere.recorder.requests).toEqual([]);
		return error?.message;
	}

	test('does not send the token to another host than that of the Base URL', async () => {
		expect(await request(elsewhere)).toContain(
			'URL: the request does not go to the Base URL of the credential. The access token is for that service only.',
		);
	});

	test('does not follow a redirect with the token, even if it is set to follow redirects', async () => {
		const headers = { location: `${elsewhere.baseUrl}/oauth/v1/me` };
		harness.sandbox.faults.add({ path: '/me', fault: { status: 302, headers } });
		expect(await request(harness.sandbox)).toBeDefined();
		expect(requestedUrls(harness.sandbox)).toContain('/oauth/v1/me');
	});

	test.each([
		['through a proxy of its own', () => ({ proxy: elsewhere.baseUrl })],
		['without a check of certificates', () => ({ rejectUnauthorized: false })],
		['with a certificate authority of its own', () => ({ agentOptions: { ca: 'PEM' } })],
	])('sends no token of a private app %s', async (_what, options) => {
		expect(await request(harness.sandbox, options())).toContain(
			'Proxy or SSL: the access token is not sent through a proxy of the request, or without verified certificates. Use the environment of your n8n instead (HTTPS_PROXY, NODE_EXTRA_CA_CERTS).',
		);
		// n8n's older helper gets a new token after any error, with a request of its own.
		expect(harness.sandbox.recorder.calls).toEqual([]);
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

test.each([
	['Base URLs', 'baseUrl', 'https://localhost:1', false],
	['client secrets', 'clientSecret', 'other', false],
	['client IDs of a public app', 'clientId', 'other', true],
] as const)(
	'A credential that gives two accounts by different %s is refused before anything is sent',
	async (...given) => {
		const [, field, other, isPublic] = given;
		const publicAppTokens = isPublic ? await harness.connectPublicApp() : undefined;
		const value = isPublic ? harness.sandbox.publicApp.clientId : harness.sandbox[field];
		const items = [value, value, other].map((each, index) => ({ value: each, title: `${index}` }));
		const options = { items, credential: { [field]: '={{ $json.value }}' }, publicAppTokens };
		const { error } = await harness.runNode(CREATE, options);
		expect(error?.message).toContain(REFUSED);
		expect(error?.description).toContain(ADVICE);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { items: output } = await harness.runNode(CREATE, { ...options, settings });
		expect(output.map(({ json }) => json)).toEqual(Array(3).fill({ error: `${REFUSED}. ${ADVICE}` }));
		expect(harness.sandbox.recorder.requests).toEqual([]);
	},
);

test('A credential with expressions that give one account is used for all items', async () => {
	const items = ['a', 'b', 'c'].map((title) => ({ title, secret: harness.sandbox.clientSecret }));
	const { items: output } = await harness.runNode(CREATE, {
		items,
		credential: { clientSecret: '={{ $json.secret }}' },
	});
	expect(output.map(({ json }) => json.title)).toEqual(['a', 'b', 'c']);
	expect(harness.sandbox.recorder.grants).toBe(1);
});
