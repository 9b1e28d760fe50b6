import { type CannedResponse, jsonResponse, statusFault } from '../../sandbox/faults';
import { type Tokens, useHarness } from '../support/harness';
import { batching, GET_INFO } from '../support/parameters';
import { requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';

const [ME, ADD, TOKEN] = ['/oauth/v1/me', '/oauth/v1/lnk/add', '/oauth/token'];
const CREATE = { resource: 'links', operation: 'create', title: 'A', url: 'https://example.com' };

const harness = useHarness({ links: [] });

/** Fields of a credential with a token that the service accepts, and that n8n has stored. */
async function withStoredToken() {
	const { storedToken: accessToken } = await harness.runNode(GET_INFO);
	harness.sandbox.recorder.reset();
	return storedToken(harness.sandbox, { accessToken: accessToken as string });
}

const CHALLENGE: CannedResponse = {
	status: 400,
	headers: { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' },
};

describe('A stored token', () => {
	test.each<[string, CannedResponse]>([
		['401', statusFault(401)],
		['400 and expired_token in the body', jsonResponse({ error: { code: 'expired_token' } }, { status: 400 })],
		['200, a failed status, and invalid_token', jsonResponse({ status: 'error', error: 'invalid_token' })],
	])('is replaced once if the service rejects it with %s, and the request succeeds', async (_what, fault) => {
		const credential = await withStoredToken();
		harness.sandbox.faults.add({ path: '/add', fault, times: 1 });
		const { error, storedToken: renewed } = await harness.runNode(CREATE, { credential });
		expect(error).toBeUndefined();
		expect(requestedUrls(harness.sandbox)).toEqual([ADD, TOKEN, ADD]);
		expect(renewed).not.toBe(credential.accessToken);
	});

	test.each<[string, CannedResponse]>([
		['200 that is no failure', jsonResponse({ error: 'invalid_token', data: [] })],
		['403 without such a code', statusFault(403)],
		['400 and the code in WWW-Authenticate alone', CHALLENGE],
		['500 and expired_token', jsonResponse({ error: 'expired_token' }, { status: 500 })],
		[
			'a failed status with a link that is called so',
			jsonResponse({ status: false, data: { title: 'invalid_token' } }),
		],
	])('is kept, and no request is repeated, after %s', async (_what, fault) => {
		const credential = await withStoredToken();
		harness.sandbox.faults.add({ path: '/add', fault });
		const { error, storedToken: kept } = await harness.runNode(
			{ ...CREATE, options: { maxRetries: 0 } },
			{ credential },
		);
		expect(error).toBeDefined();
		expect(requestedUrls(harness.sandbox)).toEqual([ADD]);
		expect(kept).toBe(credential.accessToken);
	});

	test('of a public app without a refresh token is kept after a 403, which is final, and used for other requests', async () => {
		const { access_token, token_type } = await harness.connectPublicApp();
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(403), times: 1 });
		const publicAppTokens = { access_token, token_type } as Tokens;
		const settings = { onError: 'continueRegularOutput' } as const;
		const options = { publicAppTokens, items: [{}, {}], settings };
		const { items } = await harness.runNode({ ...GET_INFO, options: batching(1) }, options);
		expect(items.map(({ json }) => json.error)).toEqual([expect.stringContaining('denied access (403)'), undefined]);
		expect(requestedUrls(harness.sandbox)).toEqual([ME, ME]);
	});
});

test('A token that was got in this run is not replaced if it is rejected after a failure of the service', async () => {
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(503), times: 1 });
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(401) });
	const { error } = await harness.runNode(GET_INFO);
	expect(error?.message).toContain('the service rejected the access token (401)');
	expect(requestedUrls(harness.sandbox)).toEqual([TOKEN, ME, ME]);
});
