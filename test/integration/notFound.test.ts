import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { operations, properties } from '../../nodes/ProfilePage/resources';
import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

/** Valid values for the fields of all operations. Each ignores those it does not have. */
const FIELDS: INodeParameters = {
	pageId: 'PAGE_1',
	blockIds: ['1.1'],
	linkId: { __rl: true, mode: 'id', value: '1' },
	title: 'New',
	url: 'https://example.com',
	updateFields: { title: 'New' },
};

/** The operations whose path is in the contract (docs/api.md, sections 4.1 and 4.2). */
const OF_CONTRACT = ['Blocks: Reorder Blocks', 'Me: Get Info'];

/** Those whose path comes from the user, in the node or the credential. */
const OF_USER = ['API: Send Request', 'Blocks: Get Many', 'Blocks: Move Blocks', 'Pages: Get Many'];

const [resourceField] = properties;
const resourceNames = new Map(
	(resourceField?.options as INodePropertyOptions[]).map(({ name, value }) => [value, name]),
);

const rows = [...operations].flatMap(([key, { shown }]) => {
	const [resource = '', operation = ''] = key.split(':');
	const name = `${resourceNames.get(resource)}: ${shown.name}`;
	const isOfContract = OF_CONTRACT.includes(name);
	return OF_USER.includes(name) ? [] : [{ name, isOfContract, parameters: { resource, operation } }];
});

const LNK_BIO =
	'If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.';

describe('The error after HTTP 404 of an operation', () => {
	test.each(rows)('names Lnk.Bio unless the contract describes it: $name', async ({ isOfContract, parameters }) => {
		harness.sandbox.faults.add({ fault: statusFault(404) });
		const credential = storedToken(harness.sandbox, { accessToken: 'a-token' });
		const { error } = await harness.runNode({ ...FIELDS, ...parameters }, { credential });
		expect(error!.message).toContain(`: the service has nothing at this ${isOfContract ? 'address' : 'path'} (404)`);
		expect(error!.description).toMatch(/^Check the Base URL in the credential\./);
		expect(error!.description!.includes(LNK_BIO)).toBe(!isOfContract);
	});
});

const REMOVE = 'Remove /oauth/v1 from the Base URL in the credential, unless your service needs it.';

/** How services respond to paths that they do not know. */
const responses: ReadonlyArray<[string, Fault]> = [
	['404', statusFault(404)],
	['403', statusFault(403)],
	['a redirect', { status: 302, headers: { location: 'https://www.example.com/' } }],
	['a web page in place of JSON', namedFaults.html!],
];

async function getInfo(path: string, basePath: string, accessToken?: string) {
	const credential = { baseUrl: `${harness.sandbox.baseUrl}${basePath}` };
	const fields = accessToken ? storedToken(harness.sandbox, { accessToken, credential }) : credential;
	const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } }, { credential: fields });
	expect(harness.sandbox.recorder.requests.at(-1)!.url).toBe(`${basePath}${path}`);
	return error!;
}

describe.each(responses)('After %s, a Base URL with the path of the API', (_what, fault) => {
	test('is the first thing to check if there is no token', async () => {
		harness.sandbox.faults.add({ fault });
		const { message, description } = await getInfo('/oauth/token', '/oauth/v1');
		expect(message).toMatch(/^No access token: /);
		expect(description!.startsWith(REMOVE)).toBe(true);
	});

	test('is the first thing to check if the profile info is not read', async () => {
		harness.sandbox.faults.add({ fault });
		const { message, description } = await getInfo('/oauth/v1/me', '/oauth/v1', 'a-token');
		expect(message).toMatch(/^The profile info was not read: /);
		expect(description!.startsWith(REMOVE)).toBe(true);
	});
});

test('A Base URL without a path is not blamed', async () => {
	harness.sandbox.faults.add({ fault: statusFault(404) });
	const { description } = await getInfo('/oauth/v1/me', '', 'a-token');
	expect(description).not.toContain('Remove ');
});

test('After a failure that says nothing of the path, a Base URL with a path is not blamed', async () => {
	harness.sandbox.faults.add({ fault: statusFault(500) });
	const { description } = await getInfo('/oauth/v1/me', '/oauth/v1', 'a-token');
	expect(description).not.toContain('Remove ');
});
