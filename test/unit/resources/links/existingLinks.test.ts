import type { IDataObject } from 'n8n-workflow';

import { ExistingLinks } from '../../../../nodes/ProfilePage/resources/links/existingLinks';
import { createRequest } from '../../../../nodes/ProfilePage/resources/links/linkRequests';
import type { ServiceClient } from '../../../../nodes/ProfilePage/service/client';
import { ServiceError } from '../../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../../support/fakeClock';

/** A client that gives these lists or errors one after another, and the last one from then on. */
function clientOf(...lists: ReadonlyArray<IDataObject[] | Error>) {
	const remaining = [...lists];
	const send = jest.fn(async () => {
		const list = remaining.length > 1 ? remaining.shift() : remaining[0];
		if (list instanceof Error) throw list;
		return await Promise.resolve(list);
	});
	return { client: { send } as unknown as ServiceClient, send };
}

const ADDRESS = 'https://example.com/a';
const link = (id: number, address = ADDRESS): IDataObject => ({ link_id: id, link: address });
const failure = new ServiceError('The links were not read: the service failed (503)');

/** Finds links, with all waits, and returns them or the error. */
async function find(links: ExistingLinks, client: ServiceClient, address = ADDRESS) {
	const finding = links.find(client, address).catch((error: unknown) => error as ServiceError);
	await jest.runAllTimersAsync();
	return await finding;
}

describe('The existing links', () => {
	useFakeClock();

	let links: ExistingLinks;
	beforeEach(() => (links = new ExistingLinks()));

	test('with an address are found in a list that is read once for many calls', async () => {
		const { client, send } = clientOf([link(3), link(2, 'https://example.com/b'), link(1)]);
		const found = await Promise.all(
			['HTTPS://example.com/a', ADDRESS].map(async (address) => await links.find(client, address)),
		);
		const matches = [link(3), link(1)];
		expect(found).toEqual([
			{ matches, isListFull: false, isUncertain: false },
			{ matches, isListFull: false, isUncertain: false },
		]);
		expect(send).toHaveBeenCalledTimes(1);
	});

	test('may be more than those in a list of the maximum length', async () => {
		const lists = [49, 50].map((length) => Array.from({ length }, (_, index) => link(index)));
		for (const [index, list] of lists.entries()) {
			const { client } = clientOf(list);
			expect(await find(new ExistingLinks(), client)).toMatchObject({ isListFull: index === 1 });
		}
	});

	test('include those that were created, the newest first, and each once', async () => {
		const { client } = clientOf([link(1)], [link(3), link(1)]);
		await find(links, client);
		links.add(link(2), false);
		links.add(link(3), true);
		expect(await find(links, client)).toMatchObject({ matches: [link(3), link(2), link(1)] });
		links.expire();
		expect(await find(links, client)).toMatchObject({ matches: [link(2), link(3), link(1)] });
	});

	test('include a scheduled one that was created once, also after it has become public', async () => {
		const { client } = clientOf([link(2), link(1)]);
		links.add(link(2), false);
		expect(await find(links, client)).toMatchObject({ matches: [link(2), link(1)] });
	});

	test('include no public link that was created if a later list does not contain it', async () => {
		const { client } = clientOf([link(1)], [link(1)]);
		await find(links, client);
		links.add(link(2), true);
		links.forget();
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
	});

	test('include a created one that a list read 30 s later does not contain if it is scheduled, and none that is public', async () => {
		const { client } = clientOf([link(1)]);
		await find(links, client);
		links.add(link(2), true);
		links.add(link(3), false);
		expect(await find(links, client)).toMatchObject({ matches: [link(3), link(2), link(1)] });
		jest.setSystemTime(Date.now() + 30_001);
		expect(await find(links, client)).toMatchObject({ matches: [link(3), link(1)] });
	});

	test('include those that were created and that a full list may have left out, until all are forgotten', async () => {
		const { client } = clientOf(Array.from({ length: 50 }, (_, index) => link(index, 'https://example.com/b')));
		links.add(link(50), true);
		expect(await find(links, client)).toMatchObject({ matches: [link(50)] });
		links.forget();
		expect(await find(links, client)).toMatchObject({ matches: [] });
	});

	const changed = Promise.resolve({});
	const unknown = async () => await Promise.reject(new ServiceError('Unknown'));
	const rejected = async () => await Promise.reject(new ServiceError('Rejected', '', { history: 'rejected' }));

	test('include no scheduled link that was created and is then deleted', async () => {
		const { client } = clientOf([link(1)]);
		links.add(link(2), false);
		links.add(link(3), false);
		await links.afterChangeOf('2', changed);
		expect(await find(links, client)).toMatchObject({ matches: [link(3), link(1)] });
	});

	test('include a scheduled link that was created as it is after an update', async () => {
		const { client } = clientOf([link(1)]);
		links.add({ ...link(2), title: 'Old' }, false);
		await links.afterChangeOf('2', changed, { title: 'New' });
		expect(await find(links, client)).toMatchObject({ matches: [{ ...link(2), title: 'New' }, link(1)] });
		await links.afterChangeOf('2', changed, { title: undefined, link: 'https://example.com/b' });
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
		expect(await find(links, client, 'https://example.com/b')).toMatchObject({
			matches: [{ link_id: 2, title: 'New' }],
		});
	});

	test('include a scheduled link whose change was rejected', async () => {
		const { client, send } = clientOf([]);
		links.add(link(2), false);
		await find(links, client);
		await expect(links.afterChangeOf('2', rejected())).rejects.toThrow('Rejected');
		expect(await find(links, client)).toEqual({ matches: [link(2)], isListFull: false, isUncertain: false });
		expect(send).toHaveBeenCalledTimes(1);
	});

	test('are uncertain after a deletion of a scheduled one whose outcome is unknown, until it is certain', async () => {
		const { client } = clientOf([]);
		links.add(link(2), false);
		await expect(links.afterChangeOf('2', unknown())).rejects.toThrow('Unknown');
		expect(await find(links, client)).toMatchObject({ matches: [], isUncertain: true });
		await expect(links.afterChangeOf('2', rejected())).rejects.toThrow('Rejected');
		expect(await find(links, client)).toMatchObject({ matches: [], isUncertain: true });
		await links.afterChangeOf('2', changed);
		expect(await find(links, client)).toMatchObject({ matches: [], isUncertain: false });
	});

	test('are uncertain with both addresses after an update of a scheduled one whose outcome is unknown', async () => {
		const { client } = clientOf([]);
		const b = 'https://example.com/b';
		links.add(link(2), false);
		await expect(links.afterChangeOf('2', unknown(), { link: b })).rejects.toThrow('Unknown');
		for (const address of [ADDRESS, b]) {
			expect(await find(links, client, address)).toMatchObject({ matches: [], isUncertain: true });
		}
		await links.afterChangeOf('2', changed, { link: b });
		expect(await find(links, client)).toMatchObject({ matches: [], isUncertain: false });
		expect(await find(links, client, b)).toMatchObject({ matches: [{ ...link(2), link: b }], isUncertain: false });
	});

	test('are as the next list says after a change of a public one whose outcome is unknown', async () => {
		const { client } = clientOf([], [link(2)], []);
		links.add(link(2), true);
		for (const matches of [[], [link(2)], []]) {
			await expect(links.afterChangeOf('2', unknown())).rejects.toThrow('Unknown');
			expect(await find(links, client)).toMatchObject({ matches, isUncertain: false });
		}
	});

	test('are read again after a change of one of them', async () => {
		const { client, send } = clientOf([link(1)]);
		await find(links, client);
		await links.afterChangeOf('1', changed, { title: 'New' });
		await find(links, client);
		expect(send).toHaveBeenCalledTimes(2);
	});

	test('are read again after 30 s, or if a change may have been applied', async () => {
		const { client, send } = clientOf([link(1)], [link(2)], [link(3)]);
		await find(links, client);
		jest.setSystemTime(Date.now() + 30_000);
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
		jest.setSystemTime(Date.now() + 1);
		expect(await find(links, client)).toMatchObject({ matches: [link(2)] });
		links.expire();
		expect(await find(links, client)).toMatchObject({ matches: [link(3)] });
		expect(send).toHaveBeenCalledTimes(3);
	});

	test('are read again by the next call if the list failed, for which all calls at the same time fail', async () => {
		const { client, send } = clientOf(failure, [link(1)]);
		const finding = [1, 2].map(async () => await links.find(client, ADDRESS));
		for (const { status } of await Promise.allSettled(finding)) expect(status).toBe('rejected');
		expect(send).toHaveBeenCalledTimes(1);
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
	});

	test('are not read again because an older list fails', async () => {
		const { client, send } = clientOf([link(1)]);
		let failFirst: () => void = () => undefined;
		send.mockImplementationOnce(
			async () => await new Promise((_resolve, reject) => (failFirst = () => reject(failure))),
		);
		const first = links.find(client, ADDRESS).catch((error: unknown) => error);
		links.expire();
		const second = links.find(client, ADDRESS);
		failFirst();
		expect(await first).toBe(failure);
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
		expect(await second).toMatchObject({ matches: [link(1)] });
		expect(send).toHaveBeenCalledTimes(2);
	});

	test('are read again after half a second and after a second, and no more after three failures in a row', async () => {
		const { client, send } = clientOf(failure);
		const times: number[] = [];
		send.mockImplementation(async () => {
			times.push(Date.now());
			return await Promise.reject(failure);
		});
		for (let index = 0; index < 5; index += 1) expect(await find(links, client)).toBe(failure);
		expect(times.slice(1).map((time, index) => time - times[index]!)).toEqual([500, 1000]);
		expect(send).toHaveBeenCalledTimes(3);
	});

	test('are not waited for once the execution is canceled', async () => {
		const { client, send } = clientOf(failure);
		const controller = new AbortController();
		links = new ExistingLinks(controller.signal);
		expect(await find(links, client)).toBe(failure);
		const finding = links.find(client, ADDRESS).catch((error: unknown) => error);
		controller.abort();
		await finding;
		expect(send).toHaveBeenCalledTimes(2);
	});

	test('are read again 30 s after the list failed too often', async () => {
		const { client, send } = clientOf(failure, failure, failure, [link(1)]);
		for (let index = 0; index < 4; index += 1) expect(await find(links, client)).toBe(failure);
		jest.setSystemTime(Date.now() + 30_001);
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
		expect(send).toHaveBeenCalledTimes(4);
	});

	test('are read up to three times again after a success, as the failures before do not count', async () => {
		const { client, send } = clientOf(failure, failure, [link(1)], failure);
		for (let index = 0; index < 3; index += 1) await find(links, client);
		links.expire();
		for (let index = 0; index < 5; index += 1) expect(await find(links, client)).toBe(failure);
		expect(send).toHaveBeenCalledTimes(6);
	});

	const create = createRequest({ title: 'A', link: ADDRESS });
	const change = async (error: Error, scheduled?: string) => {
		const { client } = clientOf(error);
		const changing = links.afterChange(
			client.send(create, () => ({})),
			scheduled,
		);
		await expect(changing).rejects.toBe(error);
	};

	test('are read again after a change of unknown outcome, and not after one that was not applied', async () => {
		const { client, send } = clientOf([link(1)]);
		await find(links, client);
		await change(new ServiceError('Rejected', '', { history: 'rejected' }));
		await find(links, client);
		expect(send).toHaveBeenCalledTimes(1);
		await change(new ServiceError('Unknown'));
		await find(links, client);
		expect(send).toHaveBeenCalledTimes(2);
	});

	test('are uncertain once a scheduled one with the same address may have been created', async () => {
		const { client } = clientOf([]);
		await change(new ServiceError('Rejected', '', { history: 'rejected' }), ADDRESS);
		expect(await find(links, client)).toMatchObject({ isUncertain: false });
		await change(new ServiceError('Unknown'), 'HTTPS://example.com/a');
		expect(await find(links, client)).toMatchObject({ isUncertain: true });
		expect(await find(links, client, 'https://example.com/b')).toMatchObject({
			isUncertain: false,
		});
	});
});
