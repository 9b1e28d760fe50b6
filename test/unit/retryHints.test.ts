import fc from 'fast-check';

import { describeAnswer, readRetryAfter } from '../../nodes/ProfilePage/transport/retryHints';

test('the failure of a busy or restarting service is transient, any other is not', () => {
	const transient = Array.from({ length: 500 }, (_, index) => index + 100).filter(
		(status) => describeAnswer(status, {}).isTransient,
	);
	expect(transient).toEqual([429, 502, 503, 504]);
});

test('status and Retry-After are taken from the answer', () => {
	expect(describeAnswer(429, { 'retry-after': '7' })).toEqual({
		answerStatus: 429,
		isTransient: true,
		retryAfter: 7000,
	});
	expect(describeAnswer(503, {}).retryAfter).toBeUndefined();
});

test('Retry-After in seconds is read', () => {
	fc.assert(
		fc.property(fc.nat(), (seconds) => {
			expect(readRetryAfter(` ${seconds} `)).toBe(seconds * 1000);
		}),
	);
});

test('Retry-After as a date is read as the time until then, never less than none', () => {
	const now = Date.UTC(2030, 0, 1);
	fc.assert(
		fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
			const date = new Date(now + seconds * 1000).toUTCString();
			expect(readRetryAfter(date, now)).toBe(Math.max(0, seconds * 1000));
		}),
	);
});

test('the older form of a date is read too', () => {
	const now = Date.UTC(1994, 10, 6, 8, 49, 30);
	expect(readRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(7000);
});

test.each([undefined, '', '-5', '1.5', 'soon', '12 s', 'Mon, whenever', '1 Mon 2030', 5, ['5']])(
	'%j is no Retry-After',
	(value) => {
		expect(readRetryAfter(value)).toBeUndefined();
	},
);
