/** Examples with the nodes and the data that people put into them, as their notes say. */
import type { IDataObject, INodeType } from 'n8n-workflow';

import { describePlainNode, type WorkflowFile } from '../../runner';
import { titledBlocks } from '../../sandbox/account';
import { stopDate } from '../support/dates';
import { change, notesOf, readExample, toItems, useExamples } from '../support/examples';
import { DataTables } from '../support/n8nNodes';
import { HOME } from '../support/pages';

const { harness, start, run } = useExamples();
afterEach(() => jest.useRealTimers());

/** An event as Google Calendar returns it. */
interface CalendarEvent extends IDataObject {
	start: { dateTime?: string; date?: string; timeZone?: string };
	end: CalendarEvent['start'];
}

const links = () => harness.sandbox.account.links.all;

/** The table with a row for each link. */
const SCHEDULE = 'profile-page-schedule';

describe('The example links-for-events.json', () => {
	const example = readExample('links-for-events.json');
	const NOW = '2026-11-28T12:00:00Z';

	let tables: DataTables;
	beforeEach(() => {
		tables = new DataTables();
		stopDate(NOW);
	});

	const rows = () => tables.rows(SCHEDULE);

	/** Runs it with these items of the calendar. */
	const startWith = async (items: readonly IDataObject[], timezone = 'Europe/Berlin') =>
		await start(
			{ ...example, settings: { ...example.settings, timezone } },
			{ dataTable: tables.node },
			{ 'Get the Events': toItems(items) },
		);

	/** Runs it with these events. Returns the rows of the table. */
	async function rowsFor(events: readonly CalendarEvent[], timezone?: string): Promise<IDataObject[]> {
		// Always Output Data, which the note says to turn on, gives an item without fields.
		const { error } = await startWith(events.length > 0 ? events : [{}], timezone);
		expect(error).toBeUndefined();
		return rows();
	}

	const at = (dateTime: string, timeZone?: string) => ({ dateTime, ...(timeZone && { timeZone }) });

	/** An event of two hours. */
	const event = (id: string, start: string, others: IDataObject = {}): CalendarEvent => ({
		id,
		summary: 'Concert',
		start: at(start),
		end: at(new Date(Date.parse(start) + 2 * 3_600_000).toISOString()),
		...others,
	});

	const inDays = (days: number) => new Date(Date.parse(NOW) + days * 24 * 3_600_000).toISOString();

	test('says what to set in Google Calendar, which else leaves out events after seven days and after the first 50', () => {
		expect(notesOf(example)).toMatch(/turn on \*\*Return All\*\*, empty \*\*Before\*\*.*\*\*Always Output Data\*\*/);
	});

	test('moves the row of an event that is put off by two months', async () => {
		const [row] = await rowsFor([event('a', inDays(3))]);
		expect(await rowsFor([event('a', inDays(60))])).toEqual([
			{ ...row, title: '27 Jan · Concert', from: expect.any(String) as string, to: expect.any(String) as string },
		]);
		expect(rows()[0]).toBe(row);
	});

	test.each<[what: string, start: string, end: string, timeZone: string | undefined, title: string]>([
		[
			'in Los Angeles, with the offset of the calendar',
			'2026-12-25T05:00:00+01:00',
			'2026-12-25T08:00:00+01:00',
			'America/Los_Angeles',
			'24 Dec',
		],
		['in UTC, of Los Angeles', '2026-12-25T04:00:00Z', '2026-12-25T06:00:00Z', 'America/Los_Angeles', '24 Dec'],
		['in Auckland', '2026-12-23T20:00:00Z', '2026-12-23T22:00:00Z', 'Pacific/Auckland', '24 Dec'],
		['without a time zone', '2026-12-24T20:00:00-08:00', '2026-12-24T23:00:00-08:00', undefined, '24 Dec'],
	])('names the day of the place for an event %s', async (_, start, end, timeZone, title) => {
		const [row] = await rowsFor([event('a', start, { start: at(start, timeZone), end: at(end, timeZone) })]);
		expect(row).toMatchObject({ title: `${title} · Concert` });
		expect(Date.parse(row!.to as string)).toBe(Date.parse(end));
		expect(Date.parse(row!.from as string)).toBe(Date.parse(start) - 30 * 24 * 3_600_000);
	});

	test.each([
		['Europe/Berlin', '2026-12-24T00:00:00+01:00'],
		['America/Los_Angeles', '2026-12-24T00:00:00-08:00'],
	])('takes a whole day for a day of the workflow in %s', async (timezone, midnight) => {
		const days = { start: { date: '2026-12-24' }, end: { date: '2026-12-26' } };
		const [row] = await rowsFor([event('a', NOW, days)], timezone);
		expect(row).toMatchObject({ title: '24 Dec · Concert' });
		expect(Date.parse(row!.to as string)).toBe(Date.parse(midnight) + 2 * 24 * 3_600_000);
	});

	const DESCRIPTIONS: Array<[description: string | undefined, url: string]> = [
		[undefined, 'https://example.com/tour'],
		['Doors at 8 pm', 'https://example.com/tour'],
		['Tickets: https://example.com/a.', 'https://example.com/a'],
		['(https://example.com/?a=1&amp;b=2)', 'https://example.com/?a=1&b=2'],
		['Tickets &lt;https://example.com/a&gt;', 'https://example.com/a'],
		['https://www.google.com/url?q=https://example.com/100%25%&amp;sa=D', 'https://example.com/100%25%'],
		['https://example.com/a&nbsp;or at the door', 'https://example.com/a'],
		['<b>Tickets</b><br><a href="https://example.com/a" target="_blank">here</a>', 'https://example.com/a'],
		['https://example.com/a<br>https://example.com/b', 'https://example.com/a'],
		[
			'<a href="https://www.google.com/url?q=https://example.com/a%3Fb%3D1&amp;sa=D&amp;source=calendar">Tickets</a>',
			'https://example.com/a?b=1',
		],
	];

	test('finds the address in the description of an event', async () => {
		const events = DESCRIPTIONS.map(([description], index) => event(`${index}`, inDays(3), { description }));
		expect((await rowsFor(events)).map(({ url }) => url)).toEqual(DESCRIPTIONS.map(([, url]) => url));
	});

	test('names the hall without its street, and needs neither a place nor a title', async () => {
		const location = 'Columbiahalle, Columbiadamm 13-21, 12101 Berlin, Germany';
		const rows = await rowsFor([
			event('a', inDays(3), { location }),
			event('b', inDays(3), { location, summary: undefined }),
			event('c', inDays(3), { summary: undefined }),
		]);
		expect(rows.map(({ title }) => title)).toEqual([
			'1 Dec · Columbiahalle: Concert',
			'1 Dec · Columbiahalle',
			'1 Dec',
		]);
	});

	test('takes an address in the location for the address of the event, not for its place', async () => {
		const rows = await rowsFor([
			event('a', inDays(3), { location: 'https://example.com/stream?a=1,2', description: 'Online' }),
		]);
		expect(rows).toMatchObject([{ title: '1 Dec · Concert', url: 'https://example.com/stream?a=1,2' }]);
	});

	test('makes no row for an event that is private, canceled, over, or no ordinary one', async () => {
		const rows = await rowsFor([
			event('private', inDays(3), { visibility: 'private' }),
			event('canceled', inDays(3), { status: 'cancelled' }),
			event('over', inDays(-3)),
			event('from an e-mail', inDays(3), { eventType: 'fromGmail' }),
			event('focus time', inDays(3), { eventType: 'focusTime' }),
			event('public', inDays(3), { visibility: 'public', status: 'confirmed', eventType: 'default' }),
		]);
		expect(rows.map((row) => row.event)).toEqual(['public']);
	});

	test('makes rows for the next 90 days of an event that repeats without an end', async () => {
		const weekly = Array.from({ length: 700 }, (_, week) =>
			event(`weekly_${week}`, inDays(7 * week + 1), { recurringEventId: 'weekly' }),
		);
		const rows = await rowsFor([...weekly, event('next year', inDays(400))]);
		expect(rows).toHaveLength(14);
		expect(rows.at(-1)).toMatchObject({ event: 'next year' });
	});

	test('deletes the rows of events that are gone, also of the last one, and keeps those of a person', async () => {
		const own = tables.add(SCHEDULE, { title: 'My own', url: 'https://example.com/own', event: null });
		await rowsFor([event('a', inDays(3)), event('b', inDays(4))]);
		expect(await rowsFor([event('b', inDays(4))])).toMatchObject([own, { event: 'b' }]);
		expect(await rowsFor([])).toEqual([own]);
	});

	test.each<[what: string, json: IDataObject]>([
		['could not be read, with On Error set to Continue', { error: 'Rate Limit Exceeded' }],
		['is not one', { message: 'ok' }],
		['has an event without dates', { id: 'a', summary: 'A', start: {}, end: {} }],
	])('changes no row if the calendar %s', async (_, json) => {
		const before = structuredClone(await rowsFor([event('a', inDays(3))]));
		const { error } = await startWith([json]);
		expect(error?.message).toContain('so no row is changed');
		expect(rows()).toEqual(before);
	});
});

/** The node Telegram, which notes what it would send. */
const telegram = (sent: IDataObject[]): INodeType => ({
	description: describePlainNode('telegram', {
		version: [1.2],
		properties: [
			{ displayName: 'Text', name: 'text', type: 'string', default: '' },
			{ displayName: 'Additional Fields', name: 'additionalFields', type: 'json', default: {} },
		],
	}),
	execute() {
		const read = (name: string, item: number) => this.getNodeParameter(name, item) as string;
		for (const item of this.getInputData().keys())
			sent.push({ text: read('text', item), options: read('additionalFields', item) });
		return Promise.resolve([this.getInputData()]);
	},
});

describe('The example announce-new-links.json', () => {
	const example = readExample('announce-new-links.json');

	const LINKS: Array<[title: string, url: string]> = [
		['One underscore', 'https://example.com/my_album'],
		['Two underscores', 'https://example.com/my_new_album'],
		['Signs of *Markdown*, [live]', 'https://example.com/(a)*b'],
		['Rock & Roll <3', 'https://example.com/?a=1&amp=2&lt;'],
	];

	/** Runs it with these links as the output of the trigger. Returns what Telegram gets. */
	async function announce(workflow: WorkflowFile, addressName = 'url'): Promise<IDataObject[]> {
		const sent: IDataObject[] = [];
		const items = LINKS.map(([title, url], index) => ({ link_id: index, title, [addressName]: url }));
		await run(workflow, { telegram: telegram(sent) }, { 'New Link': toItems(items) });
		return sent;
	}

	test.each(['url', 'link'])('sends titles and addresses to Telegram as HTML, from the field "%s"', async (name) => {
		const sent = await announce(change(example, 'Send the Message', { disabled: false }), name);
		const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
		// The note says so for another Telegram node, whose default loses or refuses underscores.
		expect(notesOf(example)).toMatch(/\*\*Parse Mode\*\* to \*HTML\*/);
		const options = { parse_mode: 'HTML', appendAttribution: false };
		expect(sent).toEqual(
			LINKS.map(([title, url]) => ({ text: escape(`New on our profile: ${title} ${url}`), options })),
		);
	});

	test('sends nothing until the node is activated', async () => {
		expect(await announce(example)).toEqual([]);
	});

	test('is about the newest link when it is executed in the editor, without Telegram', async () => {
		const { title, link } = harness.sandbox.account.links.list()[0]!;
		const outputs = await run(example, { telegram: telegram([]) });
		expect(outputs['Send the Message']).toEqual([{ message: `New on our profile: ${title} ${link}` }]);
	});
});

describe('The example add-tracking-tags.json', () => {
	const example = readExample('add-tracking-tags.json');
	const TAGS = 'utm_source=profile&utm_medium=link-in-bio';

	/** What the profile has before and after it. */
	const LINKS: Array<[title: string, before: string, after: string]> = [
		['Mail', 'mailto:me@example.com', 'mailto:me@example.com'],
		['Telephone', 'tel:+491701234567', 'tel:+491701234567'],
		['No address', '', ''],
		['Signs', 'HTTPS://example.com/?q=a%26b&x#top', `HTTPS://example.com/?q=a%26b&x&${TAGS}#top`],
		['Space', ' https://example.com/my album.pdf', `https://example.com/my%20album.pdf?${TAGS}`],
		['', 'https://example.com/untitled', `https://example.com/untitled?${TAGS}`],
		['Website', 'https://example.com/', `https://example.com/?${TAGS}`],
	];

	test('leaves links to e-mail and telephone and links without an address as they are, and changes all others once', async () => {
		for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
		for (const [title, link] of LINKS) harness.sandbox.account.links.add({ title, link });
		const tagged = LINKS.filter(([, before, after]) => before !== after).length;
		expect((await run(example))['Update the Links']).toHaveLength(tagged);
		expect(links().map(({ link }) => link)).toEqual(LINKS.map(([, link]) => link).toReversed());

		const { preview, ...parameters } = example.nodes.find(({ name }) => name === 'Update the Links')!.parameters;
		expect(preview).toBe(true);
		const real = change(example, 'Update the Links', { parameters });
		expect((await run(real))['Update the Links']).toHaveLength(tagged);
		expect(links().map(({ title, link }) => [title, link])).toEqual(
			LINKS.map(([title, , after]) => [title, after]).toReversed(),
		);
		expect((await run(real))['Update the Links']).toBeUndefined();
	});
});

describe('The example import-links-from-a-file.json', () => {
	const example = readExample('import-links-from-a-file.json');

	/** Imports the rows of an Excel file, as Extract from File returns them with empty cells. */
	const importRows = async (rows: readonly IDataObject[]) => await run(example, {}, { 'Read Excel': toItems(rows) });

	const url = 'https://example.com/';

	test('returns rows whose titles Excel has stored as numbers or true, with the reason, and imports the others', async () => {
		const before = links().length;
		// May 5, 12/31/1999, 9:30, 50%, and TRUE
		const stored = [46_147, 36_525, 9.5 / 24, 0.5, true].map((title) => ({ title, url, from: '' }));
		const outputs = await importRows([
			{ title: 'Tour', url: `${url}tour`, from: '' },
			...stored,
			{ title: 1984, url: `${url}1984`, from: '' },
		]);
		const problem = expect.stringContaining('Format the column as Text') as string;
		expect(outputs['Rows to Correct']).toMatchObject(stored.map(({ title }) => ({ title, url, problem })));
		const imported = links().slice(0, -before);
		expect(imported.map(({ title }) => title)).toEqual(['1984', 'Tour']);
	});

	test('skips empty rows, ignores other columns, also one of its own, and reads formatted dates', async () => {
		const before = links().length;
		const blank = { 'Title ': '', URL: '', From: '', To: '', Clicks: '', __EMPTY: '' };
		const outputs = await importRows([
			blank,
			{ ...blank, 'Title ': 'Concert', URL: url, From: 72_350 + 4 / 1440, To: 72_380 + 3 / 1440, Problem: 'old' },
			{ ...blank, 'Title ': ' ' },
			{ ...blank, 'Title ': 'Website', URL: ` ${url}website` },
			blank,
		]);
		expect(outputs['Rows to Correct']).toBeUndefined();
		expect(links().slice(0, -before)).toMatchObject([
			{ title: 'Website', link: `${url}website` },
			{
				title: 'Concert',
				schedule_from: expect.stringContaining('2098-01-30T00:04') as string,
				schedule_to: expect.stringContaining('2098-03-01T00:03') as string,
			},
		]);
	});
});

describe('The example export-links.json', () => {
	test('writes rows of which the import makes the same links, and returns those that are no web addresses', async () => {
		const { links: stored } = harness.sandbox.account;
		const clear = () => links().forEach(({ link_id: id }) => stored.delete(id));
		clear();
		stored.add({ title: 'Mail', link: 'mailto:me@example.com' });
		stored.add({ title: 'Bottom', link: 'https://example.com/?a=1,2&b=%20' });
		stored.add({ title: '=1+1 "Café", live', link: 'https://example.com/live', image: 'https://example.com/live.png' });
		stored.add({ title: '1984', link: 'https://example.com/1984' });
		const before = links().map(({ title, link, image }) => [title, link, image]);
		const { 'Columns of the Import': rows = [] } = await run(readExample('export-links.json'));
		expect(rows.map(Object.keys)).toEqual(before.map(() => ['title', 'url', 'image', 'from', 'to']));
		clear();
		const outputs = await run(readExample('import-links-from-a-file.json'), {}, { 'Read Excel': toItems(rows) });
		expect(outputs['Rows to Correct']).toMatchObject([{ title: 'Mail' }]);
		expect(links().map(({ title, link, image }) => [title, link, image])).toEqual(before.slice(0, -1));
	});
});

describe('The example find-broken-links.json', () => {
	const example = readExample('find-broken-links.json');
	const notFound = (host: string) => ({ error: { message: `getaddrinfo ENOTFOUND ${host}` } });

	/** What the HTTP Request node returns for `mailto:me@example.com`, for an empty address, and for none. */
	const NO_WEB_ADDRESSES = [
		{ error: 'Invalid URL: mailto:me@example.com. URL must start with "http" or "https".' },
		{ error: 'URL parameter cannot be empty' },
		{ error: 'URL parameter must be a string, got undefined' },
	];

	async function check(answers: IDataObject[]) {
		const listed = answers.map((_, index) => ({
			link_id: index,
			title: `Link ${index}`,
			url: `https://${index}.example`,
		}));
		const pinned = { 'Get the Links': toItems(listed), 'Ask Without the Page': toItems(answers) };
		return await start(example, {}, pinned);
	}

	test('takes no link without a web address for one whose host was found', async () => {
		const { error } = await check([notFound('0.example'), notFound('1.example'), ...NO_WEB_ADDRESSES]);
		expect(error?.message).toContain('n8n could not look up the host of any link');
	});

	test('finds none broken of links without a web address', async () => {
		const { error, runData } = await check([{ statusCode: 200 }, ...NO_WEB_ADDRESSES]);
		expect([error, runData['Broken Links']]).toEqual([undefined, undefined]);
	});
});

describe('The example show-a-link-while-live.json', () => {
	const example = readExample('show-a-link-while-live.json');
	const TITLE = '🔴 Live now';

	/** The conditions that a note of the example names, of which the first means yes, and the second no. */
	const [stock = [], opening = []] = notesOf(example)
		.split('\n')
		.map((line) => line.match(/(?<=`){{.+?}}(?=`)/g) ?? [])
		.filter(({ length }) => length === 2);

	/** With other conditions, and an answer of the shop in place of that of Twitch. */
	async function ask(expressions: readonly string[], answer: IDataObject) {
		const { parameters } = example.nodes.find(({ name }) => name === 'Is It True?')!;
		const rules = structuredClone(parameters.rules) as {
			values: Array<{ conditions: { conditions: Array<{ leftValue: string }> } }>;
		};
		for (const [index, { conditions }] of rules.values.entries()) {
			conditions.conditions[0]!.leftValue = `=${expressions[index]}`;
		}
		const workflow = change(example, 'Is It True?', { parameters: { ...parameters, rules } });
		const { error } = await start(
			{ ...workflow, settings: { timezone: 'Europe/Berlin' } },
			{},
			{
				'Ask Twitch': toItems([answer]),
			},
		);
		return { error: error?.message, isShown: titles().includes(TITLE) };
	}

	/** Runs it with this answer of Twitch. Returns its error, the titles of the links, and the paths of its changes. */
	async function check(answer: IDataObject) {
		harness.sandbox.recorder.reset();
		const { error } = await start(example, {}, { 'Ask Twitch': toItems([answer]) });
		const changes = harness.sandbox.recorder.calls.filter(({ method }) => method === 'POST');
		return { error: error?.message, titles: titles(), changes: changes.map(({ url }) => url.split('/').at(-1)) };
	}

	const titles = () => links().map(({ title }) => title);

	test('has a link on top while the stream is live, and changes nothing while the answer is the same or unknown', async () => {
		const others = titles();
		const live = { data: [{ user_login: 'your_name', type: 'live' }], pagination: {} };
		const over = { data: [], pagination: {} };
		expect(await check(live)).toEqual({ titles: [TITLE, ...others], changes: ['add'] });
		expect(await check(live)).toEqual({ titles: [TITLE, ...others], changes: [] });
		expect(await check({ error: 'Unauthorized', status: 401 })).toEqual({
			error: expect.stringContaining('Unauthorized') as string,
			titles: [TITLE, ...others],
			changes: [],
		});
		expect(await check(over)).toEqual({ titles: others, changes: ['delete'] });
		expect(await check(over)).toEqual({ titles: others, changes: [] });
	});

	test('neither doubles nor deletes a link of yours with the same address', async () => {
		harness.sandbox.account.links.add({ title: 'My channel', link: 'https://www.twitch.tv/your_name?live' });
		const before = titles();
		expect(await check({ data: [{ type: 'live' }] })).toEqual({ titles: before, changes: [] });
		expect(await check({ data: [] })).toEqual({ titles: before, changes: [] });
	});

	test('shows a link while a product is in stock, and leaves it as it is if the answer says neither', async () => {
		expect(await ask(stock, { available: true })).toEqual({ isShown: true });
		expect(await ask(stock, { available: 'maybe' })).toEqual({
			error: expect.stringContaining('neither yes nor no') as string,
			isShown: true,
		});
		expect(await ask(stock, { available: false })).toEqual({ isShown: false });
	});

	test('shows a link while a shop is open, in the time zone of the workflow', async () => {
		for (const [time, isShown] of [
			['08:59', false],
			['09:00', true],
			['17:59', true],
			['18:00', false],
		] as const) {
			stopDate(`2026-12-01T${time}:00+01:00`);
			expect(await ask(opening, {})).toEqual({ isShown });
		}
	});
});

describe('The example campaign.json', () => {
	const example = readExample('campaign.json');
	const titles = () => titledBlocks(harness.sandbox.account.page(HOME)!).map(({ title }) => title);

	const withDays = (first: string, last: string) => {
		const assignments = Object.entries({ first, last }).map(([name, value]) => ({ name, value, type: 'string' }));
		return change(example, 'The Campaign', { parameters: { assignments: { assignments } } });
	};

	test.each<[now: string, first: string, last: string, top: 'sponsor' | 'others' | 'unchanged']>([
		['2026-11-30T23:59:00+01:00', '2026-12-01', '2026-12-24', 'unchanged'],
		['2026-12-01T00:05:00+01:00', '2026-12-01', '2026-12-24', 'sponsor'],
		['2026-12-24T23:59:00+01:00', '2026-12-01', '2026-12-24', 'sponsor'],
		['2026-12-25T00:05:00+01:00', '2026-12-01', '2026-12-24', 'others'],
	])('at %s, for %s to %s, has on top: %s', async (now, first, last, top) => {
		stopDate(now);
		const before = titles();
		const workflow = withDays(first, last);
		await run({ ...workflow, settings: { ...workflow.settings, timezone: 'Europe/Berlin' } });
		if (top === 'sponsor')
			expect(titles()).toEqual(['Tour dates', ...before.filter((title) => title !== 'Tour dates')]);
		else expect(titles()).toEqual(before);
		const sent = harness.sandbox.recorder.calls.filter(({ method }) => method === 'POST');
		expect(sent).toHaveLength(top === 'unchanged' ? 0 : 1);
	});

	test.each([
		['24.12.2026', '31.12.2026'],
		['12/01/2026', '12/24/2026'],
		['2026-12-01', ''],
		['2026-12-24', '2026-12-01'],
	])('changes nothing and says how to write days if they are %p and %p', async (first, last) => {
		const { error } = await start(withDays(first, last));
		expect(error?.message).toContain('write both days as 2026-12-24');
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});
});
