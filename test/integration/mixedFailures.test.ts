import type { INodeParameters } from 'n8n-workflow';

import type * as client from '../../nodes/ProfilePage/service/client';
import { type Fault, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME } from '../support/pages';
import { storedToken } from '../support/storedToken';

const { Client } = jest.requireActual<typeof client>('../../dist/nodes/ProfilePage/service/client');

const harness = useHarness();

const TOKEN = '/oauth/token';

const reorder = (): INodeParameters => ({
	pageId: HOME,
	blockIds: harness.sandbox.account.order(HOME),
	options: { maxRetries: 2 },
});

describe('A request that may have been applied, and then gets no token', () => {
	const tokenFaults: Array<[string, Fault]> = [
		['HTTP 400', statusFault(400)],
		['HTTP 503', statusFault(503)],
		['a connection that is reset', 'reset'],
	];

	async function run(parameters: INodeParameters, path: string, tokenFault: Fault) {
		const { faults } = harness.sandbox;
		faults.add({ path, fault: statusFault(504), times: 1 });
		faults.add({ path, fault: statusFault(401) });
		faults.add({ path: TOKEN, fault: tokenFault });
		const credential = storedToken(harness.sandbox, { accessToken: 'revoked' });
		return await harness.runNode(parameters, { credential });
	}

	test.each(tokenFaults)('has an unknown outcome for Reorder Blocks after %s', async (_name, fault) => {
		const { error } = await run(reorder(), '/sort', fault);
		expect(error!.message).toMatch(/^It is unknown whether the blocks of page ".*" were reordered: no access token: /);
		expect(error!.description).not.toContain('The request itself was not sent');
	});

	test('is not one if the first attempt was rejected', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: statusFault(401) });
		harness.sandbox.faults.add({ path: TOKEN, fault: statusFault(400) });
		const credential = storedToken(harness.sandbox, { accessToken: 'revoked' });
		const { error } = await harness.runNode(reorder(), { credential });
		expect(error!.message).toMatch(/^No access token: /);
	});
});

describe('A report on five changes at the same time, the first of which is rejected,', () => {
	const path = '/anything';
	const request = {
		resource: 'api',
		operation: 'request',
		method: 'POST',
		path: `=/oauth/v1/{{ $json.index }}${path}`,
	};
	const items = Array.from({ length: 5 }, (_, index) => ({ index }));

	test('names the others if their outcome is unknown', async () => {
		harness.sandbox.faults.add({ path, fault: statusFault(400), times: 1 });
		harness.sandbox.faults.add({ path, fault: 'lost' });
		const { error } = await harness.runNode(request, { items });
		expect(error!.description).toContain(
			'Unknown outcome: items 1, 2, 3, 4. Look at your profile before you run the workflow again.',
		);
	});

	test('says of no outcome that it is unknown if the others are rejected too', async () => {
		harness.sandbox.faults.add({ path, fault: statusFault(400) });
		const { error } = await harness.runNode(request, { items });
		expect(error!.message).toContain('5 of 5 items failed');
		expect(error!.description).not.toContain('Unknown outcome');
	});
});

const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: 'https://example.com' };
test('An error that is thrown while a call is performed is its failure, and ends the node before others are sent', async () => {
	jest.spyOn(Client.prototype, 'request').mockRejectedValueOnce(new Error('The database is locked'));
	const items = ['a', 'b', 'c'].map((title) => ({ title }));
	const { error } = await harness.runNode(create, { items });
	expect(error).toMatchObject({
		message:
			'It is unknown whether the link "a" was created: The database is locked – item 0 of 3 failed; 2 were not processed',
	});
	expect(harness.sandbox.recorder.calls).toEqual([]);
});

test('An order whose response has positions of another type is set once', async () => {
	const blocks = [
		{ id: 'a', position: { valueOf: 1, toString: 1 } },
		{ id: 'b', position: null },
	];
	const body = JSON.stringify({ status: true, data: { blocks } });
	harness.sandbox.faults.add({ path: '/sort', fault: { status: 200, body } });
	const order = { resource: 'blocks', operation: 'reorder', pageId: 'p', blockOrder: 'list', blockIds: ['a', 'b'] };
	const { error } = await harness.runNode(order);
	expect(error).toBeUndefined();
	expect(harness.sandbox.recorder.calls).toHaveLength(1);
});
