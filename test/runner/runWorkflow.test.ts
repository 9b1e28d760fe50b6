import type { INode, INodeType } from 'n8n-workflow';

import { CredentialStore, describePlainNode, type LoadedPackage, runWorkflow } from '../../runner';
import { statusFault } from '../../sandbox/faults';
import { oneNodeWorkflow, useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';

const harness = useHarness();

describe('The execution ID', () => {
	const type: INodeType = {
		description: describePlainNode('idOfExecution'),
		execute() {
			return Promise.resolve([[{ json: { id: this.getExecutionId() } }]]);
		},
	};
	const node: INode = {
		id: 'node',
		name: 'Node',
		type: 'test.idOfExecution',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};

	async function run(executionId?: string) {
		const { nodeTypes } = harness.loaded;
		const loaded: LoadedPackage = {
			...harness.loaded,
			nodeTypes: {
				...nodeTypes,
				getByNameAndVersion: (name, version) =>
					name === node.type ? type : nodeTypes.getByNameAndVersion(name, version),
			},
		};
		const store = new CredentialStore(loaded);
		const { data } = await runWorkflow(loaded, store, oneNodeWorkflow(node), { executionId });
		return data.resultData.runData[node.name]?.[0]?.data?.main?.[0]?.[0]?.json.id;
	}

	test('is different for each run', async () => {
		const ids = [await run(), await run()];
		expect(ids).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
		expect(ids[0]).not.toBe(ids[1]);
	});

	test('can be set', async () => {
		expect(await run('given')).toBe('given');
	});
});

describe('A node with Retry On Fail', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('is executed again until it succeeds', async () => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(403), times: 2 });
		const { error, items } = await harness.runNode(GET_INFO, { settings: RETRY });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(3);
	});

	test('is executed at most as often as Max Tries says', async () => {
		harness.sandbox.faults.add({ path: '/me', fault: statusFault(403) });
		const { error } = await harness.runNode(GET_INFO, { settings: RETRY });
		expect(error).toBeDefined();
		expect(harness.sandbox.recorder.calls).toHaveLength(3);
	});
});
