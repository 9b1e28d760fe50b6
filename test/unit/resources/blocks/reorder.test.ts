import fc from 'fast-check';

import { isInvalid } from '../../../../nodes/ProfilePage/resources/operation';
import { reorderBlocks } from '../../../../nodes/ProfilePage/resources/blocks/reorder';
import { itemsOf } from '../../../support/items';
import { requestOf } from '../../../support/requests';
import { anyText } from '../../../support/texts';

/** Returns the only call, or invalid item, of a node. */
function plan(node: Parameters<typeof itemsOf>[0]) {
	const [call] = reorderBlocks.plan(itemsOf(node));
	if (!call) throw new Error('There is no call');
	return call;
}

test('Reorder Blocks sends any IDs unchanged', async () => {
	const text = anyText.map((id) => id.trim()).filter((id) => id !== '' && !id.startsWith('=') && !id.includes('{{'));
	await fc.assert(
		fc.asyncProperty(text, fc.uniqueArray(text, { minLength: 1 }), async (pageId, blockIds) => {
			const call = plan({ entered: { blockOrder: 'list', pageId, blockIds } });
			const form = isInvalid(call) ? {} : ((await requestOf(call)).form as Record<string, string>);
			expect(Object.keys(form)).toEqual(['page_id', 'blocks']);
			expect(form.page_id).toBe(pageId);
			expect(JSON.parse(form.blocks!)).toEqual(blockIds.map((id, position) => ({ id, position })));
		}),
	);
});

test.each([
	['is missing', {}, 'id'],
	['is missing in a nested object', { block: {} }, 'block.id'],
	['would be a property of a string', { block: 'text' }, 'block.length'],
	['would be an inherited property', {}, 'constructor.name'],
	['is entered instead of the name of its field', { id: '65f1.23' }, '65f1.23'],
])('From Input Items rejects an item whose block ID %s', (_what, json, blockIdField) => {
	const entered = { blockOrder: 'inputItems', pageId: 'PAGE', blockIdField };
	expect(plan({ entered, input: [{ json }] })).toMatchObject({
		failure: {
			problem: `Block ID Field: item 0 has no field "${blockIdField}"`,
			advice: 'Enter the name of the field that contains the block ID, such as id, not the ID itself.',
		},
	});
});
