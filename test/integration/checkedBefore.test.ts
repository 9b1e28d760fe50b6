import { useHarness } from '../support/harness';
import { HOME } from '../support/pages';
import { batching } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness({ links: [] });

describe('A full address of another host in a later item', () => {
	const parameters = {
		resource: 'api',
		operation: 'request',
		method: 'POST',
		path: '={{ $json.path }}',
		body: '={{ { title: $json.title, link: "https://example.com" } }}',
	};
	const items = ['/oauth/v1/lnk/add', '/oauth/v1/lnk/add', 'https://example.com/oauth/v1/lnk/add'].map(
		(path, index) => ({ path, title: `${index}` }),
	);

	test('stops Send Request before anything is sent', async () => {
		const { error } = await harness.runNode(parameters, { items });
		expect(error!.message).toMatch(
			/^Path: the address does not start with the Base URL of the credential, http:\S+ – item 2 of 3 failed; 2 were not processed$/,
		);
		expect(error!.context.itemIndex).toBe(2);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

describe('Move Blocks changes no page', () => {
	const rotate = {
		resource: 'blocks',
		operation: 'move',
		pageId: '={{ $json.page }}',
		arrangement: 'rotate',
		options: batching(1),
	};

	test.each(['..', 'a\\b'])('if the path cannot contain the later page %j', async (page) => {
		const credential = { blocksPath: '/pages/{page_id}/blocks' };
		const { error } = await harness.runNode(rotate, { items: [{ page: HOME }, { page }], credential });
		expect(error!.message).toBe(
			`Page: a path cannot contain the ID "${page}" – item 1 of 2 failed; 1 was not processed`,
		);
		expect(error!.description).toBe(
			`Check the ID of the page. Items are counted from 0. Nothing was changed. To send the others, set On Error to Continue in the settings of the node.`,
		);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

test.each(['clientId', 'clientSecret'] as const)(
	'an empty %s of a later item stops the node before anything is sent, though there is a token for the first',
	async (field) => {
		const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: 'https://example.com' };
		const items = [{ title: 'a', value: harness.sandbox[field] }, { title: 'b' }];
		const credential = { ...storedToken(harness.sandbox, { accessToken: 'a-token' }), [field]: '={{ $json.value }}' };
		const { error } = await harness.runNode(create, { items, credential });
		expect(error!.message).toMatch(/^Client (ID|Secret): the value is empty$/);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	},
);

test('an invalid item among several is counted, and the others are said not to be sent', async () => {
	const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: '={{ $json.url }}' };
	const items = [
		{ title: 'Fine', url: 'https://example.com' },
		{ title: 'My video', url: 'example' },
	];
	const { error } = await harness.runNode(create, { items });
	expect(error).toMatchObject({
		message: 'URL: "example" is not a web address – item 1 of 2 failed; 1 was not processed',
		description: expect.stringContaining(
			'Items are counted from 0. Nothing was changed. To send the others, set On Error to Continue in the settings of the node.',
		) as unknown,
	});
	expect(harness.sandbox.recorder.requests).toEqual([]);
});
