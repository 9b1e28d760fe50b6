import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

const linkId = { __rl: true, mode: 'id', value: '1' };
const updateFields = { title: 'New' };
const link = { title: 'New', url: 'https://example.com' };
const reorder = { pageId: 'PAGE_1', blockIds: ['1.1'] };

/** Returns the description of an operation's error after HTTP 404. */
async function descriptionAfter404(parameters: INodeParameters) {
	harness.sandbox.faults.add({ fault: statusFault(404) });
	const credential = storedToken(harness.sandbox, { accessToken: 'a-token' });
	const { error } = await harness.runNode(parameters, { credential });
	expect(error!.message).toMatch(/: the service has nothing at this address \(404\)$/);
	expect(error!.description).toMatch(/^Check the Base URL in the credential\./);
	expect(error!.description).toContain('If anything follows the host in it, such as /myband');
	return error!.description;
}

const SOURCE =
	'If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.';

describe('The error after HTTP 404', () => {
	test.each<[string, INodeParameters]>([
		['Get Info', { resource: 'me', operation: 'getInfo' }],
		['Reorder Blocks', { resource: 'blocks', operation: 'reorder', ...reorder }],
	])('of %s, whose endpoint the contract describes, names no source', async (_name, parameters) => {
		expect(await descriptionAfter404(parameters)).not.toContain(SOURCE);
	});

	test.each<[string, INodeParameters]>([
		['Get Many Groups', { resource: 'groups', operation: 'getAll' }],
		['Get Many Links', { resource: 'links', operation: 'getAll' }],
		['Create Link', { resource: 'links', operation: 'create', ...link }],
		['Update Link', { resource: 'links', operation: 'update', linkId, updateFields }],
		['Delete Link', { resource: 'links', operation: 'delete', linkId }],
	])(
		'of %s says that its endpoint is known from public documentation',
		async (_name, parameters) => {
			expect(await descriptionAfter404(parameters)).toContain(SOURCE);
		},
	);
});
