import { jsonResponse } from '../../sandbox/faults';
import { seededGroups } from '../../sandbox/seed';
import { TRIGGER, useHarness } from '../support/harness';

const harness = useHarness();

const groups = seededGroups.map(({ group_id: id, group_name: name }) => ({
	name,
	value: String(id),
}));

describe('The list of links', () => {
	const choices = () =>
		harness.sandbox.account.links.list().map(({ link_id: id, title, link }) => ({
			name: title,
			value: String(id),
			url: link,
		}));

	test('contains the public links by title, the newest first', async () => {
		expect(choices().length).toBeLessThan(harness.sandbox.account.links.all.length);
		expect(await harness.loadList('links', '')).toEqual(choices());
	});

	test('can be searched by title in upper or lower case', async () => {
		const [wanted] = choices();
		const part = ` ${wanted!.name.slice(1, -1).toUpperCase()} `;
		expect(await harness.loadList('links', part)).toEqual([wanted]);
		expect(await harness.loadList('links', 'not there')).toEqual([]);
	});

	test.each([
		['the address of a link without a title', { title: '', link: 'https://a.example' }, 'https://a.example'],
		['the ID of a link without a title and an address', { title: null, link: null }, '7'],
	])('shows %s', async (_name, link, name) => {
		const data = [{ link_id: 7, ...link }];
		harness.sandbox.faults.add({ fault: jsonResponse({ status: true, data }), path: '/lnk/list' });
		expect(await harness.loadList('links', '')).toMatchObject([{ name, value: '7' }]);
	});

	test('has the address of a link for the editor to open only if it is a web address', async () => {
		const data = [
			'http://example.com',
			'javascript:alert(1)',
			'javascript:https://example.com',
			['https://example.com'],
		].map((link, index) => ({ link_id: index + 1, title: `Link ${index + 1}`, link }));
		harness.sandbox.faults.add({ fault: jsonResponse({ status: true, data }), path: '/lnk/list' });
		expect(await harness.loadList('links', '')).toEqual([
			{ name: 'Link 1', value: '1', url: 'http://example.com' },
			...['2', '3', '4'].map((value) => ({ name: `Link ${value}`, value })),
		]);
	});

	test('has at most 1,000 links, and the search finds the others', async () => {
		const data = Array.from({ length: 3000 }, (_, id) => ({ link_id: id + 1, title: `Link ${id}` }));
		harness.sandbox.faults.add({ fault: jsonResponse({ status: true, data }), path: '/lnk/list' });
		const shown = await harness.loadList('links', '');
		expect(shown.map(({ name }) => name)).toEqual(data.slice(0, 1000).map(({ title }) => title));
		expect(await harness.loadList('links', 'link 299')).toHaveLength(11);
	});

	test('has links and groups with any ID, and none without one', async () => {
		const ids = ['ln_9f1a2b', 7, '007', 'größe', 0, '0', '', ' ', null, 1.5, 2 ** 53, true, ['8']];
		const data = ids.map((link_id) => ({ link_id, title: 'A' }));
		const groups = ids.map((group_id) => ({ group_id, group_name: 'A' }));
		harness.sandbox.faults.add({ fault: jsonResponse({ status: true, data }), path: '/lnk/list' });
		harness.sandbox.faults.add({ fault: jsonResponse({ status: true, info: { groups } }), path: '/group/list' });
		const found = ['ln_9f1a2b', '7', '007', 'größe'];
		expect((await harness.loadList('links', '')).map(({ value }) => value)).toEqual(found);
		expect((await harness.loadList('groupsOrAny')).map(({ value }) => value)).toEqual(['', ...found]);
	});

	test('adds the ID to the titles that several links have', async () => {
		const data = ['Sale', 'Tour', 'Sale'].map((title, index) => ({ link_id: index + 1, title }));
		harness.sandbox.faults.add({ fault: jsonResponse({ status: true, data }), path: '/lnk/list' });
		const choices = (await harness.loadList('links', '')) as Array<{ name: string }>;
		expect(choices.map(({ name }) => name)).toEqual(['Sale (ID 1)', 'Tour', 'Sale (ID 3)']);
	});
});

describe('The lists of groups', () => {
	test.each([
		['node', {}],
		['trigger', { settings: TRIGGER }],
	])('the list groupsOrAny of the %s contains "Any Group" and the groups of the account', async (_which, options) => {
		const choices = [{ name: 'Any Group', value: '' }, ...groups];
		expect(await harness.loadList('groupsOrAny', undefined, options)).toEqual(choices);
	});

	test('the list groupsToMoveTo contains "No Change", "No Group" and the groups of the account', async () => {
		expect(await harness.loadList('groupsToMoveTo')).toEqual([
			{ name: 'No Change', value: '' },
			{ name: 'No Group', value: 'none' },
			...groups,
		]);
	});
});

test('A list offers no ID that n8n would evaluate as an expression once it is chosen, nor such a name', async () => {
	const expression = "={{ JSON.stringify($('Start').all()) }}";
	const pages = [
		{ page_id: expression, title: 'Home' },
		{ page_id: 'P2', title: expression },
		{ page_id: '{{ $json.apiKey }}', title: 'Shop' },
	];
	harness.sandbox.faults.add({ fault: jsonResponse({ status: true, data: pages }), path: '/list' });
	const credential = { pagesPath: '/oauth/v1/list' };
	expect(await harness.loadList('pages', '', { credential })).toEqual([{ name: `\u200B${expression}`, value: 'P2' }]);
	harness.sandbox.faults.clear();
	harness.sandbox.faults.add({
		fault: jsonResponse({ status: true, data: [{ link_id: 1, title: expression }] }),
		path: '/lnk/list',
	});
	expect(await harness.loadList('links', '')).toEqual([{ name: `\u200B${expression}`, value: '1' }]);
});

describe('The token of a list', () => {
	test('a token that was requested for a list is used for later lists and executions', async () => {
		const { store, reference } = harness.newAccount();
		await harness.loadList('groupsOrNone', undefined, { store, reference });
		await harness.loadList('links', '', { store, reference });
		await harness.runNode({ resource: 'groups', operation: 'getAll' }, { store, reference });
		expect(harness.sandbox.recorder.grants).toBe(1);
	});
});

describe('The error of a list that cannot be loaded', () => {
	test('quotes the service', async () => {
		const fault = jsonResponse({ status: false, errors: ['Account is closed.'] });
		harness.sandbox.faults.add({ fault, path: '/lnk/list' });
		await expect(harness.loadList('links', '')).rejects.toMatchObject({
			name: 'NodeOperationError',
			message:
				'The links were not read: the service reported a failure (status: false). Check that the app has access to the account. The service said: "Account is closed."',
		});
	});

	test('quotes the service where n8n would replace its words with a message of its own', async () => {
		const fault = jsonResponse({ status: false, errors: ['ECONNREFUSED by the database'] });
		harness.sandbox.faults.add({ fault, path: '/group/list' });
		await expect(harness.loadList('groupsOrNone')).rejects.toThrow(
			/^The groups were not read: .*"ECONNREFUSED by the database"\.$/,
		);
	});
});
