import type { INodeTypeDescription } from 'n8n-workflow';

import { useCredential } from '../../../engine/useCredential';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { N8n } from '../harness/n8n';
import { until } from '../harness/processes';
import type { Stored } from '../harness/rest';
import { exampleFiles, exampleFolder, readExample } from '../harness/workflows';

/** What n8n says, before anything else, when it makes its tables. */
const MIGRATIONS = /^Migrations in progress.*\n/;

let n8n: N8n;
let printed: string;

beforeAll(async () => {
	// So that whatever it prints is a warning.
	n8n = await N8n.create({ name: 'n8n-examples', env: { N8N_LOG_LEVEL: 'warn' } });
	printed = await n8n.command('import:workflow', '--separate', `--input=${exampleFolder}`);
	await n8n.start();
	await n8n.rest.setUpOwner();
});
afterAll(async () => await n8n.remove());

test("n8n's import command takes every example, without a warning", async () => {
	expect(printed.replace(MIGRATIONS, '')).toBe('');
	const imported = await n8n.rest.send<Stored[]>('GET', '/workflows');
	const names = exampleFiles.map((file) => readExample(file).name);
	expect(imported.map(({ name }) => name).sort()).toEqual(names.sort());
	for (const { id, name } of imported) {
		const file = exampleFiles.find((candidate) => readExample(candidate).name === name) ?? '';
		const { nodes, connections, pinData } = readExample(file);
		const stored = await n8n.rest.send<object>('GET', `/workflows/${id}`);
		expect(stored).toMatchObject({ nodes, connections, pinData });
	}
});

test('every node of the examples is one that n8n has, in a version that it has', async () => {
	const known = (await n8n.rest.nodeTypes()).flatMap(namesWithVersion);
	const used = exampleFiles.flatMap((file) => readExample(file).nodes);
	expect(known).toEqual(
		expect.arrayContaining(used.map(({ type, typeVersion }) => `${type} ${typeVersion}`)),
	);
});

function namesWithVersion({ name, version }: INodeTypeDescription): string[] {
	return [version].flat().map((one) => `${name} ${one}`);
}

describe('imported in the editor and given a credential', () => {
	let sandbox: Sandbox;
	let credential: Stored;
	beforeEach(async () => {
		sandbox = await startSandbox();
		credential = await n8n.rest.addPrivateApp(sandbox);
	});
	afterEach(async () => await sandbox.close());

	const orders = () => sandbox.account.pages.map(({ id }) => sandbox.account.order(id));
	const calls = () => sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

	/** Executes an example as the button "Execute workflow" does; returns how it ended. */
	async function run(file: string): Promise<string> {
		const example = readExample(file);
		const { id, versionId } = await n8n.rest.createWorkflow(example);
		const { nodes } = useCredential(example, 'profilePageApi', credential);
		await n8n.rest.send('PATCH', `/workflows/${id}`, { nodes, versionId });
		const trigger = nodes.find(({ type }) => type.endsWith('Trigger'));
		await n8n.rest.send('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger?.name },
		});
		let status = '';
		await until(`${file} has ended`, async () => {
			status = (await n8n.rest.executions(id))[0]?.status ?? 'new';
			return !['new', 'running'].includes(status);
		});
		return status;
	}

	test.each(exampleFiles)('%s runs, with one token', async (file) => {
		expect(await run(file)).toBe('success');
		expect(sandbox.recorder.grants).toBe(1);
		expect(sandbox.recorder.calls).not.toHaveLength(0);
	});

	test('get-info.json asks for the profile, and changes nothing', async () => {
		const before = orders();
		await run('get-info.json');
		expect(calls()).toEqual(['GET /oauth/v1/me']);
		expect(orders()).toEqual(before);
	});

	test('reorder-blocks.json moves the last block of a page to the top', async () => {
		const [home = [], ...others] = orders();
		await run('reorder-blocks.json');
		expect(orders()).toEqual([[home.at(-1), ...home.slice(0, -1)], ...others]);
	});

	test('reorder-from-input-items.json turns two pages round, with one call for each', async () => {
		const before = orders();
		await run('reorder-from-input-items.json');
		expect(orders()).toEqual(before.map((order) => order.toReversed()));
		expect(calls()).toHaveLength(2);
	});
});
