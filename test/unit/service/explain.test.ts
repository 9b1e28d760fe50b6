import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { explainConnection } from '../../../nodes/ProfilePage/n8n/transport';
import {
	connectionFailure,
	explainStatus,
	explainUnexpectedBody,
	readRetryHints,
} from '../../../nodes/ProfilePage/service/explain';
import { isFailedStatus } from '../../../nodes/ProfilePage/service/verdict';
import { inOneText, inWords } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';

describe('A connection failure', () => {
	test.each([
		['ECONNREFUSED', 'the service refused the connection'],
		['ENOTFOUND', 'the host of the service was not found'],
		['EAI_AGAIN', 'the DNS lookup of the service failed'],
		['EHOSTUNREACH', 'the service is unreachable'],
		['ENETUNREACH', 'the service is unreachable'],
		['EPIPE', 'the service closed the connection before its response was complete'],
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
		const failure = connectionFailure(code);
		expect(failure.problem).toBe(explanation);
		expect(inWords(failure).description).toMatch(/^[A-Z].*\.$/);
	});

	test.each([
		['ECONNREFUSED', true],
		['ECONNRESET', true],
		['EPIPE', true],
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
		expect(connectionFailure(code).passes).toBe(isTransient ? 'soon' : undefined);
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
		['ECONNABORTED', false],
		['ETIMEDOUT', false],
		['SOMETHING_ELSE', false],
	])('with the code %s means that a change was not applied: %p', (code, isNotApplied) => {
		expect(connectionFailure(code).outcome).toBe(isNotApplied ? 'rejected' : 'unknown');
	});

	test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
		'with the code %s means that a change was not applied if there was no connection yet',
		(code) => {
			const outcomeOf = (syscall: string) => {
				const cause = Object.assign(new Error(`${syscall} ${code} 192.0.2.1:443`), { code, syscall });
				return explainConnection(new Error('The service could not be reached', { cause })).outcome;
			};
			expect([outcomeOf('connect'), outcomeOf('read')]).toEqual(['rejected', 'unknown']);
		},
	);

	test('is explained by a code in the causes of the error', () => {
		const thrown = new Error('outer', { cause: { cause: { code: 'ECONNREFUSED' } } });
		expect(explainConnection(thrown).problem).toBe('the service refused the connection');
	});

	test.each([
		['its status, as in n8n 1', { httpCode: '200', message: 'stream has been aborted' }],
		['the code of n8n’s HTTP client', { code: 'ERR_BAD_RESPONSE' }],
	])('of a response that was cut off, which has %s, is explained as a closed connection', (_what, thrown) => {
		expect(explainConnection(thrown)).toMatchObject({
			problem: 'the service closed the connection before its response was complete',
			passes: 'soon',
			outcome: 'unknown',
		});
	});

	test.each([undefined, null, 'text', {}])('without a code, thrown as %p, is explained', (thrown) => {
		const failure = explainConnection(thrown);
		expect(failure.problem).toBe('the service could not be reached');
		expect(failure.advice).toBe('Check the Base URL and the network of your n8n.');
		expect(failure.passes).toBeUndefined();
	});

	test('is explained without the name of a system error, since n8n would replace the message', () => {
		const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EPROTO'];
		for (const code of codes) {
			expect(inOneText(connectionFailure(code))).not.toMatch(/\bE[A-Z_]{4,}/);
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
		expect(explainUnexpectedBody(body)).toEqual([problem, 'Check the Base URL in the credential.']);
		expect(explainUnexpectedBody(body, 'Check the Path.')).toEqual([problem, 'Check the Path.']);
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
		const failure = explainStatus(status, {}, {});
		expect(failure.problem).toBe(problem);
		expect(inWords({ ...failure, kind: 'token' }).description).toBe(advice);
	});

	test('is explained as the request says, first for the status and then for its range', () => {
		const specific = { 404: ['it is gone', 'Look around.'], '4xx': ['it is wrong', 'Check it.'] } as const;
		expect(explainStatus(404, {}, specific)).toMatchObject({ problem: 'it is gone (404)', advice: 'Look around.' });
		expect(explainStatus(400, {}, specific)).toMatchObject({ problem: 'it is wrong (400)', advice: 'Check it.' });
	});

	test.each([
		[302, 'unknown'],
		[400, 'rejected'],
		[408, 'unknown'],
		[429, 'rejected'],
		[499, 'unknown'],
		[500, 'unknown'],
		[503, 'unknown'],
	])('of %p says of a change that its outcome is: %s', (status, outcome) => {
		expect(explainStatus(status, {}, {}).outcome).toBe(outcome);
	});
});

describe('The retry hints of a response', () => {
	test('call only the HTTP statuses of a busy or restarting service transient', () => {
		const transient = Array.from({ length: 500 }, (_, index) => index + 100).filter(
			(status) => readRetryHints(status, {}).passes === 'soon',
		);
		expect(transient).toEqual([429, 502, 503, 504]);
	});

	test('contain its status and Retry-After', () => {
		expect(readRetryHints(429, { 'retry-after': '7' })).toEqual({
			status: 429,
			passes: 'soon',
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
	const wrapped = (message: string) => explainConnection(Object.assign(new Error('x'), { cause: new Error(message) }));

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
		const failure = wrapped(message);
		expect(failure).toMatchObject({ problem, outcome: 'not sent' });
		expect(failure.advice).toContain(setting);
		expect(failure.passes).toBeUndefined();
	});
});

test('An IP address with https://, which n8n cannot use, is explained', () => {
	expect(explainConnection(new Error('x', { cause: { code: 'ERR_INVALID_ARG_VALUE' } }))).toMatchObject({
		problem: 'your n8n cannot use an IP address with https://',
		outcome: 'not sent',
	});
});

test.each([
	['HPE_HEADER_OVERFLOW', 'the headers of the response are too large for n8n'],
	['HPE_INVALID_CONSTANT', 'the response is not HTTP'],
])('A response that n8n cannot read is explained by its code, %s', (code, problem) => {
	const failure = explainConnection(Object.assign(new Error('x'), { code }));
	// The service has received the request.
	expect(failure).toMatchObject({ problem, outcome: 'unknown' });
});
