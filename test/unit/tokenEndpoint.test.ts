import fc from 'fast-check';

import {
	explainTokenStatus,
	quoteErrorCode,
} from '../../nodes/ProfilePage/transport/tokenEndpoint';

const REFUSAL = 'refused the Client ID';

test.each([
	[301, 'the service answered with a redirect (HTTP 301)'],
	[307, 'the service answered with a redirect (HTTP 307)'],
	[400, 'the service refused the Client ID (HTTP 400).'],
	[401, 'the service refused the Client ID (HTTP 401).'],
	[403, 'the service does not allow the token request (HTTP 403). Check the Base URL'],
	[404, 'the service has no token endpoint at this Base URL (HTTP 404). Check the Base URL.'],
	[407, 'the proxy between n8n and the service asks for a password (HTTP 407).'],
	[429, 'the service is rate-limiting requests (HTTP 429). Try again later.'],
	[405, 'the service refused the request (HTTP 405). Check the Base URL.'],
	[422, 'the service refused the request (HTTP 422). Check the Base URL.'],
	[500, 'the service failed (HTTP 500). Try again later.'],
	[503, 'the service failed (HTTP 503). Try again later.'],
])('HTTP %p of a token endpoint is put in words', (status, words) => {
	expect(explainTokenStatus(status, REFUSAL, 'Check it.')).toContain(words);
});

test.each([
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
])('the standard error code %s is quoted, and nothing beside it', (code) => {
	const body = { error: code, error_description: 'your secret is s3cret', message: 's3cret' };
	expect(quoteErrorCode(body)).toBe(` The service said: "${code}".`);
});

test.each([
	['a code that is no standard one', { error: 's3cret' }],
	['a standard code with more text', { error: 'invalid_client s3cret' }],
	['a list that contains a standard code', { error: ['invalid_client'] }],
	['a description alone', { error_description: 's3cret' }],
	['a text', 'invalid_client'],
	['a list', ['invalid_client']],
	['nothing', undefined],
	['null', null],
])('of %s nothing is quoted', (_what, body) => {
	expect(quoteErrorCode(body)).toBe('');
});

test('whatever a token endpoint answers, only a standard code can be quoted', () => {
	const body = fc.oneof(fc.anything(), fc.record({ error: fc.anything() }));
	fc.assert(
		fc.property(body, (answer) => {
			expect(quoteErrorCode(answer)).toMatch(
				/^$|^ The service said: "(invalid_(request|client|grant|scope)|un(authorized_client|supported_grant_type))".$/,
			);
		}),
	);
});
