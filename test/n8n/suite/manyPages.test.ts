import type { PageSeed } from '../../../sandbox/account';
import type { Sandbox } from '../../../sandbox/server';
import type { Editor } from '../support/editor';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import type { Stored } from '../support/rest';
import { useEditor } from '../support/harness';
import { callWebhook, webhook } from '../support/webhook';
import { chain, manualTrigger, type Node, profilePage, splitOut } from '../support/workflows';

const BLOCKS = ['1.1', '2.2', '3.3'];
const pages: PageSeed[] = Array.from({ length: 300 }, (_, index) => ({
	id: `PAGE_${index}`,
	blocks: BLOCKS.map((id) => ({ id, type: 'BLOCK_TITLE' })),
}));

const harness = useEditor('n8n-many-pages', { pages });
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
});
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
	sandbox.faults.latency = 0;
});

const orders = () => pages.map(({ id }) => sandbox.account.order(id));

/** A node that reads the page and the order from each item. */
function reorderEach(batchSize: number): Node {
	return profilePage(credential, {
		resource: 'blocks',
		operation: 'reorder',
		pageId: '={{ $json.page }}',
		blockOrder: 'value',
		blockIdsValue: '={{ $json.ids }}',
		options: { batching: { batch: { batchSize, batchInterval: 0 } } },
	});
}

describe('reordering 300 pages with 50 concurrent requests', () => {
	const PATH = 'many-pages';
	beforeAll(async () => {
		const workflow = chain('Many pages', webhook(PATH), splitOut('body.items'), reorderEach(50));
		await harness.n8n.rest.activate(await harness.n8n.rest.createWorkflow(workflow));
	});

	/** Reverses the order of all pages; returns the expected orders and the IDs in the output. */
	async function reverseAll() {
		const items = pages.map(({ id }) => ({
			page: id,
			ids: sandbox.account.order(id).toReversed(),
		}));
		const response = await callWebhook(harness.n8n, PATH, { items });
		const blocks = JSON.parse(response) as Array<{ id: string }>;
		return { expected: items.map(({ ids }) => ids), ids: blocks.map(({ id }) => id) };
	}

	test('requests one token, and returns the blocks in the order of the items', async () => {
		sandbox.faults.latency = 100;
		const { expected, ids } = await reverseAll();
		expect(orders()).toEqual(expected);
		expect(ids).toEqual(expected.flat());
		expect(sandbox.recorder.grants).toBe(1);
		expect(sandbox.recorder.calls).toHaveLength(300);
		expect(sandbox.recorder.mostInFlight).toBeLessThanOrEqual(50);
		expect(sandbox.recorder.mostInFlight).toBeGreaterThan(25);
	});

	test('renews a revoked token once, and repeats at most one batch', async () => {
		sandbox.oauth.revokeAccessTokens();
		const { expected } = await reverseAll();
		expect(orders()).toEqual(expected);
		expect(sandbox.recorder.grants).toBe(1);
		expect(sandbox.recorder.calls.length).toBeLessThanOrEqual(350);
	});

	test('renews a token once that is revoked during the execution, without losing a page', async () => {
		sandbox.faults.latency = 20;
		let changes = 0;
		sandbox.account.on('change', () => {
			changes += 1;
			if (changes === 100) sandbox.oauth.revokeAccessTokens();
		});
		const { expected } = await reverseAll();
		expect(orders()).toEqual(expected);
		expect(sandbox.recorder.grants).toBe(1);
	});
});

describe('reordering many pages in the editor', () => {
	/** Opens the node in a workflow that reverses this many pages, and returns the workflow ID. */
	async function openNode(count: number, batchSize: number): Promise<string> {
		const items = pages.slice(0, count).map(({ id }) => ({
			json: { page: id, ids: sandbox.account.order(id).toReversed() },
		}));
		const workflow = {
			...chain(`${count} pages`, manualTrigger, reorderEach(batchSize)),
			pinData: { [manualTrigger.name]: items },
		};
		const { id } = await harness.n8n.rest.createWorkflow(workflow);
		await editor.openWorkflow(id);
		await editor.openNode('Profile Page');
		return id;
	}

	test('has the batching options of the HTTP Request node', async () => {
		await openNode(1, 25);
		await editor.panel.getByText('Items per Batch').waitFor();
		await editor.panel.getByText('Batch Interval (ms)').waitFor();
		expect(await editor.field('options.batching.batch.batchSize').inputValue()).toBe('25');
		await editor.panel.getByText('Batch Interval (ms)').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'options');
		await editor.closeNode();
	});

	test('shows a hint about a page whose blocks in the response differ', async () => {
		const blocks = [{ id: 'another', type: 'BLOCK_TITLE', position: 0 }];
		sandbox.faults.add({
			page: 'PAGE_1',
			fault: { status: 200, body: JSON.stringify({ status: true, data: { blocks } }) },
		});
		await openNode(2, 10);
		await editor.executeStep();
		const hint = 'The service accepted the order of page "PAGE_1", but returned other blocks or another order.';
		await editor.output.getByText(hint).waitFor();
		expect((await editor.outputRows()).map(([id]) => id)).toEqual([...sandbox.account.order('PAGE_0'), 'another']);
		await editor.closeNode();
	});

	test('reports which items succeeded, failed, and were not sent', async () => {
		sandbox.faults.add({ page: 'PAGE_2', fault: { status: 400 } });
		await openNode(5, 1);
		await editor.executeStep();
		expect(await editor.error()).toEqual({
			message:
				'The blocks of page "PAGE_2" were not reordered: the service rejected the request (400) – item 2 of 5 failed; 2 were not sent',
			description: expect.stringMatching(/ Succeeded: 2; failed: item 2 \(counted from 0\); not sent: 2\.$/) as string,
		});
		await editor.closeNode();
	});

	test('aborts the requests in flight and sends no more after the stop button', async () => {
		sandbox.faults.latency = 300;
		for (const { id } of pages.slice(20)) sandbox.faults.add({ page: id, fault: 'hang' });
		const workflowId = await openNode(60, 10);
		await editor.closeNode();
		await editor.byTestId('execute-workflow-button').first().click();
		await until('requests hang', () => sandbox.recorder.calls.length === 30);
		await editor.byTestId('stop-execution-button').click();
		await until('no request is in flight', () => sandbox.recorder.inFlight === 0);
		const sent = sandbox.recorder.requests.length;
		await editor.byTestId('execute-workflow-button').first().waitFor();
		expect(sandbox.recorder.requests).toHaveLength(sent);
		expect(sent - sandbox.recorder.grants).toBe(30);
		// n8n stores it after it has told the editor.
		const isCanceled = async () => (await harness.n8n.rest.executions(workflowId))[0]?.status === 'canceled';
		await until('the execution is canceled', isCanceled);
	});
});
