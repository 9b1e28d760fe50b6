import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../../../nodes/ProfilePage/n8n/account';
import type { NodeContext } from '../../../nodes/ProfilePage/n8n/context';
import { loadCredential } from '../../../nodes/ProfilePage/n8n/credential';
import { Client } from '../../../nodes/ProfilePage/service/client';
import type { SendOptions } from '../../../nodes/ProfilePage/service/retry';
import { inOneText } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';
import { resultOf } from '../../support/results';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const OPTIONS: SendOptions = { timeout: 30_000, maxRetries: 0 };

/** The credential that n8n stores: another one for each test, since a renewal without an end is shared. */
let stored: ICredentialDataDecryptedObject;
/** The tokens that the service rejects, and those that it got. */
let rejected: Set<unknown>;
let sent: unknown[];
let signals: AbortSignal[];
let respond: () => Promise<void>;
let tests = 0;
beforeEach(() => {
	stored = { baseUrl: 'https://example.com', clientId: `id ${(tests += 1)}` };
	store('old');
	rejected = new Set(['old']);
	sent = [];
	signals = [];
	respond = async () => await Promise.resolve();
});

function store(accessToken: string, expiry: object = {}): void {
	stored = { ...stored, oauthTokenData: { access_token: accessToken, refresh_token: 'refresh', ...expiry } };
}

/** A token with a lifetime of an hour that expires at a time. */
const expiringAt = (time: number) => ({ expires_in: 3600, n8n_expires_at: time });

/**
 * Creates the account of a public app, for one execution.
 *
 * @param renew changes the stored tokens as n8n does when it renews them
 */
async function create(renew: () => Promise<void> | void, options = OPTIONS, itemIndex = 0): Promise<CredentialAccount> {
	const context = {
		getNode: () => ({ parameters: { authentication: 'oAuth2' } }),
		getCredentials: async (_type: string, index: number) => {
			if (index !== itemIndex) throw new Error(`There is no item ${index}`);
			return await Promise.resolve(stored);
		},
		helpers: {
			refreshOAuth2Token: async () => await renew(),
			async httpRequestWithAuthentication(this: NodeContext, type: string) {
				const { oauthTokenData } = await this.getCredentials<{ oauthTokenData: { access_token: string } }>(type);
				sent.push(oauthTokenData.access_token);
				signals.push((this as IExecuteFunctions).getExecutionCancelSignal()!);
				await respond();
				return {
					statusCode: rejected.has(oauthTokenData.access_token) ? 401 : 200,
					headers: {},
					body: { status: true },
				};
			},
		},
	} as unknown as NodeContext;
	return new CredentialAccount(context, await resultOf(loadCredential(context, itemIndex)), options);
}

/** Sends a request, and returns the token that the service accepted, or the failure, after all retries. */
async function send(account: CredentialAccount) {
	const sending = request(account);
	await jest.runAllTimersAsync();
	const ended = await sending;
	if (ended.outcome === 'done') return sent.at(-1);
	return ended.status === 401 ? 401 : { ...ended, text: inOneText(ended) };
}

const request = async (account: CredentialAccount) =>
	await new Client(account, OPTIONS).request(getProfile, (envelope) => envelope);

const refuse = () => {
	throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
};
const REFUSED = {
	kind: 'token',
	problem: 'the service refused the connection',
	outcome: 'not applied',
	passes: 'later',
};
const never = async () => await new Promise<void>(() => undefined);

describe('The token of an account', () => {
	test('is one that another process has stored meanwhile, which is renewed if it is rejected too', async () => {
		const renew = jest.fn(() => store('new'));
		const account = await create(renew);
		store('foreign', expiringAt(NOW + 3_600_000));
		expect(await send(account)).toBe('foreign');
		expect(renew).not.toHaveBeenCalled();
		rejected.add('foreign');
		expect(await send(account)).toBe('new');
	});

	test('is replaced if it was rejected when it was due, though it was new', async () => {
		let renewals = 0;
		const account = await create(() => store(`new-${(renewals += 1)}`, expiringAt(Date.now() + 31_000)));
		rejected.add('new-1');
		// The token is to be renewed half a minute before it expires.
		respond = async () => await new Promise((resolve) => setTimeout(resolve, 2000));
		expect(await send(account)).toBe('new-2');
		expect(sent).toEqual(['old', 'new-1', 'new-2']);
	});

	test('is not replaced if it is new, and was rejected before it was due', async () => {
		const account = await create(() => store('new', expiringAt(NOW + 3_600_000)));
		rejected.add('new');
		expect(await send(account)).toBe(401);
		expect(sent).toEqual(['old', 'new']);
	});

	test('is kept out of messages, together with a new Client Secret', async () => {
		store('token-1');
		rejected.add('token-1');
		const account = await create(() => store('token-2'));
		stored = { ...stored, clientSecret: 'other-secret' };
		await send(account);
		const texts = ['token-1', 'other-secret', 'token-2', 'refresh', 'something else'];
		expect(texts.map((text) => account.secrets.occurIn(text))).toEqual([true, true, true, true, false]);
	});
});

describe('A renewal', () => {
	test('is shared by executions, of which each learns whether the token was accepted', async () => {
		let renewals = 0;
		const renew = jest.fn(() => store(`new-${(renewals += 1)}`));
		const [one, other] = [await create(renew), await create(renew)];
		expect(await Promise.all([send(one), send(other)])).toEqual(['new-1', 'new-1']);
		expect(renew).toHaveBeenCalledTimes(1);
		rejected.add('new-1');
		expect(await send(other)).toBe('new-2');
	});

	test('is shared by executions whose items differ, of which each reads the credential for its own', async () => {
		let renewals = 0;
		const renew = jest.fn(() => store(`new-${(renewals += 1)}`));
		const [one, other] = [await create(renew), await create(renew, OPTIONS, 1)];
		expect(await Promise.all([send(one), send(other)])).toEqual(['new-1', 'new-1']);
		rejected.add('new-1');
		expect([await send(one), await send(other)]).toEqual(['new-2', 'new-2']);
	});

	test('happens even if an execution that knows of no rejection reads the token at the same time', async () => {
		const renew = jest.fn(() => store('new'));
		store('older');
		const other = await create(renew);
		store('old');
		const account = await create(renew);
		rejected.add('older');
		expect(await Promise.all([send(other), send(account)])).toEqual(['new', 'new']);
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is shared by executions of which one finds the token due, and the other was told that it is rejected', async () => {
		const renew = jest.fn(() => store('new'));
		const told = await create(renew);
		store('old', expiringAt(NOW));
		const due = await create(renew);
		expect(await Promise.all([send(due), send(told)])).toEqual(['new', 'new']);
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is not shared by accounts of other apps', async () => {
		const renew = jest.fn(never);
		const accounts = [await create(renew)];
		stored = { ...stored, clientId: 'other' };
		accounts.push(await create(renew));
		for (const account of accounts) {
			stored = { ...stored, clientId: account === accounts[0] ? `id ${tests}` : 'other' };
			void request(account);
			await jest.advanceTimersByTimeAsync(0);
		}
		expect(renew).toHaveBeenCalledTimes(2);
	});

	test('that takes longer than the timeout goes on, and a retry gets its token', async () => {
		let finish: () => void = () => undefined;
		const renew = jest.fn(async () => {
			await new Promise<void>((resolve) => (finish = resolve));
			store('new');
		});
		const sending = send(await create(renew, { ...OPTIONS, timeout: 1000, maxRetries: 1 }));
		setTimeout(() => finish(), 1100);
		expect(await sending).toBe('new');
		expect(renew).toHaveBeenCalledTimes(1);
	});
});

describe('A failed renewal', () => {
	test.each([
		['has another Base URL', { baseUrl: 'https://example.org' }, 'the Base URL or the Client ID in the credential was'],
		['has another Client ID', { clientId: 'other' }, 'the Base URL or the Client ID in the credential was changed'],
		['cannot be used any more', { baseUrl: 'http://example.com' }, 'Base URL: the address does not start with https'],
	])('counts for the rest of the execution if the credential %s', async (_what, edit, problem) => {
		const account = await create(() => store('new'));
		const unedited = stored;
		stored = { ...stored, ...edit };
		const failure = await send(account);
		expect(failure).toMatchObject({ kind: 'token', outcome: 'not applied' });
		expect(failure).toHaveProperty('problem', expect.stringContaining(problem));
		stored = unedited;
		jest.setSystemTime(NOW + 3_600_000);
		expect(await send(account)).toEqual(failure);
	});

	test.each<[change: string, authentication: string, edit: () => ICredentialDataDecryptedObject]>([
		['cannot be used any more', 'oAuth2', () => ({ ...stored, oauthTokenData: {} })],
		['is for another app', 'clientCredentials', () => ({ ...stored, accessToken: 'new', accessTokenBinding: 'other' })],
	])('is a failure if the credential %s afterwards', async (_change, authentication, edit) => {
		const context = {
			getNode: () => ({ parameters: { authentication } }),
			getCredentials: async () => await Promise.resolve({ ...stored }),
			helpers: {
				refreshOAuth2Token: () => (stored = edit()),
				async httpRequestWithAuthentication(this: NodeContext, type: string) {
					Object.assign(await this.getCredentials(type), edit());
					throw new Error('aborted');
				},
			},
		} as unknown as NodeContext;
		stored = { ...stored, clientSecret: 'secret' };
		store('old', expiringAt(NOW));
		const account = new CredentialAccount(context, await resultOf(loadCredential(context, 0)), OPTIONS);
		expect(await send(account)).toMatchObject({ kind: 'token', outcome: 'not applied' });
	});

	test('counts for the rest of the execution if it returned the rejected token once more', async () => {
		const renew = jest.fn();
		const account = await create(renew);
		for (const time of [NOW, NOW + 3_600_000]) {
			jest.setSystemTime(time);
			expect(await send(account)).toMatchObject({ kind: 'token', problem: 'the response contains none' });
		}
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('makes later requests fail at once for two seconds if it may go away by itself, and not longer', async () => {
		const renew = jest.fn(() => store('new')).mockImplementationOnce(refuse);
		const account = await create(renew);
		expect(await request(account)).toMatchObject(REFUSED);
		jest.setSystemTime(NOW + 1999);
		expect(await request(account)).toMatchObject(REFUSED);
		expect(renew).toHaveBeenCalledTimes(1);
		jest.setSystemTime(NOW + 2000);
		expect(await send(account)).toBe('new');
	});

	test('keeps requests from being sent with the token that was rejected', async () => {
		store('old', expiringAt(NOW + 3_600_000));
		const account = await create(() => {
			throw Object.assign(new Error('x'), { body: { error: 'invalid_client' } });
		});
		const failures = [await send(account), await send(account)];
		expect(failures).toMatchObject([{ code: 'invalid_client' }, { code: 'invalid_client' }]);
		expect(sent).toEqual(['old']);
	});

	test('counts for as long as the service asks to wait', async () => {
		const busy = Object.assign(new Error('x'), { response: { status: 503, headers: { 'retry-after': '7' } } });
		const renew = jest
			.fn(() => store('new'))
			.mockImplementationOnce(() => {
				throw busy;
			});
		const account = await create(renew);
		expect(await request(account)).toMatchObject({ status: 503, retryAfter: 7000 });
		jest.setSystemTime(NOW + 6999);
		expect(await request(account)).toMatchObject({ status: 503 });
		jest.setSystemTime(NOW + 7000);
		expect(await send(account)).toBe('new');
	});
});

test('The time limit aborts the request, and the service did not respond in time', async () => {
	store('fine');
	const account = await create(refuse, { ...OPTIONS, timeout: 1000 });
	respond = async () => await never();
	expect(await send(account)).toMatchObject({ code: 'ETIMEDOUT', kind: 'request', passes: 'soon' });
	expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
