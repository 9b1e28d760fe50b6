import type { INodeCredentialsDetails } from 'n8n-workflow';

import { type CredentialStore, testCredential } from '../../runner';
import { statusFault } from '../../sandbox/faults';
import { startSandbox } from '../../sandbox/server';
import { Harness } from '../support/harness';

let harness: Harness;
let store: CredentialStore;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => {
	harness.reset();
	store = harness.newStore();
});

function add(fields: Record<string, string> = {}): INodeCredentialsDetails {
	return harness.addCredential(store, fields);
}

async function press(reference = add(), edited?: Record<string, string>) {
	return await testCredential(harness.loaded, store, 'profilePageApi', reference, edited);
}

const paths = () => harness.sandbox.recorder.requests.map(({ url }) => url);

test('the Test button gets a token and the profile with it', async () => {
	expect(await press()).toEqual({ status: 'OK', message: 'Connection successful!' });
	expect(paths()).toEqual(['/oauth/token', '/oauth/v1/me']);
});

test('the Test button stores the token, and uses it as long as the service accepts it', async () => {
	const reference = add();
	await press(reference);
	const { accessToken } = store.read(reference);
	await press(reference);
	expect(paths()).toEqual(['/oauth/token', '/oauth/v1/me', '/oauth/v1/me']);
	expect(harness.sandbox.recorder.calls[1]!.headers.authorization).toBe(
		`Bearer ${accessToken as string}`,
	);
});

test('the Test button gets a new token when the service rejects the stored one', async () => {
	const reference = add({ accessToken: 'expired' });
	expect(await press(reference)).toMatchObject({ status: 'OK' });
	expect(harness.sandbox.recorder.grants).toBe(1);
	expect(store.read(reference).accessToken).not.toBe('expired');
});

test('the Test button tests fields that are edited and not saved', async () => {
	const other = await startSandbox();
	const reference = add();
	const { baseUrl } = store.read(reference);
	expect(await press(reference, { baseUrl: other.baseUrl })).toMatchObject({ status: 'OK' });
	await other.close();
	expect(other.recorder.calls.length).toBeGreaterThan(0);
	expect(paths()).toEqual([]);
	expect(store.read(reference).baseUrl).toBe(baseUrl);
});

test.each(['/', '///', '/ '])('it takes a Base URL that ends in %p', async (end) => {
	const baseUrl = ` ${harness.sandbox.baseUrl}${end}`;
	expect(await press(add({ baseUrl }))).toMatchObject({ status: 'OK' });
});

test.each([
	[
		'a wrong secret',
		{ clientSecret: 'wrong' },
		'No access token: the service refused the Client ID or the Client Secret (HTTP 401). Check both in the credential. The service said: "invalid_client".',
	],
	[
		'no secret',
		{ clientSecret: '' },
		'Client Secret: it is empty. Enter it in the credential, or check the expression there.',
	],
	[
		'a Base URL of plain http',
		{ baseUrl: 'http://example.com' },
		'Base URL: it must start with https://, so that the secret and the tokens travel encrypted. Only a service on this machine (localhost) may use http://.',
	],
])('it says what is wrong with %s', async (_what, fields, message) => {
	expect(await press(add(fields))).toEqual({ status: 'Error', message });
	expect(harness.sandbox.recorder.calls).toEqual([]);
});

test.each([
	[302, 'The service answered with a redirect. Check the Base URL. (HTTP 302)'],
	[
		401,
		'The service refused the access token. Check that the app still has access to the account. (HTTP 401)',
	],
	[403, 'The service does not let the app read the profile. Check what the app may do. (HTTP 403)'],
	[404, 'The service has no profile at this address. Check the Base URL. (HTTP 404)'],
	[
		200,
		'The service reported a failure when asked for the profile. Check that the app still has access to the account.',
	],
])(
	'it puts a profile answer of status %p and "status: false" in words',
	async (status, message) => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(status) });
		expect(await press()).toEqual({ status: 'Error', message });
	},
);
