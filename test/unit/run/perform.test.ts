import type { IExecuteFunctions } from 'n8n-workflow';

import { loadCredential } from '../../../nodes/ProfilePage/n8n/credential';
import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { Ledger } from '../../../nodes/ProfilePage/run/ledger';
import { performAll } from '../../../nodes/ProfilePage/run/perform';
import { requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';
import { resultOf } from '../../support/results';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

/** A node whose public app is connected to a service that is busy. */
const node = {
	getNode: () => ({ type: 'profilePage', parameters: { authentication: 'oAuth2' } }),
	getInputData: () => [],
	getExecutionCancelSignal: () => undefined,
	continueOnFail: () => false,
	getCredentials: async () =>
		await Promise.resolve({ baseUrl: 'https://example.com', oauthTokenData: { access_token: 'token' } }),
	helpers: {
		httpRequestWithAuthentication: async () => await Promise.resolve({ statusCode: 502, headers: {}, body: {} }),
	},
} as unknown as IExecuteFunctions;

const OPTIONS = { batchSize: 10, batchInterval: 0, timeout: 30_000, maxRetries: 10 };

const failed = requestFailure('it failed');

describe('After a call that failed', () => {
	/** Performs calls, with all their waits, and returns how they ended and when the last one did. */
	async function run(calls: Array<Pick<Call, 'perform' | 'key'>>, context = node) {
		const credential = await resultOf(loadCredential(node, 0));
		// Nothing else of a call is read.
		const ready = calls.map((call, index) => {
			return { ...call, inputs: [{ index }], purpose: getProfile, credential } as unknown as Call;
		});
		const ledger = new Ledger();
		let endedAt = 0;
		const performing = performAll(context, ready, OPTIONS, ledger).finally(() => (endedAt = Date.now() - NOW));
		await jest.advanceTimersByTimeAsync(200_000);
		const failed = await performing;
		return { ends: ready.map((call) => ledger.get(call)), endedAt, failed: failed?.inputs[0].index };
	}

	test.each([
		['no other is performed', false, [failed, STOPPED], 1, 0],
		['the others are performed if the node continues on fail', true, [failed, failed], 2, undefined],
	])('%s', async (_what, continueOnFail, expected, performed, ending) => {
		const perform = jest.fn(async () => await Promise.resolve(failed));
		const calls = [0, 1].map(() => ({ key: 'a', perform }));
		const ended = await run(calls, { ...node, continueOnFail: () => continueOnFail });
		expect(ended.ends).toEqual(expected);
		expect(ended.failed).toBe(ending);
		expect(perform).toHaveBeenCalledTimes(performed);
	});

	test('a request that waits for its retry ends at once', async () => {
		const waiting: Call['perform'] = async (client) => await client.request(getProfile, () => ({ items: [] }));
		const failing = async () => {
			// The waits double: by now, one lasts several seconds.
			await new Promise((resolve) => setTimeout(resolve, 10_000));
			return failed;
		};
		const { ends, endedAt, failed: ending } = await run([{ perform: waiting }, { perform: failing }]);
		expect(ends).toMatchObject([{ outcome: 'not applied', purpose: getProfile }, failed]);
		expect(endedAt).toBe(10_000);
		expect(ending).toBe(1);
	});
});
