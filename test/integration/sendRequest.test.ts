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

	test('encodes spaces and letters in a query, and keeps what is encoded', async () => {
		await sendFor(OK, { path: `=${PATH}?x=a b&y={{ encodeURIComponent("ü&=+") }}` });
		expect(calls()[0]!.url).toBe(`${PATH}?x=a%20b&y=%C3%BC%26%3D%2B`);
	});

	test('sends Body as a form, with lists and objects as JSON', async () => {
		const blocks = harness.sandbox.account
			.order(HOME)
			.reverse()
			.map((id, position) => ({ id, position }));
		const body = '={{ { page_id: $json.page, blocks: $json.blocks } }}';
		const { items } = await send({ method: 'POST', path: SORT, body }, { items: [{ page: HOME, blocks }] });
		expect(items.map(({ json }) => json.id)).toEqual(blocks.map(({ id }) => id));
		expect(calls()[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(harness.sandbox.account.order(HOME)).toEqual(blocks.map(({ id }) => id));
	});

	test.each([
		['as it is entered', '{ "id": 12345678901234567890 }', '{ "id": 12345678901234567890 }'],
		[
			'from an expression that returns an object',
			'={{ { id: $json.id, tags: [1, null] } }}',
			'{"id":"a","tags":[1,null]}',
		],
		['from an expression that returns JSON', '={{ JSON.stringify([$json.id]) }}', '["a"]'],
	])('sends JSON %s', async (_name, body, sent) => {
		const { requests } = await received({ method: 'PUT', sendBodyAs: 'json', body }, { items: [{ id: 'a' }] });
		expect(requests).toEqual([{ method: 'PUT', url: PATH, contentType: 'application/json', body: sent }]);
	});

	test('sends the properties of Body as the fields of a form unless JSON is chosen', async () => {
		const body = '{ "title": "A", "none": null, "count": 5, "blocks": [{ "id": "a" }] }';
		const { requests } = await received({ method: 'PATCH', body });
		expect([...new URLSearchParams(requests[0]!.body)]).toEqual([
			['title', 'A'],
			['none', ''],
			['count', '5'],
			['blocks', '[{"id":"a"}]'],
		]);
	});

	test.each<[string, INodeParameters]>([
		['a Body that is left as it is', {}],
		['an empty Body', { body: '' }],
		['an expression that returns an empty text, also as JSON', { body: '={{ "" }}', sendBodyAs: 'json' }],
	])('sends no body for %s', async (_name, parameters) => {
		const { requests } = await received({ method: 'DELETE', ...parameters });
		expect(requests).toEqual([{ method: 'DELETE', url: PATH, contentType: undefined, body: '' }]);
	});

	test('sends no body with GET, though an expression gives the method', async () => {
		const parameters = { method: '={{ $json.method }}', body: '{ "a": "b" }' };
		const items = [{ method: 'GET' }, { method: 'POST' }];
		const { requests } = await received(parameters, { items });
		expect(requests.map(({ method, body }) => [method, body])).toEqual([
			['GET', ''],
			['POST', 'a=b'],
		]);
	});

	test('reads all fields for each item', async () => {
		const parameters = { path: '={{ $json.path }}?q={{ $json.q }}' };
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
	const OUTSIDE = /^Path: the request would not go to the Base URL of the credential, http:\/\/127\.0\.0\.1:\d+\/api$/;

	test.each<[string, INodeParameters, RegExp]>([
		['the address of another host', { path: 'https://example.org/oauth/v1/me' }, OUTSIDE],
		['a path out of the Base URL', { path: '/a/%2e%2e/../b' }, OUTSIDE],
		['a method before the path', { path: 'get  /oauth/v1/me' }, /^Path: the path starts with a method$/],
		['a blank path', { path: ' ' }, /^Path: the value is empty/],
		['an unknown method', { method: '={{ "HEAD" }}' }, /^Method: "HEAD" is not one of the options/],
		['a body that is not JSON', { method: 'POST', body: '{ a: 1 }' }, /^Body: the text is not valid JSON/],
		[
			'a list as the fields of a form',
			{ method: 'POST', body: '[1]' },
			/^Body: a form can only contain the properties of an object/,
		],
	])('%s', async (_name, parameters, message) => {
		const { error } = await send(parameters, { credential: { baseUrl: `${harness.sandbox.baseUrl}/api` } });
		harness.expectRefused(error, expect.stringMatching(message));
	});
});

test.each(['={ "title": "{{ $json.title }}" }', '={{ $json.title }}, {{ $json.title }}', '={{ $json }} '])(
	'Send Request refuses a body with an expression inside, and says how to write %s',
	async (body) => {
		const { error } = await send({ method: 'POST', body }, { items: [{ title: 'A", "admin": "1' }] });
		harness.expectRefused(
			error,
			'Body: the text contains an expression',
			'Use one expression for the whole body, with nothing around it, which returns an object, such as {{ { "title": $json.title } }}.',
		);
	},
);

describe('A value inside Path', () => {
	const sendWith = async (path: string, id: string) => await send({ method: 'DELETE', path }, { items: [{ id }] });

	test.each([
		['nothing', '/links/{{ $json.missing }}'],
		['nothing in the middle', '/links/{{ $json.missing }}/image?a={{ $json.id }}'],
		['no number', '/links/{{ Number($json.missing) }}'],
		['nothing for the whole path', '{{ $json.missing }}?id={{ $json.id }}'],
	])('that is %s is refused, as it would be the path of something else', async (_what, path) => {
		const { error } = await sendWith(`=${path}`, '5');
		harness.expectRefused(
			error,
			expect.stringMatching(/^Path: a part of ".*" is empty, or made of dots$/),
			'Check the expressions. If the path is right, use one expression for all of it.',
		);
	});

	test('that is an object is refused', async () => {
		const { error } = await sendWith('=/links/{{ $json }}', '5');
		const problem = 'Path: an expression returns nothing, an object, or an invalid date: "/links/[object Object]"';
		harness.expectRefused(error, problem, 'Check the expression.');
	});

	test.each([
		['with a plus sign before the query', '=/oauth/v1/a/{{ $json.id }}?b=c', 'a+b', '/oauth/v1/a/a+b?b=c'],
		['that is encoded already', '=/oauth/v1/a?b={{ $json.id }}', 'a%26b', '/oauth/v1/a?b=a%26b'],
		[
			'that is encoded by the expression',
			'=/oauth/v1/a?b={{ encodeURIComponent($json.id) }}',
			'100% & #1?',
			'/oauth/v1/a?b=100%25%20%26%20%231%3F',
		],
		['that is missing in the query', '=/oauth/v1/a?b={{ $json.missing }}', '', '/oauth/v1/a?b='],
		['that is all of the field', '={{ $json.id }}', '/oauth/v1/a?b=c&d=1+1', '/oauth/v1/a?b=c&d=1+1'],
	])('%s is sent: %s', async (_what, path, id, url) => {
		await sendWith(path, id);
		expect(calls().map((call) => call.url)).toEqual([url]);
	});
});

describe('Send Request returns', () => {
	test('an item for each entry of a bare list', async () => {
		const { items } = await sendFor(jsonResponse([{ id: 1 }, 'b']), {});
		expect(items.map(({ json }) => json)).toEqual([{ id: 1 }, { value: 'b' }]);
	});

	describe.each(['GET', 'POST'])('after %s', (method) => {
		test.each<[body: string | undefined, json: unknown]>([
			[undefined, {}],
			...[{ status: 'OK' }, { status: 'active' }, { status: 1 }, { status: null }, { success: 'yes' }].map(
				(each) => [JSON.stringify(each), each] as [string, object],
			),
			['OK', { value: 'OK' }],
			['5', { value: 5 }],
			['"done"', { value: 'done' }],
		])('one item for the body %j', async (body, json) => {
			const { items, error } = await sendFor({ status: 200, body }, { method });
			expect(error).toBeUndefined();
			expect(items.map((item) => item.json)).toEqual([json]);
		});

		test.each([{ status: false }, { success: 0 }, { status: 'failed' }, { success: 'ERROR' }])(
			'no success for %j',
			async (response) => {
				const { error } = await sendFor(jsonResponse(response), { method });
				expect(error!.message).toMatch(/was not completed: the service reported a failure/);
			},
		);

		test.each(['<html>Hi</html>', '{"status": tr'])('no success for %j', async (body) => {
			const { items, error } = await sendFor({ status: 200, body }, { method });
			expect(items).toEqual([]);
			expect(error!.message).toMatch(/the service responded with (a web page|something other)/);
		});
	});

	test.each([{ error: 'no' }, { errors: ['no'] }])('no success for %j after GET, and what to do', async (response) => {
		const { error } = await sendFor(jsonResponse(response), {});
		expect(error).toMatchObject({
			message: `The request GET ${PATH} was not completed: the service reported a failure`,
			description: 'Check the Method and the Path. The service said: "no".',
		});
	});

	test.each([{ error: 'no' }, { data: { id: 5 }, errors: ['no picture'] }])(
		'no success for %j after POST',
		async (response) => {
			const { items, error } = await sendFor(jsonResponse(response), { method: 'POST' });
			expect(items).toEqual([]);
			expect(error!.message).toMatch(/^It is unknown .* does not confirm success/);
		},
	);
});

const CHECK_PATH = 'Check the Method and the Path, and the Base URL in the credential.';
const CHECK_PERMISSIONS = 'Check the permissions of the app in the settings of the service.';

describe('Send Request says what to do', () => {
	test.each([
		[
			403,
			'the service denied access',
			`${CHECK_PATH} ${CHECK_PERMISSIONS} Public app: connect the account again. The service said: "Injected 403".`,
		],
		[302, 'the service responded with a redirect', `${CHECK_PATH} The service said: "Injected 302".`],
		[400, 'the service rejected the request', 'Check the Method and the Path. The service said: "Injected 400".'],
	])('about status %d, without the query, which may contain a secret', async (status, problem, advice) => {
		const { error } = await sendFor(statusFault(status), { ...noRetries, path: `${PATH}?key=s3cret` });
		expect(error).toMatchObject({
			message: `The request GET ${PATH} was not completed: ${problem} (${status})`,
			description: advice,
		});
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
});

describe('Send Request orders its requests', () => {
	const many = Array.from({ length: 12 }, (_, index) => ({ index }));

	test('one at a time and in the order of the items, for changes at the same path', async () => {
		const parameters = { method: 'POST', body: '={{ { n: $json.index } }}', options: batching(6) };
		const service = await received(parameters, { items: many, latency: 5 });
		expect(service.requests.map(({ body }) => body)).toEqual(many.map(({ index }) => `n=${index}`));
		expect(service.mostInFlight()).toBe(1);
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
