import fc from 'fast-check';

import { failureOf } from '../../support/failureOf';
import {
	asTokenFailure,
	isSendable,
	parseToken,
	rejectsToken,
	tokenStatusFailure,
} from '../../../nodes/ProfilePage/service/token';

const statuses = Array.from({ length: 500 }, (_, index) => index + 100);

/** The statuses at which a response with this body rejects the access token. */
const rejecting = (body: unknown) => statuses.filter((statusCode) => rejectsToken({ statusCode, headers: {}, body }));

describe('A response rejects the access token', () => {
	test('if its status says so, whatever else it contains', () => {
		for (const body of ['Unauthorized', { error: 'invalid_request' }, undefined])
			expect(rejecting(body)).toEqual([401, 498]);
	});

	test.each([
		{ error: 'invalid_token' },
		{ error: 'Expired_Token' },
		{ errors: [{ code: 'token_expired' }] },
		{ status: 'failed', error: { code: 'invalid_token' } },
	])('if it is a 400 or 403 with one of three codes: %j', (body) => {
		expect(rejecting(body).filter((status) => status >= 300)).toEqual([400, 401, 403, 498]);
	});

	test('if a success reports a failure with such a code in its errors, but not in anything else', () => {
		const of = (body: object) => rejecting(body).filter((status) => status < 300);
		const successes = statuses.filter((status) => status >= 200 && status < 300);
		expect(of({ status: false, error: 'invalid_token' })).toEqual(successes);
		expect(of({ status: 'error', errors: [{ code: 'expired_token' }] })).toEqual(successes);
		expect(of({ status: false, data: { title: 'invalid_token' } })).toEqual([]);
		expect(of({ status: true, error: 'invalid_token' })).toEqual([]);
		expect(of({ error: 'invalid_token' })).toEqual([]);
	});

	test('not if a text only mentions one', () => {
		expect(rejecting({ message: 'The link invalid_token is missing.' })).toEqual([401, 498]);
	});

	test('never if the service may have done something, whatever it contains', () => {
		const body = fc.oneof(fc.anything(), fc.constantFrom({ error: 'invalid_token' }, { error: ['invalid_token'] }));
		const status = fc.oneof(fc.integer({ min: 300, max: 399 }), fc.integer({ min: 500, max: 599 }));
		fc.assert(
			fc.property(fc.oneof(status, fc.constantFrom(408, 499)), body, (statusCode, each) => {
				const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
				expect(rejectsToken({ statusCode, headers, body: each })).toBe(false);
			}),
		);
	});
});

describe('A token', () => {
	const parse = (body: unknown) => parseToken({ statusCode: 200, headers: {}, body });

	test.each(['a', 'a.b-c_d~e+f/g==', '!', '~', 'x'.repeat(16_000)])('may be sent if it fits into a header', (token) => {
		expect(isSendable(token)).toBe(true);
		expect(parse({ access_token: token, token_type: 'bearer' })).toBe(token);
	});

	test.each(['', ' ', 'a b', 'a\n', 'ü', '={{$json}}', 'x'.repeat(16_001), 7, null, undefined, ['a']])(
		'is not sent if it is %j',
		(token) => {
			expect(isSendable(token)).toBe(false);
			expect(failureOf(() => parse({ access_token: token }))).toMatchObject({
				kind: 'token',
				outcome: 'not applied',
			});
		},
	);

	test.each(['Bearer', ' bearer\n', 'BEARER', '', undefined, null])('of the type %j is one for bearers', (type) => {
		expect(parse({ access_token: 'a', token_type: type })).toBe('a');
	});

	test.each(['mac', 'DPoP', 'bearer2', 7])('of the type %j is refused', (type) => {
		const problem = 'the service sent a token of a type other than Bearer';
		expect(failureOf(() => parse({ access_token: 'a', token_type: type })).problem).toBe(problem);
	});
});

test.each([
	[301, undefined, 'the service responded with a redirect (301)'],
	[400, undefined, 'the service did not give the app a token (400)'],
	[401, undefined, 'the service rejected the Client ID or the Client Secret (401)'],
	[403, undefined, 'the service did not give the app a token (403)'],
	[404, undefined, 'the service did not give the app a token (404)'],
	[429, true, 'the service is rate-limiting requests (429)'],
	[501, true, 'the service failed (501)'],
])(
	'A token response with HTTP %d means that nothing was sent, and is transient: %s',
	(statusCode, isTransient, problem) => {
		const { data } = asTokenFailure(tokenStatusFailure({ statusCode, headers: {}, body: {} }));
		expect(data).toMatchObject({ kind: 'token', outcome: 'not applied', problem });
		expect(data.isTransient).toBe(isTransient);
	},
);
