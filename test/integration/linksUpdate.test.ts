import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { type RunNodeOptions, Harness } from '../support/harness';

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

/** The link that the tests change: the top one that is in a group. */
const linkInGroup = () => harness.sandbox.account.links.all.find(({ group_id: id }) => id)!;
const links = () => harness.sandbox.account.links.all;
const forms = () => harness.sandbox.recorder.forms;

async function update(updateFields: INodeParameters, options: RunNodeOptions = {}) {
	const linkId = { __rl: true, mode: 'id', value: String(linkInGroup().link_id) };
	return await harness.runNode(
		{ resource: 'links', operation: 'update', linkId, updateFields },
		options,
	);
}

test.each<[string, INodeParameters, Record<string, string>]>([
	['the title', { title: ' A & B = Ü ' }, { title: 'A & B = Ü' }],
	['the URL', { url: 'https://example.com/?a=b&c=d' }, { link: 'https://example.com/?a=b&c=d' }],
	['the group', { groupId: '3' }, { group_id: '3' }],
	['the title and the group', { title: 'New', groupId: 3 }, { title: 'New', group_id: '3' }],
	['a number as the title', { title: '={{ 2026 }}' }, { title: '2026' }],
	['No Group, which takes it out of its group', { groupId: 'none' }, { group_id: '' }],
	['No Group from an expression', { groupId: '={{ "None " }}' }, { group_id: '' }],
	['the title beside an empty URL', { title: 'New', url: '' }, { title: 'New' }],
	['the title beside a blank URL', { title: 'New', url: ' \n' }, { title: 'New' }],
	[
		'the URL beside an empty title',
		{ title: '', url: 'https://a.example' },
		{ link: 'https://a.example' },
	],
	['the title beside a group not chosen', { title: 'New', groupId: '' }, { title: 'New' }],
	[
		'the title beside a URL whose expression gives an empty text',
		{ title: 'New', url: '={{ $json.url ?? "" }}' },
		{ title: 'New' },
	],
	['the title beside literal nulls', { title: 'New', url: null, groupId: null }, { title: 'New' }],
	['a title of text and an expression', { title: '={{ "A" }} {{ $json.b }}' }, { title: 'A' }],
])('an update sends only the fields that are set: %s', async (_what, updateFields, form) => {
	const id = linkInGroup().link_id;
	const { error } = await update(updateFields);
	expect(error).toBeUndefined();
	expect(harness.sandbox.recorder.calls[0]).toMatchObject({
		method: 'POST',
		url: '/oauth/v1/lnk/edit',
	});
	expect(forms()).toEqual([{ link_id: String(id), ...form }]);
});

test('changes what is set, and leaves everything else', async () => {
	const before = linkInGroup();
	const others = links().filter((link) => link !== before);
	await update({ title: 'New title' });
	expect(links()).toEqual(expect.arrayContaining([...others, { ...before, title: 'New title' }]));
});

test("puts out the service's answer, paired with the input item", async () => {
	const { items } = await update({ title: 'New title' }, { items: [{ a: 1 }, { a: 2 }] });
	expect(items).toEqual(
		[0, 1].map((item) => ({ json: { status: true, errors: [] }, pairedItem: { item } })),
	);
});

test('any title arrives as it was given, without the white space around it', async () => {
	const titles = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '');
	await fc.assert(
		fc.asyncProperty(titles, async (title) => {
			harness.reset();
			const { error } = await update({ title: '={{ $json.title }}' }, { items: [{ title }] });
			expect(error).toBeUndefined();
			expect(forms()[0]!.title).toBe(title.trim());
		}),
		{ numRuns: 40 },
	);
});

const GIVES_NOTHING =
	'the expression gives nothing. Check the names in it; to leave the field empty on purpose, let it give an empty text.';

const GIVES_WHITE_SPACE =
	'the expression gives only white space. Check the names in it; to leave the field empty on purpose, use a single {{ }} that gives an empty text, with nothing beside it.';

const NOTHING_TO_CHANGE =
	'Update Fields: there is nothing to change. Add a field and give it a value; an empty field stays as it is.';

test.each<[string, INodeParameters, string]>([
	['no field', {}, NOTHING_TO_CHANGE],
	['an empty title alone', { title: '' }, NOTHING_TO_CHANGE],
	['an empty URL alone, as an AI model may give it', { url: '' }, NOTHING_TO_CHANGE],
	['an expression that gives an empty text, alone', { url: '={{ "" }}' }, NOTHING_TO_CHANGE],
	['a blank title alone', { title: ' \n' }, NOTHING_TO_CHANGE],
	['a group that was added but not chosen', { groupId: '' }, NOTHING_TO_CHANGE],
	['literal nulls', { title: null, url: null, groupId: null }, NOTHING_TO_CHANGE],
	[
		'a title whose expression is followed by a space and finds nothing',
		{ title: '={{ $json.titel }} ', url: 'https://a.example' },
		`Title: ${GIVES_WHITE_SPACE}`,
	],
	[
		'a title of two expressions that find nothing',
		{ title: '={{ $json.d }} {{ $json.t }}', url: 'https://a.example' },
		`Title: ${GIVES_WHITE_SPACE}`,
	],
	[
		'a group whose expression follows a space and finds nothing',
		{ title: 'New', groupId: '= {{ $json.x }}' },
		`Group Name or ID: ${GIVES_WHITE_SPACE}`,
	],
	['a title from a missing field', { title: '={{ $json.titel }}' }, `Title: ${GIVES_NOTHING}`],
	['a URL that is null', { url: '={{ null }}' }, `URL: ${GIVES_NOTHING}`],
	[
		'a group from a missing field',
		{ groupId: '={{ $json.x }}' },
		`Group Name or ID: ${GIVES_NOTHING}`,
	],
	['a URL that is none', { url: 'example.com' }, 'URL: "example.com" is not a web address.'],
	['a script for a URL', { url: 'javascript:alert(1)' }, 'URL: "javascript:alert(1)" is not'],
	['a group by its name', { groupId: '={{ "Shop" }}' }, 'Group Name or ID: "Shop" is not an ID'],
	[
		'a title that is a list',
		{ title: '={{ [1] }}' },
		'Title: it is a list, not a text. Enter the new title.',
	],
])('an update refuses %s before anything is sent', async (_what, updateFields, message) => {
	const before = links();
	const { error } = await update(updateFields);
	harness.expectRefused(error, expect.stringContaining(message));
	expect(links()).toEqual(before);
});

test("passes on the service's words on an unknown group", async () => {
	const { error } = await update({ groupId: '99' });
	const id = linkInGroup().link_id;
	expect(error!.message).toBe(
		`Link ${id} was not updated: the service reported a failure (status: false). Check the ID of the link and the fields to change. The service said: "There is no group 99."`,
	);
});

test('changes of one link go one after another, in the order of the items', async () => {
	harness.sandbox.faults.latency = 20;
	const items = Array.from({ length: 12 }, (_, index) => ({ title: `Title ${index}` }));
	await update({ title: '={{ $json.title }}' }, { items });
	expect(harness.sandbox.recorder.hasOverlap).toBe(false);
	expect(forms().map(({ title }) => title)).toEqual(items.map(({ title }) => title));
	expect(linkInGroup().title).toBe('Title 11');
});

test('is sent again after a transient failure, also if the service may have applied the change', async () => {
	harness.sandbox.faults.add({ fault: 'lost', path: '/lnk/edit', times: 1 });
	const { error } = await update({ title: 'New title' });
	expect(error).toBeUndefined();
	expect(linkInGroup().title).toBe('New title');
	expect(harness.sandbox.recorder.calls).toHaveLength(2);
});
