import { rmSync } from 'node:fs';
import path from 'node:path';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { startHttpServer } from '../../support/httpServer';
import { GET_INFO } from '../../support/parameters';
import { openBrowser } from '../support/browser';
import { Editor } from '../support/editor';
import { testSinceN8n2 } from '../support/harness';
import { N8n } from '../support/n8n';
import { publish } from '../support/webhook';
import { profilePage } from '../support/workflows';

/** What docs/installation.md says about the settings of n8n. */

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

/** Runs a function with an n8n that has these settings. */
async function withSettings<T>(
	env: NodeJS.ProcessEnv,
	use: (n8n: N8n) => Promise<T>,
	prepare?: (n8n: N8n) => void,
): Promise<T> {
	const n8n = await N8n.create({ name: 'n8n-settings', env });
	try {
		prepare?.(n8n);
		await n8n.start();
		await n8n.rest.setUpOwner();
		return await use(n8n);
	} finally {
		await n8n.remove();
	}
}

async function hasNode({ rest }: N8n): Promise<boolean> {
	const types = await rest.nodeTypes();
	return types.some(({ name }) => name === 'n8n-nodes-profile-page.profilePage');
}

/** Whether Settings > Community nodes offers to install a package. */
async function offersInstallation(n8n: N8n): Promise<boolean> {
	const browser = await openBrowser();
	try {
		const { page } = await Editor.open(browser, n8n);
		await page.goto(`${n8n.baseUrl}/settings/community-nodes`);
		// What is shown in place of a list of packages.
		await page.locator('[class*=actionBoxContainer]').waitFor();
		return await page.getByRole('button', { name: /^Install/ }).isVisible();
	} finally {
		await browser.close();
	}
}

/** Runs the node, and returns what it returns: the profile, or an error. */
async function getInfo(n8n: N8n, baseUrl = sandbox.baseUrl): Promise<string> {
	const credential = await n8n.rest.addPrivateApp(sandbox, { baseUrl });
	const node = profilePage(credential, GET_INFO, { onError: 'continueRegularOutput' });
	return await (await publish(n8n, 'info', [node])).run();
}

describe('n8n', () => {
	test.each([
		['by default', {}, true],
		['without an Install button', { N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' }, false],
	])('loads the package from a folder %s (%j)', async (_how, env, offers) => {
		await withSettings(env, async (n8n) => {
			expect(await offersInstallation(n8n)).toBe(offers);
			expect(await hasNode(n8n)).toBe(true);
		});
	});

	test.each([
		['loads the package from its folder', { N8N_COMMUNITY_PACKAGES_ENABLED: 'false' }, true],
		['does not load the package', { N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true' }, false],
	])('%s with the setting %j', async (_what, env, isLoaded) => {
		await withSettings(env, async (n8n) => expect(await hasNode(n8n)).toBe(isLoaded));
	});

	testSinceN8n2('with SSRF protection calls a service on this machine only if it is allowed', async () => {
		const N8N_SSRF_PROTECTION_ENABLED = 'true';
		await withSettings({ N8N_SSRF_PROTECTION_ENABLED }, async (n8n) => {
			expect(await getInfo(n8n)).toContain('No access token');
		});
		const N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.0/8,::1/128';
		const allowed = { N8N_SSRF_PROTECTION_ENABLED, N8N_SSRF_ALLOWED_IP_RANGES };
		await withSettings(allowed, async (n8n) => {
			expect(await getInfo(n8n)).toContain('@sandbox');
		});
	});

	test('with N8N_REINSTALL_MISSING_PACKAGES does not install a package that was installed from a file', async () => {
		await withSettings(
			{ N8N_REINSTALL_MISSING_PACKAGES: 'true' },
			async (n8n) => expect(await hasNode(n8n)).toBe(false),
			({ userFolder }) => rmSync(path.join(userFolder, '.n8n/nodes'), { recursive: true }),
		);
	});

	test('with ALL_PROXY sends the requests of the node through the proxy, except those to hosts in NO_PROXY', async () => {
		const received: string[] = [];
		const proxy = await startHttpServer((incoming, response) => {
			received.push(incoming.url ?? '');
			response.writeHead(502).end();
		});
		const ALL_PROXY = proxy.origin;
		const toProxy = () => received.filter((url) => url.startsWith(sandbox.baseUrl));
		try {
			await withSettings({ ALL_PROXY, NO_PROXY: '' }, async (n8n) => {
				expect(await getInfo(n8n)).toContain('(502)');
			});
			expect(toProxy()).toContain(`${sandbox.baseUrl}/oauth/token`);
			received.length = 0;
			await withSettings({ ALL_PROXY, NO_PROXY: 'localhost,127.0.0.1' }, async (n8n) => {
				expect(await getInfo(n8n)).toContain('@sandbox');
			});
			expect(toProxy()).toEqual([]);
		} finally {
			proxy.close();
		}
	});
});
