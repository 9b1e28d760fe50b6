import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { Stage } from '../support/stage';
import { storedToken } from '../support/storedToken';

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()));
afterAll(async () => await stage.close());

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
	async (resource, operation, fields, basis) => {
		stage.reset();
		stage.sandbox.faults.add({ fault: statusFault(404) });
		const credential = storedToken(stage.sandbox, { accessToken: 'a-token' });
		const { error } = await stage.runNode({ resource, operation, ...fields }, { credential });
		expect(error!.message).toContain('has nothing at this address (HTTP 404). Check the Base URL');
		const isTold = error!.message.includes('known from the public documentation of a service');
		expect(isTold).toBe(basis === 'public documentation');
	},
);
