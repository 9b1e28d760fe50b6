import { jsonResponse } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';

const harness = useHarness();

const response = (body: unknown) => ({ fault: jsonResponse(body), path: '/me' });

describe('Get Info', () => {
	test('sends a GET request with the bearer token and no body', async () => {
		await harness.runNode(GET_INFO);
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/me', body: '' });
		expect(call!.headers.authorization).toMatch(/^Bearer \S+$/);
		expect(call!.headers.accept).toBe('application/json');
		expect(call!.headers).not.toHaveProperty('content-type');
	});

	test('returns one item for each input item, paired with it', async () => {
		const { items } = await harness.runNode(GET_INFO, { items: [{ a: 1 }, { b: 2 }] });
		const info = { username: '@sandbox', url: 'https://example.com/sandbox', profile_pic: null };
		expect(items).toEqual([
			{ json: info, pairedItem: { item: 0 } },
			{ json: info, pairedItem: { item: 1 } },
		]);
	});

	test.each([
		['the data of the response', { status: true, data: { name: 'x' }, meta: {} }, { name: 'x' }],
		['the only object other than status', { status: true, errors: [], info: { name: 'x' } }, { name: 'x' }],
		['the whole response if there is no such object', { status: true, name: 'x' }, { status: true, name: 'x' }],
	])('returns %s', async (_name, body, json) => {
		harness.sandbox.faults.add(response(body));
		const { items } = await harness.runNode(GET_INFO);
		expect(items.map((item) => item.json)).toEqual([json]);
	});

	test('fails if the response has status false', async () => {
		harness.sandbox.faults.add(response({ status: false, errors: ['Account is closed'] }));
		const { error } = await harness.runNode(GET_INFO);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '200',
			message: 'The profile info was not read: the service reported a failure (status: false)',
			description: 'Check that the app has access to the account. The service said: "Account is closed".',
		});
	});
});
