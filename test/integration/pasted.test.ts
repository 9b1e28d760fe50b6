import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME } from '../support/pages';

/** What users paste with characters that nobody sees: U+200B, U+200E, U+FEFF, U+2060 and a soft hyphen. */
const [ZWSP, LRM, BOM, WJ, SHY] = ['\u200B', '\u200E', '\uFEFF', '\u2060', '\u00AD'];

const harness = useHarness({ links: [{ title: 'Old', link: 'https://example.com/old' }] });

const lastForm = () => harness.sandbox.recorder.forms.at(-1);

const create = (fields: INodeParameters): INodeParameters => ({
	resource: 'links',
	operation: 'create',
	title: 'A',
	url: 'https://example.com/a',
	...fields,
});

describe('Invisible characters around a text go, as whitespace does:', () => {
	test.each<[string, INodeParameters, IDataObject]>([
		['a title', { title: `${LRM} My video${ZWSP}` }, { title: 'My video' }],
		['a URL', { url: `https://example.com/a${ZWSP}` }, { link: 'https://example.com/a' }],
		[
			'a date',
			{ additionalFields: { scheduleFrom: `${LRM}2031-12-24T18:00:00Z${BOM}` } },
			{ schedule_from: expect.stringMatching(/^2031-12-24T/) as string },
		],
		['a group', { additionalFields: { groupId: `${BOM}2${WJ}` } }, { group_id: '2' }],
	])('%s', async (_what, fields, sent) => {
		const { error } = await harness.runNode(create(fields));
		expect(error).toBeUndefined();
		expect(lastForm()).toMatchObject(sent);
	});

	test('the IDs of a page and its blocks', async () => {
		const order = harness.sandbox.account.order(HOME);
		const { error } = await harness.runNode({
			resource: 'blocks',
			operation: 'reorder',
			pageId: `${BOM}${HOME}${ZWSP}`,
			blockIds: order.map((id) => `${ZWSP}${id} ${LRM}`).join('\n'),
		});
		expect(error).toBeUndefined();
		expect(harness.sandbox.account.order(HOME)).toEqual(order);
	});

	test('but the flag of a country that ends in one stays', async () => {
		const flag = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
		await harness.runNode(create({ title: `Shop ${flag}` }));
		expect(lastForm()).toMatchObject({ title: `Shop ${flag}` });
	});
});

describe('An invisible character inside is named, and nothing is sent:', () => {
	const reorder = { resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds: 'a' };

	test.each<[string, INodeParameters, string]>([
		['a page ID', { ...reorder, pageId: `PAGE${BOM}_1` }, 'Page: the value contains an invisible character (U+FEFF)'],
		[
			'a block ID',
			{ ...reorder, blockIds: `a\n65f1${ZWSP}c0` },
			'Block IDs: entry 2 contains an invisible character (U+200B)',
		],
		[
			'a URL',
			create({ url: `https://exa${SHY}mple.com` }),
			'URL: the address contains an invisible character (U+00AD)',
		],
		[
			'a date',
			create({ additionalFields: { scheduleFrom: `2031-12-24${LRM} 18:00` } }),
			'Public From: the value contains an invisible character (U+200E)',
		],
		[
			'a path',
			{ resource: 'api', operation: 'request', path: `/oauth${ZWSP}/v1/me` },
			'Path: the path contains an invisible character (U+200B)',
		],
	])('%s', async (_what, parameters, message) => {
		const { error } = await harness.runNode(parameters);
		expect(error).toMatchObject({ message, description: 'Remove it, or type the value.' });
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

describe('An empty list', () => {
	const [getLinks, getGroups] = ['links', 'groups'].map((resource) => ({ resource, operation: 'getAll' }));
	const list = (path: string, body: object) =>
		harness.sandbox.faults.add({ path, fault: jsonResponse({ status: true, errors: [], ...body }) });

	describe.each([null, {}])('that is written as %j', (empty) => {
		test.each<[string, string, object, INodeParameters]>([
			['links', '/lnk/list', { data: empty }, getLinks!],
			['groups', '/group/list', { info: { groups: empty } }, getGroups!],
			['groups in data', '/group/list', { data: empty }, getGroups!],
			['info', '/group/list', { info: empty }, getGroups!],
		])('is one of no %s', async (_what, path, body, parameters) => {
			list(path, body);
			const { items, error } = await harness.runNode(parameters);
			expect([error, items]).toEqual([undefined, []]);
		});

		test('does not hide groups beside it', async () => {
			list('/group/list', { info: empty, data: [{ id: 7, name: 'Press' }] });
			const { items } = await harness.runNode(getGroups!);
			expect(items.map(({ json }) => json)).toEqual([{ group_id: 7, group_name: 'Press' }]);
		});

		test('lets Skip create the first link of a profile', async () => {
			list('/lnk/list', { data: empty });
			const { error, items } = await harness.runNode(create({ ifExists: 'skip' }));
			expect(error).toBeUndefined();
			expect(items[0]!.json.action).toBe('created');
		});
	});

	test.each<[string, object, INodeParameters]>([
		['/lnk/list', { data: false }, getLinks!],
		['/lnk/list', {}, getLinks!],
		['/group/list', { info: { groups: false } }, getGroups!],
	])('is not a response of %s such as %j', async (path, body, parameters) => {
		list(path, body);
		const { error } = await harness.runNode(parameters);
		expect(error?.message).toMatch(/the response contains no list of (links|groups)$/);
	});
});

describe('A list that PHP wrote as an object is read', () => {
	const list = { 0: { link_id: 1, link: 'https://a.example' }, 2: { link_id: 2, link: 'https://b.example' } };
	const groups = { 0: { group_id: 1, group_name: 'A' }, 2: { group_id: 2, group_name: 'B' } };

	test.each<[string, string, object, INodeParameters]>([
		['as links', '/lnk/list', { data: list }, { resource: 'links', operation: 'getAll' }],
		['as groups', '/group/list', { info: { groups } }, { resource: 'groups', operation: 'getAll' }],
		[
			'as the items of Send Request',
			'/things',
			{ data: list },
			{ resource: 'api', operation: 'request', path: '/oauth/v1/things' },
		],
	])('%s', async (_what, path, body, parameters) => {
		harness.sandbox.faults.add({ path, fault: jsonResponse({ status: true, ...body }) });
		const { items, error } = await harness.runNode(parameters);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
	});
});
