import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const ADDRESS = 'https://example.com/?a=b&c=d#e';
const LINK: INodeParameters = { title: 'A new link', url: ADDRESS };

const harness = useHarness();

const links = () => harness.sandbox.account.links.all;
const calls = () => harness.sandbox.recorder.calls.length;
const forms = () => harness.sandbox.recorder.forms;

async function create(fields: INodeParameters, options: RunNodeOptions = {}) {
	return await harness.runNode({ resource: 'links', operation: 'create', ...LINK, ...fields }, options);
}

describe('Create Link', () => {
	test('sends the title and the URL in a form, with the bearer token', async () => {
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
		const empty = { imageUrl: '', groupId: '' };
		await create({ additionalFields: empty });
		const emptyByExpression = {
			imageUrl: '=',
			groupId: 'none',
			scheduleFrom: '={{ $json.from ?? "" }}',
		};
		await create({ additionalFields: emptyByExpression });
		const literalNull = { imageUrl: null, groupId: null };
		await create({ additionalFields: literalNull });
		const missing = { imageUrl: '={{ $json.picture }}', groupId: '={{ null }}' };
		await create({ additionalFields: missing });
		expect(forms()).toEqual(Array(4).fill({ title: 'A new link', link: ADDRESS }));
	});

	const UMLAUT = 'https://münchen.example/ä';
	const ASCII = 'https://xn--mnchen-3ya.example/%C3%A4';
	const fields = { url: UMLAUT, additionalFields: { imageUrl: `${UMLAUT}.png` } };

	test('sends an address with other letters in ASCII, and shows it as entered', async () => {
		const { items } = await create(fields);
		expect(forms()).toEqual([{ title: 'A new link', link: ASCII, image: `${ASCII}.png` }]);
		expect(items[0]!.json.link).toBe(UMLAUT);
		const again = await create({ ...fields, ifExists: 'skip' });
		expect(again.items[0]!.json.action).toBe('skipped');
	});

	test.each<[string, boolean, IDataObject | undefined]>([
		['in a preview', true, undefined],
		['if the service returns it', false, { data: { id: 7, link: ASCII, image: `${ASCII}.png` } }],
	])('shows such an address as entered %s', async (_when, preview, body) => {
		if (body) harness.sandbox.faults.add({ fault: jsonResponse({ status: true, ...body }), path: '/lnk/add' });
		const { items } = await create({ ...fields, preview });
		expect(items[0]!.json).toMatchObject({ link: UMLAUT, image: `${UMLAUT}.png` });
	});

	test('returns what identifies the new link first, paired with the input item', async () => {
		const { items } = await create({}, { items: [{ a: 1 }, { a: 2 }] });
		const [second, first] = links();
		expect(items).toEqual(
			[first, second].map((link, item) => ({
				json: {
					link_id: link!.link_id,
					action: 'created',
					title: 'A new link',
					link: ADDRESS,
					service_url: expect.stringContaining(String(link!.link_id)) as string,
				},
				pairedItem: { item },
			})),
		);
		const names = ['link_id', 'action', 'title', 'link', 'service_url'];
		expect(items.map(({ json }) => Object.keys(json))).toEqual([names, names]);
	});

	const ADDED = { title: 'A new link', link: ADDRESS };

	test.each<[string, IDataObject, IDataObject]>([
		['data.lnk_id', { data: { lnk_id: 7 } }, { link_id: 7 }],
		['info.id beside empty data', { info: { id: 7 }, data: [] }, { link_id: 7 }],
		['data.id, with fields of its own', { data: { id: 7, clicks: 0 } }, { link_id: 7, clicks: 0 }],
	])('reads the new ID from %s, which confirms the creation', async (_name, body, expected) => {
		harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/add' });
		const { items, error } = await create({});
		expect(error).toBeUndefined();
		const [{ json } = { json: {} }] = items;
		expect(json).toMatchObject({ ...expected, ...ADDED, action: 'created' });
		expect(json).not.toHaveProperty('id');
		expect(json).not.toHaveProperty('lnk_id');
		expect(json).not.toHaveProperty('service_url');
	});

	test.each<[string, IDataObject]>([
		['that is no number, as of a gateway', { message: 'Rate limited', id: 'req_8812' }],
		['beside a failure', { data: { status: false, id: 5 } }],
	])('does not take an ID %s for a confirmation', async (_what, body) => {
		harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/add' });
		const { error } = await create({});
		expect(error?.message).toMatch(/^It is unknown whether the link "A new link" was created: /);
	});
});

describe('The schedule of a new link', () => {
	const workflow = { timezone: 'America/New_York' };

	test("is sent in the workflow's time zone and without fractions of a second", async () => {
		const scheduleFrom = '={{ DateTime.fromISO("2099-07-01T10:00:00.123Z").setZone("Asia/Kolkata") }}';
		const { error } = await create({ additionalFields: { scheduleFrom } }, { workflow });
		expect(error).toBeUndefined();
		const sent = { schedule_from: '2099-07-01T06:00:00-04:00' };
		expect([forms()[0], links()[0]]).toEqual([expect.objectContaining(sent), expect.objectContaining(sent)]);
	});

	const EARLY = '2099-07-01T10:00:00';

	const LATER = 'Enter a later date and time.';
	const ENTER_DATE = 'Enter a date, or remove the field.';
	const SUCH_AS =
		"Write it as 2026-12-24 18:00, or 2026-12-24T18:00:00+01:00. To read another form, use an expression, such as {{ DateTime.fromFormat($json.date, 'dd.MM.yyyy HH:mm') }}, and for a number of milliseconds {{ DateTime.fromMillis($json.time) }}.";
	const NO_VALUE =
		'Check the names in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.';

	test.each<[name: string, fields: INodeParameters, message: string, description: string]>([
		[
			'an end before the start, with another offset',
			{ scheduleFrom: EARLY, scheduleTo: '2099-07-01T15:00:00+02:00' },
			'Public Until: 2099-07-01T09:00:00-04:00 is not after Public From (2099-07-01T10:00:00-04:00)',
			LATER,
		],
		[
			'an end that equals the start',
			{ scheduleFrom: EARLY, scheduleTo: EARLY },
			'Public Until: 2099-07-01T10:00:00-04:00 is not after Public From (2099-07-01T10:00:00-04:00)',
			LATER,
		],
		[
			'an end that has passed, so that nobody would see the link',
			{ scheduleFrom: '2001-07-01T10:00:00', scheduleTo: '2001-07-02T10:00:00' },
			'Public Until: 2001-07-02T10:00:00-04:00 has passed, so nobody would see the link',
			LATER,
		],
		[
			'a text that is not a date',
			{ scheduleFrom: 'tomorrow' },
			'Public From: "tomorrow" is not a date and time',
			SUCH_AS,
		],
		[
			'a missing field, which would publish the link at once',
			{ scheduleFrom: '={{ $json.form }}' },
			'Public From: the expression returns no value',
			NO_VALUE,
		],
		['an empty start', { scheduleFrom: ' ' }, 'Public From: the value is empty', ENTER_DATE],
		['an end that is null', { scheduleTo: null }, 'Public Until: the value is empty', ENTER_DATE],
	])('is rejected before anything is sent with %s', async (_name, fields, message, description) => {
		const { error } = await create({ additionalFields: fields }, { workflow });
		harness.expectRefused(error, message, description);
	});
});

describe('Create Link with invalid fields', () => {
	const ENTER_TEXT = 'Enter the text of the link.';

	test.each<[name: string, fields: INodeParameters, message: string, description: string]>([
		['an empty title', { title: ' ' }, 'Title: the value is empty', ENTER_TEXT],
		[
			'a title that was meant as an expression',
			{ title: 'New: {{ $json.title' },
			'Title: the text contains "{{", but is not an expression',
			'Switch the field to Expression. An expression ends with "}}".',
		],
		[
			'a title from a missing field',
			{ title: '={{ $json.titel }}' },
			'Title: the expression returns no value',
			'Check the names in it.',
		],
		[
			'a URL without https',
			{ url: 'example.com' },
			'URL: "example.com" is not a web address',
			'Enter a full web address, such as https://example.com/page.',
		],
		[
			'an image URL from a missing field after a space',
			{ additionalFields: { imageUrl: '= {{ $json.picture }}' } },
			'Image URL: the expression returns no value',
			'Check the names in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.',
		],
	])('rejects %s before anything is sent', async (_name, fields, message, description) => {
		const { error } = await create(fields);
		harness.expectRefused(error, message, description);
	});
});

describe('Create Link with failing requests', () => {
	const count = () => links().length;
	const failCalls = (fault: Fault, times = 1) => harness.sandbox.faults.add({ fault, path: '/lnk/add', times });
	const withToken = (accessToken: string) => ({
		credential: storedToken(harness.sandbox, { accessToken }),
	});

	const UNKNOWN_OUTCOME = /^It is unknown whether the link "A new link" was created: the (service|connection) /;
	const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

	const AFTER_TIMEOUT = `If it happens often, raise Timeout (ms) in the options of the node. ${LOOK_FIRST}`;
	const AFTER_CHECKING = `Check the Base URL in the credential. If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio. ${LOOK_FIRST}`;

	test.each<[name: string, fault: Fault, created: number, description: string]>([
		['a connection that was reset before the service acted', 'reset', 0, LOOK_FIRST],
		['a response that was lost', 'lost', 1, LOOK_FIRST],
		['a response that was cut off', 'cut', 1, LOOK_FIRST],
		['no response in time', 'hang', 0, AFTER_TIMEOUT],
		['HTTP 500', statusFault(500, ''), 0, LOOK_FIRST],
		['a web page instead of a response', namedFaults.html!, 0, `${AFTER_CHECKING} The service said: "Error".`],
	])('does not retry after %s, and reports an unknown outcome', async (_name, fault, created, description) => {
		const before = count();
		failCalls(fault, Infinity);
		const { error } = await create({ options: { timeout: 400, maxRetries: 3 } });
		expect(calls()).toBe(1);
		expect(count() - before).toBe(created);
		expect(error!.message).toMatch(UNKNOWN_OUTCOME);
		expect(error!.description).toBe(description);
	});

	test('retries after HTTP 429', async () => {
		const before = count();
		failCalls(statusFault(429));
		const { error } = await create({});
		expect(error).toBeUndefined();
		expect([calls(), count() - before]).toEqual([2, 1]);
	});

	test('retries after a refused connection', async () => {
		const before = count();
		await harness.sandbox.suspend();
		const running = create({ options: { maxRetries: 8 } }, withToken('old'));
		await wait(50);
		await harness.sandbox.resume();
		const { error } = await running;
		expect(error).toBeUndefined();
		expect(count() - before).toBe(1);
	});

	test.each<[string, Fault]>([
		['HTTP 400', statusFault(400, 'No.')],
		['HTTP 429', { ...statusFault(429, 'No.'), headers: { 'Retry-After': '91' } }],
		['status false', { status: 200, body: '{"status":false,"errors":["No."]}' }],
	])('reports that the link was not created after %s', async (_name, fault) => {
		failCalls(fault, Infinity);
		const { error } = await create({ options: { maxRetries: 1 } });
		expect(error!.message).toMatch(/^The link "A new link" was not created: the service /);
		expect(error!.description).toContain('The service said: "No."');
	});

	test.each(['{"status":true,"errors":["No."]}', '{"status":"ok","error":"No.","info":{"id":""}}'])(
		'reports an unknown outcome after a success with errors and without an ID (%s)',
		async (body) => {
			failCalls({ status: 200, body }, Infinity);
			const { error } = await create({});
			expect(error!.message).toBe(
				'It is unknown whether the link "A new link" was created: the response contains errors and no ID',
			);
			expect(error!.description).toBe(
				'Look at your profile, and try again only if the change is missing. The service said: "No."',
			);
			expect(calls()).toBe(1);
		},
	);

	test.each(['{"status":true,"errors":["Slow."],"info":{"id":7}}', '{"status":true,"errors":[]}'])(
		'is a success after %s',
		async (body) => {
			failCalls({ status: 200, body }, 1);
			expect((await create({})).error).toBeUndefined();
		},
	);
});

describe('Create Link with several items', () => {
	test('says which links were created and which were not when one fails', async () => {
		harness.sandbox.account.links.on('change', () => {
			if (links()[0]!.title === 'Two') {
				harness.sandbox.faults.add({ fault: statusFault(400, 'No.'), path: '/lnk/add' });
			}
		});
		const { error } = await create(
			{ title: '={{ $json.title }}' },
			{ items: ['One', 'Two', 'Three', 'Four'].map((title) => ({ title })) },
		);
		expect(error).toMatchObject({
			message:
				'The link "Three" was not created: the service rejected the request (400) – item 2 of 4 failed; 1 was not processed',
			description:
				'Check the fields of the link. The service said: "No." Items are counted from 0. Running the workflow again repeats the items that succeeded.',
		});
	});
});
