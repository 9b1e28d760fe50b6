import {
	describeConnectionFailure,
	toServiceError,
} from '../../nodes/ProfilePage/transport/connectionFailure';

const REQUEST = { failure: 'Not done' };

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
	['CERT_HAS_EXPIRED', 'has a certificate that has expired'],
	['CERT_NOT_YET_VALID', 'has a certificate that is not valid yet'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'has a self-signed certificate'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'has a self-signed certificate'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'has a certificate for another host name'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'has a certificate that your n8n does not trust'],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'has a certificate that your n8n does not trust'],
	['EPROTO', 'failed the TLS handshake'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'failed the TLS handshake'],
	['EPROTOTYPE', 'could not be reached.'],
	['NOT_ERR_SSL', 'could not be reached.'],
	['H2', 'could not be reached.'],
	['2H', 'could not be reached.'],
	['EAUTH', 'could not be reached.'],
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
	['CERT_HAS_EXPIRED', false],
	['SOMETHING_ELSE', false],
])('%s is transient: %p', (code, isTransient) => {
	expect(toServiceError(REQUEST, { code }).details).toMatchObject({ isTransient });
});

test.each([
	['ECONNREFUSED', true],
	['ENOTFOUND', true],
	['EAI_AGAIN', true],
	['EHOSTUNREACH', true],
	['ENETUNREACH', true],
	['CERT_HAS_EXPIRED', true],
	['DEPTH_ZERO_SELF_SIGNED_CERT', true],
	['ERR_TLS_CERT_ALTNAME_INVALID', true],
	['EPROTO', true],
	['ECONNRESET', false],
	['EPIPE', false],
	['ERR_BAD_RESPONSE', false],
	['ECONNABORTED', false],
	['ETIMEDOUT', false],
	['SOMETHING_ELSE', false],
])('%s means that the request was not applied: %p', (code, isNotApplied) => {
	const request = { failure: 'Not done', unknownOutcome: 'Who knows' };
	const { message, details } = toServiceError(request, { code });
	expect(details.isNotApplied).toBe(isNotApplied);
	expect(message).toMatch(isNotApplied ? /^Not done: the service / : /^Who knows: the service /);
});

test('the code is looked for in the causes of what was thrown', () => {
	const thrown = new Error('outer', { cause: { cause: { code: 'ECONNREFUSED' } } });
	expect(describeConnectionFailure(thrown)).toContain('refused the connection');
});

test('a status is what n8n 1 tells of an answer that broke off', () => {
	const thrown = { httpCode: '200', message: 'stream has been aborted' };
	expect(describeConnectionFailure(thrown)).toContain('closed the connection');
	expect(toServiceError(REQUEST, thrown).details.isTransient).toBe(true);
});

test.each([undefined, null, 'text', {}])('%p is put in words too', (thrown) => {
	expect(describeConnectionFailure(thrown)).toContain('could not be reached');
});

test('the words hold no name of a system error, for n8n would replace them', () => {
	const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EPROTO'];
	for (const code of codes) {
		expect(describeConnectionFailure({ code })).not.toMatch(/\bE[A-Z_]{4,}/);
	}
});
