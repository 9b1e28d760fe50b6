import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { requestedUrls } from '../support/requests';
import { waitUntil } from '../support/waitUntil';

const [LIST, ADD, EDIT] = ['/oauth/v1/lnk/list', '/oauth/v1/lnk/add', '/oauth/v1/lnk/edit'];

const A = 'https://example.com/a';
const B = 'https://example.com/b';
const URLS = [A, B, 'https://example.com/c'];

const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

const harness = useHarness({ links: [] });

/** The credential that all executions of a test use. */
let account: Pick<RunNodeOptions, 'store' | 'reference'>;
beforeEach(() => (account = harness.newAccount()));
afterEach(() => jest.restoreAllMocks());

const links = () => harness.sandbox.account.links.all;
const createdAt = () => harness.sandbox.account.links.list()[0]!.created_at;
/** The oldest first. */
const titles = () => [...links()].reverse().map(({ title }) => title);
/** The calls of a kind. */
const callsTo = (url: string) => harness.sandbox.recorder.calls.filter((call) => call.url === url);
const urls = () => requestedUrls(harness.sandbox).filter((url) => url !== '/oauth/token');
const edits = () => callsTo(EDIT).map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
const fail = (path: string, fault: Fault | undefined, times?: number) =>
	harness.sandbox.faults.add({ path, fault, times });
/** Makes the service list these links, whatever there is. */
const listAlways = (...data: IDataObject[]) => fail(LIST, jsonResponse({ status: true, data }));

/** Adds a link to the profile, and returns its ID. */
function addLink(link: string, title = 'Existing', groupId?: number): number {
	return harness.sandbox.account.links.add({ title, link, group_id: groupId }).link_id;
}

async function create(parameters: INodeParameters, options: RunNodeOptions = {}) {
	const fields = { title: 'New', url: A, ...parameters };
	return await harness.runNode({ resource: 'links', operation: 'create', ...fields }, { ...account, ...options });
}

type NewLink = [title: string, url: string, ifExists: string];

/** Creates links with these titles, addresses and choices. */
async function createEach(links: readonly NewLink[], parameters: INodeParameters = {}, options: RunNodeOptions = {}) {
	const fromItem = { title: '={{ $json.title }}', url: '={{ $json.url }}', ifExists: '={{ $json.ifExists }}' };
	const items = links.map(([title, url, ifExists]) => ({ title, url, ifExists }));
	return await create({ ...fromItem, ...parameters }, { items, ...options });
}

const actions = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => (json.error ? 'failed' : json.action));
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) => hints.map(({ message }) => message);

test('Create Another creates a link with the same URL, without a list', async () => {
	addLink(A);
	const outcome = await create({ ifExists: 'create' });
	expect(outcome.items[0]!.json).toMatchObject({ action: 'created', link_id: 2 });
	expect(links()).toHaveLength(2);
	expect(urls()).toEqual([ADD]);
	expect(outcome.hints).toEqual([]);
});

test('Skip returns the existing link, and changes nothing', async () => {
	addLink(A);
	const outcome = await create({ ifExists: 'skip', additionalFields: { groupId: '2' } });
	const json = { link_id: 1, action: 'skipped', title: 'Existing', url: A, position: 0, created_at: createdAt() };
	expect(outcome.items).toEqual([{ json, pairedItem: { item: 0 } }]);
	expect(urls()).toEqual([LIST]);
	expect(titles()).toEqual(['Existing']);
	expect(outcome.hints).toEqual([]);
});

describe('Update', () => {
	const NOT_EDITABLE =
		'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.';

	test.each<[what: string, title: string, fields: INodeParameters, sent: IDataObject, group?: number, hint?: string]>([
		['sends a title that differs', 'Existing', {}, {}, 2],
		['sends a group with the title, though both are the same', 'New', { groupId: '2' }, { group_id: '2' }, 2],
		['sends another group with another title', 'Existing', { groupId: '3' }, { group_id: '3' }, 3],
		['leaves the link in its group if no group is set', 'Existing', { groupId: '' }, {}, 2],
		['removes the link from its group with No Group', 'New', { groupId: 'none' }, { group_id: '' }, undefined],
		['says that an image cannot be changed', 'Old', { imageUrl: `${A}.png` }, {}, 2, NOT_EDITABLE],
	])('%s, and returns the link with it', async (...[, title, additionalFields, sent, group_id, hint]) => {
		addLink(A, title, 2);
		const outcome = await create({ ifExists: 'update', additionalFields });
		expect(edits()).toEqual([{ link_id: '1', title: 'New', ...sent }]);
		expect(links()).toMatchObject([{ title: 'New', group_id }]);
		const updated = { link_id: 1, action: 'updated', title: 'New', url: A };
		const { group_id: sentGroup } = sent;
		const group = sentGroup ? { group_id: Number(sentGroup) } : {};
		const json = { ...updated, ...group, position: 0, created_at: createdAt() };
		expect(outcome.items).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(hintsOf(outcome)).toEqual(hint ? [hint] : []);
	});

	test.each([
		['New', 'New'],
		['It&#039;s &amp; &lt;b&gt; &quot;&#8217;', 'It\'s & <b> "’'],
	])(
		'sends nothing if the title is the same but for entities of HTML, and no group is given (%s)',
		async (old, title) => {
			addLink(A, old);
			const outcome = await create({ ifExists: 'update', title });
			expect(outcome.items[0]!.json).toMatchObject({ action: 'unchanged', link_id: 1, title: old, url: A });
			expect(urls()).toEqual([LIST]);
		},
	);

	test('updates only the newest of several links', async () => {
		addLink(A, 'Old');
		addLink(A, 'Newest');
		const outcome = await create({ ifExists: 'update' });
		expect(titles()).toEqual(['Old', 'New']);
		expect(outcome.items[0]!.json.link_id).toBe(2);
	});
});

describe('The list of existing links', () => {
	test('contains what the execution has created, in any way', async () => {
		const outcome = await createEach([
			['One', A, 'skip'],
			['Two', A, 'skip'],
			['Three', `${A}#`, 'skip'],
			['Four', B, 'create'],
			['Five', B, 'skip'],
			['Six', B, 'update'],
			['Six', B, 'update'],
		]);
		expect(actions(outcome)).toEqual(['created', 'skipped', 'created', 'created', 'skipped', 'updated', 'unchanged']);
		expect(outcome.items.map(({ json }) => json.link_id)).toEqual([1, 1, 2, 3, 3, 3, 3]);
		expect(titles()).toEqual(['One', 'Three', 'Six']);
		expect(callsTo(LIST)).toHaveLength(1);
	});

	test('is read again for the ID of a link whose creation has not returned it', async () => {
		const withoutId = { when: () => addLink(A) > 0, fault: jsonResponse({ status: true, info: { link: {} } }) };
		harness.sandbox.faults.add({ path: ADD, times: 1, ...withoutId });
		const outcome = await createEach([
			['Existing', A, 'skip'],
			['New', A, 'update'],
		]);
		expect(outcome.items.map(({ json }) => [json.link_id, json.action])).toEqual([
			[undefined, 'created'],
			[1, 'updated'],
		]);
		expect(urls()).toEqual([LIST, ADD, LIST, EDIT]);
	});

	test.each([{ url: A }, { link: { href: A } }])(
		'is of no use without addresses, so nothing is created (%j)',
		async (listed) => {
			listAlways({ link_id: 7, title: 'Old', ...listed });
			const { error } = await create({ ifExists: 'skip' });
			expect(error!.message).toBe(
				'The link "New" was not created: the links were not read: the links in the response have no field "link"',
			);
			expect(titles()).toEqual([]);
		},
	);

	test.each([
		['no ID', { link: A, title: 'Old' }],
		['a number as ID that may have lost digits', { link: A, title: 'Old', link_id: 2 ** 53 }],
	])('updates no link that the service lists with %s', async (_which, listed) => {
		listAlways(listed);
		const { error } = await create({ ifExists: 'update' });
		expect(error!.message).toBe(
			'The link "New" was not created: a link with the same URL exists, but its ID is unknown',
		);
		expect(urls()).toEqual([LIST]);
	});
});

test('A list of existing links that cannot be read fails each item that needs it, with one request', async () => {
	fail(LIST, statusFault(503, 'Busy.'));
	const items: NewLink[] = [
		['One', A, 'skip'],
		['Two', B, 'create'],
		['Three', B, 'update'],
		['Four', A, 'skip'],
	];
	const outcome = await createEach(items, { options: { maxRetries: 0 } }, { settings: CONTINUE });
	const notCreated = (title: string) =>
		`The link "${title}" was not created: the links were not read: the service failed (503). Try again later. The service said: "Busy."`;
	const ended = outcome.items.map(({ json }) => json.error ?? json.action);
	expect(ended).toEqual([notCreated('One'), 'created', notCreated('Three'), notCreated('Four')]);
	expect(titles()).toEqual(['Two']);
	expect(callsTo(LIST)).toHaveLength(1);
});

test.each<[Fault, string[], string[]]>([
	['lost', ['failed', 'skipped', 'created'], ['One', 'Three']],
	['reset', ['failed', 'created', 'created'], ['Two', 'Three']],
])('A creation with an unknown outcome makes the list be read again (%j)', async (fault, expectedActions, created) => {
	fail(ADD, fault, 1);
	const items: NewLink[] = [
		['One', A, 'skip'],
		['Two', A, 'skip'],
		['Three', B, 'skip'],
	];
	const outcome = await createEach(items, {}, { settings: CONTINUE });
	expect(actions(outcome)).toEqual(expectedActions);
	expect(titles()).toEqual(created);
	expect(callsTo(LIST)).toHaveLength(2);
	expect(outcome.items[0]!.json.error).toMatch(/^It is unknown whether the link "One" was created/);
});

describe('The hints of If Link Exists', () => {
	const LIST_FULL =
		'The service lists only its 50 newest public links. An older link with the same URL was not found, so there may be two now.';

	test.each<[choice: string, count: number, fields: INodeParameters, hints: string[]]>([
		['skip', 50, {}, [LIST_FULL]],
		['update', 50, {}, [LIST_FULL]],
		['skip', 49, {}, []],
		['create', 50, {}, []],
		['skip', 0, { scheduleFrom: '2099-01-01T10:00:00' }, []],
	])('for %s, a list of %i links, and the fields %j: %j', async (ifExists, count, additionalFields, hints) => {
		addLinks(harness.sandbox, count);
		const outcome = await create({ ifExists, additionalFields });
		expect(actions(outcome)).toEqual(['created']);
		expect(hintsOf(outcome)).toEqual(hints);
	});
});

test.each<[string, INodeParameters]>([
	['created', { ifExists: 'create' }],
	['updated', { ifExists: 'update' }],
	[
		'updated',
		{ operation: 'update', linkId: '1', updateFields: { title: 'Don&#039;t &quot;Stop&quot; &amp; Go&#8217;' } },
	],
])('A title that is %s with entities of HTML is sent and returned decoded', async (action, fields) => {
	addLink(A);
	const { items, hints } = await create({ title: 'Don&#039;t &quot;Stop&quot; &amp; Go&#8217;', ...fields });
	expect(items[0]!.json).toMatchObject({ action, title: 'Don\'t "Stop" & Go’' });
	expect(titles().at(-1)).toBe('Don\'t "Stop" & Go’');
	expect(hints).toEqual([]);
});

/** Creates links with the title "New" and these addresses. */
async function execute(ifExists: string, addresses = URLS, signal?: AbortSignal, parameters: INodeParameters = {}) {
	const items = addresses.map((url): NewLink => ['New', url, ifExists]);
	return await createEach(items, parameters, { signal, settings: CONTINUE });
}
const published = () => [...links()].reverse().map(({ link }) => link);

describe('Several executions at the same moment', () => {
	test.each([
		['skip', 'skipped'],
		['update', 'unchanged'],
	])('create each link once (%s)', async (ifExists, action) => {
		harness.sandbox.faults.latency = 10;
		const outcomes = await Promise.all([execute(ifExists), execute(ifExists)]);
		expect(published()).toEqual(URLS);
		const all = outcomes.flatMap(actions);
		expect(all.toSorted()).toEqual([...Array<string>(3).fill('created'), ...Array<string>(3).fill(action)].toSorted());
	});

	test.each<[Fault, every: number]>([
		['lost', 2],
		['reset', 3],
		[statusFault(503), 4],
	])('create none of 20 links twice, though an answer is missing now and then (%j, every %i)', async (fault, every) => {
		const addresses = Array.from({ length: 20 }, (_, index) => `https://example.com/${index}`);
		for (let index = 0; index < 40; index += 1) fail(ADD, index % every === 0 ? fault : undefined, 1);
		const outcomes = await Promise.all([execute('skip', addresses), execute('skip', addresses)]);
		expect(published().toSorted()).toEqual([...new Set(published())].toSorted());
		for (const [index, address] of addresses.entries()) {
			const errors = outcomes.map(({ items }) => items[index]!.json.error as string | undefined);
			const areUnknown = errors.every((error) => error?.startsWith('It is unknown whether'));
			expect(published().includes(address) || areUnknown).toBe(true);
		}
	});

	test('create the links of Create Another one by one, each in the order of its items', async () => {
		harness.sandbox.faults.latency = 10;
		await Promise.all([execute('create'), execute('create')]);
		expect(harness.sandbox.recorder.mostInFlight).toBe(1);
		expect(published().toSorted()).toEqual([...URLS, ...URLS].toSorted());
		expect(published().filter((url, index, all) => all.indexOf(url) === index)).toEqual(URLS);
	});
});

test.each<[done: string, operation: string, fields: INodeParameters]>([
	['deleted', 'delete', {}],
	['given another URL', 'update', { updateFields: { url: `${A}/new` } }],
])('A link that another execution has %s meanwhile is not found any more', async (_done, operation, fields) => {
	const linkId = String(addLink(A));
	harness.sandbox.faults.add({ path: ADD, latency: 300, times: 1 });
	const creating = execute('skip', [A, B, A, B]);
	await waitUntil(() => callsTo(ADD).length === 1);
	await harness.runNode({ resource: 'links', operation, linkId, ...fields }, account);
	expect(actions(await creating)).toEqual(['skipped', 'created', 'created', 'skipped']);
});

test('A link that an execution has created, and another one has deleted, is not found any more', async () => {
	harness.sandbox.faults.add({ path: ADD, times: 1 });
	harness.sandbox.faults.add({ path: ADD, latency: 300, times: 1 });
	const creating = execute('skip', [A, B, A]);
	await waitUntil(() => callsTo(ADD).length === 2);
	await harness.runNode({ resource: 'links', operation: 'delete', linkId: '1' }, account);
	expect(actions(await creating)).toEqual(['created', 'created', 'created']);
});

describe('An execution whose creation takes long', () => {
	/** Starts an execution whose first creation does not end by itself. Returns what cancels it. */
	async function startSlow() {
		fail(ADD, 'hang', 1);
		const controller = new AbortController();
		const ended = execute('skip', [A], controller.signal);
		await waitUntil(() => callsTo(ADD).length === 1);
		return async () => {
			controller.abort();
			expect((await ended).run.status).toBe('canceled');
		};
	}

	test('lets an execution that waits for it be canceled, which then has sent nothing', async () => {
		const cancel = await startSlow();
		const sent = harness.sandbox.recorder.calls.length;
		const controller = new AbortController();
		const waiting = execute('skip', URLS, controller.signal);
		const third = execute('skip');
		setTimeout(() => controller.abort(), 50);
		const { run, error } = await waiting;
		expect(run.status).toBe('canceled');
		expect(error!.message).toBe('The execution was canceled – 0 of 3 items succeeded; 3 were not processed');
		// Nor does the third begin because the second has given up.
		await wait(50);
		expect(harness.sandbox.recorder.calls).toHaveLength(sent);
		await cancel();
		expect(actions(await third)).toEqual(['created', 'created', 'created']);
		expect(published()).toEqual(URLS);
	});

	test('does not hold up another account, nor a preview', async () => {
		const cancel = await startSlow();
		const preview = await execute('skip', URLS, undefined, { preview: true });
		expect(actions(preview)).toEqual(URLS.map(() => 'would be created'));
		account = harness.newAccount();
		expect(actions(await execute('skip'))).toEqual(['created', 'created', 'created']);
		await cancel();
	});
});
