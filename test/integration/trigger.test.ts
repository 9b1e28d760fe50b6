import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INodeParameters, IRun, WorkflowActivateMode } from 'n8n-workflow';

import type { PollingTrigger, PollingWay } from '../../runner';
import { formatTime } from '../../sandbox/clock';
import { type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import { type RunNodeOptions, TRIGGER, useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { PAUSE_DIVISOR } from '../support/pauses';
import { authorizations } from '../support/requests';
import { waitUntil } from '../support/waitUntil';

const EVENTS = 2;
const PRESS = 3;

const HOUR = 3_600_000;

const NEXT_POLL = 'The next poll reports all links that are new by then.';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };
const ROTATED = { clientId: 'sandbox-client-id', clientSecret: 'rotated-secret' };

const harness = useHarness({ privateApps: [OTHER_APP, ROTATED] });
afterEach(() => jest.useRealTimers());

const links = () => harness.sandbox.account.links;
const calls = () => harness.sandbox.recorder.calls;
const grants = () => harness.sandbox.recorder.grants;
const failList = (fault: Fault, times?: number) => harness.sandbox.faults.add({ path: '/lnk/list', fault, times });
const delayList = (latency: number, times?: number) =>
	harness.sandbox.faults.add({ path: '/lnk/list', latency, times });

/** Adds a link with a new address to the profile, and returns its ID. */
function publish(title: string, groupId?: number, { account } = harness.sandbox): number {
	const link = `https://example.com/${title}`;
	return account.links.add({ title, link, group_id: groupId }).link_id;
}

/** Returns a trigger that was activated by a user. */
async function activeTrigger(parameters?: INodeParameters, options?: RunNodeOptions): Promise<PollingTrigger> {
	const trigger = harness.newTrigger(parameters, options);
	await trigger.activate('activate');
	return trigger;
}

/** The titles of the links in each execution. */
const titles = ({ executions }: PollingTrigger) => executions.map((items) => items.map(({ json }) => json.title));

const messages = ({ errors }: PollingTrigger) => errors.map(({ message }) => message);

/** Only the other node has options. */
const OPTIONS = /Options|options of the node|Items per Batch|Max Retries|Timeout/;

const BY_USER: WorkflowActivateMode[] = ['activate', 'create'];
const BY_N8N: WorkflowActivateMode[] = ['init', 'leadershipChange'];

describe('An active Profile Page Trigger', () => {
	test('emits items with the same fields as Get Many', async () => {
		const trigger = await activeTrigger();
		publish('a');
		await trigger.poll();
		const { items } = await harness.runNode({ resource: 'links', operation: 'getAll' });
		expect(trigger.executions).toEqual([[{ json: items[0]!.json }]]);
		expect(items[0]!.json).toMatchObject({ link_id: links().all[0]!.link_id, title: 'a' });
	});

	/** Adds a link that is public from or until a number of hours from now. */
	const schedule = (title: string, { from, to }: { from?: number; to?: number }) => {
		const at = (hours: number) => formatTime(harness.sandbox.clock.now() + hours * HOUR);
		links().add({
			title,
			link: 'https://example.com',
			...(from && { schedule_from: at(from) }),
			...(to && { schedule_to: at(to) }),
		});
	};

	test.each([0, 60])(
		'emits a link once when its schedule begins, below a link that was emitted before (of %i older links)',
		async (count) => {
			addLinks(harness.sandbox, count);
			const trigger = await activeTrigger();
			schedule('scheduled', { from: 1 });
			publish('later');
			await trigger.poll();
			expect(titles(trigger)).toEqual([['later']]);
			harness.sandbox.clock.advance(HOUR);
			await trigger.poll();
			await trigger.poll();
			expect(titles(trigger)).toEqual([['later'], ['scheduled']]);
		},
	);
});

describe('The group filter of the trigger', () => {
	test.each<[string, INodeParameters['groupId']]>([
		['chosen from the list', String(EVENTS)],
		['an expression', `={{ ${EVENTS} }}`],
	])('limits the trigger to the links of a group that is %s', async (_name, groupId) => {
		const trigger = await activeTrigger({ filters: { groupId } });
		publish('in no group');
		publish('in another group', PRESS);
		publish('in the group', EVENTS);
		await trigger.poll();
		expect(titles(trigger)).toEqual([['in the group']]);
		expect(calls()[0]!.url).toBe(`/oauth/v1/lnk/list?group_id=${EVENTS}`);
	});

	test('makes a link count as new when it is moved into the group', async () => {
		const id = publish('moved', PRESS);
		const trigger = await activeTrigger({ filters: { groupId: String(EVENTS) } });
		links().edit(id, { group_id: EVENTS });
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['moved']]);
	});
});

describe('A test of the trigger in the editor', () => {
	const outputOf = ({ data }: IRun) =>
		data.resultData.runData[TRIGGER.name]?.[0]?.data?.main?.[0]?.map(({ json }) => json);

	test('returns the newest link', async () => {
		publish('older');
		publish('newest');
		const run = await harness.newTrigger().test();
		const { items } = await harness.runNode({ resource: 'links', operation: 'getAll', limit: 1 });
		expect(outputOf(run)).toEqual(items.map(({ json }) => json));
		expect(outputOf(run)).toMatchObject([{ title: 'newest' }]);
	});

	test('stores nothing, so that a new link is still emitted', async () => {
		const inactive = harness.newTrigger();
		await inactive.test();
		expect(inactive.stored).toEqual({});

		const trigger = await activeTrigger();
		const { stored } = trigger;
		publish('new');
		await trigger.test();
		expect(trigger.stored).toEqual(stored);
		await trigger.poll();
		expect(titles(trigger)).toEqual([['new']]);
	});

	test('runs while the active trigger polls', async () => {
		const trigger = await activeTrigger();
		harness.sandbox.faults.latency = 100;
		const polling = trigger.poll();
		expect(outputOf(await trigger.test())).toHaveLength(1);
		await polling;
	});

	test.each([
		['', '', 'Create a link on your profile, and try again.'],
		[' in this group', `${PRESS}`, 'Add a link to the group, or choose another group in Filters, and try again.'],
	])('says what to do if there is no link%s', async (where, groupId, description) => {
		for (const { link_id: id } of links().all) links().delete(id);
		const { data } = await harness.newTrigger({ filters: { groupId } }).test();
		const message = `There is no public link${where} to show`;
		expect(data.resultData.error).toMatchObject({ name: 'NodeOperationError', message, description });
	});
});

describe('A first poll after an activation by n8n', () => {
	test.each(BY_N8N)('(%s) emits nothing if nothing was ever polled', async (mode) => {
		const trigger = harness.newTrigger();
		await trigger.activate(mode);
		expect(trigger.executions).toEqual([]);
		publish('new');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['new']]);
	});

	test.each(BY_N8N)('(%s) that fails adds one failed execution, and does not end the polling', async (mode) => {
		const trigger = await activeTrigger();
		publish('a');
		await harness.sandbox.suspend();
		await trigger.activate(mode);
		await trigger.poll();
		await harness.sandbox.resume();
		await trigger.poll();
		const refused = expect.stringContaining('the service cannot be reached') as string;
		expect(messages(trigger)).toEqual([refused, refused]);
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('that fails because of its group adds one failed execution', async () => {
		const trigger = harness.newTrigger({ filters: { groupId: '={{ "a b" }}' } });
		await trigger.activate('init');
		expect(messages(trigger)).toEqual(['Group Name or ID: the value is not an ID: "a b"']);
	});
});

test.each([...BY_USER, 'update'] as const)(
	'A first poll that fails at an activation by a user (%s) says all in the message, which n8n shows alone',
	async (mode) => {
		failList(statusFault(503, 'Busy.'));
		const trigger = harness.newTrigger();
		await expect(trigger.activate(mode)).rejects.toMatchObject({
			message:
				'The links were not read: the service failed (503). Try again later. The service said: "Busy." Attempts: 2.',
		});
		expect(trigger.errors).toEqual([]);
		expect(trigger.stored).toEqual({});
	},
);

/** What the service does, and the start of the message about it. */
const FAILURES: Array<[name: string, fault: Fault, message: string]> = [
	['HTTP 503', statusFault(503), 'The links were not read: the service failed (503)'],
	['a web page', namedFaults.html!, 'The links were not read: the service responded with a web page instead of data'],
	[
		'links without IDs',
		jsonResponse({ status: true, data: [{ id: 1, link: 'https://example.com' }] }),
		'The links were not read: the links in the response have no IDs (link_id)',
	],
];

describe('A later poll that fails', () => {
	test.each(FAILURES)(
		'because of %s adds one failed execution, and the next poll emits all links',
		async (_name, fault, message) => {
			const trigger = await activeTrigger();
			publish('a');
			failList(fault);
			await trigger.poll();
			expect(messages(trigger)).toEqual([expect.stringContaining(message)]);
			expect(JSON.stringify(trigger.errors)).not.toMatch(OPTIONS);
			publish('b');
			await trigger.poll();
			harness.sandbox.faults.clear();
			await trigger.poll();
			expect(titles(trigger)).toEqual([['a', 'b']]);
			expect(trigger.errors).toHaveLength(2);
		},
	);

	test('is not a failed poll if a retry succeeds', async () => {
		const trigger = await activeTrigger();
		publish('a');
		failList(statusFault(503), 1);
		await trigger.poll();
		expect(trigger.errors).toEqual([]);
		expect(titles(trigger)).toEqual([['a']]);
	});
});

describe('Polls that overlap', () => {
	test('emit each link once', async () => {
		const trigger = await activeTrigger();
		publish('a');
		harness.sandbox.faults.latency = 200;
		await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('do not keep later polls from reading the list, even if one failed', async () => {
		const trigger = await activeTrigger();
		failList(statusFault(403), 1);
		await Promise.all([trigger.poll(), trigger.poll()]);
		publish('a');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('are those of one node: another workflow polls at the same time', async () => {
		const triggers = [await activeTrigger(), await activeTrigger()];
		publish('a');
		harness.sandbox.faults.latency = 100;
		await Promise.all(triggers.map(async (trigger) => await trigger.poll()));
		expect(triggers.map(titles)).toEqual([[['a']], [['a']]]);
	});

	test('do not keep a new activation from remembering the links that are there', async () => {
		const trigger = await activeTrigger();
		delayList(300, 1);
		const polling = trigger.poll();
		await waitUntil(() => calls().length === 2);
		await trigger.activate('activate');
		publish('new');
		await polling;
		await trigger.poll();
		expect(titles(trigger)).toEqual([['new']]);
	});
});

describe('More new links than the service lists', () => {
	const MORE = {
		name: 'NodeOperationError',
		message: 'There may be more new links than the 50 that the service lists',
		description: 'Add poll times, so that fewer links are new at each.',
	};

	test('are emitted as far as they are listed, with a failed execution that says so', async () => {
		const trigger = await activeTrigger();
		addLinks(harness.sandbox, 55);
		await trigger.poll();
		const expected = Array.from({ length: 50 }, (_, index) => `Link ${index + 5}`);
		expect(titles(trigger)).toEqual([expected]);
		expect(trigger.errors).toMatchObject([MORE]);
		await trigger.poll();
		expect([trigger.executions.length, trigger.errors.length]).toEqual([1, 1]);
	});

	test('are not reported if 49 are new', async () => {
		const trigger = await activeTrigger();
		addLinks(harness.sandbox, 49);
		await trigger.poll();
		expect(trigger.executions[0]).toHaveLength(49);
		expect(trigger.errors).toEqual([]);
	});
});

describe('The trigger starts afresh, and emits no old links,', () => {
	/** Polls before and after a change, and expects that only links after it are emitted. */
	async function expectFresh(trigger: PollingTrigger, change: () => Promise<void>, sandbox: Sandbox = harness.sandbox) {
		publish('old', EVENTS, sandbox);
		await change();
		await trigger.poll();
		expect(trigger.executions).toEqual([]);
		publish('new', EVENTS, sandbox);
		await trigger.poll();
		expect(trigger.errors).toEqual([]);
		expect(titles(trigger)).toEqual([['new']]);
	}

	async function triggerWithCredential() {
		const { store, reference } = harness.newAccount();
		const trigger = await activeTrigger({}, { store, reference });
		const edit = async (fields: Record<string, string>) =>
			await store.updateCredentials(reference, 'profilePageApi', {
				...store.read(reference),
				...fields,
			});
		return { trigger, store, edit };
	}

	test('after another credential was selected', async () => {
		const { trigger, store } = await triggerWithCredential();
		await expectFresh(trigger, async () => {
			const credentials = { profilePageApi: harness.addCredential(store) };
			trigger.node = { ...trigger.node, credentials };
			await trigger.activate('update');
		});
	});

	test('but not after a change of the Client Secret', async () => {
		const { trigger, edit } = await triggerWithCredential();
		publish('a');
		await edit(ROTATED);
		await trigger.poll();
		expect(grants()).toBe(2);
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('but not after a slash was added to the Base URL', async () => {
		const { trigger, edit } = await triggerWithCredential();
		publish('a');
		await edit({ baseUrl: `${harness.sandbox.baseUrl}/` });
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});
});

describe('The tokens of the trigger', () => {
	test('are requested once for each lifetime', async () => {
		const trigger = await activeTrigger();
		for (let hour = 1; hour <= 3; hour += 1) {
			advanceDate(HOUR + 1000);
			publish(`${hour}`);
			await trigger.poll();
			await trigger.poll();
		}
		expect(grants()).toBe(4);
		// None was sent after its end.
		expect(calls()).toHaveLength(7);
		expect(titles(trigger)).toEqual([['1'], ['2'], ['3']]);
	});

	test('of a public app are used, and renewed when they expire', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		const trigger = await activeTrigger({}, { publicAppTokens });
		expect(authorizations(harness.sandbox)).toEqual([`Bearer ${publicAppTokens.access_token}`]);
		harness.sandbox.oauth.revokeAccessTokens();
		publish('a');
		await trigger.poll();
		await trigger.poll();
		expect(grants()).toBe(1);
		expect(titles(trigger)).toEqual([['a']]);
	});
});

describe('A poll of a service that does not respond', () => {
	/** Time limits are shorter than for users; the tests check the limits that the node asks for. */
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	let timeout: jest.SpiedFunction<typeof AbortSignal.timeout>;
	beforeEach(() => {
		timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			// The pauses are shorter already.
			const isLimit = milliseconds >= 10_000;
			return startTimeout(Math.ceil(isLimit ? milliseconds / PAUSE_DIVISOR : milliseconds));
		});
	});
	afterEach(() => timeout.mockRestore());

	/** Polls, and returns how long that took, in the milliseconds of a user. */
	async function pollAndMeasure(trigger: PollingTrigger): Promise<number> {
		const startedAt = Date.now();
		await trigger.poll();
		return (Date.now() - startedAt) * PAUSE_DIVISOR;
	}

	test('ends after 15 s and one retry, and says so', async () => {
		const trigger = await activeTrigger();
		failList('hang');
		expect(await pollAndMeasure(trigger)).toBeLessThan(50_000);
		expect(timeout).toHaveBeenCalledWith(15_000);
		expect(trigger.errors).toMatchObject([
			{
				message: 'The links were not read: the service did not respond in time',
				description: `Try again later. Attempts: 2. ${NEXT_POLL}`,
			},
		]);
	});

	test('is sent again once if it is rate-limited', async () => {
		const trigger = await activeTrigger();
		failList(statusFault(429, '', { 'retry-after': '1' }));
		harness.sandbox.recorder.reset();
		await trigger.poll();
		expect(calls()).toHaveLength(2);
		expect(trigger.errors).toHaveLength(1);
	});

	test('ends after 45 s, whatever took the time', async () => {
		const trigger = await activeTrigger();
		harness.sandbox.oauth.revokeAccessTokens();
		timeout.mockClear();
		const { faults } = harness.sandbox;
		faults.add({ path: '/lnk/list', fault: statusFault(401), latency: 200, times: 1 });
		const fault = statusFault(503, '', { 'retry-after': '30' });
		faults.add({ path: '/token', fault, times: 1 });
		failList('hang');
		harness.sandbox.recorder.reset();
		expect(await pollAndMeasure(trigger)).toBeLessThan(60_000);
		const [limit = 0] = timeout.mock.calls[0] ?? [];
		expect(limit).toBeGreaterThan(40_000);
		expect(limit).toBeLessThanOrEqual(45_000);
		expect(trigger.errors).toMatchObject([
			{
				name: 'NodeApiError',
				message: 'The links were not read: the service did not respond in time',
				description: `Check whether the service is running. ${NEXT_POLL}`,
			},
		]);
		// The request in flight is aborted, and not repeated.
		await wait(200);
		expect(harness.sandbox.recorder.inFlight).toBe(0);
		expect(calls()).toHaveLength(2);
		faults.clear();
		publish('a');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('of a public app ends even if the token is not renewed', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		const trigger = await activeTrigger({}, { publicAppTokens });
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: '/token', fault: 'hang' });
		expect(await pollAndMeasure(trigger)).toBeLessThan(60_000);
		expect(messages(trigger)).toEqual(['No access token: the service did not respond in time']);
	});
});

describe('An error of the trigger', () => {
	test('names no options, which only the other node has', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(429) });
		const trigger = harness.newTrigger();
		await trigger.activate('init');
		const [error] = trigger.errors as Array<Error & { description?: string }>;
		expect(error!.message).toMatch(/^No access token: /);
		expect(`${error!.message} ${error!.description}`).not.toMatch(OPTIONS);
	});

	test('contains no secret, even if the service repeats it', async () => {
		const { store, reference } = harness.newAccount();
		const trigger = await activeTrigger({}, { store, reference });
		const { accessToken, clientSecret } = store.read(reference) as Record<string, string>;
		failList(statusFault(400, `${accessToken} ${clientSecret} is wrong`));
		await trigger.poll();
		await trigger.activate('init');
		expect(trigger.errors).toHaveLength(2);
		for (const error of trigger.errors) {
			const shown = JSON.stringify([error, error.message, error.stack]);
			expect(shown).not.toContain(accessToken);
			expect(shown).not.toContain(clientSecret);
		}
	});
});

test('the trigger stores what it remembers as JSON, without secrets', async () => {
	const { store, reference } = harness.newAccount();
	const trigger = await activeTrigger({}, { store, reference });
	publish('a');
	await trigger.poll();
	expect(JSON.parse(JSON.stringify(trigger.stored))).toEqual(trigger.stored);
	const json = JSON.stringify(trigger.stored);
	const { accessToken, clientSecret, clientId } = store.read(reference) as Record<string, string>;
	for (const secret of [accessToken, clientSecret, clientId]) expect(json).not.toContain(secret);
});

const WAYS: PollingWay[] = ['legacy', 'scheduler', 'cursors'];
const BY_SCHEDULER: PollingWay[] = ['scheduler', 'cursors'];

describe.each(WAYS)('Polled by n8n in the way "%s", the trigger', (way) => {
	let trigger: PollingTrigger;
	beforeEach(() => (trigger = harness.newTrigger({}, { way })));

	test('reports each link once and in order, and none that was there when it was published', async () => {
		await trigger.activate('activate');
		await trigger.poll();
		publish('a');
		publish('b');
		await trigger.poll();
		await trigger.poll();
		publish('c');
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a', 'b'], ['c']]);
		expect(trigger.errors).toEqual([]);
	});

	test('neither loses nor repeats links when n8n restarts', async () => {
		addLinks(harness.sandbox, 60);
		await trigger.activate('activate');
		for (const { link_id: id } of links().all.slice(0, 5)) links().delete(id);
		await trigger.poll();
		publish('a');
		await trigger.poll();
		await trigger.poll();
		links().delete(links().all[3]!.link_id);
		publish('b');
		await trigger.restart();
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a'], ['b']]);
	});

	test('reports no link from between unpublishing and publishing', async () => {
		await trigger.activate('activate');
		publish('before');
		await trigger.poll();
		trigger.deactivate();
		publish('between');
		await trigger.activate('activate');
		await trigger.restart();
		await trigger.poll();
		publish('after');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['before'], ['after']]);
	});

	test('reports no link from before it was published if the first attempt failed', async () => {
		await trigger.activate('activate');
		publish('before');
		await trigger.poll();
		trigger.deactivate();
		publish('between');
		failList(statusFault(400), 1);
		await expect(trigger.activate('activate')).rejects.toThrow('(400)');
		await trigger.activate('activate');
		publish('after');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['before'], ['after']]);
	});

	test('continues where it was when a new version is published, also if its first poll fails', async () => {
		await trigger.activate('activate');
		publish('a');
		await trigger.activate('update');
		publish('b');
		failList(statusFault(400), 1);
		await trigger.activate('update');
		expect(trigger.errors).toHaveLength(1);
		publish('c');
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a'], ['b', 'c']]);
	});

	test('repeats no link in a poll that n8n prepared before it stored those of another', async () => {
		await trigger.activate('activate');
		publish('a');
		const later = trigger.preparePoll();
		await trigger.poll();
		await later();
		publish('b');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a'], ['b']]);
	});

	test('starts over after a change of the group', async () => {
		trigger.node = { ...trigger.node, parameters: { filters: { groupId: `${PRESS}` } } };
		await trigger.activate('activate');
		publish('old', EVENTS);
		trigger.node = { ...trigger.node, parameters: { filters: { groupId: `${EVENTS}` } } };
		await trigger.activate('update');
		await trigger.restart();
		publish('new', EVENTS);
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['new']]);
	});

	test.each(WAYS)('continues where it was when n8n then polls in the way "%s"', async (next) => {
		await trigger.activate('activate');
		publish('a');
		await trigger.poll();
		publish('b');
		await trigger.restart(next);
		await trigger.poll();
		publish('c');
		await trigger.poll();
		publish('d');
		await trigger.restart(way);
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a'], ['b'], ['c'], ['d']]);
	});
});

describe.each(BY_SCHEDULER)("Polled by n8n's scheduler (%s), the trigger", (way) => {
	let trigger: PollingTrigger;
	beforeEach(() => (trigger = harness.newTrigger({}, { way })));

	test('waits for a poll that is running when a new version is published', async () => {
		await trigger.activate('activate');
		publish('a');
		delayList(200, 1);
		const polling = trigger.poll();
		await waitUntil(() => calls().length === 2);
		await Promise.all([polling, trigger.activate('update')]);
		publish('b');
		advanceDate(150_000);
		await trigger.poll();
		expect(titles(trigger).flat()).toEqual(['a', 'b']);
	});

	test('reports what is new after it was published, though n8n polled meanwhile', async () => {
		delayList(300, 1);
		const activation = trigger.activate('activate');
		await waitUntil(() => calls().length === 1);
		await trigger.poll();
		await activation;
		publish('a');
		await trigger.poll();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('reports no link from before it was published in a poll that n8n prepared before it stored those', async () => {
		await trigger.activate('activate');
		publish('before');
		await trigger.poll();
		trigger.deactivate();
		publish('between');
		delayList(100, 1);
		const activation = trigger.activate('activate');
		const later = trigger.preparePoll();
		await activation;
		publish('after');
		await later();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['before'], ['after']]);
	});

	test('ends a poll before n8n abandons it', async () => {
		await trigger.activate('activate');
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		await trigger.poll();
		const [limit] = timeout.mock.calls.map(([milliseconds]) => milliseconds).sort((a, b) => b - a);
		timeout.mockRestore();
		expect(limit).toBeGreaterThan(30_000);
		expect(limit).toBeLessThanOrEqual(32_400);
	});
});

test.each(['Base URL', 'Client ID'])(
	'the trigger starts over after a change of the %s, and reports what is new from then on',
	async (field) => {
		const { store, reference } = harness.newAccount();
		const trigger = harness.newTrigger({}, { store, reference });
		await trigger.activate('activate');
		const isUrl = field === 'Base URL';
		const other = isUrl ? await harness.startSandbox() : harness.sandbox;
		publish('before');
		await trigger.poll();
		publish('old', undefined, other);
		const edited = isUrl ? { baseUrl: other.baseUrl } : OTHER_APP;
		await store.updateCredentials(reference, 'profilePageApi', { ...store.read(reference), ...edited });
		await trigger.poll();
		publish('a', undefined, other);
		await trigger.poll();
		publish('b', undefined, other);
		await trigger.restart();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['before'], ['a'], ['b']]);
		expect(trigger.errors).toEqual([]);
	},
);

test('a poll says what the service had answered if there is no time for another attempt', async () => {
	const trigger = harness.newTrigger({}, { way: 'scheduler' });
	await trigger.activate('activate');
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const isLimitOfPoll = milliseconds > 30_000;
		return startTimeout(isLimitOfPoll ? 300 : milliseconds);
	});
	failList(statusFault(429, 'Too many', { 'retry-after': '60' }));
	await trigger.poll();
	timeout.mockRestore();
	expect(trigger.errors).toMatchObject([
		{
			message: 'The links were not read: the service is rate-limiting requests (429)',
			failure: { cause: 'rate-limited', retryAfterMs: 60_000 },
		},
	]);
});

describe("For n8n's scheduler, the trigger gives as the cause of a failed poll", () => {
	const failureOf = async (fault: Fault, path = '/lnk/list') => {
		const trigger = harness.newTrigger({}, { way: 'cursors' });
		await trigger.activate('activate');
		if (path === '/token') harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path, fault });
		expect(await trigger.poll()).toBe(false);
		return (trigger.errors as Array<Error & { failure?: IDataObject }>)[0]!.failure;
	};

	test.each<[string, Fault, string, IDataObject | undefined]>([
		['429', statusFault(429), '/lnk/list', { cause: 'rate-limited' }],
		['503', statusFault(503), '/lnk/list', { cause: 'temporarily-unavailable' }],
		['401', statusFault(401), '/lnk/list', { cause: 'credential-invalid' }],
		['400', statusFault(400), '/lnk/list', undefined],
		['a token request with 401', statusFault(401), '/token', { cause: 'credential-invalid' }],
	])('after %s what it means', async (_name, fault, path, failure) => {
		expect(await failureOf(fault, path)).toEqual(failure);
	});
});
