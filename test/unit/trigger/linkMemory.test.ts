import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { findNewLinks, type LinkMemory, findState } from '../../../nodes/ProfilePage/trigger/linkMemory';

const LIMIT = 50;

interface Link {
	id: number;
	createdAt: number;
	publicFrom: number;
	isDeleted: boolean;
}

/** A service with links, and a trigger that polls it. */
class Model {
	now = 1000;
	readonly links: Link[] = [];
	readonly emitted = new Set<number>();
	/** Whether the service says when a link was created. */
	hasTimes = true;
	readonly listed = new Set<number>();
	#activatedAt = Infinity;
	#stored: IDataObject = {};

	create(count: number, { delay = 0, sameSecond = false } = {}): void {
		for (let index = 0; index < count; index += 1) {
			if (!sameSecond) this.now += 1;
			const id = this.links.length + 1;
			this.links.push({ id, createdAt: this.now, publicFrom: this.now + delay, isDeleted: false });
		}
	}

	/** Deletes public links, counted from the top. */
	delete(start: number, count: number): void {
		for (const link of this.#public().slice(start, start + count)) link.isDeleted = true;
	}

	/** @param isStored whether n8n keeps what the trigger remembers, as it does when links are emitted */
	poll(isStored: boolean): void {
		const list = this.#public().slice(0, LIMIT);
		const json = list.map(({ id, createdAt }) => ({
			link_id: id,
			created_at: this.hasTimes ? new Date(createdAt * 1000).toISOString() : 'soon',
		}));
		const { newLinks, memory } = findNewLinks(json, findState(this.#stored));
		const ids = newLinks.map(({ link_id: id }) => Number(id));
		if (this.#activatedAt === Infinity) this.#activatedAt = this.now;
		else this.#check(list, ids);
		for (const id of ids) this.emitted.add(id);
		for (const { id } of list) this.listed.add(id);
		if (isStored || ids.length > 0 || Object.keys(this.#stored).length === 0) this.#store(memory);
	}

	#store(memory: LinkMemory): void {
		this.#stored = JSON.parse(JSON.stringify(memory)) as IDataObject;
	}

	#public(): Link[] {
		return this.links
			.filter(({ isDeleted, publicFrom }) => !isDeleted && publicFrom <= this.now)
			.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
	}

	#check(list: readonly Link[], ids: readonly number[]): void {
		const isNew = (id: number) => !this.emitted.has(id) && this.links[id - 1]!.publicFrom > this.#activatedAt;
		expect(ids.filter((id) => !isNew(id))).toEqual([]);
		expect(ids).toEqual(
			list
				.map(({ id }) => id)
				.filter((id) => ids.includes(id))
				.reverse(),
		);
		for (const [index, link] of list.entries()) {
			if (link.publicFrom <= this.#activatedAt || this.emitted.has(link.id)) continue;
			const isAboveListed = list.slice(index + 1).some(({ id }) => this.listed.has(id));
			// No list can tell when an older link became public that stands below all others.
			const isDecidable = link.createdAt > this.#activatedAt || isAboveListed;
			const isMissing = isDecidable && !this.listed.has(link.id) && !ids.includes(link.id);
			if (isMissing) throw new Error(`Link ${link.id} is missing`);
		}
	}
}

const count = (min: number, max: number) => fc.integer({ min, max });
const command = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ poll: fc.boolean() }) },
	{ weight: 3, arbitrary: fc.record({ create: count(1, 8) }) },
	{ weight: 1, arbitrary: fc.record({ create: count(40, 70) }) },
	{ weight: 2, arbitrary: fc.record({ create: count(1, 3), delay: count(1, 60), sameSecond: fc.boolean() }) },
	{ weight: 2, arbitrary: fc.record({ delete: fc.nat(49), count: count(1, 4) }) },
	{ weight: 1, arbitrary: fc.record({ delete: fc.constant(0), count: fc.constant(45) }) },
	{ weight: 2, arbitrary: fc.record({ wait: count(1, 40) }) },
);

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

function run(model: Model, step: Command): void {
	if ('poll' in step) model.poll(step.poll);
	else if ('create' in step) model.create(step.create, 'delay' in step ? step : {});
	else if ('delete' in step) model.delete(step.delete, step.count);
	else model.now += step.wait;
}

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('findNewLinks', () => {
	test('finds each new link once, and no link that was there before, whatever happens between polls', () => {
		let emitted = 0;
		const steps = fc.array(command, { minLength: 5, maxLength: 60 });
		const scenario = fc.property(fc.boolean(), fc.nat(120), fc.nat(5), steps, (hasTimes, initial, scheduled, given) => {
			const model = new Model();
			model.hasTimes = hasTimes;
			model.create(initial);
			model.create(scheduled, { delay: 30 });
			model.poll(true);
			for (const step of given) run(model, step);
			emitted += model.emitted.size;
		});
		fc.assert(scenario, { numRuns: 200 });
		expect(emitted).toBeGreaterThan(500);
	});

	const links = (...ids: number[]) => ids.map((id) => ({ link_id: id, created_at: new Date(id * 1000).toISOString() }));
	const first = (list: IDataObject[]) => findNewLinks(list, undefined).memory;
	const ids = (list: IDataObject[], memory: LinkMemory) =>
		findNewLinks(list, memory).newLinks.map(({ link_id: id }) => id);

	test('finds a link above any that was listed, though it was created before all of them', () => {
		const memory = first(links(...range(60, 11)));
		expect(ids(links(5, ...range(60, 12)), memory)).toEqual([5]);
		expect(ids(links(...range(60, 13), 5, 12), memory)).toEqual([5]);
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
