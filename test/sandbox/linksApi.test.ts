import type { NewLink } from '../../sandbox/links';
import { seededLinks } from '../../sandbox/seed';
import type { Sandbox } from '../../sandbox/server';
import { type Fields, get, post, useSandbox } from '../support/serviceClient';

const [EVENTS, PRESS] = [2, 3];

let sandbox: Sandbox;
let token: string;
const open = useSandbox((service) => ({ sandbox, token } = service));

/** Restarts the sandbox with other links. */
async function reopen(links: readonly NewLink[]) {
	await sandbox.close();
	await open({ links });
}

const call = async (name: 'add' | 'edit' | 'delete', fields: Fields) =>
	await post(sandbox, `/oauth/v1/lnk/${name}`, fields, { token });
const list = async (query = '') => (await get(sandbox, `/oauth/v1/lnk/list${query}`, token)).body.data as object[];
const all = () => sandbox.account.links.all;

const SUCCESS = { status: true, errors: [] };
const FROM = '2030-01-31T18:00:00+01:00';
const NEW = { title: 'New', link: 'https://example.com/new' };
const make = (count: number, more: Partial<NewLink> = {}): NewLink[] =>
	Array.from({ length: count }, () => ({ ...NEW, ...more }));

describe('The list of links', () => {
	test('has the public links in the documented format, newest first', async () => {
		const { status, body } = await get(sandbox, '/oauth/v1/lnk/list', token);
		const common = { created_at: expect.stringMatching(/^[\d-]{10}T[\d:]{8}\+00:00$/) as string, meta: {} };
		const data = [
			{ link_id: 3, title: 'Summer tour', image: null, link: 'https://example.com/tour?from=profile', position: 2 },
			{ link_id: 2, title: 'New album', image: seededLinks[1]!.image, link: 'https://example.com/album', position: 1 },
			{ link_id: 1, title: 'Newsletter', image: null, link: 'https://example.com/newsletter', position: 0 },
		].map((link) => ({ ...link, ...common }));
		expect([status, body]).toEqual([200, { ...SUCCESS, data }]);
		expect(all().map(({ title }) => title)).toContain('Farewell concert');
	});

	test('has at most the 50 newest links, also of a group', async () => {
		await reopen([...make(2), ...make(60, { group_id: EVENTS }), ...make(1)]);
		const [links, events] = [await list(), await list(`?group_id=${EVENTS}`)];
		expect([links.length, events.length]).toEqual([50, 50]);
		expect([links[0], events[0]]).toMatchObject([
			{ link_id: 63, position: 62 },
			{ link_id: 62, position: 61 },
		]);
		expect(await list('?group_id=1')).toEqual([]);
	});

	test('has a link from the second its schedule begins until the second it ends, at the place of its creation', async () => {
		await reopen([...make(1), { ...NEW, schedule_from: FROM, schedule_to: '2030-01-31T18:00:01+01:00' }, ...make(1)]);
		const now = jest.spyOn(Date, 'now');
		const shown = [-1, 0, 999, 1000].map((milliseconds) => {
			now.mockReturnValue(Date.parse(FROM) + milliseconds);
			return sandbox.account.links.list().map(({ link_id: id, position }) => `${id} at ${position}`);
		});
		now.mockRestore();
		const without = ['3 at 1', '1 at 0'];
		const withIt = ['3 at 2', '2 at 1', '1 at 0'];
		expect(shown).toEqual([without, withIt, withIt, without]);
	});
});

test('A new link is on top, with every field, and the response has its ID and URL', async () => {
	const texts = { ...NEW, image: 'http://example.com/a.png', schedule_to: FROM };
	const { status, body } = await call('add', { ...texts, group_id: '3' });
	const data = { id: 5, url: 'https://example.com/sandbox/links/5' };
	expect([status, body]).toEqual([200, { ...SUCCESS, data }]);
	expect(all()[0]).toMatchObject({ ...texts, group_id: PRESS });
	expect((await list())[0]).toMatchObject({ link_id: 5, position: 3 });
});

test.each<[Record<string, string>, object]>([
	[{ title: 'Tour' }, { title: 'Tour' }],
	[{ link: 'http://example.com/t' }, { link: 'http://example.com/t' }],
	[{ group_id: '3' }, { group_id: PRESS }],
	[{ group_id: '' }, { group_id: undefined }],
])('An edit with %j keeps the other fields, and moves no link', async (fields, changes) => {
	const before = all();
	const { status, body } = await call('edit', { link_id: '3', ...fields });
	expect([status, body]).toEqual([200, SUCCESS]);
	expect(all()).toEqual(before.map((link) => (link.link_id === 3 ? { ...link, ...changes } : link)));
});

test('A deletion closes the gap, and succeeds again (docs/api.md, section 4.6)', async () => {
	for (let time = 0; time < 2; time += 1) {
		const { status, body } = await call('delete', { link_id: '2' });
		expect([status, body]).toEqual([200, SUCCESS]);
		expect(await list()).toMatchObject([
			{ link_id: 3, position: 1 },
			{ link_id: 1, position: 0 },
		]);
	}
});

const time = (name: string) => `${name} must be a time such as 2030-01-31T18:00:00+01:00.`;

test.each<['add' | 'edit' | 'delete', Fields, number, string]>([
	['add', { link: NEW.link }, 400, 'title is missing.'],
	['add', { ...NEW, link: ' javascript:alert(1)//http://a' }, 400, 'link must be an http or https address.'],
	['add', { ...NEW, schedule_from: '2030-01-31T18:00:00' }, 400, time('schedule_from')],
	['add', { ...NEW, schedule_to: '2030-02-30T18:00:00+01:00' }, 400, time('schedule_to')],
	['add', { ...NEW, schedule_from: FROM, schedule_to: FROM }, 400, 'schedule_to must be after schedule_from.'],
	['add', { ...NEW, group_id: '9' }, 200, 'There is no group 9.'],
	['edit', { link_id: '12', title: 'A' }, 200, 'There is no link 12.'],
	['edit', { title: 'A' }, 400, 'link_id is missing.'],
	['delete', { link_id: '2a' }, 400, 'link_id must be a whole number.'],
])('lnk/%s rejects %j with status %i and changes nothing', async (name, fields, status, error) => {
	const before = all();
	expect(await call(name, fields)).toMatchObject({ status, body: { status: false, errors: [error] } });
	expect(all()).toEqual(before);
});

test('The recorder notices calls for the same link that overlap, which tests of the node rely on', async () => {
	sandbox.faults.latency = 100;
	const edit = async (id: number) => await call('edit', { link_id: String(id) });
	await Promise.all([edit(1), edit(2)]);
	expect([sandbox.recorder.mostInFlight, sandbox.recorder.hasOverlap]).toEqual([2, false]);
	await Promise.all([edit(1), edit(1)]);
	expect(sandbox.recorder.hasOverlap).toBe(true);
});
