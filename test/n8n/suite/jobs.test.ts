/** Examples that are whole jobs, each done by its example alone, and twice in a row. See also wholeJobs.test.ts. */
import type { IDataObject } from 'n8n-workflow';

import type { WorkflowFile } from '../../../runner/runWorkflow';
import { useCredential } from '../../../runner/useCredential';
import { titledBlocks } from '../../../sandbox/account';
import { startHttpServer } from '../../support/httpServer';
import { HOME, LIST_PATHS } from '../../support/pages';
import { DataTable } from '../support/dataTable';
import { useN8n } from '../support/harness';
import { firstOutput } from '../support/n8n';
import type { Finished, Stored } from '../support/rest';
import { readExample } from '../support/workflows';

const ADD = 'POST /oauth/v1/lnk/add';
const EDIT = 'POST /oauth/v1/lnk/edit';
const DELETE = 'POST /oauth/v1/lnk/delete';
const LIST = 'GET /oauth/v1/lnk/list';
const SORT = 'POST /oauth/v1/page/blocks/sort';

const harness = useN8n('n8n-jobs', { links: [] });
let credential: Stored;
beforeEach(async () => {
	for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
	harness.sandbox.recorder.reset();
	// With a credential of its own, a test knows no links that others have created.
	credential = await harness.n8n.rest.addPrivateApp(harness.sandbox, LIST_PATHS);
});

const links = () => harness.sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const calls = () => harness.sandbox.recorder.calls.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '')}`);

/** Replaces parameters of a node of an example. */
function change(example: WorkflowFile, name: string, parameters: object): WorkflowFile {
	const nodes = example.nodes.map((node) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
	);
	return { ...example, nodes };
}

async function add(example: WorkflowFile): Promise<Stored> {
	return await harness.n8n.rest.createWorkflow(useCredential(example, 'profilePageApi', credential));
}

/** Runs a workflow from a trigger. Returns how it ended, and the requests that it sent. */
async function run({ id }: Stored, trigger: string): Promise<Finished & { sent: string[] }> {
	harness.sandbox.recorder.reset();
	const finished = await harness.n8n.rest.execute(id, trigger);
	return { ...finished, sent: calls() };
}

describe('show-a-link-while-live.json', () => {
	const URL = 'https://www.twitch.tv/your_name?live';
	let answer: { status: number; body: unknown };
	let web: Awaited<ReturnType<typeof startHttpServer>>;
	let workflow: Stored;
	beforeEach(async () => {
		web = await startHttpServer((_request, response) => {
			response.writeHead(answer.status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(answer.body));
		});
		const example = change(readExample('show-a-link-while-live.json'), 'Ask Twitch', { url: `${web.origin}/` });
		workflow = await add({ ...example, pinData: {} });
	});
	afterEach(() => web.close());

	const check = async (status: number, body: unknown) => {
		answer = { status, body };
		return await run(workflow, 'Every 5 Minutes');
	};

	test('has the link while the stream is live, and no more afterwards, and changes nothing while the answer is the same', async () => {
		const other = { title: 'Another', link: 'https://www.twitch.tv/another' };
		harness.sandbox.account.links.add(other);
		const live = { data: [{ type: 'live' }] };
		const over = { data: [] };
		for (const [body, expected, changes] of [
			[live, ['🔴 Live now', 'Another'], [ADD]],
			[live, ['🔴 Live now', 'Another'], []],
			[over, ['Another'], [DELETE]],
			[over, ['Another'], []],
			[live, ['🔴 Live now', 'Another'], [ADD]],
		] as const) {
			const { status, sent } = await check(200, body);
			expect(status).toBe('success');
			expect(sent.filter((call) => call !== LIST)).toEqual(changes);
			expect(titles()).toEqual(expected);
		}
		expect(links()[0]).toMatchObject({ link: URL });
	});

	test.each([
		[500, { data: [] }],
		[200, { error: 'Unauthorized' }],
		[200, 'down for maintenance'],
	])('leaves the link as it is if the check fails with %d and %j', async (status, body) => {
		await check(200, { data: [{}] });
		for (const finished of [await check(status, body), await check(status, body)]) {
			expect(finished).toMatchObject({ status: 'error', sent: [] });
			expect(titles()).toEqual(['🔴 Live now']);
		}
	});

	test('never deletes a link of yours that has the same address', async () => {
		harness.sandbox.account.links.add({ title: 'My channel', link: URL });
		for (const data of [[], [{ type: 'live' }], []]) {
			expect(await check(200, { data })).toMatchObject({ status: 'success', sent: [LIST] });
			expect(titles()).toEqual(['My channel']);
		}
	});

	test('is tried with the pinned answer, which says that the stream is live', async () => {
		const pinned = await add(readExample('show-a-link-while-live.json'));
		expect((await run(pinned, 'Every 5 Minutes')).status).toBe('success');
		expect(titles()).toEqual(['🔴 Live now']);
	});
});

describe('add-tracking-tags.json', () => {
	const example = readExample('add-tracking-tags.json');
	const TAGS = 'utm_source=profile&utm_medium=link-in-bio';
	const ADDRESSES: Array<[before: string, after: string]> = [
		['https://example.com', `https://example.com?${TAGS}`],
		['https://example.com/a?b=1&utm_source=old#c', `https://example.com/a?b=1&${TAGS}#c`],
		[`https://example.com/tagged?${TAGS}`, `https://example.com/tagged?${TAGS}`],
	];

	beforeEach(() => {
		for (const [link] of ADDRESSES) {
			harness.sandbox.account.links.add({ title: link, link, image: 'https://example.com/a.png' });
		}
	});

	const tryIt = async (file: WorkflowFile) => await run(await add(file), 'When clicking Execute workflow');

	test('shows first what it would change', async () => {
		const before = links();
		for (let time = 0; time < 2; time += 1) {
			const { status, outputs, sent } = await tryIt(example);
			expect([status, sent]).toEqual(['success', [LIST]]);
			const shown = firstOutput(outputs, 'Update the Links').map(({ json }) => json);
			expect(shown).toHaveLength(2);
			for (const item of shown) expect(item).toMatchObject({ preview: true, action: 'would_update' });
		}
		expect(links()).toEqual(before);
	});

	test('adds or exchanges the parameters, and changes nothing when it runs again', async () => {
		const { options, ...parameters } = example.nodes.find(({ name }) => name === 'Update the Links')!.parameters;
		expect(options).toEqual({ preview: true });
		const real = change(example, 'Update the Links', { ...parameters, options: {} });
		expect(await tryIt(real)).toMatchObject({ status: 'success', sent: [LIST, EDIT, EDIT] });
		expect(links().map(({ title, link, image }) => [title, link, image])).toEqual(
			ADDRESSES.map(([title, link]) => [title, link, 'https://example.com/a.png']).toReversed(),
		);
		expect(await tryIt(real)).toMatchObject({ status: 'success', sent: [LIST] });
	});
});

describe('campaign.json', () => {
	const example = readExample('campaign.json');
	const order = () => titledBlocks(harness.sandbox.account.page(HOME)!).map(({ title }) => title);

	/** With a first and a last day, in days from today. */
	const withDays = (first: number, last: number) => {
		const at = (days: number) => `={{ $now.plus({ days: ${days} }).toISODate() }}`;
		const assignments = [
			{ id: 'first', name: 'first', value: at(first), type: 'string' },
			{ id: 'last', name: 'last', value: at(last), type: 'string' },
		];
		return change(example, 'The Campaign', { assignments: { assignments } });
	};

	test('does nothing before the campaign, puts its block on top until its last day, and puts it back afterwards', async () => {
		const before = order();
		const during = ['Tour dates', ...before.filter((title) => title !== 'Tour dates')];
		for (const [first, last, expected, sent] of [
			[1, 2, before, []],
			[0, 1, during, [SORT]],
			[-1, 0, during, [SORT]],
			[-2, -1, before, [SORT]],
		] as const) {
			const workflow = await add(withDays(first, last));
			for (let time = 0; time < 2; time += 1) {
				const finished = await run(workflow, 'Every Day at 0:05');
				expect(finished.status).toBe('success');
				expect(finished.sent.filter((call) => call.startsWith('POST'))).toEqual(sent);
				expect(order()).toEqual(expected);
			}
		}
	});
});

describe('links-for-events.json', () => {
	const BERLIN = {
		id: 'berlin',
		summary: 'Concert',
		location: 'Berlin',
		description: 'Tickets: <a href="https://example.com/berlin">here</a>',
		start: { dateTime: '2098-05-01T20:00:00+02:00' },
		end: { dateTime: '2098-05-01T23:00:00+02:00' },
	};
	const VIENNA = {
		...BERLIN,
		id: 'vienna',
		location: 'Vienna',
		start: { date: '2098-06-01' },
		end: { date: '2098-06-02' },
	};

	let table: DataTable;
	let inStep: Stored;
	beforeAll(async () => {
		credential = await harness.n8n.rest.addPrivateApp(harness.sandbox, LIST_PATHS);
		inStep = await add(readExample('keep-scheduled-links-in-step.json'));
		expect((await run(inStep, 'Set Up Once')).status).toBe('success');
		table = await DataTable.find(harness.n8n.rest, 'profile-page-schedule');
	});
	beforeEach(async () => {
		for (const { id } of await table.rows()) await table.delete('id', id);
		await run(inStep, 'Every 15 Minutes');
	});

	/** Runs both workflows with these events. Returns what the second one has sent. */
	async function runBoth(events: readonly object[]): Promise<string[]> {
		const jsCode = `return ${JSON.stringify(events.map((json) => ({ json })))};`;
		const workflow = await add(change(readExample('links-for-events.json'), 'Get the Events', { jsCode }));
		expect(await run(workflow, 'Every Hour')).toMatchObject({ status: 'success', error: undefined });
		const { status, sent } = await run(inStep, 'Every 15 Minutes');
		expect(status).toBe('success');
		return sent;
	}

	const dates = () =>
		links().map(({ title, link, schedule_from: from, schedule_to: to }) => [
			title,
			link,
			Date.parse(from!),
			Date.parse(to!),
		]);

	test('makes a link for each event until its end, moves it with its event, and takes it away when the event is canceled', async () => {
		const own: IDataObject = { title: 'My own', url: 'https://example.com/own', from: '2098-01-01T00:00:00.000Z' };
		await table.add(own);
		expect(await runBoth([BERLIN, VIENNA])).toEqual([ADD, ADD, ADD]);
		expect(dates()).toContainEqual([
			'1 May · Berlin: Concert',
			'https://example.com/berlin',
			Date.parse('2098-04-01T20:00:00+02:00'),
			Date.parse(BERLIN.end.dateTime),
		]);
		expect(await runBoth([BERLIN, VIENNA])).toEqual([]);

		const moved = {
			...BERLIN,
			start: { dateTime: '2098-05-08T20:00:00+02:00' },
			end: { dateTime: '2098-05-08T23:00:00+02:00' },
		};
		expect(await runBoth([moved, VIENNA])).toEqual([DELETE, ADD]);
		expect(titles()).toEqual(['8 May · Berlin: Concert', '1 Jun · Vienna: Concert', 'My own']);

		expect(await runBoth([{ ...moved, status: 'cancelled' }, VIENNA])).toEqual([DELETE]);
		expect(titles()).toEqual(['1 Jun · Vienna: Concert', 'My own']);
		expect(await runBoth([])).toEqual([DELETE]);
		expect(await runBoth([])).toEqual([]);
		expect(titles()).toEqual(['My own']);
	});

	test('makes no link for an event that is over, and reads the place and the address as a person would', async () => {
		const over = { ...BERLIN, id: 'over', start: { date: '2001-05-01' }, end: { date: '2001-05-02' } };
		const description = 'Tickets (https://example.com/?a=1&amp;b=2).';
		expect(await runBoth([over, { ...BERLIN, location: undefined, description }])).toEqual([ADD]);
		expect(dates()[0]?.slice(0, 2)).toEqual(['1 May · Concert', 'https://example.com/?a=1&b=2']);
		expect(await runBoth([over])).toEqual([DELETE]);
	});

	test('runs with its example events, however often', async () => {
		const workflow = await add(readExample('links-for-events.json'));
		for (const expected of [[ADD, ADD], []]) {
			expect((await run(workflow, 'Every Hour')).status).toBe('success');
			expect(await run(inStep, 'Every 15 Minutes')).toMatchObject({ status: 'success', sent: expected });
		}
	});
});
