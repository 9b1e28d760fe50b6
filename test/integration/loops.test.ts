import type { INode, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../../runner';
import { jsonResponse, statusFault } from '../../sandbox/faults';
import { oneNodeWorkflow, profilePageNode, useHarness } from '../support/harness';

const harness = useHarness();

const created = () => harness.sandbox.account.links.all.filter(({ title }) => title === 'A');

/** Runs Create several times in one execution, as in a loop, each time for this item. */
async function createInLoop(times: number, parameters: INodeParameters = {}) {
	const store = harness.newStore();
	const credentials = { profilePageApi: harness.addCredential(store) };
	const create = {
		resource: 'links',
		operation: 'create',
		title: '={{ $json.title }}',
		url: 'https://example.com/a',
		ifExists: 'skip',
		...parameters,
	};
	const file = oneNodeWorkflow(profilePageNode(create, { credentials }));
	const [outputs] = file.connections.Start!.main!;
	for (let run = 1; run < times; run += 1) outputs!.push({ ...outputs![0]! });
	return await runWorkflow(harness.loaded, store, file, { input: [{ json: { title: 'A' } }] });
}

describe('If Link Exists in a loop', () => {
	test('creates one link for runs with the same scheduled URL', async () => {
		const scheduleFrom = new Date(Date.now() + 86_400_000).toISOString();
		const run = await createInLoop(4, { additionalFields: { scheduleFrom } });
		expect(run.data.resultData.error).toBeUndefined();
		expect(created()).toHaveLength(1);
	});
});

describe('Several nodes of an execution', () => {
	/** Runs nodes one after another. */
	async function runChain(chain: Array<[name: string, parameters: INodeParameters, settings?: Partial<INode>]>) {
		const store = harness.newStore();
		const credentials = { profilePageApi: harness.addCredential(store) };
		const file = oneNodeWorkflow(profilePageNode(chain[0]![1], { credentials }), { executionOrder: 'v1' });
		file.nodes = [
			file.nodes[0]!,
			...chain.map(([name, parameters, more]) => profilePageNode(parameters, { name, id: name, credentials, ...more })),
		];
		const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
		file.connections = { Start: { main: [[to(chain[0]![0])]] } };
		for (const [index, [name]] of chain.slice(1).entries()) {
			file.connections[chain[index]![0]] = { main: [[to(name)]] };
		}
		return await runWorkflow(harness.loaded, store, file, { input: [{ json: {} }] });
	}

	const create = (url = 'https://example.com/a'): INodeParameters => ({
		resource: 'links',
		operation: 'create',
		title: 'A',
		url,
		ifExists: 'skip',
	});

	const linkId = { __rl: true, mode: 'id', value: "={{ $('Create').last().json.link_id }}" };
	const remove = { resource: 'links', operation: 'delete', linkId };
	const scheduled = { ...create(), additionalFields: { scheduleFrom: '2099-01-01T00:00:00Z' } };

	test.each<[string, INodeParameters, string]>([
		['skip', { resource: 'links', operation: 'update', linkId, updateFields: { title: 'B' } }, 'skipped'],
		['create again', remove, 'created'],
	])('%s a scheduled link after it was changed by its ID', async (_what, change, action) => {
		const run = await runChain([
			['Create', scheduled],
			['Change', change],
			['Create Again', scheduled],
		]);
		expect(run.data.resultData.error).toBeUndefined();
		const [{ data } = {}] = run.data.resultData.runData['Create Again']!;
		expect(data!.main![0]![0]!.json.action).toBe(action);
	});

	test('of different public-app credentials, which may be for different accounts, know nothing of each other', async () => {
		const tokens = await harness.connectPublicApp();
		const store = harness.newStore();
		const nodes = ['One', 'Other'].map((name) => {
			const credentials = { profilePageOAuth2Api: harness.addPublicApp(store, tokens) };
			return profilePageNode({ authentication: 'oAuth2', ...scheduled }, { name, id: name, credentials });
		});
		const file = oneNodeWorkflow(nodes[0]!, { executionOrder: 'v1' });
		file.nodes.push(nodes[1]!);
		const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
		file.connections = { Start: { main: [to('One')] }, One: { main: [to('Other')] } };
		const { data } = await runWorkflow(harness.loaded, store, file, { input: [{ json: {} }] });
		expect(data.resultData.runData.Other![0]!.data!.main![0]![0]!.json.action).toBe('created');
	});

	test.each([
		['was rejected', 'POST', statusFault(400)],
		['only read', 'GET', jsonResponse({ status: true })],
	])(
		'know what was created before Send Request %s, though the list does not show it yet',
		async (_how, method, fault) => {
			const listed = Array.from({ length: 50 }, (_, index) => ({
				link_id: index + 1001,
				link: `https://example.com/${index}`,
			}));
			harness.sandbox.faults.add({ path: '/lnk/list', fault: jsonResponse({ status: true, data: listed }) });
			harness.sandbox.faults.add({ path: '/oauth/v1/other', fault });
			const change = { resource: 'api', operation: 'request', method, path: '/oauth/v1/other' };
			const run = await runChain([
				['Create', create()],
				['Change', change, { onError: 'continueRegularOutput' }],
				['Create Again', create()],
			]);
			expect(run.data.resultData.error).toBeUndefined();
			expect(created()).toHaveLength(1);
		},
	);
});
