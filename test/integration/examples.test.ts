import { readdirSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { DateTime } from 'luxon';
import { type IDataObject, type IRun, type IRunData, NodeHelpers } from 'n8n-workflow';

import { runWorkflow, useCredential, type WorkflowFile } from '../../runner';
import { type Fault, statusFault } from '../../sandbox/faults';
import { titledBlocks } from '../../sandbox/account';
import { seededLinks } from '../../sandbox/seed';
import { stopDate } from '../support/dates';
import { change, EXAMPLES, readExample as read } from '../support/examples';
import { oneNodeWorkflow, useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { HOME, LIST_PATHS, SHOP } from '../support/pages';

const NOTE = 'n8n-nodes-base.stickyNote';

const harness = useHarness();
afterEach(() => jest.useRealTimers());

type Result = IRun['data']['resultData'];

/** Runs an example from its first node, or with these items as the output of that node. */
async function start(example: WorkflowFile, items?: IDataObject[]): Promise<Result> {
	const store = harness.newStore();
	const file = useCredential(example, 'profilePageApi', harness.addCredential(store, LIST_PATHS));
	const input = items?.map((json) => ({ json }));
	return (await runWorkflow(harness.loaded, store, file, { input })).data.resultData;
}

/** Runs an example that succeeds. Returns the outputs. */
async function run(...args: Parameters<typeof start>): Promise<IRunData> {
	const { error, runData } = await start(...args);
	expect(error).toBeUndefined();
	return runData;
}

/** Runs an example that stops with an error. Returns its message. */
async function fail(example: WorkflowFile): Promise<string | undefined> {
	return (await start(example)).error?.message;
}

/** Runs an example at a moment, in a time zone. */
async function runAt(moment: Date, timezone: string, example: WorkflowFile): Promise<void> {
	stopDate(moment.getTime());
	await run({ ...example, settings: { ...example.settings, timezone } });
}

const order = (pageId: string) => harness.sandbox.account.order(pageId);
const orderOfHome = () => order(HOME);
const urls = () => harness.sandbox.recorder.calls.map(({ url }) => url);
const SORT = '/oauth/v1/page/blocks/sort';
const LIST = '/oauth/v1/lnk/list';
const ADD = '/oauth/v1/lnk/add';
const DELETE = '/oauth/v1/lnk/delete';

describe.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json')))('The example %s', (name) => {
	const { nodes, connections, pinData, ...others } = read(name);
	const notes = nodes.filter(({ type }) => type === NOTE);
	const steps = nodes.filter(({ type }) => type !== NOTE);

	test('contains no credential and no data of a run, and says what it is for', () => {
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
		// Except for a feed or another service, whose address is only an example.
		const examples = steps.filter(({ parameters: { url = '' } }) =>
			/^https:\/\/(example\.com|api\.twitch\.tv)\//.test(typeof url === 'string' ? url : ''),
		);
		expect(Object.keys(pinData ?? {})).toEqual(examples.map((node) => node.name));
		// No instance ID, no owner, no state.
		expect(Object.keys(others).sort()).toEqual(['name', 'settings']);
		expect(notes[0]?.parameters.content).toMatch(/^## \w/);
	});

	test('connects nodes that exist, and each node has a readable ID', () => {
		const linked = Object.entries(connections).flatMap(([from, outputs]) => [
			from,
			...Object.values(outputs).flatMap((links) => links.flat().map((link) => link?.node)),
		]);
		expect(new Set(linked)).toEqual(new Set(steps.map((node) => node.name)));
		for (const { id } of nodes) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	});

	test('sets only fields that the Profile Page node has and shows', () => {
		const own = nodes.filter(({ type }) => type.startsWith('n8n-nodes-profile-page.'));
		// That one fills the table of another example.
		expect(own.length > 0).toBe(name !== 'links-for-events.json');
		for (const node of own) {
			const asNode = { ...node, type: node.type.replace(/Tool$/, '') };
			const { description } = harness.loaded.nodeTypes.getByNameAndVersion(asNode.type, 1);
			// Fields that a tool has in addition to those of the node.
			const { descriptionType, toolDescription, ...fields } = node.parameters;
			expect(Boolean(toolDescription)).toBe(descriptionType === 'manual');
			expect(
				NodeHelpers.getNodeParameters(description.properties, fields, true, false, asNode, description),
			).toMatchObject(fields);
			expect(NodeHelpers.getNodeParametersIssues(description.properties, asNode, description)).toBeNull();
		}
	});
});

test('the example reorder-blocks.json moves the last block of a page to the top', async () => {
	const before = orderOfHome();
	await run(read('reorder-blocks.json'));
	expect(orderOfHome()).toEqual([before.at(-1), ...before.slice(0, -1)]);
});

test('the example move-a-block-to-the-top.json moves one block, and keeps the order of the others', async () => {
	const [first, second, third, fourth] = orderOfHome();
	await run(read('move-a-block-to-the-top.json'));
	expect(orderOfHome()).toEqual([third, first, second, fourth]);
	expect(urls()).toEqual([`/oauth/v1/sandbox/blocks?page_id=${HOME}`, SORT]);
});

test('the example rotate-every-week.json moves the block below the picture to the bottom in each run', async () => {
	const [picture = '', top = '', ...others] = order(SHOP);
	await run(read('rotate-every-week.json'));
	expect(order(SHOP)).toEqual([picture, ...others, top]);
	await run(read('rotate-every-week.json'));
	expect(order(SHOP)).toEqual([picture, ...others.slice(1), top, others[0]]);
});

test('the example put-one-kind-first.json moves the icons to the top, and keeps the order of all others', async () => {
	const before = harness.sandbox.account.page(SHOP)!.blocks;
	const ofType = (type: string) => before.filter((block) => block.type === type);
	const expected = [...ofType('BLOCK_ICONS'), ...ofType('BLOCK_PROFILEPIC'), ...ofType('BLOCK_TITLE')];
	expect(expected).toHaveLength(before.length);
	expect(expected).not.toEqual(before);
	await run(read('put-one-kind-first.json'));
	expect(order(SHOP)).toEqual(expected.map(({ id }) => id));
	expect(urls()).toEqual([`/oauth/v1/sandbox/blocks?page_id=${SHOP}`, SORT]);
});

test('the example reorder-from-a-spreadsheet.json puts the blocks with the most clicks at the top of each page, by name', async () => {
	const example = read('reorder-from-a-spreadsheet.json');
	const source = example.nodes.find(({ name }) => name === 'Example Rows');
	const { rows } = JSON.parse(source?.parameters.jsonOutput as string) as {
		rows: Array<{ page: string; block: string; clicks: number }>;
	};
	for (let time = 0; time < 2; time += 1) {
		await run(example);
		for (const page of harness.sandbox.account.pages) {
			const wanted = rows.filter((row) => row.page === page.title).sort((one, other) => other.clicks - one.clicks);
			expect(titledBlocks(page).map(({ title }) => title)).toEqual(wanted.map(({ block }) => block));
		}
	}
});

test('the example ai-agent.json creates a link and moves the blocks that the model fills in', async () => {
	const { nodes } = read('ai-agent.json');
	// Outside of an agent, $fromAI reads what the model would fill in from the item.
	const call = async (name: string, filledIn: IDataObject) => {
		const tool = nodes.find((node) => node.name === name)!;
		await run(oneNodeWorkflow({ ...tool, type: tool.type.replace(/Tool$/, '') }), [filledIn]);
	};
	const before = orderOfHome();
	const link = { title: 'Tickets', url: 'https://example.com/tickets' };
	await call('Create a Link', link);
	await call('Create a Link', link);
	await call('Put Blocks on Top', { blocks: 'Tour dates\nListen on' });
	expect(orderOfHome()).toEqual([before[2], before[3], before[0], before[1]]);
	expect(harness.sandbox.account.links.list().filter(({ title }) => title === 'Tickets')).toHaveLength(1);
});

describe('The example rotate-a-fixed-order-by-day.json', () => {
	const example = read('rotate-a-fixed-order-by-day.json');

	test.each<[string, string, string, number]>([
		['on the first day', '2026-11-01T00:00:00', 'Europe/Berlin', 0],
		['on the second day, ahead of UTC', '2026-11-02T00:00:00', 'Pacific/Kiritimati', 1],
		['after a change of the year', '2027-01-01T00:00:00', 'Europe/Berlin', 61],
		['at the end of the day of that change', '2027-03-28T23:59:59', 'Europe/Berlin', 147],
		['after a change to summer time', '2027-03-29T00:00:00', 'Europe/Berlin', 148],
		['after a change to winter time', '2027-11-01T00:00:00', 'Europe/Berlin', 365],
	])('keeps the first block in place, and begins one block further each day: %s', async (_when, moment, zone, days) => {
		const [first, ...others] = orderOfHome();
		await runAt(DateTime.fromISO(moment, { zone }).toJSDate(), zone, example);
		expect(orderOfHome()).toEqual([first, ...others.map((_, index) => others[(index + days) % others.length])]);
	});
});

describe('The example create-links-from-a-feed.json', () => {
	const example = read('create-links-from-a-feed.json');
	const [feed, pinned] = Object.entries(example.pinData!)[0]!;

	/** The links of the pinned items, the newest first. */
	const ITEMS = [
		{
			title: 'The new album is out',
			link: 'https://example.com/blog/new-album',
			image: 'https://example.com/pictures/new-album.jpg',
		},
		{ title: 'Dates & places of the tour', link: 'https://example.com/blog/tour?from=feed' },
		// Its enclosure is a sound, not a picture.
		{ title: 'Podcast: how the album’s songs were made', link: 'https://example.com/blog/podcast' },
	];

	/** The links of the account without those of the sandbox. */
	const newLinks = () =>
		harness.sandbox.account.links.all.slice(0, -seededLinks.length).map(({ link_id, created_at, ...link }) => {
			expect([link_id, created_at]).toEqual([expect.any(Number), expect.any(String)]);
			return link;
		});

	const withFeed = (items: IDataObject[]): WorkflowFile => ({
		...example,
		pinData: { [feed]: items.map((json) => ({ json })) },
	});

	/** Returns items of a feed, the newest first. */
	function makeItems(count: number) {
		return Array.from({ length: count }, (_, index) => ({
			title: `Item ${count - index}`,
			link: `https://example.com/items/${count - index}`,
			isoDate: new Date(Date.UTC(2026, 0, count - index)).toISOString(),
		}));
	}

	const toLink = ({ title, link }: { title: string; link: string }) => ({ title, link });

	test('creates a public link for each item, the newest at the top', async () => {
		await run(example);
		expect(newLinks()).toEqual(ITEMS);
		expect(urls()).toEqual([LIST, ADD, ADD, ADD]);
	});

	test('creates no link when the same items come again with tracking parameters', async () => {
		await run(example);
		harness.reset();
		const withTracking = pinned.map(({ json }) => {
			const url = new URL((json.link ?? json.guid) as string);
			url.searchParams.append('utm_source', 'rss');
			return { ...json, link: url.href };
		});
		const outputs = await run(withFeed(withTracking));
		const actions = outputs['Create a Link']?.[0]?.data?.main?.[0]?.map(({ json }) => json.action);
		expect(actions).toEqual(pinned.map(() => 'skipped'));
		expect(newLinks()).toEqual(ITEMS);
		expect(urls()).toEqual([LIST]);
	});

	test.each<[name: string, fault: Fault]>([
		['fails', statusFault(500)],
		['creates a link and loses the response', 'lost'],
	])('loses no item and creates none twice when the service %s midway, and it runs again', async (_, fault) => {
		const { account, faults } = harness.sandbox;
		account.links.once('change', () => faults.add({ path: ADD, fault }));
		expect(await fail(example)).toContain('link "Dates & places of the tour"');
		expect(newLinks()).not.toEqual([]);
		faults.clear();
		await run(example);
		expect(newLinks()).toEqual(ITEMS);
	});

	test.each<[name: string, faulty: IDataObject]>([
		['no address', { link: undefined }],
		['an address that is none', { link: 'mailto:me@example.com' }],
	])('creates the links of all other items when one has %s, says so, and creates none twice', async (_, faulty) => {
		const [newest, item, oldest] = makeItems(3);
		const feedWithFault = withFeed([newest!, { ...item, ...faulty }, oldest!]);
		for (const expected of [[LIST, ADD, ADD], [LIST]]) {
			harness.sandbox.recorder.reset();
			expect(await fail(feedWithFault)).toMatch(/URL/);
			expect(newLinks()).toEqual([newest!, oldest!].map(toLink));
			expect(urls()).toEqual(expected);
		}
	});

	/** Items as feeds have them, and how a person reads them. */
	const READ: Array<[item: IDataObject, expected: { title?: string; link?: string; image?: string }]> = [
		[
			{ title: 'Apple&#8217;s &amp; Caf&eacute; &hellip; Sm&oslash;r&#0;&#146; 5 &euro;' },
			{ title: 'Apple’s & Café … Smør 5 €' },
		],
		[{ title: '&amp;#8220;Hi&amp;#8221; &amp;amp; bye' }, { title: '“Hi” & bye' }],
		[{ title: '<b>New</b>s:<br/>all \n of <i>it</i>' }, { title: 'News: all of it' }],
		[{ title: '1 < 2 & 3 > 2; AT&T; &nosuch;' }, { title: '1 < 2 & 3 > 2; AT&T; &nosuch;' }],
		[{ title: undefined, link: '/untitled' }, { title: 'https://feeds.example.com/untitled' }],
		[{ title: undefined, contentSnippet: 'Hello &amp;\n world' }, { title: 'Hello & world' }],
		[{ title: { $: { type: 'xhtml' }, div: ['A'] }, contentSnippet: 'B' }, { title: 'B' }],
		[{ link: 'https://b.com/?a=1&amp;b=2' }, { link: 'https://b.com/?a=1&b=2' }],
		[{ enclosure: { type: 'image/png' } }, { image: undefined }],
		[{ enclosure: { url: '/a.png', type: 'IMAGE/PNG' } }, { image: 'https://feeds.example.com/a.png' }],
		[{ link: undefined, guid: 'https://b.com/?p=1' }, { link: 'https://b.com/?p=1' }],
		[{ link: '', guid: 'a-1', enclosure: { url: 'https://c.com/1.mp3' } }, { link: 'https://c.com/1.mp3' }],
		[{ link: 'https://b.com/my episode.mp3?a=ä b' }, { link: 'https://b.com/my%20episode.mp3?a=%C3%A4%20b' }],
		[
			{ enclosure: { url: 'https://b.com/my cover.jpg', type: 'image/jpeg' } },
			{ image: 'https://b.com/my%20cover.jpg' },
		],
		[{ enclosure: { url: 'data:image/png;base64,AA==', type: 'image/png' } }, { image: undefined }],
		[{ link: '/items/2?a=1' }, { link: 'https://feeds.example.com/items/2?a=1' }],
		[{ link: 'items/2' }, { link: 'https://feeds.example.com/blog/items/2' }],
		[{ link: '//d.com/2' }, { link: 'https://d.com/2' }],
		[{ enclosure: { url: '/a.png', type: 'image/png' } }, { image: 'https://feeds.example.com/a.png' }],
		[
			{ 'media:group': { 'media:thumbnail': [{ $: { url: 'https://i.ytimg.com/vi/a/hqdefault.jpg' } }] } },
			{ image: 'https://i.ytimg.com/vi/a/hqdefault.jpg' },
		],
	];

	test('reads items as a person would', async () => {
		const items = READ.map(([item], index) => ({
			title: 'Title',
			link: `https://feeds.example.com/${index}`,
			...item,
		}));
		const url = 'https://feeds.example.com/blog/feed.xml?format=rss';
		await run(change(withFeed(items), feed, { parameters: { url } }));
		expect(newLinks()).toEqual(READ.map(([, expected]) => expect.objectContaining(expected) as unknown));
	});

	test.each<[from: string, id: IDataObject | string, resourceId: IDataObject | undefined]>([
		['Video, Get Many', { kind: 'youtube#video', videoId: 'a-1' }, undefined],
		['Video, Get', 'a-1', undefined],
		['Playlist Item, Get Many', 'UEx1', { kind: 'youtube#video', videoId: 'a-1' }],
	])("reads the titles of n8n's YouTube node (%s) as a person would", async (_from, id, resourceId) => {
		const thumbnails = { high: { url: 'https://i.ytimg.com/vi/a-1/hqdefault.jpg', width: 480, height: 360 } };
		const snippet = { title: 'Don&#39;t Stop &amp; Go', publishedAt: '2026-03-12T08:30:00Z', thumbnails, resourceId };
		await run(withFeed([{ kind: 'youtube#searchResult', id, snippet }]));
		expect(newLinks()).toEqual([
			{ title: "Don't Stop & Go", link: 'https://www.youtube.com/watch?v=a-1', image: thumbnails.high.url },
		]);
	});

	test('creates a link for each episode of a podcast whose episodes all have the link of the show', async () => {
		const episode = (number: number): IDataObject => ({
			title: `Episode ${number}`,
			link: 'https://example.com/show',
			guid: `episode-${number}`,
			enclosure: { url: `https://example.com/${number}.mp3`, type: 'audio/mpeg' },
			isoDate: new Date(Date.UTC(2026, 0, number)).toISOString(),
		});
		await run(withFeed([episode(2), episode(1)]));
		await run(withFeed([episode(3), episode(2), episode(1)]));
		const expected = [3, 2, 1].map((number) => ({
			title: `Episode ${number}`,
			link: `https://example.com/${number}.mp3`,
		}));
		expect(newLinks()).toEqual(expected);
	});

	test.each([
		['its guid', { guid: 'https://example.com/show?id=1' }, 'https://example.com/show?id=1'],
		['its link, without another address', { guid: 'a-1' }, 'https://example.com/show'],
	])('takes for the address of an item whose link others have, too, %s', async (_what, item, link) => {
		const shared = { title: 'Episode', link: 'https://example.com/show' };
		await run(
			withFeed([
				{ ...shared, ...item },
				{ ...shared, guid: 'b-2' },
			]),
		);
		expect(newLinks().map((each) => each.link)).toContain(link);
	});

	test('goes on with an address of the feed that is an expression', async () => {
		await run(change(example, feed, { parameters: { url: '={{ $json.feed }}' } }));
		expect(newLinks()).toHaveLength(ITEMS.length);
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

describe('The example keep-the-newest-links.json', () => {
	const example = read('keep-the-newest-links.json');
	const [scheduled] = seededLinks.filter(({ schedule_from: from }) => from !== undefined);

	const titles = () => harness.sandbox.account.links.all.map(({ title }) => title);

	test('deletes all public links but the newest 10', async () => {
		addLinks(harness.sandbox, 15);
		const before = titles();
		await run(example);
		expect(titles()).toEqual([...before.slice(0, 10), scheduled?.title]);
		expect(urls()).toEqual([LIST, ...Array<string>(before.length - 11).fill(DELETE)]);
	});
});

/** Returns what a Code node of an example returns for this input. */
function runCode(example: WorkflowFile, name: string, input: IDataObject[]): IDataObject[] {
	const { jsCode } = example.nodes.find((node) => node.name === name)!.parameters;
	const $input = { all: () => input.map((json) => ({ json })) };
	const items = runInNewContext(`(() => {${jsCode as string}})()`, { $input }) as Array<{ json: IDataObject }>;
	return items.map(({ json }) => ({ ...json }));
}

// The other nodes run in a complete n8n: see test/n8n/suite/examples.test.ts.
describe('The example import-links-from-a-file.json', () => {
	const rowsOf = (input: IDataObject[]) => runCode(read('import-links-from-a-file.json'), 'Rows of the File', input);

	const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', 'Caf\uFFFD', 1984, true));
	const row = fc.record({ Title: cell, ' url ': cell, NOTES: cell, problem: cell });

	test('keeps the cells of each row that is not blank, and the order of the rows', () => {
		fc.assert(
			fc.property(fc.array(row), (rows) => {
				const filled = rows.filter((cells) => Object.values(cells).some((value) => String(value).trim()));
				fc.pre(filled.length > 0);
				const expected = filled.map((cells) => ({ title: cells.Title, url: cells[' url '], notes: cells.NOTES }));
				expect(rowsOf(rows).map(({ title, url, notes }) => ({ title, url, notes }))).toEqual(expected);
			}),
		);
	});

	test('reads a date of Excel to the minute', () => {
		const minute = 24 * 60;
		const time = fc.integer({ min: 40_000 * minute + 1, max: 80_000 * minute - 1 });
		fc.assert(
			fc.property(fc.array(time, { minLength: 1 }), (times) => {
				const rows = rowsOf(times.map((minutes) => ({ title: 'A', url: 'B', from: minutes / minute })));
				const read = rows.map(({ from }) => Date.parse(`${from as string}Z`));
				expect(read).toEqual(times.map((minutes) => Date.UTC(1899, 11, 30, 0, minutes)));
			}),
			{ numRuns: 20 },
		);
	});
});
