import { connectionFailure } from '../../../nodes/ProfilePage/service/connection';
import { inWords } from '../../../nodes/ProfilePage/service/words';

describe('A connection failure', () => {
	const CLOSED = 'the service closed the connection before its response was complete';
	const BROKE = 'the encrypted connection to the service broke';
	const UNTRUSTED = 'your n8n does not trust the certificate of the service';
	const UNREACHABLE = 'the service could not be reached';

	/** What became of a change, and whether the failure is transient. */
	test.each([
		['ECONNREFUSED', 'the service refused the connection', 'not applied', 'soon'],
		['ENOTFOUND', 'the host of the service was not found', 'not applied', undefined],
		['EAI_AGAIN', 'the DNS lookup of the service failed', 'not applied', undefined],
		['EHOSTUNREACH', 'the service is unreachable', 'unknown', undefined],
		['ENETUNREACH', 'the service is unreachable', 'unknown', undefined],
		['EPIPE', CLOSED, 'unknown', 'soon'],
		['ECONNRESET', CLOSED, 'unknown', 'soon'],
		['ECONNABORTED', 'the service did not respond in time', 'unknown', 'soon'],
		['ETIMEDOUT', 'the service did not respond in time', 'unknown', 'soon'],
		['HPE_HEADER_OVERFLOW', 'the headers of the response are too large for n8n', 'unknown', undefined],
		['HPE_INVALID_CONSTANT', 'the response is not HTTP', 'unknown', undefined],
		['Z_BUF_ERROR', 'the compressed response of the service is corrupt', 'unknown', 'soon'],
		['Z_DATA_ERROR', 'the compressed response of the service is corrupt', 'unknown', 'soon'],
		['CERT_HAS_EXPIRED', 'the certificate of the service has expired', 'not applied', undefined],
		['CERT_NOT_YET_VALID', 'the certificate of the service is not valid yet', 'not applied', undefined],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the service is self-signed', 'not applied', undefined],
		['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the service is self-signed', 'not applied', undefined],
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'the certificate of the service is for another host name',
			'not applied',
			undefined,
		],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED, 'not applied', undefined],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED, 'not applied', undefined],
		['EPROTO', 'the TLS handshake failed', 'not applied', undefined],
		['ERR_TLS_INVALID_PROTOCOL_VERSION', 'the TLS handshake failed', 'not applied', undefined],
		['ERR_SSL_WRONG_VERSION_NUMBER', BROKE, 'unknown', 'soon'],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', BROKE, 'unknown', 'soon'],
		['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', BROKE, 'unknown', 'soon'],
		['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', BROKE, 'unknown', 'soon'],
		['EPROTOTYPE', UNREACHABLE, 'unknown', undefined],
		['NOT_ERR_SSL', UNREACHABLE, 'unknown', undefined],
		['EAUTH', UNREACHABLE, 'unknown', undefined],
		['SOMETHING_ELSE', UNREACHABLE, 'unknown', undefined],
	])('with the code %s is explained, with advice: %s (outcome: %s, passes: %s)', (code, problem, outcome, passes) => {
		const failure = connectionFailure(code);
		expect(failure).toMatchObject({ problem, outcome });
		expect(failure.passes).toBe(passes);
		const { message, description } = inWords(failure);
		expect(description).toMatch(/^[A-Z].*\.$/);
		// n8n would replace a message with the name of a system error.
		expect(message + description).not.toMatch(/\bE[A-Z_]{4,}/);
	});
});
