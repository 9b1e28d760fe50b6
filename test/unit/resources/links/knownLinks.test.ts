import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { KnownLinks } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import { createRequest, type LinkForm } from '../../../../nodes/ProfilePage/resources/links/linkRequests';
import type { Client } from '../../../../nodes/ProfilePage/service/client';
import type { ServiceRequest } from '../../../../nodes/ProfilePage/service/request';
import type { Parse } from '../../../../nodes/ProfilePage/service/response';
import { isChange, requestFailure } from '../../../../nodes/ProfilePage/shared/failure';
import { useFakeClock } from '../../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

useFakeClock(NOW);

const A = 'https://example.com/a';
const link = (id: number | string, address = A): IDataObject => ({ link_id: id, link: address, title: 'Old' });

/** The account of a test: what the service lists, whatever is changed, and why the next requests fail or what they wait for. */
let account: { id: string; list: IDataObject[]; reads: number; failures: Error[]; waits: Array<Promise<void>> };
let accounts = 0;
beforeEach(() => (account = { id: `account ${++accounts}`, list: [], reads: 0, failures: [], waits: [] }));

/** Begins a try. */
function newTry(isPreview = false): KnownLinks {
	const of = account;
	const request = async (sent: ServiceRequest, parse: Parse<unknown>) => {
		if (!isChange(sent)) of.reads += 1;
		const failure = of.failures.shift();
		if (failure) throw failure;
		await of.waits.shift();
		return await Promise.resolve(parse({ status: true, data: of.list }));
	};
	const client = { account: { id: of.id }, isPreview, request } as unknown as Client;
	const helpers = { getProcessedDataCount: () => 0 };
	const same = () => ({ id: '1' });
	const context = { helpers, getWorkflow: same, getNode: same, getExecutionCancelSignal: () => undefined };
	return new KnownLinks(context as unknown as IExecuteFunctions, client);
}

const create = async (known: KnownLinks, id: number | string, address = A, publicFrom?: string) => {
	const newLink = { title: 'Old', link: address, schedule_from: publicFrom };
	await known.create(createRequest(newLink), newLink, () => ({ link_id: id }));
};
const change = async (id: string, fields: LinkForm | 'deleted', known = newTry()) =>
	await known.change(createRequest({ title: '', link: '' }), id, fields);
const fail = async (outcome: 'not applied' | 'unknown', work: () => Promise<unknown>) => {
	const failure = requestFailure('the service failed', undefined, { outcome });
	account.failures.push(failure);
	await expect(work()).rejects.toBe(failure);
};
const wait = async (milliseconds: number) => await new Promise<void>((end) => setTimeout(end, milliseconds));
const pass = (milliseconds: number) => jest.setSystemTime(Date.now() + milliseconds);

/** Returns what is known of an address: the link with its ID, and "+" for others, or the state. */
async function lookUp(known: KnownLinks, address = A, compared: 'exact' | 'loose' = 'exact') {
	const found = await known.lookUp({ title: 'New', link: address }, compared);
	if (found.state !== 'exists') return found.state;
	return `link ${found.fields.link_id as number}${found.hasOthers ? '+' : ''}`;
}

describe('The list of links', () => {
	test('is read once a minute by a try, and by each try', async () => {
		account.list = [link(1)];
		const known = newTry();
		expect([await lookUp(known), await lookUp(known, 'HTTPS://Example.com:443/%61')]).toEqual(['link 1', 'link 1']);
		account.list = [link(2)];
		pass(MINUTE - 1);
		expect(await lookUp(known)).toBe('link 1');
		expect(await lookUp(newTry())).toBe('link 2');
		pass(1);
		expect(await lookUp(known)).toBe('link 2');
		expect(account.reads).toBe(3);
	});

	test('that could not be read is not read again by the same try, but by another one', async () => {
		const failure = requestFailure('the service failed');
		account.failures.push(failure);
		const known = newTry();
		await expect(lookUp(known)).rejects.toBe(failure);
		pass(10 * MINUTE);
		await expect(lookUp(known)).rejects.toBe(failure);
		expect(account.reads).toBe(1);
		expect(await lookUp(newTry())).toBe('absent');
	});

	test.each<[string, (known: KnownLinks) => Promise<unknown>, number]>([
		['was not applied', async (known) => await fail('not applied', async () => await create(known, 2)), 1],
		['may have been applied', async (known) => await fail('unknown', async () => await create(known, 2)), 2],
		['another try may have made', async () => await fail('unknown', async () => await create(newTry(), 2)), 2],
		['may have updated a link', async () => await fail('unknown', async () => await change('1', { title: 'New' })), 2],
		['created a link', async (known) => await create(known, 2), 1],
		['created a link without an ID', async (known) => await create(known, ''), 2],
		['deleted a link', async () => await change('1', 'deleted'), 1],
	])('after a change that %s: read again, or not', async (_what, make, times) => {
		account.list = [link(1)];
		const known = newTry();
		await lookUp(known);
		await make(known);
		await lookUp(known);
		expect(account.reads).toBe(times);
	});

	test('that is full keeps what newer links have pushed out of it, for the try', async () => {
		const listDownTo = (last: number) =>
			Array.from({ length: 50 }, (_, index) => link(last + 49 - index, `${A}/${last + 49 - index}`));
		account.list = listDownTo(1);
		const known = newTry();
		expect(await lookUp(known, `${A}/1`)).toBe('link 1');
		account.list = listDownTo(100);
		pass(MINUTE);
		expect(await lookUp(known, `${A}/1`)).toBe('link 1');
		expect(await lookUp(newTry(), `${A}/1`)).toBe('absent');
		// One that was deleted at the service stood above others.
		account.list = listDownTo(100).filter(({ link_id: id }) => id !== 120);
		pass(MINUTE);
		expect(await lookUp(known, `${A}/120`)).toBe('absent');
		account.list = listDownTo(100).slice(1);
		pass(MINUTE);
		expect(await lookUp(known, `${A}/1`)).toBe('absent');
	});
});

describe('A link that was created here', () => {
	test('counts for two minutes in all tries, though no list contains it', async () => {
		await create(newTry(), 1);
		pass(2 * MINUTE - 1);
		expect(await lookUp(newTry())).toBe('link 1');
		pass(1);
		expect(await lookUp(newTry())).toBe('absent');
	});

	test('comes before those of the list, the newest first, until the list contains it', async () => {
		account.list = [link(1)];
		for (const id of [2, 3, 5]) await create(newTry(), id);
		expect(await lookUp(newTry())).toBe('link 5+');
		await change('5', 'deleted');
		expect(await lookUp(newTry())).toBe('link 3+');
		account.list = [link(4), link(3), link(2), link(1)];
		expect(await lookUp(newTry())).toBe('link 4+');
		for (const id of ['4', '2', '1']) await change(id, 'deleted');
		expect(await lookUp(newTry())).toBe('link 3');
	});

	test('counts for its whole try if the list is full', async () => {
		account.list = Array.from({ length: 50 }, (_, index) => link(index + 100, `${A}/${index}`));
		const known = newTry();
		await lookUp(known);
		await create(known, 1);
		pass(10 * MINUTE);
		expect(await lookUp(known)).toBe('link 1');
		expect(await lookUp(newTry())).toBe('absent');
	});

	test('without an ID is the listed one once the list contains its address', async () => {
		const known = newTry();
		await create(known, '');
		expect(await lookUp(known)).toBe('link ');
		account.list = [link(5)];
		pass(MINUTE);
		expect(await lookUp(known)).toBe('link 5');
	});

	test('is found under the address that was sent, and under the one that the service lists', async () => {
		account.list = [link(1, `${A}/other`)];
		await create(newTry(), 1);
		expect([await lookUp(newTry()), await lookUp(newTry(), `${A}/other`)]).toEqual(['link 1', 'link 1']);
	});

	test('is scheduled until lists must contain it, also for an item with another time, or none', async () => {
		const time = new Date(NOW + MINUTE).toISOString();
		await create(newTry(), 1, A, time);
		const ask = async (publicFrom?: string) =>
			(await newTry().lookUp({ title: 'New', link: A, schedule_from: publicFrom }, 'exact')).state;
		await change('1', { title: 'New' });
		expect([await ask(time), await ask()]).toEqual(['scheduled', 'scheduled for another time']);
		account.list = [link(1)];
		expect(await ask(time)).toBe('exists');
		await change('1', 'deleted');
		expect(await ask(time)).toBe('absent');
	});

	test('counts for a preview, and one of a preview for that alone', async () => {
		await create(newTry(), 3, `${A}/3`);
		const preview = newTry(true);
		expect(await lookUp(preview, `${A}/3`)).toBe('link 3');
		await create(preview, -1);
		await change('3', 'deleted', preview);
		const known = async (each: KnownLinks) => [await lookUp(each), await lookUp(each, `${A}/3`)];
		expect(await known(preview)).toEqual(['link -1', 'absent']);
		expect(await known(newTry())).toEqual(['absent', 'link 3']);
	});
});

describe('A link that was changed here, though lists are a minute old,', () => {
	beforeEach(() => (account.list = [link(1)]));

	test('is absent for two minutes if it was deleted', async () => {
		const known = newTry();
		await create(newTry(), 2);
		expect(await lookUp(known)).toBe('link 2+');
		await change('1', 'deleted');
		await change('2', 'deleted');
		expect(await lookUp(known)).toBe('absent');
		// What is not certain does not bring it back.
		await fail('unknown', async () => await change('1', { title: 'New' }));
		pass(MINUTE);
		expect(await lookUp(known)).toBe('absent');
		pass(MINUTE);
		expect(await lookUp(known)).toBe('link 1');
	});

	test.each<[string, LinkForm, string, unknown]>([
		['title', { title: 'New' }, A, 'New'],
		['address', { title: 'New', link: `${A}/b` }, `${A}/b`, 'New'],
		['group', { group_id: '1' }, A, 'Old'],
	])('has its new %s; a title that was not sent stays, and is uncertain', async (_what, fields, address, title) => {
		await change('1', fields);
		const found = await newTry().lookUp({ title: 'New', link: address }, 'exact');
		expect(found).toMatchObject({ state: 'exists', fields: { link_id: 1, link: address, title } });
		expect(found).toMatchObject({ isTitleUncertain: fields.title === undefined });
		if (address !== A) expect(await lookUp(newTry())).toBe('absent');
		// The address stays after another update.
		await change('1', { title: 'Newer' });
		expect(await newTry().lookUp({ title: 'New', link: address }, 'exact')).toMatchObject({
			fields: { title: 'Newer' },
		});
	});

	test('is what the list says if its deletion may have been made', async () => {
		await create(newTry(), 2, `${A}/2`);
		for (const id of ['1', '2']) await fail('unknown', async () => await change(id, 'deleted'));
		expect([await lookUp(newTry()), await lookUp(newTry(), `${A}/2`)]).toEqual(['link 1', 'absent']);
	});

	test('is where the list says if it may have moved, also if it was created or had moved here', async () => {
		await create(newTry(), 2, `${A}/2`);
		await change('1', { title: 'New', link: `${A}/b` });
		for (const id of ['1', '2']) await fail('unknown', async () => await change(id, { link: `${A}/new/${id}` }));
		account.list = [link(1, `${A}/new/1`), link(2, `${A}/new/2`)];
		const addresses = [`${A}/b`, `${A}/2`, `${A}/new/1`, `${A}/new/2`];
		const found = await Promise.all(addresses.map(async (each) => await lookUp(newTry(), each)));
		expect(found).toEqual(['absent', 'absent', 'link 1', 'link 2']);
	});

	test('has an uncertain title if an update may have been made', async () => {
		await fail('unknown', async () => await change('1', { title: 'New' }));
		const found = await newTry().lookUp({ title: 'Old', link: A }, 'exact');
		expect(found).toMatchObject({ state: 'exists', fields: { title: 'Old' }, isTitleUncertain: true });
	});

	test('is found at its new address alone, whether it is listed, created here, or neither', async () => {
		await create(newTry(), 2, `${A}/2`);
		for (const id of ['1', '2', '3']) await change(id, { title: 'New', link: `${A}/new/${id}` });
		const known = newTry();
		expect([await lookUp(known), await lookUp(known, `${A}/2`)]).toEqual(['absent', 'absent']);
		for (const id of ['1', '2', '3']) expect(await lookUp(known, `${A}/new/${id}`)).toBe(`link ${id}`);
	});

	test('has an uncertain title after two updates at once, whichever ended last', async () => {
		account.waits = [wait(2), wait(1)];
		const changes = ['First', 'Second'].map(async (title) => await change('1', { title }));
		await jest.advanceTimersByTimeAsync(2);
		await Promise.all(changes);
		const found = await newTry().lookUp({ title: 'First', link: A }, 'exact');
		expect(found).toMatchObject({ state: 'exists', isTitleUncertain: true });
		pass(1);
		await change('1', { title: 'Third' });
		expect(await newTry().lookUp({ title: 'Third', link: A }, 'exact')).toMatchObject({ isTitleUncertain: false });
	});
});
