import fc from 'fast-check';
import type { INode, INodeParameters, IRun, WorkflowActivateMode } from 'n8n-workflow';

import type { PollingTrigger, PollingWay } from '../../runner';
import { formatTime } from '../../sandbox/clock';
import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import { TRIGGER, useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { authorizations } from '../support/requests';
import { waitUntil } from '../support/waitUntil';

const EVENTS = 2;
const PRESS = 3;

const HOUR = 3_600_000;

const NEXT_POLL = 'The next poll reports all links that are new by then.';

const OUT_OF_TIME =
	'Try again later. If it happens often, raise Timeout (ms) in the options of Profile Page nodes; lists and triggers wait for 15 seconds.';

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };
const ROTATED = { clientId: 'sandbox-client-id', clientSecret: 'rotated-secret' };

const harness = useHarness({ privateApps: [OTHER_APP, ROTATED] });
afterEach(() => jest.useRealTimers());

const links = () => harness.sandbox.account.links;
const calls = () => harness.sandbox.recorder.calls;
const grants = () => harness.sandbox.recorder.grants;
const failList = (fault: Fault, times?: number) => harness.sandbox.faults.add({ path: '/lnk/list', fault, times });
const delayList = (latency: number) => harness.sandbox.faults.add({ path: '/lnk/list', latency, times: 1 });

/** Adds a link with a new address to the profile, and returns its ID. */
function publish(title: string, groupId?: number, { account } = harness.sandbox): number {
	const link = `https://example.com/${title}`;
	return account.links.add({ title, link, group_id: groupId }).link_id;
}

/** Returns a trigger that was activated by a user. */
async function activeTrigger(
	parameters?: INodeParameters,
	options?: Parameters<typeof harness.newTrigger>[1],
): Promise<PollingTrigger> {
	const trigger = harness.newTrigger(parameters, options);
	await trigger.activate('activate');
	return trigger;
}

/** The titles of the links in each execution. */
const titles = ({ executions }: PollingTrigger) => executions.map((items) => items.map(({ json }) => json.title));

const messages = ({ errors }: PollingTrigger) => errors.map(({ message }) => message);

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

	test.each([0, 60])(
		'emits a link once when its schedule begins, below a link that was emitted before (of %i older links)',
		async (count) => {
			addLinks(harness.sandbox, count);
			const trigger = await activeTrigger();
			const from = formatTime(harness.sandbox.clock.now() + HOUR);
			links().add({ title: 'scheduled', link: 'https://example.com', schedule_from: from });
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
	test('limits the trigger to the links of a group', async () => {
		const trigger = await activeTrigger({ filters: { groupId: `={{ ${EVENTS} }}` } });
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

	test('stores nothing, so that a new link is still emitted, and does not wait for a poll', async () => {
		const inactive = harness.newTrigger();
		await inactive.test();
		expect(inactive.stored).toEqual({});
		const trigger = await activeTrigger();
		const { stored } = trigger;
		publish('new');
		delayList(100);
		const polling = trigger.poll();
		expect(outputOf(await trigger.test())).toHaveLength(1);
		expect(trigger.stored).toEqual(stored);
		await polling;
		expect(titles(trigger)).toEqual([['new']]);
	});

	test.each(['', `${PRESS}`])('says what to do if there is no link (in the group "%s")', async (groupId) => {
		for (const { link_id: id } of links().all) links().delete(id);
		const { data } = await harness.newTrigger({ filters: { groupId } }).test();
		expect(data.resultData.error).toMatchObject({
			name: 'NodeOperationError',
			message: 'There is no public link to show',
			description: 'Create a link on your profile, or choose another group in Filters, and try again.',
		});
	});
});

describe('A first poll after an activation by n8n', () => {
	test.each(BY_N8N)('(%s) that fails adds one failed execution, and does not end the polling', async (mode) => {
		const trigger = harness.newTrigger();
		failList(statusFault(400), 2);
		await trigger.activate(mode);
		await trigger.poll();
		const rejected = expect.stringContaining('the service rejected the request (400)') as string;
		expect(messages(trigger)).toEqual([rejected, rejected]);
		// Nothing was ever polled, so nothing is new.
		await trigger.poll();
		expect(trigger.executions).toEqual([]);
		publish('a');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('that fails because of its group adds one failed execution', async () => {
		const trigger = harness.newTrigger({ filters: { groupId: '={{ "a b" }}' } });
		await trigger.activate('init');
		expect(messages(trigger)).toEqual(['Group Name or ID: the value is not an ID: "a b"']);
	});
});

test.each(['activate', 'create', 'update'] as const)(
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

describe('A later poll', () => {
	test.each<[name: string, fault: Fault, message: string]>([
		['HTTP 503', statusFault(503), 'The links were not read: the service failed (503)'],
		[
			'links without IDs',
			jsonResponse({ status: true, data: [{ id: 1, link: 'https://example.com' }] }),
			'The links were not read: the links in the response have no field "link_id"',
		],
	])('that fails because of %s adds one failed execution', async (_name, fault, message) => {
		const trigger = await activeTrigger();
		publish('a');
		failList(fault);
		await trigger.poll();
		expect(trigger.errors).toMatchObject([{ message, description: expect.stringContaining(NEXT_POLL) as string }]);
		harness.sandbox.faults.clear();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});

	test.each<[string, Fault, number, number]>([
		['is no failed poll if that succeeds', statusFault(503), 1, 0],
		['fails if that is rejected, too', statusFault(429, '', { 'retry-after': '1' }), 2, 1],
	])('is sent again once, and %s', async (_what, fault, times, errors) => {
		const trigger = await activeTrigger();
		publish('a');
		failList(fault, times);
		harness.sandbox.recorder.reset();
		await trigger.poll();
		expect([calls().length, trigger.errors.length, titles(trigger).length]).toEqual([2, errors, 1 - errors]);
	});
});

describe('Polls that overlap', () => {
	test('do not keep a new activation from remembering the links that are there', async () => {
		const trigger = await activeTrigger();
		delayList(100);
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

	test.each([
		[55, 5, [MORE]],
		[49, 0, []],
	])(
		'are emitted as far as they are listed; if all that are listed are new, a failed execution says so (%i)',
		async (count, first, errors) => {
			const trigger = await activeTrigger();
			addLinks(harness.sandbox, count);
			await trigger.poll();
			await trigger.poll();
			const expected = Array.from({ length: count - first }, (_, index) => `Link ${index + first}`);
			expect(titles(trigger)).toEqual([expected]);
			expect(trigger.errors).toMatchObject(errors);
			expect(trigger.errors).toHaveLength(errors.length);
		},
	);
});

describe('After a change of the node or its credential, the trigger', () => {
	type Account = ReturnType<typeof harness.newAccount>;
	/** Where links are published after the change. */
	let service: Sandbox;
	beforeEach(() => (service = harness.sandbox));

	const edit = async ({ store, reference }: Account, fields: Record<string, string>) =>
		await store.updateCredentials(reference, 'profilePageApi', { ...store.read(reference), ...fields });
	const replace = async (trigger: PollingTrigger, node: Partial<INode>) => {
		trigger.node = { ...trigger.node, ...node };
		await trigger.activate('update');
	};

	test.each<[string, (trigger: PollingTrigger, account: Account) => Promise<void>]>([
		[
			'Base URL',
			async (_trigger, account) => {
				service = await harness.startSandbox();
				await edit(account, { baseUrl: service.baseUrl });
			},
		],
		['Client ID', async (_trigger, account) => await edit(account, OTHER_APP)],
		['group', async (trigger) => await replace(trigger, { parameters: { filters: { groupId: `${EVENTS}` } } })],
		[
			'credential',
			async (trigger, { store }) =>
				await replace(trigger, { credentials: { profilePageApi: harness.addCredential(store) } }),
		],
	])('starts over (%s), and reports what is new from then on', async (_what, change) => {
		const account = harness.newAccount();
		const trigger = await activeTrigger({}, account);
		publish('before', EVENTS);
		await trigger.poll();
		publish('old', EVENTS);
		await change(trigger, account);
		await trigger.poll();
		publish('a', EVENTS, service);
		await trigger.poll();
		publish('b', EVENTS, service);
		await trigger.restart();
		await trigger.poll();
		expect(titles(trigger)).toEqual([['before'], ['a'], ['b']]);
		expect(trigger.errors).toEqual([]);
	});

	test.each([
		['Client Secret', () => ROTATED],
		['slash after the Base URL', () => ({ baseUrl: `${harness.sandbox.baseUrl}/` })],
	])('continues where it was (%s)', async (_what, fields) => {
		const account = harness.newAccount();
		const trigger = await activeTrigger({}, account);
		publish('a');
		await edit(account, fields());
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
	/** @param limit of a whole poll, in milliseconds */
	const shorten = (limit: number) =>
		(timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			if (milliseconds > 30_000) return startTimeout(limit);
			return startTimeout(milliseconds < 10_000 ? milliseconds : 200);
		}));
	afterEach(() => timeout.mockRestore());

	test('ends after 15 s and one retry, and says so', async () => {
		const trigger = await activeTrigger();
		failList('hang');
		shorten(5000);
		await trigger.poll();
		expect(timeout).toHaveBeenCalledWith(15_000);
		expect(trigger.errors).toMatchObject([
			{
				message: 'The links were not read: the service did not respond in time',
				description: `${OUT_OF_TIME} Attempts: 2. ${NEXT_POLL}`,
			},
		]);
	});

	test.each<[PollingWay, number]>([
		['legacy', 45_000],
		['cursors', 32_400],
	])('ends after 45 s, or before n8n abandons it, whatever took the time (%s)', async (way, most) => {
		const trigger = await activeTrigger({}, { way });
		shorten(150);
		failList('hang');
		await trigger.poll();
		const [limit = 0] = timeout.mock.calls[0] ?? [];
		expect(limit).toBeGreaterThan(most - 5000);
		expect(limit).toBeLessThanOrEqual(most);
		expect(trigger.errors).toMatchObject([
			{
				name: 'NodeApiError',
				message: 'The links were not read: the service did not respond in time',
				description: `${OUT_OF_TIME} ${NEXT_POLL}`,
			},
		]);
		// The request in flight is aborted, and not repeated.
		await waitUntil(() => harness.sandbox.recorder.inFlight === 0);
		expect(calls()).toHaveLength(2);
		harness.sandbox.faults.clear();
		publish('a');
		await trigger.poll();
		expect(titles(trigger)).toEqual([['a']]);
	});

	test('says what the service had answered if there is no time for another attempt', async () => {
		const trigger = await activeTrigger({}, { way: 'scheduler' });
		shorten(300);
		failList(statusFault(429, 'Too many', { 'retry-after': '60' }));
		await trigger.poll();
		expect(trigger.errors).toMatchObject([
			{
				message: 'The links were not read: the service is rate-limiting requests (429)',
			},
		]);
	});

	test('of a public app ends even if the token is not renewed', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		const trigger = await activeTrigger({}, { publicAppTokens });
		harness.sandbox.oauth.revokeAccessTokens();
		harness.sandbox.faults.add({ path: '/token', fault: 'hang' });
		shorten(5000);
		await trigger.poll();
		expect(messages(trigger)).toEqual(['No access token: the service did not respond in time']);
	});
});

test('A poll that gets no token counts the requests for it once', async () => {
	const trigger = await activeTrigger();
	harness.sandbox.oauth.revokeAccessTokens();
	harness.sandbox.faults.add({ path: '/token', fault: statusFault(503) });
	const before = grants();
	await trigger.poll();
	expect(trigger.errors).toMatchObject([
		{
			message: 'No access token: the service failed (503)',
			description: `Try again later. The service said: "Injected 503". Attempts to get a token: 2. ${NEXT_POLL}`,
		},
	]);
	expect(grants()).toBe(before + 2);
});

test('Neither the errors of the trigger nor what it stores, which is JSON, contain a secret', async () => {
	const { store, reference } = harness.newAccount();
	const trigger = await activeTrigger({}, { store, reference });
	publish('a');
	await trigger.poll();
	const { accessToken, clientSecret, clientId } = store.read(reference) as Record<string, string>;
	failList(statusFault(400, `${accessToken} ${clientSecret} is wrong`));
	await trigger.poll();
	await trigger.activate('init');
	expect(trigger.errors).toHaveLength(2);
	const shown = trigger.errors.map((error) => JSON.stringify([error, error.message, error.stack])).join();
	for (const secret of [accessToken, clientSecret]) expect(shown).not.toContain(secret);
	expect(JSON.parse(JSON.stringify(trigger.stored))).toEqual(trigger.stored);
	const stored = JSON.stringify(trigger.stored);
	for (const secret of [accessToken, clientSecret, clientId]) expect(stored).not.toContain(secret);
});

const WAYS: PollingWay[] = ['legacy', 'scheduler', 'cursors'];

interface Step {
	does: 'publish' | 'delete' | 'poll' | 'overlap' | 'restart' | 'update' | 'republish';
	/** Whether the first request of the step fails. */
	fails: boolean;
	/** How n8n polls after a restart. */
	way: PollingWay;
	/** Which link is deleted, and whether the scheduler polls while the workflow is published. */
	index: number;
}

const step = fc.record<Step>({
	does: fc.constantFrom('publish', 'publish', 'delete', 'poll', 'overlap', 'restart', 'restart', 'update', 'republish'),
	fails: fc.constantFrom(false, false, true),
	way: fc.constantFrom(...WAYS),
	index: fc.nat(60),
});

/** Plays what happens to links and a published workflow, and knows what the trigger must report. */
class Play {
	readonly trigger: PollingTrigger;
	/** The titles that were to be reported by now. */
	reported: string[] = [];
	/** How many polls have failed. */
	failed = 0;
	/** The titles that the next poll that succeeds must report. */
	#isNew: string[] = [];
	#count = 0;
	#way: PollingWay;

	constructor(way: PollingWay) {
		this.#way = way;
		this.trigger = harness.newTrigger({}, { way });
	}

	async perform({ does, fails, way, index }: Step): Promise<void> {
		harness.sandbox.faults.clear();
		if (fails) failList(statusFault(400), 1);
		if (does === 'publish') this.#publish();
		else if (does === 'delete') this.#delete(index);
		else if (does === 'poll') await this.poll(fails);
		else if (does === 'overlap') await this.#overlap(fails);
		else if (does === 'restart') await this.#restart(way);
		else if (does === 'republish') await this.#republish(fails, index % 2 === 0);
		else {
			await this.trigger.activate('update');
			this.#note(fails);
		}
	}

	async poll(fails = false): Promise<void> {
		await this.trigger.poll();
		this.#note(fails);
	}

	/** Notes that a poll has ended. */
	#note(hasFailed = false): void {
		if (hasFailed) this.failed += 1;
		else [this.reported, this.#isNew] = [[...this.reported, ...this.#isNew], []];
	}

	#publish(): void {
		const title = `New ${(this.#count += 1)}`;
		publish(title);
		this.#isNew.push(title);
	}

	#delete(index: number): void {
		const link = links().all[index % Math.max(1, links().all.length)];
		if (link) links().delete(link.link_id);
		this.#isNew = this.#isNew.filter((title) => title !== link?.title);
	}

	/** Several polls at once, and one that n8n has prepared before it stored what the others remember. */
	async #overlap(fails: boolean): Promise<void> {
		const later = this.trigger.preparePoll();
		const update = fails ? [] : [this.trigger.activate('update')];
		await Promise.all([this.trigger.poll(), this.trigger.poll(), ...update]);
		await later();
		if (fails) this.#note(true);
		this.#note();
	}

	async #restart(way: PollingWay): Promise<void> {
		harness.sandbox.faults.clear();
		await this.trigger.restart(way);
		// The scheduler goes on with the jobs that it has.
		if (this.#way === 'legacy' || way === 'legacy') this.#note();
		this.#way = way;
	}

	/** Unpublishes the workflow, and publishes it again: what has become public meanwhile is not new. */
	async #republish(fails: boolean, isPolled: boolean): Promise<void> {
		this.trigger.deactivate();
		this.#publish();
		if (fails) await expect(this.trigger.activate('activate')).rejects.toThrow('(400)');
		const activation = this.trigger.activate('activate');
		// The scheduler may poll at once, and later with what was stored before.
		const polls = isPolled && this.#way !== 'legacy';
		const [during, later] = polls ? [this.trigger.preparePoll(), this.trigger.preparePoll()] : [];
		await during?.();
		await activation;
		this.#isNew = [];
		this.#publish();
		await later?.();
		if (later) this.#note();
	}
}

test('Each new link is reported once and in order, and no other, whatever fails and however n8n polls, restarts, and publishes', async () => {
	const steps = fc.array(step, { maxLength: 16 });
	const scenario = fc.asyncProperty(
		fc.constantFrom(...WAYS),
		fc.constantFrom(0, 48, 60),
		steps,
		async (way, older, given) => {
			await harness.restart({ links: [] });
			addLinks(harness.sandbox, older);
			const play = new Play(way);
			await play.trigger.activate('activate');
			for (const each of given) await play.perform(each);
			harness.sandbox.faults.clear();
			await play.poll();
			expect(titles(play.trigger).flat()).toEqual(play.reported);
			expect(play.trigger.errors).toHaveLength(play.failed);
		},
	);
	const { RUNS: numRuns = 40, SEED: seed = 73 } = process.env;
	await fc.assert(scenario, { numRuns: Number(numRuns), seed: Number(seed), endOnFailure: true });
}, 300_000);
