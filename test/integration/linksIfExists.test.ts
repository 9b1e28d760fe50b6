import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { requestedUrls } from '../support/requests';
import { waitUntil } from '../support/waitUntil';

const [LIST, ADD, EDIT] = ['/oauth/v1/lnk/list', '/oauth/v1/lnk/add', '/oauth/v1/lnk/edit'];

const A = 'https://example.com/a';
const B = 'https://example.com/b';

/** Every item has its own title, address and choice. */
const FROM_ITEM: INodeParameters = {
	title: '={{ $json.title }}',
	url: '={{ $json.url }}',
	ifExists: '={{ $json.ifExists }}',
};

const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

const harness = useHarness({ links: [] });

const links = (sandbox: Sandbox = harness.sandbox) => sandbox.account.links.all;
const titles = (sandbox?: Sandbox) =>
	links(sandbox)
		.map(({ title }) => title)
		.toReversed();

/** The calls of a kind. */
const callsTo = (url: string) => harness.sandbox.recorder.calls.filter((call) => call.url === url);
const urls = () => requestedUrls(harness.sandbox).filter((url) => url !== '/oauth/token');
const edits = () => callsTo(EDIT).map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
const fail = (path: string, fault: Fault | undefined, times?: number) =>
	harness.sandbox.faults.add({ path, fault, times });

/** Adds a link to the profile, and returns its ID. */
function addLink(link: string, title = 'Existing', groupId?: number): number {
	return harness.sandbox.account.links.add({ title, link, group_id: groupId }).link_id;
}

async function create(parameters: INodeParameters, options: RunNodeOptions = {}) {
	const fields = { title: 'New', url: A, ...parameters };
	return await harness.runNode({ resource: 'links', operation: 'create', ...fields }, options);
}

type NewLink = [title: string, url: string, ifExists: string];

/** Creates links with these titles, addresses and choices. */
async function createEach(items: readonly NewLink[], parameters: INodeParameters = {}, options: RunNodeOptions = {}) {
	return await create(
		{ ...FROM_ITEM, ...parameters },
		{ items: items.map(([title, url, ifExists]) => ({ title, url, ifExists })), ...options },
	);
}

const actions = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => (json.error ? 'failed' : json.action));
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) => hints.map(({ message }) => message);

describe('Create Another', () => {
	test.each(['', 'create'])('creates a link with the same URL, without a list (%j)', async (choice) => {
		addLink(A);
		const outcome = await create(choice ? { ifExists: choice } : {});
		expect(outcome.items[0]!.json).toMatchObject({ action: 'created', link_id: 2 });
		expect(links()).toHaveLength(2);
		expect(urls()).toEqual([ADD]);
		expect(outcome.hints).toEqual([]);
	});
});

describe('Skip', () => {
	test('returns the existing link as the service lists it, and changes nothing', async () => {
		addLink(A);
		const [listed] = harness.sandbox.account.links.list();
		const outcome = await create({ ifExists: 'skip', additionalFields: { groupId: '2' } });
		expect(outcome.items).toEqual([{ json: { ...listed, action: 'skipped' }, pairedItem: { item: 0 } }]);
		expect(urls()).toEqual([LIST]);
		expect(titles()).toEqual(['Existing']);
		expect(outcome.hints).toEqual([]);
	});
});

describe('Update', () => {
	test('sends a title that differs, and returns the link with it', async () => {
		const id = addLink(A);
		const [listed] = harness.sandbox.account.links.list();
		const outcome = await create({ ifExists: 'update' });
		expect(edits()).toEqual([{ link_id: String(id), title: 'New' }]);
		expect(outcome.items).toEqual([{ json: { ...listed, title: 'New', action: 'updated' }, pairedItem: { item: 0 } }]);
		expect(titles()).toEqual(['New']);
		expect(outcome.hints).toEqual([]);
	});

	test('sends nothing if the title is the same and no group is given', async () => {
		addLink(A, 'New');
		const outcome = await create({ ifExists: 'update' });
		expect(actions(outcome)).toEqual(['unchanged']);
		expect(outcome.items[0]!.json).toMatchObject({ link_id: 1, title: 'New', link: A });
		expect(urls()).toEqual([LIST]);
	});

	test.each([
		['sends a group with the title, though both are the same', 'New', '2', { group_id: '2' }, 2],
		['sends another group with another title', 'Existing', '3', { group_id: '3' }, 3],
		['leaves the link in its group if no group is set', 'Existing', '', {}, 2],
		['removes the link from its group with No Group', 'New', 'none', { group_id: '' }, undefined],
	])('%s', async (_what, title, groupId, sent, group_id) => {
		addLink(A, title, 2);
		const outcome = await create({ ifExists: 'update', additionalFields: { groupId } });
		expect(edits()).toEqual([{ link_id: '1', title: 'New', ...sent }]);
		expect(links()).toMatchObject([{ title: 'New', group_id }]);
		expect(actions(outcome)).toEqual(['updated']);
	});

	test('sends nothing if the title is the same but for entities of HTML', async () => {
		addLink(A, 'It&#039;s &amp; &lt;b&gt;');
		expect(actions(await create({ ifExists: 'update', title: "It's & <b>" }))).toEqual(['unchanged']);
		expect(urls()).toEqual([LIST]);
	});

	test('updates only the newest of several links, and says so', async () => {
		addLink(A, 'Old');
		addLink(A, 'Newest');
		const outcome = await create({ ifExists: 'update' });
		expect(titles()).toEqual(['Old', 'New']);
		expect(outcome.items[0]!.json.link_id).toBe(2);
		expect(hintsOf(outcome)).toEqual(['Several links have the same URL. Only the newest was updated.']);
	});

	test('says that an image cannot be changed', async () => {
		addLink(A);
		const image = { imageUrl: 'https://example.com/a.png' };
		const outcome = await create({ ifExists: 'update', additionalFields: image });
		expect(hintsOf(outcome)).toEqual([
			'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.',
		]);
		expect(edits()).toEqual([{ link_id: '1', title: 'New' }]);
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

	test.each([{ status: true }, { status: true, info: { link: { id: 5 } } }])(
		'need not contain yet what was created without a known ID (%j)',
		async (response) => {
			fail(ADD, jsonResponse(response), 1);
			const items: NewLink[] = ['One', 'Two'].map((title) => [title, A, 'skip']);
			expect(actions(await createEach(items))).toEqual(['created', 'skipped']);
			expect(urls()).toEqual([LIST, ADD, LIST]);
		},
	);

	test.each([{ url: A }, { link: { href: A } }])(
		'is of no use without addresses, so nothing is created (%j)',
		async (listed) => {
			fail(LIST, jsonResponse({ status: true, data: [{ link_id: 7, title: 'Old', ...listed }] }));
			const { error } = await create({ ifExists: 'skip' });
			expect(error!.message).toBe(
				'The link "New" was not created: the links were not read: the links in the response have no addresses (link)',
			);
			expect(titles()).toEqual([]);
		},
	);

	test.each([
		['no ID', { link: A, title: 'Old' }],
		['a number as ID that may have lost digits', { link: A, title: 'Old', link_id: 2 ** 53 }],
	])('updates no link that the service lists with %s', async (_which, listed) => {
		fail(LIST, jsonResponse({ status: true, data: [listed] }));
		const { error } = await create({ ifExists: 'update' });
		expect(error!.message).toBe(
			'The link "New" was not created: a link with the same URL exists, but its ID is unknown',
		);
		expect(urls()).toEqual([LIST]);
	});
});

test('If Link Exists rejects another choice before anything is sent', async () => {
	const { error } = await create({ ifExists: '={{ "overwrite" }}' });
	const message = 'If Link Exists: "overwrite" is not one of the options';
	harness.expectRefused(error, message, 'Use one of: create, skip, update.');
});

describe('A list of existing links that cannot be read', () => {
	const NO_RETRY = { options: { maxRetries: 0 } };

	test('creates no link, and says so', async () => {
		fail(LIST, statusFault(503, 'Busy.'));
		const { error } = await create({ ifExists: 'skip', ...NO_RETRY });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The link "New" was not created: the links were not read: the service failed (503)',
			description: 'Try again later. The service said: "Busy."',
		});
		expect(links()).toEqual([]);
	});

	test('fails each item that needs it with Continue on Fail, with one request', async () => {
		fail(LIST, 'reset');
		const items: NewLink[] = [
			['One', A, 'skip'],
			['Two', B, 'create'],
			['Three', B, 'update'],
			['Four', A, 'skip'],
		];
		const outcome = await createEach(items, NO_RETRY, { settings: CONTINUE });
		expect(actions(outcome)).toEqual(['failed', 'created', 'failed', 'failed']);
		for (const index of [0, 2, 3]) {
			const notCreated = `The link "${items[index]![0]}" was not created: the links were not read: the `;
			expect(outcome.items[index]!.json.error).toContain(notCreated);
		}
		expect(titles()).toEqual(['Two']);
		expect(callsTo(LIST)).toHaveLength(1);
	});

	test('is read again by the next try of Retry On Fail, without a long wait', async () => {
		fail(LIST, statusFault(503), 1);
		const items = ['One', 'Two', 'Three'].map((title, index): NewLink => [title, `${A}/${index}`, 'skip']);
		const settings: Partial<INode> = { ...CONTINUE, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const outcome = await createEach(items, NO_RETRY, { settings });
		expect(actions(outcome)).toEqual(['created', 'created', 'created']);
		expect(callsTo(LIST)).toHaveLength(2);
	});
});

describe('A creation with an unknown outcome', () => {
	const items: NewLink[] = [
		['One', A, 'skip'],
		['Two', A, 'skip'],
		['Three', B, 'skip'],
	];

	test.each<[Fault, string[], string[]]>([
		['lost', ['failed', 'skipped', 'created'], ['One', 'Three']],
		['reset', ['failed', 'created', 'created'], ['Two', 'Three']],
	])('makes the list be read again (%j)', async (fault, expectedActions, created) => {
		fail(ADD, fault, 1);
		const outcome = await createEach(items, {}, { settings: CONTINUE });
		expect(actions(outcome)).toEqual(expectedActions);
		expect(titles()).toEqual(created);
		expect(callsTo(LIST)).toHaveLength(2);
		expect(outcome.items[0]!.json.error).toMatch(/^It is unknown whether the link "One" was created/);
	});

	test('creates no link for later items if the list cannot be read again', async () => {
		fail(ADD, 'lost', 1);
		fail(LIST, undefined, 1);
		fail(LIST, statusFault(400));
		const outcome = await createEach(items, {}, { settings: CONTINUE });
		expect(actions(outcome)).toEqual(['failed', 'failed', 'failed']);
		expect(titles()).toEqual(['One']);
		expect(callsTo(LIST)).toHaveLength(2);
	});
});

test('Skip finds a link that its own run has pushed out of a full list, however slow the run is', async () => {
	addLinks(harness.sandbox, 48);
	harness.sandbox.account.links.all.forEach((each, index) => (each.link = `https://example.com/old/${index}`));
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + 30_000 * callsTo(ADD).length);
	const addresses = [
		...['1', '2', '3', '4', '5', '6'].map((name) => `${A}/${name}`),
		...[45, 46, 47].map((index) => `https://example.com/old/${index}`),
	];
	const outcome = await createEach(addresses.map((url): NewLink => ['New', url, 'skip']));
	expect(actions(outcome)).toEqual([...Array<string>(6).fill('created'), 'skipped', 'skipped', 'skipped']);
	expect(callsTo(LIST).length).toBeGreaterThan(1);
	expect(links()).toHaveLength(54);
});

describe('The columns of Create', () => {
	test('begin alike for created, updated, skipped and unchanged links, with no value twice', async () => {
		addLink(A, 'Old');
		const outcome = await createEach([
			['Fresh', B, 'skip'],
			['New', A, 'update'],
			['Other', A, 'skip'],
			['New', A, 'update'],
		]);
		expect(actions(outcome)).toEqual(['created', 'updated', 'skipped', 'unchanged']);
		for (const { json } of outcome.items) {
			expect(Object.keys(json).slice(0, 4)).toEqual(['link_id', 'action', 'title', 'link']);
			const values = Object.values(json).filter((value) => typeof value !== 'object');
			expect(new Set(values).size).toBe(values.length);
		}
		const [created] = outcome.items;
		expect(created!.json).toMatchObject({ link: B });
		expect(created!.json.service_url).not.toBe(B);
	});
});

describe('Match URLs Loosely', () => {
	const loose = { options: { looseUrls: true } };
	const one = 'https://example.com/post/1';

	test('finds a link whose address differs by what is often added, in both directions', async () => {
		const [other, added] = ['https://example.com/post/2', '/?utm_source=rss&fbclid=1#top'];
		addLink(one);
		addLink(`${other}${added}`);
		for (const url of [`${one}${added}`, other]) {
			expect(actions(await create({ ifExists: 'skip', url, ...loose }))).toEqual(['skipped']);
		}
		expect(actions(await create({ ifExists: 'skip', url: other }))).toEqual(['created']);
	});

	test('recognizes an address that occurs twice in the input', async () => {
		const outcome = await createEach(
			[
				['One', one, 'skip'],
				['Two', `${one}/?a=1&utm_source=rss`, 'skip'],
				['Three', `${one}?utm_campaign=x&a=1`, 'skip'],
				['Four', `${one}/`, 'update'],
			],
			loose,
		);
		expect(actions(outcome)).toEqual(['created', 'created', 'skipped', 'updated']);
		expect(links()).toHaveLength(2);
	});
});

describe('The hints of If Link Exists', () => {
	const LIST_FULL =
		'The service lists only its 50 newest public links. An older link with the same URL was not found, so there may be two now.';
	const PUBLIC_ALREADY = 'Public From has passed, so the link is public at once. Check the date.';

	test.each<[choice: string, count: number, hints: string[]]>([
		['skip', 50, [LIST_FULL]],
		['update', 50, [LIST_FULL]],
		['skip', 49, []],
		['create', 50, []],
	])('for %s and a list of %i links: %j', async (ifExists, count, hints) => {
		addLinks(harness.sandbox, count);
		const outcome = await create({ ifExists });
		expect(actions(outcome)).toEqual(['created']);
		expect(hintsOf(outcome)).toEqual(hints);
	});

	test.each<[choice: string, scheduleFrom: string, hints: string[]]>([
		['skip', '2099-01-01T10:00:00', []],
		['skip', '2001-01-01T10:00:00', [PUBLIC_ALREADY]],
	])('for %s and a schedule from %s: %j', async (ifExists, scheduleFrom, hints) => {
		const outcome = await create({ ifExists, additionalFields: { scheduleFrom } });
		expect(actions(outcome)).toEqual(['created']);
		expect(hintsOf(outcome)).toEqual(hints);
	});
});

test.each<[string, INodeParameters]>([
	['created', { ifExists: 'create' }],
	['updated', { ifExists: 'update' }],
	['updated', { operation: 'update', linkId: '1', updateFields: { title: 'Don&#39;t Stop &amp; Go' } }],
])(
	'A title that is %s with entities is sent as it is, and one warning says how to decode it',
	async (action, fields) => {
		addLink(A);
		const outcome = await create({ title: 'Don&#39;t Stop &amp; Go', ...fields });
		expect(actions(outcome)).toEqual([action]);
		expect(titles().at(-1)).toBe('Don&#39;t Stop &amp; Go');
		const [warning, ...others] = hintsOf(outcome);
		expect(others).toEqual([]);
		expect(warning).toContain(
			'The title contains &amp;#39;. If the page shows it like that, decode the title first: {{',
		);
		expect(actions(await create({ title: 'AT&T; R&D', ifExists: 'create' }))).toEqual(['created']);
	},
);

describe('Items with If Link Exists', () => {
	const many = Array.from({ length: 12 }, (_, index): NewLink => [
		`Title ${index}`,
		`${A}/${index}`,
		['skip', 'update', 'create'][index % 3]!,
	]);

	test('are created one at a time, in their order', async () => {
		harness.sandbox.faults.latency = 10;
		await createEach(many);
		expect(titles()).toEqual(many.map(([title]) => title));
		expect(harness.sandbox.recorder.mostInFlight).toBe(1);
	});
});

test('A canceled execution reports the link whose creation was in flight', async () => {
	fail(ADD, 'hang');
	const controller = new AbortController();
	const items: NewLink[] = ['One', 'Two'].map((title) => [title, `${A}/${title}`, 'skip']);
	const running = createEach(items, {}, { signal: controller.signal, settings: CONTINUE });
	await waitUntil(() => callsTo(ADD).length > 0);
	controller.abort();
	const { run, error } = await running;
	expect([run.status, callsTo(ADD).length]).toEqual(['canceled', 1]);
	expect(error).toMatchObject({
		message: 'The execution was canceled – item 0 of 2 failed; 1 was not processed',
		description:
			'Items are counted from 0. Unknown outcome: item 0. Look at your profile before you run the workflow again.',
	});
});
