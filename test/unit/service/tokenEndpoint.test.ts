import fc from 'fast-check';

import { readTokens, type Rejections, tokenRejection } from '../../../nodes/ProfilePage/service/tokenEndpoint';
import { Secrets } from '../../../nodes/ProfilePage/service/quotes';

/** Explains each code by its name. */
const rejections: Rejections = {
	invalid_request: ['invalid_request'],
	invalid_client: ['invalid_client'],
	invalid_grant: ['invalid_grant'],
	unauthorized_client: ['unauthorized_client'],
	unsupported_grant_type: ['unsupported_grant_type'],
	invalid_scope: ['invalid_scope'],
	other: ['other'],
};

const CODES = [undefined, ...Object.keys(rejections).filter((code) => code !== 'other')];

test.each([
	[301, undefined],
	[405, undefined],
	[429, 'soon'],
	[500, 'soon'],
	[501, 'soon'],
	[503, 'soon'],
])('A token response with HTTP %d means that nothing was sent, and passes: %s', (statusCode, passes) => {
	const failure = tokenRejection({ statusCode, headers: {}, body: {} }, rejections, new Secrets());
	expect(failure).toMatchObject({ kind: 'token', outcome: 'not applied', status: statusCode });
	expect(failure.passes).toBe(passes);
});

test.each([
	['a non-standard code', { error: 's3cret' }],
	['a standard code with more text', { error: 'invalid_client s3cret' }],
	['text before a standard code', { error: 's3cret invalid_client' }],
	['a list that contains a standard code', { error: ['invalid_client'] }],
	['only a description', { error_description: 's3cret' }],
])('A token response with %s has no error code, and quotes no secret', (_what, body) => {
	const failure = tokenRejection({ statusCode: 400, headers: {}, body }, rejections, new Secrets(['s3cret']));
	expect(failure).toMatchObject({ problem: 'other (400)' });
	expect(failure.code).toBeUndefined();
	expect(JSON.stringify(failure)).not.toContain('s3cret');
});

test('A scope may contain spaces, and a token may not', () => {
	const tokens = { access_token: 'a', refresh_token: 'r', scope: 'basic links', token_type: 'Bearer' };
	expect(readTokens(tokens)).toEqual(tokens);
	expect(readTokens({ ...tokens, access_token: 'a b' })).not.toHaveProperty('access_token');
});

test('Any token response has a standard error code or none, and quotes no secret', () => {
	const text = fc.oneof(fc.string(), fc.constantFrom('my s3cret', 'invalid_grant', 's3cret', 'plain'));
	const body = fc.oneof(fc.anything(), fc.record({ error: fc.oneof(text, fc.anything()), error_description: text }));
	fc.assert(
		fc.property(body, fc.integer({ min: 300, max: 599 }), (response, statusCode) => {
			const rejection = { statusCode, headers: {}, body: response };
			for (const failure of [
				tokenRejection(rejection, rejections, new Secrets(['s3cret'])),
				tokenRejection({ body: response }, rejections, new Secrets(['s3cret'])),
			]) {
				expect(CODES).toContain(failure.code);
				expect(JSON.stringify(failure)).not.toContain('s3cret');
			}
		}),
	);
});
