import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { advanceDate, stopDate } from '../support/dates';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { batching, GET_INFO } from '../support/parameters';
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
