import type { IDataObject } from 'n8n-workflow';

import { Client, type ClientOptions } from '../../../nodes/ProfilePage/service/client';
import { connectionFailure } from '../../../nodes/ProfilePage/service/explain';
import { Scheduler } from '../../../nodes/ProfilePage/service/scheduler';
import {
	type Account,
	done,
	type Ended,
	type Failure,
	type ServiceRequest,
	type ServiceResponse,
	STOPPED,
} from '../../../nodes/ProfilePage/service/types';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock(Date.UTC(2030, 0, 1));

const response = (statusCode: number, body: unknown = {}, headers: IDataObject = {}) =>
	done({ statusCode, headers, body });
const OK = response(200, { status: true, id: 7 });
const NO_TOKEN: Failure = { outcome: 'not sent', kind: 'token', problem: 'it failed' };

const getProfile: ServiceRequest = {
	method: 'GET',
	path: '/me',
	idempotent: true,
	subject: 'the profile',
	effect: ['was', 'read'],
	advice: '',
};
const createLink: ServiceRequest = { ...getProfile, method: 'POST', idempotent: false };

type Respond = (token: string, request: ServiceRequest, signal: AbortSignal) => Promise<Ended<ServiceResponse>>;

/** A client of an account whose requests end in this way. Each rejected token is replaced by the next: token-1, token-2. */
/** @param ending aborts when nothing more may start */
function createClient(respond: Respond, options: Partial<ClientOptions> = {}, ending = options.signal) {
	const tokens: string[] = [];
	let token = { value: 'token-0', isNew: false };
	const account: Account = {
		id: 'account',
		secrets: new Set(['s3cret-t0ken']),
		paths: { baseUrl: 'https://example.com', pagesPath: '', blocksPath: '' },
		async token(rejected) {
			if (rejected === token.value) token = { value: `token-${Number(rejected.slice(6)) + 1}`, isNew: true };
			return await Promise.resolve(done(token));
		},
		async exchange(request, { value }, signal) {
			tokens.push(value);
			return await respond(value, request, signal);
		},
	};
	const scheduler = new Scheduler({ batchSize: 10, batchInterval: 0, signal: ending });
	const client = new Client(account, { timeout: 1000, maxRetries: 0, scheduler, ...options });
	return { client, account, scheduler, tokens };
}

/** Responds in these ways one after another, and in the last one from then on. */
function inTurn(...ways: Array<Ended<ServiceResponse>>): Respond {
	let count = 0;
	return async () => await Promise.resolve(ways[Math.min((count += 1), ways.length) - 1]!);
}

const readId = ({ id }: IDataObject) => done({ id }, true);

/** Sends a request, with all its waits. */
async function send(client: Client, request: ServiceRequest) {
	const sending = client.send(request, readId);
	await jest.runAllTimersAsync();
	return await sending;
}

describe('The token of a request', () => {
	test('is replaced if the service rejects it, unless it is new', async () => {
		const once = createClient(async (token) => await Promise.resolve(token === 'token-0' ? response(401) : OK));
		expect(await send(once.client, createLink)).toMatchObject({ outcome: 'done' });
		expect(once.tokens).toEqual(['token-0', 'token-1']);
		const always = createClient(inTurn(response(401)));
		expect(await send(always.client, createLink)).toMatchObject({ status: 401, outcome: 'rejected' });
		expect(always.tokens).toEqual(['token-0', 'token-1']);
	});

	test('is replaced at most twice, though the service accepts each for another request', async () => {
		const posted: string[] = [];
		const { client } = createClient(async (token, { method }) => {
			if (method === 'GET') return OK;
			posted.push(token);
			await client.send(getProfile, readId);
			return response(401);
		});
		expect(await send(client, createLink)).toMatchObject({ status: 401 });
		expect(posted).toEqual(['token-0', 'token-1', 'token-2']);
	});

	test.each([1, 2])('prevents the request if it cannot be had when it is asked for the time %d', async (time) => {
		const { client, account, tokens } = createClient(inTurn(OK));
		const ask = account.token.bind(account);
		let asked = 0;
		account.token = async (rejected) => ((asked += 1) === time ? NO_TOKEN : await ask(rejected));
		expect(await send(client, createLink)).toMatchObject({ ...NO_TOKEN, request: createLink });
		expect(tokens).toEqual([]);
	});
});

describe('The failure of a request', () => {
	test.each<[string, ServiceRequest, Ended<ServiceResponse>, string]>([
		['a read without a response', getProfile, connectionFailure('ECONNRESET'), 'rejected'],
		['a change without a response', createLink, connectionFailure('ECONNRESET'), 'unknown'],
		['a change whose connection was refused', createLink, connectionFailure('ECONNREFUSED'), 'rejected'],
		['a read that the service failed to do', getProfile, response(500), 'rejected'],
		['a change that the service failed to do', createLink, response(500), 'unknown'],
	])('has, for %s, the outcome that follows', async (_what, request, way, outcome) => {
		const { client } = createClient(inTurn(way));
		expect(await send(client, request)).toMatchObject({ outcome, request });
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
		const { client, tokens } = createClient(inTurn(response(503), tomorrow), { maxRetries: 2 });
		const [first] = await Promise.all([send(client, getProfile), send(client, getProfile)]);
		expect(first).toMatchObject({ problem: 'the service asks to wait until 2030-01-02 00:01 UTC', attempts: 0 });
		expect(tokens).toHaveLength(2);
	});
});

test('The time limit aborts the signal of the account, and the service did not respond in time', async () => {
	let given: AbortSignal | undefined;
	const { client } = createClient(async (_token, _request, signal) => {
		given = signal;
		return await new Promise(() => undefined);
	});
	const sending = client.send(getProfile, readId);
	await jest.advanceTimersByTimeAsync(999);
	expect(given!.aborted).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	expect(given!.aborted).toBe(true);
	expect(await sending).toMatchObject({ code: 'ETIMEDOUT', passes: 'soon' });
});

test('A canceled execution sends nothing more, and the outcome of a change in flight is unknown', async () => {
	const controller = new AbortController();
	const { client, tokens } = createClient(async () => await new Promise(() => undefined), {
		signal: controller.signal,
	});
	const sending = client.send(createLink, readId);
	await jest.advanceTimersByTimeAsync(10);
	controller.abort();
	expect(await sending).toMatchObject({ kind: 'stopped', outcome: 'unknown' });
	expect(await send(client, createLink)).toMatchObject(STOPPED);
	expect(tokens).toHaveLength(1);
});

test('A request that waits for its turn does not start before the node can end because another one failed', async () => {
	let count = 0;
	const controller = new AbortController();
	const { client, tokens } = createClient(
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
		const ended = await client.send(createLink, readId);
		if (ended.outcome !== 'done') controller.abort();
	};
	const all = Promise.all([1, 2, 3, 4].map(sendOrEnd));
	await jest.runAllTimersAsync();
	await all;
	// All four, then those two for which there was room.
	expect(tokens).toHaveLength(6);
});
