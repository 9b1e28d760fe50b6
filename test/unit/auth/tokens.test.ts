import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Credential, NodeContext } from '../../../nodes/ProfilePage/auth/app';
import { readCredential } from '../../../nodes/ProfilePage/auth/credential';
import { Tokens, type WaitOptions } from '../../../nodes/ProfilePage/auth/tokens';
import { ExecutionCanceled } from '../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const WAIT: WaitOptions = { timeout: 30_000, maxRetries: 0 };

let stored: ICredentialDataDecryptedObject;
beforeEach(() => {
	stored = { baseUrl: 'https://example.com', clientId: 'id' };
	store('old');
});

function store(accessToken: string, expiry: object = {}): void {
	const oauthTokenData = { access_token: accessToken, refresh_token: 'refresh', ...expiry };
	stored = { ...stored, oauthTokenData };
}

/** A token with a lifetime of an hour that expires at a time. */
const expiringAt = (time: number) => ({ expires_in: 3600, n8n_expires_at: time });

/**
 * Creates the tokens of an execution with a public app.
 *
 * @param renew changes the stored tokens as n8n does when it renews them
 * @param beforeRead throws if n8n cannot read the credential
 */
async function create(renew: () => Promise<void> | void, wait = WAIT, beforeRead?: () => void): Promise<Tokens> {
	const context = {
		getNode: () => ({ parameters: { authentication: 'oAuth2' } }),
		async getCredentials() {
			beforeRead?.();
			return await Promise.resolve(stored);
		},
		helpers: { refreshOAuth2Token: async () => await renew() },
	} as unknown as NodeContext;
	return new Tokens(context, await readCredential(context, 0), wait);
}

const valueOf = ({ token }: Credential) => token?.value;

/** Creates tokens of which the stored one was rejected. */
async function createRejected(...options: Parameters<typeof create>): Promise<Tokens> {
	const tokens = await create(...options);
	expect(tokens.reject(await tokens.get(), 1)).toBe(true);
	return tokens;
}

/** Returns the error of a request for a token, after all its retries. */
async function fail(tokens: Tokens): Promise<unknown> {
	const failing = tokens.get().catch((caught: unknown) => caught);
	await jest.runAllTimersAsync();
	return await failing;
}

const unreachable = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
const REFUSED = 'No access token: the service refused the connection';

describe('The token of an execution', () => {
	test('is the stored one until it is due', async () => {
		store('old', expiringAt(NOW + 3_600_000));
		const renew = jest.fn(() => store('new'));
		const tokens = await create(renew);
		const credential = await tokens.get();
		expect(valueOf(credential)).toBe('old');
		expect(credential.token?.renewAt).toBe(NOW + 3_570_000);
		expect(credential.hasNewToken).toBeFalsy();
		jest.setSystemTime(NOW + 3_569_999);
		expect(await tokens.get()).toBe(credential);
		expect(renew).not.toHaveBeenCalled();
		jest.setSystemTime(NOW + 3_570_000);
		expect(valueOf(await tokens.get())).toBe('new');
	});

	test('is renewed once for all requests that need one', async () => {
		const renew = jest.fn(() => store('new'));
		const tokens = await createRejected(renew);
		const [one, other] = await Promise.all([tokens.get(), tokens.get()]);
		expect(other).toBe(one);
		expect(valueOf(one)).toBe('new');
		expect(one).toMatchObject({ hasNewToken: true, token: { renewAt: Infinity } });
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is renewed for each app on its own', async () => {
		const renewing: Array<() => void> = [];
		const renew = (token: string) => async () => {
			await new Promise<void>((resolve) => renewing.push(resolve));
			store(token);
		};
		const one = await createRejected(renew('one'));
		const asking = one.get();
		await jest.advanceTimersByTimeAsync(0);
		stored = { ...stored, clientId: 'other id' };
		const other = await createRejected(renew('other'));
		const askingOther = other.get();
		await jest.advanceTimersByTimeAsync(0);
		expect(renewing).toHaveLength(2);
		stored = { ...stored, clientId: 'id' };
		renewing[0]!();
		expect(valueOf(await asking)).toBe('one');
		stored = { ...stored, clientId: 'other id' };
		renewing[1]!();
		expect(valueOf(await askingOther)).toBe('other');
	});

	test('is one that another process has stored meanwhile, which is not renewed', async () => {
		const renew = jest.fn();
		const tokens = await createRejected(renew);
		store('foreign', expiringAt(NOW + 3_600_000));
		const credential = await tokens.get();
		expect(valueOf(credential)).toBe('foreign');
		expect(credential.token?.renewAt).toBe(NOW + 3_570_000);
		expect(credential.hasNewToken).toBeFalsy();
		expect(renew).not.toHaveBeenCalled();
	});

	test('is sent until it is rejected if it was due when it arrived', async () => {
		const tokens = await createRejected(() => store('new', expiringAt(NOW)));
		const credential = await tokens.get();
		expect(credential.token?.renewAt).toBe(Infinity);
		expect(await tokens.get()).toBe(credential);
	});

	test('uses a new Client Secret', async () => {
		const tokens = await createRejected(() => store('new'));
		stored = { ...stored, clientSecret: 'other' };
		const credential = await tokens.get();
		expect(valueOf(credential)).toBe('new');
		expect(credential.secrets).toEqual(['other', 'new', 'refresh']);
	});
});

describe('A rejected token', () => {
	test('is renewed if it was new, but accepted once', async () => {
		let renewals = 0;
		const tokens = await createRejected(() => store(`new-${(renewals += 1)}`));
		const renewed = await tokens.get();
		renewed.hasNewToken = false;
		expect(tokens.reject(renewed, 1)).toBe(true);
		expect(valueOf(await tokens.get())).toBe('new-2');
	});

	test('is not renewed if it was new and rejected at once', async () => {
		const tokens = await createRejected(() => store('new'));
		const renewed = await tokens.get();
		expect(tokens.reject(renewed, 1)).toBe(false);
		expect(await tokens.get()).toBe(renewed);
	});

	test('is not renewed if it is the third one that a request was sent with', async () => {
		const tokens = await create(() => store('new'));
		const credential = await tokens.get();
		expect(tokens.reject(credential, 3)).toBe(false);
		expect(tokens.reject(credential, 2)).toBe(true);
	});

	test('is not renewed if it was replaced already', async () => {
		const renew = jest.fn(() => store('new'));
		const tokens = await create(renew);
		const old = await tokens.get();
		tokens.reject(old, 1);
		const renewed = await tokens.get();
		expect(tokens.reject(old, 1)).toBe(true);
		expect(await tokens.get()).toBe(renewed);
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is renewed if another execution shares it and has used it successfully', async () => {
		const renew = () => store('new');
		const [one, other] = [await createRejected(renew), await create(renew)];
		other.reject(await other.get(), 1);
		const [token, sameToken] = await Promise.all([one.get(), other.get()]);
		expect(sameToken).toBe(token);
		token.hasNewToken = false;
		expect(other.reject(sameToken, 1)).toBe(true);
	});

	test('is renewed even if an execution that does not know about it reads it at the same time', async () => {
		const renew = jest.fn(() => store('new'));
		store('older');
		const other = await createRejected(renew);
		store('old');
		const tokens = await createRejected(renew);
		const [found, renewed] = await Promise.all([other.get(), tokens.get()]);
		expect([valueOf(found), valueOf(renewed)]).toEqual(['old', 'new']);
		expect(renew).toHaveBeenCalledTimes(1);
	});
});

describe('The failure to get a token', () => {
	const UNCHANGED = {
		message: 'No access token: the response contains none',
		advice:
			'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).',
		details: { history: 'not sent' },
	};

	test('counts for all later requests, such as that renewing a rejected token returns the same one', async () => {
		const renew = jest.fn();
		const tokens = await createRejected(renew);
		for (const get of [tokens.get(), tokens.get()]) await expect(get).rejects.toMatchObject(UNCHANGED);
		jest.setSystemTime(NOW + 3_600_000);
		await expect(tokens.get()).rejects.toMatchObject(UNCHANGED);
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['Client ID', { clientId: 'other' }],
	])('is that the %s was changed since the execution began', async (_field, edit) => {
		const tokens = await createRejected(() => store('new'));
		stored = { ...stored, ...edit };
		for (const get of [tokens.get(), tokens.get()]) {
			await expect(get).rejects.toMatchObject({
				message:
					'No access token: the Base URL or the Client ID in the credential was changed while the workflow was running',
				advice: 'Check what was done before, and run the workflow again for the rest.',
				details: { history: 'not sent' },
			});
		}
	});

	test('is that a field of the credential cannot be used any more', async () => {
		const tokens = await createRejected(() => store('new'));
		stored = { ...stored, baseUrl: 'http://example.com' };
		await expect(tokens.get()).rejects.toMatchObject({
			message: 'No access token: Base URL: the address does not start with https://',
			details: { history: 'not sent' },
		});
		stored = { ...stored, baseUrl: 'https://example.com' };
		expect(valueOf(await tokens.get())).toBe('new');
	});

	test('is that n8n cannot read the credential any more, until it can', async () => {
		let problem: Error | undefined;
		const throwProblem = () => {
			if (problem) throw problem;
		};
		const tokens = await createRejected(() => store('new'), WAIT, throwProblem);
		problem = new Error('The credential was deleted');
		await expect(tokens.get()).rejects.toMatchObject({
			text: 'No access token: The credential was deleted. Check the credential.',
			details: { history: 'not sent' },
		});
		problem = undefined;
		expect(valueOf(await tokens.get())).toBe('new');
	});

	test('is retried if it is transient', async () => {
		const renew = jest.fn(() => {
			throw unreachable;
		});
		const tokens = await createRejected(renew, { ...WAIT, maxRetries: 2 });
		expect(await fail(tokens)).toMatchObject({ message: REFUSED, details: { isTransient: false } });
		expect(renew).toHaveBeenCalledTimes(3);
	});

	test('is forgotten after a successful retry', async () => {
		const renew = jest
			.fn(() => store('new'))
			.mockImplementationOnce(() => {
				throw unreachable;
			});
		const tokens = await createRejected(renew, { ...WAIT, maxRetries: 1 });
		const getting = tokens.get();
		await jest.runAllTimersAsync();
		expect(valueOf(await getting)).toBe('new');
	});

	test('makes later requests fail at once for two seconds if it is transient, and not longer', async () => {
		let isReachable = false;
		const renew = jest.fn(() => {
			if (!isReachable) throw unreachable;
			store('new');
		});
		const tokens = await createRejected(renew);
		await expect(tokens.get()).rejects.toMatchObject({ message: REFUSED });
		isReachable = true;
		jest.setSystemTime(NOW + 1999);
		await expect(tokens.get()).rejects.toMatchObject({ message: REFUSED });
		expect(renew).toHaveBeenCalledTimes(1);
		jest.setSystemTime(NOW + 2000);
		expect(valueOf(await tokens.get())).toBe('new');
	});

	test('is that the service does not respond in time, which does not end the renewal itself', async () => {
		let finish: () => void = () => undefined;
		const renew = jest.fn(async () => {
			await new Promise<void>((resolve) => (finish = resolve));
			store('new');
		});
		const tokens = await createRejected(renew, { ...WAIT, timeout: 1000, maxRetries: 1 });
		const getting = tokens.get();
		await jest.advanceTimersByTimeAsync(1100);
		finish();
		await jest.advanceTimersByTimeAsync(1000);
		expect(valueOf(await getting)).toBe('new');
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is that the service never responds, which is not counted as several attempts', async () => {
		const wait = { ...WAIT, timeout: 1000, maxRetries: 1 };
		const tokens = await createRejected(async () => await new Promise(() => undefined), wait);
		expect(await fail(tokens)).toMatchObject({
			text: 'No access token: the service did not respond to the token request in time. The request itself was not sent. Try again later.',
		});
	});

	test('is that the execution is canceled, also while the token is renewed', async () => {
		const controller = new AbortController();
		const wait = { ...WAIT, signal: controller.signal };
		const tokens = await createRejected(async () => await new Promise(() => undefined), wait);
		const getting = tokens.get();
		controller.abort();
		await expect(getting).rejects.toThrow(ExecutionCanceled);
		await expect(getting).rejects.toMatchObject({ history: 'not sent', isInFlight: false });
	});
});
