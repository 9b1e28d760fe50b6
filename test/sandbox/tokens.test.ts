import { setTimeout as wait } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { get, grant, newToken } from './client';

const SHOP = { clientId: 'shop', clientSecret: 'shop-secret' };
const NEWS = { clientId: 'news', clientSecret: 'news-secret' };

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ privateApps: [SHOP, NEWS] })));
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.oauth.resetLifetime());

async function me(token: string) {
	const { status, body } = await get(sandbox, '/oauth/v1/me', token);
	return { status, username: (body.info as Record<string, unknown> | undefined)?.username };
}

describe('the lifetime of tokens', () => {
	test('can be changed while the sandbox runs, for the tokens issued from then on', async () => {
		const lasting = await newToken(sandbox);
		sandbox.oauth.tokenLifetime = 1;
		const { body } = await grant(sandbox);
		expect(body.expires_in).toBe(1);
		await wait(1100);
		expect(await me(body.access_token as string)).toMatchObject({ status: 401 });
		expect(await me(lasting)).toMatchObject({ status: 200 });
	});

	test.each([undefined, '60', -1])('can be announced as %p', async (expiresIn) => {
		sandbox.oauth.expiresIn = () => expiresIn;
		const { body } = await grant(sandbox);
		expect(body.expires_in).toBe(expiresIn);
		expect('expires_in' in body).toBe(expiresIn !== undefined);
	});

	test('is that of the start again after a reset', async () => {
		sandbox.oauth.tokenLifetime = 1;
		sandbox.oauth.expiresIn = () => undefined;
		sandbox.oauth.resetLifetime();
		expect((await grant(sandbox)).body.expires_in).toBe(3600);
	});
});

describe('each private app', () => {
	test.each([
		[undefined, 'sandbox-client-id', '@sandbox'],
		[SHOP, 'shop', '@shop'],
		[NEWS, 'news', '@news'],
	])('(%j) gets tokens of its own', async (app, clientId, username) => {
		const { status, body } = await grant(sandbox, app && `${app.clientId}:${app.clientSecret}`);
		const token = body.access_token as string;
		expect(status).toBe(200);
		expect(sandbox.oauth.clientOf(token)).toBe(clientId);
		expect(await me(token)).toEqual({ status: 200, username });
	});

	test('needs its own secret', async () => {
		const { status } = await grant(sandbox, `${SHOP.clientId}:${NEWS.clientSecret}`);
		expect(status).toBe(401);
	});

	test('is still known as the client of a token that was revoked', async () => {
		const token = await newToken(sandbox);
		sandbox.oauth.revokeAll();
		expect(sandbox.oauth.clientOf(token)).toBe('sandbox-client-id');
		expect(sandbox.oauth.clientOf('never-issued')).toBeUndefined();
	});
});
