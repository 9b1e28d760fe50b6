import type { IDataObject } from 'n8n-workflow';

import type { PollingTrigger, PollingWay } from '../../runner';
import { type Fault, statusFault } from '../../sandbox/faults';
import { advanceDate } from '../support/dates';
import { useHarness } from '../support/harness';
import { addLinks } from '../support/links';
import { waitUntil } from '../support/waitUntil';

const EVENTS = 2;
const PRESS = 3;

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

const harness = useHarness({ privateApps: [OTHER_APP] });
afterEach(() => jest.useRealTimers());

const calls = () => harness.sandbox.recorder.calls;
const failList = (fault: Fault, times?: number) => harness.sandbox.faults.add({ path: '/lnk/list', fault, times });
const delayList = (latency: number, times?: number) =>
	harness.sandbox.faults.add({ path: '/lnk/list', latency, times });

/** Adds a link to the profile. */
function publish(title: string, { account } = harness.sandbox): void {
	account.links.add({ title, link: `https://example.com/${title}`, group_id: EVENTS });
}

/** The titles of the links in each execution. */
const titles = ({ executions }: PollingTrigger) => executions.map((items) => items.map(({ json }) => json.title));

const WAYS: PollingWay[] = ['legacy', 'scheduler', 'cursors'];
const SCHEDULED: PollingWay[] = ['scheduler', 'cursors'];

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
		const { links } = harness.sandbox.account;
		for (const { link_id: id } of links.all.slice(0, 5)) links.delete(id);
		await trigger.poll();
		publish('a');
		await trigger.poll();
		await trigger.poll();
		links.delete(links.all[3]!.link_id);
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
		publish('old');
		trigger.node = { ...trigger.node, parameters: { filters: { groupId: `${EVENTS}` } } };
		await trigger.activate('update');
		await trigger.restart();
		publish('new');
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

describe.each(SCHEDULED)("Polled by n8n's scheduler (%s), the trigger", (way) => {
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
		publish('old', other);
		const edited = isUrl ? { baseUrl: other.baseUrl } : OTHER_APP;
		await store.updateCredentials(reference, 'profilePageApi', { ...store.read(reference), ...edited });
		await trigger.poll();
		publish('a', other);
		await trigger.poll();
		publish('b', other);
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
