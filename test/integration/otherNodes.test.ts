import { type Sandbox, startSandbox } from '../../sandbox/server';
import { requestAsHttpRequestNode } from '../support/httpRequestNode';
import { Harness } from '../support/harness';

let harness: Harness;
let elsewhere: Sandbox;
beforeAll(async () => {
	harness = await Harness.open();
	elsewhere = await startSandbox();
});
afterAll(async () => {
	await elsewhere.close();
	await harness.close();
});
beforeEach(() => harness.reset());

async function requestProfile() {
	const store = harness.newStore();
	const reference = harness.addCredential(store);
	const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
	return await requestAsHttpRequestNode(harness, uri, { store, reference });
}

test('the HTTP Request node can use the credential', async () => {
	const { error, json } = await requestProfile();
	expect(error).toBeUndefined();
	expect(json).toMatchObject({ answer: { status: true, info: { username: '@sandbox' } } });
	expect(harness.sandbox.recorder.grants).toBe(1);
});

test('the HTTP Request node follows no redirect with the token, though it is set to', async () => {
	const location = `${elsewhere.baseUrl}/oauth/v1/me`;
	harness.sandbox.faults.add({ path: '/me', fault: { status: 302, headers: { location } } });
	const { error } = await requestProfile();
	expect(error).toBeDefined();
	expect(elsewhere.recorder.requests).toEqual([]);
});
