// A service whose OAuth is that of oidc-provider, which is certified and knows nothing of this package. It runs in a
// thread of its own, because Jest loads no ES modules. See oidcProvider.ts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

import Provider from 'oidc-provider';

const { clients, prefix, lifetime, isJwt, clientCredentials } = workerData;

/** The resource that tokens are for. */
const RESOURCE = 'urn:profile-page';

const server = createServer();
await once(server.listen(0, '127.0.0.1'), 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(origin + prefix, {
	clients,
	scopes: ['basic'],
	routes: { authorization: '/manage/access', token: '/oauth/token' },
	ttl: { ClientCredentials: () => lifetime.current },
	features: {
		clientCredentials: { enabled: clientCredentials },
		devInteractions: { enabled: false },
		resourceIndicators: {
			enabled: true,
			defaultResource: () => RESOURCE,
			getResourceServerInfo: () => ({ scope: 'basic', accessTokenFormat: isJwt ? 'jwt' : 'opaque' }),
		},
	},
});

let requests = [];
let issued = new Set();
provider.on('client_credentials.saved', (token) => issued.add(token));

/** Whether the provider has issued a token, which is neither expired nor revoked. */
async function isValid(token = '') {
	if (!isJwt) return Boolean(await provider.ClientCredentials.find(token));
	const [, payload = ''] = token.split('.');
	const { exp = 0 } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
	return exp * 1000 > Date.now();
}

async function sendInfo({ headers }, response) {
	const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
	const isKnown = await isValid(token);
	const body = isKnown ? { status: true, info: { username: '@oidc' } } : { status: false, errors: ['No.'] };
	response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' });
	response.end(JSON.stringify(body));
}

const callback = provider.callback();
server.on('request', (request, response) => {
	requests.push({ url: request.url, authorization: request.headers.authorization });
	if (request.url === `${prefix}/oauth/v1/me`) return void sendInfo(request, response);
	request.originalUrl = request.url;
	request.url = request.url.slice(prefix.length);
	callback(request, response);
});

const commands = {
	requests: () => requests,
	setLifetime: (seconds) => void (lifetime.current = seconds),
	async revoke() {
		for (const token of issued) await token.destroy();
		issued = new Set();
	},
	close() {
		server.closeAllConnections();
		server.close();
		parentPort.close();
	},
};

parentPort.on('message', async ({ command, argument }) => {
	const result = await commands[command](argument);
	parentPort.postMessage({ result });
});
parentPort.postMessage({ result: origin });
