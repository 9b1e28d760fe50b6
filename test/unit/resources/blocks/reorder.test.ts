import fc from 'fast-check';

import { isInvalid } from '../../../../nodes/ProfilePage/resources/operation';
import { reorderBlocks } from '../../../../nodes/ProfilePage/resources/blocks/reorder';
import { itemsOf } from '../../../support/items';
import { anyText } from '../../../support/texts';

/** Returns the call that reorders the blocks of a page. */
function plan(pageId: string, blockIds: string[]) {
	const items = itemsOf({ entered: { blockOrder: 'list', pageId, blockIds } });
	const [call] = reorderBlocks.plan(items);
	if (!call || isInvalid(call)) throw new Error('The order is invalid', { cause: call?.failure });
	return call;
}

describe('reorderBlocks', () => {
	test('sends the page, and each block with its position, counted from zero', () => {
		expect(plan('PAGE_home_1', ['b.2', 'a.1']).request.form).toEqual({
			page_id: 'PAGE_home_1',
			blocks: '[{"id":"b.2","position":0},{"id":"a.1","position":1}]',
		});
	});

	test('sends any IDs unchanged', () => {
		const text = anyText.map((id) => id.trim()).filter((id) => id !== '' && !id.startsWith('=') && !id.includes('{{'));
		fc.assert(
			fc.property(text, fc.uniqueArray(text, { minLength: 1 }), (pageId, order) => {
				const form = plan(pageId, order).request.form as Record<string, string>;
				expect(Object.keys(form)).toEqual(['page_id', 'blocks']);
				expect(form.page_id).toBe(pageId);
				expect(JSON.parse(form.blocks!)).toEqual(order.map((id, position) => ({ id, position })));
			}),
		);
	});
});
