import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	readCredential,
	type ServiceContext,
} from '../../../nodes/ProfilePage/transport/credential';
import { TokenSource } from '../../../nodes/ProfilePage/transport/tokenSource';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock();

const WAIT = { timeout: 30_000, maxRetries: 0 };

let stored: ICredentialDataDecryptedObject;
beforeEach(() => {
	stored = {
		baseUrl: 'https://example.com',
		clientId: 'id',
		oauthTokenData: { access_token: 'old', refresh_token: 'refresh' },
	};
});

/**
 * Creates the token source of an execution with a public app.
 *
 * @param renew changes the stored tokens as n8n does when it renews them
 */
async function createSource(renew: () => Promise<void> | void): Promise<TokenSource> {
	const context = {
		getNode: () => ({ parameters: { authentication: 'oAuth2' } }),
		getCredentials: async () => await Promise.resolve(stored),
		getExecutionCancelSignal: () => undefined,
		helpers: { refreshOAuth2Token: async () => await renew() },
	} as unknown as ServiceContext;
	return new TokenSource(context, await readCredential(context, 0), WAIT);
}

function store(accessToken: string): void {
	stored = { ...stored, oauthTokenData: { access_token: accessToken, refresh_token: 'refresh' } };
}

describe('A token source', () => {
	test('fails, and keeps failing, if renewing a rejected token returns the same one', async () => {
		const renew = jest.fn();
		const source = await createSource(renew);
		expect(source.reject(await source.get(), 1)).toBe(true);
		for (const get of [source.get(), source.get()]) {
			const error: unknown = await get.catch((caught: unknown) => caught);
			expect(error).toMatchObject({
				message: 'No access token: the response contains none',
				advice:
					'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).',
				details: { isNotApplied: true },
			});
		}
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['Client ID', { clientId: 'other' }],
	])('fails if the %s was changed since the execution began', async (_field, edit) => {
		const source = await createSource(() => store('new'));
		source.reject(await source.get(), 1);
		stored = { ...stored, ...edit };
		for (const get of [source.get(), source.get()]) {
			await expect(get).rejects.toMatchObject({
				message:
					'No access token: the Base URL or the Client ID in the credential was changed while the workflow was running',
				advice: 'Check what was done before, and run the workflow again for the rest.',
				details: { isNotApplied: true },
			});
		}
	});

	test('uses a new Client Secret', async () => {
		const source = await createSource(() => store('new'));
		source.reject(await source.get(), 1);
		stored = { ...stored, clientSecret: 'other' };
		expect((await source.get()).accessToken).toBe('new');
	});

	test('renews a new token that was accepted once and is then rejected', async () => {
		let renewals = 0;
		const source = await createSource(() => store(`new ${(renewals += 1)}`));
		source.reject(await source.get(), 1);
		const renewed = await source.get();
		source.accept(renewed);
		expect(source.reject(renewed, 1)).toBe(true);
		expect((await source.get()).accessToken).toBe('new 2');
	});

	test('does not renew a new token that is rejected at once', async () => {
		const source = await createSource(() => store('new'));
		source.reject(await source.get(), 1);
		expect(source.reject(await source.get(), 1)).toBe(false);
	});

	test('renews a token that another execution shares and has used successfully', async () => {
		const renew = () => store('new');
		const [one, other] = [await createSource(renew), await createSource(renew)];
		for (const source of [one, other]) source.reject(await source.get(), 1);
		const [token, sameToken] = await Promise.all([one.get(), other.get()]);
		expect(sameToken.accessToken).toBe(token.accessToken);
		one.accept(token);
		expect(other.reject(sameToken, 1)).toBe(true);
	});
});
