import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { batching } from '../support/parameters';
import { waitUntil } from '../support/waitUntil';

const harness = useHarness();

const deleteLink = (linkId: INodeParameters[string]) => ({
	resource: 'links',
	operation: 'delete',
	linkId,
});
const byId = (value: string | number) => ({ __rl: true, mode: 'id', value });

const ids = () => harness.sandbox.account.links.all.map(({ link_id: id }) => id);

describe('Delete Link', () => {
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
		['from the list', (id) => ({ __rl: true, mode: 'list', value: String(id) })],
		['by ID', (id) => byId(String(id))],
		['by an ID that is a number', (id) => byId(id)],
		['by an expression', () => byId('={{ $json.id }}')],
		['by a parameter that is the ID itself', (id) => String(id)],
	])('deletes only the link that is selected %s', async (_name, give) => {
		const [first, ...others] = ids();
		const { items, error } = await harness.runNode(deleteLink(give(first!)), {
			items: [{ id: first }],
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: { link_id: first, action: 'deleted', deleted: true }, pairedItem: { item: 0 } }]);
		expect(ids()).toEqual(others);
	});

	test('deletes different links concurrently, at most as many as Items per Batch says', async () => {
		addLinks(harness.sandbox, 20);
		harness.sandbox.faults.latency = 150;
		const items = ids().map((id) => ({ id }));
		await harness.runNode(
			{
				...deleteLink(byId('={{ $json.id }}')),
				options: batching(5),
			},
			{ items },
		);
		expect(ids()).toEqual([]);
		expect(harness.sandbox.recorder.mostInFlight).toBe(5);
	});

	test('treats two spellings of an ID as the same link', async () => {
		const [first, ...others] = ids();
		harness.sandbox.faults.latency = 20;
		const { items } = await harness.runNode(deleteLink(byId('={{ $json.id }}')), {
			items: [{ id: `0${first}` }, { id: first }],
		});
		expect(items.map(({ json }) => json.link_id)).toEqual([first, first]);
		expect(harness.sandbox.recorder.forms).toEqual([{ link_id: String(first) }, { link_id: String(first) }]);
		expect(harness.sandbox.recorder.hasOverlap).toBe(false);
		expect(ids()).toEqual(others);
	});

	test('counts what was rejected and waits for its next attempt as not processed, if the execution is canceled', async () => {
		harness.sandbox.faults.add({ fault: statusFault(429, '', { 'retry-after': '60' }), path: '/lnk/delete' });
		const controller = new AbortController();
		const items = ids()
			.slice(0, 2)
			.map((id) => ({ id }));
		const running = harness.runNode(deleteLink(byId('={{ $json.id }}')), { items, signal: controller.signal });
		await waitUntil(() => harness.sandbox.recorder.calls.length === 2);
		// Until the node has read the responses.
		await wait(200);
		controller.abort();
		const { error } = await running;
		expect(error!.message).toBe('The execution was canceled – 0 of 2 items succeeded; 2 were not processed');
	});

	const CHOOSE = 'Choose a link, or enter an ID that Get Many returns.';
	const NO_SPACES = `An ID contains no spaces, commas, quotation marks, brackets, or asterisks. ${CHOOSE}`;

	test.each<[name: string, linkId: INodeParameters[string], message: string, description: string]>([
		['an empty link', byId('={{ "" }}'), 'Link: the value is empty', CHOOSE],
		[
			'a missing field',
			byId('={{ $json.nothing }}'),
			'Link: the expression returns no value',
			'Check the names in it.',
		],
		['the title of a link', byId('={{ "My link" }}'), 'Link: the value is not an ID: "My link"', NO_SPACES],
	])('rejects %s before anything is sent', async (_name, linkId, message, description) => {
		const before = ids();
		const { error } = await harness.runNode(deleteLink(linkId));
		harness.expectRefused(error, message, description);
		expect(ids()).toEqual(before);
	});

	test('succeeds for a link that does not exist', async () => {
		const before = ids();
		const { items, error } = await harness.runNode(deleteLink(byId('999')));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ link_id: 999, action: 'deleted', deleted: true }]);
		expect(ids()).toEqual(before);
	});

	/** The response of a service that reports a failure for a link that does not exist. */
	const unknownLink = (id: unknown) => jsonResponse({ status: false, errors: [`There is no link ${String(id)}.`] });

	test('succeeds on the retry if the first response was lost', async () => {
		const [id] = ids();
		harness.sandbox.faults.add({ fault: 'lost', path: '/lnk/delete', times: 1 });
		const { items, error } = await harness.runNode(deleteLink(byId(String(id))));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ link_id: id, action: 'deleted', deleted: true }]);
		expect(harness.sandbox.recorder.calls).toHaveLength(2);
		expect(ids()).not.toContain(id);
	});

	test('returns errors for an invalid item and a failed one, and deletes the others with Continue on Fail', async () => {
		const [first, second] = ids();
		// The first call succeeds, and the second fails.
		harness.sandbox.faults.add({ path: '/lnk/delete', times: 1 });
		harness.sandbox.faults.add({ fault: unknownLink(999), path: '/lnk/delete', times: 1 });
		const { items } = await harness.runNode(
			{ ...deleteLink(byId('={{ $json.id }}')), options: batching(1) },
			{
				items: [{ id: first }, { id: 'a b' }, { id: 999 }, { id: second }],
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(items.map(({ json, pairedItem }) => [json.deleted ?? json.error, pairedItem])).toEqual([
			[true, { item: 0 }],
			[expect.stringContaining('Link: the value is not an ID: "a b"'), { item: 1 }],
			[expect.stringContaining('There is no link 999.'), { item: 2 }],
			[true, { item: 3 }],
		]);
		expect(ids()).not.toEqual(expect.arrayContaining([first, second]));
	});
});
