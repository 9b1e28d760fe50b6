import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { derive, digestOf, isDue, renewalTime, requestByN8n } from '../../../nodes/ProfilePage/auth/app';
import { privateApp } from '../../../nodes/ProfilePage/auth/privateApp';
import { noToken, ServiceError } from '../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

describe('The renewal time of a token', () => {
	test.each([
		['30 s before it expires', 3_600_000, 3_570_000],
		['when a tenth of a short lifetime is left', 60_000, 54_000],
	])('is %s', (_when, lifetime, time) => {
		expect(renewalTime(NOW + lifetime, lifetime)).toBe(NOW + time);
	});

	test.each([0, -1, NaN])('is never if its lifetime is %p', (lifetime) => {
		expect(renewalTime(NOW, lifetime)).toBe(Infinity);
	});

	test.each([0, -1, NaN])('is never if it expires at %p', (expiresAt) => {
		expect(renewalTime(expiresAt, 60_000)).toBe(Infinity);
	});

	test('makes a token due from then on', () => {
		expect(isDue({ value: 'token', renewAt: NOW + 1 })).toBe(false);
		expect(isDue({ value: 'token', renewAt: NOW })).toBe(true);
		expect(isDue({ value: 'token', renewAt: Infinity })).toBe(false);
	});
});

test('Two digests are the same only if all their parts are', () => {
	const parts = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', '","', 'a","b', '\\', '')));
	fc.assert(
		fc.property(parts, parts, (one, other) => {
			const isSame = JSON.stringify(one) === JSON.stringify(other);
			expect(digestOf(...one) === digestOf(...other)).toBe(isSame);
			expect(digestOf(...one)).toMatch(/^[0-9a-f]{64}$/);
		}),
	);
});

test('A derived context has other properties, and leaves the original unchanged', () => {
	const context = { getTimezone: () => 'UTC', getMode: () => 'manual' };
	const derived = derive(context as unknown as IExecuteFunctions, { getMode: () => 'trigger' });
	expect([derived.getTimezone(), derived.getMode()]).toEqual(['UTC', 'trigger']);
	expect(context.getMode()).toBe('manual');
});

test('n8n signs a request with the fields and the signal that it is given', async () => {
	const signal = new AbortController().signal;
	const data = { accessToken: 'token' };
	const request = { url: 'https://example.com' };
	const context = {
		getCredentials: () => Promise.resolve({ accessToken: 'stored' }),
		helpers: {
			async httpRequestWithAuthentication(this: IExecuteFunctions, ...given: unknown[]) {
				const credential = await this.getCredentials('x');
				return { given, credential, signal: this.getExecutionCancelSignal() };
			},
		},
	} as unknown as IExecuteFunctions;
	expect(await requestByN8n(context, privateApp, data, request, signal)).toEqual({
		given: ['profilePageApi', request],
		credential: data,
		signal,
	});
});

describe('What n8n throws instead of sending a request', () => {
	/** Returns what is thrown if n8n throws this. */
	async function fail(thrown: unknown): Promise<unknown> {
		const httpRequestWithAuthentication = () => {
			throw thrown as Error;
		};
		const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
		const request = { url: 'https://example.com' };
		const { signal } = new AbortController();
		return await requestByN8n(context, privateApp, {}, request, signal).catch((error: unknown) => error);
	}

	test('is the error of the credential, with its details, and tells that nothing was sent', async () => {
		const details = { status: 503, isTransient: true, retryAfter: 7000 } as const;
		const thrown = noToken({ problem: 'the service failed (503)', advice: 'Wait.' }, details);
		// n8n wraps the error, and keeps only its context.
		const wrapped = Object.assign(new Error('x'), { context: thrown.context });
		const error = await fail(wrapped);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'No access token: the service failed (503)',
			advice: 'Wait.',
			details: { ...details, history: 'not sent', isSentence: true },
		});
	});

	test.each([undefined, null, 'text', new Error('x'), { context: {} }, { context: { explained: 1 } }])(
		'is %p itself if that contains no error of the credential',
		async (thrown) => {
			expect(await fail(thrown)).toBe(thrown);
		},
	);
});
