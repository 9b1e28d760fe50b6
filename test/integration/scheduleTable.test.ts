/** The example that keeps links in step with a table, step by step through n8n's loop. */
import type { IDataObject } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { readExample, useExamples } from '../support/examples';
import { DataTables } from '../support/n8nNodes';

const ADD = '/oauth/v1/lnk/add';
const EDIT = '/oauth/v1/lnk/edit';
const DELETE = '/oauth/v1/lnk/delete';

const SCHEDULE = 'profile-page-schedule';
const FROM = '2098-03-01T09:00:00.000Z';

const { harness, start } = useExamples();
const example = readExample('keep-scheduled-links-in-step.json');

let tables: DataTables;
beforeEach(() => {
	tables = new DataTables();
	for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
});

const links = () => harness.sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const rows = () => tables.rows(SCHEDULE);
const rowOf = (title: string) => rows().find((row) => row.title === title)!;

/** n8n returns null for cells that were never filled in. */
const EMPTY = { image: null, to: null, link_id: null, problem: null, event: null };

/** A row as a person fills it in. */
const row = (title: string, others: IDataObject = {}): IDataObject => {
	return { ...EMPTY, title, url: `https://example.com/${title}`, from: FROM, ...others };
};

/** Runs it once from a trigger. Returns the paths of its requests, and the message of its error. */
async function run(trigger = 'Every 15 Minutes') {
	harness.sandbox.recorder.reset();
	const nodes = example.nodes.filter(({ type, name }) => !type.endsWith('Trigger') || name === trigger);
	const { error } = await start({ ...example, nodes }, { dataTable: tables.node });
	return { sent: harness.sandbox.recorder.calls.map(({ url }) => url), error: error?.message };
}

/** Expects that each row has a link with its title, URL, image, and dates, and that there is no other link. */
function expectInStep(): void {
	const time = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : undefined);
	const byId = ([one]: unknown[], [other]: unknown[]) => Number(one) - Number(other);
	const expected = rows().map((each) => {
		return [Number(each.link_id), each.title, each.url, each.image ?? undefined, time(each.from), time(each.to)];
	});
	const existing = links().map((each) => {
		return [each.link_id, each.title, each.link, each.image, time(each.schedule_from), time(each.schedule_to)];
	});
	expect(existing.toSorted(byId)).toEqual(expected.toSorted(byId));
}

test('creates, updates, deletes, and creates again what has changed, beside its example, and sends nothing in a second run', async () => {
	await run('Set Up Once');
	await run('Set Up Once');
	expect(rows()).toMatchObject([{ title: "New Year's concert" }]);
	tables.add(SCHEDULE, row('A'), row('B'), row('C', { to: '2098-04-01T00:00:00.000Z' }), row('D'));
	expect((await run()).error).toBeUndefined();
	expectInStep();
	rowOf('A').title = 'A, renamed';
	tables.delete(SCHEDULE, ({ title }) => title === 'B');
	rowOf('C').to = '2098-05-01T00:00:00.000Z';
	rowOf('D').image = 'https://example.com/d.png';
	tables.add(SCHEDULE, row('E'));
	const { sent, error } = await run();
	expect([sent.toSorted(), error]).toEqual([[ADD, ADD, ADD, DELETE, DELETE, DELETE, EDIT], undefined]);
	expectInStep();
	expect(await run()).toEqual({ sent: [] });
});

test('leaves rows without a title, a URL, or a date alone, and says in one that cannot be a link why, until it is corrected', async () => {
	tables.add(SCHEDULE, row('', {}), row('No URL', { url: '' }), row('No date', { from: null }));
	tables.add(SCHEDULE, row('A', { url: 'nowhere' }), row('B'));
	expect((await run()).error).toMatch(/^A: /);
	expect((await run()).error).toMatch(/^A: /);
	expect(titles()).toEqual(['B']);
	expect(rowOf('A')).toMatchObject({ link_id: '', problem: expect.stringMatching(/^URL: /) as string });
	rowOf('A').url = 'https://example.com/A';
	tables.delete(SCHEDULE, ({ link_id: id }) => id === null);
	expect((await run()).error).toBeUndefined();
	expectInStep();
	expect(rows().map((one) => one.problem)).toEqual(['', '']);
});

test('never creates a link again whose creation is unknown, until a person says whether it is there', async () => {
	tables.add(SCHEDULE, row('A'), row('B'), row('C'));
	harness.sandbox.faults.add({ path: '/add', fault: 'lost', times: 2 });
	expect((await run()).error).toMatch(/A: It is unknown .*\nB: It is unknown /);
	expect((await run()).sent).toEqual([]);
	expect([rowOf('A').link_id, rowOf('B').link_id]).toEqual(['?', '?']);

	rowOf('A').link_id = String(links().find(({ title }) => title === 'A')!.link_id);
	harness.sandbox.account.links.delete(links().find(({ title }) => title === 'B')!.link_id);
	rowOf('B').link_id = '';
	expect(await run()).toEqual({ sent: [ADD] });
	expectInStep();
});

test.each([DELETE, ADD])('goes on in the next run after the service has rejected %s', async (path) => {
	tables.add(SCHEDULE, row('A'), row('B'));
	await run();
	rowOf('A').image = 'https://example.com/a.png';
	tables.delete(SCHEDULE, ({ title }) => title === 'B');
	tables.add(SCHEDULE, row('C'));
	harness.sandbox.faults.add({ path, fault: statusFault(400), times: 1 });
	expect((await run()).error).toBeDefined();
	expect((await run()).error).toBeUndefined();
	expectInStep();
	expect(titles().toSorted()).toEqual(['A', 'C']);
});
