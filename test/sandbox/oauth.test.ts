import { type Sandbox, startSandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import { get, newToken, requestToken } from '../support/serviceClient';

const SHOP = { clientId: 'shop', clientSecret: 'shop-secret' };
const NEWS = { clientId: 'news', clientSecret: 'news-secret' };

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ privateApps: [SHOP, NEWS] })));
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.oauth.resetLifetime());
afterEach(() => jest.useRealTimers());

async function getProfile(token: string) {
	const { status, body } = await get(sandbox, '/oauth/v1/me', token);
	return { status, username: (body.info as Record<string, unknown> | undefined)?.username };
}

describe('the token lifetime', () => {
	test('can be changed for tokens that are issued later', async () => {
		const longLived = await newToken(sandbox);
		sandbox.oauth.tokenLifetime = 60;
		const { body } = await requestToken(sandbox);
		expect(body.expires_in).toBe(60);
		advanceDate(61_000);
		expect(await getProfile(body.access_token as string)).toMatchObject({ status: 401 });
		expect(await getProfile(longLived)).toMatchObject({ status: 200 });
	});

	test.each([undefined, '60', -1])('can be reported as expires_in %p', async (expiresIn) => {
		sandbox.oauth.expiresIn = () => expiresIn;
		const { body } = await requestToken(sandbox);
		expect(body.expires_in).toBe(expiresIn);
		expect('expires_in' in body).toBe(expiresIn !== undefined);
	});

	test('returns to its initial value after a reset', async () => {
		sandbox.oauth.tokenLifetime = 1;
		sandbox.oauth.expiresIn = () => undefined;
		sandbox.oauth.resetLifetime();
		expect((await requestToken(sandbox)).body.expires_in).toBe(3600);
	});
});

describe('a private app', () => {
	test.each([
		['the default app', undefined, 'sandbox-client-id', '@sandbox'],
		['a second app', SHOP, 'shop', '@shop'],
		['a third app', NEWS, 'news', '@news'],
	])('gets tokens for its own user name: %s', async (_what, app, clientId, username) => {
		const { status, body } = await requestToken(sandbox, undefined, app);
		const token = body.access_token as string;
		expect(status).toBe(200);
		expect(sandbox.oauth.clientIdOf(token)).toBe(clientId);
		expect(await getProfile(token)).toEqual({ status: 200, username });
	});

	test('cannot use the secret of another app', async () => {
		const app = { clientId: SHOP.clientId, clientSecret: NEWS.clientSecret };
		expect((await requestToken(sandbox, undefined, app)).status).toBe(401);
	});

	test('remains the client of a revoked token', async () => {
		const token = await newToken(sandbox);
		sandbox.oauth.revokeAccessTokens();
		expect(sandbox.oauth.clientIdOf(token)).toBe('sandbox-client-id');
		expect(sandbox.oauth.clientIdOf('never-issued')).toBeUndefined();
	});
});
