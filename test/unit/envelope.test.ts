import { findProblem, isRefused, readPayload } from '../../nodes/ProfilePage/wire/envelope';

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

describe('an answer', () => {
	const request = { basis: 'contract', badRequestAdvice: 'List all blocks.' } as const;
	const find = (status: number, body: unknown) => findProblem({ status, body }, request);

	test.each([
		[200, { status: true, data: {} }],
		[200, { data: {} }],
		[201, { status: true }],
		[299, { status: true }],
	])('is success with status %p and body %p', (status, body) => {
		expect(find(status, body)).toBeUndefined();
	});

	test.each([
		[199, { status: true }, 'refused the request (HTTP 199)'],
		[300, {}, 'answered with a redirect (HTTP 300), which is not followed'],
		[302, {}, 'answered with a redirect (HTTP 302), which is not followed'],
		[400, {}, 'the service refused the request (HTTP 400). List all blocks.'],
		[401, {}, 'refused the access token, and a new one too (HTTP 401)'],
		[403, {}, 'does not allow it (HTTP 403)'],
		[404, {}, 'has nothing at this address (HTTP 404)'],
		[422, {}, 'refused the request (HTTP 422). Check the Base URL'],
		[429, {}, 'has had too many requests (HTTP 429)'],
		[500, {}, 'the service failed (HTTP 500). Try again later'],
		[503, {}, 'the service failed (HTTP 503). Try again later'],
		[200, { status: false }, 'reported a failure (status: false). List all blocks.'],
		[200, '<!DOCTYPE html><html></html>', 'a web page instead of data. Check the Base URL'],
		[200, ' \n <p>Sorry</p>', 'a web page instead of data. Check the Base URL'],
		[200, 'x < y', 'something other than a JSON object. Check the Base URL'],
		[200, 'x<y', 'something other than a JSON object. Check the Base URL'],
		[200, '{"status": tr', 'something other than a JSON object. Check the Base URL'],
		[200, [], 'something other than a JSON object'],
		[200, '', 'the answer of the service was empty'],
		[200, null, 'the answer of the service was empty'],
		[204, undefined, 'the answer of the service was empty'],
	])('is a failure with status %p and body %p', (status, body, problem) => {
		expect(find(status, body)).toContain(problem);
	});

	test('with status 404 tells where the address is known from, unless it is the contract', () => {
		const answer = { status: 404, body: {} };
		const words = 'known from the public documentation of a service with this API';
		expect(findProblem(answer, { ...request, basis: 'public documentation' })).toContain(words);
		expect(findProblem(answer, request)).not.toContain(words);
	});

	test('of a failing service has no advice to try more often what must not be done twice', () => {
		const answer = { status: 503, body: {} };
		expect(findProblem(answer, request)).toContain('Try again later, or raise Max Retries');
		expect(findProblem(answer, { ...request, doubt: 'Who knows' })).toMatch(/Try again later\.$/);
	});

	test.each([
		[302, {}, true],
		[400, {}, true],
		[404, '<p>Not here</p>', true],
		[429, {}, true],
		[200, { status: false }, true],
		[200, 'no JSON', false],
		[200, { status: true }, false],
		[500, {}, false],
		[503, { status: false }, false],
	])('with status %p and body %p makes certain that nothing was done: %p', (status, body, is) => {
		expect(isRefused({ status, body })).toBe(is);
	});
});
