/** What the editor shows of a run: errors, hints, and the items of a batch. test/integration/ has all messages. */
import { jsonResponse, statusFault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { HOME, pageSeed } from '../../support/pages';
import { batching, REORDER_EACH_ITEM } from '../../support/parameters';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import type { Stored } from '../support/rest';
import { profilePage, reorderList } from '../support/workflows';

const BLOCKS = ['1.1', '2.2', '3.3'];
const REVERSED = BLOCKS.toReversed();
const PAGES = [HOME, ...Array.from({ length: 60 }, (_, index) => `PAGE_${index}`)];

const harness = useEditor('n8n-messages', { pages: PAGES.map((id) => pageSeed(id, BLOCKS)) });
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

/** Opens a node that reverses as many pages, each from an item. Returns the ID of the workflow. */
async function openBatch(count: number, batchSize: number): Promise<string> {
	const items = PAGES.slice(0, count).map((page) => ({ page, ids: REVERSED }));
	const fields = { ...REORDER_EACH_ITEM, options: batching(batchSize) };
	return await editor.openInWorkflow(profilePage(credential, fields), items);
}

describe('the error in the editor says what happened, and what to do', () => {
	test('about a field', async () => {
		await editor.openInWorkflow(profilePage(credential, reorderList(HOME, ['1.1', '2.2', '1.1'])));
		await editor.executeStep();
		expect(await editor.error()).toEqual({
			message: 'Block IDs: block "1.1" is listed twice, as entries 1 and 3',
			description: 'List each block once.',
		});
	});

	test('about a response, with the words of the service', async () => {
		await editor.openInWorkflow(profilePage(credential, reorderList(HOME, ['1.1', '2.2'])));
		await editor.executeStep();
		expect(await editor.error()).toEqual({
			message: `The blocks of page "${HOME}" were not reordered: the service rejected the request (400)`,
			description:
				'List every block on the page, each exactly once, and check the Page. The service said: "Block 3.3 is missing."',
		});
	});

	test('about the access token', async () => {
		const wrong = await harness.n8n.rest.addPrivateApp(sandbox, { clientSecret: 'wrong' });
		await editor.openInWorkflow(profilePage(wrong, reorderList(HOME, BLOCKS)));
		await editor.executeStep();
		expect(await editor.error()).toEqual({
			message: 'No access token: the service rejected the Client ID or the Client Secret (401)',
			description:
				'Check both, and the Base URL, in the credential. The service said: "Invalid client: client is invalid".',
		});
	});

	test('about the items of a batch, with those that succeeded, failed, and were not processed', async () => {
		sandbox.faults.add({ page: 'PAGE_1', fault: statusFault(400) });
		await openBatch(5, 1);
		await editor.executeStep();
		expect(await editor.error()).toEqual({
			message:
				'The blocks of page "PAGE_1" were not reordered: the service rejected the request (400) – item 2 of 5 failed; 2 were not processed',
			description: expect.stringMatching(/ Items are counted from 0\.$/) as string,
		});
	});
});

test.each(['continueRegularOutput', 'continueErrorOutput'])(
	'a node returns the items that succeed, and the error of the other one, with On Error set to %s',
	async (onError) => {
		const items = [
			{ page: HOME, ids: REVERSED },
			{ page: HOME, ids: ['1.1'], note: 'invalid' },
		];
		await editor.openInWorkflow(profilePage(credential, REORDER_EACH_ITEM, { onError }), items);
		await editor.executeStep();
		const rows = await editor.outputRows();
		expect(rows.slice(0, 3).map(([id]) => id)).toEqual(REVERSED);
		const hasErrorOutput = onError === 'continueErrorOutput';
		if (hasErrorOutput) await editor.output.getByText('Error Branch').click();
		const errors = hasErrorOutput ? await editor.outputRows() : rows.slice(3);
		expect(errors).toHaveLength(1);
		expect(errors[0]?.join(' ')).toContain(
			`The blocks of page "${HOME}" were not reordered: the service rejected the request (400). List every block`,
		);
		if (hasErrorOutput) expect(errors[0]).toContain('invalid');
	},
);

test('a hint about a page whose blocks in the response differ is shown above the output', async () => {
	const blocks = [{ id: 'another', type: 'BLOCK_TITLE', position: 0 }];
	sandbox.faults.add({ page: 'PAGE_0', fault: jsonResponse({ status: true, data: { blocks } }) });
	await openBatch(2, 10);
	await editor.executeStep();
	const hint = 'The service accepted the order of page "PAGE_0", but returned other blocks or another order.';
	await editor.output.getByText(hint).waitFor();
	expect((await editor.outputRows()).map(([id]) => id)).toEqual([...REVERSED, 'another']);
});

test('the options contain the batching of the HTTP Request node', async () => {
	await openBatch(1, 25);
	await editor.panel.getByText('Items per Batch').waitFor();
	expect(await editor.field('options.batching.batch.batchSize').inputValue()).toBe('25');
	await editor.panel.getByText('Batch Interval (ms)').scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'options');
});

test('the stop button aborts the requests in flight, and no more are sent', async () => {
	sandbox.faults.latency = 300;
	for (const page of PAGES.slice(20)) sandbox.faults.add({ page, fault: 'hang' });
	const workflowId = await openBatch(60, 10);
	await editor.closeNode();
	await editor.byTestId('execute-workflow-button').first().click();
	await until('requests hang', () => sandbox.recorder.calls.length === 30);
	await editor.byTestId('stop-execution-button').click();
	await until('no request is in flight', () => sandbox.recorder.inFlight === 0);
	await editor.byTestId('execute-workflow-button').first().waitFor();
	expect(sandbox.recorder.calls).toHaveLength(30);
	// n8n stores it after it has told the editor.
	const isCanceled = async () => (await harness.n8n.rest.executions(workflowId))[0]?.status === 'canceled';
	await until('the execution is canceled', isCanceled);
});
