import fc from 'fast-check';

import { findProblem, isRefused, readPayload } from '../../nodes/ProfilePage/transport/envelope';

describe('the payload of an envelope', () => {
	test.each([
		['its data', { status: true, data: { a: 1 } }, { a: 1 }],
		['its data, beside another object', { status: true, data: { a: 1 }, meta: {} }, { a: 1 }],
		['the one object beside status', { status: true, info: { a: 1 }, errors: [] }, { a: 1 }],
		['all of it, where two may be meant', { status: true, info: {}, meta: {} }, 'all'],
		['all of it, where none is there', { status: true, username: 'x' }, 'all'],
		['all of it, where data is no object', { status: true, data: [1] }, 'all'],
		['all of it, where it is no envelope', { username: 'x', address: { city: 'y' } }, 'all'],
	])('is %s', (_what, envelope, payload) => {
		expect(readPayload(envelope)).toEqual(payload === 'all' ? envelope : payload);
	});
});

/** A request that reads. */
const read = {
	documentedBy: 'contract',
	badRequestAdvice: 'List all blocks.',
	isIdempotent: true,
} as const;

/** A request that changes something, and whose answer need not show more than success. */
const change = { ...read, unknownOutcome: 'Who knows' };

/** A request that changes something, and whose answer shows it by an ID. */
const create = {
	...change,
	isIdempotent: false,
	isConfirmedBy: ({ id }: { id?: unknown }) => id !== undefined,
};

const NOT_CONFIRMED = 'the answer of the service does not say that it succeeded';
const FAILED = 'the service reported a failure';

describe('an answer', () => {
	const find = (status: number, body: unknown) => findProblem({ status, body }, read);

	test.each([
		[200, { status: true, data: {} }],
		[200, { data: {} }],
		[201, { status: true }],
		[299, { status: true }],
	])('with status %p and body %p is success', (status, body) => {
		expect(find(status, body)).toBeUndefined();
	});

	test.each([
		[199, { status: true }, 'refused the request (HTTP 199)'],
		[300, {}, 'answered with a redirect (HTTP 300), which is not followed'],
		[302, {}, 'answered with a redirect (HTTP 302), which is not followed'],
		[400, {}, 'the service refused the request (HTTP 400). List all blocks.'],
		[401, {}, 'refused a new access token (HTTP 401)'],
		[403, {}, 'does not allow it (HTTP 403)'],
		[404, {}, 'has nothing at this address (HTTP 404)'],
		[407, {}, 'the proxy between n8n and the service asks for a password (HTTP 407)'],
		[422, {}, 'refused the request (HTTP 422). Check the Base URL'],
		[429, {}, 'is rate-limiting requests (HTTP 429)'],
		[500, {}, 'the service failed (HTTP 500). Try again later'],
		[503, {}, 'the service failed (HTTP 503). Try again later'],
		[200, '<!DOCTYPE html><html></html>', 'a web page instead of data. Check the Base URL'],
		[200, ' \n <p>Sorry</p>', 'a web page instead of data. Check the Base URL'],
		[200, 'x < y', 'something other than a JSON object. Check the Base URL'],
		[200, 'x<y', 'something other than a JSON object. Check the Base URL'],
		[200, '{"status": tr', 'something other than a JSON object. Check the Base URL'],
		[200, [], 'something other than a JSON object'],
		[200, '', 'the answer of the service was empty'],
		[200, null, 'the answer of the service was empty'],
		[204, undefined, 'the answer of the service was empty'],
	])('with status %p and body %p is a failure', (status, body, problem) => {
		expect(find(status, body)).toContain(problem);
	});

	test('with status 404 tells where the address is known from, unless it is the contract', () => {
		const answer = { status: 404, body: {} };
		const words = 'known from the public documentation of a service with this API';
		expect(findProblem(answer, { ...read, documentedBy: 'public documentation' })).toContain(words);
		expect(findProblem(answer, read)).not.toContain(words);
	});

	test('of a failing service advises to raise Max Retries only if the request is idempotent', () => {
		const answer = { status: 503, body: {} };
		expect(findProblem(answer, read)).toContain('Try again later, or raise Max Retries');
		expect(findProblem(answer, change)).toContain('Try again later, or raise Max Retries');
		expect(findProblem(answer, create)).toMatch(/Try again later\.$/);
	});
});

describe('the field "status" of an answer', () => {
	test.each([
		[false, ' (status: false)'],
		[0, ' (status: 0)'],
		['false', ''],
		['error', ''],
		['failed', ''],
	])('is a failure of a read and of a change if it is %j', (status, quoted) => {
		const body = { status, data: { blocks: [] }, id: 1 };
		for (const request of [read, change, create]) {
			expect(findProblem({ status: 200, body }, request)).toBe(
				`${FAILED}${quoted}. List all blocks.`,
			);
			expect(isRefused({ status: 200, body }, request)).toBe(true);
		}
	});

	test.each([null, 1, 'true', 'ok', '', {}, [true], 'x'.repeat(500)])(
		'is neither success nor certain failure if it is %j',
		(status) => {
			const body = { status, data: {}, id: 1 };
			for (const request of [read, change, create]) {
				const problem = findProblem({ status: 200, body }, request);
				expect(problem).toContain(NOT_CONFIRMED);
				expect(problem!.length).toBeLessThan(200);
				expect(isRefused({ status: 200, body }, request)).toBe(false);
			}
		},
	);

	test('counts alone if it is true', () => {
		const body = { status: true, errors: ['x'], error: 'x', success: false };
		for (const request of [read, change, create]) {
			expect(findProblem({ status: 200, body }, request)).toBeUndefined();
		}
	});

	test('makes success only if it is true, whatever else it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (status) => {
				for (const request of [read, change, create]) {
					const problem = findProblem({ status: 200, body: { status, id: 1 } }, request);
					expect(problem === undefined).toBe(status === true);
				}
			}),
		);
	});
});

describe('an answer without the field "status"', () => {
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
		for (const request of [read, change, create]) {
			expect(findProblem({ status: 200, body }, request)).toBe(`${FAILED}. List all blocks.`);
			expect(isRefused({ status: 200, body }, request)).toBe(true);
		}
	});

	test.each([
		{ errors: ['the image was not loaded'] },
		{ error: { code: 7 } },
		{ success: 'true' },
		{ success: 1 },
		{ success: null },
	])('is no certain failure of a change that it shows to be made, if it is %j', (fields) => {
		const body = { ...fields, id: 1 };
		expect(findProblem({ status: 200, body }, create)).toContain(NOT_CONFIRMED);
		expect(isRefused({ status: 200, body }, create)).toBe(false);
	});

	test.each([{ success: true }, { success: true, errors: [] }, { success: true, error: null }])(
		'is success of a read and of a change if it is %j',
		(body) => {
			for (const request of [read, change, create]) {
				expect(findProblem({ status: 200, body }, request)).toBeUndefined();
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
	])('is success of a read, but does not confirm a change, if it is %j', (body) => {
		expect(findProblem({ status: 200, body }, read)).toBeUndefined();
		expect(findProblem({ status: 200, body }, change)).toBe(
			`${NOT_CONFIRMED}. Look at your profile to see the result.`,
		);
		expect(findProblem({ status: 200, body }, create)).toBe(`${NOT_CONFIRMED}.`);
		expect(isRefused({ status: 200, body }, create)).toBe(false);
	});

	test('is success of a change if it shows that the change was made', () => {
		expect(findProblem({ status: 200, body: { id: 7 } }, create)).toBeUndefined();
	});
});

test.each([
	[301, {}, false],
	[302, {}, false],
	[303, {}, false],
	[307, {}, false],
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
])(
	'an answer with status %p and body %p makes certain that the request was not applied: %p',
	(status, body, is) => {
		expect(isRefused({ status, body }, change)).toBe(is);
	},
);
