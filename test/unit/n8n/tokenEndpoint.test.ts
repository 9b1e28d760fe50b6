import fc from 'fast-check';

import { readErrorCode, tokenRejection } from '../../../nodes/ProfilePage/n8n/tokenEndpoint';
import { inWords } from '../../../nodes/ProfilePage/service/words';

const CHECK_BASE_URL = 'Check the Base URL in the credential.';

test.each([
	[301, 'the service responded with a redirect', CHECK_BASE_URL, undefined],
	[400, 'the service rejected the Client ID', 'Check it.', undefined],
	[401, 'the service rejected the Client ID', 'Check it.', undefined],
	[403, 'the service denied the token request', 'Check the Base URL, the Client ID and the Client Secret.', undefined],
	[
		404,
		'the service has no token endpoint at this Base URL',
		'Check the Base URL. If anything follows the host in it, such as /myband, remove that, unless your service needs it.',
		undefined,
	],
	[405, 'the service rejected the request', CHECK_BASE_URL, undefined],
	[
		407,
		'the proxy between n8n and the service requires a password',
		'Check the proxy settings of your n8n.',
		undefined,
	],
	[429, 'the service is rate-limiting requests', 'Try again later.', 'soon'],
	[500, 'the service failed', 'Try again later.', 'soon'],
	[501, 'the service failed', 'Try again later.', 'soon'],
	[503, 'the service failed', 'Try again later.', 'soon'],
])('A token response with HTTP %d is explained', (statusCode, problem, advice, passes) => {
	const response = { statusCode, headers: {}, body: {} };
	const failure = tokenRejection(response, ['the service rejected the Client ID', 'Check it.']);
	expect(failure).toMatchObject({ kind: 'token', outcome: 'not sent', status: statusCode });
	expect(failure.passes).toBe(passes);
	expect(inWords(failure)).toEqual({ message: `No access token: ${problem} (${statusCode})`, description: advice });
});

describe('The error code in a token response', () => {
	test.each([
		'invalid_request',
		'invalid_client',
		'invalid_grant',
		'unauthorized_client',
		'unsupported_grant_type',
		'invalid_scope',
	])('is %s if the response contains that, whatever else it contains', (error) => {
		expect(readErrorCode({ error, error_description: 'your secret is s3cret', message: 's3cret' })).toBe(error);
	});

	test.each([
		['a non-standard code', { error: 's3cret' }],
		['a standard code with more text', { error: 'invalid_client s3cret' }],
		['text before a standard code', { error: 's3cret invalid_client' }],
		['a list that contains a standard code', { error: ['invalid_client'] }],
		['only a description', { error_description: 's3cret' }],
	])('is none if the response contains %s', (_what, body) => {
		expect(readErrorCode(body)).toBeUndefined();
	});

	test('is a standard one or none for any response', () => {
		const body = fc.oneof(fc.anything(), fc.record({ error: fc.anything() }));
		const standard = /^(invalid_(request|client|grant|scope)|un(authorized_client|supported_grant_type))?$/;
		fc.assert(fc.property(body, (response) => expect(readErrorCode(response) ?? '').toMatch(standard)));
	});
});
