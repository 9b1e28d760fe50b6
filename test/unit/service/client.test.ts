import type { IDataObject } from 'n8n-workflow';

import { Client, type Account } from '../../../nodes/ProfilePage/service/client';
import { connectionFailure } from '../../../nodes/ProfilePage/service/connection';
import type { SendOptions } from '../../../nodes/ProfilePage/service/retry';
import { Scheduler } from '../../../nodes/ProfilePage/service/scheduler';
import { done, type Ended, type Failure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { Secrets } from '../../../nodes/ProfilePage/service/quotes';
import type { ServiceRequest, ServiceResponse } from '../../../nodes/ProfilePage/service/request';
import { useFakeClock } from '../../support/fakeClock';
import { getProfile } from '../../support/requests';

useFakeClock(Date.UTC(2030, 0, 1));

const response = (statusCode: number, body: unknown = {}, headers: IDataObject = {}) =>
	done({ statusCode, headers, body });
const OK = response(200, { status: true, id: 7 });
const NO_TOKEN: Failure = { outcome: 'not applied', kind: 'token', problem: 'it failed' };

const createLink: ServiceRequest = { ...getProfile, method: 'POST', idempotent: false, confirms: () => true };

type Respond = (request: ServiceRequest) => Promise<Ended<ServiceResponse>>;

/**
 * A client of an account whose requests end in this way.
 *
 * @param ending aborts when nothing more may start
 */
function createClient(respond: Respond, options: Partial<SendOptions> = {}, ending = options.signal) {
	const sent: ServiceRequest[] = [];
	let tokens = 0;
	const account: Account = {
		id: 'account',
		secrets: new Secrets(['s3cret-t0ken']),
		token: async () => await Promise.resolve(done({ value: `token ${(tokens += 1)}` })),
		reject: () => true,
		async exchange(request) {
			sent.push(request);
			return await respond(request);
		},
	};
	const scheduler = new Scheduler({ batchSize: 10, batchInterval: 0, signal: ending });
	const client = new Client(account, { timeout: 30_000, maxRetries: 0, ...options }, scheduler);
	return { client, account, scheduler, sent };
}

/** Responds in these ways one after another, and in the last one from then on. */
function inTurn(...ways: Array<Ended<ServiceResponse>>): Respond {
	let count = 0;
	return async () => await Promise.resolve(ways[Math.min((count += 1), ways.length) - 1]!);
}

const readId = ({ id }: IDataObject) => ({ id });

/** Sends a request, with all its waits. */
async function send(client: Client, request: ServiceRequest) {
	const sending = client.request(request, readId);
	await jest.runAllTimersAsync();
	return await sending;
}

test('A request for which there is no token takes no place, and is not sent', async () => {
	const { client, account, scheduler, sent } = createClient(inTurn(OK));
	account.token = async () => await Promise.resolve(NO_TOKEN);
	const schedule = jest.spyOn(scheduler, 'schedule');
	expect(await send(client, createLink)).toEqual({ ...NO_TOKEN, attempts: 1, purpose: createLink });
	expect(schedule).not.toHaveBeenCalled();
	expect(sent).toEqual([]);
});

describe('The failure of a request', () => {
	test.each<[string, ServiceRequest, Ended<ServiceResponse>, string]>([
		['a read without a response', getProfile, connectionFailure('ECONNRESET'), 'not applied'],
		['a change without a response', createLink, connectionFailure('ECONNRESET'), 'unknown'],
		['a change whose connection was refused', createLink, connectionFailure('ECONNREFUSED'), 'not applied'],
		['a read that the service failed to do', getProfile, response(500), 'not applied'],
		['a change that the service failed to do', createLink, response(500), 'unknown'],
	])('has, for %s, the outcome that follows', async (_what, request, way, outcome) => {
		const { client } = createClient(inTurn(way));
		expect(await send(client, request)).toMatchObject({ outcome, purpose: request });
	});

	test.each([
		['No such page', 'No such page'],
		['You sent s3cret-t0ken', undefined],
	])('quotes the service unless it repeats a secret, such as %j: %j', async (message, said) => {
		const { client } = createClient(inTurn(response(400, { message })));
		expect(((await send(client, createLink)) as Failure).said).toBe(said);
	});

	test('does not count a retry that is not sent any more as an attempt', async () => {
		const tomorrow = response(429, {}, { 'retry-after': '86400' });
		const { client, sent } = createClient(inTurn(response(503), tomorrow), { maxRetries: 2 });
		const [first] = await Promise.all([send(client, getProfile), send(client, getProfile)]);
		expect(first).toMatchObject({ problem: 'the service asks to wait until 2030-01-02 00:01 UTC', attempts: 0 });
		expect(sent).toHaveLength(2);
	});
});

test('A request that waits for its turn does not start before the node can end because another one failed', async () => {
	let count = 0;
	const controller = new AbortController();
	const { client, sent } = createClient(
		async () => {
			count += 1;
			if (count <= 4) return response(429, {}, { 'retry-after': '1' });
			if (count === 5) return response(400);
			await new Promise((resolve) => setTimeout(resolve, 100));
			return OK;
		},
		{ maxRetries: 2 },
		controller.signal,
	);
	const sendOrEnd = async () => {
		const ended = await client.request(createLink, readId);
		if (ended.outcome !== 'done') controller.abort();
	};
	const all = Promise.all([1, 2, 3, 4].map(sendOrEnd));
	await jest.runAllTimersAsync();
	await all;
	// All four, then those two for which there was room.
	expect(sent).toHaveLength(6);
});

describe('A request whose token was rejected', () => {
	const rejection = response(401);

	test('is sent again with another one, at most twice', async () => {
		const once = createClient(inTurn(rejection, OK));
		expect(await send(once.client, createLink)).toMatchObject({ outcome: 'done' });
		const always = createClient(inTurn(rejection));
		expect(await send(always.client, createLink)).toMatchObject({ status: 401, outcome: 'not applied' });
		expect([once.sent, always.sent].map(({ length }) => length)).toEqual([2, 3]);
	});

	test('is not sent again if another one would not help', async () => {
		const { client, account, sent } = createClient(inTurn(rejection, OK));
		account.reject = () => false;
		expect(await send(client, createLink)).toMatchObject({ status: 401, outcome: 'not applied' });
		expect(sent).toHaveLength(1);
	});

	test('waits like a retry before it is sent again, and is not once the node has ended', async () => {
		const controller = new AbortController();
		const respond: Respond = async () => {
			controller.abort();
			return await Promise.resolve(rejection);
		};
		const { client, sent } = createClient(respond, {}, controller.signal);
		expect(await send(client, createLink)).toMatchObject(STOPPED);
		expect(sent).toHaveLength(1);
	});
});
