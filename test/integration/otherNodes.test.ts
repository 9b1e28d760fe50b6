import { requestAsHttpRequestNode } from '../support/httpRequestNode';
import { useHarness } from '../support/harness';

const harness = useHarness();

async function requestProfile() {
	const store = harness.newStore();
	const reference = harness.addCredential(store);
	const uri = `${harness.sandbox.baseUrl}/oauth/v1/me`;
	return await requestAsHttpRequestNode(harness, uri, { store, reference });
}

describe('The HTTP Request node with the credential', () => {
	test('sends the token of the credential', async () => {
		const { error, json } = await requestProfile();
		expect(error).toBeUndefined();
		expect(json).toMatchObject({ response: { status: true, info: { username: '@sandbox' } } });
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test('does not follow a redirect with the token, even if it is set to follow redirects', async () => {
		const elsewhere = await harness.startSandbox();
		const location = `${elsewhere.baseUrl}/oauth/v1/me`;
		harness.sandbox.faults.add({ path: '/me', fault: { status: 302, headers: { location } } });
		const { error } = await requestProfile();
		expect(error).toBeDefined();
		expect(elsewhere.recorder.requests).toEqual([]);
	});
});
