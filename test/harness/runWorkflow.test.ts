import type { INode, INodeType } from 'n8n-workflow';

import { CredentialStore, describePlainNode, type LoadedPackage, runWorkflow } from '../../engine';
import { statusFault } from '../../sandbox/faults';
import { oneNodeWorkflow, Stage } from '../support/stage';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(async () => await stage.close());
beforeEach(() => stage.reset());

describe('the execution ID', () => {
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
		const { nodeTypes } = stage.loaded;
		const loaded: LoadedPackage = {
			...stage.loaded,
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

	test('can be chosen', async () => {
		expect(await run('given')).toBe('given');
	});
});

describe('a node with Retry On Fail', () => {
	const GET_INFO = { resource: 'me', operation: 'getInfo' };
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('is executed again until it succeeds', async () => {
		stage.sandbox.faults.add({ path: '/me', fault: statusFault(403), times: 2 });
		const { error, items } = await stage.runNode(GET_INFO, { settings: RETRY });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(stage.sandbox.recorder.calls).toHaveLength(3);
	});

	test('is executed as often as Max Tries allows', async () => {
		stage.sandbox.faults.add({ path: '/me', fault: statusFault(403) });
		const { error } = await stage.runNode(GET_INFO, { settings: RETRY });
		expect(error).toBeDefined();
		expect(stage.sandbox.recorder.calls).toHaveLength(3);
	});
});
