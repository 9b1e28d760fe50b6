import { readLimit } from '../../../nodes/ProfilePage/fields/limit';
import { itemOf } from '../../support/items';

test.each([
	[{}, 50],
	[{ limit: 7 }, 7],
	[{ returnAll: false, limit: '7' }, 7],
	[{ returnAll: true }, Infinity],
	[{ returnAll: 'true', limit: 0 }, Infinity],
])('readLimit returns for %j: %p', (entered, limit) => {
	expect(readLimit(itemOf({ entered }))).toBe(limit);
});

test.each([0, -1, 1.5, 'all', null])('readLimit rejects the limit %j', (limit) => {
	expect(() => readLimit(itemOf({ entered: { limit } }))).toThrow(
		'Limit: the value must be a whole number, at least 1',
	);
});
