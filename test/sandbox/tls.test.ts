import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { PeerCertificate } from 'node:tls';

import { Agent, request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { FORM } from '../support/serviceClient';
import { authorizeUrl } from './browser';

let sandbox: Sandbox;
let agent: Agent;
beforeAll(async () => {
	const host = hasIPv6() ? '::' : '0.0.0.0';
	sandbox = await startSandbox({ host, hostNames: ['my-box'], tls: true });
	agent = new Agent({ connect: { ca: sandbox.certificate, checkServerIdentity } });
});
afterAll(async () => {
	await agent.close();
	await sandbox.close();
});

/** Node's own check matches no IPv6 address in Node.js 22.23 (https://github.com/nodejs/node/issues/64144). */
function checkServerIdentity(host: string, { raw }: PeerCertificate): Error | undefined {
	const certificate = new X509Certificate(raw);
	const name = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
	return name ? undefined : new Error(`The certificate is not for ${host}`);
}

function hasIPv6(): boolean {
	const addresses = Object.values(networkInterfaces()).flatMap((infos) => infos ?? []);
	return addresses.some(({ family }) => family === 'IPv6');
}

describe('the certificate of a sandbox with TLS', () => {
	const certificate = () => new X509Certificate(sandbox.certificate ?? '');

	test('names every host by which the sandbox is reached', () => {
		const names = ['localhost', 'host.docker.internal', 'my-box', hostname()];
		expect(names.map((name) => certificate().checkHost(name)?.toLowerCase())).toEqual(
			names.map((name) => name.toLowerCase()),
		);
		const hosts = sandbox.baseUrls.map((url) => new URL(url).hostname.replace(/[[\]]/g, ''));
		for (const ip of [...hosts, '127.0.0.1', '::1']) {
			expect([ip, certificate().checkIP(ip)]).toEqual([ip, ip]);
		}
		expect(certificate().checkHost('example.com')).toBeUndefined();
	});

	test('is valid from before the start for some weeks, and is no authority for other hosts', () => {
		const { validFrom, validTo, ca } = certificate();
		expect(Date.parse(validFrom)).toBeLessThan(Date.now());
		const days = (Date.parse(validTo) - Date.now()) / (24 * 3_600_000);
		expect(days).toBeGreaterThan(20);
		expect(days).toBeLessThan(40);
		expect(ca).toBe(false);
	});

	test('is new for each sandbox', async () => {
		const other = await startSandbox({ tls: true });
		await other.close();
		expect(other.certificate).not.toBe(sandbox.certificate);
	});

	test('does not exist without TLS', async () => {
		const plain = await startSandbox();
		await plain.close();
		expect(plain.certificate).toBeUndefined();
	});
});

describe('a sandbox with TLS', () => {
	test('is reached at its Base URLs by a client that trusts the certificate', async () => {
		for (const url of sandbox.baseUrls) {
			expect(url).toMatch(/^https:/);
			const { statusCode, body } = await request(`${url}/`, { dispatcher: agent });
			await body.dump();
			expect(statusCode).toBe(200);
		}
	});

	test('is rejected by a client that does not trust the certificate', async () => {
		await expect(request(sandbox.baseUrl)).rejects.toMatchObject({
			code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		});
	});

	test('accepts forms of its own pages, and sends its cookie over TLS only', async () => {
		const url = authorizeUrl(sandbox).replace('/manage/access', '/manage/access/sign-in');
		const signIn = async (origin: string) => {
			const { userName, password } = sandbox.owner;
			const { statusCode, headers, body } = await request(sandbox.baseUrl + url, {
				dispatcher: agent,
				method: 'POST',
				headers: { 'content-type': FORM, origin },
				body: new URLSearchParams({ user_name: userName, password }).toString(),
			});
			await body.dump();
			return { statusCode, cookie: String(headers['set-cookie']) };
		};
		const { statusCode, cookie } = await signIn(sandbox.baseUrl);
		expect(statusCode).toBe(303);
		expect(cookie).toContain('; Secure');
		expect(await signIn(sandbox.baseUrl.replace('https:', 'http:'))).toMatchObject({
			statusCode: 403,
		});
	});

	test('is used by the node in an n8n with NODE_EXTRA_CA_CERTS, and only there', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
		const file = path.join(folder, 'certificate.pem');
		writeFileSync(file, sandbox.certificate ?? '');
		const local = sandbox.baseUrl.replace(/\/\/.*:/, '//localhost:');
		const urls = [local, ...sandbox.baseUrls.filter(isReachedByN8n)];
		const trusting = await getInfo(urls, { NODE_EXTRA_CA_CERTS: file });
		const others = await getInfo([local], {});
		rmSync(folder, { recursive: true });
		const profile: unknown = expect.objectContaining({ username: '@sandbox' });
		expect(trusting).toEqual(urls.map(() => [profile]));
		expect(others).toEqual([
			{
				message: 'No access token: the certificate of the service is self-signed',
				description: 'Make your n8n trust it (NODE_EXTRA_CA_CERTS), or use another certificate.',
			},
		]);
	}, 60_000);
});

/** n8n sends the host of a URL as the TLS server name. Node.js 26 refuses to send an IPv4 address. */
function isReachedByN8n(url: string): boolean {
	const [major] = process.versions.node.split('.');
	return Number(major) < 26 || !isIP(new URL(url).hostname);
}

/** Runs the node with each Base URL in a process of its own. */
async function getInfo(urls: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
	const script = path.join(__dirname, 'getInfo.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', script, ...urls], {
		env: { ...process.env, ...env },
	});
	return JSON.parse(await text(child.stdout)) as unknown;
}
