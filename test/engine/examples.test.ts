import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { runWorkflow, useCredential, type WorkflowFile } from '../../engine';
import { Stage } from '../support/setup';

const FOLDER = path.resolve(__dirname, '../../examples');

let stage: Stage;
beforeEach(async () => (stage = await Stage.open()));
afterEach(async () => await stage.close());

function read(name: string): WorkflowFile {
	return JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as WorkflowFile;
}

async function run(name: string) {
	const store = stage.newStore();
	const file = useCredential(read(name), 'profilePageApi', stage.addCredential(store));
	const { resultData } = (await runWorkflow(stage.loaded, store, file)).data;
	expect(resultData.error).toBeUndefined();
	return resultData.runData[resultData.lastNodeExecuted!]?.[0]?.data?.main?.[0] ?? [];
}

test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))(
	'%s runs, holds no credential, and says what it is for',
	async (name) => {
		const { nodes } = read(name);
		expect(nodes.every(({ credentials }) => credentials === undefined)).toBe(true);
		expect(nodes.some(({ type }) => type === 'n8n-nodes-base.stickyNote')).toBe(true);
		expect(await run(name)).not.toHaveLength(0);
	},
);

test('reorder-blocks.json moves the last block of a page to the top', async () => {
	const before = stage.sandbox.account.order('PAGE_home_65f1c0a2b3d4e');
	await run('reorder-blocks.json');
	const after = stage.sandbox.account.order('PAGE_home_65f1c0a2b3d4e');
	expect(after).toEqual([before.at(-1), ...before.slice(0, -1)]);
});

test('reorder-from-input-items.json turns two pages round, with one call for each', async () => {
	const before = stage.sandbox.account.pages.map(({ id }) => stage.sandbox.account.order(id));
	await run('reorder-from-input-items.json');
	const after = stage.sandbox.account.pages.map(({ id }) => stage.sandbox.account.order(id));
	expect(after).toEqual(before.map((order) => order.toReversed()));
	expect(stage.sandbox.recorder.calls).toHaveLength(2);
});
