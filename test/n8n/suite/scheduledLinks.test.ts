/** What n8n remembers of links that a node has scheduled, in its database. */
import { jsonResponse } from '../../../sandbox/faults';
import { useN8n } from '../support/harness';
import { until } from '../support/processes';
import { isFinished, type Stored } from '../support/rest';
import { isN8n1 } from '../support/versions';
import { callWebhook, webhook } from '../support/webhook';
import {
	assemble,
	chain,
	manualTrigger,
	type Node,
	noOperation,
	place,
	profilePage,
	scheduleTrigger,
	type Workflow,
} from '../support/workflows';

const FORGET = '/oauth/v1/forget';
const SCHEDULED =
	'A link with the same URL is scheduled already. To create it anyway, such as after it was deleted, set If Link Exists to Create Another.';

const harness = useN8n('n8n-scheduled-links', { links: [] });
let credential: Stored;
beforeEach(async () => {
	const { sandbox, n8n } = harness;
	for (const { link_id: id } of links()) sandbox.account.links.delete(id);
	sandbox.faults.add({ path: FORGET, fault: jsonResponse({ status: true }) });
	credential = await n8n.rest.addPrivateApp(sandbox);
});

const links = () => harness.sandbox.account.links.all;

const from = new Date(Date.now() + 24 * 3_600_000).toISOString();

/** A node that schedules a link. */
const create = (url = 'https://example.com/scheduled', settings: object = {}): Node =>
	profilePage(
		credential,
		{
			resource: 'links',
			operation: 'create',
			title: 'Scheduled',
			url,
			ifExists: 'skip',
			additionalFields: { scheduleFrom: from },
		},
		{ name: 'Create', id: 'create', ...settings },
	);

/** A node that may have changed any links, so that the process knows of none that was created. */
const forget = (): Node =>
	profilePage(
		credential,
		{ resource: 'api', operation: 'request', method: 'POST', path: FORGET },
		{ name: 'Forget', id: 'forget', executeOnce: true },
	);

/** Executes a workflow, and returns what the node did, and its hints. */
async function run(workflowId: string, name = 'Create') {
	const { status, error, outputs } = await harness.n8n.rest.execute(workflowId, 'Start');
	if (status !== 'success') throw new Error(error);
	const runs = outputs[name] ?? [];
	return {
		actions: runs.flatMap(({ data }) => (data?.main?.[0] ?? []).map(({ json }) => json.action)),
		hints: runs.flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
	};
}

const add = async (workflow: Workflow) => await harness.n8n.rest.createWorkflow(workflow);

test('ten executions with a restart between them create a scheduled link once', async () => {
	const { id } = await add(chain('Ten runs', manualTrigger, forget(), create()));
	expect(await run(id)).toEqual({ actions: ['created'], hints: [] });
	for (let index = 1; index < 10; index += 1) {
		if (index === 5) {
			await harness.n8n.stop();
			await harness.n8n.start();
			await harness.n8n.rest.signIn();
		}
		expect(await run(id)).toEqual({ actions: ['skipped'], hints: [SCHEDULED] });
	}
	expect(links()).toHaveLength(1);
});

test('executions by a schedule create it once', async () => {
	const workflow = await add(chain('Scheduled runs', scheduleTrigger(2), forget(), create()));
	const { rest } = harness.n8n;
	await rest.activate(workflow);
	await until('five executions have finished', async () => {
		return (await rest.executions(workflow.id)).filter(isFinished).length >= 5;
	});
	await rest.deactivate(workflow.id);
	const executions = await rest.executions(workflow.id);
	expect(new Set(executions.filter(isFinished).map(({ status }) => status))).toEqual(new Set(['success']));
	expect(links()).toHaveLength(1);
});

test('two executions at the same moment create each link once', async () => {
	const path = 'two-at-once';
	const url = "={{ 'https://example.com/' + $json.body.name }}";
	const workflow = await add(chain('Two at once', webhook(path), create(url)));
	await harness.n8n.rest.activate(workflow);
	const names = ['a', 'a', 'b', 'a', 'b', 'c'];
	harness.sandbox.faults.latency = 50;
	await Promise.all(names.map(async (name) => await callWebhook(harness.n8n, path, { name })));
	harness.sandbox.faults.latency = 0;
	expect(links()).toHaveLength(3);
	await harness.n8n.rest.deactivate(workflow.id);
});

test('a loop creates each link once, in each execution', async () => {
	const loop: Node = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	};
	const items: Node = {
		name: 'Items',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: '{ "names": ["a", "b", "a"] }', options: {} },
	};
	const split: Node = {
		name: 'Split',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'names', options: {} },
	};
	const nodes = [
		manualTrigger,
		items,
		split,
		loop,
		forget(),
		create("={{ 'https://example.com/' + $('Loop').item.json.names }}"),
		noOperation('Done'),
	].map((node, index) => place(node, index, 0));
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const { id } = await add(
		assemble('Loop', nodes, [
			['Start', { main: [to('Items')] }],
			['Items', { main: [to('Split')] }],
			['Split', { main: [to('Loop')] }],
			['Loop', { main: [to('Done'), to('Forget')] }],
			['Forget', { main: [to('Create')] }],
			['Create', { main: [to('Loop')] }],
		]),
	);
	expect((await run(id)).actions).toEqual(['created', 'created', 'skipped']);
	expect((await run(id)).actions).toEqual(['skipped', 'skipped', 'skipped']);
	expect(links()).toHaveLength(2);
});

test('a sub-workflow creates it once, whichever workflow calls it', async () => {
	const trigger: Node = {
		name: 'When Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const called = await add(chain('Called', trigger, forget(), create()));
	// n8n 2 calls published ones only; n8n 1 publishes none that nothing starts.
	if (!isN8n1) await harness.n8n.rest.activate(called);
	const call: Node = {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			workflowId: { __rl: true, mode: 'id', value: called.id },
			mode: 'once',
			options: { waitForSubWorkflow: true },
		},
	};
	const callers = [await add(chain('First', manualTrigger, call)), await add(chain('Second', manualTrigger, call))];
	const actions: unknown[] = [];
	for (const { id } of [...callers, ...callers]) actions.push(...(await run(id, 'Call')).actions);
	expect(actions).toEqual(['created', 'skipped', 'skipped', 'skipped']);
	expect(links()).toHaveLength(1);
});

test('a node that is renamed remembers, and a copy of it does not', async () => {
	const { id } = await add(chain('Renamed', manualTrigger, forget(), create()));
	expect((await run(id)).actions).toEqual(['created']);
	const { rest } = harness.n8n;
	const renamed = chain('Renamed', manualTrigger, forget(), create(undefined, { name: 'New Name' }));
	await rest.updateWorkflow({ id }, renamed);
	expect(await run(id, 'New Name')).toEqual({ actions: ['skipped'], hints: [SCHEDULED] });
	const copied = chain('Renamed', manualTrigger, forget(), create(undefined, { name: 'Copy', id: 'copy' }));
	await rest.updateWorkflow({ id }, copied);
	expect((await run(id, 'Copy')).actions).toEqual(['created']);
	expect(links()).toHaveLength(2);
});
