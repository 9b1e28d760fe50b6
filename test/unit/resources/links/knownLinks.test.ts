import type { IDataObject } from 'n8n-workflow';

import { KnownLinks } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import { editRequest } from '../../../../nodes/ProfilePage/resources/links/linkRequests';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import type { ServiceRequest } from '../../../../nodes/ProfilePage/service/request';
import { isChange, requestFailure } from '../../../../nodes/ProfilePage/shared/failure';

const A = 'https://example.com/a';
const FROM = '2030-01-01T00:00:00Z';
const link = (id: number, address = A): IDataObject => ({ link_id: id, link: address, title: 'Old' });

/** The account of a test: what the service lists, whatever is changed, and how often, and whether the next request fails. */
let account: { id: string; list: IDataObject[]; reads: number; failure?: Error };
let accounts = 0;
beforeEach(() => (account = { id: `account ${++accounts}`, list: [], reads: 0 }));

/** Returns a client, which returns the list for any request. */
function clientOf(of = account): Client {
	const request = async (sent: ServiceRequest) => {
		if (!isChange(sent)) of.reads += 1;
		const { failure } = of;
		of.failure = undefined;
		return await (failure ? Promise.reject(failure) : Promise.resolve(sent.read({ status: true, data: of.list })));
	};
	return { account: { id: of.id }, request } as unknown as Client;
}

const newTry = () => new KnownLinks(clientOf());
const create = async (known: KnownLinks, address = A, publicFrom?: string) => {
	const newLink = { title: 'New', link: address, schedule_from: publicFrom };
	return await known.create(newLink);
};
const edit = editRequest('1', { title: 'New' });
const changeElsewhere = async () => await newTry().change(edit);
const fail = async (work: () => Promise<unknown>) => {
	account.failure = requestFailure('the service failed');
	await expect(work()).rejects.toThrow('the service failed');
};

/** Returns what is known of an address: the title of the link, or the state. */
async function lookUp(known: KnownLinks, address = A): Promise<unknown> {
	const found = await known.lookUp(address);
	return found.state === 'exists' ? found.link.fields.title : found.state;
}

describe('The list of links', () => {
	test('is read once by a try, and by each try', async () => {
		account.list = [link(1)];
		const known = newTry();
		expect([await lookUp(known), await lookUp(known, 'HTTPS://Example.com:443/%61')]).toEqual(['Old', 'Old']);
		account.list = [];
		expect([await lookUp(known), await lookUp(newTry())]).toEqual(['Old', 'absent']);
		expect(account.reads).toBe(2);
	});

	test('that could not be read is not read again by the same try', async () => {
		const known = newTry();
		await fail(async () => await lookUp(known));
		await expect(lookUp(known)).rejects.toThrow('the service failed');
		expect([account.reads, await lookUp(newTry())]).toEqual([1, 'absent']);
	});

	test.each<[what: string, change: (known: KnownLinks) => Promise<unknown>, reads: number]>([
		['of this try', async (known) => await create(known), 1],
		['of this try that failed', async (known) => await fail(async () => await create(known)), 2],
		['of another try', async () => await create(newTry()), 2],
		['of another try that failed', async () => await fail(changeElsewhere), 2],
		['of another account', async () => await new KnownLinks(clientOf({ ...account, id: 'other' })).change(edit), 1],
	])('is read again, or not, after a change %s', async (_what, change, reads) => {
		const known = newTry();
		await lookUp(known);
		await change(known);
		await lookUp(known);
		expect(account.reads).toBe(reads);
	});

	test('says whether there may be older links', async () => {
		account.list = Array.from({ length: 49 }, (_, index) => link(index));
		const isListFull = async () => await newTry().lookUp('https://example.com/b');
		expect(await isListFull()).toEqual({ state: 'absent', isListFull: false });
		account.list.push(link(50));
		expect(await isListFull()).toEqual({ state: 'absent', isListFull: true });
	});
});

describe('A link that the try has created', () => {
	test('comes before those of the list, and stays if a full list does not contain it', async () => {
		account.list = [link(1)];
		const known = newTry();
		expect(await lookUp(known)).toBe('Old');
		await create(known);
		expect(await lookUp(known)).toBe('New');
		account.list = Array.from({ length: 50 }, (_, index) => link(index + 3, `${A}/${index}`));
		await changeElsewhere();
		expect(await lookUp(known)).toBe('New');
	});

	test('is found under the address that was sent, and under the one that the service lists', async () => {
		const known = newTry();
		await create(known);
		account.list = [link(1, `${A}/listed`)];
		await changeElsewhere();
		expect([await lookUp(known), await lookUp(known, `${A}/listed`)]).toEqual(['New', 'Old']);
	});

	test('with a date is scheduled until a list contains it, unless there is another one', async () => {
		const known = newTry();
		await create(known, A, FROM);
		expect(await lookUp(known)).toBe('scheduled');
		await create(known);
		expect(await lookUp(known)).toBe('New');
		account.list = [link(1)];
		await changeElsewhere();
		expect(await lookUp(known)).toBe('Old');
	});
});

test('A link that the try has updated has its new title until the list is read again', async () => {
	account.list = [link(1)];
	const known = newTry();
	const found = await known.lookUp(A);
	if (found.state !== 'exists') throw new Error(found.state);
	await fail(async () => await known.update(found.link, { title: 'New' }));
	expect([found.link.fields.title, account.reads]).toEqual(['Old', 1]);
	await known.update(found.link, { title: 'New' });
	expect(found.link.fields).toEqual({ ...link(1), title: 'New' });
});
