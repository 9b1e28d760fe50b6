import type { INodeParameters } from 'n8n-workflow';

import { type FaultRule, jsonResponse, statusFault } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { pauses } from '../support/pauses';
import { requestedUrls } from '../support/requests';
import { storedToken } from '../support/storedToken';

const [ADD, TOKEN] = ['/oauth/v1/lnk/add', '/oauth/token'];
const CONTINUE: Partial<RunNodeOptions> = { settings: { onError: 'continueRegularOutput' } };

const harness = useHarness({ links: [] });

/** Makes time limits shorter than for users. */
function shortenTimeLimits(): void {
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => startTimeout(Math.ceil(milliseconds / 150)));
}
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const grants = () => harness.sandbox.recorder.grants;
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
