import type { IDataObject } from 'n8n-workflow';

import { KnownLinks } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import { editRequest } from '../../../../nodes/ProfilePage/resources/links/linkRequests';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import type { ServiceRequest } from '../../../../nodes/ProfilePage/service/request';
import { isChange, requestFailure } from '../../../../nodes/ProfilePage/shared/failure';

const A = 'https://example.com/a';
const FROM = '2099-01-01T00:00:00Z';
const link = (id: number, address = A): IDataObject => ({ link_id: id, link: address, title: 'Old' });

/** The account of a test: what the service lists, whatever is changed, how often, and what the next request fails with. */
let account: { id: string; list: IDataObject[]; reads: number; failure?: Error };
let count = 0;
beforeEach(() => (account = { id: `account ${++count}`, list: [], reads: 0 }));

/** Returns a client, which gives each new link the ID 9. */
function clientOf(of = account): Client {
	const request = async (sent: ServiceRequest) => {
		if (!isChange(sent)) of.reads += 1;
		const { failure } = of;
		of.failure = undefined;
		const data = isChange(sent) ? { id: 9 } : of.list;
		return await (failure ? Promise.reject(failure) : Promise.resolve(sent.read({ status: true, data })));
	};
	return { account: { id: of.id }, request } as unknown as Client;
}

const newTry = () => new KnownLinks(clientOf());
const create = async (known: KnownLinks, address = A, schedule_from?: string) =>
	await known.create({ title: 'New', link: address, schedule_from });
const titles = async (known: KnownLinks, address = A) =>
	(await known.find(address)).found.map(({ fields }) => fields.title);
const changeElsewhere = async (of = account) => await new KnownLinks(clientOf(of)).change(editRequest('1', {}));
const fail = async (work: () => Promise<unknown>, outcome: 'unknown' | 'not applied' = 'unknown') => {
	account.failure = requestFailure('the service failed', undefined, { outcome });
	await expect(work()).rejects.toThrow('the service failed');
};

describe('The list of links', () => {
	test('is read once by a try, and by each try', async () => {
		account.list = [link(1)];
		const known = newTry();
		expect([await titles(known), await titles(known, 'HTTPS://Example.com:443/%61')]).toEqual([['Old'], ['Old']]);
		account.list = [];
		expect([await titles(known), await titles(newTry())]).toEqual([['Old'], []]);
		expect(account.reads).toBe(2);
	});

	test('that could not be read is not read again by the same try', async () => {
		const known = newTry();
		await fail(async () => await titles(known));
		await expect(titles(known)).rejects.toThrow('the service failed');
		expect([account.reads, await titles(newTry())]).toEqual([1, []]);
	});

	test.each<[what: string, change: (known: KnownLinks) => Promise<unknown>, reads: number]>([
		['of this try', async (known) => await create(known), 1],
		['of this try that was rejected', async (known) => await fail(async () => await create(known), 'not applied'), 1],
		['of this try that may have been made', async (known) => await fail(async () => await create(known)), 2],
		['of another try', async () => await create(newTry()), 2],
		['of another try that may have been made', async () => await fail(changeElsewhere), 2],
		['of another account', async () => await changeElsewhere({ ...account, id: 'other' }), 1],
	])('is read again, or not, after a change %s', async (_what, change, reads) => {
		const known = newTry();
		await titles(known);
		await change(known);
		await titles(known);
		expect(account.reads).toBe(reads);
	});
});

describe('A link that the try has created', () => {
	test('comes before those of the list, until that is read again: another execution may have deleted it', async () => {
		account.list = [link(1)];
		const known = newTry();
		await create(known);
		expect(await titles(known)).toEqual(['New', 'Old']);
		await changeElsewhere();
		expect(await titles(known)).toEqual(['Old']);
	});

	test.each([
		['is scheduled', 0, FROM],
		['has 50 newer ones', 50, undefined],
	])('stays if it %s, as no list contains it then', async (_what, newer, from) => {
		const known = newTry();
		await create(known, A, from);
		for (let index = 0; index < newer; index += 1) await create(known, `${A}/${index}`);
		await changeElsewhere();
		expect(await titles(known)).toEqual(['New']);
	});
});

test('A link that the try has updated has its new title and address until the list is read again', async () => {
	account.list = [link(1)];
	const known = newTry();
	const [found] = (await known.find(A)).found;
	const changes = { title: 'New', link: `${A}/b` };
	await fail(async () => await known.update(found!, changes), 'not applied');
	expect(await titles(known)).toEqual(['Old']);
	await known.update(found!, changes);
	expect([await titles(known), await titles(known, `${A}/b`), account.reads]).toEqual([[], ['New'], 1]);
});
