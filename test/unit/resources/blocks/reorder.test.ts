import fc from 'fast-check';

import type { Call } from '../../../../nodes/ProfilePage/resources/operation';
import { reorderBlocks } from '../../../../nodes/ProfilePage/resources/blocks/reorder';
import { itemsOf } from '../../../support/items';
import { requestOf } from '../../../support/requests';
import { anyText } from '../../../support/texts';

test('Reorder Blocks sends any IDs unchanged', async () => {
	const text = anyText.map((id) => id.trim()).filter((id) => id !== '' && !id.startsWith('=') && !id.includes('{{'));
	await fc.assert(
		fc.asyncProperty(text, fc.uniqueArray(text, { minLength: 1 }), async (pageId, blockIds) => {
			const [call] = reorderBlocks.plan(itemsOf({ entered: { blockOrder: 'list', pageId, blockIds } }));
			const form = (await requestOf(call as Call)).form as Record<string, string>;
			expect(Object.keys(form)).toEqual(['page_id', 'blocks']);
			expect(form.page_id).toBe(pageId);
			expect(JSON.parse(form.blocks!)).toEqual(blockIds.map((id, position) => ({ id, position })));
		}),
	);
});
