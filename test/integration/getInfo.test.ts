import { jsonAnswer } from '../../sandbox/faults';
import { Harness } from '../support/harness';

const GET_INFO = { resource: 'me', operation: 'getInfo' };

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => harness.reset());

const answer = (body: unknown) => ({ fault: jsonAnswer(body), path: '/me' });

test('asks for the profile with the bearer token and nothing else', async () => {
	await harness.runNode(GET_INFO);
	const [call] = harness.sandbox.recorder.calls;
	expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/me', body: '' });
	expect(call!.headers.authorization).toMatch(/^Bearer \S+$/);
	expect(call!.headers.accept).toBe('application/json');
	expect(call!.headers).not.toHaveProperty('content-type');
});

test('puts out one item for each input item, paired with it', async () => {
	const { items } = await harness.runNode(GET_INFO, { items: [{ a: 1 }, { b: 2 }] });
	const info = { username: '@sandbox', url: 'https://example.com/sandbox', profile_pic: null };
	expect(items).toEqual([
		{ json: info, pairedItem: { item: 0 } },
		{ json: info, pairedItem: { item: 1 } },
	]);
});

test.each([
	['the data', { status: true, data: { name: 'x' }, meta: {} }, { name: 'x' }],
	[
		'the one object beside status',
		{ status: true, errors: [], info: { name: 'x' } },
		{ name: 'x' },
	],
	[
		'the whole body, where no part stands out',
		{ status: true, name: 'x' },
		{ status: true, name: 'x' },
	],
])('puts out %s of the answer', async (_what, body, json) => {
	harness.sandbox.faults.add(answer(body));
	const { items } = await harness.runNode(GET_INFO);
	expect(items.map((item) => item.json)).toEqual([json]);
});

test('fails where the answer says so', async () => {
	harness.sandbox.faults.add(answer({ status: false, errors: ['Account is closed'] }));
	const { error } = await harness.runNode(GET_INFO);
	expect(error).toMatchObject({
		name: 'NodeApiError',
		httpCode: '200',
		message:
			'The profile info was not read: the service reported a failure (status: false). Check that the app has access to the account. The service said: "Account is closed".',
	});
});
