import type { IDataObject } from 'n8n-workflow';

import { KnownLinks, type LinkChange } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import { done, requestFailure, type Failure, type Outcome } from '../../../../nodes/ProfilePage/service/failure';
import type { ServiceRequest } from '../../../../nodes/ProfilePage/service/request';
import type { Parse } from '../../../../nodes/ProfilePage/service/response';
import { useFakeClock } from '../../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

/** A client that returns these lists or failures one after another, and the last one from then on. */
function clientOf(...lists: ReadonlyArray<IDataObject[] | Failure>) {
	const left = [...lists];
	const send = jest.fn(async (_request: ServiceRequest, parse: Parse<unknown>) => {
		const list = left.length > 1 ? left.shift() : left[0];
		return await Promise.resolve(Array.isArray(list) ? done(parse({ status: true, data: list })) : list);
	});
	return { client: { request: send } as unknown as Client, send };
}

const A = 'https://example.com/a';
const B = 'https://example.com/b';
const link = (id: number, address = A): IDataObject => ({ link_id: id, link: address, title: 'Old' });
const fullList = Array.from({ length: 50 }, (_, index) => link(index, `${B}/${index}`));

let links: KnownLinks;
beforeEach(() => (links = new KnownLinks()));

/** Returns the links with an address, or the failure. */
async function find(client: Client, address = A) {
	const ended = await links.find(client, address, 'exact');
	return ended.outcome === 'done' ? ended.result : ended;
}

describe('The list of links', () => {
	test('is looked through once for many addresses, also with links that were created meanwhile', async () => {
		let timesRead = 0;
		const counted = (id: number, address: string): IDataObject =>
			Object.defineProperty(link(id), 'link', { get: () => (timesRead++, address) });
		const { client } = clientOf(Array.from({ length: 1000 }, (_, index) => counted(index, `${A}/${index}`)));
		const idsOf = async (address: string) => {
			const found = await find(client, address);
			return 'matches' in found && found.matches.map(({ link_id: id }) => id);
		};
		for (let index = 0; index < 200; index += 1) {
			const [id, address] = [5000 + index, `${B}/${index}`];
			expect(await idsOf(`${A}/${index}`)).toEqual([index]);
			expect(await idsOf(address)).toEqual([]);
			links.created(counted(id, address), 'done', 'public');
			expect(await idsOf(address)).toEqual([id]);
		}
		// Twice by the parser of the list, once to see that links have addresses.
		expect(timesRead).toBe(2 * 1000 + 1 + 200);
	});

	test('is read once for calls at the same time, and again after 30 s', async () => {
		const { client } = clientOf([link(1)], [link(2)]);
		await Promise.all([find(client), find(client)]);
		jest.setSystemTime(NOW + 29_999);
		expect(await find(client)).toMatchObject({ matches: [link(1)] });
		jest.setSystemTime(NOW + 30_000);
		expect(await find(client)).toMatchObject({ matches: [link(2)] });
	});

	test.each<[string, Partial<Failure>, number]>([
		['at once after a single attempt, if it may succeed', { passes: 'soon' }, 0],
		['a second after several attempts', { passes: 'soon', attempts: 3 }, 1000],
		['a second after a failure that will not go away', {}, 1000],
	])('that failed is read again %s', async (_when, others, lasts) => {
		const failure = requestFailure('the service failed', '', others);
		const { client } = clientOf(failure, [link(1)]);
		expect(await Promise.all([find(client), find(client)])).toEqual([failure, failure]);
		jest.setSystemTime(NOW + Math.max(0, lasts - 1));
		expect(await find(client)).toMatchObject(lasts === 0 ? { matches: [link(1)] } : failure);
		jest.setSystemTime(NOW + lasts);
		expect(await find(client)).toMatchObject({ matches: [link(1)] });
	});

	test.each<[Outcome, LinkChange, number]>([
		['not applied', 'deleted', 1],
		['unknown', { title: 'New' }, 2],
		['done', { title: 'New', link: A }, 2],
		// A service may clear the title.
		['done', { group_id: '1' }, 2],
		['done', { title: 'New', group_id: '1' }, 1],
		['done', 'deleted', 2],
	])('after a change with the outcome "%s" of %j has been read %d times', async (outcome, change, times) => {
		const { client, send } = clientOf([link(1)]);
		await find(client);
		links.changed('1', outcome, change);
		await find(client);
		expect(send).toHaveBeenCalledTimes(times);
	});

	test('still counts after a deletion with an unknown outcome', async () => {
		const { client } = clientOf([link(1)]);
		await find(client);
		links.changed('1', 'unknown', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [link(1)] });
	});

	test('is read again after any links may have been changed', async () => {
		const { client } = clientOf([link(1)], []);
		await find(client);
		links.forget();
		expect(await find(client)).toMatchObject({ matches: [] });
	});

	test('contains the new title of a link', async () => {
		const { client } = clientOf([link(1)]);
		await find(client);
		links.changed('1', 'done', { title: 'New' });
		expect(await find(client)).toMatchObject({ matches: [{ ...link(1), title: 'New' }] });
	});
});

describe('A public link that was created', () => {
	test('is found after a newer one with its address, also once it has been updated', async () => {
		for (const id of [1, 2]) links.created(link(id), 'done', 'public');
		links.changed('1', 'done', { title: 'New' });
		expect(await find(clientOf([]).client)).toMatchObject({
			matches: [{ link_id: 2 }, { link_id: 1, title: 'New' }],
		});
	});

	test('is forgotten if a list that is not full does not contain it any more', async () => {
		const { client } = clientOf([link(2)], []);
		links.created(link(2), 'done', 'public');
		expect(await find(client)).toMatchObject({ matches: [link(2)] });
		links.changed('9', 'unknown', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [] });
	});

	test('is forgotten in this way too if it was renamed after a list had contained it', async () => {
		const { client } = clientOf([link(2)], []);
		links.created(link(2), 'done', 'public');
		await find(client);
		links.changed('2', 'done', { title: 'New' });
		links.changed('9', 'unknown', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [] });
	});

	test('is kept if a list does not contain it yet, such as that of a cache', async () => {
		const { client } = clientOf([], []);
		links.created(link(2), 'done', 'public');
		expect(await find(client)).toMatchObject({ matches: [link(2)] });
		links.changed('9', 'unknown', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [link(2)] });
	});

	test('is found once newer links have displaced it from the list', async () => {
		const { client } = clientOf([link(100)], fullList);
		links.created(link(100), 'done', 'public');
		expect(await find(client)).toMatchObject({ matches: [link(100)] });
		jest.setSystemTime(NOW + 30_000);
		expect(await find(client)).toMatchObject({ matches: [link(100)] });
	});

	test('is left to the next list after a change with an unknown outcome', async () => {
		const { client } = clientOf(fullList);
		links.created(link(100), 'done', 'public');
		links.changed('100', 'unknown', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [], isUncertain: false });
	});

	test('is kept after an update with an unknown outcome, with a title that is not known', async () => {
		const { client } = clientOf([]);
		links.created(link(100), 'done', 'public');
		links.changed('100', 'unknown', { title: 'New' });
		expect(await find(client)).toMatchObject({ matches: [{ link_id: 100, link: A, title: undefined }] });
	});

	test('is left to the next list without an ID, once any link has been deleted', async () => {
		const { client } = clientOf([]);
		links.created({ link: A, title: 'New' }, 'done', 'public');
		expect(await find(client)).toMatchObject({ matches: [{ link: A }] });
		links.changed('7', 'done', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [] });
	});
});

test('A link that was deleted is not found, though a list still contains it', async () => {
	const { client } = clientOf([link(1)]);
	links.changed('1', 'done', 'deleted');
	expect(await find(client)).toMatchObject({ matches: [] });
});

describe('A scheduled link that was created', () => {
	const { client } = clientOf([]);
	beforeEach(() => links.created(link(2), 'done', 'scheduled'));

	test('is found as it is after each change', async () => {
		links.changed('2', 'done', { title: 'New' });
		expect(await find(client)).toMatchObject({ matches: [{ ...link(2), title: 'New' }] });
		links.changed('2', 'done', { link: B });
		expect(await find(client)).toMatchObject({ matches: [] });
		links.changed('2', 'not applied', 'deleted');
		expect(await find(client, B)).toMatchObject({ matches: [{ ...link(2, B), title: 'New' }] });
		links.changed('2', 'done', 'deleted');
		expect(await find(client, B)).toMatchObject({ matches: [], isUncertain: false });
	});

	test('may have its old or its new address after a change with an unknown outcome, until it is deleted', async () => {
		for (const outcome of ['unknown', 'not applied'] as const) {
			links.changed('2', outcome, { link: B });
			for (const address of [A, B]) {
				expect(await find(client, address)).toMatchObject({ matches: [], isUncertain: true });
			}
		}
		links.changed('2', 'done', 'deleted');
		for (const address of [A, B]) expect(await find(client, address)).toMatchObject({ isUncertain: false });
	});

	test('has one address again after a confirmed change of it', async () => {
		links.changed('2', 'unknown', { link: B });
		links.changed('2', 'done', { title: 'New' });
		expect(await find(client, B)).toMatchObject({ matches: [], isUncertain: true });
		links.changed('2', 'done', { link: B });
		expect(await find(client, A)).toMatchObject({ matches: [], isUncertain: false });
		expect(await find(client, B)).toMatchObject({ matches: [{ link_id: 2, link: B }], isUncertain: false });
	});

	test('is found after an update of its title with an unknown outcome', async () => {
		links.changed('2', 'unknown', { title: 'New' });
		expect(await find(client)).toMatchObject({ matches: [{ link_id: 2, title: undefined }], isUncertain: false });
	});

	test('is found after an update with its own address and an unknown outcome', async () => {
		links.changed('2', 'unknown', { title: 'New', link: A });
		expect(await find(client)).toMatchObject({ matches: [{ link_id: 2, title: undefined }], isUncertain: false });
	});

	test('is found if it was updated after a deletion with an unknown outcome', async () => {
		links.changed('2', 'unknown', 'deleted');
		expect(await find(client)).toMatchObject({ matches: [], isUncertain: true });
		links.changed('2', 'done', { title: 'New' });
		expect(await find(client)).toMatchObject({ matches: [{ link_id: 2, title: 'New' }], isUncertain: false });
	});
});
