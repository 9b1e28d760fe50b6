import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { readCredential } from '../../../nodes/ProfilePage/auth/credential';
import { privateApp } from '../../../nodes/ProfilePage/auth/privateApp';
import { type ClientOptions, ServiceClient } from '../../../nodes/ProfilePage/service/client';
import type { ServiceRequest } from '../../../nodes/ProfilePage/service/request';
import { ExecutionCanceled, noToken } from '../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../support/fakeClock';

useFakeClock(Date.UTC(2030, 0, 1));

const app = { baseUrl: 'https://example.com/api', clientId: 'id', clientSecret: 'secret' };
const OK = { statusCode: 200, headers: {}, body: { status: true, data: { id: 7 } } };
const status = (statusCode: number, body: unknown = {}, headers: object = {}) => ({
	statusCode,
	headers,
	body,
});

const getProfile: ServiceRequest = {
	method: 'GET',
	path: '/oauth/v1/me',
	idempotent: true,
	subject: 'The profile',
	effect: 'was read',
	advice: 'Check it.',
};
const createLink: ServiceRequest = {
	...getProfile,
	method: 'POST',
	path: '/oauth/v1/lnk/add',
	form: { title: 'a b' },
	idempotent: false,
	subject: 'The link',
	effect: 'was created',
};

interface Sent extends IHttpRequestOptions {
	token: unknown;
	renewAt: unknown;
}

type Responses = (request: Sent, signal: AbortSignal) => unknown;

/** A client of a private app whose token is stored, at a service that gives these responses. */
async function createClient(respond: Responses, options: Partial<ClientOptions> = {}) {
	const sent: Sent[] = [];
	let accessToken = 'stored-token';
	let grants = 0;
	const context = {
		getNode: () => ({ parameters: {}, credentials: {} }),
		getCredentials: async () =>
			await Promise.resolve({
				...app,
				accessToken,
				accessTokenApp: privateApp.bindingOf(app),
				accessTokenRenewAt: String(Date.now() + 60_000),
			}),
		helpers: {
			async httpRequestWithAuthentication(this: IExecuteFunctions, type: string, request: IHttpRequestOptions) {
				const data = await this.getCredentials(type);
				const signal = this.getExecutionCancelSignal()!;
				if (data.accessToken === '') {
					// As n8n does: it adds the token to the fields, and stores it.
					data.accessToken = accessToken = `new-token-${(grants += 1)}`;
					throw new Error('aborted');
				}
				const { accessTokenRenewAt: renewAt } = data;
				const signed = { ...request, token: data.accessToken, renewAt };
				sent.push(signed);
				return await respond(signed, signal);
			},
		},
	} as unknown as IExecuteFunctions;
	const credential = await readCredential(context, 0);
	const client = new ServiceClient(context, credential, {
		timeout: 1000,
		maxRetries: 0,
		batchSize: 100,
		...options,
	});
	return { client, sent };
}

/** Gives these responses one after another, and the last one from then on. */
function inTurn(...responses: readonly object[]): Responses {
	const remaining = [...responses];
	return () => (remaining.length > 1 ? remaining.shift() : remaining[0]);
}

const readId = ({ data }: IDataObject) => ({ id: (data as IDataObject).id });

/** Sends a request, with all its waits, and returns the result or the error. */
async function send(client: ServiceClient, request: ServiceRequest, history?: 'may be applied'): Promise<unknown> {
	const sending = client.send(request, readId, history).catch((error: unknown) => error);
	await jest.runAllTimersAsync();
	return await sending;
}

describe('A request', () => {
	test('is sent with the stored token, and its response is read', async () => {
		const { client, sent } = await createClient(inTurn(OK));
		expect(await send(client, getProfile)).toEqual({ id: 7 });
		expect(sent).toHaveLength(1);
		expect(sent[0]).toMatchObject({
			method: 'GET',
			url: 'https://example.com/api/oauth/v1/me',
			token: 'stored-token',
			disableFollowRedirect: true,
		});
		expect(sent[0]).not.toHaveProperty('body');
		expect(sent[0]!.headers).not.toHaveProperty('Content-Type');
	});

	test.each([
		['a form', { form: { title: 'a b' } }, 'title=a+b', 'application/x-www-form-urlencoded'],
		[
			'a form with a name that repeats',
			{
				form: [
					['a', '1'],
					['a', '2'],
				] as Array<[string, string]>,
			},
			'a=1&a=2',
			'application/x-www-form-urlencoded',
		],
		['JSON', { form: undefined, json: '{"a":1.0}' }, '{"a":1.0}', 'application/json'],
	])('may have %s as body', async (_what, body, text, contentType) => {
		const { client, sent } = await createClient(inTurn(OK));
		await send(client, { ...createLink, ...body });
		expect(sent[0]).toMatchObject({ body: text, headers: { 'Content-Type': contentType } });
	});

	test('is signed even if its token becomes due on the way', async () => {
		const { client, sent } = await createClient(inTurn(OK));
		await send(client, getProfile);
		expect(sent[0]!.renewAt).toBe('');
	});

	test('is sent again with another token if the service rejects the first', async () => {
		const { client, sent } = await createClient(({ token }) => (token === 'stored-token' ? status(401) : OK));
		expect(await send(client, createLink)).toEqual({ id: 7 });
		expect(sent.map(({ token }) => token)).toEqual(['stored-token', 'new-token-1']);
	});

	test('is not sent again if the service rejects a new token too', async () => {
		const { client, sent } = await createClient(inTurn(status(401)));
		const error = await send(client, createLink);
		expect(error).toMatchObject({
			message: 'The link was not created: the service rejected a new access token (401)',
			details: { history: 'rejected', status: 401 },
		});
		expect(sent).toHaveLength(2);
	});

	test('is sent with at most three tokens', async () => {
		// Each new token is accepted for another request, and then rejected for this one.
		const { client, sent } = await createClient(async ({ method }) => {
			if (method === 'GET') return OK;
			await client.send(getProfile, readId);
			return status(401);
		});
		expect(await send(client, createLink)).toMatchObject({ details: { status: 401 } });
		const posts = sent.filter(({ method }) => method === 'POST');
		expect(posts.map(({ token }) => token)).toEqual(['stored-token', 'new-token-1', 'new-token-2']);
	});

	test('is retried after a transient failure, as often as the options say', async () => {
		const busy = status(503);
		const once = await createClient(inTurn(busy, OK), { maxRetries: 1 });
		expect(await send(once.client, getProfile)).toEqual({ id: 7 });
		const always = await createClient(inTurn(busy), { maxRetries: 2, batchSize: undefined });
		expect(await send(always.client, getProfile)).toMatchObject({
			text: 'The profile was not read: the service failed (503). Try again later. Attempts: 3.',
		});
		expect(always.sent).toHaveLength(3);
	});

	test.each([undefined, '1'])(
		'of a list or a poll is retried as often as any other if it is rate-limited (Retry-After: %p)',
		async (retryAfter) => {
			const limited = status(429, {}, retryAfter ? { 'retry-after': retryAfter } : {});
			const { client, sent } = await createClient(inTurn(limited), { maxRetries: 1, batchSize: undefined });
			expect(await send(client, getProfile)).toMatchObject({ details: { status: 429 } });
			expect(sent).toHaveLength(2);
		},
	);

	test('that is not idempotent is retried only if it was certainly not applied', async () => {
		const uncertain = await createClient(inTurn(status(503)), { maxRetries: 2 });
		expect(await send(uncertain.client, createLink)).toMatchObject({
			message: 'It is unknown whether the link was created: the service failed (503)',
			details: { history: 'may be applied', idempotent: false },
		});
		expect(uncertain.sent).toHaveLength(1);
		const certain = await createClient(inTurn(status(429), OK), { maxRetries: 2 });
		expect(await send(certain.client, createLink)).toEqual({ id: 7 });
	});

	test.each([
		['a change', 'It is unknown whether the link was created: ', createLink],
		['a read', 'The profile was not read: ', getProfile],
	])(
		'that is %s, may have been applied in an earlier try, and is rejected now is reported as: %s',
		async (_what, start, request) => {
			const { client } = await createClient(inTurn(status(400)));
			expect(await send(client, request, 'may be applied')).toMatchObject({
				message: `${start}the service rejected the request (400)`,
				details: { history: 'may be applied' },
			});
		},
	);

	test('reports the words of the service, unless they repeat a token', async () => {
		const words = (message: string) => inTurn(status(400, { message }));
		const { client } = await createClient(words('No such page'));
		expect(await send(client, createLink)).toMatchObject({
			advice: 'Check it. The service said: "No such page".',
		});
		for (const secret of ['stored-token', 'secret']) {
			const other = await createClient(words(`You sent ${secret}`));
			expect(await send(other.client, createLink)).toMatchObject({ advice: 'Check it.' });
		}
	});

	test('that gets no response is reported with the reason', async () => {
		const { client } = await createClient(() => {
			throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
		});
		expect(await send(client, createLink)).toMatchObject({
			message: 'The link was not created: the service refused the connection',
			details: { history: 'rejected' },
		});
	});

	test('for which the credential finds no token is reported as not sent', async () => {
		const problem = { problem: 'it failed', advice: 'Wait.' };
		const { client } = await createClient(() => {
			// n8n wraps the error of the credential, and keeps its context.
			throw Object.assign(new Error('x'), { context: noToken(problem).context });
		});
		expect(await send(client, createLink)).toMatchObject({
			text: 'No access token: it failed. Wait.',
			details: { history: 'not sent' },
		});
	});
});

describe('The time limit of a request', () => {
	const never = async () => await new Promise(() => undefined);

	test('ends it, and the advice mentions the option only if there is one', async () => {
		const withOptions = await createClient(never, { batchSize: 10 });
		expect(await send(withOptions.client, getProfile)).toMatchObject({
			text: 'The profile was not read: the service did not respond in time. Try again later. If it happens often, raise Timeout (ms) in the options of the node.',
		});
		const { client } = await createClient(never, { batchSize: undefined });
		expect(await send(client, getProfile)).toMatchObject({
			text: 'The profile was not read: the service did not respond in time. Try again later.',
		});
	});

	test('aborts the signal that n8n gets', async () => {
		let given: AbortSignal | undefined;
		const { client } = await createClient(async (_request, signal) => {
			given = signal;
			return await never();
		});
		const sending = client.send(getProfile, readId).catch(() => undefined);
		await jest.advanceTimersByTimeAsync(999);
		expect(given!.aborted).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(given!.aborted).toBe(true);
		await sending;
	});
});

describe('Canceling the execution', () => {
	test('ends a request in flight, which may be applied', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		const { client } = await createClient(async () => await new Promise(() => undefined), {
			signal,
		});
		const sending = client.send(createLink, readId).catch((error: unknown) => error);
		await jest.advanceTimersByTimeAsync(10);
		controller.abort();
		const error = await sending;
		expect(error).toBeInstanceOf(ExecutionCanceled);
		expect(error).toMatchObject({ history: 'may be applied', isInFlight: true });
	});

	test('starts no further request', async () => {
		const { client, sent } = await createClient(inTurn(OK), { signal: AbortSignal.abort() });
		expect(await send(client, createLink)).toMatchObject({
			history: 'not sent',
			isInFlight: false,
		});
		expect(sent).toEqual([]);
	});
});

test.each<[string, () => unknown]>([
	['is rejected', () => status(400)],
	[
		'gets no response',
		() => {
			throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
		},
	],
])('A request that waits for its turn does not start before the node can end because one %s', async (_what, fail) => {
	let count = 0;
	const respond = async () => {
		count += 1;
		if (count <= 4) return status(429, {}, { 'retry-after': '1' });
		if (count === 5) return fail();
		await new Promise((resolve) => setTimeout(resolve, 100));
		return OK;
	};
	const { client, sent } = await createClient(respond, { maxRetries: 2 });
	const end = async () => {
		// The error reaches the node in some steps.
		for (let step = 0; step < 20; step += 1) await Promise.resolve();
		client.pacer.stop();
	};
	const ended = [1, 2, 3, 4].map(async () => await client.send(createLink, readId).catch(end));
	await jest.runAllTimersAsync();
	await Promise.all(ended);
	// All four, then those two for which there was room.
	expect(sent).toHaveLength(6);
});

test('The pacer learns of each response whether it was a success', async () => {
	const { client } = await createClient(inTurn(status(503), status(400), OK), { maxRetries: 1 });
	const leave = jest.spyOn(client.pacer, 'leave');
	await send(client, getProfile);
	await send(client, getProfile);
	expect(leave.mock.calls).toEqual([[false], [false], [true]]);
});

test('A retry that does not start any more is not counted as an attempt', async () => {
	const tomorrow = status(429, {}, { 'retry-after': '86400' });
	const { client, sent } = await createClient(inTurn(status(503), tomorrow), { maxRetries: 2 });
	const failing = send(client, getProfile);
	expect(await send(client, getProfile)).toMatchObject({ details: { status: 429 } });
	expect(await failing).toMatchObject({
		message: 'The profile was not read: the service asks to wait until 2030-01-02 00:01 UTC',
		advice: 'Run the workflow again after that.',
	});
	expect(sent).toHaveLength(2);
});

test('When the service asks to wait, all requests of the client wait', async () => {
	const { client, sent } = await createClient(inTurn(status(429, {}, { 'retry-after': '5' }), OK), {
		maxRetries: 1,
	});
	const sending = Promise.all([1, 2].map(async () => await client.send(getProfile, readId)));
	await jest.advanceTimersByTimeAsync(10);
	const sentBefore = sent.length;
	const later = client.send(getProfile, readId);
	await jest.advanceTimersByTimeAsync(4900);
	expect(sent).toHaveLength(sentBefore);
	await jest.runAllTimersAsync();
	expect(await sending).toEqual([{ id: 7 }, { id: 7 }]);
	expect(await later).toEqual({ id: 7 });
});
