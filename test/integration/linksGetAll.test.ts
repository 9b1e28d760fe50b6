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

const titlesOf = (items: ReadonlyArray<{ json: IDataObject }>) => items.map(({ json }) => json.title);

describe('Get Many Links', () => {
	test('returns one item for each link, the newest first, paired with its input item', async () => {
		const listed = harness.sandbox.account.links.list();
		expect(listed.length).toBeGreaterThan(1);
		const { items } = await harness.runNode(getAll(), { items: [{ a: 1 }, { b: 2 }] });
		expect(items).toEqual([0, 1].flatMap((item) => listed.map((json) => ({ json, pairedItem: { item } }))));
	});

	test('returns the ID, the title and the address first, and no field that the service did not send', async () => {
		const data = [
			{ created_at: '2026-11-22', link: 'https://example.com/', title: 'First', link_id: 1 },
			{ image: '', link_id: 2 },
		];
		harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonResponse({ status: true, data }) });
		const { items } = await harness.runNode(getAll());
		expect(items.map(({ json }) => Object.keys(json))).toEqual([
			['link_id', 'title', 'link', 'created_at'],
			['link_id', 'image'],
		]);
	});

	test('returns the links of a group', async () => {
		const filters = { groupId: '={{ $json.group }}' };
		const { items } = await harness.runNode(getAll({ filters }), { items: [{ group: EVENTS }] });
		expect(harness.sandbox.recorder.calls.map(({ url }) => url)).toEqual(['/oauth/v1/lnk/list?group_id=2']);
		const listed = harness.sandbox.account.links.list(EVENTS);
		expect(listed).not.toHaveLength(0);
		expect(items.map(({ json }) => json)).toEqual(listed);
	});

	test.each(['', '={{ $json.group ?? "" }}'])('requests all links if the group filter is %j', async (groupId) => {
		await harness.runNode(getAll({ filters: { groupId } }));
		expect(harness.sandbox.recorder.calls[0]!.url).toBe('/oauth/v1/lnk/list');
	});
});

describe('Get Many Links, if there are more links than the service lists', () => {
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
});

describe('Skip First of Get Many Links', () => {
	const newest = () => harness.sandbox.account.links.list().map(({ title }) => title);

	test.each<[string, INodeParameters, start: number, end: number]>([
		['the others with Return All', { returnAll: true, skip: 10 }, 10, 20],
		['as many others as Limit says', { limit: 3, skip: 10 }, 10, 13],
	])('leaves out the newest links and returns %s', async (_name, fields, start, end) => {
		await harness.restart({ links: [] });
		addLinks(harness.sandbox, 20);
		const { items, hints, error } = await harness.runNode(getAll(fields));
		expect(error).toBeUndefined();
		expect(titlesOf(items)).toEqual(newest().slice(start, end));
		expect(hints).toEqual([]);
	});

	test.each([
		['by their IDs', ({ link_id: id }: { link_id: number }) => id],
		['with gaps', (_link: unknown, index: number) => index * 2],
	])('leaves out the newest links of an object that has the links %s', async (_how, keyOf) => {
		const listed = harness.sandbox.account.links.list();
		const data = Object.fromEntries(listed.map((link, index) => [keyOf(link, index), link]));
		harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonResponse({ status: true, data }) });
		const { items } = await harness.runNode(getAll({ returnAll: true, skip: 1 }));
		expect(titlesOf(items)).toEqual(newest().slice(1));
	});

	test('is rejected if it is negative, before anything is sent', async () => {
		const { error } = await harness.runNode(getAll({ skip: -1 }));
		harness.expectRefused(error, 'Skip First: the value must be a whole number, at least 0');
	});

	test.each<[string, INodeParameters, count: number, hints: string[]]>([
		['a hint', { returnAll: true, skip: 10 }, 40, [HINT]],
		['a hint', { limit: 41, skip: 10 }, 40, [HINT]],
		['no hint', { limit: 40, skip: 10 }, 40, []],
	])('shows %s if more links are wanted than listed: %j', async (_name, fields, count, hints) => {
		addLinks(harness.sandbox, 60);
		const { items, hints: shown } = await harness.runNode(getAll(fields));
		expect(items).toHaveLength(count);
		expect(shown.map(({ message }) => message)).toEqual(hints);
	});
});

describe('The filter URL of Get Many Links', () => {
	const add = (title: string, link: string) => harness.sandbox.account.links.add({ title, link }).link_id;
	const byUrl = (url: unknown, fields: INodeParameters = {}) =>
		getAll({ filters: { url } as INodeParameters, ...fields });

	test('returns only the links with this address, compared as in If Link Exists', async () => {
		for (const [title, link] of [
			['same', 'https://example.com/a'],
			['slash', 'https://example.com/a/'],
			['equivalent', 'HTTPS://Example.com:443/%61'],
			['query', 'https://example.com/a?b'],
		] as const) {
			add(title, link);
		}
		const { items, hints } = await harness.runNode(byUrl(' https://example.com/a '));
		expect(titlesOf(items)).toEqual(['equivalent', 'same']);
		expect(hints).toEqual([]);
		const limited = await harness.runNode(byUrl('https://example.com/a', { limit: 1, skip: 1 }));
		expect(titlesOf(limited.items)).toEqual(['same']);
	});

	test('is read for each item, and returns no item if there is no such link', async () => {
		add('here', 'https://example.com/here');
		const { items, error } = await harness.runNode(byUrl('={{ $json.url }}'), {
			items: [{ url: 'https://example.com/gone' }, { url: 'https://example.com/here' }],
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual([['here', { item: 1 }]]);
	});

	const missing = (count: number) =>
		`None of the ${count} links in the list has a URL that is "https://example.com/none". Scheduled links are not listed.`;

	test.each([
		['what was compared, if no older link may have the address', 40, 'https://example.com/none', [missing(40)]],
		['that an older link may have it, too', 60, 'https://example.com/none', [HINT, missing(50)]],
	])('that finds nothing says %s', async (_name, count, url, expected) => {
		await harness.restart({ links: [] });
		addLinks(harness.sandbox, count);
		const { items, hints } = await harness.runNode(byUrl(url));
		expect(items).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual(expected);
	});
});

describe('The filter URL Contains of Get Many Links', () => {
	test('returns the links whose address contains a text in any case, such as a domain', async () => {
		await harness.restart({ links: [] });
		const add = (link: string) => harness.sandbox.account.links.add({ title: link, link });
		for (const link of [
			'https://Shop.example.com/a',
			'https://example.org/?from=shop.EXAMPLE.com',
			'https://e.com/?a=1&amp;b=2',
		])
			add(link);
		const find = async (filters: object) => {
			const { items, hints } = await harness.runNode(getAll({ filters: filters as INodeParameters }));
			return { found: titlesOf(items), hints: hints.map(({ message }) => message) };
		};
		expect((await find({ urlContains: 'shop.example.COM' })).found).toHaveLength(2);
		expect((await find({ urlContains: 'a=1&b=2' })).found).toEqual(['https://e.com/?a=1&amp;b=2']);
		expect(await find({ urlContains: 'example', url: 'https://shop.example.com/a' })).toEqual({
			found: ['https://Shop.example.com/a'],
			hints: [],
		});
		expect(await find({ urlContains: 'nowhere' })).toEqual({
			found: [],
			hints: ['None of the 3 links in the list has a URL that contains "nowhere". Scheduled links are not listed.'],
		});
	});
});

describe('Simplify of Get Many Links', () => {
	test('drops meta, and names the fields as the node does', async () => {
		const { items } = await harness.runNode(getAll({ simplify: true }));
		const listed = harness.sandbox.account.links.list();
		expect(items.map(({ json }) => json)).toEqual(
			listed.map(({ link_id, created_at, title, image, link, position }) => ({
				link_id,
				title,
				url: link,
				image_url: image,
				position,
				created_at,
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

describe('Get Many Links with a group filter', () => {
	test('rejects an expression that returns no value, instead of listing all links', async () => {
		const { error } = await harness.runNode(getAll({ filters: { groupId: '={{ $json.grop }}' } }));
		harness.expectRefused(
			error,
			'Group Name or ID: the expression returns no value',
			'Check the names in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.',
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
		['data that is not a list', { status: true, data: { total: 0 } }],
		['a link that is not an object', { status: true, data: ['https://example.com'] }],
	])('fails if the response has %s', async (_name, body) => {
		harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/list' });
		const { error } = await harness.runNode(getAll());
		expect(error).toMatchObject({
			message: 'The links were not read: the response contains no list of links',
			description: 'Check the Base URL in the credential.',
		});
	});
});
