import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { digestOf, renewalTime } from '../../../nodes/ProfilePage/n8n/apps/app';
import { CredentialError } from '../../../nodes/ProfilePage/n8n/errors';
import { tokenFailure } from '../../../nodes/ProfilePage/service/tokenEndpoint';
import { connectionFailureOf, requestByN8n } from '../../../nodes/ProfilePage/n8n/transport';
import { done } from '../../../nodes/ProfilePage/service/failure';
import { derive } from '../../../nodes/ProfilePage/n8n/context';

test.each([0, -1, NaN])('A token is never due if it expires at %p', (expiresAt) => {
	expect(renewalTime(expiresAt, 60_000)).toBe(Infinity);
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
	expect(await requestByN8n(context, 'profilePageApi', data, request, signal)).toEqual(
		done({ given: ['profilePageApi', request], credential: data, signal }),
	);
});

describe('What n8n throws instead of sending a request', () => {
	/** Returns the failure if n8n throws this. */
	async function fail(thrown: unknown) {
		const httpRequestWithAuthentication = () => {
			throw thrown as Error;
		};
		const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
		const request = { url: 'https://example.com' };
		return await requestByN8n(context, 'profilePageApi', {}, request, new AbortController().signal);
	}

	test('is the failure of the credential, and tells that nothing was sent', async () => {
		const failure = tokenFailure('the service failed (503)', 'Wait.', {
			status: 503,
			passes: 'soon',
			retryAfter: 7000,
		});
		// n8n wraps the error, and keeps only its context.
		const wrapped = Object.assign(new Error('x'), { context: new CredentialError(failure).context });
		expect(await fail(wrapped)).toEqual(failure);
	});

	test.each([undefined, null, 'text', new Error('x'), { context: {} }, { context: { failure: 1 } }])(
		'is a failure of the connection if it is %p, without an error of the credential',
		async (thrown) => {
			expect(await fail(thrown)).toMatchObject({ kind: 'request', problem: 'the service could not be reached' });
		},
	);
});

describe('An error of n8n’s request helper', () => {
	test('is explained by a code in its causes', () => {
		const thrown = new Error('outer', { cause: { cause: { code: 'ECONNREFUSED' } } });
		expect(connectionFailureOf(thrown).problem).toBe('the service refused the connection');
	});

	test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
		'with the code %s means that a change was not applied if there was no connection yet',
		(code) => {
			const outcomeOf = (syscall: string) => {
				const cause = Object.assign(new Error(`${syscall} ${code} 192.0.2.1:443`), { code, syscall });
				return connectionFailureOf(new Error('The service could not be reached', { cause })).outcome;
			};
			expect([outcomeOf('connect'), outcomeOf('read')]).toEqual(['not applied', 'unknown']);
		},
	);

	test.each([
		['its status, as in n8n 1', { httpCode: '200', message: 'stream has been aborted' }],
		['the code of n8n’s HTTP client', { code: 'ERR_BAD_RESPONSE' }],
	])('that a response broke off, told by %s, is explained as a closed connection', (_what, thrown) => {
		expect(connectionFailureOf(thrown)).toMatchObject({
			problem: 'the service closed the connection before its response was complete',
			passes: 'soon',
			outcome: 'unknown',
		});
	});

	test.each(['H2', '2H', 'XERR_BAD_RESPONSE', 'XERR_INVALID_ARG_VALUE'])(
		'with the code %s has no known cause',
		(code) => {
			expect(connectionFailureOf({ code }).problem).toBe('the service could not be reached');
		},
	);
});

const BLOCKED = "n8n's SSRF protection blocks the address of the service";
const NOT_ALLOWED = 'the credential does not allow requests to the host of the service';

describe('A request that n8n itself refuses to send', () => {
	test.each([
		['The request was blocked because it resolves to a restricted IP address', BLOCKED, 'SSRF_ALLOWED_IP_RANGES'],
		['The request was blocked because the destination hostname is restricted', BLOCKED, 'SSRF_ALLOWED_HOSTNAMES'],
		['Domain not allowed: This credential is restricted from accessing example.com.', NOT_ALLOWED, 'Allowed Domains'],
		['No allowed domains specified. Configure allowed domains or change restriction setting.', NOT_ALLOWED, 'to All'],
	])('is explained, and was not sent: %s', (message, problem, setting) => {
		// An error without a code, as n8n wraps what its request helper throws.
		const failure = connectionFailureOf(Object.assign(new Error('x'), { cause: new Error(message) }));
		expect(failure).toMatchObject({ problem, outcome: 'not applied' });
		expect(failure.advice).toContain(setting);
		expect(failure.passes).toBeUndefined();
	});

	test('because of an IP address with https:// is explained by its code', () => {
		expect(connectionFailureOf(new Error('x', { cause: { code: 'ERR_INVALID_ARG_VALUE' } }))).toMatchObject({
			problem: 'your n8n cannot use an IP address with https://',
			outcome: 'not applied',
		});
	});
});
