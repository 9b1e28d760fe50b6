import type { INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, namedFaults } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';

const OPTIONS = { options: { maxRetries: 0, timeout: 2000 } };
const links = (operation: string, parameters: INodeParameters): INodeParameters => ({
	resource: 'links',
	operation,
	...parameters,
	...OPTIONS,
});

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const CHECK = 'Check the Base URL in the credential.';
const CHECK_LNK_BIO = `${CHECK} If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.`;

/** What is changed, and the advice after a response that says nothing, or a web page. */
const changes: ReadonlyArray<[string, INodeParameters, string, string, string]> = [
	[
		'created',
		links('create', { title: 'A', url: 'https://example.com' }),
		'the link "A" was',
		LOOK_FIRST,
		`${CHECK_LNK_BIO} ${LOOK_FIRST}`,
	],
	[
		'updated',
		links('update', { linkId: '1', updateFields: { title: 'B' } }),
		'link 1 was',
		LOOK_FIRST,
		`${CHECK_LNK_BIO} ${LOOK_FIRST}`,
	],
	['deleted', links('delete', { linkId: '1' }), 'link 1 was', LOOK_FIRST, `${CHECK_LNK_BIO} ${LOOK_FIRST}`],
	[
		'reordered',
		{ resource: 'blocks', operation: 'reorder', pageId: 'p', blockIds: ['a'], ...OPTIONS },
		'the blocks of page "p" were',
		LOOK_FIRST,
		`${CHECK} ${LOOK_FIRST}`,
	],
];

const EMPTY = 'the response is empty';
const UNCONFIRMED = 'the response does not confirm success';

const harness = useHarness();

async function respondWith(fault: Fault, parameters: INodeParameters) {
	for (const path of ['/me', '/add', '/edit', '/delete', '/sort']) {
		harness.sandbox.faults.add({ path, fault });
	}
	return await harness.runNode(parameters);
}

describe.each(changes)('A resource that is to be %s', (done, parameters, what, advice, webPageAdvice) => {
	test.each([
		['empty', namedFaults.empty!, EMPTY],
		['an empty object', jsonResponse({}), UNCONFIRMED],
		['status null', jsonResponse({ status: null }), `${UNCONFIRMED} (status: null)`],
		['a status that is an object', jsonResponse({ status: {} }), UNCONFIRMED],
		['an error in place of the data', jsonResponse({ status: true, data: { error: 'Database error' } }), UNCONFIRMED],
	])('has an unknown outcome if the response is %s', async (_name, fault, problem) => {
		const { error, items } = await respondWith(fault, parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is unknown whether ${what} ${done}: ${problem}`);
		expect(error?.description).toBe(advice);
	});

	test('has an unknown outcome if the response is a web page', async () => {
		const { error, items } = await respondWith(namedFaults.html!, parameters);
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: `It is unknown whether ${what} ${done}: the service responded with a web page instead of data`,
			description: `${webPageAdvice} The service said: "Error".`,
		});
	});

	test.each([
		['status 0', { status: 0 }],
		['status " 0 "', { status: ' 0 ' }],
		['errors without status', { errors: ['no such thing'] }],
		['an error without status', { error: 'no such thing' }],
	])('is reported as not applied if the response has %s', async (_name, body) => {
		const { error, items } = await respondWith(jsonResponse(body), parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(new RegExp(`^${what} not ${done}: the service reported a failure`, 'i'));
	});
});

test.each(changes)('A resource counts as %s if the response has status "1"', async (_done, parameters) => {
	const { error } = await respondWith(jsonResponse({ status: '1', data: { blocks: [{ id: 'a' }] } }), parameters);
	expect(error).toBeUndefined();
});

test.each([
	['created', changes[0]![1], { data: { id: 7 } }],
	['reordered', changes[3]![1], { data: { blocks: [{ id: 'a' }] } }],
])('a resource counts as %s if the response has no status but shows the change', async (_done, parameters, body) => {
	const { error } = await respondWith(jsonResponse(body), parameters);
	expect(error).toBeUndefined();
});

test.each([
	['created', { id: '0' }, changes[0]![1]],
	['created', { id: 'req_8812' }, changes[0]![1]],
	['reordered', { data: { blocks: [{ id: 'b' }, { id: 'a' }] } }, { ...changes[3]![1], blockIds: ['a', 'b'] }],
	['reordered', { data: { blocks: [] } }, changes[3]![1]],
	['updated', { success: true }, changes[1]![1]],
	['deleted', { success: true, errors: [] }, changes[2]![1]],
])(
	'it is unknown whether a resource was %s if the response has no status and shows %j',
	async (_done, body, parameters) => {
		const { error, items } = await respondWith(jsonResponse(body), parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^It is unknown whether .*: the response does not confirm success$/);
	},
);

describe('A compressed response', () => {
	test.each([
		// n8n 2.8 does not detect a corrupt response; other versions report only that it ended.
		['corrupt', /: (the service did not respond in time|the connection to the service broke)$/],
		['truncated', /: the service responded with something other than a JSON object$/],
	])('that is %s fails by the Timeout, although the request asks for no compression', async (name, problem) => {
		const startedAt = Date.now();
		const { error } = await respondWith(namedFaults[name]!, {
			...GET_INFO,
			options: { maxRetries: 0, timeout: 500 },
		});
		expect(error?.message).toMatch(/^The profile info was not read: /);
		expect(error?.message).toMatch(problem);
		expect(Date.now() - startedAt).toBeLessThan(5000);
		expect(harness.sandbox.recorder.calls[0]!.headers['accept-encoding']).toBe('identity');
	});
});
