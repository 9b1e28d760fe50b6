import fc from 'fast-check';

import { failureOf } from '../../support/failureOf';
import {
	asTokenFailure,
	isSendable,
	parseToken,
	rejectsToken,
	tokenRejection,
} from '../../../nodes/ProfilePage/service/token';

const statuses = Array.from({ length: 500 }, (_, index) => index + 100);

describe('A response rejects the access token', () => {
	/** The statuses for which it does, with this code in the body. */
	const rejecting = (code?: string) =>
		statuses.filter((statusCode) => rejectsToken({ statusCode, headers: {}, body: { error: code } }));
	const withCode = statuses.filter((status) => status >= 400 && status < 500 && status !== 408 && status !== 499);

	test('if its status says so, whatever else it contains', () => {
		expect(rejecting()).toEqual([401, 498]);
		expect(rejecting('invalid_request')).toEqual([401, 498]);
	});

	test.each(['invalid_token', 'expired_token', 'token_expired'])(
		'if it has the code %s in its body and was not applied',
		(code) => {
			expect(rejecting(code)).toEqual(withCode);
		},
	);

	test('if it reports a failure with such a code, though its status is that of a success', () => {
		const rejects = (body: unknown) => rejectsToken({ statusCode: 200, headers: {}, body });
		expect(rejects({ status: false, errors: [{ code: 'invalid_token' }] })).toBe(true);
		expect(rejects({ status: true, error: 'invalid_token' })).toBe(false);
		expect(rejects({ status: false, data: { title: 'invalid_token' } })).toBe(false);
	});

	test('never if the service has or may have done something, whatever it contains', () => {
		const body = fc.oneof(fc.anything(), fc.constantFrom({ error: 'invalid_token' }, { error: ['invalid_token'] }));
		const status = fc.oneof(fc.integer({ min: 300, max: 399 }), fc.integer({ min: 500, max: 599 }));
		fc.assert(
			fc.property(fc.oneof(status, fc.constantFrom(408, 499)), body, (statusCode, each) => {
				expect(rejectsToken({ statusCode, headers: {}, body: each })).toBe(false);
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
])('A token response with HTTP %d passes: %s', (statusCode, passes) => {
	const { data } = tokenRejection({ statusCode, headers: {}, body: {} });
	expect(data).toMatchObject({ response: { status: statusCode } });
	expect(data.passes).toBe(passes);
});

test('The requests that wait for a token were not sent', () => {
	const waiting = asTokenFailure(tokenRejection({ statusCode: 500, headers: {}, body: {} }));
	expect(waiting.data).toMatchObject({ kind: 'token', outcome: 'not applied', passes: 'soon' });
});
