import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import { OIDC_BODY_APP, OIDC_PUBLIC_APP, OIDC_SETTINGS, OidcProvider } from '../../support/oidcProvider';
import { GET_INFO } from '../../support/parameters';
import { connectByHand, type Consent } from '../support/consent';
import { type Database, startPostgres, startRedis } from '../support/databases';
import { N8n } from '../support/n8n';
import { logFolder, until } from '../support/processes';
import { isFinished, type Stored } from '../support/rest';
import { webhook } from '../support/webhook';
import { chain, publicProfilePage } from '../support/workflows';

const [NAME, OTHER_NAME] = ['n8n-oidc', 'n8n-oidc-other'];

/** With everything that n8n logs. */
const LOGGING = { N8N_LOG_LEVEL: 'debug' };

let provider: OidcProvider;
let postgres: Database;
let n8n: N8n;

beforeAll(async () => {
	// Several processes of n8n cannot share a file of SQLite.
	postgres = await startPostgres(`${NAME}-postgres`);
	n8n = await N8n.create({ name: NAME, env: { ...LOGGING, ...postgres.env } });
	provider = await OidcProvider.start({ redirectUri: `${n8n.baseUrl}/rest/oauth2-credential/callback` });
	await n8n.start();
	await n8n.rest.setUpOwner();
});
afterAll(async () => {
	await n8n.remove();
	await postgres.remove();
	await provider.close();
});
afterEach(async () => await provider.set(OIDC_SETTINGS));

/** A workflow that reads the profile for each request to its webhook, with a credential of its own. */
interface App {
	credential: Stored;
	workflowId: string;
	hook: string;
}

/** With these, the provider issues refresh tokens. */
const OFFLINE = { scope: 'basic offline_access', authQueryParameters: 'prompt=consent' };

let apps = 0;

/** Adds a credential for the public app, and activates a workflow with it. Given fields replace the usual ones. */
async function addApp(fields: Record<string, string | boolean> = {}): Promise<App> {
	const { baseUrl } = provider;
	const hook = `oidc-${(apps += 1)}`;
	const credential = await n8n.rest.addPublicApp({ baseUrl, publicApp: OIDC_PUBLIC_APP }, { ...OFFLINE, ...fields });
	const node = publicProfilePage(credential, GET_INFO);
	const workflow = await n8n.rest.createWorkflow(chain(hook, webhook(hook, 'onReceived'), node));
	await n8n.rest.activate(workflow);
	return { credential, workflowId: workflow.id, hook };
}

/** Everything that a user has read. */
const read: string[] = [];

const CONNECTED = 'Connection successful';

/** Connects the credential of an app, and forgets the requests for that. */
async function connect({ credential }: App): Promise<Consent & { token?: Received }> {
	const before = (await provider.requests()).length;
	const consent = await connectByHand(n8n.rest, credential);
	read.push(consent.page);
	const [token] = (await provider.requests()).slice(before).filter(({ url }) => url === TOKEN);
	return { ...consent, token };
}

async function addConnectedApp(fields?: Record<string, string | boolean>): Promise<App> {
	const app = await addApp(fields);
	expect((await connect(app)).page).toContain(CONNECTED);
	return app;
}

interface Result {
	message?: string;
	description?: string | null;
}

/** Runs the workflow of an app, several times at once and alternating between processes. Returns the distinct errors. */
async function run({ hook, workflowId }: App, times = 1, processes = [n8n]): Promise<Result[]> {
	// Of executions that began at once, n8n does not list the newest first.
	const lastId = Math.max(0, ...(await n8n.rest.executions(workflowId)).map(({ id }) => Number(id)));
	await Promise.all(
		Array.from({ length: times }, async (_, index) => {
			const { baseUrl } = processes[index % processes.length]!;
			const { statusCode, body } = await request(`${baseUrl}/webhook/${hook}`, { method: 'POST' });
			await body.dump();
			expect(statusCode).toBe(200);
		}),
	);
	const executions = async () => await n8n.rest.allExecutions(workflowId, String(lastId));
	await until('the executions have finished', async () => {
		const found = await executions();
		return found.length === times && found.every(isFinished);
	});
	const data = await Promise.all((await executions()).map(async ({ id }) => await n8n.rest.executionData(id)));
	read.push(JSON.stringify(data));
	return data.flatMap(({ resultData: { error } }) =>
		error ? [{ message: error.message, description: 'description' in error ? error.description : null }] : [],
	);
}

type Received = Awaited<ReturnType<OidcProvider['requests']>>[number];
const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

/** Returns what the service got meanwhile: the grant of each token request, or the path, with what became of it. */
async function receivedDuring(act: () => Promise<unknown>): Promise<string[]> {
	const before = (await provider.requests()).length;
	await act();
	return (await provider.requests())
		.slice(before)
		.map(({ url, form, status, error }) => `${form?.grant_type ?? url}: ${error ?? status}`);
}

const REFRESHED = 'refresh_token: 200';
const REFUSED = 'refresh_token: invalid_grant';
const CALLED = `${ME}: 200`;
const REJECTED = `${ME}: 401`;

const isRefresh = (request: string) => request.startsWith('refresh_token: ');

/** n8n does not keep what the service said. */
const ENDED: Result = {
	message: 'No access token: the service did not renew access to the account',
	description: expect.stringContaining('connect the account again (Switch account, or Connect).') as string,
};

describe('a public app at oidc-provider that is connected', () => {
	const { clientId, clientSecret } = OIDC_PUBLIC_APP;
	const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

	test('sends its secret in the header, uses PKCE, and reads the profile', async () => {
		await provider.set({ requiresPkce: true });
		const app = await addApp();
		const { authorization, page, token } = await connect(app);
		expect(page).toContain(CONNECTED);
		expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
			client_id: clientId,
			code_challenge_method: 'S256',
			prompt: 'consent',
			scope: 'basic offline_access',
		});
		expect(token).toMatchObject({ status: 200, authorization: basic, form: { grant_type: 'authorization_code' } });
		expect(token?.form).toHaveProperty('code_verifier');
		expect(token?.form).not.toHaveProperty('client_secret');
		expect(await receivedDuring(async () => expect(await run(app)).toEqual([]))).toEqual([CALLED]);
	});

	test('sends its secret in the form instead, also to renew access, and uses no PKCE, if the credential says so', async () => {
		const app = await addApp({ ...OIDC_BODY_APP, authentication: 'body', usePkce: false });
		const { authorization: asked, token } = await connect(app);
		expect(asked.searchParams.has('code_challenge')).toBe(false);
		await provider.revoke();
		expect(await receivedDuring(async () => expect(await run(app)).toEqual([]))).toEqual([REJECTED, REFRESHED, CALLED]);
		const refresh = (await provider.requests()).at(-2);
		for (const { authorization, form } of [token!, refresh!]) {
			expect(authorization).toBeUndefined();
			expect(form).toMatchObject({ client_id: OIDC_BODY_APP.clientId, client_secret: OIDC_BODY_APP.clientSecret });
		}
	});
});

test('tokens are renewed when they have expired, each time with the refresh token that was issued last', async () => {
	await provider.set({ lifetime: 2 });
	const app = await addConnectedApp();
	for (let renewal = 1; renewal <= 2; renewal += 1) {
		await wait(2000);
		expect(await receivedDuring(async () => expect(await run(app)).toEqual([]))).toEqual([REFRESHED, CALLED]);
	}
	const used = (await provider.requests()).flatMap(({ form }) => form?.refresh_token ?? []).slice(-2);
	expect(new Set(used).size).toBe(2);
});

describe('ten executions at the moment of expiry, in two processes with one database,', () => {
	const TIMES = 10;

	/** An app whose access token has just expired; the next one lasts. */
	async function addExpiredApp(): Promise<App> {
		await provider.set({ lifetime: 2 });
		const app = await addConnectedApp();
		await wait(2000);
		await provider.set({ lifetime: OIDC_SETTINGS.lifetime });
		return app;
	}

	let other: N8n;
	let redis: Database;
	beforeAll(async () => {
		redis = await startRedis(`${NAME}-redis`);
		other = await N8n.create({ name: OTHER_NAME, env: { ...LOGGING, ...postgres.env } });
		await other.start();
	});
	afterAll(async () => {
		await other.remove();
		await redis.remove();
	});

	test('each renew access; those in the process that was late fail, and succeed when they run again', async () => {
		await provider.set({ endsReusedGrants: false });
		const app = await addExpiredApp();
		await provider.hold(2);
		const requests = await receivedDuring(async () => {
			const errors = await run(app, TIMES, [n8n, other]);
			expect(errors.length).toBeLessThanOrEqual(TIMES / 2);
			expect(errors).toEqual(errors.map(() => ENDED));
		});
		// On a slow machine, executions that come late try again.
		expect([...new Set(requests.filter(isRefresh))]).toEqual([REFRESHED, REFUSED]);
		expect(await run(app, TIMES, [n8n, other])).toEqual([]);
	});

	test('renew access once with Redis, and succeed', async () => {
		const env = { ...redis.env, N8N_CACHE_BACKEND: 'redis' };
		const restart = async (each: N8n) => {
			await each.stop();
			await each.start(env);
		};
		await Promise.all([n8n, other].map(restart));
		await n8n.rest.signIn();
		const app = await addExpiredApp();
		await provider.hold(2);
		const requests = await receivedDuring(async () => expect(await run(app, TIMES, [n8n, other])).toEqual([]));
		expect(requests.toSorted()).toEqual([...Array.from({ length: TIMES }, () => CALLED), REFRESHED].toSorted());
	});
});

test('no token or secret of the tests above is in an address, in what a user reads, or in the log of n8n', async () => {
	const secrets = [OIDC_PUBLIC_APP, OIDC_BODY_APP].flatMap(({ clientId, clientSecret }) => [
		clientSecret,
		Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
	]);
	const tokens = await provider.tokens();
	const requests = await provider.requests();
	const sent = requests.flatMap(({ authorization = '', form }) => [
		...(authorization.startsWith('Bearer ') ? [authorization.slice('Bearer '.length)] : []),
		...(form?.refresh_token ? [form.refresh_token] : []),
	]);
	expect(tokens).toEqual(expect.arrayContaining(sent));

	const [log = '', otherLog = ''] = [NAME, OTHER_NAME].map((name) =>
		readFileSync(path.join(logFolder, `${name}.log`), 'utf8'),
	);
	expect(log).toContain('OAuth2 callback successful');
	const texts = { addresses: requests.map(({ url }) => url).join(' '), read: read.join(' '), log, otherLog };
	for (const [where, text] of Object.entries(texts)) {
		const found = [...secrets, ...tokens].filter((secret) => text.includes(secret));
		expect({ where, found }).toEqual({ where, found: [] });
	}
});
