import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { normalizeAddress } from '../../../../nodes/ProfilePage/resources/links/addresses';
import { ExistingLinks } from '../../../../nodes/ProfilePage/resources/links/existingLinks';
import { createRequest } from '../../../../nodes/ProfilePage/resources/links/linkRequests';
import type { ServiceClient } from '../../../../nodes/ProfilePage/service/client';
import { ServiceError } from '../../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../../support/fakeClock';
import { webAddresses } from '../../../support/texts';

describe('normalizeAddress', () => {
	test.each<[difference: string, one: string, other: string]>([
		['the case of the scheme', 'HTTPS://example.com/a', 'https://example.com/a'],
		['the case of the host', 'https://Example.COM/a', 'https://example.com/a'],
		['the default port of https', 'https://example.com:443/a', 'https://example.com/a'],
		['the default port of http', 'http://example.com:80/a', 'http://example.com/a'],
		['an empty path', 'https://example.com', 'https://example.com/'],
		['an empty path before a query', 'https://example.com?a=1', 'https://example.com/?a=1'],
		['an empty path before a fragment', 'https://example.com#top', 'https://example.com/#top'],
		['an encoded letter', 'https://example.com/%61', 'https://example.com/a'],
		['an encoded tilde', 'https://example.com/%7Euser', 'https://example.com/~user'],
		['an encoded letter in the query', 'https://example.com/?q=%7a', 'https://example.com/?q=z'],
		['an encoded dot in the fragment', 'https://example.com/#%2E', 'https://example.com/#.'],
		['the case of the encoding', 'https://example.com/%c3%bc', 'https://example.com/%C3%BC'],
		['the encoding of other letters', 'https://example.com/ü', 'https://example.com/%C3%BC'],
		['an encoded host name', 'https://bücher.example', 'https://xn--bcher-kva.example'],
		['white space around it', ' https://example.com/a\n', 'https://example.com/a'],
		['a path with dots', 'https://example.com/b/../a', 'https://example.com/a'],
	])('ignores %s', (_difference, one, other) => {
		expect(normalizeAddress(one)).toBe(normalizeAddress(other));
	});

	test.each<[difference: string, one: string, other: string]>([
		['the scheme', 'http://example.com/', 'https://example.com/'],
		['the host', 'https://www.example.com/', 'https://example.com/'],
		['another port', 'https://example.com:8443/', 'https://example.com/'],
		['the default port of another scheme', 'https://example.com:80/', 'https://example.com/'],
		['the case of the path', 'https://example.com/A', 'https://example.com/a'],
		['the case of the query', 'https://example.com/?A', 'https://example.com/?a'],
		['a slash at the end of the path', 'https://example.com/a/', 'https://example.com/a'],
		['the query', 'https://example.com/?v=1', 'https://example.com/?v=2'],
		['an empty query', 'https://example.com/?', 'https://example.com/'],
		['the order of the query', 'https://example.com/?a&b', 'https://example.com/?b&a'],
		['the fragment', 'https://example.com/#a', 'https://example.com/#b'],
		['an encoded slash', 'https://example.com/a%2Fb', 'https://example.com/a/b'],
		['an encoded question mark', 'https://example.com/a%3Fb', 'https://example.com/a?b'],
		['an encoded ampersand', 'https://example.com/?a%26b', 'https://example.com/?a&b'],
		['an encoded percent sign', 'https://example.com/%2541', 'https://example.com/%41'],
		['a plus sign and a space', 'https://example.com/?a+b', 'https://example.com/?a%20b'],
		['the user', 'https://a@example.com/', 'https://b@example.com/'],
	])('does not ignore %s', (_difference, one, other) => {
		expect(normalizeAddress(one)).not.toBe(normalizeAddress(other));
	});

	test.each(['', 'not an address', 'https://', 'https://a b', '%61'])(
		'compares %j, which is not an address, as text',
		(text) => {
			expect(() => normalizeAddress(text)).not.toThrow();
			expect(normalizeAddress(text)).not.toBe(normalizeAddress(`${text}x`));
		},
	);

	test('returns the same for the address it returns', () => {
		fc.assert(
			fc.property(webAddresses, (address) => {
				const normalized = normalizeAddress(address);
				expect(normalizeAddress(normalized)).toBe(normalized);
			}),
			{ numRuns: 1000 },
		);
	});

	/** Changes an address without changing what it means. */
	function rewrite(address: string, seed: readonly boolean[]): string {
		const [, scheme = '', host = '', rest = ''] = /^(https?:)\/\/([^/?#]*)(.*)$/.exec(address)!;
		const [upperScheme, upperHost, port, ...encoded] = seed;
		const defaultPort = scheme === 'https:' ? ':443' : ':80';
		const hasPort = /:\d+$/.test(host);
		const encode = (character: string, index: number) =>
			encoded[index % encoded.length] && !/[%\da-f]/i.test(character)
				? `%${character.charCodeAt(0).toString(16)}`
				: character;
		const unreserved = rest.replace(/[\w.~-]/g, (character, index: number) => encode(character, index));
		return [
			upperScheme ? scheme.toUpperCase() : scheme,
			'//',
			upperHost ? host.toUpperCase() : host,
			port && !hasPort ? defaultPort : '',
			rest === '/' && upperHost ? '' : unreserved,
		].join('');
	}

	test('returns the same for any address that is written in another way', () => {
		const seeds = fc.array(fc.boolean(), { minLength: 5, maxLength: 12 });
		fc.assert(
			fc.property(webAddresses, seeds, (address, seed) => {
				// The segments "." and ".." are removed; Node.js 20 leaves them in some paths.
				fc.pre(!/\/\.{1,2}(?=[/?#]|$)/.test(address));
				expect(normalizeAddress(rewrite(address, seed))).toBe(normalizeAddress(address));
			}),
			{ numRuns: 1000 },
		);
	});

	test('returns different texts for addresses of which the path, the query or the fragment differ in a letter', () => {
		const letter = fc.constantFrom(...'abcxyzABCXYZ0189-._~'.match(/./g)!);
		fc.assert(
			fc.property(
				fc.constantFrom('/', '/p/', '/?', '/?q=', '/#', '/p?q#'),
				fc.tuple(letter, letter).filter(([one, other]) => one !== other),
				(start, [one, other]) => {
					const address = (end: string) => `https://example.com${start}x${end}`;
					expect(normalizeAddress(address(one))).not.toBe(normalizeAddress(address(other)));
				},
			),
		);
	});

	test('leads to the same place as the address', () => {
		fc.assert(
			fc.property(webAddresses, (address) => {
				const [before, after] = [new URL(address), new URL(normalizeAddress(address))];
				expect(after.host).toBe(before.host);
				for (const part of ['pathname', 'search', 'hash'] as const) {
					expect(decodeURIComponent(after[part])).toBe(decodeURIComponent(before[part]));
				}
			}),
			{ numRuns: 1000 },
		);
	});
});

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

	test('include those that were created and that a full list may have left out, until all are forgotten', async () => {
		const { client } = clientOf(Array.from({ length: 50 }, (_, index) => link(index, 'https://example.com/b')));
		links.add(link(50), true);
		expect(await find(links, client)).toMatchObject({ matches: [link(50)] });
		links.forget();
		expect(await find(links, client)).toMatchObject({ matches: [] });
	});

	test('include no scheduled link that was created and is then forgotten by its ID', async () => {
		const { client } = clientOf([link(1)], [link(1)]);
		await find(links, client);
		links.add(link(2), false);
		links.forget('2');
		expect(await find(links, client)).toMatchObject({ matches: [link(1)] });
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
