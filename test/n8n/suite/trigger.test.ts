import type { Sandbox } from '../../../sandbox/server';
import { useEditor } from '../support/harness';
import type { N8n } from '../support/n8n';
import { takePicture } from '../support/pictures';
import type { Stored } from '../support/rest';
import { Trial } from '../support/trial';
import { chain, profilePageTrigger } from '../support/workflows';

const harness = useEditor('n8n-trigger');
let n8n: N8n;
let sandbox: Sandbox;
let credential: Stored;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox);
});

describe('In the editor, the trigger', () => {
	test('is listed in the node panel, with its event', async () => {
		const { editor } = harness;
		await editor.openNewWorkflow();
		const found = await editor.findNode('Profile Page', 'Profile Page');
		await found.click();
		const creator = editor.byTestId('node-creator');
		await creator.getByText('New Link').first().waitFor();
		expect(await creator.innerText()).not.toContain('No Profile Page Triggers available');
	});

	test('returns the newest link for Fetch Test Event', async () => {
		const { editor } = harness;
		const trigger = { ...profilePageTrigger(credential, 60), parameters: {} };
		const { id } = await n8n.rest.createWorkflow(chain('Tested in the editor', trigger));
		sandbox.account.links.add({ title: 'My new video', link: 'https://example.com/video' });
		await editor.openWorkflow(id);
		await editor.openNode('Profile Page Trigger');
		await editor.executeStep();
		const rows = await editor.outputRows();
		expect(rows).toHaveLength(1);
		expect(rows[0]).toContain('My new video');
		await takePicture(editor.page, 'trigger');
	});
});

test('the trigger requests one token for each lifetime', async () => {
	const LIFETIME = 12;
	const trial = await Trial.create(n8n, 'Short tokens', {}, { tokenLifetime: LIFETIME });
	const { watch, sandbox: short } = trial;
	const startedAt = Date.now();
	await watch.activate();
	for (const title of ['a', 'b', 'c']) {
		trial.link(title);
		await watch.emits(title);
		await trial.polls(4);
	}
	await watch.deactivate();
	const lifetimes = Math.ceil((Date.now() - startedAt) / 1000 / LIFETIME);
	expect(await watch.emitted()).toEqual([['a'], ['b'], ['c']]);
	expect(await watch.errors()).toEqual([]);
	expect(short.recorder.grants).toBeGreaterThan(1);
	expect(short.recorder.grants).toBeLessThanOrEqual(lifetimes + 1);
	await trial.close();
});
