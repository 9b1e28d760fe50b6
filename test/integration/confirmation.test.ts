import type { INodeParameters } from 'n8n-workflow';

import { type Fault, jsonAnswer, namedFaults } from '../../sandbox/faults';
import { Harness } from '../support/harness';

const OPTIONS = { options: { maxRetries: 0, timeout: 2000 } };
const links = (operation: string, parameters: INodeParameters): INodeParameters => ({
	resource: 'links',
	operation,
	...parameters,
	...OPTIONS,
});

const changes: ReadonlyArray<[string, INodeParameters, string]> = [
	['created', links('create', { title: 'A', url: 'https://example.com' }), 'the link "A"'],
	['updated', links('update', { linkId: '1', updateFields: { title: 'B' } }), 'link 1'],
	['deleted', links('delete', { linkId: '1' }), 'link 1'],
	[
		'reordered',
		{ resource: 'blocks', operation: 'reorder', pageId: 'p', blockIds: ['a'], ...OPTIONS },
		'the blocks of page "p"',
	],
];

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => harness.reset());

async function answerWith(fault: Fault, parameters: INodeParameters) {
	harness.sandbox.faults.add({ path: '/me', fault });
	for (const path of ['/add', '/edit', '/delete', '/sort'])
		harness.sandbox.faults.add({ path, fault });
	return await harness.runNode(parameters);
}

describe.each(changes)('nothing is %s', (done, parameters, what) => {
	test.each([
		['no body', namedFaults.empty!, 'was empty'],
		['204', { status: 204 }, 'was empty'],
		['an empty object', jsonAnswer({}), 'does not say that it succeeded'],
		['status null', jsonAnswer({ status: null }), 'does not say that it succeeded (status: null)'],
		['status 1', jsonAnswer({ status: 1 }), 'does not say that it succeeded (status: 1)'],
		['status "ok"', jsonAnswer({ status: 'ok' }), 'does not say that it succeeded.'],
		['a web page', namedFaults.html!, 'web page'],
	])('for sure where the answer is %s, and the message says so', async (_what, fault, words) => {
		const { error, items } = await answerWith(fault, parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			new RegExp(`^It is not known whether ${what} (was|were) ${done}: `),
		);
		expect(error?.message).toContain(words);
	});

	test.each([
		['status 0', { status: 0 }],
		['status "false"', { status: 'false' }],
		['status "error"', { status: 'error' }],
		['errors without status', { errors: ['no such thing'] }],
		['an error without status', { error: 'no such thing' }],
		['success false', { success: false, data: { id: 1, blocks: [{ id: 'a' }] } }],
	])('where the answer has %s, and the message says so', async (_what, body) => {
		const { error, items } = await answerWith(jsonAnswer(body), parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(new RegExp(`^${what} (was|were) not ${done}: `, 'i'));
	});
});

test.each([
	['created', changes[0]![1], { data: { id: 7 } }],
	['updated', changes[1]![1], { success: true }],
	['deleted', changes[2]![1], { success: true, errors: [] }],
	['reordered', changes[3]![1], { data: { blocks: [{ id: 'a' }] } }],
])('something is %s where an answer without status shows it', async (_done, parameters, body) => {
	const { error } = await answerWith(jsonAnswer(body), parameters);
	expect(error).toBeUndefined();
});

test('a profile is read from an answer without status', async () => {
	const fault = jsonAnswer({ info: { username: '@me' } });
	const { items } = await answerWith(fault, { resource: 'me', operation: 'getInfo' });
	expect(items).toHaveLength(1);
});

test.each(['corrupt', 'truncated'])(
	'a service is asked not to compress; an answer that is %s all the same ends with the Timeout',
	async (name) => {
		const begin = Date.now();
		const { error } = await answerWith(namedFaults[name]!, {
			resource: 'me',
			operation: 'getInfo',
			options: { maxRetries: 0, timeout: 500 },
		});
		expect(error?.message).toContain('The profile info was not read: the service ');
		expect(Date.now() - begin).toBeLessThan(5000);
		expect(harness.sandbox.recorder.calls[0]!.headers['accept-encoding']).toBe('identity');
	},
);

test('a token whose answer is corrupt is given up as well', async () => {
	harness.sandbox.faults.add({ path: '/token', fault: namedFaults.corrupt });
	const { error } = await harness.runNode({
		resource: 'me',
		operation: 'getInfo',
		options: { maxRetries: 0, timeout: 500 },
	});
	// n8n 2.8 never notices that the answer is corrupt; other versions do.
	expect(error?.message).toMatch(
		/^No access token: the service (did not answer the token request in time|sent an answer that is compressed and corrupt)/,
	);
	expect(harness.sandbox.recorder.requests[0]!.headers['accept-encoding']).toBe('identity');
});
