import type { PageSeed } from '../../../sandbox/account';
import type { Sandbox } from '../../../sandbox/server';
import type { Editor } from '../support/editor';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import type { Stored } from '../support/rest';
import { Harness } from '../support/harness';
import { callWebhook, webhook } from '../support/webhook';
import { chain, manualTrigger, type Node, profilePage, splitOut } from '../support/workflows';

const BLOCKS = ['1.1', '2.2', '3.3'];
const pages: PageSeed[] = Array.from({ length: 300 }, (_, index) => ({
	id: `PAGE_${index}`,
	blocks: BLOCKS.map((id) => ({ id, type: 'BLOCK_TITLE' })),
}));

let harness: Harness;
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
beforeAll(async () => {
	harness = await Harness.open('n8n-many-pages', { pages });
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
});
afterAll(async () => await harness.close());
beforeEach(() => {
	sandbox.recorder.reset();
	sandbox.faults.clear();
	sandbox.faults.latency = 0;
});

const orders = () => pages.map(({ id }) => sandbox.account.order(id));

/** A node that takes page and order from its items. */
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

describe('300 pages at 50 requests under way', () => {
	const PATH = 'many-pages';
	beforeAll(async () => {
		const workflow = chain('Many pages', webhook(PATH), splitOut('body.items'), reorderEach(50));
		await harness.n8n.rest.activate(await harness.n8n.rest.createWorkflow(workflow));
	});

	/** Turns all pages round; gives the IDs of the blocks that come out. */
	async function turnRound() {
		const items = pages.map(({ id }) => ({
			page: id,
			ids: sandbox.account.order(id).toReversed(),
		}));
		const answer = await callWebhook(harness.n8n, PATH, { items });
		const blocks = JSON.parse(answer) as Array<{ id: string }>;
		return { expected: items.map(({ ids }) => ids), ids: blocks.map(({ id }) => id) };
	}

	test('cold: one grant, every page in its order, the blocks in the order of the items', async () => {
		sandbox.faults.latency = 100;
		const { expected, ids } = await turnRound();
		expect(orders()).toEqual(expected);
		expect(ids).toEqual(expected.flat());
		expect(sandbox.recorder.grants).toBe(1);
		expect(sandbox.recorder.calls).toHaveLength(300);
		expect(sandbox.recorder.mostInFlight).toBeLessThanOrEqual(50);
		expect(sandbox.recorder.mostInFlight).toBeGreaterThan(25);
	});

	test('after the token was revoked: one grant, and no more calls refused than go out together', async () => {
		sandbox.oauth.revokeAll();
		const { expected } = await turnRound();
		expect(orders()).toEqual(expected);
		expect(sandbox.recorder.grants).toBe(1);
		expect(sandbox.recorder.calls.length).toBeLessThanOrEqual(350);
	});

	test('when the token ends in the middle: one more grant, and nothing is lost', async () => {
		sandbox.faults.latency = 20;
		let changes = 0;
		sandbox.account.on('change', () => {
			changes += 1;
			if (changes === 100) sandbox.oauth.revokeAll();
		});
		const { expected } = await turnRound();
		expect(orders()).toEqual(expected);
		expect(sandbox.recorder.grants).toBe(1);
	});
});

describe('in the editor', () => {
	/** Opens a workflow that turns so many pages round, and the panel of its node; gives its ID. */
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

	test('the options are those of the HTTP Request node, in its words', async () => {
		await openNode(1, 25);
		await editor.panel.getByText('Items per Batch').waitFor();
		await editor.panel.getByText('Batch Interval (ms)').waitFor();
		expect(await editor.field('options.batching.batch.batchSize').inputValue()).toBe('25');
		await editor.panel.getByText('Batch Interval (ms)').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'options');
		await editor.closeNode();
	});

	test('a hint above the output names the page whose blocks came back otherwise', async () => {
		const blocks = [{ id: 'another', type: 'BLOCK_TITLE', position: 0 }];
		sandbox.faults.add({
			page: 'PAGE_1',
			fault: { status: 200, body: JSON.stringify({ status: true, data: { blocks } }) },
		});
		await openNode(2, 10);
		await editor.executeStep();
		const hint =
			'The service accepted the order of page "PAGE_1", but its answer has other blocks, or another order.';
		await editor.output.getByText(hint).waitFor();
		expect((await editor.outputRows()).map(([id]) => id)).toEqual([
			...sandbox.account.order('PAGE_0'),
			'another',
		]);
		await editor.closeNode();
	});

	test('a failure says what was done, what failed, and what was not sent', async () => {
		sandbox.faults.add({ page: 'PAGE_2', fault: { status: 400 } });
		await openNode(5, 1);
		await editor.executeStep();
		expect(await editor.errorMessage()).toMatch(
			/Done: items 0–1; failed: item 2; not sent: items 3–4 \(of 5, counted from 0\)\.$/,
		);
		await editor.closeNode();
	});

	test('the stop button ends what is under way, and nothing more is sent', async () => {
		sandbox.faults.latency = 300;
		for (const { id } of pages.slice(20)) sandbox.faults.add({ page: id, fault: 'hang' });
		const workflowId = await openNode(60, 10);
		await editor.closeNode();
		await editor.byTestId('execute-workflow-button').first().click();
		await until('requests hang', () => sandbox.recorder.calls.length === 30);
		await editor.byTestId('stop-execution-button').click();
		await until('nothing is under way', () => sandbox.recorder.inFlight === 0, 5);
		const sent = sandbox.recorder.requests.length;
		await editor.byTestId('execute-workflow-button').first().waitFor();
		expect(sandbox.recorder.requests).toHaveLength(sent);
		expect(sent - sandbox.recorder.grants).toBe(30);
		const [execution] = await harness.n8n.rest.executions(workflowId);
		expect(execution?.status).toBe('canceled');
	});
});
