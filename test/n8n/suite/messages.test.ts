import type { IDataObject } from 'n8n-workflow';

import { type Fault, namedFaults, statusFault } from '../../../sandbox/faults';
import { HOME } from '../../support/pages';
import type { Editor } from '../support/editor';
import { freePort } from '../support/ports';
import type { Stored } from '../support/rest';
import { useEditor } from '../support/harness';
import { chain, manualTrigger, type Node, profilePage, reorderList, sideBySide } from '../support/workflows';

const IDS = [
	'65f1c0a2b3d4e1.10481516',
	'65f1c0a2b3d4e2.23420815',
	'65f1c0a2b3d4e3.16234204',
	'65f1c0a2b3d4e4.42081523',
];
const [FIRST, SECOND, THIRD] = IDS;

const harness = useEditor('n8n-messages');
let editor: Editor;
beforeAll(() => ({ editor } = harness));

/** A node that fails, and what the editor shows. */
interface Failure {
	/** The cause, which is also the name of the node. */
	name: string;
	message: string;
	description: string;
	/** Parameters that differ from those of a valid order. */
	fields?: IDataObject;
	/** Fields of the credential that differ from those of the sandbox. */
	credential?: Record<string, string>;
	/** The fault to inject, and its path. */
	fault?: [path: '/sort' | '/token', fault: Fault];
}

const json = (body: object): Fault => ({
	status: 200,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(body),
});

const fromValue = (value: string): IDataObject => ({
	blockOrder: 'value',
	blockIdsValue: value,
});

const notReordered = (reason: string) => `The blocks of page "${HOME}" were not reordered: the ${reason}`;
const unknownOrder = (reason: string) =>
	`It is unknown whether the blocks of page "${HOME}" were reordered: the ${reason}`;
const noToken = (reason: string) => `No access token: the ${reason}`;

const LIST_ALL = 'List every block on the page, each exactly once, and check the Page.';
const CHECK_BASE_URL = 'Check the Base URL in the credential.';

const parameterFailures: Failure[] = [
	{
		name: 'An empty page ID',
		fields: { pageId: ' ' },
		message: 'Page: the value is empty',
		description: 'Choose a page, or enter its ID.',
	},
	{
		name: 'An empty list',
		fields: { blockIds: [] },
		message: 'Block IDs: the list is empty',
		description: 'List every block on the page, from top to bottom, or set Block Order to Blocks by Name.',
	},
	{
		name: 'A repeated block',
		fields: { blockIds: [FIRST, SECOND, FIRST] },
		message: `Block IDs: block "${FIRST}" is listed twice, as entries 1 and 3`,
		description: 'List each block once.',
	},
	{
		name: 'An empty entry',
		fields: { blockIds: [FIRST, ''] },
		message: 'Block IDs: entry 2 is empty',
		description: 'Enter the ID of a block, or remove the entry.',
	},
	{
		name: 'An entry that is not text',
		fields: fromValue('={{ [true] }}'),
		message: 'Block IDs: entry 1 is a boolean, not text',
		description: 'Enter the ID of a block, or remove the entry.',
	},
	{
		name: 'A number that would lose digits',
		fields: fromValue('[12345678901234567890]'),
		message: 'Block IDs: entry 1 is the number 12345678901234567000, which may have lost digits',
		description: 'Enter it as text, in quotation marks.',
	},
	{
		name: 'Invalid JSON',
		fields: fromValue('["a", "b"'),
		message: 'Block IDs: the text is not valid JSON',
		description: 'Check the brackets, quotation marks, and commas, or enter the IDs without them, one on each line.',
	},
	{
		name: 'A Base URL with http',
		credential: { baseUrl: 'http://example.com' },
		message: 'Base URL: the address does not start with https://',
		description:
			'Use https://, so that secrets and tokens are sent encrypted. Only a service on this machine (localhost) may use http://.',
	},
];

const responseFailures: Failure[] = [
	{
		name: 'A missing block',
		fields: { blockIds: [FIRST, SECOND, THIRD] },
		message: notReordered('service rejected the request (400)'),
		description: `${LIST_ALL} The service said: "Block ${IDS[3]} is missing."`,
	},
	{
		name: 'A rejected token',
		fault: ['/sort', statusFault(401, 'Go away.')],
		message: notReordered('service rejected a new access token (401)'),
		description:
			'Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again. The service said: "Go away."',
	},
	{
		name: 'A server error',
		fault: ['/sort', statusFault(503, 'Closed.')],
		message: unknownOrder('service failed (503)'),
		description:
			'Try again later, or raise Max Retries in the options of the node. The service said: "Closed." Attempts: 3.',
	},
	{
		name: 'A redirect',
		fault: ['/sort', { status: 302, headers: { location: 'https://example.com/' } }],
		message: unknownOrder('service responded with a redirect (302)'),
		description: CHECK_BASE_URL,
	},
	{
		name: 'Status false',
		fault: ['/sort', json({ status: false, errors: ['Not now.'] })],
		message: notReordered('service reported a failure (status: false)'),
		description: `${LIST_ALL} The service said: "Not now."`,
	},
	{
		name: 'A response without blocks',
		fault: ['/sort', json({ status: true, data: {} })],
		message: unknownOrder('response contains no list of blocks (data.blocks)'),
		description: 'Check the order of the page, and the Base URL in the credential.',
	},
	{
		name: 'A web page',
		fault: ['/sort', namedFaults.html ?? 'hang'],
		message: unknownOrder('service responded with a web page instead of data'),
		description: CHECK_BASE_URL,
	},
];

const tokenFailures: Failure[] = [
	{
		name: 'A wrong secret',
		credential: { clientSecret: 'wrong' },
		message: noToken('service rejected the Client ID or the Client Secret (401)'),
		description:
			'Check both, and the Base URL, in the credential. The service said: "Invalid client: client is invalid".',
	},
	{
		name: 'A web page for the token',
		fault: ['/token', namedFaults.html ?? 'hang'],
		message: noToken('service responded with a web page instead of data'),
		description: CHECK_BASE_URL,
	},
	{
		name: 'A response without a token',
		fault: ['/token', json({ token_type: 'Bearer' })],
		message: noToken('response contains none'),
		description: 'Check the Base URL, and that the app may get tokens.',
	},
	{
		name: 'An unsupported token type',
		fault: ['/token', json({ access_token: 'abc', token_type: 'mac' })],
		message: noToken('service sent a token of a type other than Bearer'),
		description: 'Check the Base URL.',
	},
	{
		name: 'A refused connection',
		credential: { baseUrl: 'http://127.0.0.1:{closed port}' },
		message: noToken('service refused the connection'),
		description: 'Check the Base URL, and whether the service is running. Attempts: 3.',
	},
	{
		name: 'A timeout',
		fields: { options: { maxRetries: 0 } },
		fault: ['/token', 'hang'],
		message: noToken('service did not respond to the token request in time'),
		description: 'The request itself was not sent. Try again later.',
	},
];

/** Gives every node its own credential, so that each requests its own token. */
async function toNode({ name, fields, credential = {} }: Failure): Promise<Node> {
	const baseUrl = credential.baseUrl?.replace('{closed port}', String(await freePort()));
	const stored = await harness.n8n.rest.addPrivateApp(harness.sandbox, {
		...credential,
		...(baseUrl && { baseUrl }),
	});
	return profilePage(stored, { ...reorderList(HOME, IDS), ...fields }, { name });
}

describe.each([
	['the parameters', parameterFailures],
	['the response of the service', responseFailures],
	['the access token', tokenFailures],
])('the error in the editor about %s', (subject, failures) => {
	beforeAll(async () => {
		const nodes = await Promise.all(failures.map(toNode));
		const workflow = sideBySide(subject, nodes);
		await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
	});
	afterEach(async () => {
		harness.sandbox.faults.clear();
		await editor.closeNode();
	});

	test.each(failures)('explains the cause: $name', async ({ name, message, description, fault }) => {
		if (fault) harness.sandbox.faults.add({ path: fault[0], fault: fault[1] });
		await editor.openNode(name);
		await editor.executeStep();
		expect(await editor.error()).toEqual({ message, description });
	});
});

describe('a node whose second item fails', () => {
	const valid = { page: HOME, ids: IDS.toReversed(), note: 'valid' };
	const invalid = { page: HOME, ids: [FIRST], note: 'invalid' };
	const rejection = notReordered(`service rejected the request (400). ${LIST_ALL}`);
	let credential: Stored;
	beforeAll(async () => (credential = await harness.n8n.rest.addPrivateApp(harness.sandbox)));

	async function openNode(onError: string): Promise<void> {
		const fields = {
			resource: 'blocks',
			operation: 'reorder',
			pageId: '={{ $json.page }}',
			...fromValue('={{ $json.ids }}'),
		};
		const workflow = {
			...chain(onError, manualTrigger, profilePage(credential, fields, { onError })),
			pinData: { [manualTrigger.name]: [{ json: valid }, { json: invalid }] },
		};
		await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
		await editor.openNode('Profile Page');
		await editor.executeStep();
	}

	test('returns blocks for the first item and an error for the second with Continue', async () => {
		await openNode('continueRegularOutput');
		const rows = await editor.outputRows();
		expect(rows.slice(0, 4).map(([id]) => id)).toEqual(valid.ids);
		expect(rows.slice(4).map((cells) => cells.join(' '))).toEqual([expect.stringContaining(rejection)]);
	});

	test('sends the second item to the error output with Continue (using error output)', async () => {
		await openNode('continueErrorOutput');
		expect((await editor.outputRows()).map(([id]) => id)).toEqual(valid.ids);
		await editor.output.getByText('Error Branch').click();
		const [row = [], ...others] = await editor.outputRows();
		expect(others).toEqual([]);
		expect(row).toEqual(expect.arrayContaining([HOME, 'invalid', expect.stringContaining(rejection)]));
	});
});
