import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	connectionFailure,
	statusFailure,
	unexpectedBody,
	readRetryHints,
} from '../../../nodes/ProfilePage/service/explain';
import { inWords } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';

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

describe('A body that is not a JSON object', () => {
	test.each([
		['<!DOCTYPE html>', 'a web page instead of data'],
		[' \n <p>Sorry</p>', 'a web page instead of data'],
		['x < y', 'something other than a JSON object'],
		[[], 'something other than a JSON object'],
		[undefined, 'something other than a JSON object'],
	])('is explained, such as %j', (body, found) => {
		const problem = `the service responded with ${found}`;
		expect(unexpectedBody(body)).toEqual([problem, 'Check the Base URL in the credential.']);
		expect(unexpectedBody(body, 'Check the Path.')).toEqual([problem, 'Check the Path.']);
	});
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
		const failure = statusFailure(status, {}, {});
		expect(failure.problem).toBe(problem);
		expect(inWords({ ...failure, kind: 'token' }).description).toBe(advice);
	});

	test.each([
		[302, 'unknown'],
		[400, 'not applied'],
		[408, 'unknown'],
		[429, 'not applied'],
		[499, 'unknown'],
		[500, 'unknown'],
		[503, 'unknown'],
	])('of %p says of a change that its outcome is: %s', (status, outcome) => {
		expect(statusFailure(status, {}, {}).outcome).toBe(outcome);
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
