import fc from 'fast-check';

import { buildReorderForm } from '../../nodes/ProfilePage/resources/blocks/reorderForm';

test('the form holds the page, and each block with its place, counted from zero', () => {
	expect(buildReorderForm('PAGE_home_1', ['b.2', 'a.1'])).toEqual({
		page_id: 'PAGE_home_1',
		blocks: '[{"id":"b.2","position":0},{"id":"a.1","position":1}]',
	});
});

test('any order reads back as it was given', () => {
	fc.assert(
		fc.property(fc.string(), fc.array(fc.string({ unit: 'binary' })), (pageId, order) => {
			const form = buildReorderForm(pageId, order);
			expect(Object.keys(form)).toEqual(['page_id', 'blocks']);
			expect(form.page_id).toBe(pageId);
			expect(JSON.parse(form.blocks)).toEqual(order.map((id, position) => ({ id, position })));
		}),
	);
});
