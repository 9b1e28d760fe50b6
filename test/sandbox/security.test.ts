import { once } from 'node:events';
import { connect } from 'node:net';

import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME } from '../support/pages';
import { FORM, REDIRECT_URI } from '../support/serviceClient';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

describe('the Host header', () => {
	async function statusFor(host: string, path = '/') {
		const { statusCode, body } = await request(sandbox.baseUrl + path, { headers: { host } });
		await body.dump();
		return statusCode;
	}

	test.each(['127.0.0.1', '127.0.0.1:4747', '127.255.0.9:4747', 'localhost', 'LocalHost:4747', '[::1]', '[::1]:4747'])(
		'can be the loopback host %s',
		async (host) => {
			expect(await statusFor(host)).toBe(200);
		},
	);

	test.each([
		'rebound.example',
		'rebound.example:4747',
		'localhost.rebound.example',
		'127.0.0.1.rebound.example',
		'localhost@rebound.example',
		'128.0.0.1',
		'[::2]:4747',
		'',
	])('is rejected if it is %p', async (host) => {
		expect(await statusFor(host)).toBe(421);
	});

	test.each(['/', `/pages/${HOME}`, '/changes', '/manage/access', '/none', '/%zz'])(
		'is checked for %s',
		async (path) => {
			expect(await statusFor('rebound.example', path)).toBe(421);
		},
	);

	test('is checked before an API call is processed or recorded', async () => {
		sandbox.recorder.reset();
		const { statusCode, body } = await request(`${sandbox.baseUrl}/oauth/token`, {
			method: 'POST',
			headers: { host: 'rebound.example', 'content-type': FORM },
			body: 'grant_type=client_credentials',
		});
		expect(statusCode).toBe(421);
		expect(await body.json()).toEqual({
			status: false,
			errors: [expect.stringContaining('Host header')],
		});
		expect(sandbox.recorder.requests).toEqual([]);
	});

	test('is required', async () => {
		const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
		socket.end('GET / HTTP/1.0\r\n\r\n');
		let response = '';
		for await (const chunk of socket) response += String(chunk);
		expect(response).toMatch(/^HTTP\/1\.1 421 /);
	});
});

describe('a request of another site', () => {
	test.each(['https://evil.example', 'null'])(
		'with the Origin %s is rejected before its body arrives',
		async (origin) => {
			sandbox.recorder.reset();
			const { host, port } = new URL(sandbox.baseUrl);
			const socket = connect(Number(port), '127.0.0.1');
			const headers = [`Host: ${host}`, `Origin: ${origin}`, `Content-Type: ${FORM}`, 'Content-Length: 4000000'];
			socket.write(`POST /oauth/v1/page/blocks/sort HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
			const [response] = (await once(socket, 'data')) as [Buffer];
			socket.destroy();
			expect(response.toString()).toMatch(/^HTTP\/1\.1 403 /);
			expect(sandbox.recorder.requests).toEqual([]);
		},
	);

	test.each(['/', `/pages/${HOME}`, '/changes', '/oauth/v1/me', '/none', '/%zz'])(
		'is rejected for %s',
		async (path) => {
			const { statusCode, body } = await request(sandbox.baseUrl + path, {
				headers: { origin: 'https://evil.example' },
			});
			await body.dump();
			expect(statusCode).toBe(403);
		},
	);
});

describe('a page', () => {
	test.each(['/', `/pages/${HOME}`, '/pages/none', '/manage/access', '/%zz'])(
		'cannot be framed, loads nothing from elsewhere, runs no inline script, and is not cached: %s',
		async (path) => {
			const { headers, body } = await request(sandbox.baseUrl + path);
			const html = await body.text();
			expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
			const policy = String(headers['content-security-policy']).split('; ');
			expect(policy).toEqual(
				expect.arrayContaining([
					"default-src 'none'",
					"script-src 'self'",
					"style-src 'self'",
					"frame-ancestors 'none'",
				]),
			);
			expect(html).not.toMatch(/<style|<script(?! src=)|\sstyle=|\son\w+=/);
		},
	);
});

describe('a request that a browser sends for another site', () => {
	type Method = 'GET' | 'HEAD' | 'POST';
	const fetched = async (path: string, site: string, mode: string, method: Method = 'GET', target = 'document') => {
		const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target };
		const { statusCode, body } = await request(sandbox.baseUrl + path, { headers, method });
		await body.dump();
		return statusCode;
	};

	test.each(['cross-site', 'same-site'])('(%s) is rejected, and uses up no failure', async (site) => {
		sandbox.faults.failNext({ calls: 'read', kind: '503' });
		for (const path of ['/', '/changes', '/oauth/v1/me']) expect(await fetched(path, site, 'no-cors')).toBe(403);
		expect(sandbox.faults.next).toBeDefined();
	});

	test.each(['cross-site', 'same-site'])('(%s) is rejected if it is a form, also without Origin', async (site) => {
		expect(await fetched('/clock', site, 'navigate', 'POST')).toBe(403);
		expect(await fetched('/', site, 'navigate', 'HEAD')).toBe(200);
	});

	test.each(['cross-site', 'same-site'])('(%s) is rejected if it is a frame, or leads to the API', async (site) => {
		sandbox.faults.failNext({ calls: 'read', kind: '503' });
		const { length } = sandbox.requestLog.requests;
		expect(await fetched('/', site, 'navigate', 'GET', 'iframe')).toBe(403);
		for (const target of ['document', 'iframe']) {
			expect(await fetched('/oauth/v1/me', site, 'navigate', 'GET', target)).toBe(403);
		}
		expect(sandbox.faults.next).toBeDefined();
		expect(sandbox.requestLog.requests).toHaveLength(length);
	});

	test('is accepted if the user follows a link, or for the page itself', async () => {
		expect(await fetched('/', 'cross-site', 'navigate')).toBe(200);
		expect(await fetched('/', 'same-origin', 'cors')).toBe(200);
		expect(await fetched('/', 'none', 'navigate')).toBe(200);
	});
});

describe('the recorder', () => {
	test('keeps the latest requests up to a size, however many large ones come', async () => {
		sandbox.recorder.reset();
		for (let index = 0; index < 40; index += 1) {
			const { body } = await request(`${sandbox.baseUrl}/oauth/v1/page/blocks/sort?${index}`, {
				method: 'POST',
				headers: { 'content-type': FORM },
				body: 'a'.repeat(2 ** 20),
			});
			await body.dump();
		}
		const { requests } = sandbox.recorder;
		expect(requests.at(-1)?.url).toBe('/oauth/v1/page/blocks/sort?39');
		const size = requests.reduce((total, { body }) => total + body.length, 0);
		expect(size).toBeLessThanOrEqual(16 * 2 ** 20);
		expect(size).toBeGreaterThan(14 * 2 ** 20);
	});
});

describe('a form of the page', () => {
	const forms: Array<[path: string, fields: Record<string, string>]> = [
		['/clock', { advance: '3600' }],
		['/clock', { set: 'now' }],
		['/links', { title: 'Added', link: 'https://example.com/' }],
		['/fail', { calls: 'read', kind: '503' }],
	];

	async function post(path: string, fields: Record<string, string>, headers = {}) {
		const { statusCode, body } = await request(sandbox.baseUrl + path, {
			method: 'POST',
			headers: { 'content-type': FORM, ...headers },
			body: new URLSearchParams(fields).toString(),
		});
		return { status: statusCode, text: await body.text() };
	}

	const state = () => [sandbox.clock.offset, sandbox.account.links.all, sandbox.faults.next];

	describe.each(forms)('%s with %j', (path, fields) => {
		test.each(['https://evil.example', 'http://127.0.0.1:1', 'http://localhost', 'null', ''])(
			'is rejected with the Origin %p',
			async (origin) => {
				sandbox.clock.advance(1000);
				const before = state();
				const { status, text } = await post(path, fields, { origin });
				expect([status, state()]).toEqual([403, before]);
				expect(text).toContain('The request was sent by another site.');
			},
		);

		test('is rejected for another host', async () => {
			const before = state();
			const host = 'rebound.example';
			const { status } = await post(path, fields, { host, origin: `http://${host}` });
			expect([status, state()]).toEqual([421, before]);
		});

		test.each([
			['no Origin', () => ({})],
			['the same Origin', () => ({ origin: sandbox.baseUrl })],
		])('is accepted with %s', async (_what, makeHeaders) => {
			sandbox.clock.advance(1000);
			sandbox.faults.failNext(undefined);
			const before = state();
			expect((await post(path, fields, makeHeaders())).status).toBe(303);
			expect(state()).not.toEqual(before);
		});
	});
});

describe('a form of the consent pages', () => {
	const query = () =>
		new URLSearchParams({
			client_id: sandbox.publicApp.clientId,
			redirect_uri: REDIRECT_URI,
			response_type: 'code',
			state: 'state',
		}).toString();

	async function post(path: string, fields: Record<string, string>, headers = {}) {
		const response = await request(`${sandbox.baseUrl}${path}?${query()}`, {
			method: 'POST',
			headers: { 'content-type': FORM, ...headers },
			body: new URLSearchParams(fields).toString(),
		});
		const text = await response.body.text();
		return { status: response.statusCode, headers: response.headers, text };
	}

	async function signIn(headers?: Record<string, string>) {
		const { userName, password } = sandbox.owner;
		return await post('/manage/access/sign-in', { user_name: userName, password }, headers);
	}

	test.each([
		['no Origin', () => undefined],
		['the same Origin', () => ({ origin: sandbox.baseUrl })],
	])('is accepted with %s', async (_what, makeHeaders) => {
		const { status, headers } = await signIn(makeHeaders());
		expect(status).toBe(303);
		expect(headers['set-cookie']).toBeDefined();
	});

	test.each(['https://evil.example', 'http://127.0.0.1:1', 'https://127.0.0.1', 'http://localhost', 'null', ''])(
		'is rejected with the Origin %p',
		async (origin) => {
			for (const path of ['/manage/access/sign-in', '/manage/access']) {
				const { userName, password } = sandbox.owner;
				const fields = { user_name: userName, password, decision: 'allow' };
				const { status, headers, text } = await post(path, fields, { origin });
				expect(status).toBe(403);
				expect(headers['set-cookie']).toBeUndefined();
				expect(text).toContain('The request was sent by another site.');
			}
		},
	);

	test('is rejected across origins even with the cookie and the CSRF token', async () => {
		const cookie = String((await signIn()).headers['set-cookie']).split(';')[0]!;
		const page = await request(`${sandbox.baseUrl}/manage/access?${query()}`, {
			headers: { cookie },
		});
		const [, csrfToken = ''] = /name="csrf_token" value="([^"]+)"/.exec(await page.body.text()) ?? [];
		const fields = { csrf_token: csrfToken, decision: 'deny' };
		const crossOrigin = await post('/manage/access', fields, {
			cookie,
			origin: 'https://evil.example',
		});
		const sameOrigin = await post('/manage/access', fields, { cookie, origin: sandbox.baseUrl });
		expect([crossOrigin.status, sameOrigin.status]).toEqual([403, 303]);
	});
});
