import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { readPayload } from '../../../nodes/ProfilePage/service/payload';
import { readResponse, unexpectedBody } from '../../../nodes/ProfilePage/service/response';
import { done, type Failure, unreadable } from '../../../nodes/ProfilePage/service/failure';
import { isChange, type ServiceRequest, type ServiceResponse } from '../../../nodes/ProfilePage/service/request';
import { inOneText, inWords } from '../../../nodes/ProfilePage/service/words';

describe('The payload of a response', () => {
	test.each([
		['its data', { status: true, data: { a: 1 } }, { a: 1 }],
		['data if there is another object', { status: true, data: { a: 1 }, meta: {} }, { a: 1 }],
		['the only object other than status', { status: true, info: { a: 1 }, errors: [] }, { a: 1 }],
		['the whole response if there are two objects', { status: true, info: {}, meta: {} }, 'all'],
		['the whole response if there is no object', { status: true, username: 'x' }, 'all'],
		['the whole response if data is not an object', { status: true, data: [1] }, 'all'],
		['the whole response if it has no status', { username: 'x', address: { city: 'y' } }, 'all'],
	])('is %s', (_what, envelope, payload) => {
		expect(readPayload(envelope)).toEqual(payload === 'all' ? envelope : payload);
	});
});

/** A request, and how its operation reads the response. */
interface Sent {
	request: ServiceRequest;
	read: (envelope: IDataObject) => object;
}

/** A read request. */
const read: Sent = {
	request: {
		method: 'GET',
		path: '/',
		idempotent: true,
		subject: 'the list of blocks',
		effect: ['was', 'read'],
		advice: 'List all blocks.',
	},
	read: () => ({}),
};

/** A change that a response confirms by reporting success. */
const change: Sent = { ...read, request: { ...read.request, method: 'POST' } };

/** A change that is not idempotent, and that a response also confirms by containing an ID. */
const create: Sent = {
	request: { ...change.request, idempotent: false, confirms: ({ id }) => id !== undefined },
	read: () => ({}),
};

/** A response with any body, as n8n's request helper returns it. */
const responseOf = (statusCode: number, body: unknown, headers = {}): ServiceResponse => ({
	statusCode,
	body,
	headers,
});

/** Returns the failure in a response, or undefined if it is a success. */
function findFailure(
	status: number,
	body: unknown,
	{ request, read: toResult }: Sent,
	headers = {},
): Failure | undefined {
	const ended = readResponse(responseOf(status, body, headers), request, toResult);
	return ended.outcome === 'done' ? undefined : ended;
}

/** Returns what is wrong with a response, or undefined if it is a success. */
function findProblem(...response: Parameters<typeof findFailure>) {
	const failure = findFailure(...response);
	return failure && { problem: failure.problem, advice: inWords(failure).description };
}

/** Returns the same in one text, without the words of the request. */
function findText(...response: Parameters<typeof findFailure>): string | undefined {
	const failure = findFailure(...response);
	return failure && inOneText(failure);
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
		expect(findProblem(status, body, read)).toBeUndefined();
	});

	test.each([
		[199, { status: true }, 'the service rejected the request (199). Check the Base URL'],
		[300, {}, 'the service responded with a redirect (300). Check the Base URL'],
		[400, {}, 'the service rejected the request (400). List all blocks.'],
		[401, {}, 'the service rejected a new access token (401). Check that the app still has access'],
		[403, {}, 'the service denied access (403). Check the permissions of the app'],
		[404, {}, 'the service has nothing at this address (404). Check the Base URL'],
		[422, {}, 'the service rejected the request (422). Check the Base URL'],
		[429, {}, 'the service is rate-limiting requests (429). Wait a while'],
		[500, {}, 'the service failed (500). Try again later'],
		[200, '<!DOCTYPE html><html></html>', 'a web page instead of data. Check the Base URL'],
		[200, '{"status": tr', 'something other than a JSON object. Check the Base URL'],
		[200, [], 'something other than a JSON object'],
		[200, '', 'the response is empty. Try again later.'],
		[200, null, 'the response is empty. Try again later.'],
		[204, undefined, 'the response is empty. Try again later.'],
	])('with HTTP %p and the body %p is a failure', (status, body, text) => {
		expect(findText(status, body, read)?.toLowerCase()).toContain(text.toLowerCase());
	});

	test('with a status is explained as the request says', () => {
		const statuses = { 404: ['it is gone', 'Look elsewhere.'], '4xx': ['it is wrong', 'Check it.'] } as const;
		const sent = { ...read, request: { ...read.request, statuses } };
		expect(findText(404, {}, sent)).toBe('It is gone (404). Look elsewhere.');
		expect(findText(422, {}, sent)).toBe('It is wrong (422). Check it.');
		expect(findText(400, {}, sent)).toContain(read.request.advice);
	});

	test('that is not JSON is explained with the advice of the request', () => {
		const sent = { ...read, request: { ...read.request, adviceIfNotJson: 'Check the Path.' } };
		expect(findProblem(200, '<p>Sorry</p>', sent)?.advice).toBe('Check the Path.');
	});

	test('that is a failure is reported with its status, and what it says about a retry', () => {
		const failure = findFailure(503, { message: 'Busy' }, read, { 'retry-after': '7' });
		expect(failure).toMatchObject({ status: 503, passes: 'soon', retryAfter: 7000 });
		expect(findFailure(200, { status: false }, read)).toMatchObject({ status: 200 });
		expect(findFailure(200, { status: false }, read)?.passes).toBeUndefined();
	});

	test('that is a success is read by the operation', () => {
		const response = { statusCode: 200, body: { status: true, id: 7 }, headers: {} };
		const result = readResponse(response, read.request, ({ id }) => ({ link: id }));
		expect(result).toEqual(done({ link: 7 }));
	});

	test('in which the operation finds a problem is a failure, unless the service reports one itself', () => {
		const found = { problem: 'the response contains no list', advice: 'Check it.' };
		const sent: Sent = {
			...read,
			read: () => {
				throw unreadable(found.problem, found.advice);
			},
		};
		expect(findProblem(200, { status: true }, sent)).toEqual(found);
		expect(findProblem(200, { status: false }, sent)?.problem).toBe(`${FAILED} (status: false)`);
		expect(findProblem(200, { status: 'ok' }, sent)?.problem).toBe(NOT_CONFIRMED);
	});
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s is a change, unlike GET', (method) => {
	expect([isChange({ method }), isChange({ method: 'GET' })]).toEqual([true, false]);
});

describe('A response that', () => {
	test.each([
		[{ status: false }, `${FAILED} (status: false)`],
		[{ status: 0 }, `${FAILED} (status: 0)`],
		[{ status: 'error' }, FAILED],
		[{ success: false }, FAILED],
	])('reports a failure means that the request was not applied, and its texts are not quoted: %j', (body, problem) => {
		const failure = { outcome: 'not applied', problem, advice: 'List all blocks.' };
		for (const sent of [read, change, create]) expect(findFailure(200, body, sent)).toMatchObject(failure);
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
		for (const sent of [read, change, create]) {
			expect(findFailure(200, body, sent)).toMatchObject({ outcome: 'unknown', problem });
		}
	});

	test.each([
		['a read', read, 'Try again later.'],
		['an idempotent change', change, 'Look at your profile to see the result.'],
		['a change that is not idempotent', create, ''],
	])('is unclear is explained with the advice for %s', (_what, sent, advice) => {
		expect(findProblem(200, { status: 1 }, sent)?.advice).toBe(advice);
		expect(findProblem(200, '', sent)?.advice).toBe(advice);
	});

	test('has no status confirms a change only if it shows that', () => {
		expect(findProblem(200, { id: 7 }, create)).toBeUndefined();
		expect(findProblem(200, { id: 7, errors: ['x'] }, create)?.problem).toBe(NOT_CONFIRMED);
		expect(findProblem(200, {}, create)?.problem).toBe(NOT_CONFIRMED);
	});

	test('has the status of a rejection was not applied, whatever it contains', () => {
		expect(findFailure(404, '<p>Not here</p>', change)?.outcome).toBe('not applied');
		expect(findFailure(503, { status: false }, change)?.outcome).toBe('unknown');
	});
});

describe('A response that is a success unless it denies that', () => {
	/** A request of which nothing else is known, and the envelope in its response. */
	const any = ({ request }: Sent): Sent => ({
		request: { ...request, isUndocumented: true },
		read: (envelope) => envelope,
	});
	const ANY = [any(read), any(change), any(create)];

	const readEnvelope = (body: unknown, { request, read: toResult }: Sent) =>
		readResponse(responseOf(200, body), request, toResult);

	test.each([
		['an object', { status: 'ok', id: 1 }, { status: 'ok', id: 1 }],
		['an empty text', '', {}],
		['white space', ' \n', {}],
		['no body', undefined, {}],
		['null', null, {}],
		['a list', [{ id: 1 }, 2], { data: [{ id: 1 }, 2] }],
		['an empty list', [], { data: [] }],
		['a text', 'Done.', { value: 'Done.' }],
		['a text with a bracket in it', 'a < b', { value: 'a < b' }],
		['a number', 7, { value: 7 }],
		['zero', 0, { value: 0 }],
		['false', false, { value: false }],
	])('is read as an object if it is %s', (_what, body, envelope) => {
		for (const sent of ANY) expect(readEnvelope(body, sent)).toEqual(done(envelope));
	});

	test.each([201, 204, 299])('is a success with HTTP %d', (status) => {
		for (const sent of ANY) expect(findFailure(status, '', sent)).toBeUndefined();
	});

	test.each(['<!DOCTYPE html>', ' \n<p>Sorry</p>', '{"status": tr', '["a"', ' ['])(
		'is a failure if it is %j, a web page or broken JSON',
		(body) => {
			for (const sent of ANY) {
				expect(findFailure(200, body, sent)?.problem).toMatch(/^the service responded with /);
				expect(findFailure(200, body, sent)?.outcome).toBe('unknown');
			}
		},
	);

	test.each([300, 400, 404, 500])('is a failure with HTTP %d, whatever it contains', (status) => {
		for (const sent of ANY) {
			for (const body of [{ status: true }, 'Done.', '']) {
				expect(findFailure(status, body, sent)?.problem).toContain(`(${status})`);
			}
		}
	});

	test('is a success with every JSON value that has none of these fields', () => {
		const value = fc.jsonValue().filter((body) => typeof body !== 'string' || !/^\s*[[{<]/.test(body));
		const denies = ['status', 'success', 'error', 'errors'];
		const others = value.filter((body) => !denies.some((name) => Object.hasOwn(Object(body) as object, name)));
		fc.assert(
			fc.property(others, (body) => {
				for (const sent of ANY) expect(findFailure(200, body, sent)).toBeUndefined();
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
