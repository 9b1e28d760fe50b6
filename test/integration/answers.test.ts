import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { startSandbox } from '../../sandbox/server';
import { Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const PAGE = 'PAGE_home_65f1c0a2b3d4e';
const NOT_APPLIED = `The blocks of page "${PAGE}" were not reordered: `;
const UNKNOWN_OUTCOME = `It is not known whether the blocks of page "${PAGE}" were reordered: `;

/** What becomes of retries stands in a file of its own. */
const SEND_ONCE = { maxRetries: 0 };

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());
beforeEach(() => harness.reset());

async function reorderWith(fault: Fault, items = [{}]) {
	harness.sandbox.faults.add({ path: '/sort', fault });
	const blockIds = harness.sandbox.account.order(PAGE);
	return await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: PAGE, blockIds, options: SEND_ONCE },
		{ items },
	);
}

const ok = (body: string, contentType = 'application/json'): Fault => ({
	status: 200,
	headers: { 'content-type': contentType },
	body,
});

const page = (status: number): Fault => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<!DOCTYPE html><html><head><title>Oops</title></head><body><h1>Nope</h1></body></html>',
});

/** Answers that make certain that nothing was changed: their names, their statuses, and the words for them. */
const refusals: Array<[string, Fault, string, string]> = [
	[
		'400 with words',
		statusFault(400, 'Block 1.2 is missing.'),
		'400',
		'the service refused the request (HTTP 400). List every block that is on the page now, each exactly once, and check the Page ID. The service said: "Block 1.2 is missing."',
	],
	[
		'400 without words',
		{ status: 400 },
		'400',
		'the service refused the request (HTTP 400). List every block that is on the page now, each exactly once, and check the Page ID.',
	],
	[
		'400 with a page',
		page(400),
		'400',
		'the service refused the request (HTTP 400). List every block that is on the page now, each exactly once, and check the Page ID.',
	],
	[
		'401 also with a new token',
		statusFault(401, 'No.'),
		'401',
		'the service refused a new access token (HTTP 401). Check that the app still has access to the account, and that the credential is that of the right app. The service said: "No."',
	],
	[
		'403 with a page',
		page(403),
		'403',
		'the service does not allow it (HTTP 403). Check what the app may do in the settings of the service, and the Base URL in the credential.',
	],
	[
		'404',
		statusFault(404, 'Not here.'),
		'404',
		'the service has nothing at this address (HTTP 404). Check the Base URL in the credential. The service said: "Not here."',
	],
	[
		'429',
		statusFault(429, 'Slow down.'),
		'429',
		'the service is rate-limiting requests (HTTP 429). Wait a while, then run the workflow less often, or lower Items per Batch in the options of the node. The service said: "Slow down."',
	],
	[
		'success that says it is none',
		ok('{"status": false, "errors": [{"message": "Page is locked"}]}'),
		'200',
		'the service reported a failure (status: false). List every block that is on the page now, each exactly once, and check the Page ID. The service said: "Page is locked".',
	],
	[
		'407 of a proxy',
		page(407),
		'407',
		'the proxy between n8n and the service asks for a password (HTTP 407). Check the proxy settings of your n8n.',
	],
];

/** Answers that leave open whether the blocks were reordered. */
const unclearAnswers: Array<[string, Fault, string, string]> = [
	[
		'a redirect',
		{ status: 307, headers: { location: 'https://example.com/' } },
		'307',
		'the service answered with a redirect (HTTP 307), which is not followed, so that the access token goes nowhere else. Check the Base URL in the credential.',
	],
	[
		'503 with a page',
		page(503),
		'503',
		'the service failed (HTTP 503). Try again later, or raise Max Retries in the options of the node.',
	],
	[
		'success without blocks',
		ok('{"status": true, "data": {}}'),
		'200',
		'the answer of the service contains no list of blocks (data.blocks). Look at the page to see its order, and check the Base URL in the credential.',
	],
	[
		'success with blocks that are not objects',
		ok('{"status": true, "data": {"blocks": ["1.2"]}, "message": "Sorted"}'),
		'200',
		'the answer of the service contains no list of blocks (data.blocks). Look at the page to see its order, and check the Base URL in the credential. The service said: "Sorted".',
	],
	[
		'a page in place of JSON',
		namedFaults.html!,
		'200',
		'the service answered with a web page instead of data. Check the Base URL in the credential.',
	],
	[
		'broken JSON',
		namedFaults.malformed!,
		'200',
		'the service answered with something other than a JSON object. Check the Base URL in the credential.',
	],
	[
		'an empty body',
		ok(''),
		'200',
		'the answer of the service was empty. Look at your profile to see the result.',
	],
	[
		'HTTP 204',
		{ status: 204 },
		'204',
		'the answer of the service was empty. Look at your profile to see the result.',
	],
	[
		'success that is not confirmed',
		ok('{"status": null}'),
		'200',
		'the answer of the service does not say that it succeeded (status: null). Look at your profile to see the result.',
	],
];

test.each([
	...refusals.map(([what, fault, ...words]) => [what, fault, NOT_APPLIED, ...words] as const),
	...unclearAnswers.map(
		([what, fault, ...words]) => [what, fault, UNKNOWN_OUTCOME, ...words] as const,
	),
])('%s is put in words, with status and item', async (_what, fault, outcome, httpCode, words) => {
	const { error } = await reorderWith(fault);
	expect(error).toMatchObject({
		name: 'NodeApiError',
		httpCode,
		context: { itemIndex: 0 },
		message: outcome + words,
	});
	expect(JSON.stringify(error)).not.toMatch(/<h1>|<html/);
});

test('a connection that breaks is put in words', async () => {
	const { error } = await reorderWith('reset');
	expect(error).toMatchObject({
		name: 'NodeApiError',
		context: { itemIndex: 0 },
		message: `${UNKNOWN_OUTCOME}the service closed the connection before its answer was complete. Try again later.`,
	});
});

test('a service that is not there is put in words', async () => {
	const gone = await startSandbox();
	await gone.close();
	const { error } = await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: PAGE, blockIds: ['a'], options: SEND_ONCE },
		{ credential: storedToken(gone, { accessToken: 'token' }) },
	);
	expect(error!.message).toBe(
		`${NOT_APPLIED}the service refused the connection. Check the Base URL, and whether the service is running.`,
	);
});

test('words of the service stay, also where n8n would replace them with its own', async () => {
	const { error } = await reorderWith(statusFault(400, 'A preexisting block is missing'));
	expect(error!.message).toContain('The service said: "A preexisting block is missing".');
});

test('the error names the item whose request failed', async () => {
	const good = JSON.stringify({ status: true, data: { blocks: [{ id: 'a' }] } });
	harness.sandbox.faults.add({ path: '/sort', fault: ok(good), times: 2 });
	const { error } = await reorderWith(statusFault(500), [{}, {}, {}]);
	expect(error).toMatchObject({ context: { itemIndex: 2 } });
});
