import fc from 'fast-check';

import { type Rejections, tokenRejection } from '../../../nodes/ProfilePage/n8n/tokenEndpoint';
import { inWords } from '../../../nodes/ProfilePage/service/words';

/** Explains each code by its name. */
const rejections: Rejections = {
	invalid_request: ['invalid_request'],
	invalid_client: ['the service rejected the Client ID', 'Check it.'],
	invalid_grant: ['invalid_grant'],
	unauthorized_client: ['unauthorized_client'],
	unsupported_grant_type: ['unsupported_grant_type'],
	invalid_scope: ['invalid_scope'],
	other: ['other', 'Look elsewhere.'],
};

const CODES = [undefined, ...Object.keys(rejections).filter((code) => code !== 'other')];

const CHECK_BASE_URL = 'Check the Base URL in the credential.';

test.each([
	[301, 'the service responded with a redirect', CHECK_BASE_URL, undefined],
	[400, 'other', 'Look elsewhere.', undefined],
	[401, 'the service rejected the Client ID', 'Check it.', undefined],
	[
		403,
		'the service denied the token request',
		'Check the Base URL, and the permissions of the app in the settings of the service.',
		undefined,
	],
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
	const failure = tokenRejection(response, rejections, []);
	expect(failure).toMatchObject({ kind: 'token', outcome: 'not sent', status: statusCode });
	expect(failure.passes).toBe(passes);
	expect(inWords(failure)).toEqual({ message: `No access token: ${problem} (${statusCode})`, description: advice });
});

test.each([
	['a non-standard code', { error: 's3cret' }],
	['a standard code with more text', { error: 'invalid_client s3cret' }],
	['text before a standard code', { error: 's3cret invalid_client' }],
	['a list that contains a standard code', { error: ['invalid_client'] }],
	['only a description', { error_description: 's3cret' }],
])('A token response with %s has no error code, and quotes no secret', (_what, body) => {
	const failure = tokenRejection({ statusCode: 400, headers: {}, body }, rejections, ['s3cret']);
	expect(failure).toMatchObject({ problem: 'other (400)' });
	expect(failure.code).toBeUndefined();
	expect(JSON.stringify(failure)).not.toContain('s3cret');
});

test('Any token response has a standard error code or none, and quotes no secret', () => {
	const text = fc.oneof(fc.string(), fc.constantFrom('my s3cret', 'invalid_grant', 's3cret', 'plain'));
	const body = fc.oneof(fc.anything(), fc.record({ error: fc.oneof(text, fc.anything()), error_description: text }));
	fc.assert(
		fc.property(body, fc.integer({ min: 300, max: 599 }), (response, statusCode) => {
			const rejection = { statusCode, headers: {}, body: response };
			for (const failure of [
				tokenRejection(rejection, rejections, ['s3cret']),
				tokenRejection({ body: response }, rejections, ['s3cret']),
			]) {
				expect(CODES).toContain(failure.code);
				expect(JSON.stringify(failure)).not.toContain('s3cret');
			}
		}),
	);
});
