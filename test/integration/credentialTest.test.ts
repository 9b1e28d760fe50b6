import type { INodeCredentialsDetails } from 'n8n-workflow';

import { type CredentialStore, testCredential } from '../../runner';
import { jsonResponse, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { authorizations, requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';

const harness = useHarness();
let store: CredentialStore;
beforeEach(() => {
	store = harness.newStore();
});

function add(fields: Record<string, string> = {}): INodeCredentialsDetails {
	return harness.addCredential(store, fields);
}

async function pressTest(reference = add(), edited?: Record<string, string>) {
	return await testCredential(harness.loaded, store, 'profilePageApi', reference, edited);
}

describe('The credential test', () => {
	test('requests a token, and the profile with it', async () => {
		expect(await pressTest()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(requestedUrls(harness.sandbox)).toEqual(['/oauth/token', '/oauth/v1/me']);
	});

	test('stores the token, and uses it for another test within a minute', async () => {
		const reference = add();
		await pressTest(reference);
		const { accessToken } = store.read(reference);
		await pressTest(reference);
		expect(requestedUrls(harness.sandbox)).toEqual(['/oauth/token', '/oauth/v1/me', '/oauth/v1/me']);
		expect(authorizations(harness.sandbox)[1]).toBe(`Bearer ${accessToken as string}`);
	});

	test('requests a new token in place of one stored before, as the service may reject that without a 401', async () => {
		const reference = add(storedToken(harness.sandbox, { accessToken: 'revoked' }));
		expect(await pressTest(reference)).toMatchObject({ status: 'OK' });
		expect(requestedUrls(harness.sandbox)).toEqual(['/oauth/token', '/oauth/v1/me']);
		expect(store.read(reference).accessToken).not.toBe('revoked');
	});

	test('uses fields that are edited but not saved', async () => {
		const other = await harness.startSandbox();
		const reference = add();
		const { baseUrl } = store.read(reference);
		expect(await pressTest(reference, { baseUrl: other.baseUrl })).toMatchObject({ status: 'OK' });
		expect(other.recorder.calls.length).toBeGreaterThan(0);
		expect(requestedUrls(harness.sandbox)).toEqual([]);
		expect(store.read(reference).baseUrl).toBe(baseUrl);
	});

	test('accepts a Base URL with spaces and slashes around it', async () => {
		const baseUrl = ` ${harness.sandbox.baseUrl}// `;
		expect(await pressTest(add({ baseUrl }))).toMatchObject({ status: 'OK' });
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
		expect(await pressTest(add(fields))).toEqual({ status: 'Error', message });
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});

	test.each([
		[
			401,
			'The service rejected the access token (401). Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.',
		],
		[
			403,
			'The service denied access (403). Check the permissions of the app in the settings of the service. Check the Base URL in the credential. Public app: connect the account again.',
		],
		[200, 'The service reported a failure. Check that the app still has access to the account.'],
	])('explains a profile response with HTTP %p and "status: false"', async (status, message) => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(status) });
		expect(await pressTest()).toEqual({ status: 'Error', message });
	});

	test('explains a profile response with a status that is not true', async () => {
		harness.sandbox.faults.add({ path: '/me', fault: jsonResponse({ status: 'error' }) });
		expect(await pressTest()).toMatchObject({
			message: 'The service reported a failure. Check that the app still has access to the account.',
		});
	});
});
