import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { connectionFailure, statusFailure, toFailedResponse } from '../../../nodes/ProfilePage/service/reasons';
import { useFakeClock } from '../../support/fakeClock';

const failureOf = (statusCode: number, body: unknown = {}) =>
	statusFailure({ statusCode, headers: {}, body }, { advice: 'Check the link.' }).data;

const ALL = Array.from({ length: 900 }, (_, index) => index + 100).filter((status) => status < 200 || status > 299);

describe('Of all statuses that are no success', () => {
	test('those of a rejection mean that nothing was done', () => {
		const rejections = ALL.filter((status) => failureOf(status).outcome === 'not applied');
		const rejected = ALL.filter((status) => status >= 400 && status < 500 && ![408, 499].includes(status));
		// The last ones are of a CDN that had no connection to the service.
		expect(rejections).toEqual([...rejected, 521, 523, 525, 526, 530]);
	});

	test('those of a busy or restarting service are transient, and no others', () => {
		const those = (expected?: true) => ALL.filter((status) => failureOf(status).isTransient === expected);
		const ofCdn = [520, 521, 522, 523, 524, 525, 526, 527, 528, 529, 530, 598, 599];
		const transient = [408, 425, 429, 499, 502, 503, 504, ...ofCdn];
		expect(those(true)).toEqual(transient);
		expect(those()).toEqual(ALL.filter((status) => !transient.includes(status)));
	});

	test('each is named in the message', () => {
		for (const status of ALL) expect(failureOf(status).problem).toMatch(new RegExp(` \\(${status}\\)$`));
	});
});

test('A request that was rejected for good has the advice of its own, but not one whose failure is transient', () => {
	expect([400, 409, 422].map((status) => failureOf(status).advice)).toEqual(Array(3).fill('Check the link.'));
	expect([429, 425, 500, 502].map((status) => failureOf(status).advice)).toEqual(Array(4).fill(undefined));
});

test('A 403, 405, or 406 without JSON may be of a firewall, and any 415', () => {
	const ofFirewalls = (body: unknown) =>
		[403, 404, 405, 406, 415].filter((status) => (failureOf(status, body).advice ?? '').includes('firewall'));
	expect(ofFirewalls('<title>Blocked</title>')).toEqual([403, 405, 406, 415]);
	expect(ofFirewalls({ message: 'No.' })).toEqual([415]);
});

test.each([
	['ECONNREFUSED', 'not applied', true],
	['EAI_AGAIN', 'not applied', true],
	['EMFILE', 'not applied', true],
	['ENOTFOUND', 'not applied', undefined],
	['CERT_HAS_EXPIRED', 'not applied', undefined],
	['EPROTO', 'not applied', undefined],
	['ECONNRESET', 'unknown', true],
	['EHOSTUNREACH', 'unknown', true],
	['ENETDOWN', 'unknown', true],
	['EADDRNOTAVAIL', 'unknown', true],
	['ETIMEDOUT', 'unknown', true],
	['HPE_INVALID_CONSTANT', 'unknown', undefined],
	['', 'unknown', undefined],
])('A request that ends with the code %j is %s, and transient: %s', (code, outcome, isTransient) => {
	const { data } = connectionFailure(code);
	expect([data.outcome, data.isTransient]).toEqual([outcome, isTransient]);
});

test('The code is in the message, unless n8n would replace the message because of it', () => {
	expect(connectionFailure('CERT_HAS_EXPIRED').data.problem).toMatch(/ \(CERT_HAS_EXPIRED\)$/);
	expect(connectionFailure('ECONNRESET').data.problem).toBe('the connection to the service broke');
	expect(connectionFailure('').data.problem).toBe('the service sent no usable response');
	expect(connectionFailure('EOTHER').data.problem).toMatch(/ \(EOTHER\)$/);
});

const NOW_S = Date.UTC(2031, 0, 1) / 1000;

describe('The header Retry-After', () => {
	useFakeClock(NOW_S * 1000);

	const findRetryAfter = (value: unknown) =>
		toFailedResponse({ statusCode: 503, headers: { 'retry-after': value } as IDataObject, body: {} }).retryAfter;

	test('may be a number of seconds', () => {
		expect([findRetryAfter('0'), findRetryAfter('1.5')]).toEqual([undefined, 2000]);
		fc.assert(
			fc.property(fc.nat(999_999_999), (seconds) => {
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

	test.each([
		undefined,
		'soon',
		'2s',
		'1.5.2',
		'-5',
		'2, 2',
		'on Mon, 07 Jan 2030 00:00:00 GMT',
		'Wed, 01 Jan 2031 00:01:00 +0100',
		[],
		String(NOW_S + 60),
		String((NOW_S + 60) * 1000),
	])('is ignored if it is %j', (value) => {
		expect(findRetryAfter(value)).toBeUndefined();
	});
});
