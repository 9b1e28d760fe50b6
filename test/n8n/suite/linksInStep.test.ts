/** An example with data tables, which only a complete n8n has. */
import type { IDataObject } from 'n8n-workflow';

import { useCredential } from '../../../runner/useCredential';
import { statusFault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/server';
import { DataTable } from '../support/dataTable';
import { useN8n } from '../support/harness';
import type { Stored } from '../support/rest';
import { readExample } from '../support/workflows';

const ADD = 'POST /oauth/v1/lnk/add';
const EDIT = 'POST /oauth/v1/lnk/edit';
const DELETE = 'POST /oauth/v1/lnk/delete';

const harness = useN8n('n8n-links-in-step', { links: [] });
let sandbox: Sandbox;
let credential: Stored;
beforeAll(async () => {
	({ sandbox } = harness);
	credential = await harness.n8n.rest.addPrivateApp(sandbox);
});
beforeEach(() => {
	sandbox.faults.clear();
	for (const { link_id: id } of links()) sandbox.account.links.delete(id);
	sandbox.recorder.reset();
});

const links = () => sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const calls = () => sandbox.recorder.calls.map(({ method, url }) => `${method} ${url}`);

/** Stores an example with the credential. */
async function add(file: string): Promise<Stored & { versionId: string }> {
	const example = useCredential(readExample(file), 'profilePageApi', credential);
	return await harness.n8n.rest.createWorkflow(example);
}

const run = async ({ id }: Stored, trigger: string) => await harness.n8n.rest.execute(id, trigger);

describe('keep-scheduled-links-in-step.json', () => {
	let workflow: Stored;
	let table: DataTable;
	let memory: DataTable;
	beforeAll(async () => {
		workflow = await add('keep-scheduled-links-in-step.json');
		const setUp = async () => await run(workflow, 'Set Up Once');
		expect([(await setUp()).status, (await setUp()).status]).toEqual(['success', 'success']);
		table = await DataTable.find(harness.n8n.rest, 'profile-page-schedule');
		memory = await DataTable.find(harness.n8n.rest, 'profile-page-created-links');
	});

	const keepInStep = async () => await run(workflow, 'Every 15 Minutes');

	const FROM = '2098-03-01T09:00:00.000Z';
	const row = (title: string, others: IDataObject = {}): IDataObject => ({
		title,
		url: `https://example.com/${title}`,
		from: FROM,
		...others,
	});

	/** Deletes all rows and links, and forgets both. */
	beforeEach(async () => {
		for (const { id } of await table.rows()) await table.delete('id', id);
		for (const { id } of await memory.rows()) await memory.delete('id', id);
	});

	/** Expects that each row has a link with its title, URL, image and dates, and that there is no other link. */
	async function expectInStep(): Promise<void> {
		const time = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : undefined);
		const rows = (await table.rows()).map(({ link_id, title, url, image, from, to }) => {
			return [Number(link_id), title, url, image ?? undefined, time(from), time(to)];
		});
		const existing = links().map((link) => {
			const { link_id, title, link: url, image, schedule_from: from, schedule_to: to } = link;
			return [link_id, title, url, image, time(from), time(to)];
		});
		const byId = ([a]: unknown[], [b]: unknown[]) => Number(a) - Number(b);
		expect(existing.toSorted(byId)).toEqual(rows.toSorted(byId));
	}

	test('is set up with one row, which becomes one scheduled link, however often it runs', async () => {
		await run(workflow, 'Set Up Once');
		await run(workflow, 'Set Up Once');
		for (const expected of [[ADD], [ADD]]) {
			expect((await keepInStep()).status).toBe('success');
			expect(calls()).toEqual(expected);
		}
		expect(titles()).toEqual(["New Year's concert"]);
		expect(sandbox.account.links.list()).toEqual([]);
		await expectInStep();
	});

	test('creates, updates, deletes and creates again, and does nothing in a second run', async () => {
		const image = 'https://example.com/picture.png';
		await table.add(row('A'), row('B'), row('C', { to: '2098-04-01T00:00:00.000Z' }), row('D'));
		expect((await keepInStep()).status).toBe('success');
		await expectInStep();
		const [, , , first] = links();

		await table.change('title', 'A', { title: 'A, renamed' });
		await table.delete('title', 'B');
		await table.change('title', 'C', { to: '2098-05-01T00:00:00.000Z' });
		await table.change('title', 'D', { image });
		await table.add(row('E'));
		sandbox.recorder.reset();
		expect((await keepInStep()).status).toBe('success');
		expect(calls().toSorted()).toEqual([ADD, ADD, ADD, DELETE, DELETE, DELETE, EDIT]);
		await expectInStep();
		expect(titles()).toEqual(['E', 'D', 'C', 'A, renamed']);
		expect(links().at(-1)?.link_id).toBe(first?.link_id);

		sandbox.recorder.reset();
		expect((await keepInStep()).status).toBe('success');
		expect(calls()).toEqual([]);
	});

	test('waits for a row until it has a title, a URL and a date', async () => {
		await table.add({ title: 'A' }, { title: 'B', url: 'https://example.com/B' }, { from: FROM });
		expect((await keepInStep()).status).toBe('success');
		expect(links()).toEqual([]);
	});

	test('goes on in the next run after a rejected deletion in the middle', async () => {
		await table.add(row('A'), row('B'), row('C'));
		await keepInStep();
		await table.change('title', 'A', { image: 'https://example.com/a.png' });
		await table.delete('title', 'B');
		await table.add(row('D'), row('E'));
		const fault = statusFault(400);
		sandbox.account.links.once('change', () => sandbox.faults.add({ path: '/delete', fault, times: 1 }));

		expect((await keepInStep()).status).toBe('error');
		await expect(expectInStep()).rejects.toThrow();
		expect((await keepInStep()).status).toBe('success');
		await expectInStep();
		expect(titles().toSorted()).toEqual(['A', 'C', 'D', 'E']);
	});

	test('creates the other links if one row is wrong, and says what is wrong until it is corrected', async () => {
		await table.add(row('A', { url: 'nowhere' }), row('B'));
		const problem = 'URL: "nowhere" is not a web address';
		for (const { error } of [await keepInStep(), await keepInStep()]) {
			expect(error).toContain(`A: ${problem}`);
		}
		const [wrong] = await table.rows();
		expect(wrong).toMatchObject({
			link_id: '',
			problem: expect.stringContaining(problem) as string,
		});
		expect(titles()).toEqual(['B']);
		await table.change('title', 'A', { url: 'https://example.com/A' });
		expect((await keepInStep()).status).toBe('success');
		await expectInStep();
		expect((await table.rows()).map((one) => one.problem)).toEqual(['', '']);
	});

	test('after a link whose creation is unknown, creates the others only, until a person enters its ID', async () => {
		await table.add(row('A'), row('B'));
		sandbox.faults.add({ path: '/add', fault: 'lost', times: 1 });
		for (const { error } of [await keepInStep(), await keepInStep()]) {
			expect(error).toContain('A: It is unknown whether the link "A" was created');
		}
		expect(titles()).toEqual(['B', 'A']);
		expect(calls()).toEqual([ADD, ADD]);

		const { link_id: id } = links().find(({ title }) => title === 'A')!;
		await table.change('title', 'A', { link_id: String(id) });
		expect((await keepInStep()).status).toBe('success');
		await expectInStep();
		await table.delete('title', 'A');
		expect((await keepInStep()).status).toBe('success');
		expect(titles()).toEqual(['B']);
	});

	test('after a link whose creation is unknown, creates it again once a person has cleared the cell', async () => {
		await table.add(row('A'));
		sandbox.faults.add({ path: '/add', fault: 'lost', times: 1 });
		await keepInStep();
		sandbox.account.links.delete(links()[0]!.link_id);
		await table.change('title', 'A', { link_id: '' });
		expect((await keepInStep()).status).toBe('success');
		await expectInStep();
	});

	test('writes an ID into the table that a run did not come to write', async () => {
		await table.add(row('A'));
		await keepInStep();
		const id = String(links()[0]!.link_id);
		await table.change('title', 'A', { link_id: '?', problem: 'It is unknown' });
		expect((await keepInStep()).status).toBe('success');
		expect(await table.rows()).toMatchObject([{ link_id: id, problem: '' }]);
		expect(calls()).toEqual([ADD]);
	});

	test('deletes a link again that a run has deleted, but did not come to forget', async () => {
		await table.add(row('A'));
		await keepInStep();
		sandbox.account.links.delete(links()[0]!.link_id);
		await table.delete('title', 'A');
		expect((await keepInStep()).status).toBe('success');
		expect([links(), await memory.rows()]).toEqual([[], []]);
	});
});
