import { setTimeout as wait } from 'node:timers/promises';

import { Client, request } from 'undici';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';

const N8N = 'http://localhost:5678/rest/oauth2-credential/callback';
const ELSEWHERE = 'https://n8n.example.com/rest/oauth2-credential/callback';
const NASTY = `<b>"Tom's" & co</b>`;
const FORM = 'application/x-www-form-urlencoded';

type Fields = Record<string, string>;

interface Answer {
	status: number;
	text: string;
	/** Where it leads, if anywhere. */
	location: string;
	headers: Record<string, string | string[] | undefined>;
}

/** A browser of the simplest kind: it keeps cookies and follows no redirect by itself. */
class Browser {
	cookie = '';

	constructor(readonly sandbox: Sandbox) {}

	async get(path: string): Promise<Answer> {
		return await this.#send(path, {});
	}

	async post(path: string, fields: Fields): Promise<Answer> {
		return await this.#send(path, { body: new URLSearchParams(fields).toString() });
	}

	async #send(path: string, { body }: { body?: string }): Promise<Answer> {
		const answer = await request(new URL(path, this.sandbox.baseUrl), {
			method: body === undefined ? 'GET' : 'POST',
			headers: {
				...(body !== undefined && { 'content-type': FORM }),
				...(this.cookie && { cookie: this.cookie }),
			},
			body,
		});
		const [cookie] = [answer.headers['set-cookie'] ?? []].flat();
		if (cookie) this.cookie = cookie.split(';')[0]!;
		return {
			status: answer.statusCode,
			text: await answer.body.text(),
			location: [answer.headers.location ?? ''].flat()[0]!,
			headers: answer.headers,
		};
	}

	/** Signs in by the form of the page, and gives the page that asks. */
	async signIn(url = authorizeUrl(this.sandbox), owner = this.sandbox.owner): Promise<Answer> {
		const { action } = readForm(await this.get(url));
		const signedIn = await this.post(action, {
			user_name: owner.userName,
			password: owner.password,
		});
		return signedIn.location ? await this.get(signedIn.location) : signedIn;
	}

	/** Signs in and gives an answer by the form of the page that asks. */
	async answer(decision: 'allow' | 'deny', url?: string): Promise<URL> {
		const { action, fields } = readForm(await this.signIn(url));
		const { status, location } = await this.post(action, { ...fields, decision });
		expect([302, 303]).toContain(status);
		return new URL(location);
	}
}

const unescape = (text: string) =>
	text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));

/** The address of the form on a page, and the fields that it is filled with. */
function readForm({ text }: Answer): { action: string; fields: Fields } {
	const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? '';
	const inputs = [...text.matchAll(/<input[^>]*? name="([^"]*)"[^>]*? value="([^"]*)"/g)];
	const fields = inputs.map(([, name, value]) => [name!, unescape(value!)]);
	return { action: unescape(action), fields: Object.fromEntries(fields) as Fields };
}

/** The authorize URL with what n8n sends; a parameter that is '' is left out. */
function authorizeUrl({ publicApp }: Sandbox, parameters: Fields = {}): string {
	const query = new URLSearchParams({
		client_id: publicApp.clientId,
		redirect_uri: N8N,
		response_type: 'code',
		state: 'a state',
		scope: 'basic',
		...parameters,
	});
	for (const [name, value] of [...query]) if (!value) query.delete(name);
	return `/manage/access?${query.toString()}`;
}

const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
	`Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

async function token(at: Sandbox, fields: Fields | string, app = at.publicApp) {
	const { statusCode, body } = await request(`${at.baseUrl}/oauth/token`, {
		method: 'POST',
		headers: { authorization: basic(app), 'content-type': FORM },
		body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
	});
	return { status: statusCode, body: (await body.json()) as Fields };
}

const byCode = (code: string, redirectUri = N8N): Fields => ({
	code,
	grant_type: 'authorization_code',
	redirect_uri: redirectUri,
});
const byRefresh = (refreshToken: string): Fields => ({
	refresh_token: refreshToken,
	grant_type: 'refresh_token',
});

const newCode = async (at: Sandbox, url?: string) =>
	(await new Browser(at).answer('allow', url)).searchParams.get('code') ?? '';

/** Goes through the whole flow. */
const connect = async (at: Sandbox) => (await token(at, byCode(await newCode(at)))).body;

async function me(at: Sandbox, accessToken: string): Promise<number> {
	const { statusCode, body } = await request(`${at.baseUrl}/oauth/v1/me`, {
		headers: { authorization: `Bearer ${accessToken}` },
	});
	await body.dump();
	return statusCode;
}

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ redirectUris: [ELSEWHERE] })));
afterAll(async () => await sandbox.close());

/** Runs something on a sandbox of its own. */
async function on<Result>(options: SandboxOptions, run: (own: Sandbox) => Promise<Result>) {
	const own = await startSandbox(options);
	try {
		return await run(own);
	} finally {
		await own.close();
	}
}

describe('the owner', () => {
	test('is asked to sign in, then whether the app may use the account', async () => {
		const browser = new Browser(sandbox);
		const first = await browser.get(authorizeUrl(sandbox));
		expect(first).toMatchObject({ status: 200, location: '' });
		expect(first.headers['content-type']).toContain('text/html');
		expect(first.text).toContain('type="password"');
		expect(first.text).not.toContain('Allow');

		const question = await browser.signIn();
		expect(question.status).toBe(200);
		expect(question.text).toContain(`<strong>${sandbox.publicApp.clientId}</strong>`);
		expect(question.text).toContain(`<strong>${sandbox.owner.userName}</strong>`);
		expect(question.text).toContain('http://localhost:5678');
		expect(question.text).toMatch(/<button[^>]*>Allow<\/button>\s*<button[^>]*>Deny<\/button>/);
	});

	test.each([
		{ userName: 'sandbox', password: 'wrong' },
		{ userName: 'wrong', password: 'sandbox-password' },
		{ userName: '', password: '' },
	])('is told that %p is wrong, and asked again', async (owner) => {
		const browser = new Browser(sandbox);
		const again = await browser.signIn(undefined, owner);
		expect(again).toMatchObject({ status: 403, location: '' });
		expect(again.text).toContain('The user name or the password is wrong.');
		expect(browser.cookie).toBe('');
		const { action, fields } = readForm(again);
		expect(fields).toEqual({ user_name: owner.userName });

		const { userName, password } = sandbox.owner;
		const { location } = await browser.post(action, { user_name: userName, password });
		expect((await browser.get(location)).text).toContain('Allow');
	});

	test('stays signed in, by a random cookie that scripts and other sites do not get', async () => {
		const [one, other] = [new Browser(sandbox), new Browser(sandbox)];
		const { action } = readForm(await one.get(authorizeUrl(sandbox)));
		const { userName, password } = sandbox.owner;
		const { headers } = await one.post(action, { user_name: userName, password });
		expect(headers['set-cookie']).toMatch(
			/^\w+=[0-9a-f]{64}; Path=\/manage\/access; HttpOnly; SameSite=Lax$/,
		);
		await other.signIn();
		expect(other.cookie).not.toBe(one.cookie);

		expect((await one.get(authorizeUrl(sandbox))).text).toContain('Allow');
	});

	test('sees pages that no other site can frame and no cache keeps', async () => {
		const { headers } = await new Browser(sandbox).get(authorizeUrl(sandbox));
		expect(headers['content-security-policy']).toBe("frame-ancestors 'none'");
		expect(headers['cache-control']).toBe('no-store');
	});
});

describe('the answer (RFC 6749, section 4.1.2)', () => {
	test('Allow leads back with a code and the state', async () => {
		const back = await new Browser(sandbox).answer('allow');
		expect(back.origin + back.pathname).toBe(N8N);
		expect([...back.searchParams.keys()].sort()).toEqual(['code', 'state']);
		expect(back.searchParams.get('code')).toMatch(/^\S{20,}$/);
		expect(back.searchParams.get('state')).toBe('a state');
	});

	test('Deny leads back with the reason and the state', async () => {
		const back = await new Browser(sandbox).answer('deny');
		expect(back.origin + back.pathname).toBe(N8N);
		expect(Object.fromEntries(back.searchParams)).toEqual({
			error: 'access_denied',
			error_description: 'The owner of the account did not allow the app to use it.',
			state: 'a state',
		});
	});

	test('keeps the query that the redirect URI has', async () => {
		const url = authorizeUrl(sandbox, { redirect_uri: `${N8N}?a=b` });
		for (const decision of ['allow', 'deny'] as const) {
			const back = await new Browser(sandbox).answer(decision, url);
			expect(back.searchParams.get('a')).toBe('b');
			expect(back.searchParams.get('state')).toBe('a state');
		}
	});

	test('keeps a state of any visible characters', async () => {
		const state = `eyJ+/=&?#%20 <"'>`;
		const back = await new Browser(sandbox).answer('allow', authorizeUrl(sandbox, { state }));
		expect(back.searchParams.get('state')).toBe(state);
	});

	test('that is neither is asked for again, and leads nowhere', async () => {
		const browser = new Browser(sandbox);
		const { action, fields } = readForm(await browser.signIn());
		const { status, location, text } = await browser.post(action, fields);
		expect([status, location]).toEqual([400, '']);
		expect(text).toContain('Choose Allow or Deny.');
	});
});

describe('a form of another site (RFC 6749, section 10.12)', () => {
	const decideWith = async (change: (browser: Browser, fields: Fields) => Fields) => {
		const browser = new Browser(sandbox);
		const { action, fields } = readForm(await browser.signIn());
		const sent = change(browser, { ...fields, decision: 'allow' });
		return await browser.post(action, sent);
	};

	test.each<[string, (browser: Browser, fields: Fields) => Fields]>([
		['without the key of the session', (_browser, { decision }) => ({ decision: decision! })],
		[
			'without both key and cookie',
			(browser, { decision }) => {
				browser.cookie = '';
				return { decision: decision! };
			},
		],
		['with an empty key', (_browser, fields) => ({ ...fields, form_key: '' })],
		['with a guessed key', (_browser, fields) => ({ ...fields, form_key: '0'.repeat(64) })],
		[
			'without the cookie',
			(browser, fields) => {
				browser.cookie = '';
				return fields;
			},
		],
	])('%s decides nothing', async (_what, change) => {
		const { status, location, text } = await decideWith(change);
		expect([status, location]).toEqual([403, '']);
		expect(text).toContain('Nothing was decided');
	});

	test('with the key of another session decides nothing', async () => {
		const { fields: others } = readForm(await new Browser(sandbox).signIn());
		const { status, location } = await decideWith(() => ({ ...others, decision: 'allow' }));
		expect([status, location]).toEqual([403, '']);
	});
});

describe('a request that may not come from the app (RFC 6749, section 4.1.2.1)', () => {
	const PATH = '/rest/oauth2-credential/callback';

	test.each<[string, Fields, string]>([
		['no client_id', { client_id: '' }, 'The client_id is missing.'],
		['an unknown client_id', { client_id: 'nobody' }, 'There is no app with this client_id.'],
		['a private app', { client_id: 'sandbox-client-id' }, 'that of a private app'],
		['no redirect_uri', { redirect_uri: '' }, 'The redirect_uri is missing.'],
		...[
			`https://evil.example.com${PATH}`,
			`http://localhost.example.com${PATH}`,
			`http://127.0.0.1.example.com${PATH}`,
			`http://localhost@example.com${PATH}`,
			`http://user:secret@localhost${PATH}`,
			`http://128.0.0.1${PATH}`,
			`http://[::2]${PATH}`,
			'http://localhost:5678/other',
			`http://localhost/?${PATH}`,
			`${N8N}#part`,
			`${N8N}#`,
			`javascript://localhost${PATH}`,
			`//localhost${PATH}`,
			`http://local host${PATH}`,
			` ${N8N}`,
			`http://localhost:99999${PATH}`,
			`${ELSEWHERE}?more`,
			'no address',
		].map((uri): [string, Fields, string] => [uri, { redirect_uri: uri }, 'is not known']),
	])('with %s leads nowhere and says what is wrong', async (_what, parameters, message) => {
		const { status, location, text } = await new Browser(sandbox).get(
			authorizeUrl(sandbox, parameters),
		);
		expect([status, location]).toEqual([400, '']);
		expect(unescape(text)).toContain(message);
	});

	test.each(['client_id', 'redirect_uri'])('with two of %s leads nowhere', async (name) => {
		const url = `${authorizeUrl(sandbox)}&${new URLSearchParams({ [name]: N8N }).toString()}`;
		const { status, location } = await new Browser(sandbox).get(url);
		expect([status, location]).toEqual([400, '']);
	});

	test('is refused by the forms too', async () => {
		const browser = new Browser(sandbox);
		const { fields } = readForm(await browser.signIn());
		const query = authorizeUrl(sandbox, { redirect_uri: 'http://evil.example.com/' });
		const { userName, password } = sandbox.owner;
		const answers = [
			await browser.post(query, { ...fields, decision: 'allow' }),
			await browser.post(query, { ...fields, decision: 'deny' }),
			await browser.post(query.replace('?', '/sign-in?'), { user_name: userName, password }),
		];
		expect(answers.map(({ status, location }) => [status, location])).toEqual([
			[400, ''],
			[400, ''],
			[400, ''],
		]);
	});

	test.each([
		`http://localhost${PATH}`,
		`https://localhost:1${PATH}`,
		`http://127.0.0.1:5678${PATH}`,
		`http://127.8.9.10:5678${PATH}`,
		`http://[::1]:5678${PATH}`,
		`http://localhost:5678/n8n${PATH}`,
		ELSEWHERE,
	])('but %s is a place to lead back to', async (uri) => {
		const back = await new Browser(sandbox).answer(
			'allow',
			authorizeUrl(sandbox, { redirect_uri: uri }),
		);
		expect(`${back.href}&`.startsWith(`${uri}?code=`)).toBe(true);
	});
});

describe('any other mistake leads back as an error (RFC 6749, section 4.1.2.1)', () => {
	test.each<[string, Fields, string, string]>([
		['no response_type', { response_type: '' }, 'invalid_request', 'a state'],
		['another response_type', { response_type: 'token' }, 'unsupported_response_type', 'a state'],
		['another scope', { scope: 'everything' }, 'invalid_scope', 'a state'],
		['a further scope', { scope: 'basic more' }, 'invalid_scope', 'a state'],
		['no state', { state: '' }, 'invalid_request', ''],
		['a state with a line break', { state: 'a\nb' }, 'invalid_request', 'a\nb'],
	])('%s', async (_what, parameters, error, state) => {
		const { location } = await new Browser(sandbox).get(authorizeUrl(sandbox, parameters));
		const back = new URL(location);
		expect(back.origin + back.pathname).toBe(N8N);
		expect(Object.fromEntries(back.searchParams)).toEqual({
			error,
			// The characters that RFC 6749 allows there.
			error_description: expect.stringMatching(/^[ !#-[\]-~]+\.$/) as string,
			...(state && { state }),
		});
	});

	test.each(['response_type=code', 'state=b', 'scope=basic'])('a second %s', async (more) => {
		const { location } = await new Browser(sandbox).get(`${authorizeUrl(sandbox)}&${more}`);
		expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
	});

	test.each(['', '&scope='])('but the scope may be left out (%p)', async (more) => {
		const url = authorizeUrl(sandbox, { scope: '' }) + more;
		const code = await newCode(sandbox, url);
		expect((await token(sandbox, byCode(code))).body.scope).toBe('basic');
	});

	test('and parameters that nobody knows are passed over (section 3.1)', async () => {
		expect(await newCode(sandbox, authorizeUrl(sandbox, { prompt: 'consent' }))).not.toBe('');
	});
});

describe('the pages', () => {
	test('escape all that they show', async () => {
		const nasty = {
			publicApp: { clientId: `app ${NASTY}`, clientSecret: 'secret' },
			owner: { userName: `owner ${NASTY}`, password: `password ${NASTY}` },
		};
		await on(nasty, async (own) => {
			const parameters = { state: NASTY, redirect_uri: `${N8N}?${NASTY.replaceAll(' ', '')}` };
			const url = `${authorizeUrl(own, parameters)}&${NASTY.replaceAll(' ', '')}`;
			const browser = new Browser(own);
			const wrong = await browser.signIn(url, { userName: NASTY, password: NASTY });
			const question = await browser.signIn(url);
			const unknown = { redirect_uri: `http://evil/${NASTY}` };
			const problem = await browser.get(authorizeUrl(own, unknown));

			expect(readForm(wrong).fields).toEqual({ user_name: NASTY });
			expect(unescape(question.text)).toContain(`app ${NASTY}`);
			expect(unescape(question.text)).toContain(`owner ${NASTY}`);
			expect(unescape(problem.text)).toContain(`http://evil/${NASTY}`);
			for (const { text } of [wrong, question, problem]) {
				expect(text).not.toContain('<b>');
				expect(text).not.toContain('"Tom');
				expect(text).not.toContain("Tom's");
			}
			// And what they show does no harm to the flow.
			const back = await new Browser(own).answer('allow', authorizeUrl(own, parameters));
			const { status } = await token(
				own,
				byCode(back.searchParams.get('code') ?? '', parameters.redirect_uri),
			);
			expect(status).toBe(200);
		});
	});

	test('escape a query that no browser would send', async () => {
		// A client of its own, as undici's request() encodes a path as browsers do.
		const client = new Client(sandbox.baseUrl);
		const path = `${authorizeUrl(sandbox)}&"><b>'`;
		const { statusCode, body } = await client.request({ method: 'GET', path });
		const text = await body.text();
		await client.close();
		expect(statusCode).toBe(200);
		expect(text).not.toContain('<b>');
		expect(unescape(text)).toContain(path.slice(path.indexOf('?')));
	});

	test('show no secret', async () => {
		const browser = new Browser(sandbox);
		const url = authorizeUrl(sandbox);
		const pages = [
			await browser.get(url),
			await browser.signIn(url, { userName: 'sandbox', password: 'my-wrong-password' }),
			await browser.signIn(url),
		];
		for (const { text } of pages) {
			for (const secret of [
				sandbox.publicApp.clientSecret,
				sandbox.clientSecret,
				sandbox.owner.password,
				'my-wrong-password',
			]) {
				expect(text).not.toContain(secret);
			}
		}
		const missing = await browser.get('/manage/other?code=my-code');
		expect([missing.status, missing.text.includes('my-code')]).toEqual([404, false]);
	});
});

describe('a code (RFC 6749, sections 4.1.3 and 4.1.4)', () => {
	test('gives an access token and a refresh token', async () => {
		const { status, body } = await token(sandbox, byCode(await newCode(sandbox)));
		expect(status).toBe(200);
		expect(body).toEqual({
			access_token: expect.stringMatching(/^\S{20,}$/) as string,
			refresh_token: expect.stringMatching(/^\S{20,}$/) as string,
			expires_in: 3600,
			token_type: 'Bearer',
			scope: 'basic',
		});
		expect(body.access_token).not.toBe(body.refresh_token);
		expect(await me(sandbox, body.access_token!)).toBe(200);
		expect(await me(sandbox, body.refresh_token!)).toBe(401);
	});

	test('works once; a second time takes back all that came of the first', async () => {
		const code = await newCode(sandbox);
		const first = await token(sandbox, byCode(code));
		const refreshed = await token(sandbox, byRefresh(first.body.refresh_token!));
		const others = await connect(sandbox);

		const second = await token(sandbox, byCode(code));
		expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
		expect(await me(sandbox, first.body.access_token!)).toBe(401);
		expect(await me(sandbox, refreshed.body.access_token!)).toBe(401);
		expect(await token(sandbox, byRefresh(refreshed.body.refresh_token!))).toMatchObject({
			status: 400,
			body: { error: 'invalid_grant' },
		});
		expect(await me(sandbox, others.access_token!)).toBe(200);
	});

	test('sent twice at once leaves no token that works', async () => {
		const code = await newCode(sandbox);
		const answers = await Promise.all([token(sandbox, byCode(code)), token(sandbox, byCode(code))]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
		const { body } = answers.find(({ status }) => status === 200)!;
		expect(await me(sandbox, body.access_token!)).toBe(401);
	});

	test('expires', async () => {
		const { status, body } = await on({ codeLifetime: 1 }, async (own) => {
			const code = await newCode(own);
			await wait(1100);
			return await token(own, byCode(code));
		});
		expect([status, body.error]).toEqual([400, 'invalid_grant']);
	});

	test.each(['http://127.0.0.1:5678/rest/oauth2-credential/callback', `${N8N}?`, ELSEWHERE, 'x'])(
		'with the other redirect_uri %p is refused',
		async (uri) => {
			const answer = await token(sandbox, byCode(await newCode(sandbox), uri));
			expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
			expect(answer.body.access_token).toBeUndefined();
		},
	);

	test.each(['never-given-out', 'no\nline'])('that is %p is refused', async (code) => {
		const { status, body } = await token(sandbox, byCode(code));
		expect([status, body.error]).toEqual([400, 'invalid_grant']);
		expect(JSON.stringify(body)).not.toContain(code);
	});

	test('is no good to who does not know the secret, and is left as it was', async () => {
		const code = await newCode(sandbox);
		const { clientId } = sandbox.publicApp;
		const stolen = await token(sandbox, byCode(code), { clientId, clientSecret: 'wrong' });
		expect([stolen.status, stolen.body.error]).toEqual([401, 'invalid_client']);
		const byPrivateApp = await token(sandbox, byCode(code), sandbox);
		expect([byPrivateApp.status, byPrivateApp.body.error]).toEqual([400, 'unauthorized_client']);
		expect((await token(sandbox, byCode(code))).status).toBe(200);
	});
});

describe('a refresh token (RFC 6749, section 6)', () => {
	test('gives new tokens and works no more', async () => {
		const before = await connect(sandbox);
		const { status, body } = await token(sandbox, byRefresh(before.refresh_token!));
		expect(status).toBe(200);
		expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'basic' });
		expect(new Set([...Object.values(before), ...Object.values(body)]).size).toBe(4 + 3);
		expect(await me(sandbox, body.access_token!)).toBe(200);

		const again = await token(sandbox, byRefresh(before.refresh_token!));
		expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
		expect((await token(sandbox, byRefresh(body.refresh_token!))).status).toBe(200);
	});

	test.each(['basic', ''])('may come with the scope %p', async (scope) => {
		const { refresh_token: refreshToken } = await connect(sandbox);
		const { status } = await token(sandbox, { ...byRefresh(refreshToken!), scope });
		expect(status).toBe(200);
	});

	test('with a wider scope is refused, and can still be used', async () => {
		const { refresh_token: refreshToken } = await connect(sandbox);
		const form = byRefresh(refreshToken!);
		const wider = await token(sandbox, { ...form, scope: 'basic more' });
		expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
		expect((await token(sandbox, form)).status).toBe(200);
	});

	test('that is an access token, or never given out, is refused', async () => {
		const { access_token: accessToken } = await connect(sandbox);
		for (const wrong of [accessToken!, 'never-given-out']) {
			const { status, body } = await token(sandbox, byRefresh(wrong));
			expect([status, body.error]).toEqual([400, 'invalid_grant']);
			expect(JSON.stringify(body)).not.toContain(wrong);
		}
	});

	test('outlives its access token', async () => {
		await on({ tokenLifetime: 1 }, async (own) => {
			const granted = await connect(own);
			await wait(1100);
			expect(await me(own, granted.access_token!)).toBe(401);
			const { body } = await token(own, byRefresh(granted.refresh_token!));
			expect(await me(own, body.access_token!)).toBe(200);
		});
	});

	test('outlives revoked access tokens, but not the consent', async () => {
		const unused = await newCode(sandbox);
		const first = await connect(sandbox);
		sandbox.oauth.revokeAll();
		expect(await me(sandbox, first.access_token!)).toBe(401);
		const { status, body } = await token(sandbox, byRefresh(first.refresh_token!));
		expect([status, await me(sandbox, body.access_token!)]).toEqual([200, 200]);

		sandbox.oauth.withdrawConsent();
		expect(await me(sandbox, body.access_token!)).toBe(401);
		for (const form of [byRefresh(body.refresh_token!), byCode(unused)]) {
			const refused = await token(sandbox, form);
			expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
		}
		expect(await me(sandbox, (await connect(sandbox)).access_token!)).toBe(200);
	});
});

describe('the token endpoint', () => {
	test.each<[string, Fields, string]>([
		['client_credentials', {}, 'public'],
		['authorization_code', { code: 'c', redirect_uri: N8N }, 'private'],
		['refresh_token', { refresh_token: 'r' }, 'private'],
	])('refuses the grant %s with %p to a %s app', async (grant, fields, kind) => {
		const app = kind === 'private' ? sandbox : sandbox.publicApp;
		const { status, body } = await token(sandbox, { grant_type: grant, ...fields }, app);
		expect([status, body.error]).toEqual([400, 'unauthorized_client']);
	});

	test('refuses a grant that no app may use', async () => {
		const form = { grant_type: 'password', username: 'u', password: 'p' };
		const { status, body } = await token(sandbox, form);
		expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
	});

	test.each([
		'grant_type=authorization_code',
		`grant_type=authorization_code&redirect_uri=${encodeURIComponent(N8N)}`,
		'grant_type=authorization_code&code=x',
		'grant_type=authorization_code&code=&redirect_uri=http://localhost/',
		'grant_type=authorization_code&code=x&code=x&redirect_uri=http://localhost/',
		'grant_type=authorization_code&code=x&redirect_uri=http://localhost/&scope=basic',
		'grant_type=authorization_code&code=x&redirect_uri=http://localhost/&client_id=x',
		'grant_type=refresh_token',
		'grant_type=refresh_token&refresh_token=',
		'grant_type=refresh_token&refresh_token=x&refresh_token=x',
		'grant_type=refresh_token&refresh_token=x&redirect_uri=x',
		'grant_type=refresh_token&refresh_token=x&scope=basic&scope=basic',
		'grant_type=refresh_token&grant_type=refresh_token&refresh_token=x',
		'refresh_token=x',
	])('refuses the form %p', async (form) => {
		const { status, body } = await token(sandbox, form);
		expect([status, body.error]).toEqual([400, 'invalid_request']);
	});

	test('knows IDs and secrets of any characters, of both apps', async () => {
		const options = {
			clientId: 'müller:app',
			clientSecret: 'geheim ☂',
			publicApp: { clientId: 'ключ & co', clientSecret: 'a:b ☂' },
		};
		await on(options, async (own) => {
			expect(await me(own, (await connect(own)).access_token!)).toBe(200);
			const { status } = await token(own, { grant_type: 'client_credentials' }, own);
			expect(status).toBe(200);
		});
	});
});
