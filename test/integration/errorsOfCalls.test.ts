import type * as client from '../../nodes/ProfilePage/service/client';
import { useHarness } from '../support/harness';

const { Client } = jest.requireActual<typeof client>('../../dist/nodes/ProfilePage/service/client');

const harness = useHarness();

const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: 'https://example.com' };
const items = ['a', 'b', 'c'].map((title) => ({ title }));

const created = () => harness.sandbox.recorder.calls.length;

afterEach(() => jest.restoreAllMocks());

describe('An error that is thrown while a call is performed', () => {
	beforeEach(() => {
		jest.spyOn(Client.prototype, 'request').mockRejectedValueOnce(new Error('The database is locked'));
	});

	test('is the failure of this call, and ends the node before others are sent', async () => {
		const { error } = await harness.runNode(create, { items });
		expect(error).toMatchObject({
			message:
				'It is unknown whether the link "a" was created: The database is locked – item 0 of 3 failed; 2 were not processed',
		});
		expect(created()).toBe(0);
	});
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
