import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { addLinks } from '../support/links';

const EVENTS = 2;

const harness = useHarness();

/** Without Simplify, to compare the items with what the service lists. */
const getAll = (fields: INodeParameters = {}) => ({
	resource: 'links',
	operation: 'getAll',
	simplify: false,
	...fields,
});

const HINT = 'The service lists only the 50 newest links. There may be older ones.';

const links = () => harness.sandbox.account.links;
const titlesOf = (items: ReadonlyArray<{ json: IDataObject }>) => items.map(({ json }) => json.title);

/** Returns the titles of the links that are found, and the hints. */
async function find(fields: INodeParameters) {
	const { items, hints, error } = await harness.runNode(getAll(fields));
	expect(error).toBeUndefined();
	return { found: titlesOf(items), hints: hints.map(({ message }) => message) };
}

describe('Get Many Links', () => {
	test('returns one item for each link, the newest first, paired with its input item', async () => {
		const listed = links().list();
		expect(listed.length).toBeGreaterThan(1);
		const { items } = await harness.runNode(getAll(), { items: [{ a: 1 }, { b: 2 }] });
		expect(items).toEqual([0, 1].flatMap((item) => listed.map((json) => ({ json, pairedItem: { item } }))));
	});

	test('returns the links of a group', async () => {
		const filters = { groupId: '={{ $json.group }}' };
		const { items } = await harness.runNode(getAll({ filters }), { items: [{ group: EVENTS }] });
		expect(harness.sandbox.recorder.calls.map(({ url }) => url)).toEqual(['/oauth/v1/lnk/list?group_id=2']);
		const listed = links().list(EVENTS);
		expect(listed).not.toHaveLength(0);
		expect(items.map(({ json }) => json)).toEqual(listed);
	});

	test.each(['', '={{ $json.group ?? "" }}'])('requests all links if the group filter is %j', async (groupId) => {
		await harness.runNode(getAll({ filters: { groupId } }));
		expect(harness.sandbox.recorder.calls[0]!.url).toBe('/oauth/v1/lnk/list');
	});
});

test.each<[INodeParameters, links: number, returned: number, hints: string[]]>([
	[{ limit: 3 }, 20, 3, []],
	[{ returnAll: true }, 60, 50, [HINT]],
	[{ limit: 51 }, 60, 50, [HINT]],
	[{}, 60, 50, []],
])('Get Many Links with %j of %i links returns %i, and says if there may be older ones', async (...row) => {
	const [fields, count, returned, hints] = row;
	await harness.restart({ links: [] });
	addLinks(harness.sandbox, count);
	const listed = links().list();
	expect(await find(fields)).toEqual({ found: listed.slice(0, returned).map(({ title }) => title), hints });
});

test('Get Many Links returns the newest first of a list with gaps, which PHP writes as an object', async () => {
	const listed = links().list();
	const data = Object.fromEntries(listed.map((link, index) => [index * 2, link]));
	harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonResponse({ status: true, data }) });
	expect((await find({ returnAll: true })).found).toEqual(listed.map(({ title }) => title));
});

describe('Simplify of Get Many Links', () => {
	test('drops meta, and names the fields as the node does', async () => {
		const { items } = await harness.runNode(getAll({ simplify: true }));
		const listed = links().list();
		expect(items.map(({ json }) => json)).toEqual(
			listed.map(({ link_id, created_at, title, image, link: url, position }) => ({
				...{ link_id, title, url, position, created_at },
				...(image && { image_url: image }),
			})),
		);
		expect(listed.some(({ image }) => image)).toBe(true);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(listed.map(() => ({ item: 0 })));
	});

	test.each<[string, INodeParameters, boolean]>([
		['is on by default', {}, true],
		['can be an expression for each item', { simplify: '={{ $json.simplify }}' }, false],
	])('%s', async (_name, fields, isSimple) => {
		const parameters = { resource: 'links', operation: 'getAll', limit: 1, ...fields };
		const { items } = await harness.runNode(parameters, { items: [{ simplify: false }] });
		expect('meta' in items[0]!.json).toBe(!isSimple);
		expect('url' in items[0]!.json).toBe(isSimple);
	});
});

test('Get Many Links rejects a group filter that has no value, instead of listing all links', async () => {
	const { error } = await harness.runNode(getAll({ filters: { groupId: '={{ $json.grop }}' } }));
	harness.expectRefused(error, 'Group Name or ID: the expression returns no value');
});

test('Get Many Links quotes the service on an unknown group', async () => {
	const { error } = await harness.runNode(getAll({ filters: { groupId: '99' } }));
	expect(error).toMatchObject({
		message: 'The links were not read: the service reported a failure',
		description:
			'Check the group, and that the app has access to the account. The service said: "There is no group 99."',
	});
});

test.each([
	['no data', { status: true, errors: [] }],
	['data that is not a list', { status: true, data: { total: 0 } }],
	['a link that is not an object', { status: true, data: ['https://example.com'] }],
])('Get Many Links fails if the response has %s', async (_name, body) => {
	harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/list' });
	const { error } = await harness.runNode(getAll());
	expect(error).toMatchObject({
		message: 'The links were not read: the response contains no list of links',
		description: 'Check the Base URL in the credential.',
	});
});
