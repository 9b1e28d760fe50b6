import fc from 'fast-check';

import { failureOf } from '../../support/failureOf';
import { isSendable, parseToken, rejectsToken, tokenRejection } from '../../../nodes/ProfilePage/service/token';

const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
const headersOf = (code: string) => ({ 'www-authenticate': `Bearer realm="x", error="${code}"` });

describe('A response rejects the access token', () => {
	/** The statuses for which it does, with this code in the body or in the challenge. */
	const rejecting = (code?: string, place: 'body' | 'challenge' = 'body', result: unknown = true) =>
		statuses.filter((statusCode) => {
			const body = place === 'body' ? { error: code } : 'Unauthorized';
			const headers = place === 'challenge' && code ? headersOf(code) : {};
			return rejectsToken({ statusCode, headers, body }) === result;
		});
	const withCode = statuses.filter((status) => status >= 400 && status < 500 && status !== 408 && status !== 499);

	test('if its status says so, whatever else it contains', () => {
		expect(rejecting()).toEqual([401, 498]);
		expect(rejecting('invalid_request')).toEqual([401, 498]);
		expect(rejecting('insufficient_scope', 'challenge')).toEqual([401, 498]);
	});

	test.each(['invalid_token', 'expired_token'])('if it has the code %s and was not applied', (code) => {
		expect(rejecting(code)).toEqual(withCode);
		expect(rejecting(code, 'challenge')).toEqual(withCode);
	});

	test('perhaps, if it is a 403 that does not say so', () => {
		expect(rejecting(undefined, 'body', 'maybe')).toEqual([403]);
		expect(rejecting('insufficient_scope', 'challenge', 'maybe')).toEqual([403]);
	});

	test('never if the service has or may have done something, whatever it contains', () => {
		const body = fc.oneof(fc.anything(), fc.constantFrom({ error: 'invalid_token' }, { error: ['invalid_token'] }));
		const status = fc.oneof(fc.integer({ min: 100, max: 399 }), fc.integer({ min: 500, max: 599 }));
		fc.assert(
			fc.property(fc.oneof(status, fc.constantFrom(408, 499)), body, (statusCode, each) => {
				expect(rejectsToken({ statusCode, headers: headersOf('invalid_token'), body: each })).toBe(false);
			}),
		);
	});
});

describe('A token', () => {
	const parse = (body: unknown) => parseToken({ statusCode: 200, headers: {}, body }, new Set());

	test.each(['a', 'a.b-c_d~e+f/g==', '!', '~', 'x'.repeat(16_000)])('may be sent if it fits into a header', (token) => {
		expect(isSendable(token)).toBe(true);
		expect(parse({ access_token: token, token_type: 'bearer' })).toBe(token);
	});

	test.each(['', ' ', 'a b', 'a\n', 'ü', '={{ $json }}', 'x'.repeat(16_001), 7, null, undefined, ['a']])(
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
	[301, undefined],
	[400, undefined],
	[429, 'soon'],
	[500, 'soon'],
	[501, 'soon'],
	[503, 'soon'],
])('A token response with HTTP %d means that nothing was sent, and passes: %s', (statusCode, passes) => {
	const { data } = tokenRejection({ statusCode, headers: {}, body: {} }, [], new Set());
	expect(data).toMatchObject({ kind: 'token', outcome: 'not applied', response: { status: statusCode } });
	expect(data.passes).toBe(passes);
});
