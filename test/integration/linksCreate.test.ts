import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import { type RunNodeOptions, useHarness } from '../support/harness';

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
	test('sends the title, the URL, and every additional field that is set in a form, with the bearer token', async () => {
		const fields = {
			imageUrl: 'https://example.com/a.png',
			groupId: '2',
			scheduleFrom: '2099-01-01T10:00:00',
			scheduleTo: '2099-01-02T10:00:00',
		};
		const workflow = { timezone: 'Europe/Berlin' };
		const { error } = await create({ title: ' A & B = Ü ', additionalFields: fields }, { workflow });
		expect(error).toBeUndefined();
		const [call] = harness.sandbox.recorder.calls;
		expect(call).toMatchObject({ method: 'POST', url: '/oauth/v1/lnk/add' });
		expect(call!.headers).toMatchObject({
			authorization: expect.stringMatching(/^Bearer \S+$/) as string,
			'content-type': 'application/x-www-form-urlencoded',
		});
		const sent = {
			image: 'https://example.com/a.png',
			group_id: '2',
			schedule_from: '2099-01-01T10:00:00+01:00',
			schedule_to: '2099-01-02T10:00:00+01:00',
		};
		expect(forms()).toEqual([{ title: 'A & B = Ü', link: ADDRESS, ...sent }]);
	});

	test.each<INodeParameters>([
		{ imageUrl: '', groupId: '' },
		{ imageUrl: '=', groupId: 'none', scheduleFrom: '={{ $json.from ?? "" }}' },
		{ imageUrl: null, groupId: null },
		{ imageUrl: '={{ $json.picture }}', groupId: '={{ null }}' },
	])('sends no additional field that is empty (%j)', async (additionalFields) => {
		await create({ additionalFields });
		expect(forms()).toEqual([{ title: 'A new link', link: ADDRESS }]);
	});

	const UMLAUT = 'https://münchen.example/ä';
	const ASCII = 'https://xn--mnchen-3ya.example/%C3%A4';
	const fields = { url: UMLAUT, additionalFields: { imageUrl: `${UMLAUT}.png` } };

	test.each([false, true])(
		'sends and returns an address with other letters in ASCII (preview: %s)',
		async (preview) => {
			const { items } = await create({ ...fields, preview });
			expect(forms()).toEqual(preview ? [] : [{ title: 'A new link', link: ASCII, image: `${ASCII}.png` }]);
			expect(items[0]!.json.url).toBe(ASCII);
		},
	);

	test('returns what identifies the new link first, paired with the input item', async () => {
		const { items } = await create({}, { items: [{ a: 1 }, { a: 2 }] });
		const [second, first] = links();
		expect(items).toEqual(
			[first, second].map((link, item) => ({
				json: {
					link_id: link!.link_id,
					action: 'created',
					title: 'A new link',
					url: ADDRESS,
					service_url: expect.stringContaining(String(link!.link_id)) as string,
				},
				pairedItem: { item },
			})),
		);
		const names = ['link_id', 'action', 'title', 'url', 'service_url'];
		expect(items.map(({ json }) => Object.keys(json))).toEqual([names, names]);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['data.lnk_id', { data: { lnk_id: 7 } }, { link_id: 7 }],
		['info.id beside empty data', { info: { id: 7 }, data: [] }, { link_id: 7 }],
		['info.id, beside an error', { status: true, errors: ['Slow.'], info: { id: 7 } }, { link_id: 7 }],
		['nowhere, if the status says that it was created', { status: true, errors: [] }, {}],
	])('reads the new ID from %s', async (_where, body, expected) => {
		harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/add' });
		const { items, error } = await create({});
		expect(error).toBeUndefined();
		const [{ json } = { json: {} }] = items;
		expect(json).toMatchObject({ action: 'created', title: 'A new link', url: ADDRESS, ...expected });
		for (const name of ['id', 'lnk_id', 'service_url']) expect(json).not.toHaveProperty(name);
	});

	const UNKNOWN = 'It is unknown whether the link "A new link" was created: ';
	const NO_ID = `${UNKNOWN}the response does not confirm success`;
	const SAID_NO = 'Look at your profile, and try again only if the change is missing. The service said: "No."';

	test.each<[string, IDataObject, string, string]>([
		['an ID that is no number, as of a gateway', { message: 'Rate limited', id: 'req_8812' }, UNKNOWN, ''],
		['errors and no ID', { status: true, errors: ['No.'] }, NO_ID, SAID_NO],
		['an error and an empty ID', { status: 'ok', error: 'No.', info: { id: '' } }, NO_ID, SAID_NO],
	])('does not take %s for a confirmation, nor tries again', async (_what, body, message, description) => {
		harness.sandbox.faults.add({ fault: jsonResponse(body), path: '/lnk/add' });
		const { error } = await create({});
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(description);
		expect(calls()).toBe(1);
	});
});

describe('Create Link is rejected before anything is sent with', () => {
	const EARLY = '2099-07-01T10:00:00';
	const ENTER_TEXT = 'Enter the text of the link.';
	const LATER = 'Enter a later date and time.';
	const ENTER_DATE = 'Enter a date, or remove the field.';
	const NO_VALUE =
		'Check the spelling of the properties in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.';
	const more = (additionalFields: INodeParameters): INodeParameters => ({ additionalFields });

	test.each<[name: string, fields: INodeParameters, message: string, description: unknown]>([
		[
			'a choice that If Link Exists does not have',
			{ ifExists: '={{ "overwrite" }}' },
			'If Link Exists: "overwrite" is not one of the options',
			'Use one of: create, skip, update.',
		],
		['an empty title', { title: ' ' }, 'Title: the value is empty', ENTER_TEXT],
		[
			'a title from a missing field',
			{ title: '={{ $json.titel }}' },
			'Title: the expression returns no value',
			'Check the spelling of the properties in it.',
		],
		[
			'a URL without https',
			{ url: 'example.com' },
			'URL: "example.com" is not a web address',
			'Start it with https://, as in https://example.com/page, and enter nothing else.',
		],
		[
			'an image URL from a missing field after a space',
			more({ imageUrl: '= {{ $json.picture }}' }),
			'Image URL: the expression returns no value',
			NO_VALUE,
		],
		[
			'an end before the start, with another offset',
			more({ scheduleFrom: EARLY, scheduleTo: '2099-07-01T15:00:00+02:00' }),
			'Public Until: 2099-07-01T09:00:00-04:00 is not after Public From (2099-07-01T10:00:00-04:00) of the link "A new link"',
			LATER,
		],
		[
			'an end that equals the start',
			more({ scheduleFrom: EARLY, scheduleTo: EARLY }),
			'Public Until: 2099-07-01T10:00:00-04:00 is not after Public From (2099-07-01T10:00:00-04:00) of the link "A new link"',
			LATER,
		],
		[
			'an end that has passed, so that nobody would see the link',
			more({ scheduleFrom: '2001-07-01T10:00:00', scheduleTo: '2001-07-02T10:00:00' }),
			'Public Until: 2001-07-02T10:00:00-04:00 has passed, so nobody would see the link "A new link"',
			LATER,
		],
		[
			'a start that is not a date',
			more({ scheduleFrom: 'tomorrow' }),
			'Public From: "tomorrow" is not a date and time',
			expect.stringContaining('Write it as 2026-12-24 18:00'),
		],
		[
			'a start from a missing field, which would publish the link at once',
			more({ scheduleFrom: '={{ $json.form }}' }),
			'Public From: the expression returns no value',
			NO_VALUE,
		],
		[
			'a title of entities that nobody sees',
			{ title: '&nbsp;' },
			'Title: the value is empty',
			'Enter the text of the link.',
		],
		['an empty start', more({ scheduleFrom: ' ' }), 'Public From: the value is empty', ENTER_DATE],
		['an end that is null', more({ scheduleTo: null }), 'Public Until: the value is empty', ENTER_DATE],
	])('%s', async (_name, fields, message, description) => {
		const { error } = await create(fields, { workflow: { timezone: 'America/New_York' } });
		harness.expectRefused(error, message, description);
	});
});

describe('Create Link with failing requests', () => {
	const failCalls = (fault: Fault, times = 1) => harness.sandbox.faults.add({ fault, path: '/lnk/add', times });

	const UNKNOWN_OUTCOME = /^It is unknown whether the link "A new link" was created: the (service|connection) /;
	const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

	const AFTER_TIMEOUT = `If it happens often, raise Timeout (ms) in the options of Profile Page nodes; lists and triggers wait for 15 seconds. ${LOOK_FIRST}`;
	const AFTER_CHECKING = expect.stringMatching(
		/^Check the Base URL in the credential\. .* CDN or firewall.*Look at your profile/,
	) as string;

	test.each<[name: string, fault: Fault, created: number, description: string]>([
		['a connection that was reset before the service acted', 'reset', 0, LOOK_FIRST],
		['a response that was lost', 'lost', 1, LOOK_FIRST],
		['a response that was cut off', 'cut', 1, LOOK_FIRST],
		['no response in time', 'hang', 0, AFTER_TIMEOUT],
		['HTTP 500', statusFault(500, ''), 0, LOOK_FIRST],
		['a web page instead of a response', namedFaults.html!, 0, AFTER_CHECKING],
	])('does not retry after %s, and reports an unknown outcome', async (_name, fault, created, description) => {
		const before = links().length;
		failCalls(fault, Infinity);
		const { error } = await create({ options: { timeout: 400, maxRetries: 3 } });
		expect(calls()).toBe(1);
		expect(links().length - before).toBe(created);
		expect(error!.message).toMatch(UNKNOWN_OUTCOME);
		expect(error!.description).toEqual(description);
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
});
