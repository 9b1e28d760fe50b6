import os, { type NetworkInterfaceInfo } from 'node:os';

import { request } from 'undici';

import { resolveEndpoint } from '../../sandbox/network';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { FORM } from '../support/serviceClient';

const address = (text: string, internal = false) =>
	({
		address: text,
		internal,
		family: text.includes(':') ? 'IPv6' : 'IPv4',
	}) as NetworkInterfaceInfo;

const LOOPBACK = [address('127.0.0.1', true), address('::1', true)];

function useAddresses(...addresses: NetworkInterfaceInfo[]) {
	jest.spyOn(os, 'networkInterfaces').mockReturnValue({ lo: LOOPBACK, eth0: addresses });
}

afterEach(() => jest.restoreAllMocks());

describe('the host to listen on', () => {
	beforeEach(() => {
		useAddresses(address('fe80::1'), address('2001:db8::7'), address('192.0.2.7'));
		jest.spyOn(os, 'hostname').mockReturnValue('Laptop');
	});

	test.each(['127.0.0.1', 'localhost', '::1', '127.0.0.9'])(
		'is not exposed and has no other names if it is %s',
		async (host) => {
			const { isExposed, hosts, knownHosts } = await resolveEndpoint(host);
			const expected = host === '::1' ? '[::1]' : host;
			expect([isExposed, hosts]).toEqual([false, [expected]]);
			expect(new Set(knownHosts)).toEqual(new Set([expected, 'localhost', '127.0.0.1', '[::1]']));
		},
	);

	test.each([
		['0.0.0.0', ['192.0.2.7']],
		['::', ['192.0.2.7', '[2001:db8::7]']],
		['0::0', ['192.0.2.7', '[2001:db8::7]']],
		['192.0.2.7', ['192.0.2.7']],
		['2001:DB8:0::7', ['[2001:db8::7]']],
	])('%s stands for the addresses that other machines can use, IPv4 first', async (host, expected) => {
		const { isExposed, hosts, knownHosts } = await resolveEndpoint(host, ['N8N-box', '::9']);
		expect([isExposed, hosts]).toEqual([true, expected]);
		expect(knownHosts).toEqual([
			...expected,
			'laptop',
			'host.docker.internal',
			'n8n-box',
			'[::9]',
			'localhost',
			'127.0.0.1',
			'[::1]',
		]);
	});

	test('is loopback in its URL if the machine has no other address', async () => {
		useAddresses(address('fe80::1'));
		expect((await resolveEndpoint('::')).hosts).toEqual(['127.0.0.1']);
	});
});

test('by default, a sandbox listens on loopback alone', async () => {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.baseUrl);
	try {
		expect(sandbox.baseUrls).toEqual([`http://127.0.0.1:${port}`]);
		expect(sandbox.isExposed).toBe(false);
		for (const { address: other, internal } of external()) {
			if (internal || other.startsWith('fe80')) continue;
			const host = other.includes(':') ? `[${other}]` : other;
			await expect(request(`http://${host}:${port}/`)).rejects.toThrow('ECONNREFUSED');
		}
	} finally {
		await sandbox.close();
	}
});

const external = () => Object.values(os.networkInterfaces()).flatMap((infos) => infos ?? []);

describe('a sandbox that listens on all interfaces', () => {
	let sandbox: Sandbox;
	beforeEach(async () => (sandbox = await startSandbox({ host: '0.0.0.0', hostNames: ['my-box'] })));
	afterEach(async () => await sandbox.close());

	const port = () => new URL(sandbox.baseUrl).port;

	async function statusFor(url: string, host = new URL(url).host) {
		const { statusCode, body } = await request(url, { headers: { host } });
		await body.dump();
		return statusCode;
	}

	test('is reached by its Base URLs, and by loopback', async () => {
		expect(sandbox.isExposed).toBe(true);
		expect(sandbox.baseUrls[0]).toBe(sandbox.baseUrl);
		expect(sandbox.baseUrl).not.toContain('0.0.0.0');
		for (const url of [...sandbox.baseUrls, `http://127.0.0.1:${port()}`]) {
			expect(await statusFor(`${url}/`)).toBe(200);
		}
	});

	test.each(['my-box', 'MY-BOX:4747', 'host.docker.internal', 'localhost:1', os.hostname()])(
		'accepts the Host header %s',
		async (host) => {
			expect(await statusFor(`http://127.0.0.1:${port()}/`, host)).toBe(200);
		},
	);

	test.each(['rebound.example', 'my-box.rebound.example', '0.0.0.0', '203.0.113.9'])(
		'rejects the Host header %s',
		async (host) => {
			expect(await statusFor(`http://127.0.0.1:${port()}/`, host)).toBe(421);
		},
	);

	test('rejects a form of another site', async () => {
		const move = async (origin: string) => {
			const { statusCode, body } = await request(`${sandbox.baseUrl}/clock`, {
				method: 'POST',
				headers: { 'content-type': FORM, origin },
				body: 'advance=1',
			});
			await body.dump();
			return statusCode;
		};
		expect(await move(sandbox.baseUrl)).toBe(303);
		expect(await move(sandbox.baseUrl.replace('http:', 'https:'))).toBe(403);
		expect(await move('http://evil.example')).toBe(403);
	});

	test('listens on all interfaces again after it was suspended', async () => {
		await sandbox.suspend();
		await sandbox.resume();
		expect(await statusFor(`${sandbox.baseUrl}/`)).toBe(200);
	});
});
