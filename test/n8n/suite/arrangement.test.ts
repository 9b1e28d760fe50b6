import { DateTime } from 'luxon';

import { seededPages } from '../../../sandbox/seed';
import type { Sandbox } from '../../../sandbox/server';
import { SHOP } from '../../support/pages';
import type { Editor } from '../support/editor';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import type { Stored } from '../support/rest';
import { chain, manualTrigger, profilePage } from '../support/workflows';

/** A page whose block IDs all fit into the field. */
const tour = {
	id: 'PAGE_tour_65f1c0e1a2b3c',
	blocks: ['1.27182818', '2.28459045', '3.23536028'].map((part) => ({
		id: `65f1c0e1a2b3c${part}`,
		type: 'BLOCK_TITLE',
	})),
};

/** The time zone differs from that of n8n and the browser, which is UTC: the date may differ, too. */
const zone = 'Pacific/Kiritimati';
const settings = { executionOrder: 'v1', timezone: zone };

const harness = useEditor('n8n-arrangement', { pages: [...seededPages, tour] });
let sandbox: Sandbox;
let editor: Editor;
let credential: Stored;
let listed: string[];
beforeAll(async () => {
	({ sandbox, editor } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
	listed = order();
});

const order = (page = SHOP) => sandbox.account.order(page);

/** Opens the node in a new workflow, whose trigger returns these items. */
async function openNode(fields: object, items: object[] = [{}]): Promise<void> {
	const node = profilePage(credential, fields);
	const { id } = await harness.n8n.rest.createWorkflow({
		...chain('Arrangement', manualTrigger, node),
		pinData: { [manualTrigger.name]: items.map((json) => ({ json })) },
		settings,
	});
	await editor.openWorkflow(id);
	await editor.openNode('Profile Page');
}

/** Executes the step. Returns the rows of its output. */
async function run(): Promise<string[][]> {
	const { length } = sandbox.recorder.calls;
	await editor.executeStep();
	await until('the node has sent a request', () => sandbox.recorder.calls.length > length);
	let rows: string[][] = [];
	await until('the output shows the new order', async () => {
		rows = await editor.outputRows();
		const sent = sandbox.account.pages.map(({ id }) => order(id).join());
		return sent.some((ids) =>
			rows
				.map(([id]) => id)
				.join()
				.includes(ids),
		);
	});
	return rows;
}

/** Executes the step. Returns the order of the page after it. */
async function reorder(): Promise<string[]> {
	await run();
	return order();
}

/** Moves blocks from the top to the bottom. */
function rotated(count: number, blocks = listed): string[] {
	const start = ((count % blocks.length) + blocks.length) % blocks.length;
	return [...blocks.slice(start), ...blocks.slice(0, start)];
}

/** Returns the number of the current period, by the calendar of Luxon. */
const numberOf: Record<string, () => number> = {
	Day: () => now().startOf('day').diff(DateTime.fromISO('1970-01-01', { zone }), 'days').days,
	Hour: () => now().startOf('hour').toSeconds() / 3600,
	Month: () => now().year * 12 + now().month - 1,
	// A Monday.
	Week: () => now().startOf('week').diff(DateTime.fromISO('1969-12-29', { zone }), 'weeks').weeks,
};

const now = () => DateTime.now().setZone(zone);

describe('Arrangement in the editor', () => {
	const FIELDS = ['Resource', 'Operation', 'Page', 'Block Order', 'Block IDs', 'Arrangement'];

	beforeAll(async () => {
		const blockIdsValue = listed.join('\n');
		await openNode({ pageId: SHOP, blockOrder: 'value', blockIdsValue });
	});

	const KEEP = 'Blocks to Keep in Place';
	const shown = async () => (await editor.fieldNames()).filter((name) => !FIELDS.includes(name));

	test('follows a notice under Block Order that leads to the order that needs no IDs', async () => {
		const notice = editor.panel.locator('.notice');
		expect(await notice.innerText()).toMatch(/every block.*Blocks by Name/);
		const top = async (path: string) => (await editor.field(path).boundingBox())!.y;
		const { y } = (await notice.boundingBox())!;
		expect(y).toBeGreaterThan(await top('blockOrder'));
		expect(y).toBeLessThan(await top('arrangement'));
	});

	test('is As Listed until it is changed', async () => {
		expect(await editor.field('arrangement').inputValue()).toBe('As Listed');
		expect(await editor.fieldNames()).toEqual([...FIELDS, 'Options']);
	});

	test.each<[string, string[], () => string[]]>([
		['Reverse', [KEEP], () => listed.toReversed()],
		['As Listed', [], () => listed],
	])('set to %s has these further fields, and sets that order: %j', async (option, fields, expected) => {
		await editor.choose('arrangement', option);
		expect(await shown()).toEqual([...fields, 'Options']);
		expect(await reorder()).toEqual(expected());
	});

	test('set to Shuffle lets blocks stay, and sets a random order', async () => {
		await editor.choose('arrangement', 'Shuffle');
		expect(await shown()).toEqual([KEEP, 'Options']);
		const orders = [await reorder(), await reorder()];
		for (const ids of orders) expect(ids.toSorted()).toEqual(listed.toSorted());
		// One of 25 million runs sets the listed order twice.
		expect(orders).not.toEqual([listed, listed]);
	});

	test.each<[string, (moved: string[], others: string[]) => string[]]>([
		['Move to Top', (moved, others) => [...moved, ...others]],
		['Move to Bottom', (moved, others) => [...others, ...moved]],
	])('set to %s moves the blocks of Blocks to Move', async (option, join) => {
		await editor.choose('arrangement', option);
		expect(await shown()).toEqual(['Blocks to Move', 'Options']);
		const [first, , third, ...others] = listed as [string, string, string, ...string[]];
		await editor.enter('blocksToMove', `${third}, ${first}`);
		expect(await reorder()).toEqual(join([third, first], [listed[1]!, ...others]));
	});

	test('set to Move to Bottom names a block that is not in the order, and sends nothing', async () => {
		const { length } = sandbox.recorder.requests;
		await editor.enter('blocksToMove', 'another');
		await editor.executeStep();
		expect((await editor.error()).message).toContain('Blocks to Move: block "another" is not in the order of the page');
		expect(sandbox.recorder.requests).toHaveLength(length);
	});

	describe('set to Rotate', () => {
		beforeAll(async () => await editor.choose('arrangement', 'Rotate'));

		test('rotates every day until Rotate Every is changed', async () => {
			expect(await editor.field('rotateEvery').inputValue()).toBe('Day');
		});

		test.each(Object.keys(numberOf))('and Rotate Every to %s sets the order of the current period', async (period) => {
			const before = numberOf[period]!();
			await editor.choose('rotateEvery', period);
			expect(await shown()).toEqual([KEEP, 'Rotate Every', 'Rotation Start', 'Options']);
			const ids = await reorder();
			expect([before, numberOf[period]!()].map((count) => rotated(count))).toContainEqual(ids);
		});

		test('and Rotate Every to Custom moves as many blocks as Rotate By says', async () => {
			await editor.choose('rotateEvery', 'Custom');
			expect(await shown()).toEqual([KEEP, 'Rotate Every', 'Rotate By', 'Options']);
			expect(await reorder()).toEqual(rotated(1));
			await editor.enter('rotateBy', '-2');
			expect(await reorder()).toEqual(rotated(-2));
		});
	});
});

test('the output of Rotate lists the blocks in their new order', async () => {
	const ids = order(tour.id);
	await openNode({ pageId: tour.id, blockOrder: 'value', blockIdsValue: ids.join('\n') });
	await editor.choose('arrangement', 'Rotate');
	await editor.choose('rotateEvery', 'Week');
	const before = numberOf.Week!();
	const rows = await run();
	expect([before, numberOf.Week!()].map((count) => rotated(count, ids))).toContainEqual(rows.map(([id]) => id));
	await editor.output.getByText(/^Block ".*" is on top of page ".*" this week.*\./).waitFor();
	await editor.panel.getByText('Options', { exact: true }).scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'arrangement');
});

test('Rotation Start shows the listed order first, and the hint says so', async () => {
	const ids = order(tour.id);
	await openNode({ pageId: tour.id, blockOrder: 'value', blockIdsValue: ids.join('\n') });
	await editor.choose('arrangement', 'Rotate');
	await editor.choose('rotateEvery', 'Month');
	await editor.enterDate('rotateFrom', now().toFormat('yyyy-MM-dd 12:00:00'));
	const rows = await run();
	expect(rows.map(([id]) => id)).toEqual(ids);
	const next = now().startOf('month').plus({ month: 1 }).toFormat('cccc, d MMMM, 00:00');
	const hint = `this month. That is the order as listed: a page that has it does not change. The next block follows with the first run after ${next} (${zone}).`;
	await editor.output.getByText(hint).waitFor();
});

test('Arrangement reverses the list of Block IDs Below', async () => {
	await openNode({ pageId: SHOP, blockOrder: 'list', blockIds: listed });
	await editor.choose('arrangement', 'Reverse');
	expect(await reorder()).toEqual(listed.toReversed());
});

test('Include Page ID names the page of each block when several pages are reordered', async () => {
	const pages = sandbox.account.pages.map(({ id }) => ({ id, blocks: order(id) }));
	const items = pages.flatMap(({ id: page, blocks }) => blocks.map((id) => ({ page, id })));
	await openNode({ pageId: '={{ $json.page }}', blockOrder: 'inputItems' }, items);
	await editor.choose('arrangement', 'Reverse');
	await editor.addField('Add option', 'Include Page ID');
	await editor.toggle('options.includePageId');
	const expected = pages.flatMap(({ id: page, blocks }) => blocks.toReversed().map((id) => [id, page]));
	expect((await run()).map((cells) => [cells.at(0), cells.at(-1)])).toEqual(expected);
	expect(await editor.output.locator('th').allInnerTexts()).toContain('page_id');
});

test('a node that was saved without these fields sets the order as listed', async () => {
	const wanted = [...listed.slice(3), ...listed.slice(0, 3)];
	await openNode({ pageId: SHOP, blockOrder: 'value', blockIdsValue: wanted });
	const rows = await run();
	expect(order()).toEqual(wanted);
	expect(rows.map((cells) => [cells.length, cells[0], cells[2]])).toEqual(
		wanted.map((id, position) => [3, id, String(position)]),
	);
});
