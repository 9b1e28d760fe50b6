import type { IDataObject } from 'n8n-workflow';

import { type Fault, namedFaults, statusFault } from '../../../sandbox/faults';
import type { Editor } from '../support/editor';
import { freePort } from '../support/ports';
import type { Stored } from '../support/rest';
import { Harness } from '../support/harness';
import {
	chain,
	manualTrigger,
	type Node,
	profilePage,
	reorderList,
	sideBySide,
} from '../support/workflows';

const HOME = 'PAGE_home_65f1c0a2b3d4e';
const IDS = [
	'65f1c0a2b3d4e1.10481516',
	'65f1c0a2b3d4e2.23420815',
	'65f1c0a2b3d4e3.16234204',
	'65f1c0a2b3d4e4.42081523',
];
const [FIRST, SECOND, THIRD] = IDS;

let harness: Harness;
let editor: Editor;
beforeAll(async () => {
	harness = await Harness.open('n8n-messages');
	({ editor } = harness);
});
afterAll(async () => await harness.close());

/** A node that fails, and what the editor is to say about it. */
interface Failure {
	/** What is wrong: the name of the node. */
	name: string;
	says: string;
	/** Fields of the node that differ from those of a good order. */
	fields?: IDataObject;
	/** Fields of the credential that differ from those that fit the sandbox. */
	credential?: Record<string, string>;
	/** What the service does, and to which of its paths. */
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

const notReordered = (reason: string) =>
	`The blocks of page "${HOME}" were not reordered: the ${reason}`;
const unknownOrder = (reason: string) =>
	`It is not known whether the blocks of page "${HOME}" were reordered: the ${reason}`;
const noToken = (reason: string) => `No access token: the ${reason}`;

const LIST_ALL =
	'List every block that is on the page now, each exactly once, and check the Page ID.';

const fieldFailures: Failure[] = [
	{
		name: 'No page',
		fields: { pageId: ' ' },
		says: 'Page ID: it is empty. Enter the ID of the page.',
	},
	{
		name: 'No block',
		fields: { blockIds: [] },
		says: 'Block IDs: there is none. List every block of the page, the top one first.',
	},
	{
		name: 'A block twice',
		fields: { blockIds: [FIRST, SECOND, FIRST] },
		says: `Block IDs: block "${FIRST}" is listed twice, as entries 1 and 3. List each block once.`,
	},
	{
		name: 'An empty entry',
		fields: { blockIds: [FIRST, ''] },
		says: 'Block IDs: entry 2 is empty. Give it the ID of a block, or take it out.',
	},
	{
		name: 'An entry that is no text',
		fields: fromValue('={{ [true] }}'),
		says: 'Block IDs: entry 1 is a boolean, not a text. Give it the ID of a block, or take it out.',
	},
	{
		name: 'A number that lost digits',
		fields: fromValue('[12345678901234567890]'),
		says: 'Block IDs: the number 12345678901234567890 in entry 1 would lose digits. Put it in quotation marks.',
	},
	{
		name: 'Broken JSON',
		fields: fromValue('["a", "b"'),
		says: 'Block IDs: the text begins like JSON and is not. Check its brackets, quotation marks and commas, or give the IDs without any of them, one on a line.',
	},
	{
		name: 'Plain http',
		credential: { baseUrl: 'http://example.com' },
		says: 'Base URL: it must start with https://, so that the secret and the tokens travel encrypted. Only a service on this machine (localhost) may use http://.',
	},
];

const answerFailures: Failure[] = [
	{
		name: 'A block left out',
		fields: { blockIds: [FIRST, SECOND, THIRD] },
		says: notReordered(
			`service refused the request (HTTP 400). ${LIST_ALL} The service said: "Block ${IDS[3]} is missing."`,
		),
	},
	{
		name: 'Refused tokens',
		fault: ['/sort', statusFault(401, 'Go away.')],
		says: notReordered(
			'service refused a new access token (HTTP 401). Check that the app still has access to the account, and that the credential is that of the right app. The service said: "Go away."',
		),
	},
	{
		name: 'Another status',
		fault: ['/sort', statusFault(503, 'Closed.')],
		says: unknownOrder(
			'service failed (HTTP 503). Try again later, or raise Max Retries in the options of the node. The service said: "Closed." Attempts: 3.',
		),
	},
	{
		name: 'A redirect',
		fault: ['/sort', { status: 302, headers: { location: 'https://example.com/' } }],
		says: unknownOrder(
			'service answered with a redirect (HTTP 302), which is not followed, so that the access token goes nowhere else. Check the Base URL in the credential.',
		),
	},
	{
		name: 'Status false',
		fault: ['/sort', json({ status: false, errors: ['Not now.'] })],
		says: notReordered(
			`service reported a failure (status: false). ${LIST_ALL} The service said: "Not now."`,
		),
	},
	{
		name: 'No blocks back',
		fault: ['/sort', json({ status: true, data: {} })],
		says: unknownOrder(
			'answer of the service contains no list of blocks (data.blocks). Look at the page to see its order, and check the Base URL in the credential.',
		),
	},
	{
		name: 'A web page',
		fault: ['/sort', namedFaults.html ?? 'hang'],
		says: unknownOrder(
			'service answered with a web page instead of data. Check the Base URL in the credential.',
		),
	},
];

const grantFailures: Failure[] = [
	{
		name: 'A wrong secret',
		credential: { clientSecret: 'wrong' },
		says: noToken(
			'service refused the Client ID or the Client Secret (HTTP 401). Check both in the credential. The service said: "invalid_client".',
		),
	},
	{
		name: 'No JSON',
		fault: ['/token', namedFaults.html ?? 'hang'],
		says: noToken(
			'service answered with a web page instead of data. Check the Base URL in the credential.',
		),
	},
	{
		name: 'No token inside',
		fault: ['/token', json({ token_type: 'Bearer' })],
		says: noToken(
			'answer of the service contains none. Check the Base URL, and that the app may get tokens.',
		),
	},
	{
		name: 'Another type of token',
		fault: ['/token', json({ access_token: 'abc', token_type: 'mac' })],
		says: noToken(
			'service sent one of a type other than Bearer, which this node cannot use. Check the Base URL.',
		),
	},
	{
		name: 'Nobody there',
		credential: { baseUrl: 'http://127.0.0.1:{closed port}' },
		says: noToken(
			'service refused the connection. Check the Base URL, and whether the service is running. Attempts: 3.',
		),
	},
	{
		name: 'No answer in time',
		fields: { options: { maxRetries: 0 } },
		fault: ['/token', 'hang'],
		says: noToken(
			'service did not answer the token request in time. The request itself was not sent. Try again later.',
		),
	},
];

/** Every node with a credential of its own, so that each has to get its own token. */
async function toNode({ name, fields, credential = {} }: Failure): Promise<Node> {
	const baseUrl = credential.baseUrl?.replace('{closed port}', String(await freePort()));
	const stored = await harness.n8n.rest.addPrivateApp(harness.sandbox, {
		...credential,
		...(baseUrl && { baseUrl }),
	});
	return profilePage(stored, { ...reorderList(HOME, IDS), ...fields }, { name });
}

describe.each([
	['about the fields', fieldFailures],
	['about the answer of the service', answerFailures],
	['about the access token', grantFailures],
])('what the editor says %s', (subject, failures) => {
	beforeAll(async () => {
		const nodes = await Promise.all(failures.map(toNode));
		const workflow = sideBySide(subject, nodes);
		await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
	});
	afterEach(async () => {
		harness.sandbox.faults.clear();
		await editor.closeNode();
	});

	test.each(failures)('$name', async ({ name, says, fault }) => {
		if (fault) harness.sandbox.faults.add({ path: fault[0], fault: fault[1] });
		await editor.openNode(name);
		await editor.executeStep();
		expect(await editor.errorMessage()).toBe(says);
	});
});

describe('a good and a bad item', () => {
	const good = { page: HOME, ids: IDS.toReversed(), note: 'good' };
	const bad = { page: HOME, ids: [FIRST], note: 'bad' };
	const refusal = notReordered(`service refused the request (HTTP 400). ${LIST_ALL}`);
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
			pinData: { [manualTrigger.name]: [{ json: good }, { json: bad }] },
		};
		await editor.openWorkflow((await harness.n8n.rest.createWorkflow(workflow)).id);
		await editor.openNode('Profile Page');
		await editor.executeStep();
	}

	test('Continue: the blocks of the good one come out, and the error of the bad one', async () => {
		await openNode('continueRegularOutput');
		const rows = await editor.outputRows();
		expect(rows.slice(0, 4).map(([id]) => id)).toEqual(good.ids);
		expect(rows.slice(4).map((cells) => cells.join(' '))).toEqual([
			expect.stringContaining(refusal),
		]);
	});

	test('Continue (using error output): the bad one leaves there, with the fields of its input', async () => {
		await openNode('continueErrorOutput');
		expect((await editor.outputRows()).map(([id]) => id)).toEqual(good.ids);
		await editor.output.getByText('Error Branch').click();
		const [row = [], ...others] = await editor.outputRows();
		expect(others).toEqual([]);
		expect(row).toEqual(expect.arrayContaining([HOME, 'bad', expect.stringContaining(refusal)]));
	});
});
