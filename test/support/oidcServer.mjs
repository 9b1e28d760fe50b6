// A service whose OAuth is that of oidc-provider, which is certified and knows nothing of this package. It runs in a
// thread of its own, because Jest loads no ES modules. See oidcProvider.ts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

import Provider from 'oidc-provider';

const { clients, settings } = workerData;

/** The resource that tokens are for. */
const RESOURCE = 'urn:profile-page';
const [ME, TOKEN] = ['/oauth/v1/me', '/oauth/token'];

const server = createServer();
await once(server.listen(0, '127.0.0.1'), 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(origin, {
	clients,
	scopes: ['basic', 'offline_access'],
	routes: { authorization: '/manage/access', token: TOKEN },
	ttl: {
		ClientCredentials: () => settings.lifetime,
		AccessToken: () => settings.lifetime,
	},
	// By default, the provider accepts tokens for 15 seconds more.
	clockTolerance: 0,
	pkce: { required: () => settings.requiresPkce },
	// By default, the provider rotates only old ones.
	rotateRefreshToken: true,
	findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
	features: {
		clientCredentials: { enabled: true },
		// Pages to sign in as anybody, and to grant or deny access.
		devInteractions: { enabled: true },
		resourceIndicators: {
			enabled: true,
			defaultResource: () => RESOURCE,
			getResourceServerInfo: () => ({ scope: 'basic', accessTokenFormat: 'opaque' }),
		},
	},
});

const requests = [];
const tokens = [];
let issued = new Set();
for (const kind of ['client_credentials', 'access_token', 'refresh_token']) {
	provider.on(`${kind}.saved`, (token) => {
		tokens.push(token.jti);
		if (kind !== 'refresh_token') issued.add(token);
	});
}

/** Notes what became of a request, and the form in it. */
provider.use(async (context, next) => {
	await next();
	const { status, oidc } = context;
	Object.assign(context.req.record, { status, form: oidc?.body });
});

/** Whether the provider has issued a token, which is neither expired nor revoked. */
async function isValid(token = '') {
	return Boolean((await provider.ClientCredentials.find(token)) ?? (await provider.AccessToken.find(token)));
}

async function sendInfo({ headers, record }, response) {
	const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
	const isKnown = await isValid(token);
	const body = isKnown ? { status: true, info: { username: '@oidc' } } : { status: false, errors: ['No.'] };
	record.status = isKnown ? 200 : 401;
	response.writeHead(record.status, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' });
	response.end(JSON.stringify(body));
}

const callback = provider.callback();
server.on('request', (request, response) => {
	const { method, url, headers } = request;
	request.record = { method, url, authorization: headers.authorization };
	requests.push(request.record);
	if (url === ME) return void sendInfo(request, response);
	callback(request, response);
});

const commands = {
	requests: () => requests,
	tokens: () => tokens,
	set: (changes) => void Object.assign(settings, changes),
	async revoke() {
		for (const token of issued) await token.destroy();
		issued = new Set();
	},
};

parentPort.on('message', async ({ command, argument }) => {
	const result = await commands[command](argument);
	parentPort.postMessage({ result });
});
parentPort.postMessage({ result: origin });
