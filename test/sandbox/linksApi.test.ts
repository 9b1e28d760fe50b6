import { Clock } from '../../sandbox/clock';
import { Links, type NewLink } from '../../sandbox/links';
import { seededGroups, seededLinks } from '../../sandbox/seed';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { unescape } from './browser';
import { eventsDuring, type Fields, get, getPage, newToken, post } from '../support/serviceClient';

const LIST = '/oauth/v1/lnk/list';
const EVENTS = 2;
const PRESS = 3;

let sandbox: Sandbox;
let token: string;
beforeEach(async () => await open());
afterEach(async () => await sandbox.close());

async function open(options?: SandboxOptions) {
	sandbox = await startSandbox(options);
	token = await newToken(sandbox);
}

/** Restarts the sandbox with other links. */
async function reopen(links: readonly NewLink[], time?: number) {
	await sandbox.close();
	await open({ links, time });
}

const call = async (name: 'add' | 'edit' | 'delete', fields: Fields, contentType?: string) =>
	await post(sandbox, `/oauth/v1/lnk/${name}`, fields, { token, contentType });

async function list(query = '') {
	const { body } = await get(sandbox, LIST + query, token);
	return body.data as Array<Record<string, unknown>>;
}

const titles = async (query?: string) => (await list(query)).map(({ title }) => title);
const all = () => sandbox.account.links.all;
const find = (linkId: unknown) => all().find(({ link_id: id }) => id === linkId);

const FROM = '2030-01-31T18:00:00+01:00';
const NEW = { title: 'New', link: 'https://example.com/new' };
const make = (count: number, more: Partial<NewLink> = {}): NewLink[] =>
	Array.from({ length: count }, (_, index) => ({ ...NEW, title: `Link ${index}`, ...more }));

/** Expects that an action changes no link. */
async function expectNoChange(act: () => Promise<unknown>) {
	const before = structuredClone(all());
	const changed = jest.fn();
	sandbox.account.on('change', changed);
	await act();
	expect(all()).toEqual(before);
	expect(changed).not.toHaveBeenCalled();
}

describe('GET /oauth/v1/lnk/list', () => {
	test('returns the links in the documented format, newest first', async () => {
		const { status, body } = await get(sandbox, LIST, token);
		expect(status).toBe(200);
		const created_at = expect.stringMatching(/^[\d-]{10}T[\d:]{8}\+00:00$/) as string;
		const common = { created_at, meta: {} };
		expect(body).toEqual({
			status: true,
			errors: [],
			data: [
				{
					...common,
					link_id: 3,
					title: 'Summer tour',
					image: null,
					link: 'https://example.com/tour?from=profile',
					position: 2,
				},
				{
					...common,
					link_id: 2,
					title: 'New album',
					image: 'https://example.com/pictures/album.jpg',
					link: 'https://example.com/album',
					position: 1,
				},
				{
					...common,
					link_id: 1,
					title: 'Newsletter',
					image: null,
					link: 'https://example.com/newsletter',
					position: 0,
				},
			],
		});
	});

	test('omits links that are scheduled for later', async () => {
		expect(all().map(({ title }) => title)).toContain('Farewell concert');
		expect(await titles()).not.toContain('Farewell concert');
	});

	test('returns at most the 50 newest links', async () => {
		await reopen(make(51));
		const links = await titles();
		expect([links.length, links[0], links[49]]).toEqual([50, 'Link 50', 'Link 1']);
	});

	test('filters by group and keeps the positions among all public links', async () => {
		await reopen([...make(60, { group_id: PRESS }), ...make(2), ...make(1, { group_id: EVENTS })]);
		const [first, ...others] = await list(`?group_id=${PRESS}`);
		expect([first?.position, others.length]).toEqual([59, 49]);
		expect(await list(`?group_id=${EVENTS}`)).toMatchObject([{ link_id: 63, position: 62 }]);
	});

	test('returns an empty list for a group without links', async () => {
		expect(await list('?group_id=1')).toEqual([]);
	});

	test('reports an unknown group with status 200', async () => {
		const { status, body } = await get(sandbox, `${LIST}?group_id=9`, token);
		expect(status).toBe(200);
		expect(body).toEqual({ status: false, errors: ['There is no group 9.'] });
	});

	test.each(['', 'Events', '1.5', '-1', '2&group_id=2'])('rejects the group ID %p with 400', async (groupId) => {
		expect((await get(sandbox, `${LIST}?group_id=${groupId}`, token)).status).toBe(400);
	});

	test.each([
		['from the second its schedule begins', { schedule_from: FROM }, [0, 1]],
		['until the second its schedule ends', { schedule_to: FROM }, [1, 0]],
	])('returns a link %s', (_what, schedule, expected) => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse(FROM) - 1);
		const clock = new Clock();
		const links = new Links([{ ...NEW, ...schedule }], [], clock);
		const before = links.list();
		clock.advance(1);
		const after = links.list();
		jest.restoreAllMocks();
		expect([before.length, after.length]).toEqual(expected);
	});

	test('returns a link of an earlier creation below newer links once its schedule begins', async () => {
		await reopen([...make(1), ...make(1, { schedule_from: FROM, title: 'Later' }), ...make(1)]);
		const before = await list();
		sandbox.clock.advanceTo(Date.parse(FROM));
		expect(before).toMatchObject([
			{ link_id: 3, position: 1 },
			{ link_id: 1, position: 0 },
		]);
		expect(await list()).toMatchObject([
			{ link_id: 3, position: 2 },
			{ link_id: 2, position: 1, created_at: all()[1]!.created_at },
			{ link_id: 1, position: 0 },
		]);
	});

	test('fills the 50 links up with older ones when schedules end', async () => {
		await reopen([...make(50), ...make(2, { schedule_to: FROM, title: 'Soon over' })]);
		const before = await titles();
		sandbox.clock.advanceTo(Date.parse(FROM));
		const after = await titles();
		expect([before.length, before[0], before[49]]).toEqual([50, 'Soon over', 'Link 2']);
		expect([after.length, after[0], after[49]]).toEqual([50, 'Link 49', 'Link 0']);
	});
});

describe('The creation time of a link', () => {
	const times = () => all().map(({ created_at: time }) => Date.parse(time));
	const DAY = 24 * 3_600_000;

	test('is some days before the next one for initial links, and in the past', async () => {
		await reopen(make(60));
		const newestFirst = [Date.now(), ...times()];
		const gaps = newestFirst.slice(1).map((time, index) => newestFirst[index]! - time);
		expect(gaps).toHaveLength(60);
		for (const gap of gaps) {
			expect(gap).toBeGreaterThan(2 * DAY);
			expect(gap).toBeLessThan(5 * DAY);
		}
		expect(new Set(times().map((time) => time % DAY)).size).toBe(60);
	});

	test('is the time of the clock for new links', async () => {
		await reopen([], Date.parse(FROM));
		await call('add', NEW);
		sandbox.clock.advance(DAY);
		await call('add', NEW);
		const [second = 0, first = 0] = times();
		expect(first - Date.parse(FROM)).toBeLessThan(5_000);
		expect(first).toBeGreaterThanOrEqual(Date.parse(FROM));
		expect(second - first).toBeGreaterThanOrEqual(DAY);
		expect(second - first).toBeLessThan(DAY + 5_000);
	});

	test('can be the same second for two links, of which the higher ID is on top', () => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse(FROM));
		const links = new Links([], []);
		links.add(NEW);
		links.add(NEW);
		jest.restoreAllMocks();
		const created_at = '2030-01-31T17:00:00+00:00';
		expect(links.list()).toMatchObject([
			{ link_id: 2, position: 1, created_at },
			{ link_id: 1, position: 0, created_at },
		]);
	});
});

describe('The links emit a change', () => {
	const HOUR = 3_600_000;
	beforeEach(() => jest.useFakeTimers({ now: Date.parse(FROM) - 2 * HOUR }));
	afterEach(() => jest.useRealTimers());

	/** Returns how often a change was emitted so far. */
	function counted(seeds: readonly NewLink[], clock?: Clock) {
		const links = new Links(seeds, [], clock);
		let changes = 0;
		links.on('change', () => (changes += 1));
		return { links, count: () => changes };
	}

	const SCHEDULE = { schedule_from: FROM, schedule_to: '2030-01-31T20:00:00+01:00' };

	test('when a schedule begins and when it ends', () => {
		const { count } = counted(make(2, SCHEDULE));
		const counts = [2 * HOUR - 1, 1, 2 * HOUR - 1, 1, 1000 * HOUR].map((time) => {
			jest.advanceTimersByTime(time);
			return count();
		});
		expect(counts).toEqual([0, 1, 1, 2, 2]);
	});

	test('when a schedule begins after more than the longest delay of a timer', () => {
		jest.setSystemTime(Date.parse(FROM) - 60 * 24 * HOUR);
		const setTimer = jest.spyOn(globalThis, 'setTimeout');
		const { count } = counted(make(2, SCHEDULE));
		// A timer with too long a delay would fire at once, again and again.
		jest.advanceTimersByTime(10);
		expect(setTimer).toHaveBeenCalledTimes(1);
		jest.advanceTimersByTime(60 * 24 * HOUR - 11);
		expect(count()).toBe(0);
		jest.advanceTimersByTime(1);
		expect(count()).toBe(1);
	});

	test('when a schedule begins just after a timer that fired early', () => {
		const clock = new Clock();
		const { count } = counted(make(1, SCHEDULE), clock);
		const time = Date.parse(FROM);
		jest
			.spyOn(clock, 'now')
			.mockReturnValueOnce(time - 1)
			.mockReturnValue(time);
		jest.advanceTimersByTime(2 * HOUR + 1);
		expect(count()).toBe(1);
	});

	test('when the schedule of a new link begins, but not for a deleted one', () => {
		const { links, count } = counted([]);
		links.add({ ...NEW, ...SCHEDULE });
		const { link_id: id } = links.add({ ...NEW, schedule_from: '2030-01-31T17:00:00+01:00' });
		links.delete(id);
		expect(count()).toBe(3);
		jest.advanceTimersByTime(2 * HOUR - 1);
		expect(count()).toBe(3);
		jest.advanceTimersByTime(1);
		expect(count()).toBe(4);
	});

	test('when the clock is moved, and at the right time after that', () => {
		const clock = new Clock();
		const { count } = counted(make(1, SCHEDULE), clock);
		clock.advance(2 * HOUR - 1000);
		expect(count()).toBe(1);
		jest.advanceTimersByTime(999);
		expect(count()).toBe(1);
		jest.advanceTimersByTime(1);
		expect(count()).toBe(2);
	});
});

describe('POST /oauth/v1/lnk/add', () => {
	test('adds the link at the top and returns its ID and URL', async () => {
		const { status, body } = await call('add', NEW);
		expect(status).toBe(200);
		expect(body).toEqual({
			status: true,
			errors: [],
			data: { id: 5, url: 'https://example.com/sandbox/links/5' },
		});
		expect(await titles()).toEqual(['New', 'Summer tour', 'New album', 'Newsletter']);
		expect((await list()).map(({ position }) => position)).toEqual([3, 2, 1, 0]);
	});

	test('stores every field', async () => {
		const fields = {
			...NEW,
			image: 'http://example.com/a.png',
			schedule_from: '2030-01-31T18:00:00+01:00',
			schedule_to: '2030-01-31T17:00:01-00:00',
		};
		await call('add', { ...fields, group_id: '3' });
		expect(all()[0]).toMatchObject({ ...fields, group_id: PRESS });
		expect(await titles()).not.toContain('New');
	});

	test('never reuses an ID', async () => {
		await call('add', NEW);
		await call('delete', { link_id: '5' });
		expect((await call('add', NEW)).body).toMatchObject({ data: { id: 6 } });
	});

	const time = (name: string) => `${name} must be a time such as`;
	test.each<[string, Fields, string]>([
		['a missing title', { link: NEW.link }, 'title is missing.'],
		['an empty title', { ...NEW, title: '' }, 'title is missing.'],
		['a repeated title', [...Object.entries(NEW), ['title', 'b']], 'title is given more than once.'],
		['a missing link', { title: 'New' }, 'link is missing.'],
		['an empty link', { ...NEW, link: '' }, 'link is missing.'],
		['a javascript URL', { ...NEW, link: 'javascript:alert(1)' }, 'link must be an http or https address.'],
		['a javascript URL that contains an http URL', { ...NEW, link: ' javascript:alert(1)//http://a' }, 'link must be'],
		['a host without a scheme', { ...NEW, link: 'example.com' }, 'link must be'],
		['a URL without a host', { ...NEW, link: 'https://?a' }, 'link must be'],
		['a URL with a space', { ...NEW, link: 'https://example.com/a b' }, 'link must be'],
		['an image as a data URL', { ...NEW, image: 'data:image/png;base64,' }, 'image must'],
		['an empty image URL', { ...NEW, image: '' }, 'image must be'],
		['a group name', { ...NEW, group_id: 'Events' }, 'group_id must be a whole number.'],
		['an empty group ID', { ...NEW, group_id: '' }, 'group_id must be a whole number.'],
		...[
			['without an offset', '2030-01-31T18:00:00'],
			['with the offset Z', '2030-01-31T18:00:00Z'],
			['with fractions of a second', '2030-01-31T18:00:00.000+01:00'],
			['without seconds', '2030-01-31T18:00+01:00'],
			['without a time', '2030-01-31'],
			['with a space instead of the T', '2030-01-31 18:00:00+01:00'],
			['on February 30', '2030-02-30T18:00:00+01:00'],
			['at 24:00', '2030-01-31T24:00:00+01:00'],
			['with the offset +24:00', '2030-01-31T18:00:00+24:00'],
			['that is empty', ''],
		].flatMap<[string, Fields, string]>(([what = '', text = '']) => [
			[`a schedule_from ${what}`, { ...NEW, schedule_from: text }, time('schedule_from')],
			[`a schedule_to ${what}`, { ...NEW, schedule_to: text }, time('schedule_to')],
		]),
		[
			'a schedule_to that is not after schedule_from',
			{
				...NEW,
				schedule_from: '2030-01-31T18:00:00+01:00',
				schedule_to: '2030-01-31T17:00:00+00:00',
			},
			'schedule_to must be after schedule_from.',
		],
	])('rejects %s with 400 and changes nothing', async (_what, fields, message) => {
		await expectNoChange(async () => {
			const { status, body } = await call('add', fields);
			expect(status).toBe(400);
			expect(body).toEqual({ status: false, errors: [expect.stringContaining(message)] });
		});
	});

	test('rejects a body that is not a form with 400', async () => {
		await expectNoChange(async () => {
			expect((await call('add', NEW, 'application/json')).status).toBe(400);
		});
	});
});

describe('POST /oauth/v1/lnk/edit', () => {
	const SUMMER = { link_id: 3, title: 'Summer tour', group_id: EVENTS, link: seededLinks[2]!.link };

	test.each<[string, Record<string, string>, object]>([
		['the title', { title: 'Tour' }, { title: 'Tour' }],
		['the URL', { link: 'http://example.com/t' }, { link: 'http://example.com/t' }],
		['the group', { group_id: '3' }, { group_id: PRESS }],
		['several fields', { title: 'T', link: NEW.link, group_id: '1' }, { title: 'T', group_id: 1 }],
		['nothing', {}, {}],
	])('changes %s and keeps the other fields', async (_what, fields, changes) => {
		const { created_at } = find(3)!;
		const link = fields.link ?? SUMMER.link;
		const { status, body } = await call('edit', { link_id: '3', ...fields });
		expect([status, body]).toEqual([200, { status: true, errors: [] }]);
		expect(find(3)).toEqual({ ...SUMMER, created_at, ...changes, link });
		expect(all().map(({ link_id: id }) => id)).toEqual([4, 3, 2, 1]);
	});

	test('keeps the image and the schedule', async () => {
		const [farewell, , album] = structuredClone(all());
		await call('edit', { link_id: '4', title: 'A' });
		await call('edit', { link_id: '2', title: 'B' });
		expect(find(4)).toEqual({ ...farewell, title: 'A' });
		expect(find(2)).toEqual({ ...album, title: 'B' });
	});

	test.each([
		['title', { title: '' }],
		['link', { link: '' }],
		['group_id', { group_id: undefined }],
	])('clears an empty %s', async (name, cleared) => {
		await call('edit', { link_id: '3', [name]: '' });
		expect(find(3)).toMatchObject({ ...SUMMER, ...cleared });
	});

	test.each<[string, Fields, string]>([
		['a missing link_id', { title: 'A' }, 'link_id is missing.'],
		['an empty link_id', { link_id: '', title: 'A' }, 'link_id is missing.'],
		['a link_id that is not a number', { link_id: 'three' }, 'link_id must be a whole number.'],
		['a link_id that is too large', { link_id: '99999999999999999999' }, 'link_id must be a whole number.'],
		['a javascript URL', { link_id: '3', title: 'A', link: 'javascript:alert(1)' }, 'link must be'],
		['a group name', { link_id: '3', title: 'A', group_id: 'Shop' }, 'group_id must be'],
	])('rejects %s with 400 and changes nothing', async (_what, fields, message) => {
		await expectNoChange(async () => {
			const { status, body } = await call('edit', fields);
			expect(status).toBe(400);
			expect(body).toEqual({ status: false, errors: [expect.stringContaining(message)] });
		});
	});
});

describe('POST /oauth/v1/lnk/delete', () => {
	test('deletes the link and closes the gap', async () => {
		const { status, body } = await call('delete', { link_id: '2' });
		expect([status, body]).toEqual([200, { status: true, errors: [] }]);
		expect(await list()).toMatchObject([
			{ link_id: 3, position: 1 },
			{ link_id: 1, position: 0 },
		]);
		expect(find(4)).toBeDefined();
	});

	test('succeeds for an ID that does not exist, and changes nothing (docs/api.md, section 4.6)', async () => {
		await expectNoChange(async () => {
			const { status, body } = await call('delete', { link_id: '12' });
			expect([status, body]).toEqual([200, { status: true, errors: [] }]);
		});
	});

	test.each<[string, Fields]>([
		['a missing link_id', {}],
		['a link_id that is not a number', { link_id: '2a' }],
		[
			'a repeated link_id',
			[
				['link_id', '2'],
				['link_id', '3'],
			],
		],
	])('rejects %s with 400 and changes nothing', async (_what, fields) => {
		await expectNoChange(async () => expect((await call('delete', fields)).status).toBe(400));
	});
});

test.each<['add' | 'edit', Fields, string]>([
	['add', { ...NEW, group_id: '9' }, 'There is no group 9.'],
	['edit', { link_id: '12', title: 'A' }, 'There is no link 12.'],
	['edit', { link_id: '3', title: 'A', group_id: '0' }, 'There is no group 0.'],
])(
	'POST /oauth/v1/lnk/%s reports an unknown ID with status 200 and changes nothing: %j',
	async (name, fields, error) => {
		await expectNoChange(async () => {
			const { status, body } = await call(name, fields);
			expect([status, body]).toEqual([200, { status: false, errors: [error] }]);
		});
	},
);

test('GET /oauth/v1/group/list returns all groups', async () => {
	const { status, body } = await get(sandbox, '/oauth/v1/group/list', token);
	expect(status).toBe(200);
	expect(body).toEqual({ status: true, errors: [], info: { groups: seededGroups } });
});

test.each([undefined, 'never-issued'])('every endpoint rejects the token %p', async (wrong) => {
	const fields = { link_id: '1', ...NEW };
	await expectNoChange(async () => {
		const responses = await Promise.all([
			...[LIST, '/oauth/v1/group/list'].map(async (path) => await get(sandbox, path, wrong)),
			...['add', 'edit', 'delete'].map(
				async (name) => await post(sandbox, `/oauth/v1/lnk/${name}`, fields, { token: wrong }),
			),
		]);
		expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
	});
});

const textOf = (element: string) =>
	unescape(element.replace(/<[^>]*>/g, ' '))
		.replace(/\s+/g, ' ')
		.trim();

describe('the HTML page of the sandbox', () => {
	const LATER = '2099-06-01T09:00:00+02:00';

	/** Returns a section of the page. */
	async function section(id: string) {
		const { html } = await getPage(sandbox, '/');
		return new RegExp(`<section\\s+id="${id}".*?</section>`, 's').exec(html)?.[0] ?? '';
	}

	/** Returns the CSS class, the HTML and the text of each link in the list of IDs. */
	async function shownLinks() {
		const [list = ''] = /<ul>.*?<\/ul>/s.exec(await section('links')) ?? [];
		return [...list.matchAll(/<li\s+class="(\w*)"(.*?)<\/li>/gs)].map(([, mark, inside = '']) => ({
			mark,
			inside,
			text: textOf(inside.replace(/^[^>]*>/, '')),
		}));
	}

	/** Returns the text of each link that visitors of the profile see, with its address. */
	async function publicLinks() {
		const [list = ''] = /<ul class="buttons">.*?<\/ul>/s.exec(await section('profile')) ?? [];
		return [...list.matchAll(/<li.*?<\/li>/gs)].map(([link]) => [textOf(link), /href="(.*?)"/.exec(link)?.[1]]);
	}

	test('shows the public links as visitors of the profile see them', async () => {
		expect(await publicLinks()).toEqual([
			['Summer tour', 'https://example.com/tour?from&#61;profile'],
			['New album', 'https://example.com/album'],
			['Newsletter', 'https://example.com/newsletter'],
		]);
	});

	test('shows all links in order with group, address, schedule, and ID, and marks scheduled links', async () => {
		const links = await shownLinks();
		expect(links.map(({ mark, text }) => [mark, text])).toEqual([
			[
				'scheduled',
				`Farewell concert Events · https://example.com/farewell scheduled from ${LATER} to 2099-06-30T23:59:59+02:00 4`,
			],
			['public', 'Summer tour Events · https://example.com/tour?from=profile 3'],
			['public', 'New album https://example.com/album 2'],
			['public', 'Newsletter https://example.com/newsletter 1'],
		]);
		expect(links[3]?.inside).toContain('data-copy="1"');
	});

	test('shows the ID of each group with a button that copies it', async () => {
		const [, groups = ''] = (await section('links')).split('<h3>Groups</h3>');
		expect([...groups.matchAll(/data-copy="(.*?)" aria-label="(.*?)"/g)].map(([, ...found]) => found)).toEqual([
			['1', 'Copy the ID of the group Shop'],
			['2', 'Copy the ID of the group Events'],
			['3', 'Copy the ID of the group Press'],
		]);
	});

	test('shows schedules that have begun, that have no beginning, and that are over', async () => {
		const begun = '2001-01-31T18:00:00+01:00';
		const ended = '2002-01-31T18:00:00+01:00';
		await reopen([
			{ ...NEW, schedule_from: begun },
			{ ...NEW, schedule_to: LATER },
			{ ...NEW, schedule_to: ended },
			{ ...NEW, schedule_from: begun, schedule_to: ended },
		]);
		expect(await shownLinks()).toMatchObject([
			{ mark: 'ended', text: `New ${NEW.link} from ${begun} ended ${ended} 4` },
			{ mark: 'ended', text: `New ${NEW.link} ended ${ended} 3` },
			{ mark: 'public', text: `New ${NEW.link} to ${LATER} 2` },
			{ mark: 'public', text: `New ${NEW.link} from ${begun} 1` },
		]);
		expect(await publicLinks()).toHaveLength(2);
	});

	test('escapes titles and URLs', async () => {
		const link = `https://example.com/"><img>&'a'`;
		await reopen([{ title: `<script>alert("it's")</script> & co`, link }]);
		const { html } = await getPage(sandbox, '/');
		expect(html).toContain('&#60;script&#62;alert(&#34;it&#39;s&#34;)&#60;/script&#62; &#38; co');
		expect(html).toContain('href="https://example.com/&#34;&#62;&#60;img&#62;&#38;&#39;a&#39;"');
		expect(html).not.toMatch(/<img|<script>/);
	});

	test('shows the remaining fields of a cleared link', async () => {
		await call('edit', { link_id: '1', title: '' });
		await call('edit', { link_id: '2', link: '' });
		await call('edit', { link_id: '3', title: '', link: '', group_id: '' });
		const [, ...others] = await shownLinks();
		expect(others.map(({ text }) => text)).toEqual([
			'Untitled edited 3',
			'New album edited 2',
			'https://example.com/newsletter edited https://example.com/newsletter 1',
		]);
	});

	describe('after changes', () => {
		const marked = async () =>
			(await shownLinks()).filter(({ inside }) => inside.includes('<em>')).map(({ text }) => text);

		async function note() {
			const [, what, time = ''] = /<p class="note">(.*?) at <time datetime="(.*?)">/.exec(await section('links')) ?? [];
			return { what, time: Date.parse(time) };
		}

		test('marks every link that a workflow has added or edited, and names those that it deleted', async () => {
			expect([await marked(), (await note()).what]).toEqual([[], undefined]);
			const start = Date.now();
			for (let index = 1; index <= 7; index += 1) await call('add', { ...NEW, title: `Row ${index}` });
			await call('edit', { link_id: '5', title: 'First row' });
			await call('edit', { link_id: '1', title: 'News' });
			await call('delete', { link_id: '2' });
			expect(await marked()).toEqual([
				...[7, 6, 5, 4, 3, 2].map((row) => `Row ${row} added ${NEW.link} ${row + 4}`),
				`First row added ${NEW.link} 5`,
				'News edited https://example.com/newsletter 1',
			]);
			expect((await publicLinks()).filter(([text]) => / (added|edited)$/.test(text!))).toHaveLength(8);
			const { what, time } = await note();
			expect(what).toBe('7 added, 1 edited, 1 deleted (New album)');
			expect(time).toBeGreaterThanOrEqual(start);
			expect(time).toBeLessThanOrEqual(Date.now());
		});

		test('forgets the marks when a change comes later than ten seconds after the last one', async () => {
			await call('add', NEW);
			const later = Date.now() + 10_500;
			const now = jest.spyOn(Date, 'now').mockReturnValue(later);
			sandbox.account.links.add({ ...NEW, title: 'Later' });
			now.mockRestore();
			expect(await marked()).toEqual([`Later added ${NEW.link} 6`]);
		});
	});

	test.each<['add' | 'edit' | 'delete', Fields]>([
		['add', NEW],
		['edit', { link_id: '1', title: 'A' }],
		['delete', { link_id: '1' }],
	])('receives an event after a link %s', async (name, fields) => {
		const events = await eventsDuring(sandbox, async () => await call(name, fields));
		expect(events).toEqual(['data: changed']);
	});

	test.each(['schedule_from', 'schedule_to'])('receives an event at %s', async (name) => {
		await reopen([{ ...NEW, [name]: LATER }]);
		const moveClock = () => sandbox.clock.advanceTo(Date.parse(LATER) - 200);
		const events = await eventsDuring(sandbox, moveClock, 2);
		expect(events).toEqual(['data: changed', 'data: changed']);
		expect(sandbox.clock.now()).toBeGreaterThanOrEqual(Date.parse(LATER));
	});
});

test.each<[string, Fields, Fields, boolean]>([
	['the same link', { link_id: '1', title: 'A' }, { link_id: '1', title: 'B' }, true],
	['different links', { link_id: '1' }, { link_id: '2' }, false],
	['a link and a page', { link_id: '1' }, { page_id: '1' }, false],
	['calls without an ID', NEW, NEW, false],
])(
	'the recorder detects an overlap of concurrent calls only for the same target: %s',
	async (_what, one, other, overlap) => {
		sandbox.faults.latency = 100;
		await Promise.all([call('edit', one), call('edit', other)]);
		const { mostInFlight, hasOverlap } = sandbox.recorder;
		expect([mostInFlight, hasOverlap]).toEqual([2, overlap]);
	},
);

test('the recorder detects no overlap of sequential calls for a link', async () => {
	await call('edit', { link_id: '1', title: 'A' });
	await call('edit', { link_id: '1', title: 'B' });
	expect(sandbox.recorder.hasOverlap).toBe(false);
});
