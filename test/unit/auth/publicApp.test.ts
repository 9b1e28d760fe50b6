import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestHelper } from 'n8n-workflow';

import { ProfilePageOAuth2Api } from '../../../credentials/ProfilePageOAuth2Api.credentials';
import { NoTokenError, ValidationError } from '../../../nodes/ProfilePage/shared/errors';
import { bindTokens, publicApp, readTokens } from '../../../nodes/ProfilePage/auth/publicApp';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

type Fields = ICredentialDataDecryptedObject;

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

const connected: Fields = {
	...app,
	oauthTokenData: { access_token: 'first', refresh_token: 'r' },
};

/** The credential as n8n stores it after its tokens are bound. */
const bound: Fields = { ...app, oauthTokenData: bindTokens(connected) };

const isNoExpression = (value: unknown) => typeof value !== 'string' || !value.startsWith('=');

describe('The tokens of a public app', () => {
	test('that have no binding are bound to the current Base URL and Client ID', () => {
		expect(bindTokens(connected)).toMatchObject(connected.oauthTokenData as object);
		expect(bindTokens(bound)).toEqual(bound.oauthTokenData);
	});

	test('are bound by the credential before n8n signs a request', async () => {
		const credentialType = new ProfilePageOAuth2Api();
		const preAuthenticate = async (data: Fields) =>
			await credentialType.preAuthentication.call({} as IHttpRequestHelper, data);
		expect(await preAuthenticate(connected)).toEqual({
			oauthTokenData: bound.oauthTokenData,
		});
		await expect(preAuthenticate({ ...bound, clientId: 'other' })).rejects.toThrow(
			'Credential: its Base URL or Client ID was changed after the account was connected. Open it and connect the account again',
		);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['Client ID', { clientId: 'other' }],
	])('are rejected after the %s changes', (_field, change) => {
		const explanation = expect.objectContaining({
			message: 'Credential: its Base URL or Client ID was changed after the account was connected',
			advice: 'Open it and connect the account again (Switch account, or Connect).',
		}) as unknown as Error;
		expect(() => bindTokens({ ...bound, ...change })).toThrow(explanation);
		expect(() => publicApp.check?.({ ...bound, ...change })).toThrow(explanation);
	});

	test('stay usable after only the Client Secret changes', () => {
		const data = { ...bound, clientSecret: 'other' };
		expect(bindTokens(data)).toEqual(bound.oauthTokenData);
		expect(() => publicApp.check?.(data)).not.toThrow();
	});

	test('are bound again after the app is connected with another Base URL', () => {
		// n8n merges the new tokens into the old ones, and so keeps the old binding.
		const old = bound.oauthTokenData as IDataObject;
		const reconnected: Fields = {
			...app,
			baseUrl: 'https://example.org',
			oauthTokenData: { ...old, access_token: 'second' },
		};
		const rebound: Fields = { ...reconnected, oauthTokenData: bindTokens(reconnected) };
		expect(bindTokens(rebound)).toEqual(rebound.oauthTokenData);
		expect(() => bindTokens({ ...rebound, baseUrl: app.baseUrl })).toThrow(ValidationError);
	});

	test('are bound and not lost for any previous binding', () => {
		fc.assert(
			fc.property(fc.anything().filter(isNoExpression), (profile_page_binding) => {
				const tokens = { access_token: 'first', profile_page_binding } as IDataObject;
				const data: Fields = { ...app, oauthTokenData: tokens };
				expect(bindTokens(data)).toMatchObject({ access_token: 'first' });
			}),
		);
	});

	test('are rejected if n8n would evaluate one of their values', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('access_token', 'refresh_token', 'scope'),
				fc.string(),
				(name, text) => {
					const oauthTokenData = { access_token: 'first', [name]: `=${text}` };
					expect(() => bindTokens({ ...app, oauthTokenData })).toThrow(NoTokenError);
				},
			),
		);
	});

	test('contain no secret in their binding', () => {
		const { profile_page_binding } = bindTokens(connected);
		expect(profile_page_binding).toMatch(/^[0-9a-f]{64} [0-9a-f]{64}$/);
	});

	test.each([undefined, 'text', null, [], 5])('are missing if n8n stores %j', (oauthTokenData) => {
		expect(readTokens({ oauthTokenData } as Fields)).toEqual({});
	});

	test('are bound to a digest without the Client Secret', () => {
		const digest = publicApp.digest(app);
		expect(publicApp.digest({ ...app, clientSecret: 'other' })).toBe(digest);
		expect(publicApp.digest({ ...app, clientId: 'other' })).not.toBe(digest);
		expect(publicApp.digest({ ...app, baseUrl: 'https://b.example' })).not.toBe(digest);
	});

	test.each([
		[
			'are renewed 30 s before they expire',
			{ expires_in: 3600, n8n_expires_at: NOW + 30_000 },
			true,
		],
		['are not renewed earlier', { expires_in: 3600, n8n_expires_at: NOW + 30_001 }, false],
		[
			'are renewed when a tenth of a short lifetime is left',
			{ expires_in: 60, n8n_expires_at: NOW + 6000 },
			true,
		],
		[
			'are renewed if their numbers are texts',
			{ expires_in: '60', n8n_expires_at: String(NOW) },
			true,
		],
		['are not renewed without an expiry time', { expires_in: 60 }, false],
		['are not renewed without a lifetime', { n8n_expires_at: NOW - 1 }, false],
		[
			'are not renewed with an invalid lifetime',
			{ expires_in: 'soon', n8n_expires_at: NOW - 1 },
			false,
		],
		['are not renewed with a lifetime of 0', { expires_in: 0, n8n_expires_at: NOW - 1 }, false],
	])('%s', (_what, tokens, isExpired) => {
		expect(publicApp.isExpired({ ...app, oauthTokenData: tokens })).toBe(isExpired);
	});
});

describe('The credential of a public app', () => {
	test('contains the access token of the connected account', () => {
		expect(publicApp.readToken(connected)).toBe('first');
		expect(() => publicApp.check?.(connected)).not.toThrow();
	});

	test.each([undefined, {}, { access_token: 5 }, { access_token: '' }])(
		'without an access token in %j is rejected as not connected',
		(oauthTokenData) => {
			const data = { ...app, oauthTokenData } as Fields;
			expect(publicApp.readToken(data)).toBe('');
			expect(() => publicApp.check?.(data)).toThrow('Credential: no account is connected');
		},
	);
});
