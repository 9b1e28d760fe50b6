import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse, statusFault } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { batching, GET_INFO } from '../support/parameters';
import { pauses } from '../support/pauses';
import { storedToken } from '../support/storedToken';
import { waitUntil } from '../support/waitUntil';

const TOKEN = '/oauth/token';

const getInfo = (options: INodeParameters = {}): INodeParameters => ({ ...GET_INFO, options });
const emptyItems = (count: number) => Array.from({ length: count }, () => ({}));
const CONTINUE: Partial<RunNodeOptions> = { settings: { onError: 'continueRegularOutput' } };

const harness = useHarness();
afterEach(() => jest.useRealTimers());

const grants = () => harness.sandbox.recorder.grants;
const failedItems = (items: ReadonlyArray<{ json: { error?: unknown } }>) => items.filter(({ json }) => json.error);

describe('Requests with a usable token', () => {
	test('start at once, without waiting for the first response', async () => {
		const { error } = await harness.runNode(getInfo(), {
			credential: storedToken(harness.sandbox, {
				accessToken: (await harness.runNode(GET_INFO)).storedToken as string,
				expiresIn: 3600,
			}),
		});
		expect(error).toBeUndefined();
		harness.reset();
		harness.sandbox.faults.latency = 500;
		await harness.runNode(getInfo(batching(20)), { items: emptyItems(20) });
		expect(harness.sandbox.recorder.mostInFlight).toBe(20);
	});

	test('do not wait for a slow request of another execution', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: '/me', latency: 1000, times: 1 });
		const slow = harness.runNode(getInfo(), { store, reference });
		await waitUntil(() => harness.sandbox.recorder.calls.length > 0);
		const startedAt = Date.now();
		const { error } = await harness.runNode(getInfo({ timeout: 500, maxRetries: 0 }), {
			store,
			reference,
		});
		expect(error).toBeUndefined();
		expect(Date.now() - startedAt).toBeLessThan(500);
		expect((await slow).error).toBeUndefined();
		expect(grants()).toBe(1);
	});
});

describe('Requests that wait for a token', () => {
	test('fail after their own Timeout, and report that they were not sent', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: TOKEN, latency: 800 });
		const patient = harness.runNode(getInfo(), { store, reference });
		await waitUntil(() => grants() > 0);
		const { error } = await harness.runNode(
			{
				resource: 'links',
				operation: 'create',
				title: 'A',
				url: 'https://example.com',
				options: { timeout: 300, maxRetries: 0 },
			},
			{ store, reference },
		);
		expect(error).toMatchObject({
			message: 'No access token: the service did not respond to the token request in time',
			description: 'The request itself was not sent. Try again later.',
		});
		expect((await patient).error).toBeUndefined();
		expect(grants()).toBe(1);
	});

	test('get the token even if the execution that requested it is canceled', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: TOKEN, latency: 500 });
		const controller = new AbortController();
		const stopped = harness.runNode(GET_INFO, { store, reference, signal: controller.signal });
		await waitUntil(() => grants() > 0);
		const waiting = harness.runNode(GET_INFO, { store, reference });
		await wait(100);
		controller.abort();
		expect((await stopped).run.status).toBe('canceled');
		expect((await waiting).error).toBeUndefined();
		expect(grants()).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(1);
	});
});

describe('A token endpoint that fails', () => {
	test('gets one request and as many retries as Max Retries says, for all items together', async () => {
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(503) });
		const { items } = await harness.runNode(getInfo({ maxRetries: 2 }), {
			items: emptyItems(50),
			...CONTINUE,
		});
		expect(failedItems(items)).toHaveLength(50);
		for (const { json } of items) {
			expect(json.error).toBe('No access token: the service failed (503). Try again later. Attempts: 3.');
		}
		expect(grants()).toBe(3);
	});

	test('gets a retry after the time in Retry-After, not earlier', async () => {
		const fault = statusFault(429, '', { 'retry-after': '1' });
		harness.sandbox.faults.add({ path: TOKEN, fault, times: 1 });
		const { items } = await harness.runNode(getInfo(), { items: emptyItems(50), ...CONTINUE });
		expect(failedItems(items)).toEqual([]);
		expect(grants()).toBe(2);
		expect(Math.max(...pauses)).toBeGreaterThanOrEqual(1000);
	});

	test('gets one request for all items if it rejects the app', async () => {
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(401) });
		const { items } = await harness.runNode(getInfo(), { items: emptyItems(50), ...CONTINUE });
		expect(failedItems(items)).toHaveLength(50);
		expect(grants()).toBe(1);
	});
});

describe('A token with a short or unknown lifetime', () => {
	test('is renewed as often as necessary, and no item fails', async () => {
		harness.sandbox.oauth.tokenLifetime = 2;
		// Each response takes 100 ms by the clock.
		const get = () => (advanceDate(100), 0);
		Object.defineProperty(harness.sandbox.faults, 'latency', { get });
		const { items } = await harness.runNode(getInfo({ ...batching(4), maxRetries: 0 }), {
			items: emptyItems(40),
			...CONTINUE,
		});
		expect(failedItems(items)).toEqual([]);
		expect(grants()).toBeGreaterThan(1);
		expect(grants()).toBeLessThanOrEqual(4);
	});

	test('fails no request that is in flight while two newer tokens are granted', async () => {
		harness.sandbox.oauth.tokenLifetime = 2;
		harness.sandbox.faults.add({ path: '/me', latency: 500, times: 10 });
		const running = harness.runNode(getInfo({ ...batching(40), maxRetries: 0 }), {
			items: emptyItems(40),
			...CONTINUE,
		});
		await waitUntil(() => harness.sandbox.recorder.calls.length >= 40);
		advanceDate(2500);
		expect(failedItems((await running).items)).toEqual([]);
	});

	test('is used until it is rejected if the service sends no expires_in', async () => {
		harness.sandbox.oauth.expiresIn = () => undefined;
		const { storedToken: token, error } = await harness.runNode(getInfo(), {
			items: emptyItems(3),
		});
		expect(error).toBeUndefined();
		harness.sandbox.oauth.revokeAccessTokens();
		const credential = storedToken(harness.sandbox, { accessToken: token as string });
		const next = await harness.runNode(getInfo(), { items: emptyItems(3), credential });
		expect(next.error).toBeUndefined();
		expect(grants()).toBe(2);
	});

	test.each([0, -1, 'soon', null, 1e300])('is used until it is rejected if expires_in is %p', async (expiresIn) => {
		harness.sandbox.oauth.expiresIn = () => expiresIn;
		const { error } = await harness.runNode(getInfo(), { items: emptyItems(20) });
		expect(error).toBeUndefined();
		expect(grants()).toBe(1);
	});
});

test('tokens that expire before n8n has stored them are sent until one is rejected, and not renewed again', async () => {
	harness.sandbox.oauth.tokenLifetime = 1;
	const store = harness.newStore();
	const update = store.updateCredentials.bind(store);
	jest.spyOn(store, 'updateCredentials').mockImplementation(async (...args) => {
		advanceDate(1200);
		await update(...args);
	});
	const reference = harness.addCredential(store);
	const { items } = await harness.runNode(getInfo({ maxRetries: 0 }), {
		items: emptyItems(50),
		store,
		reference,
		...CONTINUE,
	});
	expect(failedItems(items)).toHaveLength(50);
	expect(items[49]!.json.error).toContain('the service rejected a new access token (401)');
	// n8n requests the second token, since the first one has expired when it is stored.
	expect(grants()).toBe(2);
	for (const { headers } of harness.sandbox.recorder.calls) {
		expect(headers.authorization).toMatch(/^Bearer /);
	}
});

describe('A revoked token', () => {
	test('is renewed twice if it is revoked twice in one execution', async () => {
		harness.sandbox.faults.latency = 30;
		const running = harness.runNode(getInfo({ ...batching(5), maxRetries: 0 }), {
			items: emptyItems(60),
			...CONTINUE,
		});
		for (const calls of [15, 40]) {
			await waitUntil(() => harness.sandbox.recorder.calls.length >= calls);
			harness.sandbox.oauth.revokeAccessTokens();
		}
		expect(failedItems((await running).items)).toEqual([]);
		expect(grants()).toBe(3);
	});

	test('is renewed for an execution whose first request is rejected, if another one has used it', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: TOKEN, latency: 100 });
		harness.sandbox.faults.add({ path: '/me', latency: 500, times: 1 });
		const running = [1, 2].map(async () => await harness.runNode(getInfo({ maxRetries: 0 }), { store, reference }));
		await Promise.race(running);
		expect(grants()).toBe(1);
		harness.sandbox.oauth.revokeAccessTokens();
		const outcomes = await Promise.all(running);
		expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(grants()).toBe(2);
	});

	test('is renewed once for 40 executions that use it', async () => {
		const accessToken = (await harness.runNode(GET_INFO)).storedToken as string;
		harness.reset();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, {
			executions: 40,
			between: 3,
			credential: storedToken(harness.sandbox, { accessToken, expiresIn: 3600 }),
		});
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(40).fill(undefined));
		expect(grants()).toBe(1);
	});
});

describe('A public app whose tokens cannot be renewed', () => {
	async function renewWith(response: Parameters<typeof harness.sandbox.faults.add>[0]['fault']) {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: TOKEN, fault: response });
		const outcome = await harness.runNode(getInfo({ maxRetries: 1 }), {
			publicAppTokens,
			items: emptyItems(20),
			...CONTINUE,
		});
		expect(failedItems(outcome.items)).toHaveLength(20);
		return new Set(outcome.items.map(({ json }) => json.error as string));
	}

	const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' };

	test.each([
		['HTTP 429', statusFault(429), 'the service is rate-limiting requests (429)', 2],
		['HTTP 503', statusFault(503), 'the service failed (503)', 2],
		['a web page', html, 'the service responded with a web page', 1],
		['an empty object', jsonResponse({}), 'the response contains none', 1],
		['an unknown error code', jsonResponse({ error: 'oops' }), 'the response contains none', 1],
		[
			'invalid_grant',
			jsonResponse({ error: 'invalid_grant' }, { status: 400 }),
			'access to the account was revoked or has ended',
			1,
		],
	])('reports what happened if the response is %s', async (_name, response, words, requests) => {
		const messages = await renewWith(response);
		expect(messages.size).toBe(1);
		const [message] = messages;
		expect(message).toMatch(/^No access token: /);
		expect(message).toContain(words);
		expect(grants()).toBe(requests);
	});
});
