/** What the node makes of each response: whether the change was made, and what to do if not. */
import type { INodeParameters } from 'n8n-workflow';

import { type CannedResponse, type Fault, jsonResponse, namedFaults, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME } from '../support/pages';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

/** Retries are tested in retries.test.ts. */
const SEND_ONCE = { options: { maxRetries: 0 } };

const harness = useHarness({ links: [] });

const signedIn = (credential?: Record<string, string>) => ({
	credential: storedToken(harness.sandbox, { accessToken: 'stored-token', credential }),
});

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const LNK_BIO =
	'If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.';

const FIREWALL =
	'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.';

const OTHER = 'https://www.example.com';
const redirect = (location: string, status = 307): CannedResponse => ({ status, headers: { location } });

describe('The error of Reorder Blocks', () => {
	async function reorderWith(fault: Fault) {
		harness.sandbox.faults.add({ path: '/sort', fault });
		const blockIds = harness.sandbox.account.order(HOME);
		const parameters = { resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds, ...SEND_ONCE };
		return (await harness.runNode(parameters)).error;
	}

	const webPage = (status: number): CannedResponse => ({
		status,
		headers: { 'content-type': 'text/html' },
		body: '<!DOCTYPE html><html><head><title>Oops</title></head><body><h1>Nope</h1></body></html>',
	});

	const LIST_BLOCKS =
		'List every block on the page, each exactly once, and check the Page: to enter its name, set Page to Name.';
	const PERMISSIONS =
		'Check the Base URL in the credential. Check the permissions of the app in the settings of the service. Public app: connect the account again.';
	const [NOT_APPLIED, UNKNOWN] = [
		`The blocks of page "${HOME}" were not reordered: `,
		`It is unknown whether the blocks of page "${HOME}" were reordered: `,
	];

	test.each<[problem: string, outcome: string, fault: CannedResponse, advice: string]>([
		[
			'the service rejected the request (400)',
			NOT_APPLIED,
			statusFault(400, 'Block 1.2 is missing.'),
			`${LIST_BLOCKS} The service said: "Block 1.2 is missing."`,
		],
		[
			'the service rejected the request (400)',
			NOT_APPLIED,
			// n8n would replace a text that contains "EEXIST" with a message of its own.
			statusFault(400, 'A preexisting block is missing'),
			`${LIST_BLOCKS} The service said: "A preexisting block is missing".`,
		],
		[
			'the service denied access (403)',
			NOT_APPLIED,
			statusFault(403, 'Not yours.'),
			`${PERMISSIONS} The service said: "Not yours."`,
		],
		['the service denied access (403)', NOT_APPLIED, webPage(403), `${PERMISSIONS} ${FIREWALL}`],
		['the service denied access (403)', NOT_APPLIED, { status: 403 }, `${PERMISSIONS} ${FIREWALL}`],
		['the service failed (521)', NOT_APPLIED, webPage(521), 'Try again later.'],
		[
			'the service has nothing at this address (404)',
			NOT_APPLIED,
			statusFault(404, 'Not here.'),
			`${CHECK_BASE_URL} The service said: "Not here."`,
		],
		[
			'the service is rate-limiting requests (429)',
			NOT_APPLIED,
			statusFault(429, 'Slow down.'),
			'Try again later. Run workflows less often, or lower Items per Batch in the options of Profile Page nodes. The service said: "Slow down."',
		],
		[
			'the service reported a failure',
			NOT_APPLIED,
			jsonResponse({ status: false, errors: [{ message: 'Page is locked' }] }),
			`${LIST_BLOCKS} The service said: "Page is locked".`,
		],
		['the service responded with a redirect (307)', UNKNOWN, redirect(`${OTHER}/`), `${CHECK_BASE_URL} ${LOOK_FIRST}`],
		['the service failed (503)', UNKNOWN, webPage(503), 'Try again later.'],
		[
			'the response contains no list of blocks (data.blocks)',
			UNKNOWN,
			jsonResponse({ status: true, data: { blocks: ['1.2'] }, message: 'Sorted' }),
			`Check the order of the page, and the Base URL in the credential. ${LOOK_FIRST} The service said: "Sorted".`,
		],
	])('explains that %s', async (problem, outcome, fault, description) => {
		const error = await reorderWith(fault);
		const httpCode = String(fault.status);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode, message: outcome + problem, description });
		expect(JSON.stringify(error)).not.toMatch(/<h1>|<html/);
		// The editor would add the item to the message.
		expect(error).toMatchObject({ context: {} });
		expect(error).not.toHaveProperty('context.itemIndex', expect.anything());
	});

	test('explains a connection that is reset before the response', async () => {
		expect(await reorderWith('reset')).toMatchObject({
			name: 'NodeApiError',
			message: `${UNKNOWN}the connection to the service broke`,
			description: 'Try again later.',
		});
	});
});

describe('A redirect', () => {
	test.each([
		['/oauth/token', 'No access token', () => ({})],
		['/oauth/v1/me', 'The profile info was not read', signedIn],
	])('of %s says to check the Base URL, and does not repeat its target', async (path, what, options) => {
		harness.sandbox.faults.add({ path, fault: redirect(`https://user:s3cret@www.example.com${path}?key=s3cret#top`) });
		const { error } = await harness.runNode(GET_INFO, options());
		expect(error).toMatchObject({
			message: `${what}: the service responded with a redirect (307)`,
			description: CHECK_BASE_URL,
		});
		expect(JSON.stringify(error)).not.toContain('s3cret');
	});

	test.each<[INodeParameters, string, string]>([
		[
			{ resource: 'links', operation: 'getAll', filters: { groupId: '7' } },
			'/oauth/v1/lnk/list',
			`${CHECK_BASE_URL} If it is right`,
		],
		[
			{ resource: 'api', operation: 'request', path: '/oauth/v1/a b?c=d' },
			'/oauth/v1/a%20b',
			'Check the Method and the Path',
		],
	])('of a request to a path that may be wrong says so: %j', async (parameters, path, advice) => {
		harness.sandbox.faults.add({ path, fault: redirect(`${OTHER}${path}?c=d`, 308) });
		const { error } = await harness.runNode(parameters, signedIn());
		expect(error?.message).toMatch(/: the service responded with a redirect \(308\)$/);
		expect(error?.description).toMatch(advice);
	});
});

const links = (operation: string, parameters: INodeParameters): INodeParameters => ({
	resource: 'links',
	operation,
	...parameters,
	...SEND_ONCE,
});
const REORDER = { resource: 'blocks', operation: 'reorder', pageId: 'p', blockIds: ['a'], ...SEND_ONCE };
const [CREATE, UPDATE, DELETE] = [
	links('create', { title: 'A', url: 'https://example.com' }),
	links('update', { linkId: '1', updateFields: { title: 'B' } }),
	links('delete', { linkId: '1' }),
];

describe('A change that the response does not confirm', () => {
	async function respondWith(fault: Fault, parameters: INodeParameters) {
		for (const path of ['/add', '/edit', '/delete', '/sort']) harness.sandbox.faults.add({ path, fault });
		return await harness.runNode(parameters);
	}

	const UNCONFIRMED = 'the response does not confirm success';
	const changes: ReadonlyArray<[done: string, parameters: INodeParameters, subject: string]> = [
		['created', CREATE, 'the link "A" was'],
		['updated', UPDATE, 'link 1 was'],
		['deleted', DELETE, 'link 1 was'],
		['reordered', REORDER, 'the blocks of page "p" were'],
	];

	describe.each(changes)('A resource that is to be %s', (done, parameters, subject) => {
		test.each([
			['empty', namedFaults.empty!, 'the response is empty'],
			['an empty object', jsonResponse({}), UNCONFIRMED],
			['status null', jsonResponse({ status: null }), UNCONFIRMED],
			['an error without status', jsonResponse({ error: {}, errors: [{ code: 7 }] }), UNCONFIRMED],
			['a status that is an object', jsonResponse({ status: {} }), UNCONFIRMED],
			['an error in place of the data', jsonResponse({ status: true, data: { error: 'Database error' } }), UNCONFIRMED],
		])('has an unknown outcome if the response is %s', async (_name, fault, problem) => {
			const { error, items } = await respondWith(fault, parameters);
			expect(items).toEqual([]);
			expect(error?.message).toBe(`It is unknown whether ${subject} ${done}: ${problem}`);
			expect(error?.description).toBe(LOOK_FIRST);
		});

		test('has an unknown outcome if the response is a web page', async () => {
			const { error, items } = await respondWith(namedFaults.html!, parameters);
			expect(items).toEqual([]);
			const advice = done === 'reordered' ? CHECK_BASE_URL : `${CHECK_BASE_URL} ${LNK_BIO}`;
			expect(error).toMatchObject({
				message: `It is unknown whether ${subject} ${done}: the service responded with a web page instead of data`,
				description: `${advice} ${FIREWALL} ${LOOK_FIRST}`,
			});
		});

		test.each([
			['status 0', { status: 0 }],
			['status " 0 "', { status: ' 0 ' }],
		])('is reported as not applied if the response has %s', async (_name, body) => {
			const { error, items } = await respondWith(jsonResponse(body), parameters);
			expect(items).toEqual([]);
			expect(error?.message).toMatch(new RegExp(`^${subject} not ${done}: the service reported a failure`, 'i'));
		});

		test('counts as done if the response has status "1"', async () => {
			const body = { status: '1', data: { blocks: [{ id: 'a' }] } };
			expect((await respondWith(jsonResponse(body), parameters)).error).toBeUndefined();
		});
	});

	test.each([
		['created', { data: { id: 7 } }, CREATE],
		['reordered', { data: { blocks: [{ id: 'a' }] } }, REORDER],
	])('counts as %s if the response has no status but shows the change', async (_done, body, parameters) => {
		expect((await respondWith(jsonResponse(body), parameters)).error).toBeUndefined();
	});

	test.each([
		['created', { id: '0' }, CREATE],
		['created', { id: 'req_8812' }, CREATE],
		['reordered', { data: { blocks: [{ id: 'b' }, { id: 'a' }] } }, { ...REORDER, blockIds: ['a', 'b'] }],
		['reordered', { data: { blocks: [] } }, REORDER],
		['updated', { success: true }, UPDATE],
		['deleted', { success: true, errors: [] }, DELETE],
	])('is unknown to be %s if the response has no status and shows %j', async (_done, body, parameters) => {
		const { error, items } = await respondWith(jsonResponse(body), parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^It is unknown whether .*: the response does not confirm success$/);
	});
});

test.each([
	// n8n 2.8 does not detect a corrupt response; other versions report only that it ended.
	['corrupt', /: (the service did not respond in time|the connection to the service broke)$/],
	['truncated', /: the service responded with something other than a JSON object$/],
])('A compressed response that is %s fails, although the request asks for no compression', async (name, problem) => {
	harness.sandbox.faults.add({ path: '/me', fault: namedFaults[name] });
	const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0, timeout: 500 } });
	expect(error?.message).toMatch(/^The profile info was not read: /);
	expect(error?.message).toMatch(problem);
	expect(harness.sandbox.recorder.calls[0]!.headers['accept-encoding']).toBe('identity');
});

describe('The error after HTTP 404 of an operation', () => {
	/** Valid values for the fields of all operations. Each ignores those it does not have. */
	const FIELDS: INodeParameters = {
		pageId: 'PAGE_1',
		blockIds: ['1.1'],
		linkId: { __rl: true, mode: 'id', value: '1' },
		title: 'New',
		url: 'https://example.com',
		updateFields: { title: 'New' },
	};

	/** Those whose path is in the contract (docs/api.md, sections 4.1 and 4.2) do not name Lnk.Bio. */
	test.each([
		['me:getInfo', false],
		['blocks:reorder', false],
		...['create', 'delete', 'getAll', 'update'].map((operation) => [`links:${operation}`, true] as const),
		['groups:getAll', true],
	] as const)('names Lnk.Bio unless the contract describes it: %s', async (key, isNamed) => {
		const [resource, operation] = key.split(':');
		harness.sandbox.faults.add({ fault: statusFault(404) });
		const { error } = await harness.runNode({ ...FIELDS, resource, operation }, signedIn());
		expect(error!.message).toContain(': the service has nothing at this address (404)');
		expect(error!.description!.startsWith(CHECK_BASE_URL)).toBe(true);
		expect(error!.description!.includes(LNK_BIO)).toBe(isNamed);
	});
});
