import type { IDataObject } from 'n8n-workflow';

import { findNewLinks, type LinkMemory, findState } from '../../../nodes/ProfilePage/trigger/linkMemory';

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('findNewLinks', () => {
	const links = (...ids: number[]) => ids.map((id) => ({ link_id: id, created_at: new Date(id * 1000).toISOString() }));
	const first = (list: IDataObject[]) => findNewLinks(list, undefined).memory;
	const ids = (list: IDataObject[], memory: LinkMemory) =>
		findNewLinks(list, memory).newLinks.map(({ link_id: id }) => id);

	test('finds a link above any that was listed, though it was created before all of them', () => {
		const memory = first(links(...range(60, 11)));
		expect(ids(links(5, ...range(60, 12)), memory)).toEqual([5]);
		expect(ids(links(...range(60, 13), 5, 12), memory)).toEqual([5]);
	});

	test('finds a link below all others only if it was created after the oldest that lists have reached', () => {
		const full = first(links(...range(60, 11)));
		expect(ids(links(...range(59, 11), 5), full)).toEqual([]);
		// The service may have failed to list any.
		expect(ids(links(...range(59, 11), 5), findNewLinks([], full).memory)).toEqual([]);
		const all = first(links(11, 10));
		expect(ids(links(11, 10, 5), all)).toEqual([5]);
		expect(ids(links(...range(99, 51), 5), findNewLinks(links(...range(100, 51)), all).memory)).toEqual([5]);
	});

	test('compares IDs if the links have no times', () => {
		const listOf = (from: number) => range(from, from - 49).map((id) => ({ link_id: id }));
		expect(ids(listOf(150), first(listOf(60)))).toEqual(range(150, 101).reverse());
	});

	test('ignores entries without an ID, and accepts times that cannot be read', () => {
		const memory = first([{ link_id: 1 }]);
		expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
		const list = [{ link_id: '2', created_at: 'soon' }, { link_id: 1 }, { title: 'x' }];
		expect(ids(list, memory)).toEqual(['2']);
	});

	test('remembers 500 links, and treats none as new that it forgot, or that stood below those', () => {
		let memory = first(links(...range(50, 1)));
		for (let top = 90; top <= 2050; top += 40) {
			memory = findNewLinks(links(...range(top, top - 49)), memory).memory;
		}
		expect(memory.seen).toHaveLength(500);
		expect(ids(links(...range(1550, 1501)), memory)).toEqual([]);
		expect(ids(links(2051, ...range(2050, 2002)), memory)).toEqual([2051]);
	});

	test('forgets, of more than 500 links, the one that was listed least recently', () => {
		const seen = range(500, 1).map(String);
		const { memory } = findNewLinks(links(600, 1), { seen, reached: -1 });
		expect(memory.seen).toEqual(['600', '1', ...range(500, 3).map(String)]);
	});

	test('finds a link once that is listed twice', () => {
		expect(ids(links(2, 1, 2), first(links(1)))).toEqual([2]);
	});
});

test('findState reads what was stored, and nothing for a node that has not polled', () => {
	const state = { source: 'an app and a group', seen: ['7'], reached: 5 };
	expect(findState({ ...state, other: 1 })).toEqual(state);
	for (const seen of [undefined, 'x']) expect(findState({ seen })).toBeUndefined();
});
