import { DateTime } from 'luxon';

import { seededPages } from '../../../sandbox/seed';
import { pageSeed } from '../../support/pages';
import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { profilePage } from '../support/workflows';

/** A page whose block IDs all fit into the field. */
const LISTED = ['65f1c0e1a2b3c1.27182818', '65f1c0e1a2b3c2.28459045', '65f1c0e1a2b3c3.23536028'];
const TOUR = 'PAGE_tour_65f1c0e1a2b3c';

/** The time zone differs from that of n8n and the browser, which is UTC: the date may differ, too. */
const zone = 'Pacific/Kiritimati';

const now = () => DateTime.now().setZone(zone);

const harness = useEditor('n8n-arrangement', { pages: [...seededPages, pageSeed(TOUR, LISTED)] });

beforeEach(async () => {
	const credential = await harness.n8n.rest.addPrivateApp(harness.sandbox);
	const fields = { pageId: TOUR, blockOrder: 'value', blockIdsValue: LISTED.join('\n') };
	await harness.editor.openInWorkflow(profilePage(credential, fields), [{}], { timezone: zone });
});

/** Executes the step. Returns the IDs in its output, which are those of the page. */
async function reorder(): Promise<string[]> {
	const { sandbox, editor } = harness;
	const { length } = sandbox.recorder.calls;
	await editor.executeStep();
	await until('the node has sent a request', () => sandbox.recorder.calls.length > length);
	const ids = (await editor.outputRows()).map(([id = '']) => id);
	expect(ids).toEqual(sandbox.account.order(TOUR));
	return ids;
}

test('Arrangement is As Listed until it is changed, and each choice shows its own fields', async () => {
	const { editor } = harness;
	const keep = 'Blocks to Keep in Place';
	const common = ['Resource', 'Operation', 'Page', 'Block Order', 'Block IDs', 'Arrangement', 'Options'];
	const further = async () => (await editor.fieldNames()).filter((name) => !common.includes(name));
	const shown = async (name: string) => await editor.panel.getByText(name, { exact: true }).waitFor();
	expect(await editor.field('arrangement').inputValue()).toBe('As Listed');
	expect(await editor.fieldNames()).toEqual(common);
	for (const [option, fields] of [
		['Reverse', [keep]],
		['Shuffle', [keep]],
		['Move to Top', ['Blocks to Move']],
		['Rotate', [keep, 'Rotate Every', 'Rotation Start']],
	] as const) {
		await editor.choose('arrangement', option);
		await shown(fields.at(-1)!);
		expect(await further()).toEqual(fields);
	}
	expect(await editor.field('rotateEvery').inputValue()).toBe('Day');
	await editor.choose('rotateEvery', 'Custom');
	await shown('Rotate By');
	expect(await further()).toEqual([keep, 'Rotate Every', 'Rotate By']);
});

test('Rotate sets the order of the current week in the time zone of the workflow, and a hint says until when', async () => {
	const { editor } = harness;
	await editor.choose('arrangement', 'Rotate');
	await editor.choose('rotateEvery', 'Week');
	/** The order of this week, by the calendar of Luxon, since a Monday. */
	const expected = () => {
		const weeks = now().startOf('week').diff(DateTime.fromISO('1969-12-29', { zone }), 'weeks').weeks;
		return LISTED.map((_, index) => LISTED[(index + weeks) % LISTED.length]);
	};
	const before = expected();
	expect([before, expected()]).toContainEqual(await reorder());
	await editor.output.getByText(/^On top of page ".*" this week: block ".*"\./).waitFor();
	await editor.panel.getByText('Options', { exact: true }).scrollIntoViewIfNeeded();
	await editor.panel.getByText('The order must contain').scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'arrangement');
});

test('Rotation Start, from the date picker, shows the listed order first, and the hint says so', async () => {
	const { editor } = harness;
	await editor.choose('arrangement', 'Rotate');
	await editor.choose('rotateEvery', 'Month');
	await editor.enterDate('rotateFrom', now().toFormat('yyyy-MM-dd 12:00:00'));
	expect(await reorder()).toEqual(LISTED);
	const next = now().startOf('month').plus({ month: 1 }).toFormat('cccc, d MMMM');
	const hint = `this month: block "${LISTED[0]}". This is the order as listed. From ${next}: block "${LISTED[1]}".`;
	await editor.output.getByText(hint).waitFor();
});
