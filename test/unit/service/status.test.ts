import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { readChallenge, readRetryHints, statusFailure } from '../../../nodes/ProfilePage/service/status';
import { inWords } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';

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

	const findRetryAfter = (value: unknown) => readRetryHints(503, { 'retry-after': value } as IDataObject).retryAfter;

	test('may be a number of seconds', () => {
		expect(findRetryAfter('0')).toBeUndefined();
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(findRetryAfter(` ${seconds} `)).toBe(seconds > 0 ? seconds * 1000 : undefined);
			}),
		);
	});

	test('may be a date, and neither a past date nor 0 seconds means that a retry needs no wait', () => {
		const now = Date.UTC(2030, 0, 1);
		jest.setSystemTime(now);
		fc.assert(
			fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
				const date = new Date(now + seconds * 1000).toUTCString();
				expect(findRetryAfter(date)).toBe(seconds > 0 ? seconds * 1000 : undefined);
			}),
		);
	});

	test('may be a date in an obsolete format', () => {
		jest.setSystemTime(Date.UTC(1994, 10, 6, 8, 49, 30));
		expect(findRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(7000);
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
		expect(findRetryAfter(value)).toBeUndefined();
	});
});

const challengeIn = (header: unknown) => readChallenge({ 'www-authenticate': header } as never);
const NOTHING = { error: undefined, description: undefined };

test.each([
	['Bearer error="insufficient_scope", error_description="Ask for links."', 'insufficient_scope', 'Ask for links.'],
	['bearer realm="a, error=b",error=invalid_token', 'invalid_token', undefined],
	['Basic realm="x", Bearer error="invalid_token"', 'invalid_token', undefined],
	[
		String.raw`Bearer error_description="Say \"links\".", ERROR="insufficient_scope"`,
		'insufficient_scope',
		'Say "links".',
	],
])('The challenge %s says why', (header, error, description) => {
	expect(challengeIn(header)).toEqual({ error, description });
});

test.each([undefined, null, 5, [], '', 'Bearer', 'Bearer realm="x"', 'Basic error="x"', 'Bearer my_error="x"'])(
	'The challenge %j says nothing',
	(header) => {
		expect(challengeIn(header)).toEqual(expect.objectContaining({}));
		expect({ ...NOTHING, ...challengeIn(header) }).toEqual(NOTHING);
	},
);

test('Any challenge is read', () => {
	fc.assert(fc.property(fc.anything(), (header) => expect(() => challengeIn(header)).not.toThrow()));
	fc.assert(fc.property(fc.string(), (text) => expect(() => challengeIn(`Bearer ${text}`)).not.toThrow()));
});
