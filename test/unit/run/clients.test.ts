import type { IExecuteFunctions } from 'n8n-workflow';

import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { Clients } from '../../../nodes/ProfilePage/run/clients';
import { done, type Ended, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';

useFakeClock(Date.UTC(2030, 0, 1));

/** A node whose public app is connected to a service that is busy. */
const context = {
	getNode: () => ({ type: 'profilePage', parameters: { authentication: 'oAuth2' } }),
	getInputData: () => [],
	getExecutionCancelSignal: () => undefined,
	getCredentials: async () =>
		await Promise.resolve({ baseUrl: 'https://example.com', oauthTokenData: { access_token: 'token' } }),
	helpers: {
		httpRequestWithAuthentication: async () => await Promise.resolve({ statusCode: 502, headers: {}, body: {} }),
	},
} as unknown as IExecuteFunctions;

const OPTIONS = { batchSize: 10, batchInterval: 0, timeout: 30_000, maxRetries: 10 };

const call = { itemIndexes: [0], request: getProfile } as unknown as Call;

test('Once the node has ended, no credential is read any more', async () => {
	const getCredentials = jest.fn();
	// The items of a tool may have several accounts.
	const tool = { ...context, getNode: () => ({ type: 'profilePageTool', parameters: {} }), getCredentials };
	const clients = new Clients(tool as unknown as IExecuteFunctions, OPTIONS);
	clients.stop();
	const work = jest.fn(async () => await Promise.resolve());
	await clients.withAccess(call, work);
	expect(work).toHaveBeenCalledWith(STOPPED);
	expect(getCredentials).not.toHaveBeenCalled();
});

test('A request that waits for its retry ends as soon as the node has ended', async () => {
	const clients = new Clients(context, OPTIONS);
	let ended: Ended<unknown> | undefined;
	const running = clients.withAccess(call, async (access) => {
		const { client } = access.outcome === 'done' ? access.result : {};
		ended = await client?.request(getProfile, done);
	});
	// The waits double: by now, one lasts several seconds.
	await jest.advanceTimersByTimeAsync(10_000);
	expect(ended).toBeUndefined();
	clients.stop();
	await jest.advanceTimersByTimeAsync(1);
	expect(ended).toMatchObject({ outcome: 'not applied', request: getProfile });
	await running;
});
