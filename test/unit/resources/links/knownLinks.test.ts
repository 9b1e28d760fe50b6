import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	forgetLinks,
	KnownLinks,
	knownLinksOf,
	type LinkChange,
} from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import { Failure, type Outcome, requestFailure } from '../../../../nodes/ProfilePage/service/failure';
import type { ServiceRequest } from '../../../../nodes/ProfilePage/service/request';
import type { Parse } from '../../../../nodes/ProfilePage/service/response';
import { useFakeClock } from '../../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

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

describe('The list of links', () => {
	test('is read once for calls at the same time, and again after 30 s', async () => {
		const { client } = clientOf([link(1)], [link(2)]);
		expect(await Promise.all([find(client), find(client, 'HTTPS://Example.com:443/%61')])).toEqual([[1], [1]]);
		jest.setSystemTime(NOW + 29_999);
		expect(await find(client)).toEqual([1]);
		jest.setSystemTime(NOW + 30_000);
		expect(await find(client)).toEqual([2]);
	});

	test('that failed is not read again by the same try, but by another one', async () => {
		const failure = requestFailure('the service failed');
		const { client, send } = clientOf(failure, [link(1)]);
		expect(await Promise.allSettled([find(client), find(client)])).toEqual(
			Array(2).fill({ status: 'rejected', reason: failure }),
		);
		await expect(find(client)).rejects.toBe(failure);
		expect(send).toHaveBeenCalledTimes(1);
		expect(await find(clientOf([link(1)]).client)).toEqual([1]);
	});

	test.each<[Outcome | 'done', LinkChange, number]>([
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

	test('is read again after any links may have been changed, or one may have been created', async () => {
		const { client } = clientOf([link(1)], [link(2)], []);
		await find(client);
		links.created({}, 'unknown');
		expect(await find(client)).toEqual([2]);
		links.forget();
		expect(await find(client)).toEqual([]);
	});
});

describe('A link that was created', () => {
	test('is found before those of the list, the newest first, and once if the list contains it too', async () => {
		const { client } = clientOf([link(7)], [link(2), link(7)]);
		links.created(link(1), 'done');
		links.created(link(2), 'done');
		expect(await find(client)).toEqual([2, 1, 7]);
		links.changed('9', 'unknown', 'deleted');
		expect(await find(client)).toEqual([2, 1, 7]);
	});

	test('without an ID is found until the list contains its address', async () => {
		const { client } = clientOf([], [link(5)]);
		links.created(link(''), 'done');
		expect(await find(client)).toEqual(['']);
		links.changed('9', 'unknown', 'deleted');
		expect(await find(client)).toEqual([5]);
	});

	test.each<[Outcome | 'done', LinkChange, unknown[]]>([
		['not applied', 'deleted', [1]],
		['done', 'deleted', []],
		['unknown', 'deleted', []],
		['done', { link: `${A}/other` }, []],
		['done', { title: 'New' }, [1]],
	])('is known after a change with the outcome "%s" of %j as far as that is certain', async (outcome, change, ids) => {
		links.created(link(1), 'done');
		links.changed('1', outcome, change);
		expect(await find(clientOf([]).client)).toEqual(ids);
	});
});

test('A link that was deleted does not count, though a list still contains it', async () => {
	const { client } = clientOf([link(2), link(1)]);
	links.changed('2', 'done', 'deleted');
	expect(await find(client)).toEqual([1]);
	links.changed('1', 'unknown', 'deleted');
	expect(await find(client)).toEqual([1]);
});

test('A link counts if it was created with an ID that was deleted before', async () => {
	links.changed('1', 'done', 'deleted');
	links.created(link(1), 'done');
	expect(await find(clientOf([]).client)).toEqual([1]);
});

describe('Another execution of the process', () => {
	const account = { account: { id: 'account' }, isPreview: false } as Client;

	/** The context of a node in an execution of its own. */
	function startExecution(): IExecuteFunctions {
		const state = {};
		return { getContext: () => state } as unknown as IExecuteFunctions;
	}

	async function countKnown(context: IExecuteFunctions, list: IDataObject[] = []): Promise<number> {
		const { matches } = await knownLinksOf(context, account).find(clientOf(list).client, A, 'exact');
		return matches.length;
	}

	afterEach(() => forgetLinks(startExecution(), account));

	test('knows a new link for two minutes, and the execution that created it as long as it runs', async () => {
		const [own, other] = [startExecution(), startExecution()];
		knownLinksOf(own, account).created(link(1), 'done');
		jest.setSystemTime(NOW + 119_999);
		expect([await countKnown(own), await countKnown(other)]).toEqual([1, 1]);
		jest.setSystemTime(NOW + 120_000);
		expect([await countKnown(own), await countKnown(other)]).toEqual([1, 0]);
	});

	test('makes an execution forget a link that it has created long ago, and that is deleted now', async () => {
		const [own, other] = [startExecution(), startExecution()];
		knownLinksOf(own, account).created(link(1), 'done');
		jest.setSystemTime(NOW + 600_000);
		knownLinksOf(other, account).changed('1', 'done', 'deleted');
		expect(await countKnown(own, [link(1)])).toBe(0);
		jest.setSystemTime(NOW + 1_200_000);
		expect(await countKnown(own)).toBe(0);
	});

	test('makes the list be read again if it does not know whether it has created a link', async () => {
		const [own, other] = [startExecution(), startExecution()];
		expect(await countKnown(other)).toBe(0);
		knownLinksOf(own, account).created({}, 'unknown');
		expect(await countKnown(other, [link(3)])).toBe(1);
	});

	test('frees the memory of links that were created by executions that have ended', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const create = () => {
			const created = link(1);
			knownLinksOf(startExecution(), account).created(created, 'done');
			return new WeakRef(created);
		};
		const created = create();
		jest.setSystemTime(NOW + 120_000);
		const isFree = () => {
			collectGarbage();
			knownLinksOf(startExecution(), { account: { id: 'other' } } as Client).created(link(2), 'done');
			return created.deref() === undefined;
		};
		let freed = false;
		for (let tries = 0; tries < 20 && !freed; tries += 1) {
			await new Promise(jest.requireActual<typeof import('node:timers')>('node:timers').setImmediate);
			freed = isFree();
		}
		expect(freed).toBe(true);
	});
});
