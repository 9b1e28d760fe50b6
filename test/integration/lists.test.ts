import { jsonAnswer, statusFault } from '../../sandbox/faults';
import { seededGroups } from '../../sandbox/seed';
import { Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const groups = seededGroups.map(({ group_id: id, group_name: name }) => ({
	name,
	value: String(id),
}));

describe('the links to choose from', () => {
	const choices = () =>
		harness.sandbox.account.links.list().map(({ link_id: id, title, link }) => ({
			name: title,
			value: String(id),
			url: link,
		}));

	test('are those that are public, by their titles, the newest first', async () => {
		expect(choices().length).toBeLessThan(harness.sandbox.account.links.all.length);
		expect(await harness.loadList('links', '')).toEqual(choices());
	});

	test('can be searched by title, whatever the case', async () => {
		const [wanted] = choices();
		const part = ` ${wanted!.name.slice(1, -1).toUpperCase()} `;
		expect(await harness.loadList('links', part)).toEqual([wanted]);
		expect(await harness.loadList('links', 'not there')).toEqual([]);
	});

	test.each([
		[
			'a link without a title, by its address',
			{ title: '', link: 'https://a.example' },
			'https://a.example',
		],
		['a link without both, by its ID', { title: null, link: null }, '7'],
		['a link whose address is a number', { title: 5, link: 6 }, '5'],
	])('include %s', async (_what, link, name) => {
		const data = [{ link_id: 7, ...link }];
		harness.sandbox.faults.add({ fault: jsonAnswer({ status: true, data }), path: '/lnk/list' });
		expect(await harness.loadList('links', '')).toMatchObject([{ name, value: '7' }]);
	});

	test('are opened by the editor only if their address is one of the web', async () => {
		const data = [
			'http://example.com',
			'javascript:alert(1)',
			'javascript:https://example.com',
			['https://example.com'],
		].map((link, index) => ({ link_id: index, title: 'x', link }));
		harness.sandbox.faults.add({ fault: jsonAnswer({ status: true, data }), path: '/lnk/list' });
		expect(await harness.loadList('links', '')).toEqual([
			{ name: 'x', value: '0', url: 'http://example.com' },
			...['1', '2', '3'].map((value) => ({ name: 'x', value })),
		]);
	});
});

const groupChoices = [{ name: 'No Group', value: '' }, ...groups];

test.each([
	['groupsOrNone', 'No Group'],
	['groupsOrAny', 'Any Group'],
])('%s: the groups to choose from are those of the account, after %s', async (list, name) => {
	expect(await harness.loadList(list)).toEqual([{ name, value: '' }, ...groups]);
});

test('groupsToMoveTo: the groups of the account come after entries for no change and for no group', async () => {
	expect(await harness.loadList('groupsToMoveTo')).toEqual([
		{ name: 'No Change', value: '' },
		{ name: 'No Group', value: 'none' },
		...groups,
	]);
});

test('a public app loads lists as well', async () => {
	const publicAppTokens = await harness.connectPublicApp();
	expect(await harness.loadList('groupsOrNone', undefined, { publicAppTokens })).toEqual(
		groupChoices,
	);
	expect(harness.sandbox.recorder.grants).toBe(0);
});

test('a token that was got for a list is kept for what comes after', async () => {
	const store = harness.newStore();
	const reference = harness.addCredential(store);
	await harness.loadList('groupsOrNone', undefined, { store, reference });
	await harness.loadList('links', '', { store, reference });
	await harness.runNode({ resource: 'groups', operation: 'getAll' }, { store, reference });
	expect(harness.sandbox.recorder.grants).toBe(1);
});

test('a token that is refused is renewed for a list', async () => {
	const credential = storedToken(harness.sandbox, { accessToken: 'old' });
	expect(await harness.loadList('groupsOrNone', undefined, { credential })).toEqual(groupChoices);
	expect([harness.sandbox.recorder.grants, harness.sandbox.recorder.calls.length]).toEqual([1, 2]);
});

describe('where a list can not be loaded', () => {
	test("the service's own words are shown", async () => {
		const fault = jsonAnswer({ status: false, errors: ['Account is closed.'] });
		harness.sandbox.faults.add({ fault, path: '/lnk/list' });
		await expect(harness.loadList('links', '')).rejects.toMatchObject({
			name: 'NodeOperationError',
			message:
				'The links were not read: the service reported a failure (status: false). Check the group, and that the app has access to the account. The service said: "Account is closed."',
		});
	});

	test('a wrong secret is told, and neither secret nor token is in the error', async () => {
		const credential = { clientSecret: 'wrong-secret' };
		const error = await harness
			.loadList('groupsOrNone', undefined, { credential })
			.catch((thrown: unknown) => thrown as Error);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^No access token: the service refused the Client ID or the Client Secret/,
			) as string,
		});
		expect(JSON.stringify(error)).not.toContain('wrong-secret');
	});

	test('a public app that nobody has connected is told so', async () => {
		await expect(
			harness.loadList('groupsOrNone', undefined, { publicAppTokens: {} }),
		).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(
				/^Credential: it is not connected to an account yet\./,
			) as string,
		});
	});

	test('words of the service that n8n would replace are kept', async () => {
		const fault = jsonAnswer({ status: false, errors: ['ECONNREFUSED by the database'] });
		harness.sandbox.faults.add({ fault, path: '/group/list' });
		await expect(harness.loadList('groupsOrNone')).rejects.toThrow(
			/^The groups were not read: .*"ECONNREFUSED by the database"\.$/,
		);
	});

	test('a service that fails is told', async () => {
		harness.sandbox.faults.add({ fault: statusFault(503, 'Busy.'), path: '/group/list' });
		await expect(harness.loadList('groupsOrNone')).rejects.toThrow(
			'The groups were not read: the service failed (HTTP 503).',
		);
	});
});
