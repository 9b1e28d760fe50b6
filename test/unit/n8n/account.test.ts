import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialAccount } from '../../../nodes/ProfilePage/n8n/account';
import { readCredential } from '../../../nodes/ProfilePage/n8n/credential';
import type { ClientOptions } from '../../../nodes/ProfilePage/service/client';
import { inOneText } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';
import { type NodeContext } from '../../../nodes/ProfilePage/n8n/context';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

const OPTIONS: ClientOptions = { timeout: 30_000, maxRetries: 0 };

/** The credential that n8n stores: another one for each test, since a renewal without an end is shared. */
let stored: ICredentialDataDecryptedObject;
let tests = 0;
beforeEach(() => {
	stored = { baseUrl: 'https://example.com', clientId: `id ${(tests += 1)}` };
	store('old');
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
async function create(renew: () => Promise<void> | void, options = OPTIONS): Promise<CredentialAccount> {
	const context = {
		getNode: () => ({ parameters: { authentication: 'oAuth2' } }),
		getCredentials: async () => await Promise.resolve(stored),
		helpers: { refreshOAuth2Token: async () => await renew() },
	} as unknown as NodeContext;
	return new CredentialAccount(context, await readCredential(context, 0), options);
}

/** Returns the token of an account, or the failure, after all retries. */
async function tokenOf(account: CredentialAccount, rejected?: string) {
	const asking = account.token(rejected);
	await jest.runAllTimersAsync();
	const ended = await asking;
	return ended.outcome === 'done' ? ended.result : { ...ended, text: inOneText(ended) };
}

const refuse = () => {
	throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
};
const REFUSED = { kind: 'token', problem: 'the service refused the connection', outcome: 'not sent', passes: 'later' };
const never = async () => await new Promise<void>(() => undefined);

describe('The token of an account', () => {
	test('is the stored one until it is due, and then a new one', async () => {
		store('old', expiringAt(NOW + 3_600_000));
		const account = await create(() => store('new'));
		jest.setSystemTime(NOW + 3_569_999);
		expect(await tokenOf(account)).toMatchObject({ value: 'old', renewAt: NOW + 3_570_000, isNew: false });
		jest.setSystemTime(NOW + 3_570_000);
		expect(await tokenOf(account)).toMatchObject({ value: 'new', renewAt: Infinity, isNew: true });
	});

	test('is renewed once for all requests whose token was rejected, also those that learn it later', async () => {
		const renew = jest.fn(() => store('new'));
		const account = await create(renew);
		const [one, other] = await Promise.all([account.token('old'), account.token('old')]);
		expect(one).toMatchObject({ result: { value: 'new' } });
		expect(other).toEqual(one);
		expect(await account.token('old')).toEqual(one);
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is renewed again if the new one is rejected too', async () => {
		let renewals = 0;
		const account = await create(() => store(`new-${(renewals += 1)}`));
		const first = await tokenOf(account, 'old');
		// The service has accepted it before.
		Object.assign(first, { isNew: false });
		expect(await tokenOf(account, 'new-1')).toMatchObject({ value: 'new-2' });
	});

	test('is not renewed without an end if the service grants the rejected one again', async () => {
		const renew = jest.fn();
		const account = await create(renew);
		renew.mockImplementation(() => (stored = { ...stored }));
		expect(await tokenOf(account, 'old')).toMatchObject({ kind: 'token', problem: 'the response contains none' });
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is one that another process has stored meanwhile, which is not renewed', async () => {
		const renew = jest.fn();
		const account = await create(renew);
		store('foreign', expiringAt(NOW + 3_600_000));
		expect(await tokenOf(account, 'old')).toMatchObject({ value: 'foreign', isNew: false });
		expect(renew).not.toHaveBeenCalled();
	});

	test('is used until it is rejected if it was due when it arrived', async () => {
		const renew = jest.fn(() => store('new', expiringAt(NOW)));
		const account = await create(renew);
		expect(await tokenOf(account, 'old')).toMatchObject({ value: 'new', renewAt: Infinity });
		expect(await tokenOf(account)).toMatchObject({ value: 'new' });
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is kept out of messages, together with a new Client Secret', async () => {
		const account = await create(() => store('new'));
		stored = { ...stored, clientSecret: 'other' };
		await tokenOf(account, 'old');
		expect([...account.secrets]).toEqual(expect.arrayContaining(['other', 'new', 'refresh']));
	});
});

describe('A renewal', () => {
	test('is shared by executions, of which each learns whether the token was accepted', async () => {
		const renew = jest.fn(() => store('new'));
		const accounts = [await create(renew), await create(renew)];
		const [one, other] = await Promise.all(accounts.map(async (account) => await account.token('old')));
		if (one?.outcome !== 'done' || other?.outcome !== 'done') throw new Error('There is no token');
		one.result.isNew = false;
		expect(other.result).toMatchObject({ value: 'new', isNew: false });
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('happens even if an execution that knows of no rejection reads the token at the same time', async () => {
		const renew = jest.fn(() => store('new'));
		store('older');
		const other = await create(renew);
		store('old');
		const account = await create(renew);
		const [found, renewed] = await Promise.all([other.token('older'), account.token('old')]);
		expect([found, renewed]).toMatchObject([{ result: { value: 'old' } }, { result: { value: 'new' } }]);
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is not shared by accounts of other apps', async () => {
		const renew = jest.fn(never);
		const accounts = [await create(renew)];
		void accounts[0]!.token('old');
		await jest.advanceTimersByTimeAsync(0);
		stored = { ...stored, clientId: 'other' };
		void (await create(renew)).token('old');
		await jest.advanceTimersByTimeAsync(0);
		expect(renew).toHaveBeenCalledTimes(2);
	});

	test('that takes longer than the timeout goes on, and a retry gets its token', async () => {
		let finish: () => void = () => undefined;
		const renew = jest.fn(async () => {
			await new Promise<void>((resolve) => (finish = resolve));
			store('new');
		});
		const asking = (await create(renew, { ...OPTIONS, timeout: 1000, maxRetries: 1 })).token('old');
		await jest.advanceTimersByTimeAsync(1100);
		finish();
		await jest.advanceTimersByTimeAsync(1000);
		expect(await asking).toMatchObject({ result: { value: 'new' } });
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('without an end fails in time, and is not counted as several attempts', async () => {
		const account = await create(never, { ...OPTIONS, timeout: 1000, maxRetries: 1 });
		expect(await tokenOf(account, 'old')).toMatchObject({
			text: 'No access token: the service did not respond to the token request in time. The request itself was not sent. Try again later.',
		});
	});

	test('is not waited for once the execution is canceled', async () => {
		const controller = new AbortController();
		const asking = (await create(never, { ...OPTIONS, signal: controller.signal })).token('old');
		controller.abort();
		expect(await asking).toMatchObject({ kind: 'stopped', outcome: 'not sent' });
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
		const failure = await tokenOf(account, 'old');
		expect(failure).toMatchObject({ kind: 'token', outcome: 'not sent' });
		expect(failure).toHaveProperty('problem', expect.stringContaining(problem));
		stored = unedited;
		jest.setSystemTime(NOW + 3_600_000);
		expect(await tokenOf(account, 'old')).toEqual(failure);
	});

	test('counts for the rest of the execution if it returned the rejected token once more', async () => {
		const renew = jest.fn();
		const account = await create(renew);
		for (const time of [NOW, NOW + 3_600_000]) {
			jest.setSystemTime(time);
			expect(await tokenOf(account, 'old')).toMatchObject({ problem: 'the response contains none' });
		}
		expect(renew).toHaveBeenCalledTimes(1);
	});

	test('is retried if it may go away by itself, but not by the requests that wait for it', async () => {
		const renew = jest.fn(refuse);
		const account = await create(renew, { ...OPTIONS, maxRetries: 2 });
		expect(await tokenOf(account, 'old')).toMatchObject({ ...REFUSED, attempts: 3 });
		expect(renew).toHaveBeenCalledTimes(3);
	});

	test('is forgotten after a successful retry', async () => {
		const renew = jest.fn(() => store('new')).mockImplementationOnce(refuse);
		expect(await tokenOf(await create(renew, { ...OPTIONS, maxRetries: 1 }), 'old')).toMatchObject({ value: 'new' });
	});

	test('makes later requests fail at once for two seconds if it may go away by itself, and not longer', async () => {
		const renew = jest.fn(() => store('new')).mockImplementationOnce(refuse);
		const account = await create(renew);
		expect(await account.token('old')).toMatchObject(REFUSED);
		jest.setSystemTime(NOW + 1999);
		expect(await account.token('old')).toMatchObject(REFUSED);
		expect(renew).toHaveBeenCalledTimes(1);
		jest.setSystemTime(NOW + 2000);
		expect(await account.token('old')).toMatchObject({ result: { value: 'new' } });
	});

	test('counts for as long as the service asks to wait', async () => {
		const busy = Object.assign(new Error('x'), { response: { status: 503, headers: { 'retry-after': '7' } } });
		const renew = jest
			.fn(() => store('new'))
			.mockImplementationOnce(() => {
				throw busy;
			});
		const account = await create(renew);
		expect(await account.token('old')).toMatchObject({ status: 503, retryAfter: 7000 });
		jest.setSystemTime(NOW + 6999);
		expect(await account.token('old')).toMatchObject({ status: 503 });
		jest.setSystemTime(NOW + 7000);
		expect(await account.token('old')).toMatchObject({ result: { value: 'new' } });
	});
});
