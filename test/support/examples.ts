import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, INode, INodeExecutionData, INodeType, IPinData, IRun } from 'n8n-workflow';

import { runWorkflow, useCredential, type WorkflowFile } from '../../runner';
import { useHarness } from './harness';
import { withNodes } from './n8nNodes';
import { LIST_PATHS } from './pages';

export const EXAMPLES = path.resolve(__dirname, '../../examples');

export const readExample = (name: string) =>
	JSON.parse(readFileSync(path.join(EXAMPLES, name), 'utf8')) as WorkflowFile;

/** Replaces fields of a node, as in the editor. */
export function change(example: WorkflowFile, name: string, fields: Partial<INode>): WorkflowFile {
	expect(example.nodes.map((node) => node.name)).toContain(name);
	return { ...example, nodes: example.nodes.map((node) => (node.name === name ? { ...node, ...fields } : node)) };
}

/** Returns the text of the notes of an example. */
export const notesOf = ({ nodes }: WorkflowFile) =>
	nodes.map(({ parameters }) => (parameters.content ?? '') as string).join('\n');

export const toItems = (items: readonly IDataObject[]): INodeExecutionData[] => items.map((json) => ({ json }));

type Outputs = Record<string, IDataObject[]>;

/** Gives the tests of a file a harness, and what runs examples with it. */
export function useExamples() {
	const harness = useHarness();

	/**
	 * Runs an example from its first node.
	 *
	 * @param nodes nodes that the runner does not have, by their types
	 * @param pinData what nodes return, by their names, without being run
	 */
	async function start(
		example: WorkflowFile,
		nodes: Record<string, INodeType> = {},
		pinData: IPinData = {},
	): Promise<IRun['data']['resultData']> {
		const store = harness.newStore();
		const file = useCredential(example, 'profilePageApi', harness.addCredential(store, LIST_PATHS));
		// n8n changes the nodes that it runs.
		const pinned = structuredClone({ ...file, pinData: { ...file.pinData, ...pinData } });
		return (await runWorkflow(withNodes(harness.loaded, nodes), store, pinned)).data.resultData;
	}

	/** Runs an example that succeeds. Returns what each node has returned at its first output. */
	async function run(...args: Parameters<typeof start>): Promise<Outputs> {
		const { error, runData } = await start(...args);
		expect(error).toBeUndefined();
		const outputs = Object.entries(runData).map(([name, [task]]) => {
			return [name, (task?.data?.main?.[0] ?? []).map(({ json }) => json)] as const;
		});
		return Object.fromEntries(outputs);
	}

	return { harness, start, run };
}
