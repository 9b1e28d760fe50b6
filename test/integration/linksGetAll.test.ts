import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { addLinks } from '../support/links';

const EVENTS = 2;

const harness = useHarness();

const getAll = (fields: INodeParameters = {}) => ({
	resource: 'links',
	operation: 'getAll',
	...fields,
});

describe('Get Many Links', () => {
	test('sends a GET request with the bearer token and no body', async () => {
		await harness.runNode(getAll());
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'GET', url: '/oauth/v1/lnk/list', body: '' });
		expect(call!.headers.authorization).toMatch(/^Bearer \S+$/);
	});

	test('returns one item for each link, the newest first, paired with its input item', async () => {
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
	])('returns the links of a group that is %s', async (_name, groupId) => {
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
		'requests all links if the group filter is %j',
		async (groupId) => {
			await harness.runNode(getAll({ filters: { groupId } }));
			expect(harness.sandbox.recorder.calls[0]!.url).toBe('/oauth/v1/lnk/list');
		},
	);

	test('returns as many links as Limit says', async () => {
		const { items } = await harness.runNode(getAll({ limit: 1 }));
		expect(items.map(({ json }) => json)).toEqual(harness.sandbox.account.links.list().slice(0, 1));
	});
});

describe('Get Many Links, if there are more links than the service lists', () => {
	const HINT = 'The service lists only the 50 newest links. There may be older ones.';

	test.each<[string, INodeParameters, string[]]>([
		['a hint', { returnAll: true }, [HINT]],
		['a hint', { limit: 51 }, [HINT]],
		['no hint', { limit: 50 }, []],
		['no hint', {}, []],
	])('returns the listed links and shows %s with %j', async (_name, fields, hints) => {
		addLinks(harness.sandbox, 60);
		const { items, hints: shown } = await harness.runNode(getAll(fields));
		expect(items).toHaveLength(50);
		expect(shown.map(({ message }) => message)).toEqual(hints);
	});

	test('shows no hint if there are fewer links', async () => {
		const { hints } = await harness.runNode(getAll({ returnAll: true }));
		expect(hints).toEqual([]);
	});
});

describe('Get Many Links with a group filter', () => {
	test.each([
		'={{ $json.grop }}',
		'={{ null }}',
		'={{ $json.grop }} ',
		'={{ $json.a }} {{ $json.b }}',
	])(
		'rejects the expression %j, which returns no value, instead of listing all links',
		async (groupId) => {
			const { error } = await harness.runNode(getAll({ filters: { groupId } }));
			harness.expectRefused(
				error,
				'Group Name or ID: the expression returns no value',
				'Check the property names in it. To leave the field empty, use a single {{ }} that returns an empty string, with nothing around it.',
			);
		},
	);

	test('rejects a group that is not an ID before anything is sent', async () => {
		const { error } = await harness.runNode(getAll({ filters: { groupId: '={{ "Events" }}' } }));
		harness.expectRefused(
			error,
			'Group Name or ID: "Events" is not an ID',
			'An ID is a whole number. Choose a group from the list, or enter its ID.',
		);
	});

	test('quotes the service on an unknown group', async () => {
		const { error } = await harness.runNode(getAll({ filters: { groupId: '99' } }));
		expect(error).toMatchObject({
			message: 'The links were not read: the service reported a failure (status: false)',
			description:
				'Check the group, and that the app has access to the account. The service said: "There is no group 99."',
		});
	});
});

describe('Get Many Links with a failing request', () => {
	test.each([
		['no data', { status: true, errors: [] }],
		['data that is not a list', { status: true, data: {} }],
		['a link that is not an object', { status: true, data: ['https://example.com'] }],
	])('fails if the response has %s', async (_name, body) => {
		harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/list' });
		const { error } = await harness.runNode(getAll());
		expect(error).toMatchObject({
			message: 'The links were not read: the response contains no list of links',
			description: 'Check the Base URL in the credential.',
		});
	});

	test('retries after a transient failure', async () => {
		harness.sandbox.faults.add({ fault: 'reset', path: '/lnk/list', times: 1 });
		const { items } = await harness.runNode(getAll());
		expect(items).toHaveLength(harness.sandbox.account.links.list().length);
		expect(harness.sandbox.recorder.calls).toHaveLength(2);
	});
});
