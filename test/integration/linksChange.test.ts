import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { batching } from '../support/parameters';

const harness = useHarness();

/** The link that the tests update: the first one in a group. */
const linkInGroup = () => harness.sandbox.account.links.all.find(({ group_id: id }) => id)!;
const links = () => harness.sandbox.account.links.all;
const forms = () => harness.sandbox.recorder.forms;

const onLinks = (operation: string, parameters: INodeParameters) => ({ resource: 'links', operation, ...parameters });
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
const deleteLink = (linkId: INodeParameters[string]) => onLinks('delete', { linkId });

async function update(updateFields: INodeParameters, options: RunNodeOptions = {}) {
	const linkId = byId(String(linkInGroup().link_id));
	return await harness.runNode(onLinks('update', { linkId, updateFields }), options);
}

describe('Update Link', () => {
	test.each<[string, INodeParameters, Record<string, string>]>([
		['the title', { title: ' A & B = Ü ' }, { title: 'A & B = Ü' }],
		['the URL', { url: 'https://example.com/?a=b&c=d' }, { link: 'https://example.com/?a=b&c=d' }],
		['a URL with other letters, in ASCII', { url: 'https://ü.example/ü' }, { link: 'https://xn--tda.example/%C3%BC' }],
		['the group', { groupId: '3' }, { group_id: '3' }],
		['No Group, which removes the link from its group', { groupId: 'none' }, { group_id: '' }],
		['the title with a blank URL', { title: 'New', url: ' \n' }, { title: 'New' }],
		['the title with null in the other fields', { title: 'New', url: null, groupId: null }, { title: 'New' }],
	])('sends only the fields that are set: %s', async (_name, updateFields, form) => {
		const id = linkInGroup().link_id;
		const { error } = await update(updateFields);
		expect(error).toBeUndefined();
		expect(harness.sandbox.recorder.calls[0]).toMatchObject({ method: 'POST', url: '/oauth/v1/lnk/edit' });
		expect(forms()).toEqual([{ link_id: String(id), ...form }]);
	});

	test('changes the fields that are set and no others, and returns each link with them', async () => {
		const before = linkInGroup();
		const others = links().filter((link) => link !== before);
		const { items } = await update({ title: 'New title' }, { items: [{ a: 1 }, { a: 2 }] });
		expect(links()).toEqual(expect.arrayContaining([...others, { ...before, title: 'New title' }]));
		const json = { link_id: before.link_id, action: 'updated', title: 'New title' };
		expect(items).toEqual([0, 1].map((item) => ({ json, pairedItem: { item } })));
	});
});

describe('Update Link with invalid fields', () => {
	const CHOOSE_GROUP = 'Choose the group from the list, or use the ID that Groups: Get Many returns.';
	const NO_FIELD = [
		'Update Fields: no field has a value',
		'Add a field and enter a value. An empty field leaves the link as it is.',
	] as const;

	test.each<[name: string, fields: INodeParameters, message: string, description: string]>([
		['no field', {}, ...NO_FIELD],
		['an empty URL and no other field, as an AI model may send it,', { url: '' }, ...NO_FIELD],
		['null in all fields', { title: null, url: null, groupId: null }, ...NO_FIELD],
		[
			'a title from a missing field',
			{ title: '={{ $json.titel }}' },
			'Title: the expression returns no value',
			'Check the spelling of the properties in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.',
		],
		[
			'the name of a group instead of its ID',
			{ groupId: '={{ "Events" }}' },
			'Group Name or ID: the value is not an ID: "Events"',
			CHOOSE_GROUP,
		],
		['a group 0', { groupId: '={{ 0 }}' }, 'Group Name or ID: the value is not an ID: "0"', CHOOSE_GROUP],
		[
			'a title that is a list',
			{ title: '={{ [1] }}' },
			'Title: the value is a list, not text',
			'Enter the text of the link.',
		],
	])('rejects %s before anything is sent', async (_name, updateFields, message, description) => {
		const before = links();
		const { error } = await update(updateFields);
		harness.expectRefused(error, message, description);
		expect(links()).toEqual(before);
	});
});

describe('Requests of Update Link', () => {
	test('that fail quote the service on an unknown group', async () => {
		const { error } = await update({ groupId: '99' });
		const id = linkInGroup().link_id;
		expect(error).toMatchObject({
			message: `Link ${id} was not updated: the service reported a failure`,
			description: 'Check the ID of the link and the fields to update. The service said: "There is no group 99."',
		});
	});

	test('are sent again after a transient failure, even if the service may have applied the change', async () => {
		harness.sandbox.faults.add({ fault: 'lost', path: '/lnk/edit', times: 1 });
		expect((await update({ title: 'New title' })).error).toBeUndefined();
		expect(linkInGroup().title).toBe('New title');
		expect(harness.sandbox.recorder.calls).toHaveLength(2);
	});

	test('are sent one after another for one link, in the order of the items', async () => {
		harness.sandbox.faults.latency = 10;
		const items = Array.from({ length: 6 }, (_, index) => ({ title: `Title ${index}` }));
		await update({ title: '={{ $json.title }}' }, { items });
		expect(harness.sandbox.recorder.hasOverlap).toBe(false);
		expect(forms().map(({ title }) => title)).toEqual(items.map(({ title }) => title));
		expect(linkInGroup().title).toBe('Title 5');
	});
});

const ids = () => links().map(({ link_id: id }) => id);

describe('Delete Link', () => {
	test.each<[string, (id: number) => INodeParameters[string]]>([
		['from the list', (id) => ({ __rl: true, mode: 'list', value: String(id) })],
		['by an ID that is a number', (id) => byId(id)],
		['by an expression', () => byId('={{ $json.id }}')],
		['by a parameter that is the ID itself', (id) => String(id)],
	])('deletes only the link that is selected %s, with its ID in a form', async (_name, give) => {
		const [first, ...others] = ids();
		const { items, error } = await harness.runNode(deleteLink(give(first!)), { items: [{ id: first }] });
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: { link_id: first, action: 'deleted' }, pairedItem: { item: 0 } }]);
		expect(ids()).toEqual(others);
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'POST', url: '/oauth/v1/lnk/delete', body: `link_id=${first}` });
	});

	const CHOOSE = 'Choose a link, or enter an ID that Get Many returns.';
	const NO_SPACES = `An ID contains no spaces, commas, or quotation marks. ${CHOOSE}`;

	test.each<[name: string, linkId: INodeParameters[string], message: string, description: string]>([
		['an empty link', byId('={{ "" }}'), 'Link: the value is empty', CHOOSE],
		[
			'a missing field',
			byId('={{ $json.nothing }}'),
			'Link: the expression returns no value',
			'Check the spelling of the properties in it.',
		],
		['a title of one word', byId('Sale'), 'Link: the value is not an ID: "Sale"', CHOOSE],
		['an address without https', byId('example.com/5'), 'Link: the value is not an ID: "example.com/5"', CHOOSE],
		['a zero', byId(0), 'Link: the value is not an ID: "0"', CHOOSE],
		['a URL', byId('https://example.com/5'), 'Link: the value is a URL, not an ID', 'Set Link to By URL.'],
		['the title of a link', byId('={{ "My link" }}'), 'Link: the value is not an ID: "My link"', NO_SPACES],
	])('rejects %s before anything is sent', async (_name, linkId, message, description) => {
		const before = ids();
		const { error } = await harness.runNode(deleteLink(linkId));
		harness.expectRefused(error, message, description);
		expect(ids()).toEqual(before);
	});

	test.each<[string, 'lost' | undefined, (id: number) => number, number]>([
		['that does not exist', undefined, () => 999, 1],
		['whose first response was lost, on the retry', 'lost', (id) => id, 2],
	])('succeeds for a link %s', async (_which, fault, give, times) => {
		const [first, ...others] = ids();
		const linkId = give(first!);
		if (fault) harness.sandbox.faults.add({ fault, path: '/lnk/delete', times: 1 });
		const { items, error } = await harness.runNode(deleteLink(byId(linkId)));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ link_id: linkId, action: 'deleted' }]);
		expect(harness.sandbox.recorder.calls).toHaveLength(times);
		expect(ids()).toEqual(linkId === first ? others : [first, ...others]);
	});

	test('returns errors for an invalid item and a failed one, and deletes the others with Continue on Fail', async () => {
		const [first, second] = ids();
		// The first call succeeds, and the second fails.
		harness.sandbox.faults.add({ path: '/lnk/delete', times: 1 });
		const unknown = jsonResponse({ status: false, errors: ['There is no link 999.'] });
		harness.sandbox.faults.add({ fault: unknown, path: '/lnk/delete', times: 1 });
		const { items } = await harness.runNode(
			{ ...deleteLink(byId('={{ $json.id }}')), options: batching(1) },
			{ items: [first, 'a b', 999, second].map((id) => ({ id })), settings: { onError: 'continueRegularOutput' } },
		);
		expect(items.map(({ json, pairedItem }) => [json.action ?? json.error, pairedItem])).toEqual([
			['deleted', { item: 0 }],
			[expect.stringContaining('Link: the value is not an ID: "a b"'), { item: 1 }],
			[expect.stringContaining('There is no link 999.'), { item: 2 }],
			['deleted', { item: 3 }],
		]);
		expect(ids()).not.toEqual(expect.arrayContaining([first, second]));
	});
});

describe('A link that is selected by its URL', () => {
	const A = 'https://example.com/a';
	const byUrl = (value: string) => ({ __rl: true, mode: 'url', value }) as INodeParameters;
	const add = (link: string) => harness.sandbox.account.links.add({ title: 'Old', link }).link_id;
	const urls = () => harness.sandbox.recorder.calls.map(({ url }) => url.split('/').at(-1));

	test('is updated, found with its new URL by a later item, and deleted', async () => {
		const id = add(A);
		const updateFields = { url: '={{ $json.to }}' };
		const items = [
			{ from: 'HTTPS://Example.com/%61', to: `${A}/2` },
			{ from: `${A}/2`, to: `${A}/3` },
		];
		const updated = await harness.runNode(onLinks('update', { linkId: byUrl('={{ $json.from }}'), updateFields }), {
			items,
		});
		expect(updated.items.map(({ json }) => [json.link_id, json.action, json.url])).toEqual(
			items.map(({ to }) => [id, 'updated', to]),
		);
		expect(urls()).toEqual(['list', 'edit', 'edit']);
		const deleted = await harness.runNode(deleteLink(byUrl(`${A}/3`)));
		expect(deleted.items[0]!.json).toMatchObject({ link_id: id, action: 'deleted', title: 'Old', url: `${A}/3` });
		expect(ids()).not.toContain(id);
	});

	test('is not changed by a preview', async () => {
		const id = add(A);
		const { items } = await harness.runNode({ ...deleteLink(byUrl(A)), preview: true });
		expect(items[0]!.json).toMatchObject({ link_id: id, action: 'would be deleted' });
		expect(urls()).toEqual(['list']);
	});

	test.each([
		[0, /^Link: none of the 50 newest public links has the URL/, /By ID/],
		[2, /^Link: 2 links have the URL/, /^Set Link to By ID, and enter one of: \d+, \d+\.$/],
	])('is refused before a change is sent if there are %i', async (count, message, advice) => {
		for (let index = 0; index < count; index += 1) add(A);
		const { error } = await harness.runNode(deleteLink(byUrl(A)));
		expect(error!.message).toMatch(message);
		expect(error!.description).toMatch(advice);
		expect(urls()).toEqual(['list']);
	});

	test('is not looked for again by Retry On Fail if it may have been deleted: another link may have the URL then', async () => {
		add(A);
		harness.sandbox.faults.add({ path: '/lnk/delete', fault: 'lost' });
		const options = { ...deleteLink(byUrl(A)), options: { maxRetries: 0 } };
		const { error } = await harness.runNode(options, { settings: { retryOnFail: true, maxTries: 2 } });
		expect(error!.message).toMatch(/^It is unknown whether/);
		expect(urls()).toEqual(['list', 'delete']);
	});
});

test('Links and groups whose IDs are no numbers are created, found, updated, deleted, and listed', async () => {
	const [linkId, title, url] = ['ln_9f1a2b', 'A', 'https://example.com/a'];
	const responses = {
		add: { data: { id: linkId } },
		edit: {},
		delete: {},
		list: { data: [{ link_id: linkId, title, link: url }] },
	};
	for (const [name, body] of Object.entries(responses)) {
		harness.sandbox.faults.add({ path: `/lnk/${name}`, fault: jsonResponse({ status: true, errors: [], ...body }) });
	}
	const run = async (operation: string, parameters: INodeParameters) => {
		const { items, error } = await harness.runNode(onLinks(operation, parameters));
		expect(error).toBeUndefined();
		return [items[0]!.json.link_id, items[0]!.json.action];
	};
	expect(await run('create', { title, url, additionalFields: { groupId: 'gr_12' } })).toEqual([linkId, 'created']);
	expect(await run('create', { title: 'B', url, ifExists: 'update' })).toEqual([linkId, 'updated']);
	const updateFields = { title: 'C', groupId: 'gr_3' };
	expect(await run('update', { linkId: byId(linkId), updateFields })).toEqual([linkId, 'updated']);
	expect(await run('delete', { linkId: byId(linkId) })).toEqual([linkId, 'deleted']);
	expect(forms()).toEqual([
		{ title, link: url, group_id: 'gr_12' },
		// The list has no form.
		{},
		{ link_id: linkId, title: 'B' },
		{ link_id: linkId, title: 'C', group_id: 'gr_3' },
		{ link_id: linkId },
	]);
	await run('getAll', { filters: { groupId: 'gr_12' } });
	expect(harness.sandbox.recorder.calls.at(-1)!.url).toBe('/oauth/v1/lnk/list?group_id=gr_12');
});
