import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { FieldError, NoTokenError } from '../../nodes/ProfilePage/errors';
import {
	bindConnectedTokens,
	bindToken,
	isPrivateTokenExpired,
	isPublicTokenExpired,
	privateAppDigest,
	publicAppDigest,
	readPrivateToken,
	readPublicTokens,
} from '../../nodes/ProfilePage/transport/tokenBinding';

const NOW = Date.UTC(2030, 0, 1);

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

type Fields = ICredentialDataDecryptedObject;

/** A credential of a private app in which n8n has stored a token of this app. */
const storeToken = (expiresIn: unknown): Fields => ({
	...app,
	...bindToken('token', privateAppDigest(app), NOW, expiresIn),
});

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => jest.useRealTimers());

describe('the token of a private app', () => {
	test('is usable for the app that it was granted to', () => {
		expect(readPrivateToken(storeToken(3600))).toBe('token');
		expect(isPrivateTokenExpired(storeToken(3600))).toBe(false);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['port', { baseUrl: 'https://example.com:8443' }],
		['path of the Base URL', { baseUrl: 'https://example.com/prefix' }],
		['Client ID', { clientId: 'other' }],
		['Client Secret', { clientSecret: 'other' }],
	])('counts as none once the %s is another', (_field, change) => {
		expect(readPrivateToken({ ...storeToken(3600), ...change })).toBe('');
	});

	test.each(['https://example.com/', ' https://example.com ', 'HTTPS://EXAMPLE.com:443'])(
		'is usable however the same Base URL is written: %p',
		(baseUrl) => {
			expect(readPrivateToken({ ...storeToken(3600), baseUrl })).toBe('token');
		},
	);

	test.each([
		['without a digest, as earlier versions stored it', { accessTokenApp: undefined }],
		['with an empty digest', { accessTokenApp: '' }],
		['that is not a text', { accessToken: { token: 1 } }],
	])('%s counts as none', (_what, change) => {
		expect(readPrivateToken({ ...storeToken(3600), ...change } as Fields)).toBe('');
	});

	test('is not read with a Base URL that can not be used', () => {
		const data = { ...storeToken(3600), baseUrl: 'http://example.com' };
		expect(() => readPrivateToken(data)).toThrow(FieldError);
	});

	test('two apps have the same digest only if all their fields are the same', () => {
		const text = fc.oneof(fc.string(), fc.constantFrom('a', '","', 'a","b', '\\', ''));
		const apps = fc.record({
			baseUrl: fc.constantFrom('https://example.com', 'https://example.com/a', 'https://b.example'),
			clientId: text,
			clientSecret: text,
		});
		fc.assert(
			fc.property(apps, apps, (one, other) => {
				const isSame = JSON.stringify(one) === JSON.stringify(other);
				expect(privateAppDigest(one) === privateAppDigest(other)).toBe(isSame);
				expect(privateAppDigest(one)).toMatch(/^[0-9a-f]{64}$/);
			}),
		);
	});
});

describe('the lifetime of a private app’s token', () => {
	const isExpiredAfter = (expiresIn: unknown, milliseconds: number) => {
		jest.setSystemTime(NOW + milliseconds);
		return isPrivateTokenExpired(storeToken(expiresIn));
	};

	test.each([
		['30 s before a token of an hour expires', 3600, 3_570_000],
		['30 s before a token of 5 minutes expires', 300, 270_000],
		['when a tenth of a token of a minute is left', 60, 54_000],
		['when a tenth of a token of 2 s is left', 2, 1800],
		['when a tenth of a lifetime given as a text is left', '60', 54_000],
		['when a tenth of a lifetime with a fraction is left', 0.5, 450],
	])('ends %s', (_what, expiresIn, milliseconds) => {
		expect(isExpiredAfter(expiresIn, milliseconds - 1)).toBe(false);
		expect(isExpiredAfter(expiresIn, milliseconds)).toBe(true);
	});

	test.each([
		undefined,
		null,
		'',
		'soon',
		0,
		-1,
		'-60',
		Number.NaN,
		Infinity,
		'Infinity',
		1e300,
		true,
		[60],
		{ seconds: 60 },
	])('is unknown if expires_in is %j, so that the token is used until it is refused', (odd) => {
		expect(bindToken('token', 'app', NOW, odd).accessTokenRenewAt).toBe('');
		expect(isExpiredAfter(odd, 1e12)).toBe(false);
	});

	test('is unknown for a credential that stores none', () => {
		expect(isPrivateTokenExpired({})).toBe(false);
		expect(isPrivateTokenExpired({ accessTokenRenewAt: '' })).toBe(false);
	});

	test('always ends after the token was requested, and before it expires', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 1e9 }), (seconds) => {
				const renewAt = Number(bindToken('token', 'app', NOW, seconds).accessTokenRenewAt);
				expect(renewAt).toBeGreaterThan(NOW);
				expect(renewAt).toBeLessThan(NOW + seconds * 1000);
			}),
		);
	});

	test('never makes a token unusable at once, and never throws, whatever expires_in is', () => {
		fc.assert(
			fc.property(fc.anything(), (expiresIn) => {
				const { accessTokenRenewAt } = bindToken('token', 'app', NOW, expiresIn);
				expect(accessTokenRenewAt).toMatch(/^\d*$/);
				expect(accessTokenRenewAt === '' || Number(accessTokenRenewAt) >= NOW).toBe(true);
			}),
		);
	});
});

const isNoExpression = (value: unknown) => typeof value !== 'string' || !value.startsWith('=');

describe('the tokens of a public app', () => {
	const connected = { ...app, oauthTokenData: { access_token: 'first', refresh_token: 'r' } };
	/** The credential as n8n stores it once its tokens were bound. */
	const bound: Fields = { ...app, oauthTokenData: bindConnectedTokens(connected) };

	test('that were never bound are bound to the Base URL and the Client ID as they are', () => {
		expect(bindConnectedTokens(connected)).toMatchObject(connected.oauthTokenData);
		expect(bindConnectedTokens(bound)).toEqual(bound.oauthTokenData);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['Client ID', { clientId: 'other' }],
	])('are refused once the %s is another', (_field, change) => {
		expect(() => bindConnectedTokens({ ...bound, ...change })).toThrow(
			'Credential: its Base URL or Client ID was changed after it was connected. Open it and connect the account again (Switch account, or Connect).',
		);
	});

	test('stay usable if only the Client Secret is another', () => {
		expect(bindConnectedTokens({ ...bound, clientSecret: 'other' })).toEqual(bound.oauthTokenData);
	});

	test('are bound anew if the app was connected again with another Base URL', () => {
		// n8n merges the new tokens into the old ones, and so keeps the old binding.
		const old = bound.oauthTokenData as IDataObject;
		const reconnected: Fields = {
			...app,
			baseUrl: 'https://example.org',
			oauthTokenData: { ...old, access_token: 'second' },
		};
		const rebound: Fields = { ...reconnected, oauthTokenData: bindConnectedTokens(reconnected) };
		expect(bindConnectedTokens(rebound)).toEqual(rebound.oauthTokenData);
		expect(() => bindConnectedTokens({ ...rebound, baseUrl: app.baseUrl })).toThrow(FieldError);
	});

	test('tokens are bound and not lost, whatever the binding was before', () => {
		fc.assert(
			fc.property(fc.anything().filter(isNoExpression), (profile_page_binding) => {
				const tokens = { access_token: 'first', profile_page_binding } as IDataObject;
				const data: Fields = { ...app, oauthTokenData: tokens };
				expect(bindConnectedTokens(data)).toMatchObject({ access_token: 'first' });
			}),
		);
	});

	test('are refused where n8n would evaluate one of their values', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('access_token', 'refresh_token', 'scope'),
				fc.string(),
				(name, text) => {
					const oauthTokenData = { access_token: 'first', [name]: `=${text}` };
					expect(() => bindConnectedTokens({ ...app, oauthTokenData })).toThrow(NoTokenError);
				},
			),
		);
	});

	test('contain no secret in their binding', () => {
		const { profile_page_binding } = bindConnectedTokens(connected);
		expect(profile_page_binding).toMatch(/^[0-9a-f]{64} [0-9a-f]{64}$/);
	});

	test.each([undefined, 'text', null, [], 5])('are none where n8n stores %j', (oauthTokenData) => {
		expect(readPublicTokens({ oauthTokenData } as Fields)).toEqual({});
	});

	test('belong to an app that the Client Secret is no part of', () => {
		expect(publicAppDigest({ ...app, clientSecret: 'other' })).toBe(publicAppDigest(app));
		expect(publicAppDigest({ ...app, clientId: 'other' })).not.toBe(publicAppDigest(app));
		expect(publicAppDigest({ ...app, baseUrl: 'https://b.example' })).not.toBe(
			publicAppDigest(app),
		);
	});

	test.each([
		['half a minute before they expire', { expires_in: 3600, n8n_expires_at: NOW + 30_000 }, true],
		['a little sooner', { expires_in: 3600, n8n_expires_at: NOW + 30_001 }, false],
		[
			'when a tenth of a short lifetime is left',
			{ expires_in: 60, n8n_expires_at: NOW + 6000 },
			true,
		],
		['with numbers given as texts', { expires_in: '60', n8n_expires_at: String(NOW) }, true],
		['never without a time', { expires_in: 60 }, false],
		['never without a lifetime', { n8n_expires_at: NOW - 1 }, false],
		['never with a lifetime that is none', { expires_in: 'soon', n8n_expires_at: NOW - 1 }, false],
		['never with a lifetime of 0', { expires_in: 0, n8n_expires_at: NOW - 1 }, false],
	])('are to be renewed %s', (_what, tokens, isExpired) => {
		expect(isPublicTokenExpired({ ...app, oauthTokenData: tokens })).toBe(isExpired);
	});
});
