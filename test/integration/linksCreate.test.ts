import { setTimeout as wait } from 'node:timers/promises';

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const ADDRESS = 'https://example.com/?a=b&c=d#e';
const LINK: INodeParameters = { title: 'A new link', url: ADDRESS };

let harness: Harness;
beforeEach(async () => (harness = await Harness.open()));
afterEach(async () => await harness.close());

const links = () => harness.sandbox.account.links.all;
const calls = () => harness.sandbox.recorder.calls.length;
const forms = () => harness.sandbox.recorder.forms;

async function create(fields: INodeParameters, options: RunNodeOptions = {}) {
	return await harness.runNode(
		{ resource: 'links', operation: 'create', ...LINK, ...fields },
		options,
	);
}

test('sends title and URL in a form, with the bearer token', async () => {
	await create({ title: ' A & B = Ü ' });
	const [call] = harness.sandbox.recorder.calls;
	expect(call).toMatchObject({ method: 'POST', url: '/oauth/v1/lnk/add' });
	expect(call!.headers).toMatchObject({
		authorization: expect.stringMatching(/^Bearer \S+$/) as string,
		'content-type': 'application/x-www-form-urlencoded',
	});
	expect(forms()).toEqual([{ title: 'A & B = Ü', link: ADDRESS }]);
});

test('sends every additional field that is set', async () => {
	const { error } = await create(
		{
			additionalFields: {
				imageUrl: 'https://example.com/a.png',
				groupId: '2',
				scheduleFrom: '2099-01-01T10:00:00',
				scheduleTo: '2099-01-02T10:00:00',
			},
		},
		{ workflow: { timezone: 'Europe/Berlin' } },
	);
	expect(error).toBeUndefined();
	expect(forms()).toEqual([
		{
			title: 'A new link',
			link: ADDRESS,
			image: 'https://example.com/a.png',
			group_id: '2',
			schedule_from: '2099-01-01T10:00:00+01:00',
			schedule_to: '2099-01-02T10:00:00+01:00',
		},
	]);
});

test('sends no additional field that is empty', async () => {
	const empty = { imageUrl: '', groupId: '', scheduleFrom: '', scheduleTo: ' ' };
	await create({ additionalFields: empty });
	const onPurpose = { imageUrl: '=', groupId: 'none', scheduleFrom: '={{ $json.from ?? "" }}' };
	await create({ additionalFields: onPurpose });
	const literal = { imageUrl: null, groupId: null, scheduleFrom: null };
	await create({ additionalFields: literal });
	const nothing = { imageUrl: '={{ $json.picture }}', groupId: '={{ null }}' };
	await create({ additionalFields: nothing });
	expect(forms()).toEqual(Array(4).fill({ title: 'A new link', link: ADDRESS }));
});

test("puts out the new link's ID and address, paired with the input item", async () => {
	const { items } = await create({}, { items: [{ a: 1 }, { a: 2 }] });
	const [second, first] = links();
	expect(items).toEqual(
		[first, second].map((link, item) => ({
			json: { id: link!.link_id, url: expect.stringContaining(String(link!.link_id)) as string },
			pairedItem: { item },
		})),
	);
});

test('creates the links in the order of the items, so that the last one is on top', async () => {
	harness.sandbox.faults.latency = 10;
	const items = Array.from({ length: 12 }, (_, index) => ({ title: `Link ${index}` }));
	await create({ title: '={{ $json.title }}' }, { items });
	const titles = links().map(({ title }) => title);
	expect(titles.slice(0, 12).reverse()).toEqual(items.map(({ title }) => title));
});

test('any title and address arrive as they were given', async () => {
	const titles = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '');
	await fc.assert(
		fc.asyncProperty(titles, fc.webUrl({ withQueryParameters: true }), async (title, url) => {
			harness.reset();
			const { error } = await create(
				{ title: '={{ $json.title }}', url: '={{ $json.url }}' },
				{ items: [{ title, url }] },
			);
			expect(error).toBeUndefined();
			expect(forms()).toEqual([{ title: title.trim(), link: url }]);
		}),
		{ numRuns: 40 },
	);
});

describe('a schedule', () => {
	const workflow = { timezone: 'America/New_York' };
	const items = [{ utc: '2099-07-01T10:00:00.123Z', local: '2099-07-01 10:00' }];

	test.each<[string, string, string]>([
		['the date field', '2099-07-01T10:00:00', '2099-07-01T10:00:00-04:00'],
		['the date field, in winter', '2099-01-01T10:00:00', '2099-01-01T10:00:00-05:00'],
		['a text with an offset', '2099-07-01T10:00:00+02:00', '2099-07-01T04:00:00-04:00'],
		['a text of the input, in UTC', '={{ $json.utc }}', '2099-07-01T06:00:00-04:00'],
		['a text of the input, without an offset', '={{ $json.local }}', '2099-07-01T10:00:00-04:00'],
		[
			'a date of Luxon',
			'={{ DateTime.fromISO($json.utc).setZone("Asia/Kolkata") }}',
			'2099-07-01T06:00:00-04:00',
		],
		[
			'a date of Luxon, in the time zone of the workflow',
			'={{ $now.set({ year: 2099, month: 7, day: 1 }).startOf("day") }}',
			'2099-07-01T00:00:00-04:00',
		],
		['a date of JavaScript', '={{ new Date($json.utc) }}', '2099-07-01T06:00:00-04:00'],
		['a text of a feed', 'Wed, 01 Jul 2099 10:00:00 GMT', '2099-07-01T06:00:00-04:00'],
		['a time that the clock shows twice', '2099-11-01T01:30:00', '2099-11-01T01:30:00-04:00'],
	])(
		"from %s is sent in the workflow's time zone and without a fraction",
		async (_what, value, sent) => {
			const additionalFields = { scheduleFrom: value };
			const { error } = await create({ additionalFields }, { workflow, items });
			expect(error).toBeUndefined();
			expect(forms()[0]).toMatchObject({ schedule_from: sent });
			expect(links()[0]).toMatchObject({ schedule_from: sent });
		},
	);

	const EARLY = '2099-07-01T10:00:00';

	test.each<[string, INodeParameters, string]>([
		[
			'an end before the beginning',
			{ scheduleFrom: EARLY, scheduleTo: '2099-07-01T09:59:59' },
			'Schedule To: 2099-07-01T09:59:59-04:00 is not after Schedule From, 2099-07-01T10:00:00-04:00. Give a later one.',
		],
		[
			'an end before the beginning, elsewhere',
			{ scheduleFrom: EARLY, scheduleTo: '2099-07-01T15:00:00+02:00' },
			'Schedule To: 2099-07-01T09:00:00-04:00 is not after Schedule From',
		],
		[
			'an end at the beginning',
			{ scheduleFrom: EARLY, scheduleTo: EARLY },
			'Schedule To: 2099-07-01T10:00:00-04:00 is not after Schedule From',
		],
		[
			'words',
			{ scheduleFrom: 'tomorrow' },
			'Schedule From: "tomorrow" is not a date and a time. Give one such as 2026-12-24T18:00:00, or an expression such as {{ $now.plus({ days: 1 }) }}.',
		],
		[
			'an offset beyond 14 hours',
			{ scheduleFrom: '2099-07-01T10:00:00-15:00' },
			'Schedule From: the offset of "2099-07-01T10:00:00-15:00" is not between -14:00 and +14:00. Correct it, or leave it out to use the time zone of the workflow.',
		],
		['a number', { scheduleTo: '={{ 1798156800 }}' }, 'Schedule To: it is not a date and a time.'],
		[
			'a missing field, which would make it public at once',
			{ scheduleFrom: '={{ $json.form }}' },
			'Schedule From: the expression gives nothing. Check the names in it; to leave the field empty on purpose, let it give an empty text.',
		],
		[
			'a missing field before a space, which would make it public at once',
			{ scheduleFrom: '={{ $json.from }} ' },
			'Schedule From: the expression gives only white space. Check the names in it; to leave the field empty on purpose, use a single {{ }} that gives an empty text, with nothing beside it.',
		],
		[
			'a missing day and a missing time, which would make it public at once',
			{ scheduleFrom: '={{ $json.d }} {{ $json.t }}' },
			'Schedule From: the expression gives only white space.',
		],
		[
			'two missing fields with nothing between them',
			{ scheduleTo: '={{ $json.d }}{{ $json.t }}' },
			'Schedule To: the expression gives only white space.',
		],
		['null', { scheduleTo: '={{ null }}' }, 'Schedule To: the expression gives nothing.'],
	])('is refused before anything is sent: %s', async (_what, additionalFields, message) => {
		const { error } = await create({ additionalFields }, { workflow });
		harness.expectRefused(error, expect.stringContaining(message));
	});

	test('is sent with the offset +00:00, never with Z, in a workflow whose time zone is UTC', async () => {
		const additionalFields = { scheduleFrom: '={{ $json.utc }}' };
		await create({ additionalFields }, { workflow: { timezone: 'UTC' }, items });
		expect(forms()[0]).toMatchObject({ schedule_from: '2099-07-01T10:00:00+00:00' });
	});

	test('may end after it begins, though the clocks show an earlier time', async () => {
		const { error } = await create(
			{
				additionalFields: {
					scheduleFrom: '2099-07-01T10:00:00+05:30',
					scheduleTo: '2099-07-01T06:00:00+00:00',
				},
			},
			{ workflow },
		);
		expect(error).toBeUndefined();
	});
});

test.each<[string, INodeParameters, string]>([
	['an empty title', { title: ' ' }, 'Title: it is empty. Enter what the link is to say.'],
	['a title from a missing field', { title: '={{ $json.titel }}' }, 'Title: it is empty.'],
	['an empty URL', { url: '={{ "" }}' }, 'URL: it is empty. Enter a whole web address'],
	['a URL without https', { url: 'example.com' }, 'URL: "example.com" is not a web address. Enter'],
	[
		'another scheme',
		{ url: 'ftp://example.com' },
		'URL: "ftp://example.com" is not a web address.',
	],
	['a script', { url: 'javascript:alert(1)' }, 'URL: "javascript:alert(1)" is not a web address.'],
	[
		'a bad image',
		{ additionalFields: { imageUrl: 'a.png' } },
		'Image URL: "a.png" is not a web address.',
	],
	[
		'an image from a missing field beside a space',
		{ additionalFields: { imageUrl: '= {{ $json.picture }}' } },
		'Image URL: the expression gives only white space.',
	],
	[
		'a group by its name',
		{ additionalFields: { groupId: '={{ "Shop" }}' } },
		'Group Name or ID: "Shop" is not an ID',
	],
])('refuses %s before anything is sent', async (_what, fields, message) => {
	const { error } = await create(fields);
	harness.expectRefused(error, expect.stringContaining(message));
});

test('names the item that is to blame, and creates none of the others', async () => {
	const { error } = await create(
		{ title: '={{ $json.title }}' },
		{ items: [{ title: 'One' }, { title: '' }, { title: 'Three' }] },
	);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
	expect(harness.sandbox.recorder.requests).toEqual([]);
});

test('what the service refuses is told, with what to do and its own words', async () => {
	harness.sandbox.faults.add({ fault: statusFault(400, 'No.'), path: '/lnk/add' });
	const { error } = await create({});
	expect(error!.message).toBe(
		'The link "A new link" was not created: the service refused the request (HTTP 400). Check the fields of the link. The service said: "No."',
	);
});

test('a long title is cut in a message', async () => {
	harness.sandbox.faults.add({ fault: statusFault(400), path: '/lnk/add' });
	const { error } = await create({ title: 'x'.repeat(500) });
	expect(error!.message).toContain(`The link "${'x'.repeat(100)}…" was not created`);
	expect(forms()[0]!.title).toHaveLength(500);
});

describe('a link is never created twice', () => {
	const count = () => links().length;
	const strike = (fault: Fault, times = 1) =>
		harness.sandbox.faults.add({ fault, path: '/lnk/add', times });
	const withToken = (accessToken: string) => ({
		credential: storedToken(harness.sandbox, { accessToken }),
	});

	const UNKNOWN_OUTCOME =
		/^It is not known whether the link "A new link" was created: the service .*\. Look at your profile, and try again only if it did not succeed\./;

	test.each<[string, Fault, number]>([
		['a connection that broke before the service did anything', 'reset', 0],
		['an answer that was lost', 'lost', 1],
		['an answer that broke off', 'cut', 1],
		['no answer in time', 'hang', 0],
		['an answer that trickles in', 'trickle', 0],
		['HTTP 500', statusFault(500), 0],
		['HTTP 502', statusFault(502), 0],
		['HTTP 503', statusFault(503), 0],
		['HTTP 504', statusFault(504), 0],
		['a page in place of an answer', namedFaults.html!, 0],
		['an answer that is no JSON', namedFaults.malformed!, 0],
	])('it is not sent again after %s, and the message says so', async (_what, fault, created) => {
		const before = count();
		strike(fault, Infinity);
		const { error } = await create({ options: { timeout: 400, maxRetries: 3 } });
		expect(calls()).toBe(1);
		expect(count() - before).toBe(created);
		expect(error!.message).toMatch(UNKNOWN_OUTCOME);
		expect(error!.message).not.toContain('Max Retries');
	});

	test('it is sent again after HTTP 429', async () => {
		const before = count();
		strike(statusFault(429));
		const { error } = await create({});
		expect(error).toBeUndefined();
		expect([calls(), count() - before]).toEqual([2, 1]);
	});

	test('it is sent again after a refused connection', async () => {
		const before = count();
		await harness.sandbox.suspend();
		const running = create({ options: { maxRetries: 8 } }, withToken('old'));
		await wait(700);
		await harness.sandbox.resume();
		const { error } = await running;
		expect(error).toBeUndefined();
		expect(count() - before).toBe(1);
	});

	test('it is sent again once there is a token, if the token endpoint failed', async () => {
		const before = count();
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(503), times: 1 });
		const { error } = await create({});
		expect(error).toBeUndefined();
		expect([calls(), count() - before]).toEqual([1, 1]);
	});

	test('it is sent again with a new token of a public app, if the old one was refused', async () => {
		const before = count();
		const publicAppTokens = await harness.connectPublicApp();
		const { error } = await create(
			{},
			{ publicAppTokens: { ...publicAppTokens, access_token: 'old' } },
		);
		expect(error).toBeUndefined();
		expect([calls(), count() - before]).toEqual([2, 1]);
	});

	test('it is not sent again as a public app either, if no answer came', async () => {
		const before = count();
		strike('lost', Infinity);
		const { error } = await create({}, { publicAppTokens: await harness.connectPublicApp() });
		expect(error!.message).toMatch(UNKNOWN_OUTCOME);
		expect([calls(), count() - before]).toEqual([1, 1]);
	});

	test('it is sent again with a new token, if the old one was refused', async () => {
		const before = count();
		const { error } = await create({}, withToken('old'));
		expect(error).toBeUndefined();
		expect([calls(), count() - before]).toEqual([2, 1]);
	});

	test.each<[string, Fault]>([
		['an empty answer', { status: 200, body: '' }],
		['an answer without content', { status: 204 }],
		['an answer that shows no ID', { status: 200, body: '{}' }],
		['a status of null', { status: 200, body: '{"status":null,"data":{"id":7}}' }],
	])('it is not sent again after %s, and the message says what to check', async (_what, fault) => {
		strike(fault, Infinity);
		const { error } = await create({});
		expect(calls()).toBe(1);
		expect(error!.message).toMatch(
			/^It is not known whether the link "A new link" was created: the answer of the service .*\. Look at your profile, and try again only if it did not succeed\.$/,
		);
	});

	test('if the Timeout ends while the token is fetched, the message says that it was not sent', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: 'hang' });
		const { error } = await create({ options: { timeout: 300, maxRetries: 0 } });
		expect(calls()).toBe(0);
		expect(error!.message).toBe(
			'No access token: the service did not answer the token request in time. The request itself was not sent. Try again later.',
		);
	});

	test.each<[string, Fault]>([
		['HTTP 400', statusFault(400, 'No.')],
		['HTTP 404', statusFault(404, 'No.')],
		['HTTP 429, too often', statusFault(429, 'No.')],
		['a failure in words', { status: 200, body: '{"status":false,"errors":["No."]}' }],
		['errors without a status', { status: 200, body: '{"errors":["No."]}' }],
		['a status of 0', { status: 200, body: '{"status":0,"message":"No."}' }],
	])('after %s it certainly was not created', async (_what, fault) => {
		strike(fault, Infinity);
		const { error } = await create({ options: { maxRetries: 1 } });
		expect(error!.message).toMatch(/^The link "A new link" was not created: the service /);
		expect(error!.message).toContain('The service said: "No."');
	});

	test('after a refused connection it certainly was not created', async () => {
		await harness.sandbox.suspend();
		const { error } = await create({ options: { maxRetries: 0 } }, withToken('a-token'));
		await harness.sandbox.resume();
		expect(error!.message).toMatch(/^The link "A new link" was not created: the service refused/);
	});
});

test('with Continue on Fail, a bad item gives its error, and the others are created', async () => {
	const { items } = await create(
		{ title: '={{ $json.title }}' },
		{
			items: [{ title: 'One' }, { title: '' }, { title: 'Three' }],
			settings: { onError: 'continueRegularOutput' },
		},
	);
	expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
		[undefined, { item: 0 }],
		['Title: it is empty. Enter what the link is to say.', { item: 1 }],
		[undefined, { item: 2 }],
	]);
	expect(forms().map(({ title }) => title)).toEqual(['One', 'Three']);
});

test('when one fails for good, the message says which were created and which not', async () => {
	harness.sandbox.account.links.on('change', () => {
		if (links()[0]!.title === 'Two') {
			harness.sandbox.faults.add({ fault: statusFault(400), path: '/lnk/add' });
		}
	});
	const { error } = await create(
		{ title: '={{ $json.title }}' },
		{ items: ['One', 'Two', 'Three', 'Four'].map((title) => ({ title })) },
	);
	expect(error!.message).toMatch(
		/Done: items 0–1; failed: item 2; not sent: item 3 \(of 4, counted from 0\)\. Running the workflow again repeats the items that are done\.$/,
	);
});
