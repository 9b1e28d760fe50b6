import fc from 'fast-check';

import { explainTokenStatus, noTokenBecause, quoteErrorCode } from '../../../nodes/ProfilePage/auth/tokenFailures';

describe('The HTTP status of a token response', () => {
	const REJECTED = 'the service rejected the Client ID. Check it. Try again.';
	const CHECK_BASE_URL = 'Check the Base URL in the credential.';

	test.each([
		[301, 'the service responded with a redirect (301)', CHECK_BASE_URL],
		[307, 'the service responded with a redirect (307)', CHECK_BASE_URL],
		[400, 'the service rejected the Client ID (400)', 'Check it. Try again.'],
		[401, 'the service rejected the Client ID (401)', 'Check it. Try again.'],
		[403, 'the service denied the token request (403)', 'Check the Base URL, the Client ID and the Client Secret.'],
		[
			404,
			'the service has no token endpoint at this Base URL (404)',
			'Check the Base URL. If anything follows the host in it, such as /myband, remove that, unless your service needs it.',
		],
		[407, 'the proxy between n8n and the service requires a password (407)', 'Check the proxy settings of your n8n.'],
		[429, 'the service is rate-limiting requests (429)', 'Try again later.'],
		[405, 'the service rejected the request (405)', CHECK_BASE_URL],
		[422, 'the service rejected the request (422)', CHECK_BASE_URL],
		[500, 'the service failed (500)', 'Try again later.'],
		[503, 'the service failed (503)', 'Try again later.'],
	])('of %p is explained', (status, problem, advice) => {
		expect(explainTokenStatus(status, REJECTED)).toEqual({ problem, advice });
	});
});

describe('The error code in a token response', () => {
	test.each([
		'invalid_request',
		'invalid_client',
		'invalid_grant',
		'unauthorized_client',
		'unsupported_grant_type',
		'invalid_scope',
	])('is quoted without the rest of the response if it is %s', (code) => {
		const body = { error: code, error_description: 'your secret is s3cret', message: 's3cret' };
		expect(quoteErrorCode(body)).toBe(` The service said: "${code}".`);
	});

	test.each([
		['a non-standard code', { error: 's3cret' }],
		['a standard code with more text', { error: 'invalid_client s3cret' }],
		['text before a standard code', { error: 's3cret invalid_client' }],
		['a list that contains a standard code', { error: ['invalid_client'] }],
		['only a description', { error_description: 's3cret' }],
		['a text', 'invalid_client'],
		['a list', ['invalid_client']],
		['nothing', undefined],
		['null', null],
	])('is not quoted if the response contains %s', (_what, body) => {
		expect(quoteErrorCode(body)).toBe('');
	});

	test('is the only text quoted from any response', () => {
		const body = fc.oneof(fc.anything(), fc.record({ error: fc.anything() }));
		fc.assert(
			fc.property(body, (response) => {
				expect(quoteErrorCode(response)).toMatch(
					/^$|^ The service said: "(invalid_(request|client|grant|scope)|un(authorized_client|supported_grant_type))".$/,
				);
			}),
		);
	});
});

describe('The error for a token request without a response', () => {
	test('explains the connection failure, and that nothing was sent', () => {
		expect(noTokenBecause({ code: 'ECONNRESET' })).toMatchObject({
			message: 'No access token: the service closed the connection before its response was complete',
			advice: 'Try again later.',
			details: { isTransient: true, history: 'not sent' },
		});
	});
});
