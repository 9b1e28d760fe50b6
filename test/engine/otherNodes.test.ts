import { type Sandbox, startSandbox } from '../../sandbox/server';
import { requestAsHttpRequestNode } from '../support/httpRequestNode';
import { Stage } from '../support/stage';

let stage: Stage;
let elsewhere: Sandbox;
beforeAll(async () => {
	stage = await Stage.open();
	elsewhere = await startSandbox();
});
afterAll(async () => {
	await elsewhere.close();
	await stage.close();
});
beforeEach(() => stage.reset());

async function requestProfile() {
	const store = stage.newStore();
	const reference = stage.addCredential(store);
	const uri = `${stage.sandbox.baseUrl}/oauth/v1/me`;
	return await requestAsHttpRequestNode(stage, uri, { store, reference });
}

test('the HTTP Request node can use the credential', async () => {
	const { error, json } = await requestProfile();
	expect(error).toBeUndefined();
	expect(json).toMatchObject({ answer: { status: true, info: { username: '@sandbox' } } });
	expect(stage.sandbox.recorder.grants).toBe(1);
});

test('the HTTP Request node follows no redirect with the token, though it is set to', async () => {
	const location = `${elsewhere.baseUrl}/oauth/v1/me`;
	stage.sandbox.faults.add({ path: '/me', fault: { status: 302, headers: { location } } });
	const { error } = await requestProfile();
	expect(error).toBeDefined();
	expect(elsewhere.recorder.requests).toEqual([]);
});
