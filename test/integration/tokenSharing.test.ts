import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { jsonAnswer, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const TOKEN = '/oauth/token';
const GET_INFO = { resource: 'me', operation: 'getInfo' };

const getInfo = (options: INodeParameters = {}): INodeParameters => ({ ...GET_INFO, options });
const batch = (batchSize: number) => ({ batching: { batch: { batchSize } } });
const emptyItems = (count: number) => Array.from({ length: count }, () => ({}));
const CONTINUE: Partial<RunNodeOptions> = { settings: { onError: 'continueRegularOutput' } };

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const grants = () => harness.sandbox.recorder.grants;
const refusals = (items: ReadonlyArray<{ json: { error?: unknown } }>) =>
	items.filter(({ json }) => json.error);

describe('requests that find a usable token', () => {
	test('all start at once, and do not wait for the first answer', async () => {
		const { error } = await harness.runNode(getInfo(), {
			credential: storedToken(harness.sandbox, {
				accessToken: (await harness.runNode(GET_INFO)).storedToken as string,
				expiresIn: 3600,
			}),
		});
		expect(error).toBeUndefined();
		harness.reset();
		harness.sandbox.faults.latency = 100;
		await harness.runNode(getInfo(batch(20)), { items: emptyItems(20) });
		expect(harness.sandbox.recorder.mostInFlight).toBe(20);
	});

	test('do not wait for the slow call of another execution', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: '/me', latency: 3000, times: 1 });
		const slow = harness.runNode(getInfo(), { store, reference });
		while (harness.sandbox.recorder.calls.length === 0) await wait(5);
		const begin = Date.now();
		const { error } = await harness.runNode(getInfo({ timeout: 1000, maxRetries: 0 }), {
			store,
			reference,
		});
		expect(error).toBeUndefined();
		expect(Date.now() - begin).toBeLessThan(1000);
		expect((await slow).error).toBeUndefined();
		expect(grants()).toBe(1);
	});
});

describe('requests that wait for a token', () => {
	test('give up after their own Timeout, and say that they were not sent', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: TOKEN, latency: 2000 });
		const patient = harness.runNode(getInfo(), { store, reference });
		while (grants() === 0) await wait(5);
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
		expect(error?.message).toBe(
			'No access token: the service did not answer the token request in time. The request itself was not sent. Try again later.',
		);
		expect((await patient).error).toBeUndefined();
		expect(grants()).toBe(1);
	});

	test('get the token although the execution that asked for it was stopped', async () => {
		const store = harness.newStore();
		const reference = harness.addCredential(store);
		harness.sandbox.faults.add({ path: TOKEN, latency: 500 });
		const controller = new AbortController();
		const stopped = harness.runNode(GET_INFO, { store, reference, signal: controller.signal });
		while (grants() === 0) await wait(5);
		const waiting = harness.runNode(GET_INFO, { store, reference });
		await wait(100);
		controller.abort();
		expect((await stopped).run.status).toBe('canceled');
		expect((await waiting).error).toBeUndefined();
		expect(grants()).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(1);
	});
});

describe('a token endpoint that fails', () => {
	test('is asked once and then as often as Max Retries says, for all items together', async () => {
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(503) });
		const { items } = await harness.runNode(getInfo({ maxRetries: 2 }), {
			items: emptyItems(50),
			...CONTINUE,
		});
		expect(refusals(items)).toHaveLength(50);
		for (const { json } of items) {
			expect(json.error).toContain('the service failed (HTTP 503)');
			expect(json.error).toContain('Attempts: 3.');
		}
		expect(grants()).toBe(3);
	});

	test('is asked again when it says, and not before', async () => {
		const fault = statusFault(429, '', { 'retry-after': '1' });
		harness.sandbox.faults.add({ path: TOKEN, fault, times: 1 });
		const begin = Date.now();
		const { items } = await harness.runNode(getInfo(), { items: emptyItems(50), ...CONTINUE });
		expect(refusals(items)).toEqual([]);
		expect(grants()).toBe(2);
		expect(Date.now() - begin).toBeGreaterThanOrEqual(1000);
	});

	test('is asked once by all items where it refuses the app', async () => {
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(401) });
		const { items } = await harness.runNode(getInfo(), { items: emptyItems(50), ...CONTINUE });
		expect(refusals(items)).toHaveLength(50);
		expect(grants()).toBe(1);
	});
});

describe('a token that does not live long', () => {
	test('is renewed as often as needed, and no item fails', async () => {
		harness.sandbox.oauth.tokenLifetime = 2;
		harness.sandbox.faults.latency = 400;
		const { items } = await harness.runNode(getInfo({ ...batch(4), maxRetries: 0 }), {
			items: emptyItems(40),
			...CONTINUE,
		});
		expect(refusals(items)).toEqual([]);
		expect(grants()).toBeLessThanOrEqual(4);
	});

	test('fails no request that was on its way while two newer ones were granted', async () => {
		harness.sandbox.oauth.tokenLifetime = 2;
		harness.sandbox.faults.add({ path: '/me', latency: 2500, times: 10 });
		const { items } = await harness.runNode(getInfo({ ...batch(40), maxRetries: 0 }), {
			items: emptyItems(40),
			...CONTINUE,
		});
		expect(refusals(items)).toEqual([]);
	});

	test('of which the service does not say how long it lives is used until it is refused', async () => {
		harness.sandbox.oauth.expiresIn = () => undefined;
		const { storedToken: token, error } = await harness.runNode(getInfo(), {
			items: emptyItems(3),
		});
		expect(error).toBeUndefined();
		harness.sandbox.oauth.revokeAll();
		const credential = storedToken(harness.sandbox, { accessToken: token as string });
		const next = await harness.runNode(getInfo(), { items: emptyItems(3), credential });
		expect(next.error).toBeUndefined();
		expect(grants()).toBe(2);
	});

	test.each([0, -1, 'soon', null, 1e300])(
		'of which the service says that it lives %p seconds is used until it is refused',
		async (expiresIn) => {
			harness.sandbox.oauth.expiresIn = () => expiresIn;
			const { error } = await harness.runNode(getInfo(), { items: emptyItems(20) });
			expect(error).toBeUndefined();
			expect(grants()).toBe(1);
		},
	);
});

test('tokens that expire before n8n has stored them are sent until one is refused, and then no more', async () => {
	harness.sandbox.oauth.tokenLifetime = 1;
	const store = harness.newStore();
	store.writeDelay = 1200;
	const reference = harness.addCredential(store);
	const { items } = await harness.runNode(getInfo({ maxRetries: 0 }), {
		items: emptyItems(50),
		store,
		reference,
		...CONTINUE,
	});
	expect(refusals(items)).toHaveLength(50);
	expect(items[49]!.json.error).toContain('the service refused a new access token (HTTP 401)');
	// n8n asks once more on its own, since the first one had expired when it was stored.
	expect(grants()).toBe(2);
	for (const { headers } of harness.sandbox.recorder.calls) {
		expect(headers.authorization).toMatch(/^Bearer /);
	}
});

describe('a token that is revoked', () => {
	test('twice in one execution is replaced twice', async () => {
		harness.sandbox.faults.latency = 30;
		const running = harness.runNode(getInfo({ ...batch(5), maxRetries: 0 }), {
			items: emptyItems(60),
			...CONTINUE,
		});
		for (const calls of [15, 40]) {
			while (harness.sandbox.recorder.calls.length < calls) await wait(2);
			harness.sandbox.oauth.revokeAll();
		}
		expect(refusals((await running).items)).toEqual([]);
		expect(grants()).toBe(3);
	});

	test('while others are in flight in many executions costs one grant', async () => {
		const [accessToken] = [(await harness.runNode(GET_INFO)).storedToken as string];
		harness.reset();
		harness.sandbox.oauth.revokeAll();
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

describe('a public app whose tokens are renewed', () => {
	async function renewWith(answer: Parameters<typeof harness.sandbox.faults.add>[0]['fault']) {
		const publicAppTokens = await harness.connectPublicApp();
		harness.sandbox.oauth.revokeAll();
		harness.sandbox.faults.add({ path: TOKEN, fault: answer });
		const outcome = await harness.runNode(getInfo({ maxRetries: 1 }), {
			publicAppTokens,
			items: emptyItems(20),
			...CONTINUE,
		});
		expect(refusals(outcome.items)).toHaveLength(20);
		return new Set(outcome.items.map(({ json }) => json.error as string));
	}

	const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' };

	test.each([
		['429', statusFault(429), 'the service is rate-limiting requests (HTTP 429)', 2],
		['503', statusFault(503), 'the service failed (HTTP 503)', 2],
		['a web page', html, 'the service answered with a web page', 1],
		['an empty object', jsonAnswer({}), 'the answer of the service contains none', 1],
		['an error', jsonAnswer({ error: 'oops' }), 'the answer of the service contains none', 1],
		[
			'invalid_grant',
			jsonAnswer({ error: 'invalid_grant' }, { status: 400 }),
			'did not renew the access to the account',
			1,
		],
	])('says what happened where the answer is %s', async (_what, answer, words, requests) => {
		const messages = await renewWith(answer);
		expect(messages.size).toBe(1);
		const [message] = messages;
		expect(message).toMatch(/^No access token: /);
		expect(message).toContain(words);
		expect(grants()).toBe(requests);
	});
});
