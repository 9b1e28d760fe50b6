import { X509Certificate } from 'node:crypto';

import { Agent, request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME } from '../support/pages';
import { FORM } from '../support/serviceClient';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

const PATHS = ['/', `/pages/${HOME}`, '/changes', '/manage/access', '/oauth/v1/me', '/none', '/%zz'];

async function statusOf(path: string, headers: Record<string, string>, method: 'GET' | 'POST' = 'GET', fields = {}) {
	const isPost = method === 'POST';
	const { statusCode, body } = await request(new URL(path, sandbox.baseUrl), {
		method,
		headers: { ...headers, ...(isPost && { 'content-type': FORM }) },
		body: isPost ? new URLSearchParams(fields).toString() : undefined,
	});
	await body.dump();
	return statusCode;
}

describe('A request for another host, as of a website that resolves its name to this machine,', () => {
	test.each(['rebound.example:4747', 'localhost.rebound.example', 'localhost@rebound.example', '128.0.0.1', ''])(
		'is rejected on every path, and not recorded: %p',
		async (host) => {
			sandbox.recorder.reset();
			for (const path of PATHS) expect(await statusOf(path, { host })).toBe(421);
			expect(sandbox.recorder.requests).toEqual([]);
		},
	);

	test.each(['127.0.0.1', '127.255.0.9:4747', 'LocalHost:4747', '[::1]:4747'])('is not one to %s', async (host) => {
		expect(await statusOf('/', { host })).toBe(200);
	});
});

describe('A request of another site', () => {
	test('is rejected on every path, and not recorded', async () => {
		sandbox.recorder.reset();
		const fetched = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
		for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, fetched]) {
			for (const path of PATHS) expect([path, await statusOf(path, headers)]).toEqual([path, 403]);
		}
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('is accepted if the user follows a link to the page, but not in a frame, or to the API', async () => {
		const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
		expect(await statusOf('/', link)).toBe(200);
		expect(await statusOf('/', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
		expect(await statusOf('/oauth/v1/me', link)).toBe(403);
		expect(await statusOf('/clock', link, 'POST', { advance: '1' })).toBe(403);
	});

	test.each([
		['/clock', { advance: '3600' }],
		['/links', { title: 'Added', link: 'https://example.com/' }],
		['/fail', { calls: 'read', kind: '503' }],
		['/manage/access', { decision: 'allow' }],
		['/manage/access/sign-in', { user_name: 'sandbox', password: 'sandbox-password' }],
	])('cannot send the form %s', async (path, fields) => {
		const state = () => [sandbox.clock.offset, sandbox.account.links.all, sandbox.faults.next];
		const before = state();
		for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'http://localhost', 'null', '']) {
			expect(await statusOf(path, { origin }, 'POST', fields)).toBe(403);
		}
		expect(state()).toEqual(before);
	});
});

test.each(['/', '/pages/none', '/manage/access'])(
	'The page %s cannot be framed, loads nothing from elsewhere, runs no inline script, and is not cached',
	async (path) => {
		const { headers, body } = await request(sandbox.baseUrl + path);
		expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
		const policy = String(headers['content-security-policy']).split('; ');
		const rules = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"];
		expect(policy).toEqual(expect.arrayContaining(rules));
		expect(await body.text()).not.toMatch(/<style|<script(?! src=)|\sstyle=|\son\w+=/);
	},
);

test('By default, the sandbox listens on loopback alone', () => {
	expect([sandbox.isExposed, sandbox.baseUrls]).toEqual([false, [sandbox.baseUrl]]);
	expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test('A sandbox with TLS is reached at its Base URLs by a client that trusts its certificate, and by no other', async () => {
	const secure = await startSandbox({ host: '0.0.0.0', hostNames: ['my-box'], tls: true });
	try {
		const { isExposed, baseUrls, certificate = '' } = secure;
		expect(isExposed).toBe(true);
		const dispatcher = new Agent({ connect: { ca: certificate } });
		for (const url of baseUrls) {
			expect(url).toMatch(/^https:/);
			const { statusCode, body } = await request(url, { dispatcher });
			await body.dump();
			expect(statusCode).toBe(200);
			await expect(request(url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
		}
		await dispatcher.close();
		const parsed = new X509Certificate(certificate);
		for (const name of ['localhost', 'host.docker.internal', 'my-box']) expect(parsed.checkHost(name)).toBe(name);
		expect([parsed.checkHost('example.com'), parsed.ca]).toEqual([undefined, false]);
	} finally {
		await secure.close();
	}
});
