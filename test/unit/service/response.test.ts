import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isProblem, type Problem } from '../../../nodes/ProfilePage/shared/errors';
import { readResponse, readPayload } from '../../../nodes/ProfilePage/transport/response';
import type { ServiceRequest } from '../../../nodes/ProfilePage/transport/serviceRequest';

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
		documentedBy: 'contract',
		idempotent: true,
		subject: 'The list of blocks',
		outcome: 'was read',
		advice: 'List all blocks.',
	},
	read: () => ({}),
};

/** A change that a response confirms by reporting success. */
const change: Sent = { ...read, request: { ...read.request, method: 'POST' } };

/** A change that is not idempotent, and that a response also confirms by containing an ID. */
const create: Sent = {
	request: { ...change.request, idempotent: false },
	read: ({ id }) => ({ isConfirmed: id !== undefined }),
};

/** Returns what is wrong with a response, or undefined if it is a success. */
function findProblem(status: number, body: unknown, { request, read: toResult }: Sent) {
	const result = readResponse<object>({ status, body, headers: {} }, request, toResult);
	return isProblem(result) ? result : undefined;
}

function textOf(found: Problem | undefined): string | undefined {
	return found && `${found.problem}. ${found.advice}`;
}

const isNotApplied = (...response: Parameters<typeof findProblem>) =>
	findProblem(...response)?.isNotApplied === true;

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
		[302, {}, 'the service responded with a redirect (302). Check the Base URL'],
		[400, {}, 'the service rejected the request (400). List all blocks.'],
		[401, {}, 'the service rejected a new access token (401). Check that the app still has access'],
		[403, {}, 'the service denied access (403). Check the permissions of the app'],
		[404, {}, 'the service has nothing at this address (404). Check the Base URL'],
		[407, {}, 'the proxy between n8n and the service requires a password (407). Check the proxy'],
		[422, {}, 'the service rejected the request (422). Check the Base URL'],
		[429, {}, 'the service is rate-limiting requests (429). Wait a while'],
		[500, {}, 'the service failed (500). Try again later'],
		[503, {}, 'the service failed (503). Try again later'],
		[200, '<!DOCTYPE html><html></html>', 'a web page instead of data. Check the Base URL'],
		[200, ' \n <p>Sorry</p>', 'a web page instead of data. Check the Base URL'],
		[200, 'x < y', 'something other than a JSON object. Check the Base URL'],
		[200, 'x<y', 'something other than a JSON object. Check the Base URL'],
		[200, '{"status": tr', 'something other than a JSON object. Check the Base URL'],
		[200, [], 'something other than a JSON object'],
		[200, '', 'the response is empty. Try again later.'],
		[200, null, 'the response is empty. Try again later.'],
		[204, undefined, 'the response is empty. Try again later.'],
	])('with HTTP %p and the body %p is a failure', (status, body, text) => {
		expect(textOf(findProblem(status, body, read))).toContain(text);
	});

	test.each([
		['a read', read, 'Try again later.'],
		['an idempotent change', change, 'Look at your profile to see the result.'],
		['a change that is not idempotent', create, ''],
	])('that is empty is explained with the advice for %s', (_what, sent, advice) => {
		const problem = 'the response is empty';
		expect(findProblem(200, '', sent)).toEqual({ problem, advice });
	});

	test('with HTTP 404 says where the endpoint is documented, unless the contract documents it', () => {
		const request = { ...read.request, documentedBy: 'public documentation' } as const;
		const words = 'the one used here is that of Lnk.Bio';
		expect(findProblem(404, {}, { ...read, request })?.advice).toContain(words);
		expect(findProblem(404, {}, read)?.advice).not.toContain(words);
	});

	/** The same, sent by an operation with options. */
	const withOptions = ({ request, ...others }: Sent): Sent => ({
		request: { ...request, hasOptions: true },
		...others,
	});

	test('with HTTP 503 advises to raise Max Retries only if there are options and the request is idempotent', () => {
		const advice = 'Try again later, or raise Max Retries in the options of the node.';
		expect(findProblem(503, {}, withOptions(read))?.advice).toBe(advice);
		expect(findProblem(503, {}, withOptions(change))?.advice).toBe(advice);
		for (const sent of [withOptions(create), read, change, create]) {
			expect(findProblem(503, {}, sent)?.advice).toBe('Try again later.');
		}
	});

	test.each([500, 501])(
		'with HTTP %d, which is not retried, does not mention Max Retries',
		(status) => {
			expect(findProblem(status, {}, withOptions(change))?.advice).toBe('Try again later.');
		},
	);

	test('with HTTP 429 advises to set Items per Batch only if there are options', () => {
		const advice = 'Wait a while, then run the workflow less often';
		const orBatch = ', or set Items per Batch and Batch Interval in the options of the node';
		expect(findProblem(429, {}, withOptions(create))?.advice).toBe(`${advice}${orBatch}.`);
		expect(findProblem(429, {}, create)?.advice).toBe(`${advice}.`);
	});

	test('that is a success is read by the operation', () => {
		const response = { status: 200, body: { status: true, id: 7 }, headers: {} };
		const result = readResponse(response, read.request, ({ id }) => ({ link: id }));
		expect(result).toEqual({ link: 7 });
	});

	test('in which the operation finds a problem is a failure, unless the service reports one itself', () => {
		const found = { problem: 'the response contains no list', advice: 'Check it.' };
		const sent = { ...read, read: () => found };
		expect(findProblem(200, { status: true }, sent)).toEqual(found);
		expect(findProblem(200, { status: false }, sent)?.problem).toBe(`${FAILED} (status: false)`);
		expect(findProblem(200, { status: 'ok' }, sent)?.problem).toBe(NOT_CONFIRMED);
	});
});

describe('The field "status" of a response', () => {
	test.each([
		[false, ' (status: false)'],
		[0, ' (status: 0)'],
		['false', ''],
		['error', ''],
		['fail', ''],
		['failed', ''],
	])('is a failure of a read and of a change if it is %j', (status, quoted) => {
		const body = { status, data: { blocks: [] }, id: 1 };
		for (const sent of [read, change, create]) {
			expect(findProblem(200, body, sent)).toEqual({
				problem: `${FAILED}${quoted}`,
				advice: 'List all blocks.',
				isNotApplied: true,
			});
		}
	});

	test.each([null, 1, 'true', 'ok', '', {}, [true], 'x'.repeat(500)])(
		'is neither success nor certain failure if it is %j',
		(status) => {
			const body = { status, data: {}, id: 1 };
			for (const sent of [read, change, create]) {
				const found = findProblem(200, body, sent);
				expect(found?.problem).toContain(NOT_CONFIRMED);
				expect(textOf(found)!.length).toBeLessThan(200);
				expect(isNotApplied(200, body, sent)).toBe(false);
			}
		},
	);

	test('is a success if it is true, even if the response has errors', () => {
		const body = { status: true, errors: ['x'], error: 'x', success: false };
		for (const sent of [read, change, create]) {
			expect(findProblem(200, body, sent)).toBeUndefined();
		}
	});

	test('is a success only if it is true, for any value', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (status) => {
				for (const sent of [read, change, create]) {
					const found = findProblem(200, { status, id: 1 }, sent);
					expect(found === undefined).toBe(status === true);
				}
			}),
		);
	});
});

describe('A response without the field "status"', () => {
	test.each([
		{ errors: ['no such link'] },
		{ errors: { link_id: 'unknown' } },
		{ errors: 'no such link' },
		{ error: 'no such link' },
		{ error: { message: 'no such link' } },
		{ error: true },
		{ success: false },
		{ success: true, errors: ['no such link'] },
	])('is a failure of a read and of a change if it is %j', (body) => {
		for (const sent of [read, change, create]) {
			expect(textOf(findProblem(200, body, sent))).toBe(`${FAILED}. List all blocks.`);
			expect(isNotApplied(200, body, sent)).toBe(true);
		}
	});

	test.each([
		{ errors: ['the image was not loaded'] },
		{ error: { code: 7 } },
		{ success: 'true' },
		{ success: 1 },
		{ success: null },
	])('is not a certain failure of a change that it shows to be applied, if it is %j', (fields) => {
		const body = { ...fields, id: 1 };
		expect(findProblem(200, body, create)?.problem).toBe(NOT_CONFIRMED);
		expect(isNotApplied(200, body, create)).toBe(false);
	});

	test.each([{ success: true }, { success: true, errors: [] }, { success: true, error: null }])(
		'is a success of a read and of a change if it is %j',
		(body) => {
			for (const sent of [read, change, create]) {
				expect(findProblem(200, body, sent)).toBeUndefined();
			}
		},
	);

	test.each([
		{},
		{ errors: [] },
		{ errors: {} },
		{ errors: [null, ''] },
		{ error: null },
		{ error: '' },
		{ error: { code: 0, message: '' } },
		{ deleted: 1 },
	])('is a success of a read, but does not confirm a change, if it is %j', (body) => {
		expect(findProblem(200, body, read)).toBeUndefined();
		expect(findProblem(200, body, change)).toEqual({
			problem: NOT_CONFIRMED,
			advice: 'Look at your profile to see the result.',
		});
		expect(findProblem(200, body, create)).toEqual({ problem: NOT_CONFIRMED, advice: '' });
	});

	test('is a success of a change if it shows that the change was applied', () => {
		expect(findProblem(200, { id: 7 }, create)).toBeUndefined();
	});
});

describe('A response confirms that a change was not applied', () => {
	test.each([
		[301, {}, false],
		[302, {}, false],
		[303, {}, false],
		[307, {}, false],
		[399, {}, false],
		[408, {}, false],
		[499, {}, false],
		[400, {}, true],
		[404, '<p>Not here</p>', true],
		[429, {}, true],
		[200, { status: false }, true],
		[200, { errors: ['x'] }, true],
		[200, 'no JSON', false],
		[200, '', false],
		[204, undefined, false],
		[200, {}, false],
		[200, { status: true }, false],
		[500, {}, false],
		[503, { status: false }, false],
	])('with HTTP %p and the body %p: %p', (status, body, is) => {
		expect(isNotApplied(status, body, change)).toBe(is);
	});
});
