import type { IExecuteFunctions } from 'n8n-workflow';

import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { readCredential as readCredentialOf } from '../../../nodes/ProfilePage/n8n/credential';
import { Clients } from '../../../nodes/ProfilePage/run/clients';
import { type Ended, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';
import { resultOf } from '../../support/results';

useFakeClock(Date.UTC(2030, 0, 1));

/** A node whose public app is connected to a service that is busy. */
const context = {
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

const call = { itemIndexes: [0], purpose: getProfile, repeatable: true } as const;

const readCredential = async () => await resultOf(readCredentialOf(context, 0));

const failed = requestFailure('it failed');

describe('After a call that failed', () => {
	const perform = jest.fn(async () => await Promise.resolve(failed));
	beforeEach(() => perform.mockClear());

	test.each([
		['no other is performed', false, [failed, STOPPED], 1],
		['the others are performed if the node continues on fail', true, [failed, failed], 2],
	])('%s', async (_what, continueOnFail, ends, performed) => {
		const clients = new Clients({ ...context, continueOnFail: () => continueOnFail }, OPTIONS);
		const both = [0, 1].map(async () => await clients.perform({ ...call, key: 'a', perform }, await readCredential()));
		expect(await Promise.all(both)).toEqual(ends);
		expect(perform).toHaveBeenCalledTimes(performed);
	});

	test('a request that waits for its retry ends at once', async () => {
		const clients = new Clients(context, OPTIONS);
		let ended: Ended<unknown> | undefined;
		const read: Call['perform'] = async (client) => await client.request(getProfile, () => ({ items: [] }));
		const running = clients.perform({ ...call, perform: read }, await readCredential()).then((how) => (ended = how));
		// The waits double: by now, one lasts several seconds.
		await jest.advanceTimersByTimeAsync(10_000);
		expect(ended).toBeUndefined();
		await clients.perform({ ...call, perform }, await readCredential());
		await jest.advanceTimersByTimeAsync(1);
		expect(ended).toMatchObject({ outcome: 'not applied', purpose: getProfile });
		await running;
	});
});
