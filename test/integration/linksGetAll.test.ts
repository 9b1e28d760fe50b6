import type { INodeParameters } from 'n8n-workflow';

import { jsonAnswer } from '../../sandbox/faults';
import { Harness } from '../support/harness';

const EVENTS = 2;

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const getAll = (fields: INodeParameters = {}) => ({
	resource: 'links',
	operation: 'getAll',
	...fields,
});

function addLinks(count: number): void {
	for (let index = 0; index < count; index += 1) {
		harness.sandbox.account.links.add({ title: `Link ${index}`, link: 'https://example.com/' });
	}
}

test('asks for the links with the bearer token and nothing else', async () => {
	await harness.runNode(getAll());
	const [call] = harness.sandbox.recorder.calls;
	expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/lnk/list', body: '' });
	expect(call!.headers.authorization).toMatch(/^Bearer \S+$/);
});

test('puts out one item for each link, the newest first, paired with its input item', async () => {
	const listed = harness.sandbox.account.links.list();
	expect(listed.length).toBeGreaterThan(1);
	const { items } = await harness.runNode(getAll(), { items: [{ a: 1 }, { b: 2 }] });
	expect(items).toEqual(
		[0, 1].flatMap((item) => listed.map((json) => ({ json, pairedItem: { item } }))),
	);
});

test.each<[string, INodeParameters['groupId']]>([
	['chosen from the list', String(EVENTS)],
	['a number', EVENTS],
	['an expression', '={{ $json.group }}'],
])('asks for the links of a group: %s', async (_what, groupId) => {
	const { items } = await harness.runNode(getAll({ filters: { groupId } }), {
		items: [{ group: EVENTS }],
	});
	expect(harness.sandbox.recorder.calls.map(({ url }) => url)).toEqual([
		'/oauth/v1/lnk/list?group_id=2',
	]);
	const listed = harness.sandbox.account.links.list(EVENTS);
	expect(listed).not.toHaveLength(0);
	expect(items.map(({ json }) => json)).toEqual(listed);
});

test.each(['', '={{ $json.group ?? "" }}'])(
	'asks for all links where no group is chosen: %j',
	async (groupId) => {
		await harness.runNode(getAll({ filters: { groupId } }));
		expect(harness.sandbox.recorder.calls[0]!.url).toBe('/oauth/v1/lnk/list');
	},
);

test('puts out as many links as Limit says', async () => {
	const { items } = await harness.runNode(getAll({ limit: 1 }));
	expect(items.map(({ json }) => json)).toEqual(harness.sandbox.account.links.list().slice(0, 1));
});

describe('where there are more links than the service lists', () => {
	const HINT = 'The service lists 50 links at most, the newest ones. There may be older ones.';

	test.each<[INodeParameters, number, string[]]>([
		[{ returnAll: true }, 50, [HINT]],
		[{ limit: 51 }, 50, [HINT]],
		[{ limit: 50 }, 50, []],
		[{}, 50, []],
	])('with %j, %p are put out, with a hint if more were wanted', async (fields, count, hints) => {
		addLinks(60);
		const { items, hints: shown } = await harness.runNode(getAll(fields));
		expect(items).toHaveLength(count);
		expect(shown.map(({ message }) => message)).toEqual(hints);
	});

	test('there is no hint with fewer links', async () => {
		const { hints } = await harness.runNode(getAll({ returnAll: true }));
		expect(hints).toEqual([]);
	});
});

test.each([
	[
		'={{ $json.grop }}',
		'Group Name or ID: the expression gives nothing. Check the names in it; to leave the field empty on purpose, let it give an empty text.',
	],
	['={{ null }}', 'Group Name or ID: the expression gives nothing.'],
	[
		'={{ $json.grop }} ',
		'Group Name or ID: the expression gives only white space. Check the names in it; to leave the field empty on purpose, use a single {{ }} that gives an empty text, with nothing beside it.',
	],
	['={{ $json.a }} {{ $json.b }}', 'Group Name or ID: the expression gives only white space.'],
])('a group filter that finds nothing does not list all links: %j', async (groupId, message) => {
	const { error } = await harness.runNode(getAll({ filters: { groupId } }));
	harness.expectRefused(error, expect.stringContaining(message));
});

test('refuses a group that is no ID before anything is sent', async () => {
	const { error } = await harness.runNode(getAll({ filters: { groupId: '={{ "Events" }}' } }));
	harness.expectRefused(
		error,
		'Group Name or ID: "Events" is not an ID, which must be a whole number. Choose a group from the list, or give its ID.',
	);
});

test("passes on the service's own words on an unknown group", async () => {
	const { error } = await harness.runNode(getAll({ filters: { groupId: '99' } }));
	expect(error!.message).toBe(
		'The links were not read: the service reported a failure (status: false). Check the group, and that the app has access to the account. The service said: "There is no group 99."',
	);
});

test.each([
	['no data', { status: true, errors: [] }],
	['data that is no list', { status: true, data: {} }],
	['a link that is no object', { status: true, data: ['https://example.com'] }],
])('fails where the answer has %s', async (_what, body) => {
	harness.sandbox.faults.add({ fault: jsonAnswer(body), path: '/lnk/list' });
	const { error } = await harness.runNode(getAll());
	expect(error!.message).toBe(
		'The links were not read: the answer of the service holds no list of links. Check the Base URL in the credential.',
	);
});

test('is sent again after a failure that may pass', async () => {
	harness.sandbox.faults.add({ fault: 'reset', path: '/lnk/list', times: 1 });
	const { items } = await harness.runNode(getAll());
	expect(items).toHaveLength(harness.sandbox.account.links.list().length);
	expect(harness.sandbox.recorder.calls).toHaveLength(2);
});
