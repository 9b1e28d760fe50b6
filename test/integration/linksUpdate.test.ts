import type { INodeParameters } from 'n8n-workflow';

import { type RunNodeOptions, useHarness } from '../support/harness';

const harness = useHarness();

/** The link that the tests update: the first one in a group. */
const linkInGroup = () => harness.sandbox.account.links.all.find(({ group_id: id }) => id)!;
const links = () => harness.sandbox.account.links.all;
const forms = () => harness.sandbox.recorder.forms;

async function update(updateFields: INodeParameters, options: RunNodeOptions = {}) {
	const linkId = { __rl: true, mode: 'id', value: String(linkInGroup().link_id) };
	return await harness.runNode({ resource: 'links', operation: 'update', linkId, updateFields }, options);
}

describe('Update Link', () => {
	test.each<[string, INodeParameters, Record<string, string>]>([
		['the title', { title: ' A & B = Ü ' }, { title: 'A & B = Ü' }],
		['the URL', { url: 'https://example.com/?a=b&c=d' }, { link: 'https://example.com/?a=b&c=d' }],
		['a URL with other letters, in ASCII', { url: 'https://ü.example/ü' }, { link: 'https://xn--tda.example/%C3%BC' }],
		['the group', { groupId: '3' }, { group_id: '3' }],
		['a number as the title', { title: '={{ 2026 }}' }, { title: '2026' }],
		['No Group, which removes the link from its group', { groupId: 'none' }, { group_id: '' }],
		['the title with a blank URL', { title: 'New', url: ' \n' }, { title: 'New' }],
		['the title with null in the other fields', { title: 'New', url: null, groupId: null }, { title: 'New' }],
	])('sends only the fields that are set: %s', async (_name, updateFields, form) => {
		const id = linkInGroup().link_id;
		const { error } = await update(updateFields);
		expect(error).toBeUndefined();
		expect(harness.sandbox.recorder.calls[0]).toMatchObject({
			method: 'POST',
			url: '/oauth/v1/lnk/edit',
		});
		expect(forms()).toEqual([{ link_id: String(id), ...form }]);
	});

	test('changes the fields that are set and no others', async () => {
		const before = linkInGroup();
		const others = links().filter((link) => link !== before);
		await update({ title: 'New title' });
		expect(links()).toEqual(expect.arrayContaining([...others, { ...before, title: 'New title' }]));
	});

	test('returns the link with its new title, paired with the input item', async () => {
		const { link_id } = linkInGroup();
		const { items } = await update({ title: 'New title' }, { items: [{ a: 1 }, { a: 2 }] });
		expect(items).toEqual(
			[0, 1].map((item) => ({
				json: { link_id, action: 'updated', title: 'New title' },
				pairedItem: { item },
			})),
		);
	});
});

type Words = readonly [message: string, description: string];

const returnsNoValue = (field: string): Words => [
	`${field}: the expression returns no value`,
	'Check the names in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.',
];

const NO_FIELD: Words = [
	'Update Fields: no field has a value',
	'Add a field and enter a value. An empty field leaves the link as it is.',
];

describe('Update Link with invalid fields', () => {
	test.each<[name: string, fields: INodeParameters, ...words: Words]>([
		['no field', {}, ...NO_FIELD],
		['an empty URL and no other field, as an AI model may send it,', { url: '' }, ...NO_FIELD],
		['null in all fields', { title: null, url: null, groupId: null }, ...NO_FIELD],
		[
			'a group from a missing field after a space',
			{ title: 'New', groupId: '= {{ $json.x }}' },
			...returnsNoValue('Group Name or ID'),
		],
		['a title from a missing field', { title: '={{ $json.titel }}' }, ...returnsNoValue('Title')],
		[
			'the name of a group that could be an ID',
			{ groupId: '={{ "Events" }}' },
			'Group Name or ID: "Events" is not the ID of a group',
			'Choose a group from the list, or use an ID that Groups: Get Many returns.',
		],
		[
			'the name of a group instead of its ID',
			{ groupId: '={{ "My shop" }}' },
			'Group Name or ID: the value is not an ID: "My shop"',
			'An ID contains no spaces, commas, quotation marks, brackets, or asterisks. Choose a group from the list, or use an ID that Groups: Get Many returns.',
		],
		['a title that is a list', { title: '={{ [1] }}' }, 'Title: the value is a list, not text', 'Enter the new title.'],
	])('rejects %s before anything is sent', async (_name, updateFields, message, description) => {
		const before = links();
		const { error } = await update(updateFields);
		harness.expectRefused(error, message, description);
		expect(links()).toEqual(before);
	});
});

describe('Requests of Update Link', () => {
	test('quotes the service on an unknown group', async () => {
		const { error } = await update({ groupId: '99' });
		const id = linkInGroup().link_id;
		expect(error).toMatchObject({
			message: `Link ${id} was not updated: the service reported a failure (status: false)`,
			description: 'Check the ID of the link and the fields to update. The service said: "There is no group 99."',
		});
	});

	test('sends updates of one link one after another, in the order of the items', async () => {
		harness.sandbox.faults.latency = 20;
		const items = Array.from({ length: 12 }, (_, index) => ({ title: `Title ${index}` }));
		await update({ title: '={{ $json.title }}' }, { items });
		expect(harness.sandbox.recorder.hasOverlap).toBe(false);
		expect(forms().map(({ title }) => title)).toEqual(items.map(({ title }) => title));
		expect(linkInGroup().title).toBe('Title 11');
	});

	test('retries after a transient failure, even if the service may have applied the change', async () => {
		harness.sandbox.faults.add({ fault: 'lost', path: '/lnk/edit', times: 1 });
		const { error } = await update({ title: 'New title' });
		expect(error).toBeUndefined();
		expect(linkInGroup().title).toBe('New title');
		expect(harness.sandbox.recorder.calls).toHaveLength(2);
	});
});
