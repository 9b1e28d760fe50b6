import {
	describeConnectionFailure,
	toServiceError,
} from '../../nodes/ProfilePage/wire/connectionFailure';

const NOT_DONE = { failure: 'Not done' };

test.each([
	['ECONNREFUSED', 'refused the connection'],
	['ENOTFOUND', 'could not be found under its host name'],
	['EAI_AGAIN', 'the name look-up failed'],
	['EHOSTUNREACH', 'could not be reached over the network'],
	['ENETUNREACH', 'could not be reached over the network'],
	['EPIPE', 'closed the connection before its answer was complete'],
	['ERR_BAD_RESPONSE', 'closed the connection before its answer was complete'],
	['ECONNRESET', 'closed the connection before its answer was complete'],
	['ECONNABORTED', 'did not answer in time'],
	['ETIMEDOUT', 'did not answer in time'],
	['EAUTH', 'did not renew the access'],
	['ERR_ASSERTION', 'did not renew the access'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'has a certificate that your n8n does not trust'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'has a certificate that your n8n does not trust'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'has a certificate that your n8n does not trust'],
	['EPROTO', 'could not be spoken to over TLS'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'could not be spoken to over TLS'],
	['EPROTOTYPE', 'could not be reached.'],
	['NOT_ERR_SSL', 'could not be reached.'],
	['H2', 'could not be reached.'],
	['2H', 'could not be reached.'],
	['SOMETHING_ELSE', 'could not be reached.'],
])('%s is put in words', (code, words) => {
	expect(describeConnectionFailure({ code })).toContain(words);
});

test.each([
	['ECONNREFUSED', true],
	['ECONNRESET', true],
	['EPIPE', true],
	['ERR_BAD_RESPONSE', true],
	['ECONNABORTED', true],
	['ETIMEDOUT', true],
	['ENOTFOUND', false],
	['EPROTO', false],
	['EAUTH', false],
])('whether %s may pass: %p', (code, isPassing) => {
	expect(toServiceError(NOT_DONE, { code }).details).toMatchObject({ isPassing });
});

test.each([
	['ECONNREFUSED', true],
	['ENOTFOUND', true],
	['EAI_AGAIN', true],
	['EHOSTUNREACH', true],
	['ENETUNREACH', true],
	['DEPTH_ZERO_SELF_SIGNED_CERT', true],
	['EPROTO', true],
	['EAUTH', true],
	['ECONNRESET', false],
	['EPIPE', false],
	['ERR_BAD_RESPONSE', false],
	['ECONNABORTED', false],
	['ETIMEDOUT', false],
	['SOMETHING_ELSE', false],
])('whether %s makes certain that nothing was done: %p', (code, isNotDone) => {
	const request = { failure: 'Not done', doubt: 'Who knows' };
	const { message, details } = toServiceError(request, { code });
	expect(details.isNotDone).toBe(isNotDone);
	expect(message).toMatch(isNotDone ? /^Not done: the service / : /^Who knows: the service /);
});

test('the code is looked for in the causes of what was thrown', () => {
	const thrown = new Error('outer', { cause: { cause: { code: 'ECONNREFUSED' } } });
	expect(describeConnectionFailure(thrown)).toContain('refused the connection');
});

test('a status is what n8n 1 tells of an answer that broke off', () => {
	const thrown = { httpCode: '200', message: 'stream has been aborted' };
	expect(describeConnectionFailure(thrown)).toContain('closed the connection');
	expect(toServiceError(NOT_DONE, thrown).details.isPassing).toBe(true);
});

test.each([undefined, null, 'text', {}])('%p is put in words too', (thrown) => {
	expect(describeConnectionFailure(thrown)).toContain('could not be reached');
});

test.each([
	'The credential "Sandbox" needs to be reconnected.',
	'OAuth access token expired and no refresh token is available. Please reconnect the credentials.',
])('access that n8n could not renew is told by its words: %s', (message) => {
	expect(describeConnectionFailure(new Error(message))).toContain('did not renew the access');
});

test('the words hold no name of a system error, for n8n would replace them', () => {
	const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EPROTO'];
	for (const code of codes) {
		expect(describeConnectionFailure({ code })).not.toMatch(/\bE[A-Z_]{4,}/);
	}
});
