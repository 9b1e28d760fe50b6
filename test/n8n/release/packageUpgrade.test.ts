import { GET_INFO } from '../../support/parameters';
import { HOME } from '../../support/pages';
import { useN8n } from '../support/harness';
import { installPackage } from '../support/packageUnderTest';
import { Watch } from '../support/watch';
import { publish, type Published } from '../support/webhook';
import { type Node, profilePage, publicProfilePage, reorderList } from '../support/workflows';

/** Returns the path of a tarball, which the rehearsal of a release names in an environment variable. */
function tarball(variable: 'PREVIOUS_TARBALL' | 'NEXT_TARBALL'): string {
	const file = process.env[variable];
	if (!file) throw new Error(`${variable} is not set. Run: node scripts/release.mjs rehearse`);
	return file;
}

const next = tarball('NEXT_TARBALL');

describe('An n8n in which the previous version is replaced', () => {
	const harness = useN8n({ name: 'release-upgrade', tarball: tarball('PREVIOUS_TARBALL') });
	const saved: Published[] = [];
	let before: unknown[];
	let watch: Watch;

	/** Nodes that change nothing when they are run again, by the path of their webhook. */
	async function makeNodes(): Promise<Record<string, Node>> {
		const { n8n, sandbox } = harness;
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const publicApp = await n8n.rest.addPublicApp(sandbox);
		await n8n.rest.connectPublicApp(publicApp);
		const order = sandbox.account.order(HOME).toReversed();
		return {
			info: profilePage(credential, GET_INFO),
			'public-info': publicProfilePage(publicApp, GET_INFO),
			reorder: profilePage(credential, reorderList(HOME, order)),
			request: profilePage(credential, { resource: 'api', operation: 'request', path: '/oauth/v1/group/list' }),
			// Of a group to which no link is added. Before the first release, Simplify was off by default.
			links: profilePage(credential, {
				...{ resource: 'links', operation: 'getAll', simplify: false },
				filters: { groupId: '2' },
			}),
			groups: profilePage(credential, { resource: 'groups', operation: 'getAll' }),
		};
	}

	const runAll = async () => {
		const outputs: object[] = [];
		for (const { run } of saved) outputs.push(JSON.parse(await run()) as object);
		return outputs;
	};

	beforeAll(async () => {
		const { n8n, sandbox } = harness;
		for (const [path, node] of Object.entries(await makeNodes())) saved.push(await publish(n8n, path, [node]));
		before = await runAll();
		watch = await Watch.publish(harness);
		watch.addLink('before');
		await watch.expectReported();

		await n8n.stop();
		watch.addLink('during');
		sandbox.recorder.reset();
		installPackage(n8n.userFolder, next);
		await n8n.start();
		await n8n.rest.signIn();
		for (const { id } of [...saved, watch]) await n8n.rest.hasStatus(id, 'published');
	}, 240_000);

	test('keeps what each saved workflow returns', async () => {
		// A version may add fields.
		expect(await runAll()).toMatchObject(before);
	});

	test('keeps the trigger running, which reports each link once', async () => {
		watch.addLink('after');
		await watch.expectReported();
		expect(await watch.errors()).toEqual([]);
	});

	test('keeps the stored tokens', () => {
		expect(harness.sandbox.recorder.calls.length).toBeGreaterThan(saved.length);
		expect(harness.sandbox.recorder.grants).toBe(0);
	});
});
