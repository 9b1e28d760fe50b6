import fc from 'fast-check';

import type { Failure } from '../../../nodes/ProfilePage/service/failure';
import { readPayload } from '../../../nodes/ProfilePage/service/payload';
import type { ServiceRequest } from '../../../nodes/ProfilePage/service/request';
import { settleResponse, unexpectedBody } from '../../../nodes/ProfilePage/service/response';

test.each([
	['there are two objects', { status: true, info: {}, meta: {} }],
	['it has no status', { username: 'x', address: { city: 'y' } }],
])('The payload of a response is all of it if %s', (_what, envelope) => {
	expect(readPayload(envelope)).toEqual(envelope);
});

/** A read request. */
const read: ServiceRequest = {
	method: 'GET',
	path: '/',
	idempotent: true,
	subject: 'the list of blocks',
	effect: ['was', 'read'],
	advice: 'List all blocks.',
};

/** A change that a response confirms by reporting success. */
const change: ServiceRequest = { ...read, method: 'POST' };

/** A change that is not idempotent, and that a response also confirms by containing an ID. */
const create: ServiceRequest = { ...change, idempotent: false, confirms: ({ id }) => id !== undefined };

/** Returns the failure in a response with any body, or undefined if it is a success. */
function findFailure(statusCode: number, body: unknown, request: ServiceRequest): Failure | undefined {
	const ended = settleResponse({ statusCode, body, headers: {} }, request, () => ({}));
	return ended.outcome === 'done' ? undefined : ended;
}

const NOT_CONFIRMED = 'the response does not confirm success';
const FAILED = 'the service reported a failure';

describe('A response', () => {
	test.each([
		[200, { status: true, data: {} }],
		[200, { data: {} }],
		[201, { status: true }],
		[299, { status: true }],
	])('with HTTP %p and the body %p is a success', (status, body) => {
		expect(findFailure(status, body, read)).toBeUndefined();
	});

	test('with HTTP 422, which means nothing in particular, is a rejection by the address or the fields', () => {
		expect(findFailure(422, {}, read)).toMatchObject({
			problem: 'the service rejected the request (422)',
			advice: 'Check the Base URL in the credential and the fields of the node.',
		});
	});
});

describe('A response that', () => {
	test.each([
		[{ status: false }, `${FAILED} (status: false)`],
		[{ status: 0 }, `${FAILED} (status: 0)`],
		[{ status: 'error' }, FAILED],
		[{ success: false }, FAILED],
	])('reports a failure means that the request was not applied, and its texts are not quoted: %j', (body, problem) => {
		const failure = { outcome: 'not applied', problem, advice: 'List all blocks.' };
		for (const request of [read, change, create]) expect(findFailure(200, body, request)).toMatchObject(failure);
	});

	test.each([
		[{ status: null }, `${NOT_CONFIRMED} (status: null)`],
		[{ status: 1 }, `${NOT_CONFIRMED} (status: 1)`],
		[{ status: 8675309123 }, NOT_CONFIRMED],
		[{ status: 'x'.repeat(500) }, NOT_CONFIRMED],
		[{ status: {} }, NOT_CONFIRMED],
		[{ success: 'true' }, NOT_CONFIRMED],
		['no JSON', 'the service responded with something other than a JSON object'],
		['', 'the response is empty'],
	])('is unclear has an unknown outcome, and its texts are not quoted: %j', (body, problem) => {
		for (const request of [read, change, create]) {
			expect(findFailure(200, body, request)).toMatchObject({ outcome: 'unknown', problem });
		}
	});

	test('is unclear may be a success later, if it was to a read', () => {
		for (const body of [{ status: 1 }, '']) expect(findFailure(200, body, read)?.passes).toBe('later');
	});

	test('has no status confirms a change only if it shows that', () => {
		expect(findFailure(200, { id: 7 }, create)).toBeUndefined();
		expect(findFailure(200, { id: 7, errors: ['x'] }, create)?.problem).toBe(NOT_CONFIRMED);
		expect(findFailure(200, {}, create)?.problem).toBe(NOT_CONFIRMED);
	});

	test('has the status of a rejection was not applied, whatever it contains', () => {
		expect(findFailure(404, '<p>Not here</p>', change)?.outcome).toBe('not applied');
		expect(findFailure(503, { status: false }, change)?.outcome).toBe('unknown');
	});
});

describe('A response that is a success unless it denies that', () => {
	/** Requests of which nothing else is known. */
	const ANY = [read, change, create].map((request) => ({ ...request, isUndocumented: true }));

	test.each(['<!DOCTYPE html>', ' \n<p>Sorry</p>', '{"status": tr', '["a"', ' ['])(
		'is a failure if it is %j, a web page or broken JSON',
		(body) => {
			for (const request of ANY) {
				expect(findFailure(200, body, request)?.problem).toMatch(/^the service responded with /);
				expect(findFailure(200, body, request)?.outcome).toBe('unknown');
			}
		},
	);

	test.each([199, 300, 400, 404, 500])('is a failure with HTTP %d, whatever it contains', (status) => {
		for (const request of ANY) {
			for (const body of [{ status: true }, 'Done.', '']) {
				expect(findFailure(status, body, request)?.problem).toContain(`(${status})`);
			}
		}
	});

	test('is a success with every JSON value that has none of these fields', () => {
		const value = fc.jsonValue().filter((body) => typeof body !== 'string' || !/^\s*[[{<]/.test(body));
		const denies = ['status', 'success', 'error', 'errors'];
		const others = value.filter((body) => !denies.some((name) => Object.hasOwn(Object(body) as object, name)));
		fc.assert(
			fc.property(others, (body) => {
				for (const request of ANY) expect(findFailure(200, body, request)).toBeUndefined();
			}),
		);
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
