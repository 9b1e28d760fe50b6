import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { openBrowser } from '../support/browser';
import { Editor } from '../support/editor';
import { N8n } from '../support/n8n';
import { installedVersion, installPackage } from '../support/packageUnderTest';
import type { Stored } from '../support/rest';
import { Watch } from '../support/watch';
import { callWebhook, webhook } from '../support/webhook';
import { chain, type Node, profilePage, reorderList } from '../support/workflows';

/** Returns the path of a tarball, which the rehearsal of a release names in an environment variable. */
function tarball(variable: 'PREVIOUS_TARBALL' | 'NEXT_TARBALL'): string {
	const file = process.env[variable];
	if (!file) throw new Error(`${variable} is not set. Run: npm run release:rehearse`);
	return file;
}

const tarballs = { previous: tarball('PREVIOUS_TARBALL'), next: tarball('NEXT_TARBALL') };

type Item = Record<string, unknown>;

const getInfo = (credential: Stored) => profilePage(credential, { resource: 'me', operation: 'getInfo' });

/** Publishes a workflow that a webhook with this path starts. */
async function addWebhook({ rest }: N8n, path: string, node: Node): Promise<void> {
	await rest.activate(await rest.createWorkflow(chain(path, webhook(path), node)));
}

/** Runs the workflow of a webhook, and returns its output. */
async function call(n8n: N8n, path: string, body?: object): Promise<Item[]> {
	return JSON.parse(await callWebhook(n8n, path, body)) as Item[];
}

/** Connects the credential of a public app to the account, as its owner does. */
async function connect(n8n: N8n, sandbox: Sandbox, credential: Stored): Promise<void> {
	const browser = await openBrowser();
	try {
		const editor = await Editor.open(browser, n8n);
		const dialog = await editor.openCredential(credential.id);
		const window = await dialog.connect();
		await window.getByLabel('User name').fill(sandbox.owner.userName);
		await window.getByLabel('Password').fill(sandbox.owner.password);
		await window.getByRole('button', { name: 'Sign in' }).click();
		await window.getByRole('button', { name: 'Allow' }).click();
		await dialog.connected();
	} finally {
		await browser.close();
	}
}

describe('A new n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await N8n.create({ name: 'release-new', tarball: tarballs.next });
		await n8n.start();
		await n8n.rest.setUpOwner();
	});
	afterAll(async () => {
		await n8n.remove();
		await sandbox.close();
	});

	test('runs the node of the tarball, with one token', async () => {
		const node = getInfo(await n8n.rest.addPrivateApp(sandbox));
		await addWebhook(n8n, 'info', node);
		expect(await call(n8n, 'info')).toEqual([expect.objectContaining({ username: '@sandbox' })]);
		expect(sandbox.recorder.grants).toBe(1);
	});
});

describe('An n8n in which the previous version is replaced', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let watch: Watch;
	let previousVersion: string;
	const before = new Map<string, Item[]>();

	/** The workflows that change nothing, or the same again, by the path of their webhook. */
	const PATHS = ['info', 'public-info', 'links', 'groups', 'reorder', 'request'];

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await N8n.create({ name: 'release-upgrade', tarball: tarballs.previous });
		previousVersion = installedVersion(n8n.userFolder);
		await n8n.start();
		await n8n.rest.setUpOwner();
		const privateApp = await n8n.rest.addPrivateApp(sandbox);
		const publicApp = await n8n.rest.addPublicApp(sandbox);
		await connect(n8n, sandbox, publicApp);

		const order = sandbox.account.order(HOME).toReversed();
		const nodes: Record<string, Node> = {
			info: getInfo(privateApp),
			'public-info': {
				...profilePage(publicApp, {
					authentication: 'oAuth2',
					resource: 'me',
					operation: 'getInfo',
				}),
				credentials: { profilePageOAuth2Api: { id: publicApp.id, name: publicApp.name } },
			},
			// Of a group to which no link is added.
			links: profilePage(privateApp, {
				resource: 'links',
				operation: 'getAll',
				filters: { groupId: '2' },
			}),
			groups: profilePage(privateApp, { resource: 'groups', operation: 'getAll' }),
			reorder: profilePage(privateApp, reorderList(HOME, order)),
			request: profilePage(privateApp, {
				resource: 'api',
				operation: 'request',
				path: '/oauth/v1/group/list',
			}),
			create: profilePage(privateApp, {
				resource: 'links',
				operation: 'create',
				title: '={{ $json.body.title }}',
				url: 'https://example.com/new',
			}),
		};
		for (const [path, node] of Object.entries(nodes)) await addWebhook(n8n, path, node);
		for (const path of PATHS) before.set(path, await call(n8n, path));

		watch = await Watch.create(n8n, 'Watch', privateApp);
		await watch.activate();
		await call(n8n, 'create', { title: 'before' });
		await watch.emits('before');

		await n8n.stop();
		sandbox.account.links.add({ title: 'during', link: 'https://example.com/during' });
		installPackage(n8n.userFolder, tarballs.next);
		sandbox.recorder.reset();
		await n8n.start();
		await n8n.rest.signIn();
	});
	afterAll(async () => {
		await n8n.remove();
		await sandbox.close();
	});

	test('has the new version', () => {
		expect(installedVersion(n8n.userFolder)).not.toBe(previousVersion);
	});

	test.each(PATHS)('returns the same for the saved workflow "%s"', async (path) => {
		// A version may add fields.
		expect(await call(n8n, path)).toMatchObject(before.get(path) ?? []);
	});

	test('creates links as before, and its trigger reports each link once', async () => {
		await call(n8n, 'create', { title: 'after' });
		await watch.emits('after');
		expect((await watch.emitted()).flat()).toEqual(['before', 'during', 'after']);
		expect(await watch.errors()).toEqual([]);
	});

	test('keeps the tokens of both apps, and requests no others', () => {
		expect(sandbox.recorder.calls.length).toBeGreaterThan(PATHS.length);
		expect(sandbox.recorder.grants).toBe(0);
	});
});
