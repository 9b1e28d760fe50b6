import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	connectionError,
	explainStatus,
	explainUnexpectedBody,
	isFailedStatus,
	readRetryHints,
} from '../../../nodes/ProfilePage/http/failures';
import { inWords } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';

describe('A connection failure', () => {
	test.each([
		['ECONNREFUSED', 'the service refused the connection'],
		['ENOTFOUND', 'the host of the service was not found'],
		['EAI_AGAIN', 'the DNS lookup of the service failed'],
		['EHOSTUNREACH', 'the service is unreachable'],
		['ENETUNREACH', 'the service is unreachable'],
		['EPIPE', 'the service closed the connection before its response was complete'],
		['ERR_BAD_RESPONSE', 'the service closed the connection before its response was complete'],
		['ECONNRESET', 'the service closed the connection before its response was complete'],
		['ECONNABORTED', 'the service did not respond in time'],
		['ETIMEDOUT', 'the service did not respond in time'],
		['Z_BUF_ERROR', 'the compressed response of the service is corrupt'],
		['Z_DATA_ERROR', 'the compressed response of the service is corrupt'],
		['CERT_HAS_EXPIRED', 'the certificate of the service has expired'],
		['CERT_NOT_YET_VALID', 'the certificate of the service is not valid yet'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the service is self-signed'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the service is self-signed'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of the service is for another host name'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'your n8n does not trust the certificate of the service'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'your n8n does not trust the certificate of the service'],
		['EPROTO', 'the TLS handshake failed'],
		['ERR_TLS_INVALID_PROTOCOL_VERSION', 'the TLS handshake failed'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'the encrypted connection to the service broke'],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'the encrypted connection to the service broke'],
		['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', 'the encrypted connection to the service broke'],
		['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'the encrypted connection to the service broke'],
		['EPROTOTYPE', 'the service could not be reached'],
		['NOT_ERR_SSL', 'the service could not be reached'],
		['H2', 'the service could not be reached'],
		['2H', 'the service could not be reached'],
		['EAUTH', 'the service could not be reached'],
		['SOMETHING_ELSE', 'the service could not be reached'],
	])('with the code %s is explained, with advice', (code, explanation) => {
		const { message, advice } = connectionError({ code });
		expect(message).toBe(explanation);
		expect(advice).toMatch(/^[A-Z].*\.$/);
	});

	test.each([
		['ECONNREFUSED', true],
		['ECONNRESET', true],
		['EPIPE', true],
		['ERR_BAD_RESPONSE', true],
		['ECONNABORTED', true],
		['ETIMEDOUT', true],
		['Z_BUF_ERROR', true],
		['Z_DATA_ERROR', true],
		['ERR_SSL_WRONG_VERSION_NUMBER', true],
		['ENOTFOUND', false],
		['EPROTO', false],
		['CERT_HAS_EXPIRED', false],
		['SOMETHING_ELSE', false],
	])('with the code %s is transient: %p', (code, isTransient) => {
		expect(connectionError({ code }).details).toMatchObject({ isTransient });
	});

	test.each([
		['ECONNREFUSED', true],
		['ENOTFOUND', true],
		['EAI_AGAIN', true],
		['EHOSTUNREACH', false],
		['ENETUNREACH', false],
		['CERT_HAS_EXPIRED', true],
		['DEPTH_ZERO_SELF_SIGNED_CERT', true],
		['ERR_TLS_CERT_ALTNAME_INVALID', true],
		['EPROTO', true],
		['ERR_SSL_WRONG_VERSION_NUMBER', false],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', false],
		['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', false],
		['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', false],
		['ERR_TLS_INVALID_PROTOCOL_VERSION', true],
		['ECONNRESET', false],
		['EPIPE', false],
		['ERR_BAD_RESPONSE', false],
		['ECONNABORTED', false],
		['ETIMEDOUT', false],
		['SOMETHING_ELSE', false],
	])('with the code %s means that a change was not applied: %p', (code, isNotApplied) => {
		const error = connectionError({ code });
		expect(error.details.history).toBe(isNotApplied ? 'rejected' : undefined);
		const request = {
			method: 'POST',
			path: '/',
			idempotent: true,
			subject: 'The link',
			effect: 'was deleted',
			advice: '',
		} as const;
		const { message } = inWords(request, error);
		const start = isNotApplied ? 'The link was not deleted: ' : 'It is unknown whether the link was deleted: ';
		expect(message).toBe(`${start}${error.message}`);
	});

	test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
		'with the code %s means that a change was not applied if there was no connection yet',
		(code) => {
			const historyOf = (syscall: string) => {
				const cause = Object.assign(new Error(`${syscall} ${code} 192.0.2.1:443`), { code, syscall });
				return connectionError(new Error('The service could not be reached', { cause })).details.history;
			};
			expect([historyOf('connect'), historyOf('read')]).toEqual(['rejected', undefined]);
		},
	);

	test('is explained by a code in the causes of the error', () => {
		const thrown = new Error('outer', { cause: { cause: { code: 'ECONNREFUSED' } } });
		expect(connectionError(thrown).message).toBe('the service refused the connection');
	});

	test('with a status, as n8n 1 reports a response that was cut off, is explained as a closed connection', () => {
		const thrown = { httpCode: '200', message: 'stream has been aborted' };
		const { message, details } = connectionError(thrown);
		expect(message).toBe('the service closed the connection before its response was complete');
		expect(details).toEqual({ isTransient: true });
	});

	test.each([undefined, null, 'text', {}])('without a code, thrown as %p, is explained', (thrown) => {
		expect(connectionError(thrown)).toMatchObject({
			message: 'the service could not be reached',
			advice: 'Check the Base URL and the network of your n8n.',
			details: { isTransient: false },
		});
	});

	test('is explained without the name of a system error, since n8n would replace the message', () => {
		const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EPROTO'];
		for (const code of codes) {
			expect(connectionError({ code }).text).not.toMatch(/\bE[A-Z_]{4,}/);
		}
	});
});

describe('A body that is not a JSON object', () => {
	test.each([
		['<!DOCTYPE html>', 'a web page instead of data'],
		[' \n <p>Sorry</p>', 'a web page instead of data'],
		['x < y', 'something other than a JSON object'],
		[[], 'something other than a JSON object'],
		[undefined, 'something other than a JSON object'],
	])('is explained, such as %j', (body, found) => {
		const problem = `the service responded with ${found}`;
		const advice = 'Check the Base URL in the credential.';
		expect(explainUnexpectedBody(body)).toEqual({ problem, advice });
		expect(explainUnexpectedBody(body, 'Check the Path.').advice).toBe('Check the Path.');
	});
});

describe('The field "status"', () => {
	test.each([false, 0, 'false', 'error', 'fail', 'failed', 'failure', 'FAILED', ' Error '])(
		'reports a failure if it is %j',
		(status) => {
			expect(isFailedStatus(status)).toBe(true);
		},
	);

	test.each([true, 1, null, undefined, '', 'true', 'ok', '0', 'no failure', [], {}])(
		'reports no failure if it is %j',
		(status) => {
			expect(isFailedStatus(status)).toBe(false);
		},
	);
});

describe('An HTTP status', () => {
	test.each([
		[199, 'the service rejected the request (199)', 'Check the Base URL in the credential.'],
		[300, 'the service responded with a redirect (300)', 'Check the Base URL in the credential.'],
		[399, 'the service responded with a redirect (399)', 'Check the Base URL in the credential.'],
		[400, 'the service rejected the request (400)', 'Check the Base URL in the credential.'],
		[407, 'the proxy between n8n and the service requires a password (407)', 'Check the proxy settings of your n8n.'],
		[429, 'the service is rate-limiting requests (429)', 'Try again later.'],
		[499, 'the service rejected the request (499)', 'Check the Base URL in the credential.'],
		[500, 'the service failed (500)', 'Try again later.'],
		[599, 'the service failed (599)', 'Try again later.'],
	])('of %p is explained', (status, problem, advice) => {
		expect(explainStatus(status, {})).toEqual({ problem, advice });
	});

	test('is explained as the request says, first for the status and then for its range', () => {
		const specific = { 404: 'it is gone. Look around. Try.', '4xx': 'it is wrong. Check it.' };
		expect(explainStatus(404, specific)).toEqual({
			problem: 'it is gone (404)',
			advice: 'Look around. Try.',
		});
		expect(explainStatus(400, specific)).toEqual({
			problem: 'it is wrong (400)',
			advice: 'Check it.',
		});
	});
});

describe('The retry hints of a response', () => {
	test('call only the HTTP statuses of a busy or restarting service transient', () => {
		const transient = Array.from({ length: 500 }, (_, index) => index + 100).filter(
			(status) => readRetryHints(status, {}).isTransient,
		);
		expect(transient).toEqual([429, 502, 503, 504]);
	});

	test('contain its status and Retry-After', () => {
		expect(readRetryHints(429, { 'retry-after': '7' })).toEqual({
			status: 429,
			isTransient: true,
			retryAfter: 7000,
		});
		expect(readRetryHints(503, {}).retryAfter).toBeUndefined();
	});
});

describe('The header Retry-After', () => {
	useFakeClock();

	const readRetryAfter = (value: unknown) => readRetryHints(503, { 'retry-after': value } as IDataObject).retryAfter;

	test('may be a number of seconds', () => {
		expect(readRetryAfter('0')).toBeUndefined();
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(readRetryAfter(` ${seconds} `)).toBe(seconds > 0 ? seconds * 1000 : undefined);
			}),
		);
	});

	test('may be a date, and neither a past date nor 0 seconds means that a retry needs no wait', () => {
		const now = Date.UTC(2030, 0, 1);
		jest.setSystemTime(now);
		fc.assert(
			fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
				const date = new Date(now + seconds * 1000).toUTCString();
				expect(readRetryAfter(date)).toBe(seconds > 0 ? seconds * 1000 : undefined);
			}),
		);
	});

	test('may be a date in an obsolete format', () => {
		jest.setSystemTime(Date.UTC(1994, 10, 6, 8, 49, 30));
		expect(readRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(7000);
	});

	test.each([
		undefined,
		'',
		'-5',
		'1.5',
		'soon',
		'12 s',
		'Mon, whenever',
		'1 Mon 2030',
		'on Mon, 07 Jan 2030 00:00:00 GMT',
		5,
		['5'],
	])('is ignored if it is %j', (value) => {
		expect(readRetryAfter(value)).toBeUndefined();
	});
});

describe('A request that n8n itself refuses to send', () => {
	/** An error without a code, as n8n wraps what its request helper throws. */
	const wrapped = (message: string) => connectionError(Object.assign(new Error('x'), { cause: new Error(message) }));

	test.each([
		[
			'The request was blocked because it resolves to a restricted IP address',
			"n8n's SSRF protection blocks the address of the service",
			'N8N_SSRF_ALLOWED_IP_RANGES',
		],
		[
			'The request was blocked because the destination hostname is restricted',
			"n8n's SSRF protection blocks the address of the service",
			'N8N_SSRF_ALLOWED_HOSTNAMES',
		],
		[
			'Domain not allowed: This credential is restricted from accessing example.com.',
			'the credential does not allow requests to the host of the service',
			'Allowed HTTP Request Domains',
		],
		[
			'No allowed domains specified. Configure allowed domains or change restriction setting.',
			'the credential does not allow requests to the host of the service',
			'Allowed HTTP Request Domains',
		],
	])('is explained, and was not sent: %s', (message, problem, setting) => {
		const error = wrapped(message);
		expect(error.message).toBe(problem);
		expect(error.advice).toContain(setting);
		expect(error.details.history).toBe('not sent');
		expect(error.details.isTransient).toBeFalsy();
	});
});

test.each([
	['HPE_HEADER_OVERFLOW', 'the headers of the response are too large for n8n'],
	['HPE_INVALID_CONSTANT', 'the response is not HTTP'],
])('A response that n8n cannot read is explained by its code, %s', (code, problem) => {
	const error = connectionError(Object.assign(new Error('x'), { code }));
	expect(error.message).toBe(problem);
	// The service has received the request.
	expect(error.details.history).toBeUndefined();
});
