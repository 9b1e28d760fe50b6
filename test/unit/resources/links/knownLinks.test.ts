import type { IDataObject } from 'n8n-workflow';

import { KnownLinks, knownLinksOf } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import type { LinkForm } from '../../../../nodes/ProfilePage/resources/links/linkRequests';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import { Failure, requestFailure } from '../../../../nodes/ProfilePage/shared/failure';
import type { ServiceRequest } from '../../../../nodes/ProfilePage/service/request';
import type { Parse } from '../../../../nodes/ProfilePage/service/response';
import { useFakeClock } from '../../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

useFakeClock(NOW);

/** A client that reads these lists or fails, one after another, and ends in the last way from then on. */
function clientOf(...ways: ReadonlyArray<IDataObject[] | Failure>) {
	const left = [...ways];
	const send = jest.fn(async (_request: ServiceRequest, parse: Parse<unknown>) => {
		const way = left.length > 1 ? left.shift()! : left[0]!;
		if (way instanceof Failure) throw way;
		return await Promise.resolve(parse({ status: true, data: way }));
	});
	return { client: { request: send } as unknown as Client, send };
}

const A = 'https://example.com/a';
const link = (id: number | string, address = A): IDataObject => ({ link_id: id, link: address, title: 'Old' });

let links: KnownLinks;
beforeEach(() => (links = new KnownLinks()));

/** Returns the IDs of the links with an address, the newest first. */
async function find(client: Client, address = A, compared: 'exact' | 'loose' = 'exact') {
	const { matches } = await links.find(client, address, compared);
	return matches.map(({ link_id: id }) => id);
}

/** Makes a change that fails. */
async function fail(outcome: 'not applied' | 'unknown') {
	const failure = requestFailure('the service failed', undefined, { outcome });
	const change = links.change(
		async () => await Promise.reject(failure),
		() => undefined,
	);
	await expect(change).rejects.toBe(failure);
}

describe('The list of links', () => {
	test('is read once for several items, and again after 10 s', async () => {
		const { client } = clientOf([link(1)], [link(2)]);
		expect([await find(client), await find(client, 'HTTPS://Example.com:443/%61')]).toEqual([[1], [1]]);
		jest.setSystemTime(NOW + 9_999);
		expect(await find(client)).toEqual([1]);
		jest.setSystemTime(NOW + 10_000);
		expect(await find(client)).toEqual([2]);
	});

	test('that failed is not read again by the same try, but by another one', async () => {
		const failure = requestFailure('the service failed');
		const { client, send } = clientOf(failure, [link(1)]);
		await expect(find(client)).rejects.toBe(failure);
		await expect(find(client)).rejects.toBe(failure);
		expect(send).toHaveBeenCalledTimes(1);
		expect(await find(clientOf([link(1)]).client)).toEqual([1]);
	});

	test.each<[string, () => unknown, number]>([
		['was not applied', async () => await fail('not applied'), 1],
		['may have been applied', async () => await fail('unknown'), 2],
		['may have been one of any links', () => links.invalidate(), 2],
		['created a link', () => links.noteCreated(link(2)), 1],
		['created a link without an ID', () => links.noteCreated(link('')), 2],
		['deleted a link', () => links.noteDeleted('1'), 1],
		['updated a link', () => links.noteUpdated('1', { title: 'New' }), 1],
	])('after a change that %s', async (_what, change, times) => {
		const { client, send } = clientOf([link(1)]);
		await find(client);
		await change();
		await find(client);
		expect(send).toHaveBeenCalledTimes(times);
	});

	test.each<[LinkForm, string, unknown]>([
		[{ title: 'New' }, A, 'New'],
		[{ title: 'New', group_id: '1' }, A, 'New'],
		[{ title: 'New', link: `${A}/b` }, `${A}/b`, 'New'],
		// A service may clear the title.
		[{ group_id: '1' }, A, undefined],
	])('has the link after an update of %j', async (fields, address, title) => {
		const { client } = clientOf([link(1)]);
		await find(client);
		links.noteCreated(link(2));
		for (const id of ['1', '2']) links.noteUpdated(id, fields);
		const { matches } = await links.find(client, address, 'exact');
		expect(matches).toEqual([2, 1].map((id) => ({ link_id: id, link: address, title })));
	});
});

describe('A list that is read while links change', () => {
	test('is read again for the next item, as the change may be missing in it', async () => {
		let answer: (links: IDataObject[]) => void = () => undefined;
		const slow = new Promise<IDataObject[]>((resolve) => (answer = resolve));
		const send = async (_request: ServiceRequest, parse: Parse<unknown>) => parse({ status: true, data: await slow });
		const reading = find({ request: send } as unknown as Client);
		links.noteUpdated('1', { link: `${A}/moved` });
		answer([link(1)]);
		await reading;
		expect(await find(clientOf([link(1, `${A}/moved`)]).client)).toEqual([]);
		expect(await find(clientOf([]).client, `${A}/moved`)).toEqual([1]);
	});
});

describe('A full list', () => {
	/** The newest links down to `last`, as a service lists them. */
	const listDownTo = (last: number, count = 50) =>
		Array.from({ length: count }, (_, index) => link(last + count - 1 - index, `${A}/${last + count - 1 - index}`));

	const findAll = async (client: Client, ids: number[]) =>
		await Promise.all(ids.map(async (id) => await find(client, `${A}/${id}`)));

	test('keeps what newer links have pushed out of it, for an hour', async () => {
		const { client } = clientOf(listDownTo(1), listDownTo(3), listDownTo(5), listDownTo(200));
		expect(await findAll(client, [1, 2])).toEqual([[1], [2]]);
		jest.setSystemTime(NOW + 10_000);
		expect(await findAll(client, [1, 2, 3])).toEqual([[1], [2], [3]]);
		jest.setSystemTime(NOW + 20_000);
		expect(await findAll(client, [1, 2, 3, 4, 5])).toEqual([[1], [2], [3], [4], [5]]);
		// All of it is newer.
		jest.setSystemTime(NOW + 59 * MINUTE);
		expect(await findAll(client, [1, 2, 3, 4, 5, 30])).toEqual([[1], [2], [3], [4], [5], [30]]);
		jest.setSystemTime(NOW + 60 * MINUTE);
		expect(await findAll(client, [1, 2])).toEqual([[], []]);
	});

	test.each<[string, IDataObject[]]>([
		['that is not full any more', listDownTo(2, 49)],
		['with a link that is older', [...listDownTo(2, 49), link(900)]],
	])('keeps nothing if the next one is one %s: the others were deleted', async (_which, next) => {
		const { client } = clientOf(listDownTo(1), next);
		await findAll(client, [1]);
		jest.setSystemTime(NOW + 10_000);
		expect(await findAll(client, [1, 2])).toEqual([[], [2]]);
	});

	test('finds a link that it contains before one with the same address that it has pushed out', async () => {
		const older = [...listDownTo(2, 49), link(1)];
		const { client } = clientOf(older, [link(90), link(89, `${A}/89`), ...listDownTo(3, 48)]);
		expect(await find(client)).toEqual([1]);
		jest.setSystemTime(NOW + 10_000);
		expect(await find(client)).toEqual([90, 1]);
	});

	test('keeps the address that was sent of a link that was created here', async () => {
		links.noteCreated(link(50));
		const { client } = clientOf(listDownTo(1), listDownTo(51));
		expect(await find(client)).toEqual([50]);
		jest.setSystemTime(NOW + 10_000);
		expect(await find(client)).toEqual([50]);
	});

	test.each<[string, () => unknown]>([
		['was deleted here', () => links.noteDeleted('1')],
		['may have been changed', () => links.invalidate()],
	])('does not keep a link that %s', async (_what, change) => {
		const { client } = clientOf(listDownTo(1), listDownTo(3));
		await findAll(client, [1]);
		jest.setSystemTime(NOW + 10_000);
		expect(await findAll(client, [1])).toEqual([[1]]);
		change();
		expect(await findAll(client, [1])).toEqual([[]]);
	});
});

describe('A link that was created', () => {
	test('is found before those of the list, the newest first, and once if the list contains it too', async () => {
		const { client } = clientOf([link(7)], [link(2), link(7)]);
		links.noteCreated(link(1));
		links.noteCreated(link(2));
		expect(await find(client)).toEqual([2, 1, 7]);
		jest.setSystemTime(NOW + 10_000);
		expect(await find(client)).toEqual([2, 1, 7]);
	});

	test('without an ID is found until the list contains its address', async () => {
		const { client } = clientOf([], [link(5)]);
		links.noteCreated(link(''));
		expect(await find(client)).toEqual(['']);
		jest.setSystemTime(NOW + 10_000);
		expect(await find(client)).toEqual([5]);
	});

	test('is found under the address that was sent, though the service lists another one', async () => {
		const { client } = clientOf([link(1, 'https://example.com/other')]);
		links.noteCreated(link(1));
		expect(await find(client)).toEqual([1]);
		expect(await find(client, 'https://example.com/other')).toEqual([1]);
	});

	test('counts for two minutes if no list shows it', async () => {
		links.noteCreated(link(1));
		jest.setSystemTime(NOW + 2 * MINUTE - 1);
		expect(await find(clientOf([]).client)).toEqual([1]);
		jest.setSystemTime(NOW + 2 * MINUTE + 10_000);
		expect(await find(clientOf([]).client)).toEqual([]);
	});

	test('counts for an hour once 50 newer ones were created, as no list can show it', async () => {
		links.noteCreated(link(1));
		for (let id = 2; id <= 51; id += 1) links.noteCreated(link(id, `${A}/${id}`));
		jest.setSystemTime(NOW + 59 * MINUTE);
		expect(await find(clientOf([]).client)).toEqual([1]);
		expect(await find(clientOf([]).client, `${A}/2`)).toEqual([]);
		jest.setSystemTime(NOW + 60 * MINUTE);
		expect(await find(clientOf([]).client)).toEqual([]);
	});

	test.each<[string, () => unknown, unknown[]]>([
		['was not applied', async () => await fail('not applied'), [1]],
		['may have been applied', async () => await fail('unknown'), []],
		['may have been one of any links', () => links.invalidate(), []],
		['deleted it', () => links.noteDeleted('1'), []],
		['updated it', () => links.noteUpdated('1', { title: 'New' }), [1]],
		['moved it', () => links.noteUpdated('1', { link: `${A}/other` }), []],
	])('is known after a change that %s as far as that is certain', async (_what, change, ids) => {
		links.noteCreated(link(1));
		await change();
		expect(await find(clientOf([]).client)).toEqual(ids);
	});
});

test('A link that was deleted does not count, though a list still contains it', async () => {
	const { client } = clientOf([link(2), link(1)]);
	links.noteDeleted('2');
	expect(await find(client)).toEqual([1]);
	links.invalidate();
	expect(await find(client)).toEqual([1]);
});

test('A link counts if it was created with an ID that was deleted before', async () => {
	links.noteDeleted('1');
	links.noteCreated(link(1));
	expect(await find(clientOf([]).client)).toEqual([1]);
});

describe('The links of an account', () => {
	const clientFor = (id: string, isPreview = false) => ({ account: { id }, isPreview }) as Client;

	test('are shared by its clients, and by no others', () => {
		expect(knownLinksOf(clientFor('a'))).toBe(knownLinksOf(clientFor('a')));
		expect(knownLinksOf(clientFor('a'))).not.toBe(knownLinksOf(clientFor('b')));
	});

	test('are known to a preview, which adds nothing to them', async () => {
		knownLinksOf(clientFor('c')).noteCreated(link(1));
		const preview = clientFor('c', true);
		links = knownLinksOf(preview);
		links.noteCreated(link(''));
		expect(knownLinksOf(preview)).toBe(links);
		expect(await find(clientOf([]).client)).toEqual(['', 1]);
		links = knownLinksOf(clientFor('c'));
		expect(await find(clientOf([]).client)).toEqual([1]);
	});
});
