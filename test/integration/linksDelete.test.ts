import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox/faults';
import { Harness } from '../support/harness';

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const deleteLink = (linkId: INodeParameters[string]) => ({
	resource: 'links',
	operation: 'delete',
	linkId,
});
const byId = (value: string | number) => ({ __rl: true, mode: 'id', value });

const ids = () => harness.sandbox.account.links.all.map(({ link_id: id }) => id);

test('sends the ID in a form, with the bearer token', async () => {
	const [id] = ids();
	await harness.runNode(deleteLink(byId(String(id))));
	const [call] = harness.sandbox.recorder.calls;
	expect(call).toMatchObject({
		method: 'POST',
		url: '/oauth/v1/lnk/delete',
		body: `link_id=${id}`,
	});
	expect(call!.headers).toMatchObject({
		authorization: expect.stringMatching(/^Bearer \S+$/) as string,
		'content-type': 'application/x-www-form-urlencoded',
	});
});

test.each<[string, (id: number) => INodeParameters[string]]>([
	['chosen from the list', (id) => ({ __rl: true, mode: 'list', value: String(id) })],
	['by ID', (id) => byId(String(id))],
	['by a number', (id) => byId(id)],
	['by an expression', () => byId('={{ $json.id }}')],
	['by an expression that n8n evaluates', () => byId('={{ $json.id + 0 }}')],
	['by the value alone', (id) => String(id)],
	['by an expression alone', () => '={{ $json.id }}'],
])('deletes the link that is given %s, and no other', async (_what, give) => {
	const [first, ...others] = ids();
	const { items, error } = await harness.runNode(deleteLink(give(first!)), {
		items: [{ id: first }],
	});
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
	expect(ids()).toEqual(others);
});

test('deletes a link for each item', async () => {
	const before = ids();
	const { items } = await harness.runNode(deleteLink(byId('={{ $json.link_id }}')), {
		items: before.map((id) => ({ link_id: id })),
	});
	expect(items).toEqual(
		before.map((_, item) => ({ json: { deleted: true }, pairedItem: { item } })),
	);
	expect(ids()).toEqual([]);
});

test('different links are deleted together, as many at once as Items per Batch says', async () => {
	for (let index = 0; index < 20; index += 1) {
		harness.sandbox.account.links.add({ title: `Link ${index}`, link: 'https://example.com/' });
	}
	harness.sandbox.faults.latency = 30;
	const items = ids().map((id) => ({ id }));
	await harness.runNode(
		{
			...deleteLink(byId('={{ $json.id }}')),
			options: { batching: { batch: { batchSize: 5, batchInterval: 0 } } },
		},
		{ items },
	);
	expect(ids()).toEqual([]);
	expect(harness.sandbox.recorder.mostInFlight).toBe(5);
});

test.each<[string, INodeParameters[string], string]>([
	['no link', byId('={{ "" }}'), 'Link: it is empty. Choose a link from the list, or give its ID.'],
	['nothing from an expression', byId('={{ $json.nothing }}'), 'Link: it is empty. Choose a link'],
	[
		'a title',
		byId('={{ "My link" }}'),
		'Link: "My link" is not an ID, which must be a whole number.',
	],
	['an ID with a sign', byId('={{ -5 }}'), 'Link: "-5" is not an ID'],
])('refuses %s before anything is sent', async (_what, linkId, message) => {
	const before = ids();
	const { error } = await harness.runNode(deleteLink(linkId));
	harness.expectRefused(error, expect.stringContaining(message));
	expect(ids()).toEqual(before);
});

test('names the link that the service does not know, and passes on its words', async () => {
	const { error } = await harness.runNode(deleteLink(byId('999')));
	expect(error!.message).toBe(
		'Link 999 was not deleted: the service reported a failure (status: false). Check its ID; it may be gone already. The service said: "There is no link 999."',
	);
});

test.each<[string, Fault, string]>([
	[
		'an empty answer',
		{ status: 200, body: '' },
		'the answer of the service was empty. Look at your profile to see the result.',
	],
	[
		'an answer without content',
		{ status: 204 },
		'the answer of the service was empty. Look at your profile to see the result.',
	],
	[
		'an empty object',
		{ status: 200, body: '{}' },
		'the answer of the service does not say that it succeeded. Look at your profile to see the result.',
	],
	[
		'empty errors',
		{ status: 200, body: '{"errors":[]}' },
		'the answer of the service does not say that it succeeded. Look at your profile to see the result.',
	],
])('after %s it is unknown whether the link was deleted', async (_what, fault, words) => {
	const [id] = ids();
	harness.sandbox.faults.add({ fault, path: '/lnk/delete' });
	const { error, items } = await harness.runNode(deleteLink(byId(String(id))));
	expect(items).toEqual([]);
	expect(error!.message).toBe(`It is not known whether link ${id} was deleted: ${words}`);
});

test.each([
	'{"errors":["no such link"]}',
	'{"status":0}',
	'{"status":"false"}',
	'{"success":false}',
])('an answer of %s means that the link was not deleted', async (body) => {
	const [id] = ids();
	harness.sandbox.faults.add({ fault: { status: 200, body }, path: '/lnk/delete' });
	const { error } = await harness.runNode(deleteLink(byId(String(id))));
	expect(error!.message).toContain(`Link ${id} was not deleted: the service reported a failure`);
});

test('is sent again after a transient failure', async () => {
	const [id] = ids();
	harness.sandbox.faults.add({ fault: 'reset', path: '/lnk/delete', times: 1 });
	const { items } = await harness.runNode(deleteLink(byId(String(id))));
	expect(items).toHaveLength(1);
	expect(harness.sandbox.recorder.calls).toHaveLength(2);
});

test('says that it may be gone, if it was deleted and the answer was lost', async () => {
	const [id] = ids();
	harness.sandbox.faults.add({ fault: 'lost', path: '/lnk/delete', times: 1 });
	const { error } = await harness.runNode(deleteLink(byId(String(id))));
	expect(ids()).not.toContain(id);
	expect(error!.message).toBe(
		`It is not known whether link ${id} was deleted: the service reported a failure (status: false). Check its ID; it may be gone already. The service said: "There is no link ${id}." Attempts: 2.`,
	);
});

test('with Continue on Fail, a bad item gives its error, and the others are deleted', async () => {
	const [first, second] = ids();
	const { items } = await harness.runNode(deleteLink(byId('={{ $json.id }}')), {
		items: [{ id: first }, { id: 'x' }, { id: 999 }, { id: second }],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(items.map(({ json, pairedItem }) => [json.deleted ?? json.error, pairedItem])).toEqual([
		[true, { item: 0 }],
		[expect.stringContaining('Link: "x" is not an ID'), { item: 1 }],
		[expect.stringContaining('There is no link 999.'), { item: 2 }],
		[true, { item: 3 }],
	]);
	expect(ids()).not.toEqual(expect.arrayContaining([first, second]));
});
