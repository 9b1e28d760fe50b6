import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { seededGroups } from '../../sandbox/seed';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';

const harness = useHarness();

/** Makes the service respond with this body. */
const respond = (path: string, body: unknown) => harness.sandbox.faults.add({ path, fault: jsonResponse(body) });

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
		respond('/me', body);
		const { items } = await harness.runNode(GET_INFO);
		expect(items.map((item) => item.json)).toEqual([json]);
	});

	test('fails if the response has status false', async () => {
		respond('/me', { status: false, errors: ['Account is closed'] });
		const { error } = await harness.runNode(GET_INFO);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '200',
			message: 'The profile info was not read: the service reported a failure (status: false)',
			description: 'Check that the app has access to the account. The service said: "Account is closed".',
		});
	});
});

const getAll = (fields: INodeParameters = {}) => ({
	resource: 'groups',
	operation: 'getAll',
	...fields,
});

const manyGroups = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ group_id: index, group_name: `Group ${index}` }));

describe('Get Many Groups', () => {
	test('returns one item for each group, paired with its input item', async () => {
		const { items } = await harness.runNode(getAll(), { items: [{ a: 1 }, { b: 2 }] });
		expect(items).toEqual([0, 1].flatMap((item) => seededGroups.map((json) => ({ json, pairedItem: { item } }))));
	});

	test.each([{ groups: [] }, []])('returns no items if there are no groups (%j)', async (info) => {
		respond('/group/list', { status: true, errors: [], info });
		const { items, error } = await harness.runNode(getAll());
		expect([items, error]).toEqual([[], undefined]);
	});

	test('reads groups with id and name in data', async () => {
		respond('/group/list', { status: true, errors: [], data: [{ id: 7, name: 'Press', color: 'red' }], info: [] });
		const { items } = await harness.runNode(getAll());
		expect(items.map(({ json }) => json)).toEqual([{ group_id: 7, group_name: 'Press', color: 'red' }]);
		expect(Object.keys(items[0]!.json)).toEqual(['group_id', 'group_name', 'color']);
	});

	test.each<[string, INodeParameters, number]>([
		['50 groups by default', {}, 50],
		['as many groups as Limit says', { limit: 2 }, 2],
		['all groups with Return All', { returnAll: true, limit: 2 }, 60],
		['all groups if Return All is the text TRUE', { returnAll: '={{ " TRUE " }}', limit: 2 }, 60],
	])('returns %s', async (_name, fields, count) => {
		respond('/group/list', { status: true, errors: [], info: { groups: manyGroups(60) } });
		const { items, error } = await harness.runNode(getAll(fields));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(manyGroups(60).slice(0, count));
	});

	test.each([
		['no info', { status: true, errors: [] }],
		['info without groups', { status: true, info: { total: 0 } }],
		['a group that is not an object', { status: true, info: { groups: [1] } }],
	])('fails if the response has %s', async (_name, body) => {
		respond('/group/list', body);
		const { error } = await harness.runNode(getAll());
		expect(error).toMatchObject({
			message: 'The groups were not read: the response contains no list of groups',
			description: 'Check the Base URL in the credential.',
		});
	});
});
