import type { INodeParameters } from 'n8n-workflow';

import { jsonAnswer } from '../../sandbox/faults';
import { seededGroups } from '../../sandbox/seed';
import { Harness } from '../support/harness';

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => harness.reset());

const getAll = (fields: INodeParameters = {}) => ({
	resource: 'groups',
	operation: 'getAll',
	...fields,
});

const many = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ group_id: index, group_name: `Group ${index}` }));

const answer = (body: unknown) =>
	harness.sandbox.faults.add({ fault: jsonAnswer(body), path: '/group/list' });

test('asks for the groups with the bearer token and nothing else', async () => {
	await harness.runNode(getAll());
	const [call] = harness.sandbox.recorder.calls;
	expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/group/list', body: '' });
	expect(call!.headers.authorization).toMatch(/^Bearer \S+$/);
});

test('puts out one item for each group, paired with its input item', async () => {
	const { items } = await harness.runNode(getAll(), { items: [{ a: 1 }, { b: 2 }] });
	expect(items).toEqual(
		[0, 1].flatMap((item) => seededGroups.map((json) => ({ json, pairedItem: { item } }))),
	);
});

test('puts out nothing where there is no group', async () => {
	answer({ status: true, errors: [], info: { groups: [] } });
	const { items, error } = await harness.runNode(getAll());
	expect([items, error]).toEqual([[], undefined]);
});

test.each<[string, INodeParameters, number]>([
	['50 groups unless told otherwise', {}, 50],
	['as many as Limit says', { limit: 2 }, 2],
	['all with Return All', { returnAll: true, limit: 2 }, 60],
	['all there are, if Limit is more', { limit: 100 }, 60],
	['as many as a text says', { limit: '={{ " 3 " }}' }, 3],
	['all where a spreadsheet says so', { returnAll: '={{ " TRUE " }}', limit: 2 }, 60],
	['no more than Limit where a text says so', { returnAll: '={{ "false" }}', limit: 2 }, 2],
])('puts out %s', async (_what, fields, count) => {
	answer({ status: true, errors: [], info: { groups: many(60) } });
	const { items, error } = await harness.runNode(getAll(fields));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual(many(60).slice(0, count));
});

test('reads Return All and Limit for each item', async () => {
	const fields = { returnAll: '={{ $json.all }}', limit: '={{ $json.limit }}' };
	const { items } = await harness.runNode(getAll(fields), {
		items: [{ all: false, limit: 1 }, { all: true }, { all: false, limit: 2 }],
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 1, 1, 2, 2].map((item) => ({ item })),
	);
});

const WHOLE = 'it must be a whole number, at least 1.';

test.each<[string, INodeParameters, string]>([
	['a limit of 0', { limit: 0 }, `Limit: ${WHOLE}`],
	['a broken limit', { limit: 1.5 }, `Limit: ${WHOLE}`],
	['a limit in words', { limit: '={{ "ten" }}' }, `Limit: ${WHOLE}`],
	[
		'no answer to Return All',
		{ returnAll: '={{ "maybe" }}' },
		'Return All: it must be true or false.',
	],
])('refuses %s before anything is sent', async (_what, fields, message) => {
	const { error } = await harness.runNode(getAll(fields));
	harness.expectRefused(error, message);
});

test.each([
	['no info', { status: true, errors: [] }],
	['info without groups', { status: true, info: {} }],
	['groups that are no list', { status: true, info: { groups: {} } }],
	['a group that is no object', { status: true, info: { groups: [1] } }],
])('fails where the answer has %s', async (_what, body) => {
	answer(body);
	const { error } = await harness.runNode(getAll());
	expect(error!.message).toBe(
		'The groups were not read: the answer of the service holds no list of groups. Check the Base URL in the credential.',
	);
});

test('tells where its address is known from, if the service has nothing there', async () => {
	const fault = jsonAnswer({}, { status: 404 });
	harness.sandbox.faults.add({ fault, path: '/group/list' });
	const { error } = await harness.runNode(getAll());
	expect(error).toMatchObject({
		httpCode: '404',
		message:
			'The groups were not read: the service has nothing at this address (HTTP 404). Check the Base URL in the credential. If it is right, your service has this operation at another address: the one used here is known from the public documentation of a service with this API.',
	});
});
