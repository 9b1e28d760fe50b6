import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());

const linkId = { __rl: true, mode: 'id', value: '1' };
const updateFields = { title: 'New' };
const reorder = { pageId: 'PAGE_1', blockIds: ['1.1'] };

test.each<[string, string, INodeParameters, 'the contract' | 'public documentation']>([
	['me', 'getInfo', {}, 'the contract'],
	['blocks', 'reorder', reorder, 'the contract'],
	['groups', 'getAll', {}, 'public documentation'],
	['links', 'getAll', {}, 'public documentation'],
	['links', 'create', { title: 'New', url: 'https://example.com' }, 'public documentation'],
	['links', 'update', { linkId, updateFields }, 'public documentation'],
	['links', 'delete', { linkId }, 'public documentation'],
])(
	'%s, %s: where the service has nothing at its address, what the address rests on is told',
	async (resource, operation, fields, documentedBy) => {
		harness.reset();
		harness.sandbox.faults.add({ fault: statusFault(404) });
		const credential = storedToken(harness.sandbox, { accessToken: 'a-token' });
		const { error } = await harness.runNode({ resource, operation, ...fields }, { credential });
		expect(error!.message).toContain('has nothing at this address (HTTP 404). Check the Base URL');
		const isTold = error!.message.includes('known from the public documentation of a service');
		expect(isTold).toBe(documentedBy === 'public documentation');
	},
);
