/** What docs/installation.md says about the settings of n8n. */
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { GET_INFO } from '../../support/parameters';
import { testSinceN8n2 } from '../support/harness';
import { N8n } from '../support/n8n';
import { chain, manualTrigger, profilePage } from '../support/workflows';

const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };
const node = profilePage(CREDENTIAL, GET_INFO, { onError: 'continueRegularOutput' });

let sandbox: Sandbox;
let n8n: N8n;
beforeAll(async () => {
	sandbox = await startSandbox();
	n8n = await N8n.create({ name: 'n8n-settings' });
	const { baseUrl, clientId, clientSecret } = sandbox;
	const data = { baseUrl, clientId, clientSecret };
	await n8n.import('credentials', [{ ...CREDENTIAL, type: 'profilePageApi', data }]);
	await n8n.import('workflow', [{ ...chain('Settings', manualTrigger, node), id: 'settings' }]);
});
afterAll(async () => {
	await n8n.remove();
	await sandbox.close();
});

/** Runs the node in an n8n with these settings, and returns what it returns: the profile, or an error. */
const getInfo = async (env: NodeJS.ProcessEnv) => JSON.stringify(await n8n.execute('settings', node.name, env));

test('n8n loads the package from its folder, also if community packages are off and only verified ones may be installed', async () => {
	const env = { N8N_COMMUNITY_PACKAGES_ENABLED: 'false', N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };
	expect(await getInfo(env)).toContain('@sandbox');
});

test('n8n does not load the package with N8N_COMMUNITY_PACKAGES_PREVENT_LOADING', async () => {
	const running = getInfo({ N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true' });
	await expect(running).rejects.toThrow('Unrecognized node type: n8n-nodes-profile-page.profilePage');
});

testSinceN8n2('n8n with SSRF protection calls a service on this machine only if it is allowed', async () => {
	const env = { N8N_SSRF_PROTECTION_ENABLED: 'true' };
	expect(await getInfo(env)).toContain('"error"');
	expect(await getInfo({ ...env, N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128' })).toContain('@sandbox');
});

test('n8n with ALL_PROXY sends the requests of the node through the proxy, except those to hosts in NO_PROXY', async () => {
	const received: string[] = [];
	const proxy = await startHttpServer((incoming, response) => {
		received.push(incoming.url ?? '');
		response.writeHead(502).end();
	});
	const toProxy = () => received.filter((url) => url.startsWith(sandbox.baseUrl));
	expect(await getInfo({ ALL_PROXY: proxy.origin, NO_PROXY: '' })).toContain('(502)');
	expect(toProxy()).not.toEqual([]);
	received.length = 0;
	expect(await getInfo({ ALL_PROXY: proxy.origin, NO_PROXY: 'localhost,127.0.0.1' })).toContain('@sandbox');
	expect(toProxy()).toEqual([]);
	proxy.close();
});
