import { type Sandbox, startSandbox } from '../../sandbox/server';
import { HOME } from '../support/pages';
import { waitUntil } from '../support/waitUntil';
import { eventsDuring, FORM, get, getPage, newToken, requestToken, send, sendOrder } from '../support/serviceClient';
import { unescape } from './browser';

const ME = '/oauth/v1/me';

let sandbox: Sandbox;
let token: string;
beforeEach(async () => {
	sandbox = await startSandbox();
	token = await newToken(sandbox);
});
afterEach(async () => await sandbox.close());

/** Sends the form. */
const choose = async (kind: string, calls = 'read') => {
	const body = `calls=${calls}&kind=${kind}`;
	return await send(sandbox, '/fail', { method: 'POST', headers: { 'content-type': FORM }, body }).catch(
		() => undefined,
	);
};

/** Returns the choices that are pressed, and what is said below them. */
async function shown() {
	const { html } = await getPage(sandbox, '/');
	const [section = ''] = /<section\s+id="faults".*?<\/section>/s.exec(html) ?? [];
	const [changes = '', reads = '', text = ''] = section.split('</form>');
	const choicesIn = (form: string) =>
		[...form.matchAll(/<button name="kind" value="(.*?)" aria-pressed="(.*?)">\s*(.*?)\s*</g)].map(
			([, kind, pressed, name]) => ({ kind, pressed, name }),
		);
	const choices = { change: choicesIn(changes), read: choicesIn(reads) };
	return {
		choices,
		pressed: Object.entries(choices).flatMap(([calls, all]) =>
			all.filter(({ pressed }) => pressed === 'true').map(({ name }) => `${calls}: ${name}`),
		),
		text: unescape(text.replace(/<[^>]*>/g, ' '))
			.replace(/\s+/g, ' ')
			.replace(/\d\d:\d\d:\d\d/, 'TIME')
			.trim(),
	};
}

describe('The form that fails the next request', () => {
	test('offers statuses and failures of the connection', async () => {
		const { choices, pressed, text } = await shown();
		for (const each of [choices.change, choices.read]) {
			expect(each.map(({ kind, name }) => [kind, name])).toEqual([
				['503', '503'],
				['429', '429'],
				['400', '400'],
				['hang', 'Time-out'],
				['lost', 'Lost response'],
				['cut', 'Cut off'],
			]);
		}
		expect([pressed, text]).toEqual([[], 'Choose a failure, and run a workflow to see what it does.']);
	});

	test('fails the next change once, and no read before it, such as a list of the editor', async () => {
		await choose('400', 'change');
		expect(await shown()).toMatchObject({
			pressed: ['change: 400'],
			text: 'The next change will fail: the service rejects it. Now run a workflow.',
		});
		expect((await get(sandbox, ME, token)).status).toBe(200);
		const order = sandbox.account.order(HOME);
		const reorder = async () => await sendOrder(sandbox, HOME, order.toReversed(), token);
		expect((await reorder()).status).toBe(400);
		expect(sandbox.account.order(HOME)).toEqual(order);
		expect((await reorder()).status).toBe(200);
	});

	test('fails the next read once, but no token request, and shows what came after it', async () => {
		expect(await eventsDuring(sandbox, async () => await choose('503'), 1, 'requests')).toHaveLength(1);
		expect(await shown()).toMatchObject({
			pressed: ['read: 503'],
			text: 'The next read will fail: the service is not available. Now run a workflow.',
		});
		expect((await requestToken(sandbox)).status).toBe(200);
		expect((await get(sandbox, ME, token)).status).toBe(503);
		expect(await shown()).toMatchObject({
			pressed: [],
			text: `TIME GET ${ME}: status 503. The node has not sent it again.`,
		});
		expect((await get(sandbox, ME, token)).status).toBe(200);
		expect((await shown()).text).toMatch(/ The node sent it again 0\.\d s later: 200\.$/);
		await get(sandbox, ME, 'wrong');
		expect((await shown()).text).toMatch(/ The node sent it again 2 times, first 0\.\d s later: 200, 401\.$/);
	});

	test('does not say that a request which comes much later is a retry of the node', async () => {
		await choose('503');
		await get(sandbox, ME, token);
		const { now } = Date;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + 24_000);
		await get(sandbox, ME, token);
		jest.restoreAllMocks();
		expect((await shown()).text).toMatch(
			/ The same request came again 2\d\.\d s later: 200\. That is probably another run of the workflow\.$/,
		);
	});

	test('takes the failure back when its button is pressed again', async () => {
		await choose('lost');
		const armed = (await shown()).choices.read.find(({ name }) => name === 'Lost response');
		expect(armed).toMatchObject({ kind: '' });
		await choose('');
		expect((await get(sandbox, ME, token)).status).toBe(200);
	});

	test.each([
		['lost', 'the service received it, and its response was lost'],
		['cut', 'the service received it, and the connection ended in the middle of its response'],
	])('says of the failure "%s" that %s', async (kind, effect) => {
		await choose(kind);
		await expect(get(sandbox, ME, token)).rejects.toThrow();
		await waitUntil(() => sandbox.requestLog.requests[0]?.duration !== undefined);
		expect((await shown()).text).toBe(`TIME GET ${ME}: ${effect}. The node has not sent it again.`);
	});

	test('says that the node is waiting while there is no response', async () => {
		await choose('hang');
		const pending = get(sandbox, ME, token).catch(() => undefined);
		await waitUntil(() => sandbox.requestLog.requests[0]?.fault === 'hang');
		expect((await shown()).text).toBe(`TIME GET ${ME}: the service did not respond. The node is waiting.`);
		await sandbox.suspend();
		await pending;
		await sandbox.resume();
	});

	test('does not take requests of another path for retries', async () => {
		await choose('503');
		await get(sandbox, ME, token);
		await get(sandbox, `/oauth/v1/sandbox/blocks?page_id=${HOME}`, token);
		expect((await shown()).text).toMatch(/The node has not sent it again\.$/);
	});

	test.each(['reset', 'constructor', '999'])('rejects the kind %s, which it does not offer', async (kind) => {
		const rejection = { status: 400, body: { errors: ['Send a kind of calls and a kind of failure.'] } };
		expect(await choose(kind)).toMatchObject(rejection);
		expect(await choose('503', kind)).toMatchObject(rejection);
		expect(sandbox.faults.next).toBeUndefined();
	});
});

test('rules for all requests apply again after the next request has failed', async () => {
	sandbox.faults.add({ fault: { status: 418 } });
	sandbox.faults.failNext({ calls: 'read', kind: '503' });
	expect((await get(sandbox, ME, token)).status).toBe(503);
	await expect(get(sandbox, ME, token)).rejects.toThrow();
	expect(sandbox.faults.injections.map(({ rule: { fault } }) => fault)).toEqual([
		expect.objectContaining({ status: 503 }),
		{ status: 418 },
	]);
});
