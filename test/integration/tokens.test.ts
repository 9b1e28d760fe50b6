import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { type CannedResponse, type Fault, type FaultRule, jsonResponse, statusFault } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { batching, GET_INFO } from '../support/parameters';
import { pauses } from '../support/pauses';
import { requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';
import { waitUntil } from '../support/waitUntil';

const [ME, ADD, TOKEN] = ['/oauth/v1/me', '/oauth/v1/lnk/add', '/oauth/token'];

const getInfo = (options: INodeParameters = {}): INodeParameters => ({ ...GET_INFO, options });
const CREATE: INodeParameters = {
	resource: 'links',
	operation: 'create',
	title: '=Link {{ $json.index }}',
	url: '=https://example.com/{{ $json.index }}',
	ifExists: 'create',
};
const itemsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));
const CONTINUE: Partial<RunNodeOptions> = { settings: { onError: 'continueRegularOutput' } };

const harness = useHarness({ links: [] });
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const urls = () => requestedUrls(harness.sandbox);
const grants = () => harness.sandbox.recorder.grants;

/** Fields of a credential with a token that the service accepts, and that n8n has stored. */
async function withStoredToken() {
	const { storedToken: accessToken } = await harness.runNode(GET_INFO);
	harness.reset();
	return storedToken(harness.sandbox, { accessToken: accessToken as string });
}

describe('With 60 items, a token endpoint', () => {
	test.each<[string, FaultRule['fault'], number]>([
		['that answers 429 gets three requests, as far apart as it asks', statusFault(429, '', { 'retry-after': '5' }), 3],
		['that answers 500 gets three requests', statusFault(500), 3],
		['that answers 400 gets one', statusFault(400), 1],
		['that answers nothing gets one, which may still go on', 'hang', 1],
	])('%s with the default options', async (_what, fault, requests) => {
		const startTimeout = AbortSignal.timeout.bind(AbortSignal);
		const shorter = (milliseconds: number) => startTimeout(Math.ceil(milliseconds / 300));
		if (fault === 'hang') jest.spyOn(AbortSignal, 'timeout').mockImplementation(shorter);
		pauses.length = 0;
		harness.sandbox.faults.add({ path: TOKEN, fault });
		const { items } = await harness.runNode(CREATE, { items: itemsOf(60), ...CONTINUE });
		expect(items.filter(({ json }) => (json.error as string).startsWith('No access token: '))).toHaveLength(60);
		expect(urls()).toEqual(Array(requests).fill(TOKEN));
		if (fault !== 'hang') expect(pauses.filter((pause) => pause >= 250)).toHaveLength(requests - 1);
	});
});

describe('A token endpoint that fails', () => {
	test.each([503, 401])('with %d is asked again by the next execution', async (status) => {
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(status), times: 1 });
		const account = harness.newAccount();
		const run = async () => (await harness.runNode(getInfo({ maxRetries: 0 }), account)).error?.message;
		expect(await run()).toMatch(/^No access token: /);
		expect([await run(), grants()]).toEqual([undefined, 2]);
	});
});

test('A token with a short lifetime is renewed as often as necessary, and no item fails', async () => {
	harness.sandbox.oauth.tokenLifetime = 2;
	// Each response takes 100 ms by the clock.
	Object.defineProperty(harness.sandbox.faults, 'latency', { get: () => (advanceDate(100), 0) });
	const { error } = await harness.runNode(getInfo({ ...batching(4), maxRetries: 0 }), { items: itemsOf(40) });
	expect(error).toBeUndefined();
	expect(grants()).toBeGreaterThan(1);
	expect(grants()).toBeLessThanOrEqual(4);
});

describe('A token that ends in the middle of a run', () => {
	test('is renewed once, and of 60 links none is created twice', async () => {
		const credential = await withStoredToken();
		harness.sandbox.faults.latency = 5;
		let sent = 0;
		harness.sandbox.faults.add({
			path: ADD,
			when: () => {
				sent += 1;
				if (sent === 20) harness.sandbox.oauth.revokeAccessTokens();
				return false;
			},
		});
		const { error } = await harness.runNode(CREATE, { items: itemsOf(60), credential });
		expect([error, grants()]).toEqual([undefined, 1]);
		const titles = harness.sandbox.account.links.all.map(({ title }) => title);
		expect([titles.length, new Set(titles).size]).toEqual([60, 60]);
		expect(urls().filter((url) => url === ADD).length).toBeGreaterThan(60);
	});

	test('is renewed once for 20 executions that use it', async () => {
		const credential = await withStoredToken();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, { executions: 20, between: 3, credential });
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(20).fill(undefined));
		expect(grants()).toBe(1);
	});

	test.each(['private', 'public'] as const)(
		'and that another process of n8n renews, is replaced by that one (%s app)',
		async (kind) => {
			const tokens = await harness.connectPublicApp();
			const [store, isPublic] = [harness.newStore(), kind === 'public'];
			const accessToken = String(tokens.access_token);
			const reference = isPublic
				? harness.addPublicApp(store, { ...tokens, access_token: 'old' })
				: harness.addCredential(store, storedToken(harness.sandbox, { accessToken: 'old' }));
			const renewed = isPublic ? { oauthTokenData: tokens } : storedToken(harness.sandbox, { accessToken });
			harness.sandbox.faults.latency = 200;
			const publicAppTokens = isPublic ? tokens : undefined;
			const running = harness.runNode(GET_INFO, { items: itemsOf(5), store, reference, publicAppTokens });
			await waitUntil(() => harness.sandbox.recorder.calls.length > 0);
			const type = isPublic ? 'profilePageOAuth2Api' : 'profilePageApi';
			await store.updateCredentials(reference, type, { ...store.read(reference), ...renewed });
			expect([(await running).error, grants()]).toEqual([undefined, 0]);
		},
	);
});

describe('A stored token', () => {
	test.each<[string, CannedResponse]>([
		['400 and expired_token in the body', jsonResponse({ error: { code: 'expired_token' } }, { status: 400 })],
		['200, a failed status, and invalid_token', jsonResponse({ status: 'error', error: 'invalid_token' })],
	])('is replaced once if the service rejects it with %s, and the request succeeds', async (_what, fault) => {
		const credential = await withStoredToken();
		harness.sandbox.faults.add({ path: ADD, fault, times: 1 });
		const { error, storedToken: renewed } = await harness.runNode(CREATE, { credential });
		expect(error).toBeUndefined();
		expect(urls()).toEqual([ADD, TOKEN, ADD]);
		expect(renewed).not.toBe(credential.accessToken);
	});

	const CHALLENGE = { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' };

	test.each<[string, CannedResponse]>([
		['200 that is no failure', jsonResponse({ error: 'invalid_token', data: [] })],
		['403 without such a code', statusFault(403)],
		['400 and the code in WWW-Authenticate alone', { status: 400, headers: CHALLENGE }],
		['500 and expired_token', jsonResponse({ error: 'expired_token' }, { status: 500 })],
		['a failed status with a link called so', jsonResponse({ status: false, data: { title: 'invalid_token' } })],
	])('is kept, and no request is repeated, after %s', async (_what, fault) => {
		const credential = await withStoredToken();
		harness.sandbox.faults.add({ path: ADD, fault });
		const options = { maxRetries: 0 };
		const { error, storedToken: kept } = await harness.runNode({ ...CREATE, options }, { credential });
		expect(error).toBeDefined();
		expect([urls(), kept]).toEqual([[ADD], credential.accessToken]);
	});
});

test('A token that was got in this run is not replaced if it is rejected after a failure of the service', async () => {
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(503), times: 1 });
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(401) });
	const { error } = await harness.runNode(GET_INFO);
	expect(error?.message).toContain('the service rejected the access token (401)');
	expect(urls()).toEqual([TOKEN, ME, ME]);
});

test.each<[string, CannedResponse]>([
	['401', statusFault(401)],
	['200, a failed status, and invalid_token', jsonResponse({ status: false, error: 'invalid_token' })],
])(
	'A service that rejects every token with %s is asked for one, whatever the number of items',
	async (_what, fault) => {
		const credential = await withStoredToken();
		harness.sandbox.faults.add({ path: ME, fault });
		const { items } = await harness.runNode(GET_INFO, { items: itemsOf(20), credential, ...CONTINUE });
		expect(items.every(({ json }) => json.error)).toBe(true);
		expect(grants()).toBe(1);
	},
);

test('A token that is rejected after the node has ended is not replaced, and the request is not sent again', async () => {
	const credential = await withStoredToken();
	harness.sandbox.faults.add({ path: ME, fault: statusFault(401), latency: 300, times: 1 });
	harness.sandbox.faults.add({ path: ME, fault: statusFault(400), times: 1 });
	const { error } = await harness.runNode(GET_INFO, { items: itemsOf(2), credential });
	expect(error?.message).toMatch(/\(400\) – item 1 of 2 failed; 1 was not processed$/);
	await wait(100);
	expect(urls()).toEqual([ME, ME]);
});

test('A token request that failed is not repeated once the execution is canceled', async () => {
	harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(503) });
	const controller = new AbortController();
	const running = harness.runNode(GET_INFO, { signal: controller.signal });
	await waitUntil(() => grants() === 1);
	controller.abort();
	expect((await running).error?.message).toBe('The execution was canceled');
	await wait(300);
	expect(grants()).toBe(1);
});

describe('Nothing of a secret or a token is shown', () => {
	const SECRET = 'a/b+c d%é"1-client-secret';
	const STORED = 'st0red/t0ken+1=';

	/** Each place repeats a secret in another form; unit tests have every form. */
	const places: Array<[place: string, write: (secret: string) => string, fault: (words: string) => Fault]> = [
		['a message', (secret) => secret, (words) => statusFault(400, words)],
		[
			'a success that is none',
			encodeURIComponent,
			(words) => jsonResponse({ status: false, errors: [`It was ${words}`] }),
		],
		[
			'a failure of the service',
			(secret) => Buffer.from(`${harness.sandbox.clientId}:${secret}`).toString('base64'),
			(words) => statusFault(500, words),
		],
	];

	test.each(places)('that is repeated in %s', async (_place, write, fault) => {
		for (const [path, secrets] of [
			[TOKEN, [SECRET]],
			['/me', [SECRET, STORED]],
		] as const) {
			for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
				harness.reset();
				const echoed = secrets.map(write);
				harness.sandbox.faults.add({ path, fault: fault(echoed.join(' and ')) });
				const app = { clientSecret: SECRET };
				const credential =
					path === TOKEN ? app : storedToken(harness.sandbox, { accessToken: STORED, credential: app });
				const { run } = await harness.runNode(getInfo({ maxRetries: 0 }), { credential, settings: { onError } });
				const shown = JSON.stringify(run.data.resultData);
				for (const text of echoed) expect(shown).not.toContain(JSON.stringify(text).slice(1, -1));
			}
		}
	});

	test('if it is a new token that cannot be sent', async () => {
		const fault = jsonResponse({ access_token: 'next token', message: 'It is next token.' });
		harness.sandbox.faults.add({ path: TOKEN, fault });
		const { error } = await harness.runNode(GET_INFO);
		expect(error?.message).toBe('No access token: the response contains none');
		expect(JSON.stringify(error)).not.toContain('next token');
	});

	test('if the token was replaced while its request was in flight', async () => {
		const credential = await withStoredToken();
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(401), times: 1 });
		const fault = statusFault(400, `It was ${credential.accessToken}.`);
		harness.sandbox.faults.add({ path: '/me', fault, latency: 300, times: 1 });
		const { items } = await harness.runNode(GET_INFO, { items: itemsOf(2), credential, ...CONTINUE });
		expect(grants()).toBe(1);
		expect(JSON.stringify(items)).toContain('the service rejected the request (400)');
		expect(JSON.stringify(items)).not.toContain('The service said');
	});
});
