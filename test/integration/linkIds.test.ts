import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { useHarness } from '../support/harness';

const harness = useHarness({ links: [] });

const forms = () => harness.sandbox.recorder.forms;
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
const links = (operation: string, parameters: INodeParameters) => ({ resource: 'links', operation, ...parameters });

/** A service whose IDs of links and groups are texts. */
function useTextIds(): void {
	const link = { link_id: 'ln_9f1a2b', title: 'A', link: 'https://example.com/a' };
	for (const [path, body] of Object.entries({
		'/lnk/add': { data: { id: 'ln_9f1a2b' } },
		'/lnk/edit': {},
		'/lnk/delete': {},
		'/lnk/list': { data: [link] },
	})) {
		harness.sandbox.faults.add({ path, fault: jsonResponse({ status: true, errors: [], ...body }) });
	}
}

describe('A service whose IDs are no numbers', () => {
	beforeEach(useTextIds);

	test('creates, updates, and deletes a link, in a group', async () => {
		const fields = { title: 'A', url: 'https://example.com/a' };
		const created = await harness.runNode(links('create', { ...fields, additionalFields: { groupId: 'gr_1/2' } }));
		const linkId = byId(created.items[0]!.json.link_id);
		const updated = await harness.runNode(links('update', { linkId, updateFields: { title: 'B', groupId: 'gr_3' } }));
		const deleted = await harness.runNode(links('delete', { linkId }));
		expect([created, updated, deleted].map(({ error, items }) => [error, items[0]?.json])).toEqual([
			[undefined, expect.objectContaining({ link_id: 'ln_9f1a2b', action: 'created' })],
			[undefined, expect.objectContaining({ link_id: 'ln_9f1a2b', action: 'updated' })],
			[undefined, expect.objectContaining({ link_id: 'ln_9f1a2b', action: 'deleted' })],
		]);
		expect(forms()).toEqual([
			{ title: 'A', link: 'https://example.com/a', group_id: 'gr_1/2' },
			{ link_id: 'ln_9f1a2b', title: 'B', group_id: 'gr_3' },
			{ link_id: 'ln_9f1a2b' },
		]);
	});

	test('finds the link that exists, and updates it', async () => {
		const parameters = links('create', { title: 'B', url: 'https://example.com/a', ifExists: 'update' });
		const { items } = await harness.runNode(parameters);
		expect(items[0]!.json).toMatchObject({ link_id: 'ln_9f1a2b', title: 'B', action: 'updated' });
	});

	test('lists the links of a group', async () => {
		await harness.runNode(links('getAll', { filters: { groupId: 'gr_1/2' } }));
		expect(harness.sandbox.recorder.calls.at(-1)!.url).toBe('/oauth/v1/lnk/list?group_id=gr_1%2F2');
	});
});

test.each(['123\u202C', '\u202A123\u202C', ' 123\u200B\n', '\uFEFF123', 123])(
	'The ID %j, which was pasted, is that of link 123',
	async (value) => {
		await harness.runNode(links('delete', { linkId: byId(value) }));
		expect(forms()).toEqual([{ link_id: '123' }]);
	},
);

test.each([0, '0', '', ' ', '\u200B', 1.5, 2 ** 53, 'a b', '**7**'])('%j is the ID of no link', async (value) => {
	const { error } = await harness.runNode(links('delete', { linkId: `={{ ${JSON.stringify(value)} }}` }));
	expect(error?.message).toMatch(/^Link: the value (is|contains) /);
	expect(harness.sandbox.recorder.requests).toEqual([]);
});
