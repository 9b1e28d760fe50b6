import type { NewLink } from '../../sandbox/links';
import { seededLinks } from '../../sandbox/seed';
import type { Sandbox } from '../../sandbox/server';
import { type Fields, get, post, useSandbox } from '../support/serviceClient';

const LIST = '/oauth/v1/lnk/list';
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

async function list(query = '') {
	const { body } = await get(sandbox, LIST + query, token);
	return body.data as Array<Record<string, unknown>>;
}

const titles = async () => (await list()).map(({ title }) => title);
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
	test('returns the public links in the documented format, newest first', async () => {
		const { status, body } = await get(sandbox, LIST, token);
		expect(status).toBe(200);
		const created_at = expect.stringMatching(/^[\d-]{10}T[\d:]{8}\+00:00$/) as string;
		const data = [
			{ link_id: 3, title: 'Summer tour', image: null, link: 'https://example.com/tour?from=profile', position: 2 },
			{ link_id: 2, title: 'New album', image: seededLinks[1]!.image, link: 'https://example.com/album', position: 1 },
			{ link_id: 1, title: 'Newsletter', image: null, link: 'https://example.com/newsletter', position: 0 },
		];
		expect(body).toEqual({ status: true, errors: [], data: data.map((link) => ({ ...link, created_at, meta: {} })) });
		expect(all().map(({ title }) => title)).toContain('Farewell concert');
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
		expect(await list('?group_id=1')).toEqual([]);
	});

	test('returns a link from the second its schedule begins until the second it ends, at the place of its creation', async () => {
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

describe('POST /oauth/v1/lnk/add', () => {
	test('adds the link at the top and returns its ID and URL', async () => {
		const { status, body } = await call('add', NEW);
		const data = { id: 5, url: 'https://example.com/sandbox/links/5' };
		expect([status, body]).toEqual([200, { status: true, errors: [], data }]);
		expect(await titles()).toEqual(['New', 'Summer tour', 'New album', 'Newsletter']);
	});

	test('stores every field', async () => {
		const schedule = { schedule_from: FROM, schedule_to: '2030-01-31T17:00:01-00:00' };
		const fields = { ...NEW, image: 'http://example.com/a.png', ...schedule };
		await call('add', { ...fields, group_id: '3' });
		expect(all()[0]).toMatchObject({ ...fields, group_id: PRESS });
		expect(await titles()).not.toContain('New');
	});
});

describe('POST /oauth/v1/lnk/edit', () => {
	test.each<[string, Record<string, string>, object]>([
		['the title', { title: 'Tour' }, { title: 'Tour' }],
		['the URL', { link: 'http://example.com/t' }, { link: 'http://example.com/t' }],
		['the group', { group_id: '3' }, { group_id: PRESS }],
		['an empty group', { group_id: '' }, { group_id: undefined }],
	])('changes %s, keeps the other fields, and moves no link', async (_what, fields, changes) => {
		for (const id of [4, 3]) {
			const before = find(id)!;
			const { status, body } = await call('edit', { link_id: String(id), ...fields });
			expect([status, body]).toEqual([200, { status: true, errors: [] }]);
			expect(find(id)).toEqual({ ...before, ...changes });
		}
		expect(all().map(({ link_id: id }) => id)).toEqual([4, 3, 2, 1]);
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
	});

	test('succeeds for an ID that does not exist, and changes nothing (docs/api.md, section 4.6)', async () => {
		await expectNoChange(async () => {
			const { status, body } = await call('delete', { link_id: '12' });
			expect([status, body]).toEqual([200, { status: true, errors: [] }]);
		});
	});
});

const time = (name: string) => `${name} must be a time such as 2030-01-31T18:00:00+01:00.`;

test.each<['add' | 'edit' | 'delete', Fields, number, string]>([
	['add', { link: NEW.link }, 400, 'title is missing.'],
	['add', { ...NEW, link: ' javascript:alert(1)//http://a' }, 400, 'link must be an http or https address.'],
	['add', { ...NEW, link: 'example.com' }, 400, 'link must be an http or https address.'],
	['add', { ...NEW, schedule_from: '2030-01-31T18:00:00' }, 400, time('schedule_from')],
	['add', { ...NEW, schedule_to: '2030-02-30T18:00:00+01:00' }, 400, time('schedule_to')],
	['add', { ...NEW, schedule_from: FROM, schedule_to: FROM }, 400, 'schedule_to must be after schedule_from.'],
	['add', { ...NEW, group_id: '9' }, 200, 'There is no group 9.'],
	['edit', { link_id: '12', title: 'A' }, 200, 'There is no link 12.'],
	['edit', { title: 'A' }, 400, 'link_id is missing.'],
	['delete', { link_id: '2a' }, 400, 'link_id must be a whole number.'],
])('POST /oauth/v1/lnk/%s rejects %j with status %i and changes nothing', async (name, fields, status, error) => {
	await expectNoChange(async () => {
		expect(await call(name, fields)).toMatchObject({ status, body: { status: false, errors: [error] } });
	});
});

test('every endpoint for links and groups rejects an unknown token', async () => {
	token = 'never-issued';
	await expectNoChange(async () => {
		const reads = [LIST, '/oauth/v1/group/list'].map(async (path) => await get(sandbox, path, token));
		const names = ['add', 'edit', 'delete'] as const;
		const changes = names.map(async (name) => await call(name, { link_id: '1', ...NEW }));
		const responses = await Promise.all([...reads, ...changes]);
		expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
	});
});

test('The recorder notices calls for the same link that overlap, which tests of the node rely on', async () => {
	sandbox.faults.latency = 100;
	await Promise.all([call('edit', { link_id: '1' }), call('edit', { link_id: '2' })]);
	expect([sandbox.recorder.mostInFlight, sandbox.recorder.hasOverlap]).toEqual([2, false]);
	await Promise.all([call('edit', { link_id: '1' }), call('edit', { link_id: '1' })]);
	expect(sandbox.recorder.hasOverlap).toBe(true);
});
