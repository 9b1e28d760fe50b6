import { type CannedResponse, type Fault, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME } from '../support/pages';
import { storedToken } from '../support/storedToken';

const NOT_APPLIED = `The blocks of page "${HOME}" were not reordered: `;
const UNKNOWN_OUTCOME = `It is unknown whether the blocks of page "${HOME}" were reordered: `;

/** Retries are tested in retries.test.ts. */
const SEND_ONCE = { maxRetries: 0 };

const harness = useHarness();

async function reorderWith(fault: Fault, items = [{}]) {
	harness.sandbox.faults.add({ path: '/sort', fault });
	const blockIds = harness.sandbox.account.order(HOME);
	return await harness.runNode(
		{ resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds, options: SEND_ONCE },
		{ items },
	);
}

const ok = (body: string, contentType = 'application/json'): CannedResponse => ({
	status: 200,
	headers: { 'content-type': contentType },
	body,
});

const webPage = (status: number): CannedResponse => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<!DOCTYPE html><html><head><title>Oops</title></head><body><h1>Nope</h1></body></html>',
});

const LIST_BLOCKS = 'List every block on the page, each exactly once, and check the Page.';
const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const CHECK_ORDER = 'Check the order of the page, and the Base URL in the credential.';

const PERMISSIONS =
	'Check the permissions of the app in the settings of the service. Check the Base URL in the credential. Public app: connect the account again.';
const FIREWALL =
	'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.';

type TestCase = [name: string, fault: CannedResponse, problem: string, advice: string];

/** Responses after which the blocks certainly were not reordered. */
const notAppliedResponses: TestCase[] = [
	[
		'HTTP 400 with an error text',
		statusFault(400, 'Block 1.2 is missing.'),
		'the service rejected the request (400)',
		`${LIST_BLOCKS} The service said: "Block 1.2 is missing."`,
	],
	[
		'HTTP 403',
		statusFault(403, 'Not yours.'),
		'the service denied access (403)',
		`${PERMISSIONS} The service said: "Not yours."`,
	],
	[
		'HTTP 403 with a web page',
		webPage(403),
		'the service denied access (403)',
		`${PERMISSIONS} ${FIREWALL} The service said: "Oops".`,
	],
	['HTTP 403 without a body', { status: 403 }, 'the service denied access (403)', `${PERMISSIONS} ${FIREWALL}`],
	[
		'HTTP 521 of a CDN that had no connection to the service',
		webPage(521),
		'the service, or a proxy on the way to it, failed (521)',
		'Try again later, or raise Max Retries in the options of the node. The service said: "Oops".',
	],
	[
		'HTTP 404',
		statusFault(404, 'Not here.'),
		'the service has nothing at this address (404)',
		`${CHECK_BASE_URL} The service said: "Not here."`,
	],
	[
		'HTTP 429',
		statusFault(429, 'Slow down.'),
		'the service is rate-limiting requests (429)',
		'Try again later. Run the workflow less often, or set Items per Batch and Batch Interval in the options of the node. The service said: "Slow down."',
	],
	[
		'HTTP 200 with status false',
		ok('{"status": false, "errors": [{"message": "Page is locked"}]}'),
		'the service reported a failure (status: false)',
		`${LIST_BLOCKS} The service said: "Page is locked".`,
	],
	[
		'HTTP 407 from a proxy',
		webPage(407),
		'the proxy between n8n and the service requires a password (407)',
		'Check the proxy settings of your n8n. The service said: "Oops".',
	],
];

/** Responses after which it is unknown whether the blocks were reordered. */
const unknownOutcomeResponses: TestCase[] = [
	[
		'a redirect',
		{ status: 307, headers: { location: 'https://example.com/' } },
		'the service responded with a redirect (307)',
		`${CHECK_BASE_URL} ${LOOK_FIRST} The service said: "https://example.com/".`,
	],
	['HTTP 503 with a web page', webPage(503), 'the service failed (503)', 'Try again later. The service said: "Oops".'],
	[
		'success with blocks that are not objects',
		ok('{"status": true, "data": {"blocks": ["1.2"]}, "message": "Sorted"}'),
		'the response contains no list of blocks (data.blocks)',
		`${CHECK_ORDER} ${LOOK_FIRST} The service said: "Sorted".`,
	],
];

describe('The error of Reorder Blocks', () => {
	test.each([
		...notAppliedResponses.map(([name, ...response]) => [name, NOT_APPLIED, ...response] as const),
		...unknownOutcomeResponses.map(([name, ...response]) => [name, UNKNOWN_OUTCOME, ...response] as const),
	])('explains %s, with the status', async (_name, outcome, fault, problem, advice) => {
		const { error } = await reorderWith(fault);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: String(fault.status),
			message: outcome + problem,
			description: advice,
		});
		expect(JSON.stringify(error)).not.toMatch(/<h1>|<html/);
	});

	test('explains a connection that is reset before the response', async () => {
		const { error } = await reorderWith('reset');
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `${UNKNOWN_OUTCOME}the connection to the service broke`,
			description: 'Try again later, or raise Max Retries in the options of the node.',
		});
	});

	test('explains a refused connection', async () => {
		const stopped = await harness.stoppedSandbox();
		const parameters = { resource: 'blocks', operation: 'reorder', pageId: HOME, blockIds: ['a'], options: SEND_ONCE };
		const { error } = await harness.runNode(parameters, {
			credential: storedToken(stopped, { accessToken: 'token' }),
		});
		expect(error).toMatchObject({
			message: `${NOT_APPLIED}the service cannot be reached`,
			description: 'Check the Base URL, whether the service is running, and whether a DNS filter blocks it.',
		});
	});

	test('quotes the service where n8n would replace its words with a message of its own', async () => {
		const { error } = await reorderWith(statusFault(400, 'A preexisting block is missing'));
		expect(error!.description).toBe(`${LIST_BLOCKS} The service said: "A preexisting block is missing".`);
	});

	test('names no item if there is only one, which the editor would add to the message', async () => {
		const { error } = await reorderWith(statusFault(400));
		expect(error).toMatchObject({ context: {} });
		expect(error).not.toHaveProperty('context.itemIndex', expect.anything());
	});
});
