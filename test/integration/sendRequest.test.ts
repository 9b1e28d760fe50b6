import type { INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { HOME } from '../support/pages';
import { batching } from '../support/parameters';
import { startStubService } from '../support/stubService';

const harness = useHarness();

const PATH = '/oauth/v1/anything';
const SORT = '/oauth/v1/page/blocks/sort';

const request = (parameters: INodeParameters): INodeParameters => ({
	resource: 'api',
	operation: 'request',
	path: PATH,
	...parameters,
});

const list = (...parameters: Array<[name: unknown, value: unknown]>) =>
	({ parameters: parameters.map(([name, value]) => ({ name, value })) }) as INodeParameters;

const calls = () => harness.sandbox.recorder.calls;

async function send(parameters: INodeParameters, options: RunNodeOptions = {}) {
	return await harness.runNode(request(parameters), options);
}

/** Sends a request that gets this response. */
async function sendFor(fault: Fault, parameters: INodeParameters, options: RunNodeOptions = {}) {
	harness.sandbox.faults.add({ path: '/anything', fault });
	return await send(parameters, options);
}

const OK = jsonResponse({ status: true, data: {} });

/** Sends requests to a service that accepts all, and returns what it received. */
async function received(
	parameters: INodeParameters,
	{ items, latency }: { items?: RunNodeOptions['items']; latency?: number } = {},
) {
	const service = await startStubService({ status: true, data: {} }, { latency });
	const { error } = await send(parameters, { items, credential: { baseUrl: service.origin } });
	service.close();
	expect(error).toBeUndefined();
	return service;
}
const noRetries = { options: { maxRetries: 0 } };

describe('Send Request', () => {
	test('reads with GET unless another method is chosen, signed with the access token', async () => {
		const { items, error } = await send({ path: '/oauth/v1/me' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		const [call] = calls();
		expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/me', body: '' });
		expect(call!.headers.authorization).toMatch(/^Bearer ./);
		expect(call!.headers['content-type']).toBeUndefined();
	});

	test.each(['/oauth/v1/me', '/oauth/v1/me?a=b'])('accepts the full address of %s', async (path) => {
		await send({ path: ` ${harness.sandbox.baseUrl}${path} ` });
		expect(calls().map(({ url }) => url)).toEqual([path]);
	});

	test('adds Query Parameters to the query in the path, in their order', async () => {
		const queryParameters = list(['a', '1 2'], ['list', '={{ [1, 2] }}'], ['a', 'ü&=']);
		await sendFor(OK, { path: `${PATH}?x=1`, queryParameters });
		expect(calls()[0]!.url).toBe(`${PATH}?x=1&a=1+2&list=%5B1%2C2%5D&a=%C3%BC%26%3D`);
	});

	test('sends Body Parameters as a form, with lists and objects as JSON', async () => {
		const blocks = harness.sandbox.account
			.order(HOME)
			.reverse()
			.map((id, position) => ({ id, position }));
		const bodyParameters = list(['page_id', HOME], ['blocks', '={{ $json.blocks }}']);
		const { items } = await send({ method: 'POST', path: SORT, bodyParameters }, { items: [{ blocks }] });
		expect(items.map(({ json }) => json.id)).toEqual(blocks.map(({ id }) => id));
		expect(calls()[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(harness.sandbox.account.order(HOME)).toEqual(blocks.map(({ id }) => id));
	});

	test('sends Body Parameters as JSON with the types of the values', async () => {
		const bodyParameters = list(['title', 'A'], ['tags', '={{ $json.tags }}']);
		const parameters = { method: 'PUT', bodyContentType: 'json', bodyParameters };
		const { requests } = await received(parameters, { items: [{ tags: [1, null] }] });
		expect(requests).toEqual([
			{
				method: 'PUT',
				url: PATH,
				contentType: 'application/json',
				body: '{"title":"A","tags":[1,null]}',
			},
		]);
	});

	test.each([
		['as it is entered', '{ "id": 12345678901234567890 }', '{ "id": 12345678901234567890 }'],
		['from an expression that returns an object', '={{ { id: $json.id } }}', '{"id":"a"}'],
	])('sends JSON %s', async (_name, jsonBody, body) => {
		const parameters = { method: 'POST', bodyContentType: 'json', specifyBody: 'json', jsonBody };
		const { requests } = await received(parameters, { items: [{ id: 'a' }] });
		expect(requests[0]!.body).toBe(body);
	});

	test('sends the properties of JSON as the fields of a form', async () => {
		const jsonBody = '{ "title": "A", "none": null, "blocks": [{ "id": "a" }] }';
		const { requests } = await received({ method: 'PATCH', specifyBody: 'json', jsonBody });
		expect([...new URLSearchParams(requests[0]!.body)]).toEqual([
			['title', 'A'],
			['none', ''],
			['blocks', '[{"id":"a"}]'],
		]);
	});

	test.each<[string, INodeParameters]>([
		['no Body Parameters', {}],
		['only empty Body Parameters', { bodyParameters: list(['', '']) }],
		['JSON without properties in a form', { specifyBody: 'json', jsonBody: '{}' }],
	])('sends no body for %s', async (_name, parameters) => {
		const { requests } = await received({ method: 'DELETE', ...parameters });
		expect(requests).toEqual([{ method: 'DELETE', url: PATH, contentType: undefined, body: '' }]);
	});

	test('sends no body with GET, though an expression gives the method', async () => {
		const parameters = { method: '={{ $json.method }}', bodyParameters: list(['a', 'b']) };
		const items = [{ method: 'GET' }, { method: 'POST' }];
		const { requests } = await received(parameters, { items });
		expect(requests.map(({ method, body }) => [method, body])).toEqual([
			['GET', ''],
			['POST', 'a=b'],
		]);
	});

	test('reads all fields for each item', async () => {
		const parameters = {
			path: '={{ $json.path }}',
			queryParameters: list(['q', '={{ $json.q }}']),
		};
		harness.sandbox.faults.add({ path: '/a', fault: jsonResponse({ data: [{ n: 1 }, { n: 2 }] }) });
		harness.sandbox.faults.add({ path: '/b', fault: jsonResponse({ data: { n: 3 } }) });
		const { items } = await send(parameters, {
			items: [
				{ path: 'oauth/v1/a', q: 1 },
				{ path: '/oauth/v1/b', q: 2 },
			],
		});
		expect(calls().map(({ url }) => url)).toEqual(['/oauth/v1/a?q=1', '/oauth/v1/b?q=2']);
		expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ n: 1 }, { item: 0 }],
			[{ n: 2 }, { item: 0 }],
			[{ n: 3 }, { item: 1 }],
		]);
	});
});

describe('Send Request refuses before anything is sent', () => {
	test.each<[string, INodeParameters, RegExp]>([
		[
			'the address of another host',
			{ path: 'https://example.org/oauth/v1/me' },
			/^Path: the address does not start with the Base URL of the credential, http:\/\/127\.0\.0\.1:\d+$/,
		],
		['a path out of the Base URL', { path: '/a/%2e%2e/b' }, /^Path: .*"\." or "\.\."/],
		['a blank path', { path: ' ' }, /^Path: the value is empty/],
		['an unknown method', { method: '={{ "HEAD" }}' }, /^Method: "HEAD" is not one of the options/],
		[
			'a query parameter without a name',
			{ queryParameters: list(['a', 'b'], ['', 'c']) },
			/^Query Parameters: the name of parameter 2 is empty/,
		],
		[
			'a path with an expression that finds nothing',
			{ method: 'DELETE', path: '=/a/{{ $json.missing }}' },
			/^Path: the expression {{ \$json\.missing }} returns no value/,
		],
		[
			'an expression that finds nothing',
			{ queryParameters: list(['a', '={{ $json.missing }}']) },
			/^Query Parameters: the expression of "a" returns no value/,
		],
		...(
			[
				['is not closed', '{{ $json.missing', 'returns no value'],
				['gives no number', '{{ Number($json.missing) }}', 'returns something that a text cannot contain'],
				['gives a list of nothing', '{{ [null, ""] }}', 'returns something that a text cannot contain'],
				['gives an odd object', '{{ ({ toString: 1 }) }}', 'returns something that a text cannot contain'],
				['gives an invalid date', '{{ DateTime.fromISO("x") }}', 'returns something that a text cannot contain'],
			] as const
		).map(([what, expression, problem]): [string, INodeParameters, RegExp] => [
			`a path with an expression that ${what}`,
			{ method: 'DELETE', path: `=/links/${expression}` },
			new RegExp(`^Path: the expression .* ${problem}$`),
		]),
		[
			'a JSON Body whose expression finds nothing',
			{ method: 'POST', specifyBody: 'json', jsonBody: '={{ $json.missing }}' },
			/^JSON Body: the expression returns no value/,
		],
		[
			'text that is not JSON',
			{ method: 'POST', specifyBody: 'json', jsonBody: '{ a: 1 }' },
			/^JSON Body: the text is not valid JSON/,
		],
		[
			'a list as the fields of a form',
			{ method: 'POST', specifyBody: 'json', jsonBody: '[1]' },
			/^JSON Body: a form can only contain the properties of an object/,
		],
		[
			'a name that repeats in JSON',
			{ method: 'POST', bodyContentType: 'json', bodyParameters: list(['a', '1'], ['a', '2']) },
			/^Body Parameters: the name "a" occurs twice/,
		],
	])('%s', async (_name, parameters, message) => {
		const { error } = await send(parameters);
		harness.expectRefused(error, expect.stringMatching(message));
	});
});

describe('Send Request returns', () => {
	test('the whole response if that is chosen', async () => {
		const response = { status: true, data: [{ id: 1 }], next: 'x' };
		const { items } = await sendFor(jsonResponse(response), { output: 'response' });
		expect(items.map(({ json }) => json)).toEqual([response]);
	});

	test('a bare list as items, or as data of the whole response', async () => {
		const response = jsonResponse([{ id: 1 }, 'b']);
		const { items } = await sendFor(response, {});
		expect(items.map(({ json }) => json)).toEqual([{ id: 1 }, { value: 'b' }]);
		const whole = await send({ output: 'response' });
		expect(whole.items.map(({ json }) => json)).toEqual([{ data: [{ id: 1 }, 'b'] }]);
	});

	describe.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('after %s', (method) => {
		test.each([200, 201, 202, 204, 205])('one empty item for the empty response %d', async (status) => {
			const { items, error } = await sendFor({ status }, { method });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([{}]);
		});

		test.each([
			...['ok', 'OK', 'success', 'true', 'active', 1, 200, null].map((status) => ({ status })),
			...[1, 'yes', true].map((success) => ({ success })),
		])('a success for %j', async (response) => {
			const { items, error } = await sendFor(jsonResponse(response), { method });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([response]);
		});

		test.each<[string, unknown]>([
			['OK', 'OK'],
			['true', true],
			['5', 5],
			['"done"', 'done'],
		])('the value of the plain response %s', async (body, value) => {
			const { items, error } = await sendFor({ status: 200, body }, { method });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([{ value }]);
		});

		test.each([
			...[false, 0, 'failed', 'ERROR'].flatMap((value) => [{ status: value }, { success: value }]),
			{ error: 'no' },
			{ errors: ['no'] },
		])('no success for %j', async (response) => {
			const { error } = await sendFor(jsonResponse(response), { method });
			expect(error!.message).toMatch(/was not completed: the service reported a failure/);
		});

		test.each(['<html>Hi</html>', '{"status": tr'])('no success for %j', async (body) => {
			const { items, error } = await sendFor({ status: 200, body }, { method });
			expect(items).toEqual([]);
			expect(error!.message).toMatch(/the service responded with (a web page|something other)/);
		});
	});

	test.each<[object, RegExp]>([
		[{ errors: ['no'], message: 'No', data: {} }, /the service reported a failure/],
		[{ errors: ['no'], errors_of: 5 }, /^It is unknown .* does not confirm success/],
		[{ data: { id: 5 }, errors: ['no picture'] }, /^It is unknown .* does not confirm success/],
	])('no success for %j', async (response, message) => {
		const { items, error } = await sendFor(jsonResponse(response), { method: 'POST' });
		expect(items).toEqual([]);
		expect(error!.message).toMatch(message);
	});
});

const CHECK_PATH = 'Check the Method and the Path, and the Base URL in the credential.';
const CHECK_PERMISSIONS = 'Check the permissions of the app in the settings of the service.';

describe('Send Request says what to do', () => {
	test.each([
		[
			403,
			'the service denied access, or has nothing at this path',
			`${CHECK_PATH} ${CHECK_PERMISSIONS} The service said: "Injected 403".`,
		],
		[302, 'the service responded with a redirect, or has nothing at this path', `${CHECK_PATH} ${CHECK_PERMISSIONS}`],
		[
			400,
			'the service rejected the request',
			'Check the Method, the Path, and the parameters. The service said: "Injected 400".',
		],
	])('about status %d', async (status, problem, advice) => {
		const { error } = await sendFor(statusFault(status), noRetries);
		expect(error).toMatchObject({
			message: `The request GET ${PATH} was not completed: ${problem} (${status})`,
			description: advice,
		});
	});

	test('without the query, which may contain a secret', async () => {
		const parameters = { path: `${PATH}?key=s3cret`, queryParameters: list(['k', 's3cret']) };
		const { error } = await sendFor(statusFault(400), parameters);
		expect(error!.message).toMatch(/^The request GET \/oauth\/v1\/anything was not completed/);
		expect(`${error!.message} ${error!.description}`).not.toContain('s3cret');
	});
});

describe('Send Request is retried', () => {
	test.each(['GET', 'PUT', 'DELETE'])('after a response that breaks off for %s', async (method) => {
		harness.sandbox.faults.add({ path: '/anything', fault: 'lost', times: 1 });
		const { error } = await sendFor(OK, { method });
		expect(error).toBeUndefined();
		expect(calls()).toHaveLength(2);
	});

	test.each(['POST', 'PATCH'])('only where it was certainly not applied for %s', async (method) => {
		harness.sandbox.faults.add({ path: '/anything', fault: statusFault(429), times: 1 });
		harness.sandbox.faults.add({ path: '/anything', fault: 'reset' });
		const { error } = await send({ method });
		expect(error!.message).toMatch(/^It is unknown whether the request /);
		expect(error!.description).toMatch(/try again only if the change is missing/);
		expect(calls()).toHaveLength(2);
	});

	test.each(['POST', 'PATCH'])('for %s with Safe to Repeat', async (method) => {
		harness.sandbox.faults.add({ path: '/anything', fault: 'reset', times: 1 });
		const { error } = await sendFor(OK, { method, options: { safeToRepeat: true } });
		expect(error).toBeUndefined();
		expect(calls()).toHaveLength(2);
	});
});

describe('Send Request orders its requests', () => {
	const many = Array.from({ length: 12 }, (_, index) => ({ index }));

	test('one at a time and in the order of the items, for changes at the same path', async () => {
		const bodyParameters = list(['n', '={{ $json.index }}']);
		const parameters = { method: 'POST', bodyParameters, options: batching(6) };
		const service = await received(parameters, { items: many, latency: 5 });
		expect(service.requests.map(({ body }) => body)).toEqual(many.map(({ index }) => `n=${index}`));
		expect(service.mostInFlight()).toBe(1);
	});

	test('at once for changes at the same path if Keep Order is off', async () => {
		const options = { ...batching(6), keepOrder: false };
		const service = await received({ method: 'POST', options }, { items: many, latency: 50 });
		expect(service.mostInFlight()).toBe(6);
	});

	test.each<[string, INodeParameters]>([
		['reads', {}],
		['changes at other paths', { method: 'PUT', path: '=/oauth/v1/{{ $json.index }}' }],
	])('at once for %s', async (_name, parameters) => {
		const options = batching(6);
		const service = await received({ ...parameters, options }, { items: many, latency: 50 });
		expect(service.mostInFlight()).toBe(6);
	});
});
