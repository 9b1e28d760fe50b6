import type { IDataObject } from 'n8n-workflow';

import { KnownLinks } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import { done, type Ended, failed, type Failure } from '../../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

/** A client that returns these lists or failures one after another, and the last one from then on. */
function clientOf(...lists: ReadonlyArray<IDataObject[] | Failure>) {
	const endings = lists.map((list): Ended<IDataObject[]> => (Array.isArray(list) ? done(list) : list));
	const send = jest.fn(async () => await Promise.resolve(endings.length > 1 ? endings.shift() : endings[0]));
	return { client: { request: send } as unknown as Client, send };
}

const A = 'https://example.com/a';
const B = 'https://example.com/b';
const link = (id: number, address = A): IDataObject => ({ link_id: id, link: address });

let links: KnownLinks;
beforeEach(() => (links = new KnownLinks()));

/** Returns the links with an address, or the failure. */
async function find(client: Client, address = A) {
	const ended = await links.find(client, address, (text) => text.toLowerCase());
	return ended.outcome === 'done' ? ended.result : ended;
}

describe('The list of links', () => {
	test('is read once for many calls, and searched by normalized addresses', async () => {
		const { client, send } = clientOf([link(3), link(2, B), link(1)]);
		const found = await Promise.all([find(client, A.toUpperCase()), find(client)]);
		const expected = { matches: [link(3), link(1)], isListFull: false, isUncertain: false };
		expect(found).toEqual([expected, expected]);
		expect(send).toHaveBeenCalledTimes(1);
	});

	test('is looked through once for many addresses, also with links that were created meanwhile', async () => {
		const listed = Array.from({ length: 1000 }, (_, index) => link(index, `${A}/${index}`));
		const { client } = clientOf(listed);
		const normalize = jest.fn((address: string) => address);
		for (let index = 0; index < 200; index += 1) {
			const [id, address] = [5000 + index, `${B}/${index}`];
			const matches = async (text: string) => await links.find(client, text, normalize);
			expect(await matches(`${A}/${index}`)).toMatchObject({ result: { matches: [link(index, `${A}/${index}`)] } });
			expect(await matches(address)).toMatchObject({ result: { matches: [] } });
			links.created(link(id, address), 'done', true);
			expect(await matches(address)).toMatchObject({ result: { matches: [link(id, address)] } });
		}
		// Once for each link, and twice for each address that is looked for.
		expect(normalize.mock.calls.length).toBeLessThanOrEqual(1000 + 200 + 2 * 600);
	});

	test.each([
		[49, false],
		[50, true],
	])('with %d links is full: %p', async (length, isListFull) => {
		const { client } = clientOf(Array.from({ length }, (_, index) => link(index)));
		expect(await find(client)).toMatchObject({ isListFull });
	});

	test('is read again after 30 s, and when it expires', async () => {
		const { client } = clientOf([link(1)], [link(2)], [link(3)]);
		await find(client);
		jest.setSystemTime(NOW + 29_999);
		expect(await find(client)).toMatchObject({ matches: [link(1)] });
		jest.setSystemTime(NOW + 30_000);
		expect(await find(client)).toMatchObject({ matches: [link(2)] });
		links.expire();
		expect(await find(client)).toMatchObject({ matches: [link(3)] });
	});

	test.each<[string, Partial<Failure>, number]>([
		['at once after a single attempt, if it may succeed', { passes: 'soon' }, 0],
		['a second after several attempts', { passes: 'soon', attempts: 3 }, 1000],
		['a second after a failure that will not go away', {}, 1000],
	])('that failed is read again %s', async (_when, others, lasts) => {
		const failure = failed('the service failed', '', others);
		const { client, send } = clientOf(failure, [link(1)]);
		expect(await Promise.all([find(client), find(client)])).toEqual([failure, failure]);
		expect(send).toHaveBeenCalledTimes(1);
		jest.setSystemTime(NOW + Math.max(0, lasts - 1));
		expect(await find(client)).toMatchObject(lasts === 0 ? { matches: [link(1)] } : failure);
		jest.setSystemTime(NOW + lasts);
		expect(await find(client)).toMatchObject({ matches: [link(1)] });
	});
});

describe('A link that was created', () => {
	test('is found before those of the list, and once even if the list contains it', async () => {
		const { client } = clientOf([link(1)], [link(3), link(1)]);
		await find(client);
		links.created(link(2), 'done', false);
		links.created(link(3), 'done', true);
		expect(await find(client)).toMatchObject({ matches: [link(3), link(2), link(1)] });
		links.expire();
		expect(await find(client)).toMatchObject({ matches: [link(2), link(3), link(1)] });
	});

	test('is forgotten if it is public, and a later list that is not full does not contain it', async () => {
		const { client } = clientOf([link(1)]);
		links.created(link(2), 'done', true);
		links.created(link(3), 'done', false);
		expect(await find(client)).toMatchObject({ matches: [link(3), link(1)] });
	});

	test('is found if it is missing in a full list, until any links may have changed', async () => {
		const { client } = clientOf(Array.from({ length: 50 }, (_, index) => link(index, B)));
		links.created(link(50), 'done', true);
		expect(await find(client)).toMatchObject({ matches: [link(50)] });
		links.forget();
		expect(await find(client)).toMatchObject({ matches: [] });
	});

	test.each([
		['done', '7', true, 1, false],
		['done', '', true, 2, false],
		['unknown', '', true, 2, false],
		['unknown', '', false, 1, true],
		['rejected', '', false, 1, false],
		['not sent', '', true, 1, false],
	] as const)(
		'with the outcome "%s", the ID %j, and public: %p, leads to %d lists, and is uncertain: %p',
		async (outcome, id, isPublic, lists, isUncertain) => {
			const { client, send } = clientOf([]);
			await find(client);
			links.created({ link_id: id, link: A }, outcome, isPublic);
			expect(await find(client)).toMatchObject({ isUncertain });
			expect(await find(client, B)).toMatchObject({ isUncertain: false });
			expect(send).toHaveBeenCalledTimes(lists);
		},
	);
});

describe('A change of a link', () => {
	test.each([
		['done', 2],
		['unknown', 2],
		['rejected', 1],
		['not sent', 1],
	] as const)('with the outcome "%s" leads to %d lists', async (outcome, lists) => {
		const { client, send } = clientOf([link(1)]);
		await find(client);
		links.changed('1', outcome, { title: 'New' });
		await find(client);
		expect(send).toHaveBeenCalledTimes(lists);
	});

	test('applies to a scheduled one too, which no list contains', async () => {
		const { client } = clientOf([]);
		links.created({ ...link(2), title: 'Old' }, 'done', false);
		links.changed('2', 'done', { title: 'New' });
		expect(await find(client)).toMatchObject({ matches: [{ ...link(2), title: 'New' }] });
		links.changed('2', 'done', { title: undefined, link: B });
		expect(await find(client)).toMatchObject({ matches: [] });
		expect(await find(client, B)).toMatchObject({ matches: [{ link_id: 2, title: 'New' }] });
		links.changed('2', 'rejected');
		expect(await find(client, B)).toMatchObject({ matches: [{ link_id: 2 }] });
		links.changed('2', 'done');
		expect(await find(client, B)).toMatchObject({ matches: [] });
	});

	test('makes both addresses of a scheduled one uncertain if its outcome is unknown, until it is certain', async () => {
		const { client } = clientOf([]);
		links.created(link(2), 'done', false);
		for (const outcome of ['unknown', 'rejected'] as const) {
			links.changed('2', outcome, { link: B });
			for (const address of [A, B]) {
				expect(await find(client, address)).toMatchObject({ matches: [], isUncertain: true });
			}
		}
		links.changed('2', 'done');
		for (const address of [A, B]) expect(await find(client, address)).toMatchObject({ isUncertain: false });
	});

	// It fails: the link stays uncertain.
	test('of a scheduled one makes its address certain again if it was confirmed', async () => {
		const { client } = clientOf([]);
		links.created(link(2), 'done', false);
		links.changed('2', 'unknown', { link: B });
		links.changed('2', 'done', { link: B });
		expect(await find(client)).toMatchObject({ matches: [], isUncertain: false });
		expect(await find(client, B)).toMatchObject({ matches: [link(2, B)], isUncertain: false });
	});

	test('of a public one with an unknown outcome leaves it to the next list', async () => {
		const { client } = clientOf([], [link(2)], []);
		links.created(link(2), 'done', true);
		for (const matches of [[], [link(2)], []]) {
			links.changed('2', 'unknown');
			expect(await find(client)).toMatchObject({ matches, isUncertain: false });
		}
	});
});
