import type { INodeParameters } from 'n8n-workflow';

import { type CannedResponse, type FaultRule, jsonResponse, statusFault } from '../../sandbox/faults';
import { advanceDate, stopDate } from '../support/dates';
import { type RunNodeOptions, type Tokens, useHarness } from '../support/harness';
import { batching, GET_INFO } from '../support/parameters';
import { pauses } from '../support/pauses';
import { requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';
import { waitUntil } from '../support/waitUntil';

/** Makes time limits shorter than for users. */
function shortenTimeLimits(): void {
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => startTimeout(Math.ceil(milliseconds / 150)));
}
const itemsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));
const CREATE: INodeParameters = {
	resource: 'links',
	operation: 'create',
	title: '=Link {{ $json.index }}',
	url: '=https://example.com/{{ $json.index }}',
	ifExists: 'create',
};

describe('With 300 items, a token endpoint', () => {
	test.each<[string, FaultRule['fault'], number]>([
		['that answers 429 gets three requests, as far apart as it asks', statusFault(429, '', { 'retry-after': '5' }), 3],
		['that answers 400 gets one', statusFault(400), 1],
		['that answers nothing gets one, which may still go on', 'hang', 1],
	])('%s with the default options', async (_what, fault, requests) => {
		if (fault === 'hang') shortenTimeLimits();
		pauses.length = 0;
		harness.sandbox.faults.add({ path: TOKEN, fault });
		const { items } = await harness.runNode(CREATE, { items: itemsOf(300), ...CONTINUE });
		expect(items.filter(({ json }) => (json.error as string).startsWith('No access token: '))).toHaveLength(300);
		expect(requestedUrls(harness.sandbox)).toEqual(Array(requests).fill(TOKEN));
		expect(pauses.filter((pause) => pause >= 5000)).toHaveLength(requests - 1);
	});
});

test('A refresh that hangs is not sent again by the next execution, as the service would get the refresh token twice', async () => {
	const publicAppTokens = await harness.connectPublicApp();
	harness.sandbox.oauth.revokeAccessTokens();
	harness.sandbox.faults.add({ path: TOKEN, fault: 'hang' });
	shortenTimeLimits();
	const store = harness.newStore();
	const reference = harness.addPublicApp(store, publicAppTokens);
	for (let run = 1; run <= 2; run += 1) {
		const { error } = await harness.runNode(GET_INFO, { publicAppTokens, store, reference });
		expect(error?.message).toBe('No access token: the service did not respond in time');
		advanceDate(30_000);
	}
	expect(grants()).toBe(1);
});

test('A token that ends in the middle of 60 creations is renewed once, and no link is created twice', async () => {
	const { storedToken: accessToken } = await harness.runNode(GET_INFO);
	harness.reset();
	harness.sandbox.faults.latency = 5;
	const credential = storedToken(harness.sandbox, { accessToken: accessToken as string });
	let sent = 0;
	harness.sandbox.faults.add({
		path: '/add',
		when: () => {
			sent += 1;
			if (sent === 20) harness.sandbox.oauth.revokeAccessTokens();
			return false;
		},
	});
	const { items } = await harness.runNode(CREATE, { items: itemsOf(60), credential, ...CONTINUE });
	expect(items.filter(({ json }) => json.error)).toEqual([]);
	expect(grants()).toBe(1);
	const titles = harness.sandbox.account.links.all.map(({ title }) => title);
	expect([titles.length, new Set(titles).size]).toEqual([60, 60]);
	expect(requestedUrls(harness.sandbox).filter((url) => url === ADD).length).toBeGreaterThan(60);
});

describe('Nothing of a secret or a token is shown', () => {
	const SECRET = 'a/b+c d%é"1-client-secret';
	const STORED = 'st0red/t0ken+1=';
	/** In each place in another form; unit tests have every form. */
	const forms: Record<string, (secret: string) => string> = {
		'a message': (secret) => secret,
		'a success that is none': encodeURIComponent,
		'an error page': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
		'the target of a redirect': (secret) => Buffer.from(`${harness.sandbox.clientId}:${secret}`).toString('base64'),
	};
	const places: Record<string, (words: string) => FaultRule['fault']> = {
		'a message': (words) => statusFault(400, words),
		'a success that is none': (words) => jsonResponse({ status: false, errors: [`It was ${words}`] }),
		'an error page': (words) => ({
			status: 500,
			headers: { 'content-type': 'text/html' },
			body: `<html><title>Sent ${words}</title></html>`,
		}),
		'the target of a redirect': (words) => ({
			status: 302,
			headers: { location: `https://example.com/${words.replace(/[^!-~]/g, '_')}?${encodeURIComponent(words)}` },
		}),
	};
	test.each(Object.keys(places))('that is repeated in %s', async (place) => {
		for (const path of [TOKEN, '/me']) {
			for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
				harness.reset();
				const echoed = [SECRET, ...(path === TOKEN ? [] : [STORED])].map((secret) => forms[place]!(secret));
				harness.sandbox.faults.add({ path, fault: places[place]!(echoed.join(' and ')) });
				const credential = path === TOKEN ? { clientSecret: SECRET } : tokenOf(STORED, SECRET);
				const parameters = { ...GET_INFO, options: { maxRetries: 0 } };
				const { run } = await harness.runNode(parameters, { credential, settings: { onError } });
				const { resultData } = run.data;
				const shown = JSON.stringify(resultData);
				for (const text of echoed) expect(shown).not.toContain(JSON.stringify(text).slice(1, -1));
			}
		}
	});

	const tokenOf = (accessToken: string, clientSecret: string) =>
		storedToken(harness.sandbox, { accessToken, credential: { clientSecret } });
});

test('A new token that cannot be sent is not quoted', async () => {
	for (const token of ['next\ntoken', 'next token']) {
		const body = { access_token: token, message: `It is ${token}.` };
		harness.sandbox.faults.add({ path: TOKEN, fault: jsonResponse(body) });
		const { error } = await harness.runNode(GET_INFO);
		expect(error?.message).toBe('No access token: the response contains none');
		expect(JSON.stringify(error)).not.toMatch(/next.+token/);
		harness.reset();
	}
});

test('A token that was replaced while its request was in flight is not quoted', async () => {
	const { storedToken: accessToken } = await harness.runNode(GET_INFO);
	harness.reset();
	harness.sandbox.faults.add({ path: '/me', fault: statusFault(401), times: 1 });
	const fault = statusFault(400, `It was ${String(accessToken)}.`);
	harness.sandbox.faults.add({ path: '/me', fault, latency: 400, times: 1 });
	const credential = storedToken(harness.sandbox, { accessToken: accessToken as string });
	const { items } = await harness.runNode(GET_INFO, { items: itemsOf(2), credential, ...CONTINUE });
	expect(grants()).toBe(1);
	expect(JSON.stringify(items)).toContain('the service rejected the request (400)');
	expect(JSON.stringify(items)).not.toContain('The service said');
});

const [ME, ADD, TOKEN] = ['/oauth/v1/me', '/oauth/v1/lnk/add', '/oauth/token'];

const getInfo = (options: INodeParameters = {}): INodeParameters => ({ ...GET_INFO, options });
const emptyItems = (count: number) => Array.from({ length: count }, () => ({}));
const CONTINUE: Partial<RunNodeOptions> = { settings: { onError: 'continueRegularOutput' } };

const harness = useHarness({ links: [] });
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const grants = () => harness.sandbox.recorder.grants;
const failedItems = (items: ReadonlyArray<{ json: { error?: unknown } }>) => items.filter(({ json }) => json.error);

describe('Requests that wait for a token', () => {
	test('share it, and wait as long as the one that asked first', async () => {
		const { store, reference } = harness.newAccount();
		harness.sandbox.faults.add({ path: TOKEN, latency: 800 });
		const patient = harness.runNode(getInfo(), { store, reference });
		await waitUntil(() => grants() > 0);
		const { error } = await harness.runNode(getInfo({ timeout: 300, maxRetries: 0 }), { store, reference });
		expect([error, (await patient).error]).toEqual([undefined, undefined]);
		expect(grants()).toBe(1);
	});
});

describe('A token endpoint that fails', () => {
	test('is asked again after two seconds, though not before', async () => {
		stopDate(Date.now());
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(503), times: 1 });
		const account = harness.newAccount();
		const run = async () => (await harness.runNode(getInfo({ maxRetries: 0 }), account)).error?.message;
		const failed = 'No access token: the service failed (503)';
		expect([await run(), await run(), grants()]).toEqual([failed, failed, 1]);
		advanceDate(2000);
		expect([await run(), grants()]).toEqual([undefined, 2]);
	});

	test('and rejects the app is asked again by the next execution', async () => {
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(401), times: 1 });
		const account = harness.newAccount();
		expect((await harness.runNode(GET_INFO, account)).error).toBeDefined();
		expect((await harness.runNode(GET_INFO, account)).error).toBeUndefined();
	});
});

describe('A token with a short lifetime', () => {
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
});

describe('A revoked token', () => {
	test('is renewed once for 300 items, of which few are sent twice', async () => {
		const credential = storedToken(harness.sandbox, { accessToken: 'revoked' });
		harness.sandbox.faults.latency = 20;
		const { items } = await harness.runNode(getInfo(), { items: emptyItems(300), credential, ...CONTINUE });
		expect(failedItems(items)).toEqual([]);
		expect(grants()).toBe(1);
		expect(harness.sandbox.recorder.requests.length).toBeLessThanOrEqual(320);
	});

	test('is not replaced by that of another execution whose credential has another secret', async () => {
		const { store, reference } = harness.newAccount({ clientSecret: '={{ $json.secret }}' });
		harness.sandbox.faults.add({ path: TOKEN, latency: 300 });
		const runWith = async (secret: string) =>
			await harness.runNode(getInfo({ maxRetries: 0 }), { store, reference, items: [{ secret }] });
		const [right, wrong] = await Promise.all([runWith(harness.sandbox.clientSecret), runWith('wrong-secret')]);
		expect(right.error).toBeUndefined();
		expect(wrong.error?.message).toContain('the service rejected the Client ID or the Client Secret (401)');
	});

	test('is renewed once for 40 executions that use it', async () => {
		const accessToken = (await harness.runNode(GET_INFO)).storedToken as string;
		harness.reset();
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.latency = 30;
		const runs = await harness.runInParallel(GET_INFO, {
			executions: 40,
			between: 3,
			credential: storedToken(harness.sandbox, { accessToken }),
		});
		expect(runs.map(({ data }) => data.resultData.error)).toEqual(Array(40).fill(undefined));
		expect(grants()).toBe(1);
	});
});

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
		const options = { publicAppTokens, items: [{}, {}], ...CONTINUE };
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
