import { connect } from 'node:net';

import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { FORM, newToken, send } from './client';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

const SORT = '/oauth/v1/page/blocks/sort';

describe('an error of the HTTP framework keeps its status and has the form of a service error', () => {
	async function post(contentType: string, body: string) {
		return await send(sandbox, SORT, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${await newToken(sandbox)}`,
				'content-type': contentType,
			},
			body,
		});
	}

	const failure = { status: false, errors: [expect.any(String) as string] };

	test.each([FORM, 'text/plain'])('for a body of type %s that is too large', async (type) => {
		const body = 'a'.repeat(16 * 1024 * 1024 + 1);
		expect(await post(type, body)).toMatchObject({ status: 413, body: failure });
	});

	test('for a content type that is malformed', async () => {
		expect(await post('nonsense', 'a=b')).toMatchObject({ status: 415, body: failure });
	});

	test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
		'but the content type %s is a bad request, as in the contract',
		async (type) => {
			expect(await post(type, 'a=b')).toMatchObject({ status: 400, body: failure });
		},
	);

	test('for a path that is malformed', async () => {
		const answer = await send(sandbox, '/pages/%E0%A4%A', { method: 'GET' });
		expect(answer).toMatchObject({ status: 400, body: failure });
	});
});

describe('the Host header', () => {
	async function statusFor(host: string, path = '/') {
		const { statusCode, body } = await request(sandbox.baseUrl + path, { headers: { host } });
		await body.dump();
		return statusCode;
	}

	test.each([
		'127.0.0.1',
		'127.0.0.1:4747',
		'127.255.0.9:4747',
		'localhost',
		'LocalHost:4747',
		'[::1]',
		'[::1]:4747',
	])('may be the loopback host %s', async (host) => {
		expect(await statusFor(host)).toBe(200);
	});

	test.each([
		'rebound.example',
		'rebound.example:4747',
		'localhost.rebound.example',
		'127.0.0.1.rebound.example',
		'localhost@rebound.example',
		'128.0.0.1',
		'[::2]:4747',
		'',
	])('is refused if it is %p', async (host) => {
		expect(await statusFor(host)).toBe(421);
	});

	test.each(['/', '/pages/PAGE_home_65f1c0a2b3d4e', '/changes', '/manage/access', '/none'])(
		'is checked on %s',
		async (path) => {
			expect(await statusFor('rebound.example', path)).toBe(421);
		},
	);

	test('is checked on calls, which are then neither performed nor recorded', async () => {
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
		let answer = '';
		for await (const chunk of socket) answer += String(chunk);
		expect(answer).toMatch(/^HTTP\/1\.1 421 /);
	});
});

describe('the forms of the consent pages', () => {
	const query = () =>
		new URLSearchParams({
			client_id: sandbox.publicApp.clientId,
			redirect_uri: 'http://localhost:5678/rest/oauth2-credential/callback',
			response_type: 'code',
			state: 'state',
		}).toString();

	async function post(path: string, fields: Record<string, string>, headers = {}) {
		const answer = await request(`${sandbox.baseUrl}${path}?${query()}`, {
			method: 'POST',
			headers: { 'content-type': FORM, ...headers },
			body: new URLSearchParams(fields).toString(),
		});
		const text = await answer.body.text();
		return { status: answer.statusCode, headers: answer.headers, text };
	}

	async function signIn(headers?: Record<string, string>) {
		const { userName, password } = sandbox.owner;
		return await post('/manage/access/sign-in', { user_name: userName, password }, headers);
	}

	test.each([
		['without an Origin', () => undefined],
		['of the same origin', () => ({ origin: sandbox.baseUrl })],
	])('are accepted %s', async (_what, headers) => {
		const { status, headers: answered } = await signIn(headers());
		expect(status).toBe(303);
		expect(answered['set-cookie']).toBeDefined();
	});

	test.each([
		'https://evil.example',
		'http://127.0.0.1:1',
		'https://127.0.0.1',
		'http://localhost',
		'null',
		'',
	])('are refused with the Origin %p', async (origin) => {
		for (const path of ['/manage/access/sign-in', '/manage/access']) {
			const { userName, password } = sandbox.owner;
			const fields = { user_name: userName, password, decision: 'allow' };
			const { status, headers, text } = await post(path, fields, { origin });
			expect(status).toBe(403);
			expect(headers['set-cookie']).toBeUndefined();
			expect(text).toContain('did not come from the page that asked');
		}
	});

	test('are refused across origins even with the cookie and the key of the page', async () => {
		const cookie = String((await signIn()).headers['set-cookie']).split(';')[0]!;
		const page = await request(`${sandbox.baseUrl}/manage/access?${query()}`, {
			headers: { cookie },
		});
		const [, key = ''] = /name="form_key" value="([^"]+)"/.exec(await page.body.text()) ?? [];
		const fields = { form_key: key, decision: 'deny' };
		const foreign = await post('/manage/access', fields, {
			cookie,
			origin: 'https://evil.example',
		});
		const own = await post('/manage/access', fields, { cookie, origin: sandbox.baseUrl });
		expect([foreign.status, own.status]).toEqual([403, 303]);
	});
});
