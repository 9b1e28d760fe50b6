/** Examples with the nodes and the data that people put into them, as their notes say. */
import type { IDataObject, INodeType } from 'n8n-workflow';

import { describePlainNode, plainFields, type WorkflowFile } from '../../runner';
import { type Fault, statusFault } from '../../sandbox/faults';
import { stopDate } from '../support/dates';
import { change, notesOf, readExample, toItems, useExamples } from '../support/examples';
import { addLinks } from '../support/links';
import { DataTables } from '../support/n8nNodes';

const { harness, start, run } = useExamples();
afterEach(() => jest.useRealTimers());

const LIST = '/oauth/v1/lnk/list';
const ADD = '/oauth/v1/lnk/add';

const links = () => harness.sandbox.account.links.all;
const titles = () => links().map(({ title }) => title);
const urls = () => harness.sandbox.recorder.calls.map(({ url }) => url);

/** Deletes the links that the sandbox starts with. */
function clear(): void {
	for (const { link_id: id } of links()) harness.sandbox.account.links.delete(id);
}

/** Sets the time zone of a workflow. */
const inZone = (file: WorkflowFile, timezone: string) => ({ ...file, settings: { ...file.settings, timezone } });

describe('The example create-links-from-a-feed.json', () => {
	const example = readExample('create-links-from-a-feed.json');
	const [feed, pinned] = Object.entries(example.pinData!)[0]!;

	/** The links of the pinned items, the newest first. The enclosure of the last one is a sound, not a picture. */
	const BLOG = 'https://example.com/blog/';
	const ITEMS = [
		{ title: 'The new album is out', link: `${BLOG}new-album`, image: 'https://example.com/pictures/new-album.jpg' },
		{ title: 'Dates & places of the tour', link: `${BLOG}tour?from=feed` },
		{ title: 'Podcast: how the album’s songs were made', link: `${BLOG}podcast` },
	];

	beforeEach(clear);

	const newLinks = () => links().map(({ title, link, image }) => ({ title, link, image }));
	const withFeed = (items: IDataObject[]): WorkflowFile => ({ ...example, pinData: { [feed]: toItems(items) } });

	/** Returns items of a feed, the newest first. */
	function makeItems(count: number) {
		return Array.from({ length: count }, (_, index) => ({
			title: `Item ${count - index}`,
			link: `https://example.com/items/${count - index}`,
			isoDate: new Date(Date.UTC(2026, 0, count - index)).toISOString(),
		}));
	}

	const toLink = ({ title, link }: { title: string; link: string }) => ({ title, link });

	test('creates a link for each item, the newest at the top, and none again if its tracking parameters differ', async () => {
		await run(example);
		expect(newLinks()).toEqual(ITEMS);
		expect(urls()).toEqual([LIST, ADD, ADD, ADD]);
		const track = (url: string) => url.replace(/\?|$/, '?utm_source=rss&');
		await run(withFeed(pinned.map(({ json }) => ({ ...json, link: track((json.link ?? json.guid) as string) }))));
		expect(newLinks()).toEqual(ITEMS);
	});

	test.each<[name: string, fault: Fault]>([
		['fails', statusFault(500)],
		['creates a link and loses the response', 'lost'],
	])('loses no item and creates none twice when the service %s midway, and it runs again', async (_, fault) => {
		const { account, faults } = harness.sandbox;
		account.links.once('change', () => faults.add({ path: ADD, fault }));
		expect((await start(example)).error?.message).toContain('link "Dates & places of the tour"');
		faults.clear();
		await run(example);
		expect(newLinks()).toEqual(ITEMS);
	});

	test('creates the links of all other items when some have no web address, says so, and creates none twice', async () => {
		const [newest, second, third, oldest] = makeItems(4);
		const items = [newest!, { ...second, link: undefined }, { ...third, link: 'mailto:me@example.com' }, oldest!];
		for (const expected of [[LIST, ADD, ADD], [LIST]]) {
			harness.sandbox.recorder.reset();
			expect((await start(withFeed(items))).error?.message).toMatch(/URL.*\n.*URL/);
			expect(newLinks()).toEqual([newest!, oldest!].map(toLink));
			expect(urls()).toEqual(expected);
		}
	});

	/** Items as feeds have them, and how a person reads them. */
	const READ: Array<[item: IDataObject, expected: { title?: string; link?: string; image?: string }]> = [
		[{ title: 'Apple&#8217;s &amp; Caf&#xE9; &hellip;' }, { title: 'Apple’s & Café …' }],
		[{ title: '&amp;#8220;Hi&amp;#8221; &amp;amp; bye' }, { title: '“Hi” & bye' }],
		[{ title: '<b>New</b>s:<br/>all \n of <i>it</i>' }, { title: 'News: all of it' }],
		[{ title: '1 < 2 & 3 > 2; AT&T; &nosuch;' }, { title: '1 < 2 & 3 > 2; AT&T; &nosuch;' }],
		[{ title: undefined, link: '/untitled' }, { title: 'https://feeds.example.com/untitled' }],
		[{ title: undefined, contentSnippet: 'Hello &amp;\n world' }, { title: 'Hello & world' }],
		[{ title: { $: { type: 'xhtml' }, div: ['A'] }, contentSnippet: 'B' }, { title: 'B' }],
		[{ link: 'https://b.com/?a=1&amp;b=2' }, { link: 'https://b.com/?a=1&b=2' }],
		[{ link: undefined, guid: 'https://b.com/?p=1' }, { link: 'https://b.com/?p=1' }],
		[{ link: '', guid: 'a-1', enclosure: { url: 'https://c.com/1.mp3' } }, { link: 'https://c.com/1.mp3' }],
		[{ link: 'https://b.com/my episode.mp3?a=ä b' }, { link: 'https://b.com/my%20episode.mp3?a=%C3%A4%20b' }],
		[{ link: '/items/2?a=1' }, { link: 'https://feeds.example.com/items/2?a=1' }],
		[{ link: 'items/2' }, { link: 'https://feeds.example.com/blog/items/2' }],
		[{ link: '//d.com/2' }, { link: 'https://d.com/2' }],
		[{ link: 'https://b.com/?utm_source=rss&a=1&fbclid=2#top' }, { link: 'https://b.com/?a=1#top' }],
		[{ link: 'https://b.com/1?utm_source=rss#xtor=RSS-3-[lestitres]' }, { link: 'https://b.com/1' }],
		[{ enclosure: { url: '/my a.png', type: 'IMAGE/PNG' } }, { image: 'https://feeds.example.com/my%20a.png' }],
		[{ enclosure: { url: 'data:image/png;base64,AA==', type: 'image/png' } }, { image: undefined }],
		[{ 'media:group': { 'media:thumbnail': [{ $: { url: 'https://b.com/a' } }] } }, { image: 'https://b.com/a' }],
	];

	test('reads items as a person would', async () => {
		const items = READ.map(([item], index) => ({ title: 'Title', link: `/${index}`, ...item }));
		const url = 'https://feeds.example.com/blog/feed.xml?format=rss';
		await run(change(withFeed(items), feed, { parameters: { url } }));
		expect(newLinks()).toEqual(READ.map(([, expected]) => expect.objectContaining(expected) as unknown));
	});

	test('creates a link for each episode of a podcast whose episodes all have the link of the show', async () => {
		const show = 'https://example.com/show';
		const file = (name: string) => ({ url: `https://example.com/${name}.mp3`, type: 'audio/mpeg' });
		const episodes = [
			{ title: 'File', link: show, guid: 'a-3', enclosure: file('3') },
			{ title: 'Page', link: show, guid: `${show}?id=2`, enclosure: file('2') },
			{ title: 'Neither', link: show, guid: 'a-1' },
		];
		await run(withFeed(episodes.slice(1)));
		await run(withFeed(episodes));
		expect(newLinks().map(({ link }) => link)).toEqual(['https://example.com/3.mp3', `${show}?id=2`, show]);
	});

	test('uses the ID of an Atom entry, as its note says, if its first link is not that of its page', async () => {
		const entry = { title: 'Entry', link: 'https://example.com/1/comments', id: 'https://example.com/1' };
		const edited = JSON.stringify(withFeed([entry])).replace("const LINK = 'link';", "const LINK = 'id';");
		await run(JSON.parse(edited) as WorkflowFile);
		expect(newLinks()).toEqual([{ title: 'Entry', link: 'https://example.com/1' }]);
	});

	test('creates links for the newest 20 items only, and none again below 30 other links', async () => {
		const items = makeItems(25);
		await run(withFeed(items));
		const expected = items.slice(0, 20).map(toLink);
		expect(newLinks()).toEqual(expected);
		addLinks(harness.sandbox, 30);
		await run(withFeed(items));
		expect(newLinks().slice(30)).toEqual(expected);
	});
});

describe('The example links-for-events.json', () => {
	const example = readExample('links-for-events.json');
	const SCHEDULE = 'profile-page-schedule';
	const NOW = '2026-11-28T12:00:00Z';

	let tables: DataTables;
	beforeEach(() => {
		tables = new DataTables();
		stopDate(NOW);
	});

	const rows = () => tables.rows(SCHEDULE);

	/** Runs it with these items of the calendar. */
	const startWith = async (items: readonly IDataObject[], timezone = 'Europe/Berlin') =>
		await start(inZone(example, timezone), { dataTable: tables.node }, { 'Get the Events': toItems(items) });

	/** Runs it with these events. Returns the rows of the table. */
	async function rowsFor(events: readonly IDataObject[], timezone?: string): Promise<IDataObject[]> {
		// Always Output Data, which the note says to turn on, gives an item without fields.
		const { error } = await startWith(events.length > 0 ? events : [{}], timezone);
		expect(error).toBeUndefined();
		return rows();
	}

	const DAY = 24 * 3_600_000;
	const inDays = (days: number) => new Date(Date.parse(NOW) + days * DAY).toISOString();

	/** An event of two hours. */
	const event = (id: string, dateTime: string, others: IDataObject = {}): IDataObject => ({
		id,
		summary: 'Concert',
		start: { dateTime },
		end: { dateTime: new Date(Date.parse(dateTime) + DAY / 12).toISOString() },
		...others,
	});

	test('names the day of the place of an event, and is public from 30 days before it', async () => {
		const place = (id: string, dateTime: string, timeZone?: string) =>
			event(id, dateTime, { start: { dateTime, timeZone } });
		const found = await rowsFor([
			place('in Los Angeles, with the offset of the calendar', '2026-12-25T05:00:00+01:00', 'America/Los_Angeles'),
			place('in Los Angeles, in UTC', '2026-12-25T04:00:00Z', 'America/Los_Angeles'),
			place('without a time zone', '2026-12-24T20:00:00-08:00'),
			place('in Auckland', '2026-12-23T20:00:00Z', 'Pacific/Auckland'),
		]);
		expect(found.map(({ title }) => title)).toEqual(Array(4).fill('24 Dec · Concert'));
		const days = ['2026-11-25T04:00:00Z', '2026-11-25T04:00:00Z', '2026-11-25T04:00:00Z', '2026-11-23T20:00:00Z'];
		expect(found.map(({ from }) => Date.parse(from as string))).toEqual(days.map((day) => Date.parse(day)));
	});

	const ENDS = { 'Europe/Berlin': '2026-12-26T00:00:00+01:00', 'Pacific/Auckland': '2026-12-26T00:00:00+13:00' };

	test.each(Object.entries(ENDS))('takes a whole day for a day of the workflow in %s', async (timezone, midnight) => {
		const days = { start: { date: '2026-12-24' }, end: { date: '2026-12-26' } };
		const [row] = await rowsFor([event('a', NOW, days)], timezone);
		expect(row).toMatchObject({ title: '24 Dec · Concert' });
		expect(Date.parse(row!.to as string)).toBe(Date.parse(midnight));
	});

	const DESCRIPTIONS: Array<[description: string | undefined, url: string]> = [
		[undefined, 'https://example.com/tour'],
		['Tickets: https://example.com/a.', 'https://example.com/a'],
		['(https://example.com/?a=1&amp;b=2)', 'https://example.com/?a=1&b=2'],
		['Tickets &lt;https://example.com/a&gt;', 'https://example.com/a'],
		['https://www.google.com/url?q=https://example.com/100%25%&amp;sa=D', 'https://example.com/100%25%'],
		['https://example.com/a&nbsp;or at the door', 'https://example.com/a'],
		['<b>Tickets</b><br><a href="https://example.com/a" target="_blank">here</a>', 'https://example.com/a'],
		['<a href="https://www.google.com/url?q=https://b.com/a%3Fb%3D1&amp;sa=D">Tickets</a>', 'https://b.com/a?b=1'],
	];

	test('finds the address in the description of an event', async () => {
		const events = DESCRIPTIONS.map(([description], index) => event(`${index}`, inDays(3), { description }));
		expect((await rowsFor(events)).map(({ url }) => url)).toEqual(DESCRIPTIONS.map(([, url]) => url));
	});

	test('names the hall without its street, and takes an address in the location for that of the event', async () => {
		const location = 'Columbiahalle, Columbiadamm 13-21, 12101 Berlin, Germany';
		const found = await rowsFor([
			event('a', inDays(3), { location }),
			event('b', inDays(3), { location, summary: undefined }),
			event('c', inDays(3), { summary: undefined }),
			event('d', inDays(3), { location: 'https://example.com/stream?a=1,2', description: 'Online' }),
		]);
		const expected = ['1 Dec · Columbiahalle: Concert', '1 Dec · Columbiahalle', '1 Dec', '1 Dec · Concert'];
		expect(found.map(({ title }) => title)).toEqual(expected);
		expect(found[3]).toMatchObject({ url: 'https://example.com/stream?a=1,2' });
	});

	/** The owner of the calendar is no guest without an answer. */
	const invitation = (isOwn: boolean, responseStatus?: string): IDataObject => ({
		organizer: isOwn ? { self: true } : { email: 'organizer@example.com' },
		attendees: [{ responseStatus: 'accepted' }, ...(responseStatus ? [{ self: true, responseStatus }] : [])],
	});

	test('makes rows of public events of the owner, and of invitations that the owner has accepted', async () => {
		const events: Record<string, IDataObject> = {
			public: { visibility: 'public', status: 'confirmed', eventType: 'default' },
			'an invitation, accepted': invitation(false, 'accepted'),
			'own, with guests': invitation(true),
			'own, made without an answer': invitation(true, 'needsAction'),
		};
		const leftOut: Record<string, IDataObject> = {
			private: { visibility: 'private' },
			canceled: { status: 'cancelled' },
			over: { start: { dateTime: inDays(-4) }, end: { dateTime: inDays(-3) } },
			'from an e-mail': { eventType: 'fromGmail' },
			'an invitation, not answered': invitation(false, 'needsAction'),
			'an invitation, declined': invitation(false, 'declined'),
			'an invitation, maybe': invitation(false, 'tentative'),
			'an invitation of others': invitation(false),
			'own, declined': invitation(true, 'declined'),
		};
		const all = Object.entries({ ...leftOut, ...events }).map(([id, others]) => event(id, inDays(3), others));
		expect((await rowsFor(all)).map((row) => row.event)).toEqual(Object.keys(events));
	});

	test('makes rows for the next 90 days of an event that repeats without an end', async () => {
		const weekly = Array.from({ length: 700 }, (_, week) =>
			event(`weekly_${week}`, inDays(7 * week + 1), { recurringEventId: 'weekly' }),
		);
		const found = await rowsFor([...weekly, event('next year', inDays(400))]);
		expect(found).toHaveLength(14);
		expect(found.at(-1)).toMatchObject({ event: 'next year' });
	});

	test('moves the row of an event that is put off, deletes those of events that are gone, and keeps those of a person', async () => {
		const own = tables.add(SCHEDULE, { title: 'My own', url: 'https://example.com/own', event: null });
		const [, , { id } = {}] = await rowsFor([event('a', inDays(3)), event('b', inDays(4))]);
		expect(await rowsFor([event('b', inDays(60))])).toMatchObject([own, { event: 'b', id, title: '27 Jan · Concert' }]);
		expect(await rowsFor([])).toEqual([own]);
	});

	test.each<[what: string, json: IDataObject]>([
		['could not be read, with On Error set to Continue', { error: 'Rate Limit Exceeded' }],
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
		properties: plainFields({ text: '', additionalFields: {} }),
	}),
	execute() {
		const read = (name: string, item: number) => this.getNodeParameter(name, item) as IDataObject;
		const items = this.getInputData();
		sent.push(...items.map((_, item) => ({ text: read('text', item), options: read('additionalFields', item) })));
		return Promise.resolve([items]);
	},
});

describe('The example announce-new-links.json', () => {
	const example = readExample('announce-new-links.json');

	test('sends titles and addresses to Telegram as HTML', async () => {
		const LINKS: Array<[title: string, url: string, text: string]> = [
			['Two underscores', 'https://example.com/my_new_album', 'Two underscores https://example.com/my_new_album'],
			['Signs of *Markdown*, [live]', 'https://b.com/(a)*b', 'Signs of *Markdown*, [live] https://b.com/(a)*b'],
			['Rock & Roll <3', 'https://b.com/?a=1&amp=2', 'Rock &amp; Roll &lt;3 https://b.com/?a=1&amp;amp=2'],
		];
		const sent: IDataObject[] = [];
		const active = change(example, 'Send the Message', { disabled: false });
		const items = toItems(LINKS.map(([title, url], index) => ({ link_id: index, title, url })));
		await run(active, { telegram: telegram(sent) }, { 'New Link': items });
		const options = { parse_mode: 'HTML', appendAttribution: false };
		expect(sent).toEqual(LINKS.map(([, , text]) => ({ text: `New on our profile: ${text}`, options })));
	});

	test('writes a message about the newest link when it is executed in the editor, and sends none', async () => {
		const { title, link } = harness.sandbox.account.links.list()[0]!;
		const sent: IDataObject[] = [];
		const { 'Send the Message': passed } = await run(example, { telegram: telegram(sent) });
		expect([passed, sent]).toEqual([[{ message: `New on our profile: ${title} ${link}` }], []]);
	});
});

describe('The example import-links-from-a-file.json', () => {
	const example = readExample('import-links-from-a-file.json');
	const url = 'https://example.com/';

	beforeEach(() => {
		clear();
		stopDate('2026-11-28T20:00:00Z');
	});

	/** Imports the rows of an Excel file, as Extract from File returns them with empty cells. */
	async function importRows(rows: readonly IDataObject[], timezone = 'Europe/Berlin') {
		const outputs = await run(inZone(example, timezone), {}, { 'Read Excel': toItems(rows) });
		return outputs['Rows to Correct'];
	}

	test('returns rows whose titles Excel has stored as numbers or true, with the reason, and imports the others', async () => {
		// May 5, 12/31/1999, 9:30, 50%, and TRUE
		const stored = [46_147, 36_525, 9.5 / 24, 0.5, true].map((title) => ({ title, url, from: '' }));
		const good = ['Tour', 1984].map((title) => ({ title, url: `${url}${title}`, from: '' }));
		const problem = expect.stringContaining('Format the column as Text') as string;
		expect(await importRows([...stored, ...good])).toMatchObject(stored.map(({ title }) => ({ title, url, problem })));
		expect(titles()).toEqual(['1984', 'Tour']);
	});

	test('skips empty rows, ignores other columns, also one of its own, and reads formatted dates', async () => {
		const blank = { 'Title ': '', URL: '', From: '', To: '', Clicks: '', __EMPTY: '' };
		const rows = [
			blank,
			{ ...blank, 'Title ': 'Concert', URL: url, From: 72_350 + 4 / 1440, To: 72_380 + 3 / 1440, Problem: 'old' },
			{ ...blank, 'Title ': ' ' },
			{ ...blank, 'Title ': 'Website', URL: ` ${url}website` },
		];
		expect(await importRows(rows)).toBeUndefined();
		expect(links()).toMatchObject([
			{ title: 'Website', link: `${url}website` },
			{ title: 'Concert', schedule_from: '2098-01-30T00:04:00+01:00', schedule_to: '2098-03-01T00:03:00+01:00' },
		]);
	});

	/** November 28, 2026, and four years and a day earlier, as in a workbook that counts days from 1904. */
	const [TODAY, IN_1904] = [46_354, 46_354 - 1462];

	test.each<[from: string | number, timezone: string, problem: RegExp | undefined]>([
		[TODAY, 'Europe/Berlin', undefined],
		[IN_1904 + 30, 'Europe/Berlin', /^The date in from has passed.*counts days from 1904/],
		[36_000, 'Europe/Berlin', /^The date in from has passed/],
		[' 2026-11-27 18:00', 'Europe/Berlin', /^The date in from has passed/],
		['2026-11-28', 'Pacific/Auckland', /^The date in from has passed/],
		['2026-11-29 6:00', 'Pacific/Auckland', undefined],
		['2027-02-30', 'Europe/Berlin', /^Public From: there is no such day/],
		['28.11.2027', 'Europe/Berlin', /^Public From: "28\.11\.2027" is not a date/],
	])('publishes no row at once whose Public From has passed: %p in %s', async (from, timezone, problem) => {
		const failed = await importRows([{ title: 'Concert', url, from }], timezone);
		expect(failed?.[0]?.problem ?? 'none').toMatch(problem ?? 'none');
		expect(links()).toHaveLength(problem ? 0 : 1);
	});

	test('makes the same links of the rows that the example export-links.json writes, and returns those that are no web addresses', async () => {
		const { links: stored } = harness.sandbox.account;
		stored.add({ title: 'Mail', link: 'mailto:me@example.com' });
		stored.add({ title: 'Bottom', link: 'https://example.com/?a=1,2&b=%20' });
		stored.add({ title: '=1+1 "Café", live', link: 'https://example.com/live', image: 'https://example.com/live.png' });
		stored.add({ title: '1984', link: 'https://example.com/1984' });
		const toRow = () => links().map(({ title, link, image }) => [title, link, image]);
		const before = toRow();
		const { 'Columns of the Import': rows = [] } = await run(readExample('export-links.json'));
		expect(rows.map(Object.keys)).toEqual(before.map(() => ['title', 'url', 'image', 'from', 'to']));
		clear();
		expect(await importRows(rows)).toMatchObject([{ title: 'Mail' }]);
		expect(toRow()).toEqual(before.slice(0, -1));
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

	/** Exchanges the conditions. */
	function withConditions([yes = '', no = '']: readonly string[]): WorkflowFile {
		const text = JSON.stringify(example).replace('{{ $json.data.length > 0 }}', () => yes);
		return JSON.parse(text.replace('{{ $json.data.length === 0 }}', () => no)) as WorkflowFile;
	}

	/** Runs it with this answer. Returns its error, the titles of the links, and the paths of its changes. */
	async function check(answer: IDataObject, workflow = example) {
		harness.sandbox.recorder.reset();
		const { error } = await start(inZone(workflow, 'Europe/Berlin'), {}, { 'Ask Twitch': toItems([answer]) });
		const changes = harness.sandbox.recorder.calls.filter(({ method }) => method === 'POST');
		return { error: error?.message, titles: titles(), changes: changes.map(({ url }) => url.split('/').at(-1)) };
	}

	test('has a link on top while the stream is live, and changes nothing while the answer is the same or unknown', async () => {
		const others = titles();
		const live = { data: [{ user_login: 'your_name', type: 'live' }], pagination: {} };
		const over = { data: [], pagination: {} };
		expect(await check(live)).toEqual({ titles: [TITLE, ...others], changes: ['add'] });
		expect(await check(live)).toEqual({ titles: [TITLE, ...others], changes: [] });
		const error = expect.stringContaining('neither yes nor no') as string;
		expect(await check({ error: 'Unauthorized', status: 401 })).toMatchObject({ error, changes: [] });
		expect(await check(over)).toEqual({ titles: others, changes: ['delete'] });
		expect(await check(over)).toEqual({ titles: others, changes: [] });
	});

	test('neither doubles nor deletes a link of yours with the same address', async () => {
		harness.sandbox.account.links.add({ title: 'My channel', link: 'https://www.twitch.tv/your_name?live' });
		const before = titles();
		expect(await check({ data: [{ type: 'live' }] })).toEqual({ titles: before, changes: [] });
		expect(await check({ data: [] })).toEqual({ titles: before, changes: [] });
	});

	test('shows a link while a product is in stock', async () => {
		const changes = [];
		for (const available of [true, 'maybe', false]) {
			changes.push((await check({ available }, withConditions(stock))).changes);
		}
		expect(changes).toEqual([['add'], [], ['delete']]);
	});

	test('shows a link while a shop is open, in the time zone of the workflow', async () => {
		const changes = [];
		for (const time of ['08:59', '09:00', '17:59', '18:00']) {
			stopDate(`2026-12-01T${time}:00+01:00`);
			changes.push((await check({}, withConditions(opening))).changes);
		}
		expect(changes).toEqual([[], ['add'], [], ['delete']]);
	});
});
