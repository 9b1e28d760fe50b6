import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { seededGroups } from '../../sandbox/seed';
import { useHarness } from '../support/harness';

const harness = useHarness();

const getAll = (fields: INodeParameters = {}) => ({
	resource: 'groups',
	operation: 'getAll',
	...fields,
});

const manyGroups = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ group_id: index, group_name: `Group ${index}` }));

const response = (body: unknown) => harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/group/list' });

describe('Get Many Groups', () => {
	test('returns one item for each group, paired with its input item', async () => {
		const { items } = await harness.runNode(getAll(), { items: [{ a: 1 }, { b: 2 }] });
		expect(items).toEqual([0, 1].flatMap((item) => seededGroups.map((json) => ({ json, pairedItem: { item } }))));
	});

	test.each([{ groups: [] }, []])('returns no items if there are no groups (%j)', async (info) => {
		response({ status: true, errors: [], info });
		const { items, error } = await harness.runNode(getAll());
		expect([items, error]).toEqual([[], undefined]);
	});

	test('reads groups with id and name in data', async () => {
		response({ status: true, errors: [], data: [{ id: 7, name: 'Press', color: 'red' }], info: [] });
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
		response({ status: true, errors: [], info: { groups: manyGroups(60) } });
		const { items, error } = await harness.runNode(getAll(fields));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(manyGroups(60).slice(0, count));
	});

	test.each([
		['no info', { status: true, errors: [] }],
		['info without groups', { status: true, info: { total: 0 } }],
		['a group that is not an object', { status: true, info: { groups: [1] } }],
	])('fails if the response has %s', async (_name, body) => {
		response(body);
		const { error } = await harness.runNode(getAll());
		expect(error).toMatchObject({
			message: 'The groups were not read: the response contains no list of groups',
			description: 'Check the Base URL in the credential.',
		});
	});
});
